//! Shows what learning one exchange would do. It runs the real extraction and the real writes for a user who does not exist, in a
//! transaction that is rolled back.
//!
//! That user's memories are stored while the exchange is read, since no transaction stays open for the embedder or the extractor,
//! and are deleted afterwards. `keepsake learn --dry-run` therefore runs in a database of its own.

use std::collections::HashSet;

use super::extraction::InReading;
use super::in_flight::{Hold, ReadToken};
use super::lesson::Lesson;
use crate::Result;
use crate::facts::propose::Vetted;
use crate::learning::Learning;
use crate::reading::Budget;
use crate::transactions::atomically;
use domain::erasure::people::UserId;
use domain::memory::Statement;
use domain::memory::exchange::Exchange;
use domain::memory::tags::Labels;
use ports::extractor::Step;
use ports::store::memories::{NewMemory, Wording};

/// Result of learning one exchange without keeping it.
pub struct DryRun {
    /// The exchange as it would be stored in the inbox.
    pub exchange: Exchange,
    pub personal_new: Vec<Statement>,
    /// All memories that the user would have afterwards, newest first.
    pub personal_after: Vec<String>,
    pub global_new: Vec<String>,
    /// Names of the rules that dropped a sentence or a fact.
    pub dropped: Vec<&'static str>,
    pub steps: Vec<Step>,
}

impl Learning {
    /// Learns this exchange for a user with the memories `known`, and rolls everything back.
    pub async fn learn_dry(&self, exchange: &Exchange, known: &[Statement]) -> Result<DryRun> {
        let mut exchange = exchange.clone();
        exchange = self.reader.read(Budget::Requests, move |reader| reader.cleaned(exchange)).await?;
        if exchange.user.is_none() {
            return self.rehearse_with(exchange, Vec::new()).await;
        }
        let user = UserId::new(self.clock.id("dry-run"))?;
        exchange.user = Some(user.clone());
        let held = self.lend(&user, &exchange, known).await?;
        let rehearsal = self.rehearse_with(exchange, held.clone()).await;
        self.take_back(&user, &held).await?;
        rehearsal
    }

    async fn rehearse_with(&self, exchange: Exchange, held: Vec<String>) -> Result<DryRun> {
        let settings = self.settings.get();
        let nobodys = Hold::default();
        let text = InReading::new(&exchange, &settings, true, ReadToken::default(), &nobodys);
        let lesson = self.lessons.read(&text, &settings).await.map_err(|unread| unread.cause)?;
        let mut tx = self.store.begin().await?;
        let learned = self.apply(&mut *tx, &exchange, None, &lesson, &settings, true).await?;
        let mut personal_after = Vec::new();
        if let Some(user) = &exchange.user {
            for id in held.iter().chain(learned.inserted_ids()).rev() {
                personal_after.extend(tx.own_memory(user, id).await?.map(|(memory, _)| memory.content));
            }
        }
        drop(tx);
        let Lesson { candidates, steps, .. } = lesson;
        let mut dropped: Vec<&str> = steps.iter().filter(|step| step.dropped).map(|step| step.decided).collect();
        let proposed = candidates.len();
        let passed = candidates.into_iter().filter(|vetted| vetted.refused.is_empty());
        let global_new: Vec<String> = passed.map(|Vetted { candidate, .. }| candidate.content.as_str().to_owned()).collect();
        if global_new.len() < proposed {
            dropped.push("gate");
        }
        let mut listed = HashSet::new();
        dropped.retain(|rule| listed.insert(*rule));
        Ok(DryRun { exchange, personal_new: learned.statements(), personal_after, global_new, dropped, steps })
    }

    /// Stores the memories `known` for the temporary user. Returns their ids, oldest first.
    async fn lend(&self, user: &UserId, exchange: &Exchange, known: &[Statement]) -> Result<Vec<String>> {
        let texts: Vec<String> = known.iter().map(|statement| statement.content.as_str().to_owned()).collect();
        let vectors = if texts.is_empty() { Vec::new() } else { self.embedder.embed(&texts).await? };
        let lent = |(statement, vector): (&Statement, _)| NewMemory {
            id: self.clock.id("mem"),
            wording: Wording {
                kind: statement.kind,
                content: statement.content.as_str().to_owned(),
                importance: statement.importance,
                vector,
                labels: Labels::default(),
            },
            surface: exchange.surface.clone(),
            thread: None,
            at: exchange.at,
        };
        let memories: Vec<NewMemory> = known.iter().zip(vectors).map(lent).collect();
        atomically!(self.store.as_ref(), [memories], |tx| {
            for memory in memories {
                tx.insert_memory(user, memory).await?;
            }
            Ok(())
        })
        .await?;
        Ok(memories.into_iter().map(|memory| memory.id).collect())
    }

    async fn take_back(&self, user: &UserId, held: &[String]) -> Result<()> {
        atomically!(self.store.as_ref(), |tx| {
            for id in held {
                tx.delete_memory(user, id).await?;
            }
            Ok(())
        })
        .await
    }
}
