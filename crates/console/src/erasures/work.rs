//! Erasures for the console's calls: the preview for one person, its confirmation, and receipts.

use std::cmp::Ordering;

use leptos::prelude::use_context;

use crate::erasures::entries::{called, erasure_entries};
use crate::erasures::ledger_entry::LedgerEntry;
use crate::erasures::shapes::{
    CountedTable, ErasureFactRow, ErasureStep, Headline, Ledger, LookedUp, NotRun, OfUser, OpenedReceipt, Plan, RefusedOrder,
    VerificationCheck, receipt_path,
};
use crate::keys::work::origin;
use crate::notice::{Notice, Refused, grouped};
use crate::server::{PostedForm, SignedIn, dates, outward, say};
use crate::users::work::{known, record, record_head};
use domain::access::rights::Right;
use domain::erasure::people::UserId;
use domain::erasure::receipt::{FIRST_CHECK, ONCE, Receipt, Stayed, why_once};
use domain::erasure::{self, Disposition, ErasureScope, STEPS, Status, goes_with, inventory};
use domain::facts::fact::FactStatus;
use domain::facts::promotion::Voices;
use domain::memory::exchange::messages_words;
use domain::moment::Moment;
use domain::numbers::several;
use domain::problem::{Faults, Field, Problem};
use service::Keepsake;
use service::erasure::erase::ErasureOrder;
use service::erasure::receipts::kept_until;

/// Rows on one page of the ledger.
const PAGE: u32 = 50;

/// Tables that one headline combines, and its label; the most familiar data first.
const HEADLINES: [(&[&str], &str); 6] = [
    (&["memories"], "Personal memories"),
    (&["memory_merges"], "Earlier versions of memories"),
    (&["exchanges"], "Messages"),
    (&["preferences", "notes", "profile_fields", "turns"], "Notes, preferences and chat history"),
    (&["contributions"], "Contributions to team facts"),
    (&["facts"], "Team facts left with no contributor"),
];

/// Outcome of an order: its id in the ledger, or the refusal.
pub(crate) type Ordered = Result<String, RefusedOrder>;

/// Returns the preview of an erasure; an unknown mode means everything. A posted order is processed first; if it is accepted,
/// the response redirects to its receipt.
pub async fn plan_erasure(operator: &SignedIn, user: &str, mode: &str) -> Result<Plan, Refused> {
    let user = known(user)?;
    let refused = match use_context::<PostedForm>() {
        Some(form) => match form.0.ordered.get_or_init(|| order(operator, &user, &form)).await.clone() {
            Ok(id) => {
                leptos_axum::redirect(&receipt_path(&id));
                // The response is a redirect, so this result is never shown.
                return Err(Refused(Problem::not_found("user")));
            }
            Err(refused) => Some(refused),
        },
        None => None,
    };
    let scope = ErasureScope::parse(mode).unwrap_or_default();
    let keepsake = &operator.console.keepsake;
    let (preview, facts) =
        outward(&operator.console, keepsake.erasure.preview_erasure_in_console(&operator.viewer, &user, scope).await)?;
    let record = outward(&operator.console, keepsake.people.record(&operator.viewer, &user).await)?;
    let mut running = outward(&operator.console, keepsake.erasure.erasures_of(&operator.viewer, &user).await)?;
    running.retain(|erasure| erasure.status.fences());
    running.truncate(1);
    let split = FactStatus::ALL
        .iter()
        .map(|status| (facts.iter().filter(|fact| fact.status == *status && goes_with(fact.contributors)).count(), status))
        .filter(|(count, _)| *count > 0)
        .map(|(count, status)| format!("{count} {}", status.as_str()));
    let split = split.collect::<Vec<_>>().join(", ");
    let messages = |rows: u64| messages_words(i64::try_from(rows).unwrap_or(i64::MAX), record.held.queued, record.held.parked);
    let tables = preview.tables.into_iter().map(|table| CountedTable {
        what: inventory::table(&table.name).map_or("", |table| table.what).to_owned(),
        note: match (table.name.as_str(), table.rows) {
            ("facts", 1..) => split.clone(),
            ("exchanges", rows @ 1..) => messages(rows),
            _ => String::new(),
        },
        name: table.name,
        rows: table.rows,
        result: table.result,
    });
    let tables: Vec<CountedTable> = tables.collect();
    let promote_at = keepsake.settings.current().promote_contributors;
    let mut facts: Vec<ErasureFactRow> = facts
        .into_iter()
        .map(|fact| ErasureFactRow {
            goes: goes_with(fact.contributors),
            id: fact.id,
            content: fact.content,
            status: fact.status,
            others: Voices::others(fact.contributors, promote_at),
        })
        .collect();
    facts.sort_by_key(|fact| !fact.goes);
    // Numbers are marked as changed only if that is why the order was refused.
    let changed = refused.as_ref().filter(|refused| matches!(refused.problem, Problem::PreviewChanged { .. }));
    let was = changed.map(|refused| refused.was.clone()).unwrap_or_default();
    let (headlines, others) = lines(&tables, preview.facts.kept, &was);
    if let Some(refused) = &refused {
        say(refused.problem.clone());
    }
    Ok(Plan {
        user: user.as_str().to_owned(),
        scope,
        counted_at: dates::clock(keepsake.clock.now()),
        token: preview.preview,
        headlines,
        others,
        shown: tables.iter().map(|table| format!("{}={}", table.name, table.rows)).collect::<Vec<_>>().join(" "),
        tables,
        counts: preview.facts,
        facts,
        ticket: record.opening.reason.unwrap_or_default(),
        asks_password: operator.asks_password().await?,
        running: erasure_entries(operator, running).await?.pop(),
        refused,
    })
}

