//! Learns exchanges from the inbox. Each is learned once: everything learned from it and its removal from the queue are one
//! transaction.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures::FutureExt;
use futures::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::claims::{self, Occasion, Saved, Settled, Source};
use super::error::chain;
use super::in_hand::Hold;
use super::lesson::{Lesson, only_safe};
use super::propose::{Contribution, Proposed};
use super::reading::{Budget, Late, Reader};
use super::{Error, Keepsake, Result};
use crate::domain::exchange::{CRASH_TRIES, Exchange, LEARN_TRIES, away_pause_ms, retry_delay_ms};
use crate::domain::fact::FactStatus;
use crate::domain::memory::Statement;
use crate::domain::moment::Moment;
use crate::domain::prompt::without_blocks;
use crate::domain::settings::Settings;
use crate::domain::stats;
use crate::domain::usage::OverBudget;
use crate::ports::extractor::{Absence, ExtractError, Extraction, Known, Material, Owner};
use crate::ports::store::facts::FactSearch;
use crate::ports::store::inbox::QueuedExchange;
use crate::ports::store::{StoreError, WriteTx, atomically};

/// Exchanges read from the queue per batch.
const BATCH: u32 = 32;
/// How many memories and how many facts the extractor is shown, to tell an echo from news and to find what a correction replaces.
const KNOWN: usize = 12;
/// How much of a message is compared with what is known: as much as an extractor reads, and more than any embedder does.
const SEARCHED_CHARS: usize = 20_000;
/// How long the status of a learned exchange can be queried.
const LEARNED_KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// How many entries of the change sequence are kept for processes that look rarely; a process further behind reads everything
/// again.
const CHANGES_KEPT: i64 = 10_000;
/// What the status of a learned exchange says if more facts were proposed than one message or one day may bring.
const LEFT_OUT: &str = "some_facts_left_out";
/// What it says if the user asked to forget everything: a host has to confirm that.
pub(super) const CONFIRM_FORGET_ALL: &str = "confirm_forget_all";
/// What it says if a wish to forget meant no memory.
const NOTHING_FORGOTTEN: &str = "nothing_forgotten";
/// How long a parked exchange keeps its text.
const PARKED_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Why an exchange is parked that was not read in time.
const TOO_LONG: &str = "took_too_long";

/// The source of everything that was imported.
const IMPORT: &str = "import";

/// Whether the extractor's provider is away.
#[derive(Default)]
pub(super) struct Provider(Mutex<Option<Away>>);

/// Since when it has been away, how often it was asked since, and when it is asked again.
#[derive(Clone, Copy)]
struct Away {
    since: Moment,
    asked: u32,
    again_at: Moment,
}

impl Provider {
    fn away(&self) -> MutexGuard<'_, Option<Away>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that it did not answer. Returns whether it was away before, and when it is asked again.
    fn missed(&self, now: Moment) -> (bool, Moment) {
        let mut away = self.away();
        let (before, asked) = (away.is_some(), away.map_or(0, |away| away.asked));
        let again_at = now.plus_ms(away_pause_ms(asked));
        *away = Some(Away { since: away.map_or(now, |away| away.since), asked: asked + 1, again_at });
        (before, again_at)
    }
}

/// Lives while the text of an exchange is read.
pub(super) type Token = Arc<()>;

/// Which exchanges are being read, by id, also those for which nobody waits any more.
#[derive(Clone, Default)]
pub(super) struct Unfinished(Arc<Mutex<HashMap<String, Weak<()>>>>);

impl Unfinished {
    /// The token of a new reading; `None`: an earlier one has not ended.
    fn begin(&self, id: &str) -> Option<Token> {
        let mut unfinished = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.retain(|_, token| token.strong_count() > 0);
        if unfinished.contains_key(id) {
            return None;
        }
        let token = Token::default();
        unfinished.insert(id.to_owned(), Arc::downgrade(&token));
        Some(token)
    }
}

