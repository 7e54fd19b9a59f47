//! A card of the statistics: its frame, and what it shows if it has nothing.

use leptos::prelude::*;

use crate::parts::problem::ProblemPanel;
use domain::problem::Problem;

/// A card with its title.
#[component]
pub fn Tile(
    #[prop(into)] title: String,
    /// Small text beside the title.
    #[prop(optional, into)]
    aside: String,
    #[prop(optional, into)] id: String,
    #[prop(optional, into)] class: String,
    /// To the right of the title.
    #[prop(default = None)]
    action: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    view! {
        <section class=format!("tile {class}") id=(!id.is_empty()).then_some(id)>
            {(!title.is_empty()).then(|| view! {
                <header class="tile-head">
                    <h2>{title}</h2>
                    {(!aside.is_empty()).then(|| view! { <p class="aside">{aside}</p> })}
                    {action}
                </header>
            })}
            <div class="tile-body">{children()}</div>
        </section>
    }
}

/// Says why a card has nothing to show, with a link to try again.
#[component]
pub fn Failed(problem: Problem, missing: &'static str) -> impl IntoView {
    view! { <ProblemPanel problem missing /> }
}

#[component]
pub fn Nothing(#[prop(into)] text: String) -> impl IntoView {
    view! { <p class="nothing">{text}</p> }
}