/// Processes the posted order. The input is returned in the response alone: a session would keep the user id beyond the
/// erasure.
async fn order(operator: &SignedIn, user: &UserId, form: &PostedForm) -> Ordered {
    let typed = (form.field("mode"), form.field("preview"), form.field("ticket"), form.field("typed_id"));
    let (mode, preview, ticket, typed_id) = typed;
    let confirmed = confirm_erasure(operator, user, &mode, &preview, &ticket, &typed_id, form.field("present")).await;
    confirmed.map_err(|Refused(problem)| RefusedOrder { problem, ticket, typed_id, was: form.field("shown") })
}

async fn confirm_erasure(
    operator: &SignedIn,
    user: &UserId,
    mode: &str,
    preview: &str,
    ticket: &str,
    typed: &str,
    password: String,
) -> Result<String, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let scope = ErasureScope::parse(mode).map_err(say)?;
    let mut faults = Faults::new();
    if ticket.trim().is_empty() {
        faults.add(Problem::invalid(Field::Reason, "is missing: enter the request or ticket reference"));
    }
    if typed.trim() != user.as_str() {
        faults.add(Problem::invalid(Field::UserId, "does not match"));
    }
    operator.judge_password(&mut faults, password).await?;
    faults.settle().map_err(say)?;
    let order = ErasureOrder { user, scope, reason: ticket, preview: Some(preview) };
    outward(&operator.console, operator.console.keepsake.erasure.erase_in_console(&operator.viewer, manager, &order).await)
}

pub async fn open_erasure(operator: &SignedIn, id: &str) -> Result<OpenedReceipt, Refused> {
    let keepsake = &operator.console.keepsake;
    let receipt = outward(&operator.console, keepsake.erasure.receipt_in_console(&operator.viewer, id).await)?;
    let by = called(operator, &receipt.by.kind, &receipt.by.id).await?;
    let server = origin(&operator.console);
    Ok(opened(keepsake, receipt, by, server, operator.viewer.may(Right::Manage)))
}