/// What happened to an exchange.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    /// It left the queue, learned or parked.
    Settled,
    Waits,
    /// It waits because the provider is away or may not be asked, as all others do.
    Away,
}

impl Keepsake {
    /// Learns what is due. Returns how many exchanges left the queue; 0: nothing to do now. When told to stop, it finishes the
    /// current exchange and leaves the rest in the queue. Exchanges of different users may be read at the same time; those of one
    /// user are learned in order.
    ///
    /// While the provider is away, one exchange is tried after each pause, another one each time. While the budget of the day is
    /// used up, nothing is tried if exchanges are to wait for the next.
    pub async fn learn_due(&self, stop: &CancellationToken) -> Result<usize> {
        let now = self.clock.now();
        let away = *self.provider.away();
        if away.is_some_and(|away| now < away.again_at) {
            return Ok(0);
        }
        if self.waits_for_budget().await?.is_some() {
            return Ok(0);
        }
        let due = self.store.due_exchanges(now, if away.is_some() { 1 } else { BATCH }).await?;
        let held = due.into_iter().map(|queued| {
            let hold = self.hold(&queued.exchange, queued.epoch);
            (queued, hold)
        });
        let turns = stream::iter(by_user(held.collect())).map(|own| self.learn_in_order(own, stop));
        // All of them end before an error is told: what was read is kept.
        let settled: Vec<Result<usize>> = turns.buffer_unordered(self.extractor.at_once()).collect().await;
        settled.into_iter().sum()
    }

    async fn learn_in_order(&self, own: Vec<(QueuedExchange, Hold)>, stop: &CancellationToken) -> Result<usize> {
        let mut settled = 0;
        for (exchange, hold) in own.iter().take_while(|_| !stop.is_cancelled()) {
            match self.learn_one(exchange, hold).await? {
                Read::Settled => settled += 1,
                Read::Waits => {}
                Read::Away => break,
            }
        }
        Ok(settled)
    }

