//! Decisions of operators on facts: one verb on one or more facts, an edit, and undo.
//!
//! Every decision compares the version that the operator saw. Of several made at the same time, one succeeds; the others learn
//! which. A bulk decision counts as one, so one undo reverts it.

use std::collections::HashMap;

use super::propose::{neighbours, promote_if_due};
use super::{Seen, Sitting, known, record};
use crate::audit::{self, Actor, Entry};
use crate::facts::Facts;
use crate::notify::webhooks;
use crate::reading::Budget;
use crate::transactions::atomically;
use crate::{Error, Result};
use access::operators::Reviewer;
use domain::facts::decision::{MERGE, UNDO_DEPTH, Verb, Verdict, judge};
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::rejection::Rejection;
use domain::memory::{Content, Importance};
use domain::merging::similarity::cosine;
use domain::moment::Moment;
use domain::problem::Problem;
use domain::settings::Settings;
use domain::webhook::Event;
use ports::embedder::Vector;
use ports::store::facts::decisions::{DecidedFact, DecisionRecord, FactRewording, FactState};
use ports::store::facts::{Fact, FactSearch, StatusChange};
use ports::store::{Store, WriteTx};

/// How long decisions are kept for undo.
const DECISIONS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// The audit log's action for a merge, and the prefix of the other fact's id in its detail.
const MERGED: &str = "fact.merged";
const INTO: &str = "into=";
/// The audit log's action for a reason that was given after the rejection.
const REASONED: &str = "fact.reason_given";
/// The audit log's action for the fact that another one was merged into.
const TOOK_IN: &str = "fact.took_in";
const FROM: &str = "from=";

/// The result of a decision, fact by fact.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Acted {
    /// The facts it was applied to, with their new versions.
    pub done: Vec<Seen>,
    /// Facts that already had the same decision, and the operator who made it.
    pub already: Vec<(String, String)>,
    /// Facts it was not applied to, and why.
    pub lost: Vec<(String, Problem)>,
    /// Contradicted facts, which were skipped because they need a separate decision.
    pub left: Vec<String>,
}

/// New text, kind and importance of a fact.
#[derive(Debug, Clone)]
pub struct FactEdit {
    pub content: Content,
    pub kind: FactKind,
    pub importance: Importance,
    /// An approved fact close to the new text, which the operator has seen and wants to keep beside it.
    pub beside: Option<String>,
}

/// The result of an undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The verb that was undone.
    pub verb: String,
    pub restored: Vec<Seen>,
    /// Facts that have changed since and were left as they are.
    pub changed_since: Vec<String>,
}

/// The result for one fact of a decision, inside the transaction.
enum DecisionStep {
    Done(DecidedFact),
    Gone(Seen),
    Already(Option<String>),
    Lost(Problem),
    Left,
}

/// One verb on one fact.
#[derive(Clone, Copy)]
struct FactDecision<'a> {
    verb: Verb,
    seen: &'a Seen,
    leave_contradicted: bool,
    judged: &'a GateFindings,
    /// The reason for a rejection.
    why: Option<&'a Rejection>,
}

/// The gate's verdicts on texts of facts, by fact id. The gate runs before a transaction, never within one.
#[derive(Default)]
pub(crate) struct GateFindings(HashMap<String, (String, Vec<String>)>);

impl GateFindings {
    /// Refuses a text that the gate refuses, and one that it did not read because the fact has changed since.
    pub fn passes(&self, fact: &Fact, text: &str) -> std::result::Result<(), Problem> {
        match self.0.get(&fact.id).filter(|(judged, _)| judged == text) {
            Some((_, rules)) if rules.is_empty() => Ok(()),
            Some((_, rules)) => Err(Problem::refused(rules.clone())),
            None => Err(Problem::Stale { version: fact.version }),
        }
    }
}

impl Facts {
    /// Applies one verb to these facts. With `leave_contradicted`, approving skips facts that contradict another.
    pub async fn act(&self, by: Sitting<'_>, verb: Verb, on: &[Seen], leave_contradicted: bool) -> Result<Acted> {
        self.act_because(by, verb, on, leave_contradicted, None).await
    }