pub async fn list_erasures(operator: &SignedIn, page: Option<u32>) -> Result<Ledger, Refused> {
    let page = page.unwrap_or(1).max(1);
    let listed = operator.console.keepsake.erasure.erasures(&operator.viewer, (page - 1) * PAGE, PAGE + 1).await;
    let mut erasures = outward(&operator.console, listed)?;
    let more = erasures.len() > PAGE as usize;
    erasures.truncate(PAGE as usize);
    let looked_up = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.looked_up.get_or_init(|| look_up(operator, &form)).await.clone()),
        None => None,
    };
    if let Some(LookedUp { outcome: Err(problem), .. }) = &looked_up {
        say(problem.clone());
    }
    Ok(Ledger {
        may_manage: operator.viewer.may(Right::Manage),
        looked_up,
        rows: erasure_entries(operator, erasures).await?,
        page,
        more,
    })
}

async fn look_up(operator: &SignedIn, form: &PostedForm) -> LookedUp {
    let (user, reason) = (form.field("user").trim().to_owned(), form.field("reason").trim().to_owned());
    let outcome = sought(operator, &user, &reason).await.map_err(|refused| refused.0);
    LookedUp { user, reason, outcome }
}

async fn sought(operator: &SignedIn, user: &str, reason: &str) -> Result<Vec<LedgerEntry>, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let (user, reason) = outward(&operator.console, operator.console.keepsake.reader.asked_about(user, reason).await)?;
    let found = operator.console.keepsake.erasure.erasures_sought(manager, &user, reason.as_str()).await;
    erasure_entries(operator, outward(&operator.console, found)?).await
}

pub async fn erasures_of_user(operator: &SignedIn, user: &str) -> Result<OfUser, Refused> {
    let user = known(user)?;
    let record = record(operator, &user).await?;
    let erasures = outward(&operator.console, operator.console.keepsake.erasure.erasures_of(&operator.viewer, &user).await)?;
    Ok(OfUser { head: record_head(operator, &record), rows: erasure_entries(operator, erasures).await? })
}

pub async fn verify_erasure(operator: &SignedIn, id: &str, user: &str) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let user = Some(user.trim()).filter(|user| !user.is_empty()).map(UserId::new).transpose().map_err(say)?;
    outward(&operator.console, operator.console.keepsake.erasure.verify_erasure(manager, id, user.as_ref()).await)?;
    // Returns to the same place on the page.
    leptos_axum::redirect(&format!("{}#verification", receipt_path(id)));
    Ok(Notice::Done)
}

/// Returns the main lines that have rows; and every other table, those with rows first.
fn lines(tables: &[CountedTable], kept: u64, was: &str) -> (Vec<Headline>, Vec<Headline>) {
    let before = |name: &str| -> Option<u64> {
        was.split(' ').filter_map(|part| part.split_once('=')).find(|(table, _)| *table == name)?.1.parse().ok()
    };
    let line = |what: &str, of: &[&CountedTable]| {
        let rows: u64 = of.iter().map(|table| table.rows).sum();
        let was: u64 = of.iter().map(|table| before(&table.name).unwrap_or(table.rows)).sum();
        let several = of.iter().filter(|table| table.rows > 0 && of.len() > 1);
        let several: Vec<String> = several.map(|table| format!("{}: {}", table.what, grouped(table.rows))).collect();
        let notes = several.into_iter().chain(of.iter().map(|table| table.note.clone()).filter(|note| !note.is_empty()));
        Headline {
            what: what.to_owned(),
            tables: of.iter().map(|table| table.name.clone()).collect(),
            rows,
            was: Some(was).filter(|was| *was != rows),
            result: of.first().map_or(Disposition::Stays, |table| table.result),
            note: notes.collect::<Vec<_>>().join(" · "),
        }
    };
    let all = HEADLINES.map(|(names, what)| {
        let of: Vec<&CountedTable> = tables.iter().filter(|table| names.contains(&table.name.as_str())).collect();
        line(what, &of)
    });
    let (mut first, folded): (Vec<Headline>, Vec<Headline>) =
        all.into_iter().partition(|line| line.rows > 0 || line.was.is_some());
    if kept > 0 {
        first.push(Headline {
            what: "Team facts with other contributors".to_owned(),
            tables: vec!["facts".to_owned()],
            rows: kept,
            was: None,
            result: Disposition::Stays,
            note: "each count goes down by one".to_owned(),
        });
    }
    let told = |name: &str| HEADLINES.iter().any(|(names, _)| names.contains(&name));
    let rest = tables.iter().filter(|table| !told(&table.name)).map(|table| line(&table.what, &[table]));
    let mut others: Vec<Headline> = rest.chain(folded).collect();
    others.sort_by_key(|line| line.rows == 0);
    (first, others)
}

