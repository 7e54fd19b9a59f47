//! Reads exchanges from the inbox and keeps what is worth keeping. Each is learned once: everything it teaches and its
//! leaving the queue are one transaction.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;

use super::lesson::{Lesson, only_safe, settle};
use super::propose::{self, Contribution, Proposed, refusals};
use super::remember::{self, Saved, Source};
use super::{Error, Keepsake, Result, tune};
use crate::domain::exchange::{Exchange, LEARN_TRIES, retry_delay_ms};
use crate::domain::memory::Statement;
use crate::domain::merging::{corrects, holds_term};
use crate::domain::people::UserId;
use crate::domain::ranking::{Parts, best};
use crate::domain::settings::Settings;
use crate::domain::stats;
use crate::ports::extractor::Reading;
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
                Err(reason) => self.put_back(queued, reason).await,
            }
        });
        match learned.catch_unwind().await {
            Ok(outcome) => outcome,
            Err(_) => self.put_back(queued, "panicked").await,
        }
    }

    /// Everything slow, outside of any transaction: the extractor and the embedder.
    async fn read(&self, exchange: &Exchange, settings: &Settings) -> std::result::Result<Lesson, &'static str> {
        let personal = settings.learn_personal && exchange.user.is_some();
        let global = settings.learn_global;
        if !personal && !global {
            return Ok(Lesson::default());
        }
        let known = self.known(exchange, settings).await.map_err(|error| log_cause("embedder_failed", &error))?;
        let reading = Reading { exchange, known: &known, personal, global };
        let mut extraction = self.extractor.extract(&reading).await.map_err(|error| log_cause(error.reason(), &error))?;
        only_safe(&mut extraction, personal);
        extraction.candidates.retain(|_| global);
        self.directions(extraction).await.map_err(|error| log_cause("embedder_failed", &error))
    }

    /// What the assistant could have recalled for this message.
    async fn known(&self, exchange: &Exchange, settings: &Settings) -> Result<Vec<String>> {
        if exchange.message.trim().is_empty() {
            return Ok(Vec::new());
        }
        let vector = self.embed_one(&exchange.message).await?;
        let now = self.clock.now();
        let mut known = Vec::new();
        if let Some(user) = &exchange.user {
            let near = self.relevant_memories(user, &exchange.message, &vector, KNOWN, now).await?;
            let ids: Vec<String> = near.into_iter().map(|ranked| ranked.id).collect();
            known.extend(self.store.memories_by_id(user, &ids).await?.into_iter().map(|memory| memory.content));
        }
        let mut near = Vec::new();
        self.store.scan_facts(&vector, &mut |fact, similarity| {
            if similarity >= settings.merge_correction {
                near.push((Parts::personal(similarity, fact.importance, fact.touched, now), fact.id.clone()));
            }
        });
        let ids: Vec<String> = best(near, KNOWN, |id| id).into_iter().map(|(_, id)| id).collect();
        known.extend(self.store.facts_by_id(&ids).await?.into_iter().map(|fact| fact.content));
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

    /// The order matters: what the user wants forgotten goes first, so that "forget X, remember Y" leaves Y.
    async fn apply(
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
            for (query, vector) in lesson.extraction.forget.iter().zip(&lesson.forget) {
                learned.forgotten += usize::from(forget_closest(tx, settings, user, query, vector).await?.is_some());
            }
            let source = Source { surface: &exchange.surface, thread: exchange.thread.as_deref(), at: exchange.at };
            let changed = tune::thresholds(self.embedder.family()).changed;
            for (statement, vector) in settle(tx, settings, changed, user, lesson).await? {
                learned.saved.push(remember::save(tx, clock, settings, user, &source, &statement, vector).await?);
                learned.statements.push(statement);
            }
        }
        let contribution = Contribution { user: exchange.user.as_ref(), surface: &exchange.surface, at: exchange.at };
        for (candidate, vector) in lesson.extraction.candidates.iter().zip(&lesson.candidates).filter(|_| team) {
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

    /// What learning this exchange would do, without doing it: a real run in a transaction that is dropped.
    pub async fn rehearse_learning(&self, exchange: &Exchange, known: &[Statement]) -> Result<Rehearsal> {
        let settings = self.settings();
        let exchange = super::inbox::cleaned(exchange.clone());
        let reading_user = exchange.user.clone();
        let mut tx = self.store.begin().await?;
        if let Some(user) = &reading_user {
            for statement in known {
                let vector = self.embed_one(statement.content.as_str()).await?;
                let wording = crate::ports::store::memories::Wording {
                    kind: statement.kind,
                    content: statement.content.as_str().to_owned(),
                    importance: statement.importance,
                    vector,
                };
                let new = crate::ports::store::memories::NewMemory {
                    id: self.clock.id("mem"),
                    wording,
                    surface: exchange.surface.clone(),
                    thread: None,
                    at: exchange.at,
                };
                tx.insert_memory(user, &new).await?;
            }
        }
        let known_texts: Vec<String> = known.iter().map(|statement| statement.content.as_str().to_owned()).collect();
        let reading = Reading { exchange: &exchange, known: &known_texts, personal: exchange.user.is_some(), global: true };
        let mut extraction = self.extractor.extract(&reading).await.map_err(Error::failed)?;
        only_safe(&mut extraction, reading.personal);
        let refused = extraction.candidates.iter().any(|candidate| !refusals(candidate.content.as_str()).is_empty());
        let lesson = self.directions(extraction).await?;
        let learned = self.apply(&mut *tx, &exchange, &lesson, &settings, true).await?;
        let personal_after = match &reading_user {
            Some(user) => tx.own_contents(user).await?.into_iter().map(|(_, content)| content).collect(),
            None => Vec::new(),
        };
        drop(tx);
        let candidates = lesson.extraction.candidates;
        let global_new = candidates
            .into_iter()
            .map(|c| c.content.as_str().to_owned())
            .filter(|content| refusals(content).is_empty())
            .collect();
        let mut dropped: Vec<&'static str> = lesson.extraction.dropped;
        if refused {
            dropped.push("gate");
        }
        Ok(Rehearsal { exchange, personal_new: learned.statements, personal_after, global_new, dropped })
    }
}

/// What learning would do.
pub struct Rehearsal {
    /// As it would lie in the inbox.
    pub exchange: Exchange,
    pub personal_new: Vec<Statement>,
    pub personal_after: Vec<String>,
    pub global_new: Vec<String>,
    pub dropped: Vec<&'static str>,
}

/// What one exchange taught.
#[derive(Default)]
struct Learned {
    saved: Vec<Saved>,
    /// What was saved, as it was settled.
    statements: Vec<Statement>,
    proposed: Vec<Proposed>,
    forgotten: usize,
}

impl Learned {
    fn inserted(&self) -> i64 {
        self.saved.iter().filter(|saved| matches!(saved, Saved::Inserted(_))).count().try_into().unwrap_or(i64::MAX)
    }

    fn changed(&self) -> i64 {
        self.saved.len().try_into().unwrap_or(i64::MAX) - self.inserted()
    }
}

/// Deletes the memory that a "forget that …" means: the nearest that holds its words, else the nearest that is near enough.
/// Returns its id and text.
pub(super) async fn forget_closest(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    user: &UserId,
    query: &str,
    vector: &[f32],
) -> std::result::Result<Option<(String, String)>, StoreError> {
    let mut near = tx.scan_own_memories(user, vector).await?;
    near.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| a.id.cmp(&b.id)));
    let contents = tx.own_contents(user).await?;
    let content =
        |id: &str| contents.iter().find(|(other, _)| other == id).map(|(_, content)| content.clone()).unwrap_or_default();
    let holder = near.iter().find(|row| holds_term(&content(&row.id), query));
    let nearest = near.first().filter(|row| corrects(row.similarity, settings.merge_correction, "", None));
    let Some(row) = holder.or(nearest) else { return Ok(None) };
    let forgotten = (row.id.clone(), content(&row.id));
    tx.delete_memory(user, &row.id).await?;
    Ok(Some(forgotten))
}

fn log_cause(reason: &'static str, cause: &dyn std::fmt::Display) -> &'static str {
    tracing::warn!(reason, cause = %cause, "an exchange could not be learned this time");
    reason
}