    /// Like [`Self::act`], with the reason for a rejection. Its note goes through the gate, as any text does.
    pub async fn act_because(
        &self,
        by: Sitting<'_>,
        verb: Verb,
        on: &[Seen],
        leave_contradicted: bool,
        why: Option<&Rejection>,
    ) -> Result<Acted> {
        let now = self.clock.now();
        let why = why.filter(|_| verb == Verb::Reject);
        if let Some(why) = why {
            self.check_reason(why).await?;
        }
        let judged = if matches!(verb, Verb::Approve | Verb::Reopen) {
            self.judged_facts(on.iter().map(|seen| &seen.id)).await?
        } else {
            GateFindings::default()
        };
        let steps = atomically!(self.store.as_ref(), [judged], |tx| {
            let mut steps = Vec::with_capacity(on.len());
            for seen in on {
                steps.push(self.step(tx, by, FactDecision { verb, seen, leave_contradicted, judged, why }, now).await?);
            }
            let touched =
                steps.iter().filter_map(|step| if let DecisionStep::Done(touched) = step { Some(touched.clone()) } else { None });
            self.keep_decision(tx, by, verb.as_str(), touched.collect(), now).await?;
            Ok(steps)
        })
        .await?;
        let mut acted = Acted::default();
        for (seen, step) in on.iter().zip(steps) {
            match step {
                DecisionStep::Done(DecidedFact { fact_id, version_after, .. }) => {
                    acted.done.push(Seen { id: fact_id, version: version_after });
                }
                DecisionStep::Gone(seen) => acted.done.push(seen),
                DecisionStep::Already(by) => {
                    acted.already.push((seen.id.clone(), decider(self.store.as_ref(), by.as_deref()).await?));
                }
                DecisionStep::Lost(problem) => acted.lost.push((seen.id.clone(), self.named(problem).await?)),
                DecisionStep::Left => acted.left.push(seen.id.clone()),
            }
        }
        Ok(acted)
    }

    async fn step(
        &self,
        tx: &mut dyn WriteTx,
        by: Sitting<'_>,
        FactDecision { verb, seen, leave_contradicted, judged, why }: FactDecision<'_>,
        now: Moment,
    ) -> Result<DecisionStep> {
        let Some(fact) = tx.known_fact(&seen.id).await? else { return Ok(DecisionStep::Lost(Problem::not_found("fact"))) };
        match judge(verb, seen.version, fact.status, fact.version) {
            Verdict::Apply => {}
            Verdict::Already => return Ok(DecisionStep::Already(fact.decided_by)),
            Verdict::Conflict => return Ok(DecisionStep::Lost(conflict(&fact, now))),
            Verdict::Stale => return Ok(DecisionStep::Lost(Problem::Stale { version: fact.version })),
        }
        if verb == Verb::Approve && leave_contradicted && fact.contradicted {
            return Ok(DecisionStep::Left);
        }
        if matches!(verb, Verb::Approve | Verb::Reopen)
            && let Err(problem) = judged.passes(&fact, &fact.content)
        {
            return Ok(DecisionStep::Lost(problem));
        }
        let stands = match verb {
            Verb::Reject => reject(tx, by.reviewer, &fact, why, now).await?,
            Verb::Approve | Verb::Reopen => change_status(tx, by.reviewer, &fact, verb, now).await?,
            Verb::Importance(importance) => tx.set_fact_importance(&fact.id, fact.version, importance, now).await?,
            Verb::Delete => tx.delete_fact(&fact.id, fact.version).await?,
        };
        if !stands {
            return Ok(DecisionStep::Lost(Problem::Stale { version: fact.version }));
        }
        let detail = match verb {
            Verb::Importance(importance) => Some(format!("{} → {}", fact.importance.get(), importance.get())),
            Verb::Delete => Some(format!("text={}", self.digester.body(fact.content.as_bytes()))),
            Verb::Reject => why.map(reason_detail),
            Verb::Approve | Verb::Reopen => None,
        };
        if let Some(why) = why {
            tx.count(now.day(), why.reason.counter(), 1).await?;
        }
        record(tx, by.reviewer, verb.action(), &fact.id, detail, now).await?;
        if verb == Verb::Delete {
            return Ok(DecisionStep::Gone(seen.clone()));
        }
        Ok(DecisionStep::Done(DecidedFact {
            fact_id: fact.id.clone(),
            version_before: fact.version,
            version_after: fact.version + 1,
            before: state_of(&fact, None),
        }))
    }

