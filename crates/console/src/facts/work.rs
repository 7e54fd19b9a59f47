//! The facts for the console's calls: ages, numbers and links in words.

use crate::decide::work::seen;
use crate::facts::shapes::{DuelSides, FactFigures, FactList, FactPage, FactRow, MergedWords, RecallsOn, Side};
use crate::notice::{Notice, Refused};
use crate::review::shapes::Past;
use crate::review::work::opened_fact;
use crate::server::list_query::ListQuery;
use crate::server::{SignedIn, outward, say};
use crate::stats::work::recalls::{by_day, by_surface};
use domain::access::rights::Right;
use domain::facts::confidence::confidence;
use domain::facts::duel::DuelChoice;
use domain::facts::fact::FactStatus;
use domain::facts::promotion::Voices;
use domain::facts::rejection::Reason;
use domain::insight::days::{day_iso, day_words, days_ago, read_day};
use domain::problem::{Field, Problem};
use service::facts::Sitting;
use service::facts::duel::{self, DatedFact};
use service::facts::list::{FactEvent, RECALL_DAYS, RECALLS_TOLD_FROM};
use service::{Fact, FactMerge};

/// Note in a fact's row about the facts that contradict it.
fn contradiction(statuses: &[FactStatus]) -> &'static str {
    if statuses.contains(&FactStatus::Approved) {
        "An approved fact contradicts this"
    } else if statuses.contains(&FactStatus::Pending) {
        "A pending fact contradicts this"
    } else {
        "A rejected fact contradicts this"
    }
}

pub async fn fact_list(operator: &SignedIn, query: &str) -> Result<FactList, Refused> {
    let keepsake = &operator.console.keepsake;
    let asked = ListQuery::read(query);
    let found = keepsake.facts.find(&operator.viewer, &asked.filter(keepsake), asked.skip(), asked.per()).await;
    let found = outward(&operator.console, found)?;
    let counts = outward(&operator.console, keepsake.facts.fact_counts(&operator.viewer).await)?;
    let against = outward(&operator.console, keepsake.facts.against(&operator.viewer, &found.facts).await)?;
    let row = |fact: Fact| {
        let note = against.get(&fact.id).map(|statuses| contradiction(statuses).to_owned());
        row(operator, fact, note)
    };
    let rows: Vec<FactRow> = found.facts.into_iter().map(row).collect();
    Ok(FactList {
        span: asked.span(rows.len() as u64, found.total),
        people: found.total == 0 && asked.names_a_person(),
        total: found.total,
        token: found.token,
        approved: counts.approved,
        rejected: counts.rejected,
        all: counts.approved + counts.rejected + counts.pending,
        filters: asked.shown(),
        may_review: operator.viewer.may(Right::Review),
        rows,
    })
}

fn row(operator: &SignedIn, fact: Fact, note: Option<String>) -> FactRow {
    let now = operator.console.keepsake.clock.now();
    let confidence = confidence(&fact.evidence(), now);
    FactRow {
        confirmed: days_ago(now, fact.confirmed_at),
        confirmed_on: day_iso(fact.confirmed_at),
        fact: measured(operator, fact, confidence),
        note,
    }
}

fn measured(operator: &SignedIn, fact: Fact, confidence: f64) -> FactFigures {
    FactFigures {
        low: confidence < operator.console.keepsake.settings.current().recall_min_confidence,
        confidence: format!("{confidence:.2}"),
        id: fact.id,
        version: fact.version,
        content: fact.content,
        status: fact.status,
        kind: fact.kind,
        origin: fact.origin,
        importance: fact.importance.get(),
        contributors: Voices::told(fact.contributors, operator.console.keepsake.settings.current().promote_contributors),
        recalls: fact.recall_count,
    }
}

pub async fn fact_page(operator: &SignedIn, id: &str) -> Result<FactPage, Refused> {
    let keepsake = &operator.console.keepsake;
    let fact = outward(&operator.console, keepsake.facts.fact(&operator.viewer, id).await.map_err(no_page))?;
    let mut opened = opened_fact(operator, id).await?;
    let recalls = outward(&operator.console, keepsake.facts.recalls(&operator.viewer, id).await)?;
    let recall_days = outward(&operator.console, keepsake.facts.recall_days(&operator.viewer, id).await)?;
    let events = outward(&operator.console, keepsake.facts.fact_history(&operator.viewer, id).await)?;
    let proposed = Past { what: format!("Proposed · {}", fact.origin.label()), when: day_words(fact.created_at) };
    // The words of a reason are stored only with the fact; they are added to the newest event about its rejection.
    let told = |event: &FactEvent| ["fact.rejected", "fact.reason_given"].contains(&event.action.as_str());
    let newest = events.iter().position(told).filter(|_| fact.rejection.is_some());
    let mut history: Vec<Past> = events.into_iter().map(past).collect();
    if let (Some(line), Some(note)) =
        (newest.and_then(|at| history.get_mut(at)), fact.rejection.as_ref().and_then(|why| why.note.clone()))
    {
        line.what = format!("{}: “{note}”", line.what);
    }
    opened.history = history.into_iter().chain([proposed]).collect();
    let merged = match operator.viewer.reviewer() {
        Ok(reviewer) => outward(&operator.console, keepsake.facts.merged_words(reviewer, id).await)?,
        Err(_) => Vec::new(),
    };
    let said =
        |merge: FactMerge| MergedWords { id: merge.id, content: merge.content, similarity: format!("{:.2}", merge.similarity) };
    Ok(FactPage {
        merged: merged.into_iter().map(said).collect(),
        opened,
        recall_days: by_day(&recall_days),
        recall_surfaces: by_surface(&recalls),
        recalls: recalls.into_iter().map(|on| RecallsOn { surface: on.surface, times: on.times }).collect(),
        days: RECALL_DAYS,
        recalls_told_from: RECALLS_TOLD_FROM,
        created: day_words(fact.created_at),
        confirmed: day_words(fact.confirmed_at),
    })
}