    /// Since when the extractor's provider has not answered; `None`: it answers, or was not asked yet.
    #[must_use]
    pub fn provider_away_since(&self) -> Option<Moment> {
        self.provider.away().map(|away| away.since)
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

    async fn learn_one(&self, queued: &QueuedExchange, hold: &Hold) -> Result<Read> {
        let settings = self.settings();
        if queued.tries >= CRASH_TRIES {
            return self.park(queued, "ended_the_process").await;
        }
        // It would hang again, and take the turn of others.
        let Some(token) = self.unfinished.begin(&queued.id) else { return self.put_back(queued, TOO_LONG).await };
        let Some(team) = self.begin(queued).await? else { return Ok(Read::Waits) };
        // If a rule panics on one text, the learner must go on: the exchange is tried again, then parked.
        let learned = AssertUnwindSafe(async {
            match self.read(&queued.exchange, &settings, team, token, hold).await {
                Ok(lesson) => self.keep(queued, &lesson, &settings).await.map(|()| Read::Settled),
                Err(Unread { reason, fault, cause }) => {
                    if !matches!(fault, Fault::Budget) {
                        tracing::warn!(reason, cause = chain(&cause), "an exchange could not be learned this time");
                    }
                    match fault {
                        Fault::Provider(how) => self.wait_for_provider(queued, reason, how).await,
                        Fault::Exchange => self.put_back(queued, reason).await,
                        Fault::Budget => self.postpone(queued, queued.tries, self.clock.now()).await.map(|_| Read::Away),
                        Fault::Others => self.postpone(queued, queued.tries, self.clock.now().plus_ms(retry_delay_ms(1))).await,
                    }
                }
            }
        });
        match learned.catch_unwind().await {
            // It was read, and could not be stored: that is not the exchange's fault.
            Ok(Err(error)) => {
                let _ = self.postpone(queued, queued.tries, self.clock.now()).await;
                Err(error)
            }
            Ok(outcome) => outcome,
            Err(_) => self.put_back(queued, "panicked").await,
        }
    }

    /// Counts the attempt. Returns whether the exchange may still teach the team; `None`: it must not be read now, because it is
    /// no longer in the queue, or its user is being erased.
    async fn begin(&self, queued: &QueuedExchange) -> Result<Option<bool>> {
        let digest = queued.exchange.user.as_ref().map(|user| self.digester.user(user));
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let digest = &digest;
            Box::pin(async move {
                if let Some(digest) = digest
                    && tx.known_fence(digest).await?.1
                {
                    return Ok(None);
                }
                if !tx.begin_exchange(&queued.id).await? {
                    return Ok(None);
                }
                Ok(tx.exchange_terms(&queued.id).await?.map(|(_, team)| team))
            })
        })
        .await
    }

    /// Everything slow, outside any transaction: the extractor and the embedder.
    pub(super) async fn read(
        &self,
        exchange: &Exchange,
        settings: &Settings,
        team: bool,
        token: Token,
        hold: &Hold,
    ) -> std::result::Result<Lesson, Unread> {
        let personal = settings.learn_personal && exchange.user.is_some();
        let global = settings.learn_global && team;
        if !personal && !global {
            return Ok(Lesson::default());
        }
        // A quoted block of recalled notes is nobody's statement.
        let exchange =
            &Exchange { message: without_blocks(&exchange.message), reply: without_blocks(&exchange.reply), ..exchange.clone() };
        let known = self.known(exchange, settings).await.map_err(Unread::by_embedder)?;
        let computed = self.computed(exchange, &known, (personal, global), (token.clone(), hold), Reader::extract).await?;
        let material = Material { exchange, known: &known, personal, global };
        if self.must_let_go(hold).await.map_err(Unread::by_embedder)? {
            return Err(Unread::let_go());
        }
        let meter = self.meter();
        let extracted = tokio::select! {
            biased;
            () = hold.stopped() => return Err(Unread::let_go()),
            extracted = self.extractor.extract(&material, computed, &meter) => extracted,
        };
        let extraction = match extracted {
            Err(ExtractError::OverBudget) if settings.learn_over_budget == OverBudget::Rules => {
                self.computed(exchange, &known, (personal, global), (token, hold), Reader::extract_unaided).await?
            }
            extracted => {
                let extraction = extracted?;
                *self.provider.away() = None;
                extraction
            }
        };
        let lesson = self.lesson(extraction, &known, personal, global).await?;
        self.without_echoes(exchange, lesson, settings).await.map_err(Unread::by_embedder)
    }

    /// What an extractor computes by itself, on a thread for reading.
    async fn computed(
        &self,
        exchange: &Exchange,
        known: &[Known],
        (personal, global): (bool, bool),
        (token, hold): (Token, &Hold),
        extract: impl Fn(&Reader, &Material<'_>) -> Extraction + Send + 'static,
    ) -> std::result::Result<Extraction, Unread> {
        let (exchange, known, hold) = (exchange.clone(), known.to_vec(), hold.clone());
        let compute = move |reader: &Reader| {
            let found = extract(reader, &Material { exchange: &exchange, known: &known, personal, global });
            drop((token, hold));
            found
        };
        Ok(self.reading(Budget::Learning, compute).await?)
    }

    /// What was extracted, checked and with vectors.
    async fn lesson(
        &self,
        mut extraction: Extraction,
        known: &[Known],
        personal: bool,
        global: bool,
    ) -> std::result::Result<Lesson, Unread> {
        let judge = move |reader: &Reader| {
            let beyond = only_safe(reader, &mut extraction, personal, global);
            (extraction, beyond)
        };
        let (extraction, beyond) = self.reading(Budget::Learning, judge).await?;
        let lesson = self.directed(extraction, known).await?;
        Ok(Lesson { beyond, ..lesson })
    }

    /// What the assistant could have recalled for this message: the user's own memories and approved facts. Pending and rejected
    /// facts are left out, because an extractor may send what it sees to a provider.
    async fn known(&self, exchange: &Exchange, settings: &Settings) -> Result<Vec<Known>> {
        if exchange.message.trim().is_empty() {
            return Ok(Vec::new());
        }
        let message = beginning(&exchange.message);
        let vector = self.embed_one(message).await?;
        let now = self.clock.now();
        let mut known = Vec::new();
        if let Some(user) = &exchange.user {
            let near = self.relevant_memories(user, message, &vector, KNOWN, now).await?;
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
        let source = if queued.imported {
            Some(IMPORT.to_owned())
        } else {
            queued.exchange.thread.as_ref().map(|thread| format!("{} {thread}", queued.exchange.surface.as_str()))
        };
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (digest, source) = (&digest, source.as_deref());
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
                let outcome = self.apply(tx, &queued.exchange, source, lesson, settings, team).await?;
                // Exchanges count for the day on which they were said, like candidates and memories.
                let day = queued.exchange.at.day();
                tx.count(day, stats::READ, 1).await?;
                tx.count(day, stats::PROPOSING, i64::from(!outcome.proposed.is_empty())).await?;
                tx.count(day, stats::BEYOND, i64::try_from(lesson.beyond).unwrap_or(i64::MAX)).await?;
                let left_out = lesson.beyond > 0 || outcome.proposed.contains(&Proposed::Beyond);
                let notes = [
                    // An import tells of the past: nobody is there to confirm.
                    (lesson.everything && !queued.imported, CONFIRM_FORGET_ALL),
                    (outcome.settled.missed > 0, NOTHING_FORGOTTEN),
                    (left_out, LEFT_OUT),
                ];
                if let Some((_, note)) = notes.into_iter().find(|(holds, _)| *holds) {
                    tx.note_exchange(&queued.id, note).await?;
                }
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
        source: Option<&str>,
        lesson: &Lesson,
        settings: &Settings,
        team: bool,
    ) -> std::result::Result<Learned, StoreError> {
        let mut learned = Learned::default();
        let clock = self.clock.as_ref();
        if let Some(user) = &exchange.user {
            let (surface, thread) = (&exchange.surface, exchange.thread.as_deref());
            let source = Source { user, surface, thread, at: exchange.at, occasion: Occasion::Talk };
            learned.settled = claims::settle(tx, clock, settings, &source, &lesson.claims).await?;
        }
        let contribution = Contribution {
            user: exchange.user.as_ref(),
            through: "inbox",
            surface: &exchange.surface,
            source,
            at: exchange.at,
            digester: &self.digester,
        };
        for vetted in lesson.candidates.iter().filter(|_| team) {
            learned.proposed.push(self.take_in(tx, settings, &contribution, vetted).await?);
        }
        Ok(learned)
    }

    async fn put_back(&self, queued: &QueuedExchange, reason: &'static str) -> Result<Read> {
        let tries = queued.tries + 1;
        if tries >= LEARN_TRIES {
            return self.park(queued, reason).await;
        }
        self.postpone(queued, tries, self.clock.now().plus_ms(retry_delay_ms(tries))).await
    }

    /// A provider that is away says nothing about the exchange. If it answers others and fails on this one alone, that is the
    /// exchange's fault.
    async fn wait_for_provider(&self, queued: &QueuedExchange, reason: &'static str, how: Absence) -> Result<Read> {
        let now = self.clock.now();
        let (away_before, again_at) = self.provider.missed(now);
        // After the next question, which another exchange asks if there is one.
        let due = again_at.plus_ms(again_at.0 - now.0);
        // The first to miss the provider may be what it fails on, so that counts, if little.
        let tries = queued.tries + i64::from(!away_before);
        if how == Absence::Slow && !away_before {
            self.put_back(queued, reason).await?;
        } else if tries >= CRASH_TRIES {
            self.park(queued, reason).await?;
        } else {
            self.postpone(queued, tries, due).await?;
        }
        Ok(Read::Away)
    }

    async fn postpone(&self, queued: &QueuedExchange, tries: i64, due: Moment) -> Result<Read> {
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move {
                tx.postpone_exchange(&queued.id, tries, due).await?;
                Ok(Read::Waits)
            })
        })
        .await
    }

    async fn park(&self, queued: &QueuedExchange, reason: &'static str) -> Result<Read> {
        let now = self.clock.now();
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move {
                tx.park_exchange(&queued.id, reason, now).await?;
                tx.count(now.day(), "exchanges.parked", 1).await?;
                Ok(Read::Settled)
            })
        })
        .await
    }
}

