//! Takes back that a statement was merged into a fact: it becomes a pending fact of its own, with the contributor who came with it.
//!
//! The text of the fact never changed, so only its contributors are counted anew. It stays in its state, whatever their number is.

use super::decide::{Seen, known, record};
use super::propose::neighbours;
use super::reading::Budget;
use super::{Error, Keepsake, Result, webhooks};
use crate::access::operators::Reviewer;
use crate::domain::problem::Problem;
use crate::domain::webhook::Event;
use crate::ports::store::atomically;
use crate::ports::store::facts::{Fact, FactMerge, NewFact};

/// Statements shown with a fact: the ones most unlike it.
pub const MERGES_SHOWN: u32 = 20;

/// The audit log's action, and the prefix of the new fact's id in its detail.
const SPLIT: &str = "fact.split";
const INTO: &str = "into=";

impl Keepsake {
    /// What was said when a fact was said again, most unlike it first. Nothing tells who said it or when.
    pub async fn merged_words(&self, _reviewer: &Reviewer, id: &str) -> Result<Vec<FactMerge>> {
        Ok(self.store.merges_of_fact(id, MERGES_SHOWN).await?)
    }

    /// Splits a statement off the fact that it was merged into, if the fact still has the version that was seen. Returns the new fact,
    /// which waits in the queue.
    pub async fn split(&self, by: &Reviewer, from: &Seen, merge_id: &str) -> Result<Fact> {
        let merges = self.store.merges_of_fact(&from.id, u32::MAX).await?;
        let merge = merges.into_iter().find(|merge| merge.id == merge_id).ok_or_else(|| Problem::not_found("statement"))?;
        let rules = self.refusals(Budget::Requests, vec![(merge.content.clone(), merge.vector.clone())]).await?;
        if let Some(rules) = rules.into_iter().find(|rules| !rules.is_empty()) {
            return Err(Problem::refused(rules).into());
        }
        let (now, settings, id) = (self.clock.now(), self.settings(), self.clock.id("gf"));
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (merge, settings, id) = (&merge, &settings, &id);
            Box::pin(async move {
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
        })
        .await
    }
}
