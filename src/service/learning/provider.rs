//! Tracks whether the extractor's provider is away, and how exchanges wait for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::memory::exchange::{CRASH_TRIES, away_pause_ms};
use crate::domain::moment::Moment;
use crate::ports::extractor::Absence;
use crate::ports::store::operate::inbox::QueuedExchange;
use crate::service::{Keepsake, Result};

/// State of the extractor's provider: `None` inside means that it is not away.
#[derive(Default)]
pub(in crate::service) struct ProviderPresence(Mutex<Option<Away>>);

/// Since when the provider has been away, how often it was asked since, and when it is asked again.
#[derive(Clone, Copy)]
struct Away {
    since: Moment,
    asked: u32,
    /// By the steady clock.
    again_at: Moment,
    /// The provider named this time itself: no exchange is tried earlier.
    told: bool,
}

/// A provider that has not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderAway {
    pub since: Moment,
    /// The time before which it asked not to be called.
    pub not_before: Option<Moment>,
}

impl ProviderPresence {
    fn away(&self) -> MutexGuard<'_, Option<Away>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the provider answered.
    pub(in crate::service) fn answered(&self) {
        *self.away() = None;
    }

    /// When a provider that is away is asked again, by the steady clock; `None`: it is not away.
    pub(super) fn asked_again_at(&self) -> Option<Moment> {
        self.away().map(|away| away.again_at)
    }

    /// Whether the provider asked not to be called until after `steady`, a moment of the steady clock.
    pub(super) fn wants_rest(&self, steady: Moment) -> bool {
        self.away().is_some_and(|away| away.told && steady < away.again_at)
    }

    /// Notes that the provider did not answer. Returns whether it was away before, the wait until it is asked again, and the
    /// pause after that, both in milliseconds.
    fn missed(&self, how: Absence, now: Moment, steady: Moment) -> (bool, i64, i64) {
        let mut away = self.away();
        let (before, asked) = (away.is_some(), away.map_or(0, |away| away.asked));
        let pause = away_pause_ms(asked);
        let told = match how {
            // A date that the provider named is by the wall clock.
            Absence::Deferred(again) => Some(steady.plus_ms(again.from(now).0 - now.0)),
            Absence::Unreachable | Absence::Slow => None,
        };
        // A time that it named stays valid, even if other requests in flight just failed.
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

    /// Postpones exchanges that the provider did not answer. Its absence says nothing about them; if it answers others and fails
    /// on one alone, that is the fault of the exchange.
    pub(super) async fn wait_for_provider(&self, asked: &[&QueuedExchange], reason: &'static str, how: Absence) -> Result<()> {
        let now = self.clock.now();
        let (away_before, left_alone, pause) = self.provider.missed(how, now, self.clock.steady());
        // Due after the next attempt, which another exchange makes if there is one.
        let due = now.plus_ms(left_alone + pause);
        // The first exchange to miss the provider may be the cause, so its attempt counts: towards `CRASH_TRIES`, unless the
        // provider was slow.
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
