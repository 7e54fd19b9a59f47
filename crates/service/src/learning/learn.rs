//! Learns exchanges from the inbox. Each is learned once: everything learned from it and its removal from the queue are one
//! transaction.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use futures::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::extraction::{Extracted, InReading};
use super::in_flight::Hold;
use super::unread::{Fault, TOO_LONG, Unread};
use crate::Result;
use crate::error::chain;
use crate::learning::Learning;
use crate::transactions::atomically;
use domain::memory::exchange::{CRASH_TRIES, Gathering, retry_delay_ms};
use domain::settings::Settings;
use ports::store::operate::inbox::QueuedExchange;

/// Exchanges taken from the queue at a time.
const BATCH: u32 = 32;
/// How long the status of a learned exchange can be queried, in milliseconds.
const LEARNED_KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// Entries of the change sequence that are kept for processes that look rarely; a process further behind reads everything again.
const CHANGES_KEPT: i64 = 10_000;
/// How long a parked exchange keeps its text, in milliseconds.
const PARKED_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Result of an attempt at some exchanges.
#[derive(Default)]
struct Round {
    /// Number that left the queue, learned or parked.
    settled: usize,
    /// The rest waits, as all exchanges do, because the provider is away or the budget is used up.
    away: bool,
}

/// A due exchange, and its text in flight.
type InTurn = (QueuedExchange, Hold);

impl Learning {
    /// Learns due exchanges. Returns how many left the queue; 0: nothing to do now. On a stop it finishes what it is reading and
    /// leaves the rest in the queue. Exchanges of different users may be read at the same time; those of one user are learned in
    /// order, and a model is asked once about several of them ([`Gathering`]).
    ///
    /// While the provider is away, one exchange is tried after each pause, another one each time. While the budget of the day is
    /// used up, none is tried if the settings say to wait for the next budget.
    pub async fn learn_due(&self, stop: &CancellationToken) -> Result<usize> {
        let now = self.clock.now();
        let away = self.provider.asked_again_at();
        if away.is_some_and(|again_at| self.clock.steady() < again_at) {
            return Ok(0);
        }
        if self.model_budget.waits_for_budget().await?.is_some() {
            return Ok(0);
        }
        let gathering = self.gathering();
        let due = self.store.due_exchanges(now, if away.is_some() { 1 } else { BATCH }, gathering).await?;
        let held = due.into_iter().map(|queued| {
            let hold = self.in_flight.hold(&queued.exchange, queued.epoch);
            (queued, hold)
        });
        let turns = stream::iter(by_user(held.collect())).map(|own| self.learn_in_order(own, gathering, stop));
        // All users are finished before an error is returned, so that what was read is kept.
        let settled: Vec<Result<usize>> = turns.buffer_unordered(self.extractor.at_once()).collect().await;
        settled.into_iter().sum()
    }

    /// Returns how exchanges wait for each other: only if reading them together saves a question.
    fn gathering(&self) -> Gathering {
        if !self.extractor.gathers() {
            return Gathering::NONE;
        }
        let settings = self.settings.get();
        Gathering {
            exchanges: settings.learn_batch_exchanges,
            bytes: Gathering::MOST_BYTES,
            idle_ms: i64::from(settings.learn_batch_idle) * 1000,
        }
    }

    async fn learn_in_order(&self, own: Vec<InTurn>, gathering: Gathering, stop: &CancellationToken) -> Result<usize> {
        let (mut settled, mut rest) = (0, own.as_slice());
        while !rest.is_empty() && !stop.is_cancelled() && !self.provider.wants_rest(self.clock.steady()) {
            let queue = rest.iter().map(|(queued, _)| (&queued.exchange, queued.tries));
            let (together, later) = rest.split_at(gathering.together(queue));
            let round = self.learn_together(together).await?;
            settled += round.settled;
            if round.away {
                break;
            }
            rest = later;
        }
        Ok(settled)
    }

    /// Cleans up the inbox: old replies, learned rows, parked text.
    pub async fn purge_inbox(&self) -> Result<()> {
        let now = self.clock.now();
        let (learned, parked) = (now.plus_ms(-LEARNED_KEPT_MS), now.plus_ms(-PARKED_KEPT_MS));
        atomically!(self.store.as_ref(), |tx| {
            tx.purge_inbox(learned, parked).await?;
            Ok(tx.trim_changes(CHANGES_KEPT).await?)
        })
        .await
    }

