//! Learns exchanges from the inbox. Each is learned once: everything learned from it and its removal from the queue are one
//! transaction.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use futures::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::error::chain;
use super::in_hand::Hold;
use super::unread::{Fault, TOO_LONG, Unread};
use super::{Error, Keepsake, Result};
use crate::domain::exchange::{CRASH_TRIES, retry_delay_ms};
use crate::ports::store::atomically;
use crate::ports::store::inbox::QueuedExchange;

/// Exchanges read from the queue per batch.
const BATCH: u32 = 32;
/// How long the status of a learned exchange can be queried.
const LEARNED_KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// How many entries of the change sequence are kept for processes that look rarely; a process further behind reads everything
/// again.
const CHANGES_KEPT: i64 = 10_000;
/// How long a parked exchange keeps its text.
const PARKED_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;
/// What happened to an exchange.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
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
