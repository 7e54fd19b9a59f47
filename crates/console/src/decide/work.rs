//! Decisions, edits and undo, for the console's calls.

use std::cmp::Reverse;

use crate::decide::shapes::{DecisionForm, DraftVerdict, FACT_LIST, Thing, Undoable, WordingForm};
use crate::notice::{Acted, FactOutcome, Notice, Refused, Unrecalled};
use crate::review::queue_query::queue_filter;
use crate::server::list_query::ListQuery;
use crate::server::{SignedIn, outward, say};
use domain::facts::decision::{BULK_UNASKED, Verb};
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::rejection::Rejection;
use domain::memory::{Content, Importance};
use domain::problem::{Field, Problem};
use service::facts::decide::FactEdit;
use service::facts::review;
use service::facts::{Seen, Sitting};

/// Maximum number of facts of a bulk action that are reported one by one.
const TOLD_MAX: usize = 50;

pub async fn act(operator: &SignedIn, order: DecisionForm) -> Result<Notice, Refused> {
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let verb = Verb::parse(&order.action, order.importance)
        .ok_or_else(|| say(Problem::invalid(Field::Value, "must be approve, reject, reopen, delete or importance")))?;
    let on = chosen(operator, &order).await?;
    if on.is_empty() {
        return Err(say(Problem::invalid(Field::Id, "must name at least one fact")));
    }
    let bulk = order.bulk || order.all.is_some() || on.len() > 1;
    let why = Rejection::new(&order.reason, &order.note).map_err(say)?;
    if on.len() > BULK_UNASKED && !order.confirmed {
        let flagged = if verb == Verb::Approve { flagged(operator, &on).await? } else { 0 };
        return Err(say(Problem::ConfirmBulk { verb: verb.as_str().to_owned(), count: on.len() as u64, flagged }));
    }
    let session = operator.session_digest();
    let by = Sitting { reviewer, session: &session };
    let mut acted =
        outward(&operator.console, operator.console.keepsake.facts.act_because(by, verb, &on, bulk, why.as_ref()).await)?;
    let one = (on.len() == 1).then(|| on[0].id.clone());
    if one.is_some()
        && let Some((_, problem)) = acted.lost.pop()
    {
        return Err(say(problem));
    }
    let approved: Vec<String> = acted.done.iter().filter(|_| verb == Verb::Approve).map(|seen| seen.id.clone()).collect();
    let unrecalled = unrecalled(operator, &approved).await?;
    let mut notice = Notice::Acted(Acted {
        verb,
        text: None,
        told: if one.is_none() { told(verb, &acted, &unrecalled) } else { Vec::new() },
        one,
        done: acted.done.into_iter().map(|seen| (seen.id, seen.version)).collect(),
        already: acted.already,
        lost: acted.lost,
        left: acted.left,
        unrecalled,
        undoable: undoable(operator).await?,
    });
    fill_in_texts(operator, &mut notice).await?;
    Ok(notice)
}

/// Fills in the texts of the facts that a notice names.
pub(crate) async fn fill_in_texts(operator: &SignedIn, notice: &mut Notice) -> Result<(), Refused> {
    let texts = notice.texts();
    let ids: Vec<String> = texts.iter().map(|(id, _)| id.clone()).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let facts = outward(&operator.console, operator.console.keepsake.facts.facts_in_order(&operator.viewer, &ids).await)?;
    for (id, text) in texts {
        *text = facts.iter().find(|fact| fact.id == id).map(|fact| fact.content.clone());
    }
    Ok(())
}

/// Counts the facts among these that contradict another fact.
async fn flagged(operator: &SignedIn, on: &[Seen]) -> Result<u64, Refused> {
    let ids: Vec<String> = on.iter().map(|seen| seen.id.clone()).collect();
    let facts = outward(&operator.console, operator.console.keepsake.facts.facts_in_order(&operator.viewer, &ids).await)?;
    Ok(facts.iter().filter(|fact| fact.contradicted && fact.status != FactStatus::Approved).count() as u64)
}

pub async fn give_reason(operator: &SignedIn, seq: i64, reason: &str, note: &str) -> Result<Notice, Refused> {
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let nothing = || Problem::invalid(Field::Reason, "must be chosen or typed");
    let why = Rejection::new(reason, note).map_err(say)?.ok_or_else(nothing).map_err(say)?;
    let session = operator.session_digest();
    let given = operator.console.keepsake.facts.give_reason(Sitting { reviewer, session: &session }, seq, &why).await;
    let given = outward(&operator.console, given)?;
    let one = given.first().filter(|_| given.len() == 1).cloned();
    let count = u32::try_from(given.len()).unwrap_or(u32::MAX);
    let mut notice = Notice::Reasoned { reason: why.reason, count, one, text: None };
    fill_in_texts(operator, &mut notice).await?;
    Ok(notice)
}

