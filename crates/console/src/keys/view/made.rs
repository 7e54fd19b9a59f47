//! A key that was just made: the secret, shown once, and what to paste into a program.

use leptos::prelude::*;

use crate::keys::shapes::Snippet;
use crate::parts::icon::{Icon, Icon16};

#[component]
pub fn Made(
    name: String,
    secret: String,
    snippets: Vec<Snippet>,
    may_read: bool,
    /// When the replaced key stops working.
    #[prop(into)]
    old_works_until: Option<String>,
) -> impl IntoView {
    let copied = secret.clone();
    view! {
        <div class="note wide ok" role="status" data-testid="made">
            <Icon16 icon=Icon::Lock />
            <div class="note-text">
                <p class="note-title">{format!("The key for {name} was made")}</p>
                <p class="secret"><code data-testid="secret">{secret}</code></p>
                <p><button type="button" class="button small scripted" data-copies=copied data-testid="copy-secret"><Icon16 icon=Icon::Copy />"Copy key"</button></p>
                <p>"It is shown here once. Copy it now: no other page and no log has it."</p>
                {old_works_until.map(|until| view! { <p>{format!("The old key works until {until}.")}</p> })}
            </div>
        </div>
        <section class="box" data-testid="snippets">
            <header><h2>"Try it"</h2></header>
            <div class="box-body">
                {(!may_read).then(|| view! { <p>"This key lacks the scope read, so these calls are refused with 403. They still show here that the key arrives."</p> })}
                {snippets.into_iter().map(|snippet| view! { <Paste snippet /> }).collect_view()}
            </div>
        </section>
    }
}

#[component]
fn Paste(snippet: Snippet) -> impl IntoView {
    let Snippet { name, text } = snippet;
    let (copied, label, test) = (text.clone(), format!("Copy: {name}"), format!("snippet-{}", name.to_lowercase()));
    view! {
        <div class="snippet">
            <h3>{name}</h3>
            <button type="button" class="button small scripted" data-copies=copied aria-label=label><Icon16 icon=Icon::Copy />"Copy"</button>
            <pre data-testid=test><code>{text}</code></pre>
        </div>
    }
}
