//! Saved views over the list, and the form that filters it. Both are links and a GET form: the URL is the state.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::notice::{Notice, Refused, grouped};
use crate::parts::boxes::{Apply, boxes};
use crate::parts::icon::{Icon, Icon16};
use crate::review::shapes::Tab;
use crate::review::view::board::Board;
use crate::review::views::{delete_view, save_view};
use domain::facts::fact::FactKind;
use domain::facts::provenance::Origin;
use domain::problem::Problem;

/// Sort orders of the list: value and label.
const ORDERS: [(&str, &str); 4] = [
    ("oldest", "Oldest first"),
    ("newest", "Newest first"),
    ("contributors", "Most contributors"),
    ("importance", "Most important"),
];

#[component]
pub fn Views(board: Board) -> impl IntoView {
    let query = board.queue.with_untracked(|queue| queue.filters.query.clone());
    let tabs = move || board.queue.with(|queue| queue.tabs.clone());
    let here = StoredValue::new(query);
    view! {
        <nav class="views" aria-label="Saved views" data-testid="views">
            <For each=tabs key=|tab| (tab.id.clone(), tab.name.clone(), tab.count, tab.query.clone()) children=move |tab| {
                let current = here.with_value(|here| *here == tab.query);
                view! { <View tab current board /> }
            } />
            <SaveView board />
        </nav>
    }
}

#[component]
fn View(tab: Tab, current: bool, board: Board) -> impl IntoView {
    let Tab { id, name, query, count, own, .. } = tab;
    let (menu_name, menu_query) = (name.clone(), query.clone());
    view! {
        <span class="view-tab" class:current=current>
            <a href=format!("/review?{query}") data-testid="view-tab" aria-current=if current { "page" } else { "false" }>{name.clone()}<span class="count">{grouped(count)}</span></a>
            {id.filter(|_| own).map(|id| view! { <ViewMenu id name=menu_name query=menu_query board /> })}
        </span>
    }
}

/// Rename, share and delete one of the operator's own views.
#[component]
fn ViewMenu(id: String, name: String, query: String, board: Board) -> impl IntoView {
    let same = id.clone();
    let forget = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        let id = same.clone();
        spawn_local(async move { answered(board, delete_view(id).await) });
    };
    view! {
        <details class="menu">
            <summary aria-label=format!("View {name}: rename or delete")><Icon16 icon=Icon::More /></summary>
            <div class="popover">
                <ViewForm id=Some(id.clone()) name query board />
                <form method="post" action="/calls/views/delete" on:submit=forget>
                    <input type="hidden" name="id" value=id />
                    <button type="submit" class="danger-text">"Delete view"</button>
                </form>
            </div>
        </details>
    }
}

#[component]
fn SaveView(board: Board) -> impl IntoView {
    let filtered = move || board.queue.with(|queue| queue.filters.clone());
    view! {
        <details class="menu save-view">
            <summary><Icon16 icon=Icon::Plus />"Save view"</summary>
            <div class="popover">{move || view! { <ViewForm id=None name=String::new() query=filtered().query board /> }}</div>
        </details>
    }
}

#[component]
fn ViewForm(id: Option<String>, name: String, query: String, board: Board) -> impl IntoView {
    let known = StoredValue::new((id.clone(), query.clone()));
    let wrong = RwSignal::new(None::<Problem>);
    let typed = RwSignal::new(name.clone());
    let shared = RwSignal::new(false);
    let save = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        let (id, query) = known.get_value();
        spawn_local(async move {
            let outcome = save_view(typed.get_untracked(), query, id, shared.get_untracked().then(|| "on".to_owned())).await;
            match outcome {
                Err(Refused(problem)) if problem != Problem::Unauthenticated => {
                    wrong.try_set(Some(problem));
                }
                outcome => answered(board, outcome),
            }
        });
    };
    view! {
        <form class="view-form" method="post" action="/calls/views/save" on:submit=save>
            {id.map(|id| view! { <input type="hidden" name="id" value=id /> })}
            <input type="hidden" name="query" value=query />
            <label>"Name"<input type="text" name="name" value=name maxlength="60" on:input=move |ev| typed.set(event_target_value(&ev)) /></label>
            <label class="check"><input type="checkbox" name="shared" on:change=move |ev| shared.set(event_target_checked(&ev)) />"Share with everyone"</label>
            {move || wrong.get().map(|problem| view! { <p class="wrong" role="alert">{problem.to_string()}</p> })}
            <button type="submit" class="button primary">"Save"</button>
        </form>
    }
}

