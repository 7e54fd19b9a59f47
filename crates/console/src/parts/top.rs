//! The head of a subpage: its parent page, its title, and its actions.

use leptos::prelude::*;

use crate::parts::focus::HEADING;

#[component]
pub fn Top(
    #[prop(into)] title: String,
    /// The parent page: its path and its name.
    #[prop(optional_no_strip, into)]
    above: Option<(&'static str, &'static str)>,
    #[prop(optional_no_strip, into)] lead: Option<&'static str>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <header class="head">
            {above.map(|(href, name)| view! { <p class="crumbs"><a href=href>{name}</a><span aria-hidden="true">"›"</span></p> })}
            <h1 id=HEADING tabindex="-1">{title}</h1>
            {lead.map(|lead| view! { <p class="lead">{lead}</p> })}
            {children.map(|children| view! { <div class="head-actions">{children()}</div> })}
        </header>
    }
}
