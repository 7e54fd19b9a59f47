//! Explains team memory in five steps. Open on the first visit, and later as the operator left it.

use leptos::prelude::*;

use crate::parts::icon::{Icon, Icon16};
use crate::parts::note::Told;

#[component]
pub fn HowItWorks(open: bool, promote_at: Option<u32>) -> impl IntoView {
    let promote = match promote_at {
        Some(people) => format!("An operator approves it, or {people} separate contributors do."),
        None => "An operator approves it.".to_owned(),
    };
    let steps = [
        (Icon::Search, "Recall", "Memories close to the message are added to the prompt.".to_owned()),
        (Icon::Sparkle, "Learn", "After the reply, a second pass proposes facts that name no one.".to_owned()),
        (Icon::Shield, "Gate", "A fixed filter rejects names, contacts, hosts, secrets and paths.".to_owned()),
        (Icon::Pending, "Quarantine", "A new fact waits as pending. It is not recallable.".to_owned()),
        (Icon::Approved, "Promote", promote),
    ];
    let step = |(icon, title, text): (Icon, &'static str, String)| {
        view! { <li><h3><Icon16 icon />{title}</h3><p>{text}</p></li> }
    };
    view! {
        <details id="how" class="tile whole how" open=open data-keeps="how" data-testid="how-it-works">
            <summary class="tile-head"><Icon16 icon=Icon::Chevron /><h2>"How team memory works"</h2></summary>
            <div class="tile-body">
                <ol class="steps">{steps.map(step).collect_view()}</ol>
                <Told class="note info" icon=Icon::Lock title="What cannot happen">
                    <p>"The team store has no user column. Recall never reads who contributed, so a misread fact carries no identity; at worst it is a pending row that you reject."</p>
                </Told>
            </div>
        </details>
    }
}
