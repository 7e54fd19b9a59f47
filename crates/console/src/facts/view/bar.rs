//! The bulk bar of the list, which replaces the filters.

use leptos::prelude::*;

use crate::decide::shapes::FACT_LIST;
use crate::facts::shapes::FactList;
use crate::notice::grouped;
use crate::parts::bulk::{BulkBar, asked};
use crate::state::ConsoleState;
use domain::facts::decision::Verb;

#[component]
pub fn Bar(
    list: FactList,
    /// The address of this list.
    here: String,
) -> impl IntoView {
    let FactList { filters, total, token, rows, .. } = list;
    let button = |verb: Verb, words: &'static str, test: &'static str| {
        view! { <button type="submit" name="action" value=verb.as_str() class="button" data-testid=test>{words}" "<span class="scripted roomy" data-many="{}"></span></button> }
    };
    let (approve, reject) = (button(Verb::Approve, "Approve", "bulk-approve"), button(Verb::Reject, "Reject", "bulk-reject"));
    let reopen = button(Verb::Reopen, "Re-open", "bulk-reopen");
    let verbs = match filters.status.as_str() {
        "approved" => view! { {reopen}{reject} }.into_any(),
        "rejected" => view! { {approve}{reopen} }.into_any(),
        _ => view! { {approve}{reject}{reopen} }.into_any(),
    };
    let fives = (1..=5_u8).map(|n| {
        view! { <button type="submit" name="importance" value=n.to_string() class="button" data-adds="action=importance" aria-label=format!("Set importance {n}")>{n}</button> }
    });
    // More than this page can be selected if a token identifies exactly these facts.
    let everything = token.filter(|_| total > rows.len() as u64).map(|token| {
        view! {
            <fieldset class="contents" data-everything="true" disabled>
                <input type="hidden" name="all" value=format!("{FACT_LIST}{}", filters.query) />
                <input type="hidden" name="count" value=total />
                <input type="hidden" name="token" value=token />
            </fieldset>
            <button type="button" class="quiet wide-quiet" data-testid="bulk-all" data-selects="every">{format!("Select all {}", grouped(total))}</button>
            <button type="button" class="quiet wide-quiet" data-selects="page" hidden>"Only this page"</button>
        }
    });
    let selected = view! { <strong class="scripted" data-testid="bulk-count" data-many="{} selected" data-every="All {} that match are selected"></strong> };
    let narrow = view! {
        {everything.is_some().then(|| view! { <button type="button" class="narrow-only" data-selects="every">{format!("Select all {}", grouped(total))}</button> })}
        <button type="button" class="narrow-only" data-selects="none">"Clear"</button>
    };
    let delete = view! { <button type="submit" formmethod="get" formaction="/manage/facts/delete" class="button danger" data-dialog="true" data-testid="bulk-delete">"Delete…"</button> };
    let rest = view! {
        {everything}
        <button type="button" class="quiet wide-quiet" data-testid="bulk-clear" data-selects="none">"Clear"<kbd>"Esc"</kbd></button>
    };
    view! {
        <BulkBar
            total
            count=selected.into_any()
            verbs
            fives=fives.collect_view().into_any()
            narrow=narrow.into_any()
            more=delete.into_any()
            rest=rest.into_any()
        />
        <BulkQuestion here />
    }
}

/// The confirmation of a large bulk action.
#[component]
fn BulkQuestion(here: String) -> impl IntoView {
    asked(expect_context::<ConsoleState>().bulk.get_untracked(), here, Some("asked"), Some("bulk-confirm"))
}
