//! Tracks whether the extractor's provider is away, and how exchanges wait for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::memory::exchange::away_pause_ms;
use domain::moment::Moment;
use ports::extractor::Absence;

/// State of the extractor's provider: `None` inside means that it is not away.
#[derive(Default)]
pub struct ProviderPresence(Mutex<Option<Away>>);

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

    /// The provider, if it has not answered, at this moment of the clock and of the steady clock.
    pub(super) fn absence(&self, now: Moment, steady: Moment) -> Option<ProviderAway> {
        let away = (*self.away())?;
        let left = away.again_at.0 - steady.0;
        Some(ProviderAway { since: away.since, not_before: (away.told && left > 0).then(|| now.plus_ms(left)) })
    }

    /// Notes that the provider answered.
    pub(crate) fn answered(&self) {
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
    pub(super) fn missed(&self, how: Absence, now: Moment, steady: Moment) -> (bool, i64, i64) {
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