/// What was learned from one exchange.
#[derive(Default)]
pub(super) struct Learned {
    settled: Settled,
    proposed: Vec<Proposed>,
}

impl Learned {
    fn inserted(&self) -> i64 {
        self.inserted_ids().count().try_into().unwrap_or(i64::MAX)
    }

    fn changed(&self) -> i64 {
        i64::try_from(self.settled.saved.len()).unwrap_or(i64::MAX) - self.inserted()
    }

    /// Ids of the new memories, in the order in which they were stored.
    pub(super) fn inserted_ids(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.settled.saved.iter().filter_map(|(saved, _)| if let Saved::Inserted(id) = saved { Some(id) } else { None })
    }

    /// The statements saved, in their final wording.
    pub(super) fn statements(self) -> Vec<Statement> {
        self.settled.saved.into_iter().map(|(_, statement)| statement).collect()
    }
}

/// As much of a message as is compared with what is known.
fn beginning(message: &str) -> &str {
    message.char_indices().nth(SEARCHED_CHARS).map_or(message, |(end, _)| &message[..end])
}

/// A batch by user, each user's own in their order; those with the least first, so that nobody waits for somebody's hundred.
fn by_user(due: Vec<(QueuedExchange, Hold)>) -> Vec<Vec<(QueuedExchange, Hold)>> {
    let mut turns: Vec<Vec<(QueuedExchange, Hold)>> = Vec::new();
    for exchange in due {
        match turns.iter_mut().find(|own| own[0].0.exchange.user == exchange.0.exchange.user) {
            Some(own) => own.push(exchange),
            None => turns.push(vec![exchange]),
        }
    }
    turns.sort_by_key(Vec::len);
    turns
}

