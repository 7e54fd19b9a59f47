//! A page, or a part of it, that could not be shown, with a way to continue.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::parts::icon::{Icon, Icon24};
use domain::problem::Problem;

/// Explains a problem, with a way to continue. `missing` names what did not load, as the start of a sentence.
#[component]
pub fn ProblemPanel(problem: Problem, missing: &'static str) -> impl IntoView {
    let here = use_location();
    let search = here.search.get_untracked();
    let question = if search.is_empty() { String::new() } else { format!("?{search}") };
    let again = format!("{}{question}", here.pathname.get_untracked());
    let gone = "The link may be old. A fact that was deleted has no page.";
    let (icon, title, text) = match &problem {
        Problem::NotFound { what } if what == "page" => (Icon::Nowhere, "There is no page here".to_owned(), gone.to_owned()),
        Problem::NotFound { what } => (Icon::Nowhere, format!("There is no such {what}"), gone.to_owned()),
        Problem::ViewOnly { .. } => (Icon::Eye, "You cannot change this".to_owned(), problem.to_string()),
        Problem::Internal { incident } => (Icon::Warning, format!("{missing} did not load"), format!("Reference {incident}.")),
        other => (Icon::Warning, format!("{missing} did not load"), other.to_string()),
    };
    let retry = matches!(icon, Icon::Warning);
    view! {
        <section class="panel" data-testid="panel-error">
            <Icon24 icon />
            <h2>{title}</h2>
            <p>{text}</p>
            {if retry {
                view! { <a class="button" href=again data-testid="retry">"Try again"</a> }.into_any()
            } else {
                view! { <a class="button" href="/stats">"Go to Stats"</a> }.into_any()
            }}
        </section>
    }
}