    /// Changes the text, kind or importance of a fact, through the gate, and approves it if requested.
    pub async fn edit(&self, by: Sitting<'_>, seen: &Seen, edit: &FactEdit, approve: bool) -> Result<Fact> {
        let vector = self.embedder.embed_one(edit.content.as_str()).await?;
        let (text, own) = (edit.content.as_str().to_owned(), vector.clone());
        let rules = self.reader.read(Budget::Requests, move |reader| reader.refusals(&text, &own)).await?;
        if !rules.is_empty() {
            return Err(Problem::refused(rules).into());
        }
        let (now, settings) = (self.clock.now(), self.settings.get());
        let outcome = atomically!(self.store.as_ref(), [vector, settings], |tx| {
            let fact = tx.known_fact(&seen.id).await?.ok_or_else(|| Problem::not_found("fact"))?;
            if fact.version != seen.version {
                return Err(Problem::Stale { version: fact.version }.into());
            }
            let touched = reword(tx, settings, &fact, edit, vector, now).await?;
            record(tx, by.reviewer, "fact.edited", &fact.id, None, now).await?;
            let mut after = known(tx, &fact.id).await?;
            if approve && after.status != FactStatus::Approved {
                change_status(tx, by.reviewer, &after, Verb::Approve, now).await?;
                record(tx, by.reviewer, Verb::Approve.action(), &fact.id, None, now).await?;
                after = known(tx, &fact.id).await?;
            }
            let touched = DecidedFact { version_after: after.version, ..touched };
            self.keep_decision(tx, by, if approve { "edit_approve" } else { "edit" }, vec![touched], now).await?;
            Ok(after)
        })
        .await;
        match outcome {
            Err(Error::Refused(problem)) => Err(self.named(problem).await?.into()),
            outcome => outcome,
        }
    }

    /// Merges a candidate into the fact that says the same. That fact gets the candidate's contributors; the candidate's state is
    /// kept for undo.
    pub async fn merge(&self, by: Sitting<'_>, from: &Seen, into: &Seen) -> Result<Fact> {
        let (now, settings) = (self.clock.now(), self.settings.get());
        let outcome = atomically!(self.store.as_ref(), [settings], |tx| {
            let (candidate, fact) = (known(tx, &from.id).await?, known(tx, &into.id).await?);
            if candidate.status != FactStatus::Pending {
                return Err(conflict(&candidate, now).into());
            }
            if fact.status == FactStatus::Rejected {
                return Err(conflict(&fact, now).into());
            }
            let touched = DecidedFact {
                fact_id: into.id.clone(),
                version_before: into.version,
                version_after: into.version + 1,
                before: state_of(&fact, None),
            };
            let decision = self.keep_decision(tx, by, MERGE, vec![touched], now).await?;
            if !tx.merge_fact((&from.id, from.version), (&into.id, into.version), now, decision).await? {
                return Err(Problem::Stale { version: candidate.version }.into());
            }
            record(tx, by.reviewer, MERGED, &from.id, Some(format!("{INTO}{}", into.id)), now).await?;
            let (target, detail) = (Some(into.id.clone()), Some(format!("{FROM}{}", from.id)));
            let entry = Entry { actor: by.reviewer.into(), action: TOOK_IN, target, user_digest: None, detail };
            audit::append(tx, now, entry).await?;
            promote_if_due(tx, settings, &into.id, &Actor::System, now).await?;
            let merged = known(tx, &into.id).await?;
            if merged.version != into.version + 1 {
                tx.carry_decisions(&into.id, into.version + 1, merged.version).await?;
            }
            Ok(merged)
        })
        .await;
        match outcome {
            Err(Error::Refused(problem)) => Err(self.named(problem).await?.into()),
            outcome => outcome,
        }
    }

