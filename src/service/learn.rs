//! Learns exchanges from the inbox. Each is learned once: everything learned from it and its removal from the queue are one
//! transaction.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;

use super::claims::{self, Occasion, Saved, Source};
use super::error::chain;
use super::lesson::{Lesson, only_safe};
use super::propose::{self, Contribution, Proposed};
use super::{Error, Keepsake, Result};
use crate::domain::exchange::{Exchange, LEARN_TRIES, retry_delay_ms};
use crate::domain::fact::FactStatus;
use crate::domain::memory::Statement;
use crate::domain::settings::Settings;
use crate::domain::stats;
use crate::ports::extractor::{ExtractError, Known, Material, Owner};
use crate::ports::store::facts::FactSearch;
use crate::ports::store::inbox::QueuedExchange;
use crate::ports::store::{StoreError, WriteTx, atomically};

/// Exchanges read from the queue per batch.
const BATCH: u32 = 32;
/// How many memories and how many facts the extractor is shown, to tell an echo from news and to find what a correction replaces.
const KNOWN: usize = 12;
/// How long the status of a learned exchange can be queried.
const LEARNED_KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// How many entries of the change sequence are kept for processes that look rarely; a process further behind reads everything
/// again.
const CHANGES_KEPT: i64 = 10_000;
/// How long a parked exchange keeps its text.
const PARKED_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;

impl Keepsake {
    /// Learns what is due. Returns how many exchanges left the queue; 0: nothing to do now. When told to stop, it finishes the
    /// current exchange and leaves the rest in the queue.
    pub async fn learn_due(&self, stop: &CancellationToken) -> Result<usize> {
        let due = self.store.due_exchanges(self.clock.now(), BATCH).await?;
        let mut settled = 0;
        for exchange in due.iter().take_while(|_| !stop.is_cancelled()) {
            settled += usize::from(self.learn_one(exchange).await?);
        }
        Ok(settled)
    }