fn answered(board: Board, outcome: Result<Notice, Refused>) {
    if !board.alive() {
        return;
    }
    match outcome {
        Ok(notice) => {
            board.told(notice);
            board.refresh(false);
        }
        Err(Refused(Problem::Unauthenticated)) => board.console.signed_out.set(true),
        Err(Refused(problem)) => board.wrong.set(Some(problem)),
    }
}

/// Search, chips and order.
#[component]
pub fn Filter(board: Board) -> impl IntoView {
    let filters = board.queue.with_untracked(|queue| queue.filters.clone());
    let kinds = filters.kinds.iter().map(|kind| kind.label()).collect::<Vec<_>>().join(", ");
    let origins = filters.origins.iter().map(|origin| origin.label()).collect::<Vec<_>>().join(", ");
    let any = |words: String| if words.is_empty() { "Any".to_owned() } else { words };
    let (kind_on, origin_on) = (!kinds.is_empty(), !origins.is_empty());
    let kind_boxes = boxes("kind", FactKind::ALL, &filters.kinds, FactKind::as_str, FactKind::label);
    let origin_boxes = boxes("origin", Origin::ALL, &filters.origins, Origin::as_str, Origin::label);
    let sort = filters.sort.clone();
    let orders = ORDERS.map(|(value, words)| view! { <option value=value selected=value == sort>{words}</option> });
    let order_words = ORDERS.iter().find(|(value, _)| *value == filters.sort).map_or("Oldest first", |(_, words)| *words);
    let clear = filters.words.is_some();
    let narrowed = kind_on || origin_on;
    view! {
        <form method="get" action="/review" class="filters" role="search" data-testid="filters">
            <label class="search">
                <Icon16 icon=Icon::Search />
                <input type="search" id="search" name="q" value=filters.q placeholder="Search fact text" aria-label="Search fact text" data-testid="filter-q" />
                <kbd class="roomy">"/"</kbd>
            </label>
            <label class="chip-box"><input type="checkbox" name="sources" value="single" checked=filters.single data-testid="filter-single" data-submits="true" />"Single-source only"</label>
            <details class="folded" open data-filtering=narrowed.then_some("true")>
                <summary class="narrow-only button">"Filters"</summary>
                <details class="menu" data-testid="filter-kind">
                    <summary class="chip-button" class:on=kind_on>"Kind "<b>{any(kinds)}</b><Icon16 icon=Icon::Chevron /></summary>
                    <div class="popover">{kind_boxes}<Apply /></div>
                </details>
                <details class="menu" data-testid="filter-origin">
                    <summary class="chip-button" class:on=origin_on>"Origin "<b>{any(origins)}</b><Icon16 icon=Icon::Chevron /></summary>
                    <div class="popover">{origin_boxes}<Apply /></div>
                </details>
                <label class="chip-button sort">"Sort "<b aria-hidden="true">{order_words}</b><select name="sort" aria-label="Sort" data-testid="filter-sort" data-submits="true">{orders}</select><Icon16 icon=Icon::Chevron /></label>
                {clear.then(|| view! { <a href="/review" class="link clear" data-testid="filter-clear">"Clear filters"</a> })}
                <button type="submit" class="button unscripted">"Apply filters"</button>
            </details>
        </form>
    }
}
