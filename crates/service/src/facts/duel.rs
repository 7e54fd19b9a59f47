//! Two facts that contradict each other: shown side by side, and settled in one step.

use super::decide::{GateFindings, change_status, state_of};
use super::{Seen, Sitting, record};
use crate::facts::Facts;
use crate::transactions::atomically;
use crate::{Error, Result};
use access::operators::Viewer;
use domain::facts::confidence::confidence;
use domain::facts::decision::Verb;
use domain::facts::duel::{DuelChoice, dated};
use domain::facts::fact::FactStatus;
use domain::memory::Content;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use ports::embedder::Vector;
use ports::store::facts::Fact;
use ports::store::facts::decisions::{DecidedFact, FactRewording};
use ports::store::{StoreError, WriteTx};

/// One side of a duel.
#[derive(Debug, Clone)]
pub struct Side {
    pub fact: Fact,
    pub confidence: f64,
    pub decided_by: Option<String>,
}

/// Two facts side by side.
#[derive(Debug, Clone)]
pub struct Duel {
    pub a: Side,
    pub b: Side,
    /// Similarity, and when the pair was flagged; `None`: they have no open contradiction.
    pub open: Option<(f64, Moment)>,
}

/// A fact and the day on which it was true.
#[derive(Debug, Clone)]
pub struct DatedFact {
    pub seen: Seen,
    pub day: Moment,
}

impl Facts {
    pub async fn duel(&self, viewer: &Viewer, a: &str, b: &str) -> Result<Duel> {
        if a == b {
            return Err(Problem::not_found("page").into());
        }
        let open = self.store.contradictions_of(a).await?.into_iter().find(|(other, ..)| other == b);
        Ok(Duel {
            a: self.side(viewer, a).await?,
            b: self.side(viewer, b).await?,
            open: open.map(|(_, similarity, at)| (similarity, at)),
        })
    }

    async fn side(&self, viewer: &Viewer, id: &str) -> Result<Side> {
        let fact = self.fact(viewer, id).await?;
        let decided_by = self.decided_by(&fact).await?;
        Ok(Side { confidence: confidence(&fact.evidence(), self.clock.now()), fact, decided_by })
    }

    /// Resolves a contradiction. Both facts must still have the versions that the operator saw, or nothing changes. One undo
    /// reverts it.
    pub async fn settle(&self, by: Sitting<'_>, a: &DatedFact, b: &DatedFact, outcome: DuelChoice) -> Result<()> {
        let now = self.clock.now();
        let words = if outcome == DuelChoice::BothDated { Some(self.dated_words(a, b, now).await?) } else { None };
        let judged = match &words {
            Some((a_words, b_words)) => {
                let texts = [(&a.seen.id, a_words), (&b.seen.id, b_words)];
                let text =
                    |(id, words): (&String, &SideWords)| (id.clone(), words.content.as_str().to_owned(), words.vector.clone());
                self.judged(texts.map(text).into()).await?
            }
            None => self.judged_facts([&a.seen.id, &b.seen.id]).await?,
        };
        atomically!(self.store.as_ref(), [words, judged], |tx| {
            let (first, second) = (unchanged(tx, &a.seen).await?, unchanged(tx, &b.seen).await?);
            if !tx.resolve_pair(&first.id, &second.id, now).await? {
                return Err(Problem::Stale { version: first.version }.into());
            }
            let (to_a, to_b) = outcome.states();
            let turn_a = SideOutcome { to: to_a, words: words.as_ref().map(|words| &words.0), outcome, judged };
            let turn_b = SideOutcome { to: to_b, words: words.as_ref().map(|words| &words.1), outcome, judged };
            let touched = vec![self.turn(tx, by, &first, turn_a, now).await?, self.turn(tx, by, &second, turn_b, now).await?];
            self.keep_decision(tx, by, "settle", touched, now).await?;
            Ok(())
        })
        .await
    }

    /// Returns the new texts of both, embedded before the transaction.
    async fn dated_words(&self, a: &DatedFact, b: &DatedFact, now: Moment) -> Result<(SideWords, SideWords)> {
        if a.day.day() == b.day.day() {
            return Err(Problem::invalid(Field::At, "must be two different days").into());
        }
        if a.day > now || b.day > now {
            return Err(Problem::invalid(Field::At, "must not be in the future").into());
        }
        Ok((self.with_day(a).await?, self.with_day(b).await?))
    }

    async fn with_day(&self, fact: &DatedFact) -> Result<SideWords> {
        let known = self.store.fact(&fact.seen.id).await?.ok_or_else(|| Problem::not_found("fact"))?;
        let content = Content::new(&dated(&known.content, fact.day))?;
        let vector = self.embedder.embed_one(content.as_str()).await?;
        Ok(SideWords { content, vector })
    }

    /// Sets the status of one side, and its new text if it has one.
    async fn turn(
        &self,
        tx: &mut dyn WriteTx,
        by: Sitting<'_>,
        fact: &Fact,
        SideOutcome { to, words, outcome, judged }: SideOutcome<'_>,
        now: Moment,
    ) -> Result<DecidedFact> {
        let detail = || Some(format!("duel={}", outcome.as_str()));
        let old = tx.known_fact_vector(&fact.id).await?.ok_or_else(|| Problem::not_found("fact"))?;
        if to == FactStatus::Approved {
            judged.passes(fact, words.map_or(fact.content.as_str(), |words| words.content.as_str()))?;
        }
        let mut before = state_of(fact, None);
        if let Some(words) = words {
            before.wording = Some((fact.content.clone(), old));
            let rewording = FactRewording {
                kind: fact.kind,
                content: words.content.as_str().to_owned(),
                importance: fact.importance,
                vector: words.vector.clone(),
            };
            stands(tx.reword_fact(&fact.id, fact.version, &rewording, now).await?, fact)?;
            record(tx, by.reviewer, "fact.edited", &fact.id, detail(), now).await?;
        }
        let present = again(tx, &fact.id).await?;
        if present.status == to {
            record(tx, by.reviewer, "fact.kept", &fact.id, detail(), now).await?;
        } else {
            let verb = if to == FactStatus::Approved { Verb::Approve } else { Verb::Reject };
            stands(change_status(tx, by.reviewer, &present, verb, now).await?, fact)?;
            record(tx, by.reviewer, verb.action(), &fact.id, detail(), now).await?;
        }
        let after = again(tx, &fact.id).await?;
        Ok(DecidedFact { fact_id: fact.id.clone(), version_before: fact.version, version_after: after.version, before })
    }
}

/// The outcome for one side.
struct SideOutcome<'a> {
    to: FactStatus,
    words: Option<&'a SideWords>,
    outcome: DuelChoice,
    judged: &'a GateFindings,
}

struct SideWords {
    content: Content,
    vector: Vector,
}

async fn unchanged(tx: &mut dyn WriteTx, seen: &Seen) -> Result<Fact> {
    let fact = tx.known_fact(&seen.id).await?.ok_or_else(|| Problem::not_found("fact"))?;
    if fact.version == seen.version { Ok(fact) } else { Err(Problem::Stale { version: fact.version }.into()) }
}

fn stands(done: bool, fact: &Fact) -> std::result::Result<(), Problem> {
    if done { Ok(()) } else { Err(Problem::Stale { version: fact.version }) }
}

async fn again(tx: &mut dyn WriteTx, id: &str) -> Result<Fact> {
    let fact = tx.known_fact(id).await.map_err(|error: StoreError| Error::from(error))?;
    Ok(fact.ok_or_else(|| Problem::not_found("fact"))?)
}
