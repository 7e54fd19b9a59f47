//! Erasures: the ledger, with unverified entries first; the preview to confirm; and the receipt.

mod plan;
mod receipt;
mod touched;

pub use plan::ErasePlan;
pub use receipt::ErasureReceipt;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::erasures::call::list_erasures;
use crate::erasures::ledger_entry::LedgerEntry;
use crate::erasures::shapes::Ledger;
use crate::erasures::shapes::LookedUp;
use crate::erasures::shapes::receipt_path;
use crate::parts::field::Wrong;
use crate::parts::focus::HEADING;
use crate::parts::heads::ledger;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{load, loaded, missing};
use crate::screens;
use domain::erasure::Status;
use domain::problem::{Field, Problem};

/// The label of a status, with its icon and tone. All of the five steps but the last are one transaction.
pub fn status_words(status: Status) -> (Icon, &'static str, &'static str) {
    match status {
        Status::Queued => (Icon::Pending, "Running 1 of 5", "pending"),
        Status::Running => (Icon::Pending, "Running 5 of 5", "pending"),
        Status::Unverified => (Icon::Warning, "Erased, not yet verified", "pending"),
        Status::Verified => (Icon::Approved, "Verified", "approved"),
        Status::Partial => (Icon::Warning, "Partly erased", "rejected"),
    }
}

#[component]
pub fn Erasures() -> impl IntoView {
    let number = use_query_map().read_untracked().get("page").and_then(|page| page.parse::<u32>().ok());
    let page = load(move || number, list_erasures);
    view! {
        <Title text=screens::ERASURES.title />
        <header class="head">
            <h1 id=HEADING tabindex="-1">{screens::ERASURES.title}</h1>
            <p class="lead">"Receipts hold numbers, never text"</p>
            <div class="head-actions"><a href="/help/stored" class="button small">"What is stored"</a></div>
        </header>
        {loaded(page, |ledger| view! { <div id="ledger" class="contents" data-live="erasures"><Page ledger /></div> }, missing("The ledger of erasures"))}
    }
}

#[component]
fn Page(ledger: Ledger) -> impl IntoView {
    let Ledger { may_manage, looked_up, rows, page, more } = ledger;
    let look_up = may_manage.then(|| view! { <LookUp looked_up /> });
    if rows.is_empty() && page == 1 {
        return view! {
            {look_up.map(|form| view! { <div class="column wide">{form}</div> })}
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::Receipt />
                <h2>"No one has been erased yet"</h2>
                <p>"An erasure starts in a user’s record."</p>
                <a href="/manage/users" class="button">"Find a user"</a>
            </section>
        }
        .into_any();
    }
    let at = |page: u32| format!("/manage/erasures?page={page}");
    view! {
        <div class="column wide">
            {look_up}
            <section class="box"><EntryTable rows none="Nothing of this user was erased before." /></section>
            {(more || page > 1).then(|| view! {
                <nav class="pager flush" aria-label="Pages" data-testid="pager">
                    {(page > 1).then(|| view! { <a href=at(page - 1) class="button" data-testid="pager-prev">"Previous"</a> })}
                    {more.then(|| view! { <a href=at(page + 1) class="button" data-testid="pager-next">"Next"</a> })}
                </nav>
            })}
        </div>
    }
    .into_any()
}

