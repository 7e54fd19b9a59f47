//! The audit log: every view of a user and every change, newest first. It is read-only.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use crate::audit::call::read_log;
use crate::audit::shapes::{Chain, Log, LogFilters};
use crate::facts::shapes::Chip;
use crate::notice::grouped;
use crate::parts::entries::LogTable;
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{headed, load, loaded};
use crate::screens;
use domain::audit::{Action, Group, When};

#[component]
pub fn Audit() -> impl IntoView {
    let search = use_location().search;
    let page = load(move || search.get(), read_log);
    view! {
        <Title text=screens::AUDIT.title />
        {loaded(page, |log| view! { <Page log /> }, headed(screens::AUDIT.title, "The audit log"))}
    }
}

#[component]
fn Page(log: Log) -> impl IntoView {
    let Log { days, filters, total, from, entries, newest, older, verify, actors, chain } = log;
    let export = |format: &str| format!("/audit/export.{format}?{}", filters.query);
    let (csv, jsonl) = (export("csv"), export("jsonl"));
    let empty = days.is_empty();
    let filtered = filters.clear.is_some();
    view! {
        <header class="head">
            <h1 id=HEADING tabindex="-1">{screens::AUDIT.title}</h1>
            <p class="lead">"Every view of a user and every change"</p>
            <div class="head-actions">
                <a href=verify class="button small" data-testid="verify"><Icon16 icon=Icon::Shield />"Check log integrity"</a>
                <details class="menu">
                    <summary class="quiet wide-quiet" data-testid="export"><Icon16 icon=Icon::Download />"Export"</summary>
                    <div class="popover">
                        <a href=csv download="audit.csv" data-testid="export-csv">"CSV"</a>
                        <a href=jsonl download="audit.jsonl" data-testid="export-jsonl">"JSONL"</a>
                        <p class="popover-note">{if filtered { "The entries that match, one row for each fact. The export is logged." } else { "The whole log, one row for each fact. The export is logged." }}</p>
                    </div>
                </details>
            </div>
        </header>
        {chain.map(|chain| view! { <ChainState chain /> })}
        <Filters filters actors />
        {if empty {
            view! { <Empty filtered newest=newest.clone() total /> }.into_any()
        } else {
            view! { <LogTable days caption="Audit log" /> }.into_any()
        }}
        {(!empty).then(|| view! { <Pager total from entries newest older /> })}
    }
}

/// The place of this page in the list.
#[component]
fn Pager(total: u64, from: u64, entries: u64, newest: Option<String>, older: Option<String>) -> impl IntoView {
    let range = format!("{}–{} of {}", grouped(from), grouped(from + entries.saturating_sub(1)), grouped(total));
    let turn = |href: Option<String>, words: &'static str, test: &'static str| match href {
        Some(href) => view! { <a href=href class="button" data-testid=test>{words}</a> }.into_any(),
        None => view! { <span class="button off" aria-disabled="true" data-testid=test>{words}</span> }.into_any(),
    };
    view! {
        <nav class="pages" aria-label="Pages" data-testid="pager">
            <span class="pages-range" data-testid="pager-range">{range}</span>
            {turn(newest, "Newest", "pager-prev")}
            {turn(older, "Older", "pager-next")}
        </nav>
    }
}

/// The result of verifying the whole chain.
#[component]
fn ChainState(chain: Chain) -> impl IntoView {
    let (tone, icon, words) = match chain {
        Chain::Intact { rows } => {
            ("bar ok", Icon::Approved, format!("Log intact · {} {}", grouped(rows), if rows == 1 { "row" } else { "rows" }))
        }
        Chain::Broken { seq } => {
            ("bar danger", Icon::Warning, format!("The log was changed: row {seq} does not match the rows around it."))
        }
    };
    view! { <p class=tone role="status" data-testid="chain"><Icon16 icon /><span>{words}</span></p> }
}

