//! The bulk bar of the list: what is selected, and the actions on it. It replaces the filters.

use leptos::prelude::*;

use crate::calls::decide::FACT_LIST;
use crate::calls::facts::FactList;
use crate::domain::decision::Verb;
use crate::domain::problem::Problem;
use crate::ui::parts::icon::{Icon, Icon16};
use crate::ui::shell::ConsoleState;

#[component]
pub fn Bar(
    list: FactList,
    /// The address of this list.
    here: String,
) -> impl IntoView {
    let FactList { filters, total, token, rows, .. } = list;
    let button = |verb: Verb, words: &'static str, test: &'static str| {
        view! { <button type="submit" name="action" value=verb.as_str() class="button" data-testid=test>{words}" "<span class="scripted" data-many="{}"></span></button> }
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
            <button type="button" class="quiet wide-quiet" data-testid="bulk-all" data-selects="every">{format!("Select all {total}")}</button>
            <button type="button" class="quiet wide-quiet" data-selects="page" hidden>"Only this page"</button>
        }
    });
    view! {
        <form id="bulk" class="bulk-bar" method="post" action="/calls/decide" role="toolbar" aria-label="Bulk actions" data-testid="bulk-bar" data-total=total>
            <input type="hidden" name="bulk" value="1" />
            <strong class="scripted" data-testid="bulk-count" data-many="{} selected" data-every="All {} that match are selected"></strong>
            {verbs}
            <details class="menu scripted" data-testid="bulk-importance">
                <summary class="button">"Set importance"<Icon16 icon=Icon::Chevron /></summary>
                <div class="popover"><span class="fives">{fives.collect_view()}</span></div>
            </details>
            <button type="submit" formmethod="get" formaction="/manage/facts/delete" class="button danger" data-dialog="true" data-testid="bulk-delete">"Delete…"</button>
            <span class="bulk-rest scripted">
                {everything}
                <button type="button" class="quiet wide-quiet" data-testid="bulk-clear" data-selects="none">"Clear"<kbd>"Esc"</kbd></button>
            </span>
        </form>
        <BulkQuestion here />
    }
}

/// The confirmation of a large bulk decision; it keeps the selection.
#[component]
fn BulkQuestion(here: String) -> impl IntoView {
    let flash = expect_context::<ConsoleState>().bulk.get_untracked()?;
    let Err(Problem::ConfirmBulk { verb, count }) = &flash.outcome else { return None };
    let verb = Verb::parse(verb, flash.field("importance").and_then(|n| n.parse().ok()))?;
    let (question, button) = words(verb, usize::try_from(*count).unwrap_or(usize::MAX));
    let fields = flash.fields.iter().filter(|(name, _)| name != "confirmed");
    let fields =
        fields.map(|(name, value)| view! { <input type="hidden" name=name.clone() value=value.clone() /> }).collect_view();
    Some(view! {
        <form class="bulk-bar shown asked" method="post" action="/calls/decide" data-testid="asked">
            {fields}
            <input type="hidden" name="confirmed" value="1" />
            <span class="sure" role="alert">{question}</span>
            <button type="submit" class="button primary" data-testid="bulk-confirm">{button}</button>
            <a class="button" href=here>"Cancel"</a>
        </form>
    })
}

fn words(verb: Verb, count: usize) -> (String, String) {
    match verb {
        Verb::Approve => (format!("Approve {count} facts? They become recallable at once."), format!("Approve {count}")),
        Verb::Reject => (format!("Reject {count} facts? They are kept for audit and not recalled."), format!("Reject {count}")),
        Verb::Reopen => {
            (format!("Re-open {count} facts? They are not recalled until decided again."), format!("Re-open {count}"))
        }
        Verb::Importance(n) => (format!("Set importance {} for {count} facts?", n.get()), format!("Set {count}")),
        Verb::Delete => (format!("Delete {count} facts?"), format!("Delete {count} facts")),
    }
}