    /// Adds a reason to the newest decision of the session, which must be this one and a rejection. Facts that have changed since
    /// are left as they are. Returns the facts that now carry the reason.
    pub async fn give_reason(&self, by: Sitting<'_>, seq: i64, why: &Rejection) -> Result<Vec<String>> {
        self.check_reason(why).await?;
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            let decision = tx.last_decision(by.reviewer.id(), by.session, UNDO_DEPTH).await?;
            let decision = decision.ok_or_else(|| Problem::not_found("decision"))?;
            if decision.seq != seq || decision.verb != Verb::Reject.as_str() {
                return Err(Problem::Stale { version: decision.seq }.into());
            }
            let mut given = Vec::new();
            for DecidedFact { fact_id, version_after, .. } in &decision.facts {
                let before = tx.known_fact(fact_id).await?.and_then(|fact| fact.rejection);
                if before.as_ref() == Some(why) || !tx.set_rejection(fact_id, *version_after, why).await? {
                    continue;
                }
                record(tx, by.reviewer, REASONED, fact_id, Some(reason_detail(why)), now).await?;
                if before.as_ref().map(|before| before.reason) != Some(why.reason) {
                    tx.count(now.day(), why.reason.counter(), 1).await?;
                    if let Some(before) = before {
                        tx.count(now.day(), before.reason.counter(), -1).await?;
                    }
                    if let Some(code) = why.reason.told() {
                        webhooks::tell(tx, Event::FactRejected, fact_id, Some(code), now).await?;
                    }
                }
                given.push(fact_id.clone());
            }
            Ok(given)
        })
        .await
    }

    /// Refuses a reason whose note the gate refuses.
    async fn check_reason(&self, why: &Rejection) -> Result<()> {
        let Some(note) = why.note.clone() else { return Ok(()) };
        let vector = self.embedder.embed_one(&note).await?;
        let rules = self.reader.read(Budget::Requests, move |reader| reader.refusals(&note, &vector)).await?;
        if rules.is_empty() { Ok(()) } else { Err(Problem::refused(rules).into()) }
    }

    /// Undoes this decision, which must be the newest of the session, except on facts that have changed since.
    pub async fn undo(&self, by: Sitting<'_>, seq: i64) -> Result<Undone> {
        let now = self.clock.now();
        let (judged, apart) = (self.judged_states(by).await?, self.to_come_apart(seq).await?);
        atomically!(self.store.as_ref(), [judged, apart], |tx| {
            let decision = tx.last_decision(by.reviewer.id(), by.session, UNDO_DEPTH).await?;
            let decision = decision.ok_or_else(|| Problem::not_found("decision to undo"))?;
            if decision.seq != seq {
                return Err(Problem::Stale { version: decision.seq }.into());
            }
            let (mut restored, mut changed_since) = (Vec::new(), Vec::new());
            for DecidedFact { fact_id, version_before, version_after, before } in &decision.facts {
                let fact = tx.known_fact(fact_id).await?;
                if before.status != FactStatus::Rejected {
                    let text = before.wording.as_ref().map(|(text, _)| text).or(fact.as_ref().map(|fact| &fact.content));
                    if let (Some(fact), Some(text)) = (&fact, text) {
                        judged.passes(fact, text)?;
                    }
                }
                if !tx.restore_fact(fact_id, *version_after, before, now).await? {
                    changed_since.push(fact_id.clone());
                    continue;
                }
                if fact.is_some_and(|fact| fact.status != before.status) {
                    webhooks::tell(tx, event_of(before.status), fact_id, None, now).await?;
                }
                tx.carry_decisions(fact_id, *version_before, version_after + 1).await?;
                tx.reopen_contradictions(fact_id, decision.at).await?;
                record(tx, by.reviewer, "fact.undone", fact_id, Some(decision.verb.clone()), now).await?;
                restored.push(Seen { id: fact_id.clone(), version: version_after + 1 });
            }
            if let Some(apart) = apart.as_ref().filter(|_| !restored.is_empty()) {
                restored.push(self.come_apart(tx, by, decision.seq, apart, now).await?);
            }
            tx.mark_undone(decision.seq, now).await?;
            Ok(Undone { verb: decision.verb, restored, changed_since })
        })
        .await
    }

    /// Runs the gate on the texts that undoing the newest decision of the session would restore.
    async fn judged_states(&self, by: Sitting<'_>) -> Result<GateFindings> {
        let decision = self.store.undoable(by.reviewer.id(), by.session, UNDO_DEPTH).await?;
        let facts = decision.map(|decision| decision.facts).unwrap_or_default();
        let (reworded, same): (Vec<DecidedFact>, Vec<DecidedFact>) = facts
            .into_iter()
            .filter(|touched| touched.before.status != FactStatus::Rejected)
            .partition(|touched| touched.before.wording.is_some());
        let words = |touched: DecidedFact| touched.before.wording.map(|(text, vector)| (touched.fact_id, text, vector));
        let mut judged = self.judged(reworded.into_iter().filter_map(words).collect()).await?;
        judged.0.extend(self.judged_facts(same.iter().map(|touched| &touched.fact_id)).await?.0);
        Ok(judged)
    }

    /// Runs the gate on these facts as they are now.
    pub(super) async fn judged_facts(&self, ids: impl IntoIterator<Item = &String>) -> Result<GateFindings> {
        let ids: Vec<String> = ids.into_iter().cloned().collect();
        let mut texts = Vec::with_capacity(ids.len());
        for fact in self.store.facts_by_id(&ids).await? {
            let vector = self.store.fact_vector(&fact.id).await?.unwrap_or_default();
            texts.push((fact.id, fact.content, vector));
        }
        self.judged(texts).await
    }

    /// Runs the gate on these texts, each with its fact's id and its vector.
    pub(crate) async fn judged(&self, texts: Vec<(String, String, Vector)>) -> Result<GateFindings> {
        let (named, texts): (Vec<_>, Vec<_>) =
            texts.into_iter().map(|(id, text, vector)| ((id, text.clone()), (text, vector))).unzip();
        let refusals = self.reader.refusals(Budget::Requests, texts).await?;
        Ok(GateFindings(named.into_iter().zip(refusals).map(|((id, text), rules)| (id, (text, rules))).collect()))
    }

    /// Deletes decisions that are too old to be undone.
    pub async fn purge_decisions(&self) -> Result<()> {
        let before = self.clock.now().plus_ms(-DECISIONS_KEPT_MS);
        atomically!(self.store.as_ref(), |tx| { Ok(tx.purge_decisions(before).await?) }).await
    }

    pub(super) async fn keep_decision(
        &self,
        tx: &mut dyn WriteTx,
        by: Sitting<'_>,
        verb: &str,
        facts: Vec<DecidedFact>,
        at: Moment,
    ) -> Result<Option<i64>> {
        if facts.is_empty() {
            return Ok(None);
        }
        let (operator_id, session) = (by.reviewer.id().to_owned(), by.session.to_owned());
        let decision = DecisionRecord { seq: 0, operator_id, session, verb: verb.to_owned(), at, facts };
        Ok(Some(tx.record_decision(&decision).await?))
    }

    /// The name of the operator who decided on this fact; `None`: it is pending.
    pub async fn decided_by(&self, fact: &Fact) -> Result<Option<String>> {
        if fact.status == FactStatus::Pending {
            Ok(None)
        } else {
            decider(self.store.as_ref(), fact.decided_by.as_deref()).await.map(Some)
        }
    }

    /// Replaces an operator's id in a problem with the name.
    async fn named(&self, problem: Problem) -> Result<Problem> {
        Ok(match problem {
            Problem::AlreadyDecided { status, by, version, seconds } => {
                Problem::AlreadyDecided { status, by: decider(self.store.as_ref(), Some(&by)).await?, version, seconds }
            }
            other => other,
        })
    }
}

