//! The keyboard shortcuts of the console: a page, whose list a dialog shows over any other page.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::screens;
use crate::shell::Head;

/// Groups of shortcuts: where they work, and what each does.
const KEYS: [(&str, &[(&str, &str)]); 4] = [
    (
        "Anywhere",
        &[
            ("?", "This list"),
            ("⌘K", "Find a page, a setting, a fact, a user, a receipt or a key"),
            ("G then S R F U E T K A", "Stats, Review, Facts, Users, Erasures, Settings, Keys, Audit"),
            ("/", "Search; Esc leaves"),
        ],
    ),
    (
        "Lists",
        &[
            ("J or ↓, K or ↑", "Next row, previous row"),
            ("Home, End", "First row, last row"),
            ("O or Enter", "Open the row as a page"),
            ("X or Space", "Select the row"),
            ("Shift J, Shift K", "Extend the selection"),
            ("⌘A", "Select this page; again: all that match"),
            ("[ and ]", "Previous page, next page"),
        ],
    ),
    (
        "Review",
        &[
            ("A", "Approve the row, or the selection"),
            ("R", "Reject the row, or the selection"),
            ("W, then 1 to 4", "Say why the last one was rejected"),
            ("E", "Edit"),
            ("1 to 5", "Set importance"),
            ("I", "Go to the inspector; Esc back"),
            ("Z", "Undo the last decision"),
        ],
    ),
    ("Editor", &[("⌘↵", "Save and approve"), ("⌘S", "Save"), ("Esc", "Cancel")]),
];

#[component]
pub fn Keys() -> impl IntoView {
    view! {
        <Title text=screens::SHORTCUTS.title />
        <Head title=screens::SHORTCUTS.title />
        <div class="page">
            <h2 class="sr">"All keys"</h2>
            <section data-question="true" data-wide="true" aria-labelledby="keys-title">
                <h2 id="keys-title" class="of-dialog">"Keyboard shortcuts"</h2>
                <p class="quiet-text">"Single letters work outside of fields, and can be turned off in the account menu. ⌘ is Ctrl off macOS."</p>
                {KEYS
                    .map(|(place, keys)| view! {
                        <h3>{place}</h3>
                        <dl class="keys">{keys.iter().map(|(key, does)| view! { <div><dt><kbd>{*key}</kbd></dt><dd>{*does}</dd></div> }).collect_view()}</dl>
                    })
                    .collect_view()}
                <p class="of-dialog dialog-actions"><a class="button" href="/review" data-cancels="true">"Close"</a></p>
            </section>
            <p class="quiet-text"><a class="link" href="/help/stored">"What is stored, why and for how long"</a></p>
        </div>
    }
}
