//! Effect of an erasure on each team fact that the user contributed to.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use crate::erasures::shapes::ErasureFactRow;
use crate::notice::grouped;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::prose::Prose;
use crate::parts::stand::Stand;
use domain::erasure::ErasureScope;
use domain::facts::promotion::Voices;

/// Facts on one page of the list.
const FACTS_PER_PAGE: usize = 25;

#[component]
pub fn TouchedFacts(facts: Vec<ErasureFactRow>, scope: ErasureScope) -> impl IntoView {
    let query = use_query_map().get_untracked();
    let all = facts.len();
    let gone = facts.iter().filter(|fact| fact.goes).count();
    let link = |which: &str, page: usize| format!("?mode={}&facts={which}&page={page}", scope.as_str());
    let asked = query.get("facts").unwrap_or_default();
    let which = ["deleted", "stay"].into_iter().find(|which| *which == asked).unwrap_or("all");
    let page = query.get("page").and_then(|page| page.parse::<usize>().ok()).unwrap_or(1).max(1);
    let tab = |name: &'static str, words: &'static str, count: usize| {
        let current = (name == which).then_some("true");
        view! { <a href=link(name, 1) aria-current=current>{words}<span class="count">{grouped(count)}</span></a> }
    };
    let chosen = facts.into_iter().filter(|fact| match which {
        "deleted" => fact.goes,
        "stay" => !fact.goes,
        _ => true,
    });
    // One more than a page shows whether there is a next page.
    let mut rows: Vec<ErasureFactRow> = chosen.skip((page - 1).saturating_mul(FACTS_PER_PAGE)).take(FACTS_PER_PAGE + 1).collect();
    let more = rows.len() > FACTS_PER_PAGE;
    rows.truncate(FACTS_PER_PAGE);
    let next = more.then(|| link(which, page + 1));
    view! {
        <section class="box">
            <header>
                <h2>"What happens to each team fact"</h2>
                <nav class="fact-tabs" aria-label="Team facts">
                    {tab("deleted", "Deleted ", gone)}
                    {tab("all", "All ", all)}
                    {tab("stay", "Stay ", all - gone)}
                </nav>
            </header>
            {if rows.is_empty() {
                view! { <p class="box-empty">"No team fact is touched."</p> }.into_any()
            } else {
                view! {
                    <table class="ledger touched">
                        <caption class="sr">"What happens to each team fact"</caption>
                        <thead><tr><th scope="col">"Fact"</th><th scope="col">"State now"</th><th scope="col" class="number">"Contributors"</th></tr></thead>
                        <tbody>{by_fate(rows, gone, all - gone)}</tbody>
                    </table>
                }
                .into_any()
            }}
            {next.map(|href| view! { <p class="box-more"><a href=href class="link">"Next 25"</a></p> })}
        </section>
    }
}

/// Deleted facts first, each group under its own line.
fn by_fate(rows: Vec<ErasureFactRow>, gone: usize, stay: usize) -> impl IntoView {
    let mut group = None;
    rows.into_iter()
        .map(|fact| {
            let opens = group.replace(fact.goes) != Some(fact.goes);
            let (tone, icon, words) = match fact.goes {
                true => ("goes", Icon::Trash, format!("{} will be deleted", grouped(gone))),
                false => ("stays", Icon::Approved, format!("{} will stay, without this user", grouped(stay))),
            };
            view! {
                {opens.then(|| view! {
                    <tr class="group-line" data-testid="erase-group"><th colspan="3" scope="colgroup"><span class=format!("outcome {tone}")><Icon16 icon />{words}</span></th></tr>
                })}
                <FactLine fact />
            }
        })
        .collect_view()
}

#[component]
fn FactLine(fact: ErasureFactRow) -> impl IntoView {
    let outcome = if fact.goes { "deleted" } else { "stays" };
    view! {
        <tr data-testid="erase-fact" data-outcome=outcome data-fact-id=fact.id>
            <td class="said"><Prose text=fact.content /></td>
            <td><Stand status=fact.status /></td>
            <td class="number"><Change others=fact.others /></td>
        </tr>
    }
}

/// `1 → 0`: the number of contributors with this user, and without. Above the threshold of promotion, no exact number is shown.
#[component]
fn Change(others: Voices) -> impl IntoView {
    let (before, after) = match others {
        Voices { count, or_more: true } => (format!("{}+", count + 1), format!("{count}+")),
        Voices { count, .. } => ((count + 1).to_string(), count.to_string()),
    };
    view! { <span aria-hidden="true">{format!("{before} → {after}")}</span><span class="sr">{format!("{before}, then {after}")}</span> }
}