    /// Reads one exchange, or several of one user with one question, and keeps the lesson of each, in their order. If the
    /// question fails, each of them is tried again alone.
    async fn learn_together(&self, together: &[InTurn]) -> Result<Round> {
        let settings = self.settings.get();
        let mut round = Round::default();
        let (queued, texts) = self.begin_each(together, &settings, &mut round).await?;
        if queued.is_empty() {
            return Ok(round);
        }
        // A rule that panics on one text must not stop the learner: the exchanges are tried again, and finally parked.
        let Extracted { known, found } = match AssertUnwindSafe(self.lessons.extracted(&texts, &settings)).catch_unwind().await {
            Ok(Ok(extracted)) => extracted,
            unread => {
                let unread = unread.map_or_else(|_| Unread::panicked(), |unread| unread.err().unwrap_or_else(Unread::panicked));
                self.leave(&queued, unread, &mut round).await?;
                return Ok(round);
            }
        };
        for (place, (text, extraction)) in texts.iter().zip(found).enumerate() {
            let one = queued[place];
            let kept = AssertUnwindSafe(async {
                match self.lessons.checked(text, extraction, &known, &settings).await {
                    Ok(lesson) => self.keep(one, &lesson, &settings).await.map(Ok),
                    Err(unread) => Ok(Err(unread)),
                }
            });
            match kept.catch_unwind().await {
                Ok(Ok(Ok(()))) => round.settled += 1,
                Ok(Ok(Err(unread))) => self.leave(&[one], unread, &mut round).await?,
                Err(_) => self.leave(&[one], Unread::panicked(), &mut round).await?,
                // Reading succeeded and storing failed. That is not the fault of an exchange, so no attempt is counted.
                Ok(Err(error)) => {
                    for unkept in &queued[place..] {
                        let _ = self.postpone(unkept, unkept.tries, self.clock.now()).await;
                    }
                    return Err(error);
                }
            }
        }
        Ok(round)
    }

    /// Begins an attempt at each exchange that may be read now.
    async fn begin_each<'a>(
        &self,
        together: &'a [InTurn],
        settings: &Settings,
        round: &mut Round,
    ) -> Result<(Vec<&'a QueuedExchange>, Vec<InReading<'a>>)> {
        let mut ready = Vec::with_capacity(together.len());
        for (queued, hold) in together {
            if queued.tries >= CRASH_TRIES {
                round.settled += usize::from(self.park(queued, "ended_the_process").await?);
            } else if let Some(token) = self.unfinished.begin(&queued.id) {
                ready.push((queued, hold, token));
            } else {
                // The earlier reading still hangs. Another would hang too, and block other exchanges.
                round.settled += usize::from(self.put_back(queued, TOO_LONG).await?);
            }
        }
        let terms = self.begin(ready.iter().map(|(queued, ..)| *queued).collect()).await?;
        let begun = ready.into_iter().zip(terms).filter_map(|((queued, hold, token), team)| {
            Some((queued, InReading::new(&queued.exchange, settings, team?, token, hold)))
        });
        Ok(begun.unzip())
    }

    /// Postpones or parks exchanges that could not be read this time.
    async fn leave(&self, queued: &[&QueuedExchange], unread: Unread, round: &mut Round) -> Result<()> {
        let Unread { reason, fault, cause } = unread;
        let now = self.clock.now();
        if !matches!(fault, Fault::Budget) {
            tracing::warn!(reason, exchanges = queued.len(), cause = chain(&cause), "exchanges could not be learned this time");
        }
        round.away |= matches!(fault, Fault::Provider(_) | Fault::Budget);
        if let Fault::Provider(how) = fault {
            return self.wait_for_provider(queued, reason, how).await;
        }
        for one in queued {
            match fault {
                Fault::Exchange => round.settled += usize::from(self.put_back(one, reason).await?),
                Fault::Budget => self.postpone(one, one.tries, now).await?,
                Fault::Others | Fault::Provider(_) => self.postpone(one, one.tries, now.plus_ms(retry_delay_ms(1))).await?,
            }
        }
        Ok(())
    }

    /// Counts an attempt at each exchange. Returns for each whether it may still teach the team; `None`: it must not be read now,
    /// because it is no longer in the queue, or its user is being erased.
    async fn begin(&self, queued: Vec<&QueuedExchange>) -> Result<Vec<Option<bool>>> {
        let digest = |queued: &&QueuedExchange| queued.exchange.user.as_ref().map(|user| self.digester.user(user));
        let digests: Vec<Option<String>> = queued.iter().map(digest).collect();
        atomically!(self.store.as_ref(), [queued, digests], |tx| {
            let mut terms = Vec::with_capacity(queued.len());
            for (queued, digest) in queued.iter().zip(digests) {
                let erased = match digest {
                    Some(digest) => tx.known_fence(digest).await?.1,
                    None => false,
                };
                let begun = !erased && tx.begin_exchange(&queued.id).await?;
                terms.push(if begun { tx.exchange_terms(&queued.id).await?.map(|(_, team)| team) } else { None });
            }
            Ok(terms)
        })
        .await
    }
}

/// Groups due exchanges by user, each user's in order, the shortest groups first, so that no one waits for another user's
/// hundred.
fn by_user(due: Vec<InTurn>) -> Vec<Vec<InTurn>> {
    let mut turns: Vec<Vec<InTurn>> = Vec::new();
    for exchange in due {
        match turns.iter_mut().find(|own| own[0].0.exchange.user == exchange.0.exchange.user) {
            Some(own) => own.push(exchange),
            None => turns.push(vec![exchange]),
        }
    }
    turns.sort_by_key(Vec::len);
    turns
}