/// Why an exchange could not be read this time.
pub(super) struct Unread {
    /// A short stable name.
    reason: &'static str,
    fault: Fault,
    pub cause: Error,
}

/// Whose fault it is.
#[derive(Clone, Copy)]
enum Fault {
    /// Perhaps its own: the try counts.
    Exchange,
    /// The provider is away, in this way.
    Provider(Absence),
    /// Others took too long.
    Others,
    /// The budget of the day is used up.
    Budget,
}

impl Unread {
    pub(super) fn by_embedder(cause: Error) -> Self {
        Self { reason: "embedder_failed", fault: Fault::Exchange, cause }
    }

    fn let_go() -> Self {
        Self { reason: "user_erased", fault: Fault::Others, cause: Error::failed("the user is being erased") }
    }
}

impl From<Late> for Unread {
    fn from(late: Late) -> Self {
        let fault = if late == Late::TooLong { Fault::Exchange } else { Fault::Others };
        Self { reason: TOO_LONG, fault, cause: Error::failed(late) }
    }
}

impl From<ExtractError> for Unread {
    fn from(error: ExtractError) -> Self {
        let fault = match (&error, error.absence()) {
            (ExtractError::OverBudget, _) => Fault::Budget,
            (ExtractError::NotCounted(_), _) => Fault::Others,
            (_, absence) => absence.map_or(Fault::Exchange, Fault::Provider),
        };
        Self { reason: error.reason(), fault, cause: Error::failed(error) }
    }
}
