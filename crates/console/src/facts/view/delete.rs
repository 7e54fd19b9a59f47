//! Deleting facts: a page that asks for confirmation, which a script shows as a dialog.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::facts::call::open_fact;
use crate::notice::grouped;
use crate::parts::focus::HEADING;
use crate::parts::load::{load, loaded, lost};
use crate::parts::prose::Prose;
use crate::screens;
use crate::shell::LeftoverHere;
use crate::state::ConsoleState;
use domain::access::rights::Right;
use domain::problem::Problem;

const LIST: &str = screens::FACTS.path;
/// The consequences of deleting one fact, or many.
const ONE_GOES: &str =
    "It and its contribution links are removed. If people say it again it comes back as pending. To keep it out, reject it.";
const MANY_GO: &str = "They and their contribution links are removed. If people say them again they come back as pending. To keep them out, reject them.";
/// The fields that select everything matching a list.
const EVERYTHING: [&str; 3] = ["all", "count", "token"];

/// The confirmation page for deleting one fact.
#[component]
pub fn DeleteOne() -> impl IntoView {
    let id = use_params_map().read_untracked().get("id").unwrap_or_default();
    let page = load(move || id.clone(), open_fact);
    loaded(
        page,
        |page| {
            let fact = page.opened.candidate;
            let field = ("ids[]".to_owned(), format!("{}:{}", fact.id, fact.version));
            view! { <Ask back=format!("{LIST}/{}", fact.id) fields=vec![field] count=1 text=Some(fact.content) /> }.into_any()
        },
        lost("Delete fact", "The fact"),
    )
}

/// The confirmation page for deleting many facts: those named in the URL, or everything that matched.
#[component]
pub fn DeleteMany() -> impl IntoView {
    let query = use_query_map();
    let query = query.read_untracked();
    let ids = query.get_all("ids[]").or_else(|| query.get_all("ids%5B%5D")).unwrap_or_default();
    let everything: Vec<(String, String)> =
        EVERYTHING.iter().filter_map(|name| Some(((*name).to_owned(), query.get(name)?))).collect();
    let counted = query.get("count").and_then(|count| count.parse().ok());
    let (fields, count) = match counted.filter(|_| everything.len() == EVERYTHING.len()) {
        Some(count) => (everything, count),
        None => (ids.iter().map(|id| ("ids[]".to_owned(), id.clone())).collect(), ids.len()),
    };
    view! { <Ask back=LIST.to_owned() fields count text=None /> }
}

#[component]
fn Ask(back: String, fields: Vec<(String, String)>, count: usize, text: Option<String>) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let (title, words, button) = if count == 1 {
        ("Delete this fact?".to_owned(), ONE_GOES, "Delete fact".to_owned())
    } else {
        let many = grouped(count);
        (format!("Delete {many} facts?"), MANY_GO, format!("Delete {many} facts"))
    };
    let form = if console.may_now(Right::Review) && count > 0 {
        view! {
            <form method="post" action="/calls/decide" class="ask-actions">
                {fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view()}
                <input type="hidden" name="action" value="delete" />
                <input type="hidden" name="confirmed" value="1" />
                <input type="hidden" name="back_to" value=LIST />
                <a href=back class="button" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                <button type="submit" class="button danger-solid" data-testid="dialog-confirm">{button}</button>
            </form>
        }
        .into_any()
    } else {
        let why =
            if count == 0 { "Nothing is chosen.".to_owned() } else { Problem::ViewOnly { needs: Right::Review }.to_string() };
        view! { <p class="quiet-text">{why}</p> }.into_any()
    };
    view! {
        <Title text=screens::DELETE_FACTS.title />
        <header class="head">
            <p class="crumbs"><a href=LIST>{screens::FACTS.title}</a><span aria-hidden="true">"›"</span></p>
            <h1 id=HEADING tabindex="-1">"Delete"</h1>
        </header>
        <LeftoverHere />
        <section class="ask" data-question="true" data-testid="dialog" aria-labelledby="delete-title">
            <h2 id="delete-title">{title}</h2>
            {text.map(|text| view! { <p class="quote">"“"<Prose text />"”"</p> })}
            <p>{words}</p>
            {form}
        </section>
    }
}
