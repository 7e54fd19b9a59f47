//! Whether the extractor's provider is away, and how exchanges wait for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::memory::exchange::{CRASH_TRIES, away_pause_ms};
use crate::domain::moment::Moment;
use crate::ports::extractor::Absence;
use crate::ports::store::operate::inbox::QueuedExchange;
use crate::service::{Keepsake, Result};

/// Whether the extractor's provider is away.
#[derive(Default)]
pub(in crate::service) struct Provider(Mutex<Option<Away>>);

/// Since when it has been away, how often it was asked since, and when it is asked again.
#[derive(Clone, Copy)]
struct Away {
    since: Moment,
    asked: u32,
    /// By the clock that never jumps.
    again_at: Moment,
    /// It said so itself: nothing is asked before, whoever is next.
    told: bool,
}

/// A provider that has not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderAway {
    pub since: Moment,
    /// It asked not to be called before.
    pub not_before: Option<Moment>,
}

impl Provider {
    fn away(&self) -> MutexGuard<'_, Option<Away>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that it answered.
    pub(in crate::service) fn answered(&self) {
        *self.away() = None;
    }

    /// Whether it has not answered, and when it is asked again, by the clock that never jumps.
    pub(super) fn asked_again_at(&self) -> Option<Moment> {
        self.away().map(|away| away.again_at)
    }

    /// Whether it asked to be left alone until later than this moment of the clock that never jumps.
    pub(super) fn wants_rest(&self, steady: Moment) -> bool {
        self.away().is_some_and(|away| away.told && steady < away.again_at)
    }

    /// Notes that it did not answer. Returns whether it was away before, how long it is left alone, and the pause after that.
    fn missed(&self, how: Absence, now: Moment, steady: Moment) -> (bool, i64, i64) {
        let mut away = self.away();
        let (before, asked) = (away.is_some(), away.map_or(0, |away| away.asked));
        let pause = away_pause_ms(asked);
        let told = match how {
            // A day and a time that it named are by the machine's clock.
            Absence::Deferred(again) => Some(steady.plus_ms(again.from(now).0 - now.0)),
            Absence::Unreachable | Absence::Slow => None,
        };
        // What it said once holds, even if other questions that were on their way just failed.
        let held = away.filter(|away| away.told).map(|away| away.again_at);
        let wanted = told.max(held).filter(|at| *at > steady);
        let again_at = wanted.unwrap_or(steady).max(steady.plus_ms(pause));
        *away = Some(Away { since: away.map_or(now, |away| away.since), asked: asked + 1, again_at, told: wanted.is_some() });
        (before, again_at.0 - steady.0, pause)
    }
}

impl Keepsake {
    /// The extractor's provider, if it has not answered; `None`: it answers, or was not asked yet.
    #[must_use]
    pub fn provider_away(&self) -> Option<ProviderAway> {
        let away = (*self.provider.away())?;
        let (now, left) = (self.clock.now(), away.again_at.0 - self.clock.steady().0);
        Some(ProviderAway { since: away.since, not_before: (away.told && left > 0).then(|| now.plus_ms(left)) })
    }

    /// Since when the extractor's provider has not answered; `None`: it answers, or was not asked yet.
    #[must_use]
    pub fn provider_away_since(&self) -> Option<Moment> {
        self.provider_away().map(|away| away.since)
    }

    /// A provider that is away says nothing about the exchanges that it was asked about. If it answers others and fails on one alone,
    /// that is the exchange's fault.
    pub(super) async fn wait_for_provider(&self, asked: &[&QueuedExchange], reason: &'static str, how: Absence) -> Result<()> {
        let now = self.clock.now();
        let (away_before, left_alone, pause) = self.provider.missed(how, now, self.clock.steady());
        // After the next question, which another exchange asks if there is one.
        let due = now.plus_ms(left_alone + pause);
        // The first to miss the provider may be what it fails on, so that counts, if little.
        let blamed = !away_before && !matches!(how, Absence::Deferred(_));
        for queued in asked {
            let tries = queued.tries + i64::from(blamed);
            if how == Absence::Slow && blamed {
                self.put_back(queued, reason).await?;
            } else if tries >= CRASH_TRIES {
                self.park(queued, reason).await?;
            } else {
                self.postpone(queued, tries, due).await?;
            }
        }
        Ok(())
    }
}