/// The name of the operator who decided; a promotion by count has none.
pub(crate) async fn decider(store: &dyn Store, operator_id: Option<&str>) -> Result<String> {
    let Some(id) = operator_id.filter(|id| !id.is_empty()) else { return Ok("auto-promote".to_owned()) };
    Ok(store.operator(id).await?.map_or_else(|| "a former operator".to_owned(), |operator| operator.name))
}

/// The fact that this one was merged into.
pub(crate) async fn merged_into(store: &dyn Store, id: &str) -> Result<Option<String>> {
    let last = store.audit_of(id, 1).await?.into_iter().find(|row| row.action == MERGED);
    Ok(last.and_then(|row| row.detail?.strip_prefix(INTO).map(str::to_owned)))
}

pub(super) async fn change_status(
    tx: &mut dyn WriteTx,
    reviewer: &Reviewer,
    fact: &Fact,
    verb: Verb,
    now: Moment,
) -> Result<bool> {
    turn(tx, reviewer, fact, (verb, None), now).await
}

/// Rejects a fact, with the reason for it.
async fn reject(tx: &mut dyn WriteTx, reviewer: &Reviewer, fact: &Fact, why: Option<&Rejection>, now: Moment) -> Result<bool> {
    turn(tx, reviewer, fact, (Verb::Reject, why), now).await
}

/// The detail of a reason in the audit log: its code alone, without the note.
fn reason_detail(why: &Rejection) -> String {
    format!("reason={}", why.reason.as_str())
}