/// Returns the facts that an order names, or everything that its query matches; refuses if the matches are not those that
/// were chosen.
async fn chosen(operator: &SignedIn, order: &DecisionForm) -> Result<Vec<Seen>, Refused> {
    let Some(query) = &order.all else {
        return order.ids.iter().map(|id| seen(id).map_err(say)).collect();
    };
    let keepsake = &operator.console.keepsake;
    let chosen = match query.strip_prefix(FACT_LIST) {
        Some(query) => keepsake.facts.found_versions(&operator.viewer, &ListQuery::read(query).filter(keepsake)).await,
        None => {
            keepsake
                .facts
                .chosen(&operator.viewer, &queue_filter(operator, &crate::review::queue_query::QueueQuery::read(query)))
                .await
        }
    };
    let (on, token) = outward(&operator.console, chosen)?;
    if order.token.as_ref() != Some(&token) {
        return Err(say(Problem::CountDiffers { now: on.len() as u64, chosen: order.count.unwrap_or_default() }));
    }
    Ok(on)
}

pub async fn edit(operator: &SignedIn, wording: WordingForm) -> Result<Notice, Refused> {
    let WordingForm { id, version, content, kind, importance, approve, beside } = wording;
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let edit = FactEdit {
        content: Content::new(&content).map_err(say)?,
        kind: FactKind::parse(&kind).map_err(say)?,
        importance: Importance::new(importance.into()).map_err(say)?,
        beside,
    };
    let session = operator.session_digest();
    let by = Sitting { reviewer, session: &session };
    let seen = Seen { id, version };
    let fact = outward(&operator.console, operator.console.keepsake.facts.edit(by, &seen, &edit, approve).await)?;
    let unrecalled = unrecalled(operator, std::slice::from_ref(&fact.id)).await?.pop();
    let undoable = undoable(operator).await?;
    let mut notice = Notice::Edited { id: fact.id, approved: approve, text: None, unrecalled, undoable };
    fill_in_texts(operator, &mut notice).await?;
    Ok(notice)
}

/// Returns those of these facts that are approved but not recalled.
async fn unrecalled(operator: &SignedIn, ids: &[String]) -> Result<Vec<Unrecalled>, Refused> {
    let found = outward(&operator.console, operator.console.keepsake.facts.unrecalled(&operator.viewer, ids).await)?;
    let floor = format!("{:.2}", operator.console.keepsake.settings.current().recall_min_confidence);
    let told = |one: service::facts::review::Unrecalled| Unrecalled {
        id: one.id,
        confidence: format!("{:.2}", one.confidence),
        floor: floor.clone(),
        disputed_by: one.disputed_by,
        text: None,
    };
    Ok(found.into_iter().map(told).collect())
}

pub async fn merge(operator: &SignedIn, from: &str, into: &str) -> Result<Notice, Refused> {
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let (from, into) = (seen(from).map_err(say)?, seen(into).map_err(say)?);
    let session = operator.session_digest();
    let by = Sitting { reviewer, session: &session };
    let fact = outward(&operator.console, operator.console.keepsake.facts.merge(by, &from, &into).await)?;
    Ok(Notice::Merged { into: fact.id, undoable: undoable(operator).await? })
}

pub async fn check(operator: &SignedIn, text: &str) -> Result<DraftVerdict, Refused> {
    verdict(operator, text).await
}

pub(crate) async fn verdict(operator: &SignedIn, text: &str) -> Result<DraftVerdict, Refused> {
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let found = outward(&operator.console, operator.console.keepsake.facts.gate_findings(reviewer, text).await)?;
    let parts = marked(text, found.iter().map(|(_, words)| words.as_str()));
    // Words within a longer match of the same rule are not listed separately.
    let whole = |rule: &str, words: &str| {
        !found.iter().any(|(other, more)| other == rule && more.len() > words.len() && more.contains(words))
    };
    let things = found.iter().filter(|(rule, words)| whole(rule, words));
    let things = things.map(|(rule, words)| Thing { rule: rule.clone(), words: words.clone() }).collect();
    Ok(DraftVerdict { things, parts })
}

/// Returns the decision that undo would reverse.
pub(crate) async fn undoable(operator: &SignedIn) -> Result<Option<Undoable>, Refused> {
    let undoable = operator.console.keepsake.facts.undoable(&operator.viewer, &operator.session_digest()).await;
    let told = |decision: review::Undoable| Undoable {
        seq: decision.seq,
        verb: decision.verb,
        count: decision.count,
        text: decision.text,
    };
    Ok(outward(&operator.console, undoable)?.map(told))
}

