//! The facts: a table that the URL filters, sorts and pages.

mod bar;
pub mod delete;
pub mod duel;
pub mod fact;
mod filter;
mod recalls;
mod table;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use crate::facts::call::list_facts;
use crate::facts::shapes::FactList;
use crate::facts::view::bar::Bar;
use crate::facts::view::filter::Filter;
use crate::facts::view::table::Table;
use crate::notice::grouped;
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{headed, load, loaded};
use crate::parts::pager::Pager;
use crate::screens;
use crate::shell::LeftoverHere;
use crate::state::ConsoleState;
use domain::access::rights::Right;

/// Choices of rows per page.
const PER: [u64; 4] = [10, 25, 50, 100];

#[component]
pub fn Facts() -> impl IntoView {
    let search = use_location().search;
    let page = load(move || search.get(), list_facts);
    view! {
        <Title text=screens::FACTS.title />
        {loaded(page, |list| view! { <Listed list /> }, headed(screens::FACTS.title, "The list"))}
    }
}

#[component]
fn Listed(list: FactList) -> impl IntoView {
    let here = use_location();
    let again = format!("/manage/facts?{}", here.search.get_untracked());
    let filters = list.filters.clone();
    let states = [("approved", "Approved", list.approved), ("rejected", "Rejected", list.rejected), ("all", "All", list.all)];
    let states = states.map(|(state, words, count)| {
        let href = if state == "approved" { "/manage/facts".to_owned() } else { format!("/manage/facts?status={state}") };
        let current = if filters.status == state { "page" } else { "false" };
        view! { <li><a href=href aria-current=current class="state">{words}" "<span class="count">{grouped(count)}</span></a></li> }
    });
    let export = |format: &str| format!("/manage/facts/export.{format}?{}", filters.query);
    let (csv, json) = (export("csv"), export("json"));
    let empty = list.rows.is_empty();
    view! {
        <header class="head facts-head">
            <h1 id=HEADING tabindex="-1">{screens::FACTS.title}</h1>
            <nav aria-label="State"><ul class="states">{states}</ul></nav>
            <div class="head-actions">
                <details class="menu">
                    <summary class="quiet wide-quiet" data-testid="export"><Icon16 icon=Icon::Download />"Export"</summary>
                    <div class="popover">
                        <a href=csv download="facts.csv">"CSV"</a>
                        <a href=json download="facts.json">"JSON"</a>
                    </div>
                </details>
            </div>
        </header>
        <div class="board facts">
            <Filter filters=filters.clone() />
            <LeftoverHere />
            <a class="arrivals" href=again.clone() data-testid="new-arrivals" data-news="true" hidden>"Some of these changed since you looked. "<span class="link">"Show"</span></a>
            <div id="listed" class="contents" data-live="undone">
                {list.may_review.then(|| view! { <Bar list=list.clone() here=again /> })}
                {if empty {
                    view! { <Empty list=list.clone() /> }.into_any()
                } else {
                    view! { <Table list=list.clone() /> }.into_any()
                }}
                {(list.total > 0).then(|| view! { <Pager span=list.span.clone()><Per per=list.filters.per /></Pager> })}
            </div>
        </div>
    }
}

/// Selects the number of rows per page.
#[component]
fn Per(per: u64) -> impl IntoView {
    let options = PER.map(|n| view! { <option value=n.to_string() selected=n == per>{n}</option> });
    view! {
        <label class="per">"Rows "<select name="per" form="filters" data-submits="true">{options}</select></label>
        <button type="submit" form="filters" class="button unscripted">"Show"</button>
    }
}

#[component]
fn Empty(list: FactList) -> impl IntoView {
    let FactList { filters, people, approved, rejected, all, total, .. } = list;
    let whole = match filters.status.as_str() {
        "approved" => approved,
        "rejected" => rejected,
        _ => all,
    };
    let whole = grouped(whole);
    if people {
        return view! {
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::People />
                <h2>"Facts hold no users. Look in Users."</h2>
                {expect_context::<ConsoleState>()
                    .may_now(Right::Manage)
                    .then(|| view! { <a href="/manage/users" class="button">"Open Users"</a> })}
            </section>
        }
        .into_any();
    }
    let (title, text, way) = if total > 0 {
        (
            "This page is past the end",
            format!("The list has {} facts.", grouped(total)),
            Some((format!("/manage/facts?{}", filters.query), "First page")),
        )
    } else if let Some(clear) = filters.clear {
        let words = match filters.status.as_str() {
            "all" => format!("There are {whole} facts, but none match the filters."),
            state => format!("{whole} are {state}, but none match the filters."),
        };
        ("No fact matches", words, Some((clear, "Clear filters")))
    } else {
        match filters.status.as_str() {
            "approved" => (
                "No approved facts yet",
                "Approved candidates appear here.".to_owned(),
                Some(("/review".to_owned(), "Open the review queue")),
            ),
            "rejected" => ("No rejected facts", "What is rejected is kept here for audit and never recalled.".to_owned(), None),
            _ => ("No facts yet", "They appear after the first conversations.".to_owned(), None),
        }
    };
    view! {
        <section class="panel" data-testid="empty">
            <Icon24 icon=Icon::Lines />
            <h2>{title}</h2>
            <p>{text}</p>
            {way.map(|(href, words)| view! { <a href=href class="button">{words}</a> })}
        </section>
    }
    .into_any()
}