/// `1.9 s`
fn span(from: Moment, to: Moment) -> String {
    match (to.0 - from.0).max(0) / 100 {
        0 => "under 0.1 s".to_owned(),
        tenths => format!("{}.{} s", tenths / 10, tenths % 10),
    }
}

/// Every step with its state and its time. The first four are one transaction, so they have one time.
fn steps(receipt: &Receipt) -> Vec<ErasureStep> {
    let at = |text: &Option<String>| text.as_deref().and_then(Moment::parse);
    let (erased, finished) = (at(&receipt.erased_at), at(&receipt.finished_at));
    let rows = |name: &str| receipt.tables.iter().find(|rows| rows.name == name).map_or(0, |rows| rows.removed);
    let touched = receipt.facts.deleted + receipt.facts.kept;
    let stay = |name: &str| receipt.stayed.iter().find(|table| table.name == name).map_or(0, |table| table.rows);
    let first = match receipt.scope {
        ErasureScope::Everything => {
            [several(rows("exchanges"), "message", "messages"), format!("{0} of {0}", grouped(rows("memories")))]
        }
        ErasureScope::Contributions => {
            [several(rows("arrivals"), "waiting statement", "waiting statements"), format!("{} stay", grouped(stay("memories")))]
        }
    };
    let [messages, memories] = first;
    let counts = [
        Some(messages),
        Some(memories),
        Some(format!("{0} of {0}", grouped(rows("contributions")))),
        Some(format!("{0} of {0}", grouped(touched))),
        None,
    ];
    let done = receipt.status.steps_done();
    let last = STEPS.len() - 1;
    let confirmed = Moment::parse(&receipt.confirmed_at).unwrap_or_default();
    let step = |(n, (words, count)): (usize, (&str, Option<String>))| {
        let ended = if n == last { finished } else { erased }.filter(|_| n < done);
        let began = if n == last { erased } else { Some(confirmed) };
        ErasureStep {
            words: words.to_owned(),
            count: count.filter(|_| n < done),
            state: match n.cmp(&done) {
                Ordering::Less => "done",
                Ordering::Equal => "running",
                Ordering::Greater => "waiting",
            }
            .to_owned(),
            at: ended.map(|at| format!("{} UTC", dates::clock(at))),
            took: began.zip(ended).filter(|_| n + 1 >= last).map(|(began, ended)| span(began, ended)),
        }
    };
    erasure::steps(receipt.scope).into_iter().zip(counts).enumerate().map(step).collect()
}

/// Describes what a scope leaves, as a sentence without a full stop: the most familiar data first, then the number of rows in
/// other tables.
fn stays(scope: ErasureScope, stayed: &[Stayed]) -> Option<String> {
    const NAMED: [(&str, &str, &str); 2] =
        [("memories", "personal memory", "personal memories"), ("exchanges", "message", "messages")];
    if scope == ErasureScope::Everything {
        return None;
    }
    let words = |rows: u64, one: &str, many: &str| (rows > 0).then(|| several(rows, one, many));
    let rows = |name: &str| stayed.iter().filter(|table| table.name == name).map(|table| table.rows).sum::<u64>();
    let all: u64 = stayed.iter().map(|table| table.rows).sum();
    let others = all - NAMED.iter().map(|(name, ..)| rows(name)).sum::<u64>();
    let mut parts: Vec<String> = NAMED.iter().filter_map(|(name, one, many)| words(rows(name), one, many)).collect();
    parts.extend(words(others, "other row", "other rows"));
    Some(match parts.split_last() {
        None => "Everything else that is held about the user stays".to_owned(),
        Some((last, [])) => format!("{last} {}", if all == 1 { "stays" } else { "stay" }),
        Some((last, before)) => format!("{} and {last} stay", before.join(", ")),
    })
}