pub async fn undo(operator: &SignedIn, seq: i64) -> Result<Notice, Refused> {
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let session = operator.session_digest();
    let undone =
        outward(&operator.console, operator.console.keepsake.facts.undo(Sitting { reviewer, session: &session }, seq).await)?;
    let one = undone.restored.first().filter(|_| undone.restored.len() == 1).map(|seen| seen.id.clone());
    // The undo has succeeded, even if the fact no longer exists.
    let fact = match &one {
        Some(id) => operator.console.keepsake.facts.fact(&operator.viewer, id).await.ok(),
        None => None,
    };
    let restored = u32::try_from(undone.restored.len()).unwrap_or(u32::MAX);
    Ok(Notice::Undone {
        verb: undone.verb,
        ids: undone.restored.into_iter().map(|seen| seen.id).collect(),
        status: fact.as_ref().map(|fact| fact.status),
        text: fact.map(|fact| fact.content),
        undoable: undoable(operator).await?,
        restored,
        changed_since: u32::try_from(undone.changed_since.len()).unwrap_or(u32::MAX),
    })
}

/// Facts of a bulk action whose outcome differed.
fn told(verb: Verb, acted: &service::facts::decide::Acted, unrecalled: &[Unrecalled]) -> Vec<FactOutcome> {
    let did = match verb {
        Verb::Approve => "approved",
        Verb::Reject => "rejected",
        Verb::Reopen => "re-opened",
        Verb::Importance(_) => "set",
        Verb::Delete => "deleted",
    };
    let row = |id: &String, words: String| {
        let way = format!("/manage/facts/{id}");
        FactOutcome { id: id.clone(), text: None, words, way }
    };
    let left = acted.left.iter().map(|id| row(id, "Left for you: it contradicts another fact.".to_owned()));
    let lost = acted.lost.iter().map(|(id, problem)| row(id, problem.to_string()));
    let already = acted.already.iter().map(|(id, by)| row(id, format!("Already {did} by {by}.")));
    let unrecalled = unrecalled.iter().map(|one| {
        let Unrecalled { id, confidence, floor, disputed_by, .. } = one;
        let why = if disputed_by.is_some() { ": it conflicts with another fact" } else { "" };
        let told = row(id, format!("Approved, not recalled{why}. Its confidence is {confidence}, the floor {floor}."));
        let way = disputed_by.as_ref().map(|other| format!("/manage/facts/{id}/duel/{other}"));
        FactOutcome { way: way.unwrap_or(told.way), ..told }
    });
    left.chain(lost).chain(unrecalled).chain(already).take(TOLD_MAX).collect()
}

/// Splits a text into parts and marks those that are among these words.
fn marked<'a>(text: &str, words: impl Iterator<Item = &'a str>) -> Vec<(String, bool)> {
    let mut spans: Vec<(usize, usize)> = words
        .filter(|words| !words.is_empty())
        .flat_map(|words| text.match_indices(words).map(|(at, found)| (at, at + found.len())))
        .collect();
    // Of several matches at one place, the longest counts.
    spans.sort_unstable_by_key(|(from, to)| (*from, Reverse(*to)));
    let (mut parts, mut done) = (Vec::new(), 0);
    for (from, to) in spans {
        if from < done {
            continue;
        }
        parts.extend((from > done).then(|| (text[done..from].to_owned(), false)));
        parts.push((text[from..to].to_owned(), true));
        done = to;
    }
    if !parts.is_empty() && done < text.len() {
        parts.push((text[done..].to_owned(), false));
    }
    parts
}

/// Parses `id:version`.
pub(crate) fn seen(text: &str) -> Result<Seen, Problem> {
    let read = text.rsplit_once(':').and_then(|(id, version)| Some(Seen { id: id.to_owned(), version: version.parse().ok()? }));
    read.ok_or_else(|| Problem::invalid(Field::Id, "must be an id and a version, as in gf_1:2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_must_go_are_marked_in_the_text() {
        let parts = |text: &str, words: &[&str]| {
            let parts = marked(text, words.iter().copied());
            parts.into_iter().map(|(part, on)| if on { format!("[{part}]") } else { part }).collect::<String>()
        };
        assert_eq!(parts("Ask Dana, then Dana again.", &["Dana"]), "Ask [Dana], then [Dana] again.");
        assert_eq!(parts("Mail dana@example.org", &["dana@example.org", "dana"]), "Mail [dana@example.org]");
        assert_eq!(parts("Größe: Dana", &["Dana", ""]), "Größe: [Dana]");
        assert!(marked("Nothing here.", ["gone"].into_iter()).is_empty());
    }
}