pub async fn split(operator: &SignedIn, fact: &str, merge: &str) -> Result<Notice, Refused> {
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let from = seen(fact).map_err(say)?;
    let new = outward(&operator.console, operator.console.keepsake.facts.split(reviewer, &from, merge).await)?;
    Ok(Notice::Split { into: new.id })
}

pub async fn duel(operator: &SignedIn, a: &str, b: &str) -> Result<DuelSides, Refused> {
    let duel = operator.console.keepsake.facts.duel(&operator.viewer, a, b).await.map_err(no_page);
    let duel = outward(&operator.console, duel)?;
    Ok(DuelSides {
        similarity: duel.open.map(|(similarity, _)| format!("{similarity:.2}")),
        flagged: duel.open.map(|(_, at)| day_words(at)),
        halved: (duel.b.fact.disputes(), duel.a.fact.disputes()),
        a: side(operator, duel.a),
        b: side(operator, duel.b),
    })
}

fn side(operator: &SignedIn, side: duel::Side) -> Side {
    let duel::Side { fact, confidence, decided_by } = side;
    Side {
        created: day_words(fact.created_at),
        confirmed: day_words(fact.confirmed_at),
        day: day_iso(fact.confirmed_at),
        fact: measured(operator, fact, confidence),
        decided_by,
    }
}

pub async fn settle(operator: &SignedIn, a: (&str, &str), b: (&str, &str), outcome: &str) -> Result<Notice, Refused> {
    let reviewer = operator.viewer.reviewer().map_err(say)?;
    let wrong = || Problem::invalid(Field::Value, "must be keep_a, keep_b, both_dated or neither");
    let outcome = DuelChoice::parse(outcome).ok_or_else(wrong).map_err(say)?;
    let read = |(fact, day): (&str, &str)| -> Result<DatedFact, Problem> {
        let day = if outcome == DuelChoice::BothDated { read_day(day) } else { Some(operator.console.keepsake.clock.today()) };
        let day = day.ok_or_else(|| Problem::invalid(Field::At, "must be a day, as in 2026-11-12"))?;
        Ok(DatedFact { seen: seen(fact)?, day })
    };
    let (a, b) = (read(a).map_err(say)?, read(b).map_err(say)?);
    let session = operator.session_digest();
    let by = Sitting { reviewer, session: &session };
    outward(&operator.console, operator.console.keepsake.facts.settle(by, &a, &b, outcome).await)?;
    Ok(Notice::Settled { outcome })
}

/// A missing fact becomes a missing page.
fn no_page(error: service::Error) -> service::Error {
    match error {
        service::Error::Refused(Problem::NotFound { .. }) => Problem::not_found("page").into(),
        other => other,
    }
}

/// An event in words: what happened, by which operator, and on which day.
fn past(event: FactEvent) -> Past {
    let FactEvent { action, at, by, detail } = event;
    let duel = detail.as_deref().is_some_and(|detail| detail.starts_with("duel="));
    let reason = detail.as_deref().and_then(|detail| detail.strip_prefix("reason=")).and_then(Reason::known);
    let what = match action.as_str() {
        "fact.approved" => "Approved".to_owned(),
        "fact.rejected" => reason.map_or_else(|| "Rejected".to_owned(), |reason| format!("Rejected · {}", reason.label())),
        "fact.reason_given" => {
            reason.map_or_else(|| "Reason given".to_owned(), |reason| format!("Reason given · {}", reason.label()))
        }
        "fact.reopened" => "Re-opened".to_owned(),
        "fact.edited" => "Edited".to_owned(),
        "fact.undone" => "Undone".to_owned(),
        "fact.promoted" => "Promoted automatically".to_owned(),
        "fact.kept" => "Kept".to_owned(),
        "fact.took_in" => "Another fact was merged in".to_owned(),
        "fact.importance_set" => detail.clone().map_or("Importance set".to_owned(), |change| format!("Importance {change}")),
        other => other.trim_start_matches("fact.").replace('_', " "),
    };
    let what = if duel { format!("{what} against another fact") } else { what };
    Past { what, when: by.map_or_else(|| day_words(at), |by| format!("{} · {by}", day_words(at))) }
}