async fn turn(
    tx: &mut dyn WriteTx,
    reviewer: &Reviewer,
    fact: &Fact,
    (verb, why): (Verb, Option<&Rejection>),
    now: Moment,
) -> Result<bool> {
    let Some(to) = verb.outcome() else { return Ok(false) };
    let (by, rejection) = (Some(reviewer.id().to_owned()), why.cloned());
    let change = StatusChange { from: fact.status, to, seen_version: fact.version, by, rejection, at: now };
    let stands = tx.change_status(&fact.id, &change).await?;
    if stands && verb == Verb::Reject {
        tx.resolve_contradictions(&fact.id, now).await?;
    }
    if stands {
        webhooks::tell(tx, event_of(to), &fact.id, why.and_then(|why| why.reason.told()), now).await?;
    }
    Ok(stands)
}

/// The event for a fact that has got this status, by a decision or an undo.
fn event_of(status: FactStatus) -> Event {
    match status {
        FactStatus::Pending => Event::PendingCreated,
        FactStatus::Approved => Event::FactApproved,
        FactStatus::Rejected => Event::FactRejected,
    }
}

/// Changes the text, unless another fact says the same already, and searches again for contradictions.
async fn reword(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    fact: &Fact,
    edit: &FactEdit,
    vector: &Vector,
    now: Moment,
) -> Result<DecidedFact> {
    let text = edit.content.as_str();
    let near = neighbours(tx, settings, text, vector, &fact.id).await?;
    if let Some((other, similarity)) = near.same {
        return Err(Problem::WouldMerge {
            id: other.id,
            status: other.status.as_str().to_owned(),
            similarity: format!("{similarity:.2}"),
        }
        .into());
    }
    let old = tx.known_fact_vector(&fact.id).await?.ok_or_else(|| Problem::not_found("fact"))?;
    if text != fact.content
        && let Some((other, close)) = approved_beside(tx, settings, fact, &old, vector).await?
        && edit.beside.as_ref() != Some(&other)
        && !near.against.iter().any(|(against, _)| against.id == other)
    {
        return Err(Problem::NearApproved { id: other, similarity: format!("{close:.2}") }.into());
    }
    let before = state_of(fact, Some((fact.content.clone(), old)));
    let to = FactRewording { kind: edit.kind, content: text.to_owned(), importance: edit.importance, vector: vector.clone() };
    if !tx.reword_fact(&fact.id, fact.version, &to, now).await? {
        return Err(Problem::Stale { version: fact.version }.into());
    }
    if text != fact.content {
        tx.resolve_contradictions(&fact.id, now).await?;
        if fact.status != FactStatus::Rejected {
            for (other, similarity) in near.against {
                tx.flag_contradiction(&fact.id, &other.id, similarity, now).await?;
            }
        }
    }
    Ok(DecidedFact { fact_id: fact.id.clone(), version_before: fact.version, version_after: fact.version + 1, before })
}

/// Returns the approved fact within comparison distance of the new text, unless the old text was as close. The two say different
/// things, or they would merge; so the operator decides whether to keep both.
async fn approved_beside(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    fact: &Fact,
    old: &Vector,
    new: &Vector,
) -> Result<Option<(String, f64)>> {
    let min_similarity = settings.merge_related.min(settings.merge_global);
    let nearest = FactSearch::nearest(new, 1);
    let search = FactSearch { min_similarity, status: Some(FactStatus::Approved), but: Some(&fact.id), ..nearest };
    let found = tx.nearest_known_facts(&search).await?.into_iter().next();
    let found = found.filter(|near| cosine(&near.vector, old) < min_similarity);
    Ok(found.map(|near| (near.fact.id, near.similarity)))
}

pub(super) fn state_of(fact: &Fact, wording: Option<(String, Vector)>) -> FactState {
    FactState {
        status: fact.status,
        approved_by_operator: fact.approved_by_operator,
        decided_by: fact.decided_by.clone(),
        decided_at: fact.decided_at,
        rejection: fact.rejection.clone(),
        importance: fact.importance,
        kind: fact.kind,
        wording,
    }
}

fn conflict(fact: &Fact, now: Moment) -> Problem {
    let by = fact.decided_by.clone().unwrap_or_default();
    let seconds = fact.decided_at.map(|at| (now.0 - at.0).max(0) / 1000);
    Problem::AlreadyDecided { status: fact.status.as_str().to_owned(), by, version: fact.version, seconds }
}