/// The filters: a GET form, so the URL is the state. Each menu takes several choices and applies them together.
#[component]
fn Filters(filters: LogFilters, actors: Vec<(String, String)>) -> impl IntoView {
    let LogFilters { q, groups, actions, operators, when, from, to, target, chips, clear, .. } = filters;
    let filtered = clear.is_some();
    let chip = |field: &str| chips.iter().find(|chip| chip.field == field).cloned();
    let (what, who, period, on) = (chip("group"), chip("operator"), chip("when"), chip("target"));
    let groups = Group::ALL.map(|group| {
        view! { <label class="check"><input type="checkbox" name="group" value=group.as_str() checked=groups.contains(&group) />{group.label()}</label> }
    });
    let actions = actions.into_iter().filter_map(|name| Action::find(&name)).map(|action| {
        view! { <label class="check"><input type="checkbox" name="action" value=action.name checked=true />{action.words}</label> }
    });
    let unlisted = operators.iter().filter(|id| !actors.iter().any(|(actor, _)| actor == *id));
    let unlisted: Vec<(String, String)> = unlisted.map(|id| (id.clone(), id.clone())).collect();
    let actors = actors.into_iter().chain(unlisted).map(move |(id, name)| {
        let checked = operators.contains(&id);
        view! { <label class="check"><input type="checkbox" name="operator" value=id checked=checked />{name}</label> }
    });
    let dated = !from.is_empty() || !to.is_empty();
    let whens = When::ALL.map(|each| {
        let checked = !dated && each.as_str() == when;
        view! { <label class="check radio"><input type="radio" name="when" value=each.as_str() checked=checked />{each.label()}</label> }
    });
    view! {
        <form method="get" action="/audit" id="filters" class="filters log-filters" role="search" data-testid="filters">
            <details class="folded" open data-filtering=filtered.then_some("true")>
                <summary class="narrow-only button">"Filters"</summary>
                <label class="search">
                    <Icon16 icon=Icon::Search />
                    <input type="search" id="search" name="q" value=q placeholder="Id, ticket or operator" aria-label="Id, ticket or operator" autocomplete="off" spellcheck="false" data-testid="filter-q" />
                    <kbd class="roomy">"/"</kbd>
                </label>
                <Choice label="Action" test="filter-group" chip=what>{groups.collect_view()}{actions.collect_view()}</Choice>
                <Choice label="Operator" test="filter-operator" chip=who>{actors.collect_view()}</Choice>
                <Choice label="When" test="filter-when" chip=period>
                    {whens.collect_view()}
                    <label class="popover-field apart">"From"<input type="date" name="from" value=from data-testid="filter-from" /></label>
                    <label class="popover-field">"To"<input type="date" name="to" value=to data-testid="filter-to" /></label>
                </Choice>
                <Choice label="Target" test="filter-target" chip=on>
                    <label class="popover-field tall">"Id of a fact, an erasure, an operator, a key or a setting"<input name="target" value=target autocomplete="off" autocapitalize="none" spellcheck="false" data-testid="filter-target-id" /></label>
                </Choice>
                {clear.map(|href| view! { <a href=href class="link clear" data-testid="filter-clear">"Clear filters"</a> })}
                <button type="submit" class="button unscripted">"Apply filters"</button>
            </details>
        </form>
    }
}

/// One filter: its choices, and a link to clear it while it is active.
#[component]
fn Choice(label: &'static str, test: &'static str, chip: Option<Chip>, children: Children) -> impl IntoView {
    let on = chip.is_some();
    let words = chip.as_ref().map_or_else(|| "Any".to_owned(), |chip| chip.words.clone());
    view! {
        <span class="chip-pair">
            <details class="menu" data-testid=test>
                <summary class="chip-button" class:on=on>{label}" "<b class="chip-words">{words}</b>{(!on).then(|| view! { <Icon16 icon=Icon::Chevron /> })}</summary>
                <div class="popover">
                    {children()}
                    <button type="submit" class="button small apply">"Apply"</button>
                </div>
            </details>
            {chip.map(|Chip { words, without, .. }| view! {
                <a href=without class="chip-off" aria-label=format!("Remove filter: {label} {words}")><Icon16 icon=Icon::Cross /></a>
            })}
        </span>
    }
}

#[component]
fn Empty(filtered: bool, newest: Option<String>, total: u64) -> impl IntoView {
    view! {
        <section class="panel" data-testid="empty">
            <Icon24 icon=Icon::History />
            {match (filtered, newest.filter(|_| total > 0)) {
                (_, Some(newest)) => view! {
                    <h2>"This page is past the end"</h2>
                    <a href=newest class="button">"Newest"</a>
                }
                .into_any(),
                (true, None) => view! {
                    <h2>"No entry matches"</h2>
                    <p>"A user id finds nothing here. What was done about one user is in the access log of that user’s record."</p>
                    <a href="/audit" class="button">"Clear filters"</a>
                }
                .into_any(),
                (false, None) => view! { <h2>"Nothing is recorded yet"</h2> }.into_any(),
            }}
        </section>
    }
}