fn opened(keepsake: &Keepsake, receipt: Receipt, by: String, server: String, may_verify: bool) -> OpenedReceipt {
    let at = |text: &str| Moment::parse(text).unwrap_or_default();
    let (confirmed, finished) = (at(&receipt.confirmed_at), receipt.finished_at.as_deref().map(at));
    let stamp = |at: Moment| format!("{}, {} UTC", dates::date(at), dates::clock(at));
    // Two verifications may have the same second, so runs are told apart by their first check.
    let runs: Vec<usize> = (0..receipt.verification.len()).filter(|n| receipt.verification[*n].check == FIRST_CHECK).collect();
    let (start, earlier) = runs.split_last().map_or((0, &[][..]), |(newest, earlier)| (*newest, earlier));
    let newest = receipt.verification.get(start).map(|line| line.at.clone());
    let checks = receipt.verification[start..].iter().map(|line| VerificationCheck {
        words: keepsake.erasure.check_words(&line.check, receipt.scope),
        result: line.result,
        detail: line.detail.clone(),
    });
    let checks: Vec<VerificationCheck> = checks.collect();
    let ran = |check: &str, since: usize| receipt.verification[since..].iter().any(|line| line.check == check);
    let not_run = |check: &&str| NotRun {
        words: keepsake.erasure.check_words(check, receipt.scope),
        why: why_once(check, receipt.scope).to_owned(),
    };
    let verified = receipt.status == Status::Verified;
    let only_once = ONCE.iter().filter(|check| verified && ran(check, start)).map(not_run).collect();
    let skipped = ONCE.iter().filter(|check| ran(check, 0) && !ran(check, start)).map(not_run).collect();
    let what = |name: &str| inventory::table(name).map_or("", |table| table.what).to_owned();
    OpenedReceipt {
        steps: steps(&receipt),
        stays: stays(receipt.scope, &receipt.stayed),
        stayed: receipt.stayed.iter().map(|table| (what(&table.name), table.name.clone(), grouped(table.rows))).collect(),
        product: format!("Keepsake {}", env!("CARGO_PKG_VERSION")),
        server,
        made: dates::stamp(keepsake.clock.now()),
        by_id: receipt.by.id.clone(),
        previewed: stamp(at(&receipt.previewed_at)),
        erased: receipt.erased_at.as_deref().map(|erased| stamp(at(erased))),
        whats: receipt.tables.iter().map(|rows| what(&rows.name)).collect(),
        by,
        confirmed: stamp(confirmed),
        finished: finished.map(stamp),
        replayed: receipt.replayed_at.as_deref().map(|replayed| stamp(at(replayed))),
        took: finished.map(|finished| span(confirmed, finished)),
        checked_at: newest.as_deref().map(|newest| dates::clock(at(newest))),
        only_once,
        skipped,
        checks,
        earlier: earlier.iter().map(|n| stamp(at(&receipt.verification[*n].at))).collect(),
        kept_until: dates::date(kept_until(finished.unwrap_or(confirmed))),
        may_verify: may_verify && !matches!(receipt.status, Status::Queued | Status::Running),
        receipt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_is_said_for_a_person_by_scope() {
        let stayed = |rows: &[(&str, u64)]| -> Vec<Stayed> {
            rows.iter().map(|(name, rows)| Stayed { name: (*name).to_owned(), rows: *rows }).collect()
        };
        let cases: [(&[(&str, u64)], &str); 5] = [
            (&[("users", 1), ("memories", 2), ("exchanges", 1_203)], "2 personal memories, 1,203 messages and 1 other row stay"),
            (&[("memories", 1), ("exchanges", 1)], "1 personal memory and 1 message stay"),
            (&[("memories", 1)], "1 personal memory stays"),
            (&[("turns", 40), ("notes", 2)], "42 other rows stay"),
            (&[], "Everything else that is held about the user stays"),
        ];
        for (rows, words) in cases {
            assert_eq!(stays(ErasureScope::Contributions, &stayed(rows)).as_deref(), Some(words));
        }
        assert_eq!(stays(ErasureScope::Everything, &[]), None);
    }
}
