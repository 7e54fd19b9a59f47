//! Undoes merges into a fact: a merged statement becomes a pending fact of its own, with the contributor who came with it, and a
//! fact that an operator merged is restored as it was.
//!
//! The text of the fact never changed, so only its contributors are counted anew. It keeps its status, whatever their number,
//! unless it was the merge that promoted it.

use super::propose::neighbours;
use super::{Seen, Sitting, known, record};
use crate::Result;
use crate::facts::Facts;
use crate::notify::webhooks;
use crate::reading::Budget;
use crate::transactions::atomically;
use access::operators::Reviewer;
use domain::facts::decision::MERGE;
use domain::moment::Moment;
use domain::problem::Problem;
use domain::webhook::Event;
use ports::embedder::Vector;
use ports::store::WriteTx;
use ports::store::facts::{Fact, FactMerge, NewFact};

/// Statements shown with a fact: the ones most unlike it.
pub const MERGES_SHOWN: u32 = 20;

/// The audit log's action, and the prefix of the new fact's id in its detail.
const SPLIT: &str = "fact.split";
const INTO: &str = "into=";

/// A merged fact that is to be restored.
pub(crate) struct Apart {
    id: String,
    content: String,
    vector: Vector,
}

impl Facts {
    /// Returns the statements merged into a fact, most unlike it first, without who said them or when.
    pub async fn merged_words(&self, _reviewer: &Reviewer, id: &str) -> Result<Vec<FactMerge>> {
        Ok(self.store.merges_of_fact(id, MERGES_SHOWN).await?)
    }

    /// Splits a statement off the fact that it was merged into, if the fact still has the version that was seen. Returns the new
    /// fact, which waits in the queue.
    pub async fn split(&self, by: &Reviewer, from: &Seen, merge_id: &str) -> Result<Fact> {
        let merges = self.store.merges_of_fact(&from.id, u32::MAX).await?;
        let merge = merges.into_iter().find(|merge| merge.id == merge_id).ok_or_else(|| Problem::not_found("statement"))?;
        let rules = self.reader.refusals(Budget::Requests, vec![(merge.content.clone(), merge.vector.clone())]).await?;
        if let Some(rules) = rules.into_iter().find(|rules| !rules.is_empty()) {
            return Err(Problem::refused(rules).into());
        }
        let (now, settings, id) = (self.clock.now(), self.settings.get(), self.clock.id("gf"));
        atomically!(self.store.as_ref(), [merge, settings, id], |tx| {
            let fact = known(tx, &from.id).await?;
            if fact.version != from.version {
                return Err(Problem::Stale { version: fact.version }.into());
            }
            let near = neighbours(tx, settings, &merge.content, &merge.vector, &fact.id).await?;
            let new = NewFact {
                id: id.clone(),
                kind: fact.kind,
                content: merge.content.clone(),
                origin: fact.origin,
                importance: fact.importance,
                vector: merge.vector.clone(),
                at: now,
            };
            tx.insert_fact(&new).await?;
            webhooks::tell(tx, Event::PendingCreated, id, None, now).await?;
            for (other, similarity) in &near.against {
                tx.flag_contradiction(id, &other.id, *similarity, now).await?;
            }
            if !tx.split_fact(&merge.id, &fact.id, id).await? {
                return Err(Problem::not_found("statement").into());
            }
            record(tx, by, SPLIT, &fact.id, Some(format!("{INTO}{id}")), now).await?;
            known(tx, id).await
        })
        .await
    }

    /// Returns the fact that this decision merged into another, if it did and the fact can be restored. The gate reads its text
    /// again.
    pub(super) async fn to_come_apart(&self, decision: i64) -> Result<Option<Apart>> {
        let Some((id, content)) = self.store.merged_fact(decision).await? else { return Ok(None) };
        let vector = self.embedder.embed_one(&content).await?;
        let rules = self.reader.refusals(Budget::Requests, vec![(content.clone(), vector.clone())]).await?;
        if let Some(rules) = rules.into_iter().find(|rules| !rules.is_empty()) {
            return Err(Problem::refused(rules).into());
        }
        Ok(Some(Apart { id, content, vector }))
    }

    /// Restores the fact as it was, with its contributors, and compares it with the other facts.
    pub(super) async fn come_apart(
        &self,
        tx: &mut dyn WriteTx,
        by: Sitting<'_>,
        decision: i64,
        Apart { id, content, vector }: &Apart,
        now: Moment,
    ) -> Result<Seen> {
        let near = neighbours(tx, &self.settings.get(), content, vector, id).await?;
        if tx.unmerge_fact(decision, vector, now).await?.is_none() {
            // All its contributors were erased in the meantime.
            return Err(Problem::not_found("merged fact").into());
        }
        for (other, similarity) in &near.against {
            tx.flag_contradiction(id, &other.id, *similarity, now).await?;
        }
        record(tx, by.reviewer, "fact.undone", id, Some(MERGE.to_owned()), now).await?;
        webhooks::tell(tx, Event::PendingCreated, id, None, now).await?;
        let fact = known(tx, id).await?;
        Ok(Seen { id: fact.id, version: fact.version })
    }
}