/// Asks whether a user was erased. Posted, so that the id is in no URL.
#[component]
fn LookUp(#[prop(into)] looked_up: Option<LookedUp>) -> impl IntoView {
    let (user, reason, outcome) = match looked_up {
        Some(LookedUp { user, reason, outcome }) => (user, reason, Some(outcome)),
        None => (String::new(), String::new(), None),
    };
    let (found, problem) = match outcome {
        Some(Ok(found)) => (Some(found), None),
        Some(Err(problem)) => (None, Some(problem)),
        None => (None, None),
    };
    let wrong = Wrong::new(problem.as_ref(), |problem| match problem {
        Problem::Invalid { field: Field::Reason, .. } => "sought-reason",
        _ => "sought-user",
    });
    view! {
        <section class="box" data-testid="look-up">
            <header><h2>"Was a user erased?"</h2></header>
            <div class="box-body">
                {wrong.summary()}
                <form method="post" action="/manage/erasures" novalidate=true>
                    <div class="two-fields">
                        <div class="field">
                            <label for="sought-user">"The whole user id"</label>
                            {wrong.at("sought-user")}
                            <input id="sought-user" name="user" value=user autocomplete="off" autocapitalize="none" spellcheck="false" aria-required="true" aria-invalid=wrong.invalid("sought-user") aria-describedby=wrong.described("sought-user", false) data-testid="sought-user" />
                        </div>
                        <div class="field">
                            <label for="sought-reason">"Reason, for the audit log"</label>
                            {wrong.at("sought-reason")}
                            <input id="sought-reason" name="reason" value=reason autocomplete="off" aria-required="true" aria-invalid=wrong.invalid("sought-reason") aria-describedby=wrong.described("sought-reason", false) data-testid="sought-reason" />
                        </div>
                    </div>
                    <div class="form-actions"><button type="submit" class="button" data-testid="sought-submit">"Look up"</button></div>
                </form>
            </div>
            {found.map(|rows| view! { <EntryTable rows none="No erasure of this user is on record. Ids are compared letter by letter, so check capitals and spaces. Receipts are kept for 3 years. A user who was not erased is found in Users." /> })}
        </section>
    }
}

/// Lines of the ledger.
#[component]
pub fn EntryTable(
    rows: Vec<LedgerEntry>,
    /// Shown if there are none.
    none: &'static str,
) -> impl IntoView {
    if rows.is_empty() {
        return view! { <p class="box-empty" data-testid="empty">{none}</p> }.into_any();
    }
    let rows = rows.into_iter().map(|entry| view! { <EntryRow entry /> }).collect_view();
    ledger(
        "Erasures",
        Some("erasures-table"),
        [
            ("Reference", ""),
            ("User", "spare"),
            ("Mode", "spare"),
            ("Ticket", "spare"),
            ("Asked", "spare"),
            ("Status", ""),
            ("Operator", "spare"),
        ],
        rows,
    )
}

#[component]
fn EntryRow(entry: LedgerEntry) -> impl IntoView {
    let (icon, words, tone) = status_words(entry.status);
    view! {
        <tr data-testid="erasure-row" data-status=entry.status.as_str()>
            <td><a href=receipt_path(&entry.id)><code>{entry.id.clone()}</code></a></td>
            <td class="dim spare"><code>{entry.user}"…"</code></td>
            <td class="spare">{entry.scope.label()}</td>
            <td class="spare said">{entry.ticket}</td>
            <td class="dim spare">{entry.asked}</td>
            <td>
                <span class=format!("status {tone}")><Icon16 icon />{words}</span>
                {entry.replayed.then(|| view! { <span class="dim">" · Replayed after restore"</span> })}
            </td>
            <td class="spare">{entry.by}</td>
        </tr>
    }
}

/// The three steps, in the head of the page.
#[component]
pub fn Steps(
    /// 1 to 3.
    now: usize,
) -> impl IntoView {
    let steps = ["Preview and confirm", "Erase", "Receipt"];
    view! {
        <ol class="steps" aria-label="Steps">
            {steps
                .into_iter()
                .enumerate()
                .map(|(n, words)| {
                    let (state, current) = match (n + 1).cmp(&now) {
                        std::cmp::Ordering::Less => ("done", None),
                        std::cmp::Ordering::Equal => ("now", Some("step")),
                        std::cmp::Ordering::Greater => ("next", None),
                    };
                    view! { <li class=state aria-current=current><span class="step-number">{if state == "done" { view! { <Icon16 icon=Icon::Check /><span class="sr">"Done: "</span> }.into_any() } else { (n + 1).into_any() }}</span>{words}</li> }
                })
                .collect_view()}
        </ol>
    }
}