    /// Cleans up the inbox: old answers, learned rows, parked text.
    pub async fn purge_inbox(&self) -> Result<()> {
        let now = self.clock.now();
        let (learned, parked) = (now.plus_ms(-LEARNED_KEPT_MS), now.plus_ms(-PARKED_KEPT_MS));
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move {
                tx.purge_inbox(learned, parked).await?;
                Ok(tx.trim_changes(CHANGES_KEPT).await?)
            })
        })
        .await
    }

    /// `true`: the exchange left the queue, learned or parked.
    async fn learn_one(&self, queued: &QueuedExchange) -> Result<bool> {
        let settings = self.settings();
        // If a rule panics on one text, the learner must go on: the exchange is tried again, then parked.
        let learned = AssertUnwindSafe(async {
            match self.read(&queued.exchange, &settings).await {
                Ok(lesson) => self.keep(queued, &lesson, &settings).await.map(|()| true),
                Err(Unread { reason, cause }) => {
                    tracing::warn!(reason, cause = chain(&cause), "an exchange could not be learned this time");
                    self.put_back(queued, reason).await
                }
            }
        });
        match learned.catch_unwind().await {
            Ok(outcome) => outcome,
            Err(_) => self.put_back(queued, "panicked").await,
        }
    }

    /// Everything slow, outside any transaction: the extractor and the embedder.
    pub(super) async fn read(&self, exchange: &Exchange, settings: &Settings) -> std::result::Result<Lesson, Unread> {
        let personal = settings.learn_personal && exchange.user.is_some();
        let global = settings.learn_global;
        if !personal && !global {
            return Ok(Lesson::default());
        }
        let known = self.known(exchange, settings).await.map_err(Unread::by_embedder)?;
        let reading = Material { exchange, known: &known, personal, global };
        let mut extraction = self.extractor.extract(&reading).await?;
        only_safe(&mut extraction, personal, global);
        self.directed(extraction, &known).await.map_err(Unread::by_embedder)
    }

    /// What the assistant could have recalled for this message: the user's own memories and approved facts. Pending and rejected
    /// facts are left out, because an extractor may send what it sees to a provider.
    async fn known(&self, exchange: &Exchange, settings: &Settings) -> Result<Vec<Known>> {
        if exchange.message.trim().is_empty() {
            return Ok(Vec::new());
        }
        let vector = self.embed_one(&exchange.message).await?;
        let now = self.clock.now();
        let mut known = Vec::new();
        if let Some(user) = &exchange.user {
            let near = self.relevant_memories(user, &exchange.message, &vector, KNOWN, now).await?;
            let ids: Vec<String> = near.into_iter().map(|ranked| ranked.id).collect();
            let memories = self.store.memories_by_id(user, &ids).await?.into_iter();
            known.extend(memories.map(|memory| Known { id: memory.id, text: memory.content, owner: Owner::User }));
        }
        let search = FactSearch {
            status: Some(FactStatus::Approved),
            min_similarity: settings.merge_correction,
            ..FactSearch::best(&vector, &[], now, KNOWN)
        };
        let facts = self.store.nearest_facts(&search).await?.into_iter().map(|near| near.fact);
        known.extend(facts.map(|fact| Known { id: fact.id, text: fact.content, owner: Owner::Team }));
        Ok(known)
    }

    /// Stores everything learned from an exchange and removes it from the queue, or does neither. Refused if the user was erased
    /// since it arrived.
    async fn keep(&self, queued: &QueuedExchange, lesson: &Lesson, settings: &Settings) -> Result<()> {
        let now = self.clock.now();
        let user = queued.exchange.user.as_ref();
        let digest = user.map(|user| self.digester.user(user));
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let digest = &digest;
            Box::pin(async move {
                // Read again now: an erasure of contributions leaves only the personal part of waiting exchanges.
                let Some((epoch, team)) = tx.exchange_terms(&queued.id).await? else { return Ok(()) };
                if !tx.settle_exchange(&queued.id, now).await? {
                    return Ok(());
                }
                if let Some(digest) = digest
                    && tx.epoch(digest).await? > epoch
                {
                    return Ok(());
                }
                let outcome = self.apply(tx, &queued.exchange, lesson, settings, team).await?;
                // Exchanges count for the day on which they were said, like candidates and memories.
                let day = queued.exchange.at.day();
                tx.count(day, stats::READ, 1).await?;
                tx.count(day, stats::PROPOSING, i64::from(!outcome.proposed.is_empty())).await?;
                tx.count(day, "memories.new", outcome.inserted()).await?;
                tx.count(day, "memories.merged", outcome.changed()).await?;
                Ok(())
            })
        })
        .await
    }

    pub(super) async fn apply(
        &self,
        tx: &mut dyn WriteTx,
        exchange: &Exchange,
        lesson: &Lesson,
        settings: &Settings,
        team: bool,
    ) -> std::result::Result<Learned, StoreError> {
        let mut learned = Learned::default();
        let clock = self.clock.as_ref();
        if let Some(user) = &exchange.user {
            let (surface, thread) = (&exchange.surface, exchange.thread.as_deref());
            let source = Source { user, surface, thread, at: exchange.at, occasion: Occasion::Talk };
            learned.saved = claims::settle(tx, clock, settings, &source, &lesson.claims).await?;
        }
        let contribution = Contribution { user: exchange.user.as_ref(), surface: &exchange.surface, at: exchange.at };
        for (candidate, vector) in lesson.candidates.iter().filter(|_| team) {
            learned.proposed.push(propose::place(tx, clock, settings, &contribution, candidate, vector).await?);
        }
        Ok(learned)
    }

    async fn put_back(&self, queued: &QueuedExchange, reason: &'static str) -> Result<bool> {
        let now = self.clock.now();
        let tries = queued.tries + 1;
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move {
                if tries >= LEARN_TRIES {
                    tx.park_exchange(&queued.id, reason, now).await?;
                    tx.count(now.day(), "exchanges.parked", 1).await?;
                    return Ok(true);
                }
                tx.postpone_exchange(&queued.id, tries, now.plus_ms(retry_delay_ms(tries))).await?;
                Ok(false)
            })
        })
        .await
    }
}

/// What was learned from one exchange.
#[derive(Default)]
pub(super) struct Learned {
    saved: Vec<(Saved, Statement)>,
    proposed: Vec<Proposed>,
}

impl Learned {
    fn inserted(&self) -> i64 {
        self.inserted_ids().count().try_into().unwrap_or(i64::MAX)
    }

    fn changed(&self) -> i64 {
        i64::try_from(self.saved.len()).unwrap_or(i64::MAX) - self.inserted()
    }

    /// Ids of the new memories, in the order in which they were stored.
    pub(super) fn inserted_ids(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.saved.iter().filter_map(|(saved, _)| if let Saved::Inserted(id) = saved { Some(id) } else { None })
    }

    /// The statements saved, in their final wording.
    pub(super) fn statements(self) -> Vec<Statement> {
        self.saved.into_iter().map(|(_, statement)| statement).collect()
    }
}

/// Why an exchange could not be read this time.
pub(super) struct Unread {
    /// A short stable name.
    reason: &'static str,
    pub cause: Error,
}

impl Unread {
    fn by_embedder(cause: Error) -> Self {
        Self { reason: "embedder_failed", cause }
    }
}

impl From<ExtractError> for Unread {
    fn from(error: ExtractError) -> Self {
        Self { reason: error.reason(), cause: Error::failed(error) }
    }
}
