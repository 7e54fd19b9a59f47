//! Reads exchanges from the inbox and keeps what is worth keeping. Each is learned once: everything it teaches and its
//! leaving the queue are one transaction.

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

/// Exchanges read from the queue at once.
const BATCH: u32 = 32;
/// Memories and facts of each store that the extractor is shown, to tell an echo from news and to find what a correction
/// takes back.
const KNOWN: usize = 12;
/// How long a learned exchange can still be asked about.
const LEARNED_KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// Entries of the change sequence that are kept for processes that look rarely; one further behind reads everything again.
const CHANGES_KEPT: i64 = 10_000;
/// How long a parked exchange keeps its text.
const PARKED_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;

impl Keepsake {
    /// Learns what is due. Returns how many exchanges left the queue; 0: nothing to do now. Told to stop, it finishes the
    /// exchange in hand and leaves the rest in the queue.
    pub async fn learn_due(&self, stop: &CancellationToken) -> Result<usize> {
        let due = self.store.due_exchanges(self.clock.now(), BATCH).await?;
        let mut settled = 0;
        for exchange in due.iter().take_while(|_| !stop.is_cancelled()) {
            settled += usize::from(self.learn_one(exchange).await?);
        }
        Ok(settled)
    }

    /// Tidies the inbox: old answers, learned rows, parked text.
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

    /// `true`: it left the queue, learned or parked.
    async fn learn_one(&self, queued: &QueuedExchange) -> Result<bool> {
        let settings = self.settings();
        // A rule that panics on one text must not stop the learner: the exchange is tried again, then parked.
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

    /// Everything slow, outside of any transaction: the extractor and the embedder.
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

    /// What the assistant could have recalled for this message: memories of the user's own, and facts that were approved. What
    /// waits or was rejected stays with the operators: an extractor may send what it sees to a provider.
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

    /// Everything an exchange teaches, and its leaving the queue, or nothing. Refused when the user was erased since it came in.
    async fn keep(&self, queued: &QueuedExchange, lesson: &Lesson, settings: &Settings) -> Result<()> {
        let now = self.clock.now();
        let user = queued.exchange.user.as_ref();
        let digest = user.map(|user| self.digester.user(user));
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let digest = &digest;
            Box::pin(async move {
                // As they are now: an erasure of contributions leaves the personal half of what waits.
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
                // Like candidates and memories, what was read counts for the day on which it was said.
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

/// What one exchange taught.
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

    /// Ids of the memories that are new, in the order in which they came.
    pub(super) fn inserted_ids(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.saved.iter().filter_map(|(saved, _)| if let Saved::Inserted(id) = saved { Some(id) } else { None })
    }

    /// What was saved, as it is worded now.
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
