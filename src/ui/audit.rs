//! The audit log: every view of a user and every change, newest first. It is read-only.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::parts::entries::LogTable;
use super::parts::focus::HEADING;
use super::parts::icon::{Icon, Icon16, Icon24};
use super::parts::load::{load, loaded, missing};
use crate::calls::audit::{Chain, Log, LogQuery, read_log};
use crate::calls::users::in_url;
use crate::domain::audit::{ACTIONS, When};

#[component]
pub fn Audit() -> impl IntoView {
    let query = use_query_map().get_untracked();
    let text = |name: &str| query.get(name).unwrap_or_default().trim().to_owned();
    let question = LogQuery {
        q: text("q"),
        action: text("action"),
        operator: text("operator"),
        when: When::parse(&text("when")).as_str().to_owned(),
        before: query.get("before").and_then(|seq| seq.parse().ok()),
        verify: query.get("verify").is_some(),
    };
    let asked = question.clone();
    let page = load(move || asked.clone(), read_log);
    view! {
        <Title text="Audit log" />
        <header class="head">
            <h1 id=HEADING tabindex="-1">"Audit log"</h1>
            <p class="lead">"Every view of a user and every change"</p>
            <div class="head-actions"><a href="/audit?verify=1" class="button small" data-testid="verify"><Icon16 icon=Icon::Shield />"Check log integrity"</a></div>
        </header>
        {loaded(page, move |log| view! { <Page log question=question.clone() /> }, missing("The audit log"))}
    }
}

#[component]
fn Page(log: Log, question: LogQuery) -> impl IntoView {
    let Log { days, next, actors, chain } = log;
    let first = question.before.is_none();
    let (start, older) = (href(&question, None), next.map(|next| href(&question, Some(next))));
    let filtered = filtered(&question);
    view! {
        {chain.map(|chain| view! { <ChainState chain /> })}
        <Filters question actors filtered />
        {if days.is_empty() {
            view! { <Empty filtered /> }.into_any()
        } else {
            view! { <LogTable days caption="Audit log" /> }.into_any()
        }}
        {(older.is_some() || !first).then(|| view! {
            <nav class="pager" aria-label="Pages" data-testid="pager">
                {(!first).then(|| view! { <a href=start class="button" data-testid="pager-prev">"Newest"</a> })}
                {older.map(|older| view! { <a href=older class="button" data-testid="pager-next">"Older"</a> })}
            </nav>
        })}
    }
}

/// The result of verifying the whole chain.
#[component]
fn ChainState(chain: Chain) -> impl IntoView {
    let (tone, icon, words) = match chain {
        Chain::Intact { rows } => {
            ("bar ok", Icon::Approved, format!("Log intact · {rows} {}", if rows == 1 { "row" } else { "rows" }))
        }
        Chain::Broken { seq } => {
            ("bar danger", Icon::Warning, format!("The log was changed: row {seq} does not match the rows around it."))
        }
    };
    view! { <p class=tone role="status" data-testid="chain"><Icon16 icon /><span>{words}</span></p> }
}

#[component]
fn Filters(question: LogQuery, actors: Vec<(String, String)>, filtered: bool) -> impl IntoView {
    let LogQuery { q, action, operator, when, .. } = question;
    let actions = ACTIONS.iter().map(|each| (each.name.to_owned(), each.words.to_owned())).collect();
    let times = When::ALL.iter().skip(1).map(|each| (each.as_str().to_owned(), each.label().to_owned())).collect();
    view! {
        <form class="filters-line" method="get" action="/audit" role="search" data-testid="filters">
            <span class="search-box">
                <Icon16 icon=Icon::Search />
                <label for="filter-q" class="sr">"Id, ticket or operator"</label>
                <input id="filter-q" name="q" value=q placeholder="Id, ticket or operator" autocomplete="off" spellcheck="false" data-testid="filter-q" />
            </span>
            <Choice name="action" label="Action" options=actions chosen=action />
            <Choice name="operator" label="Operator" options=actors chosen=operator />
            <Choice name="when" label="When" options=times chosen=when />
            <button type="submit" class="button small">"Apply filters"</button>
            {filtered.then(|| view! { <a href="/audit" class="link" data-testid="filter-clear">"Clear filters"</a> })}
        </form>
    }
}

#[component]
fn Choice(name: &'static str, label: &'static str, options: Vec<(String, String)>, chosen: String) -> impl IntoView {
    let id = format!("filter-{name}");
    let active = !chosen.is_empty();
    view! {
        <span class="log-choice" class:active=active>
            <label for=id.clone()>{label}</label>
            <select id=id.clone() name=name data-testid=id>
                <option value="" selected=!active>"Any"</option>
                {options
                    .into_iter()
                    .map(|(value, words)| {
                        let selected = value == chosen;
                        view! { <option value=value selected=selected>{words}</option> }
                    })
                    .collect_view()}
            </select>
        </span>
    }
}

#[component]
fn Empty(filtered: bool) -> impl IntoView {
    view! {
        <section class="panel" data-testid="empty">
            <Icon24 icon=Icon::History />
            {if filtered {
                view! { <h2>"No entry matches"</h2><a href="/audit" class="button">"Clear filters"</a> }.into_any()
            } else {
                view! { <h2>"Nothing is recorded yet"</h2> }.into_any()
            }}
        </section>
    }
}

fn filtered(question: &LogQuery) -> bool {
    [&question.q, &question.action, &question.operator, &question.when].into_iter().any(|text| !text.is_empty())
}

/// The same query from another position.
fn href(question: &LogQuery, before: Option<i64>) -> String {
    let before = before.map(|seq| seq.to_string()).unwrap_or_default();
    let fields = [
        ("q", &question.q),
        ("action", &question.action),
        ("operator", &question.operator),
        ("when", &question.when),
        ("before", &before),
    ];
    let mut url = "/audit".to_owned();
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(name);
        url.push('=');
        url.push_str(&in_url(value));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_asks_the_same() {
        let question = LogQuery { q: "SUP 1".to_owned(), when: "today".to_owned(), ..LogQuery::default() };
        assert_eq!(href(&question, Some(7)), "/audit?q=SUP%201&when=today&before=7");
        assert_eq!(href(&LogQuery::default(), None), "/audit");
        assert!(filtered(&question) && !filtered(&LogQuery { before: Some(1), ..LogQuery::default() }));
    }
}
