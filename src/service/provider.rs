//! Whether the extractor's provider is away, and how exchanges wait for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::learn::Read;
use super::{Keepsake, Result};
use crate::domain::exchange::{CRASH_TRIES, away_pause_ms};
use crate::domain::moment::Moment;
use crate::ports::extractor::Absence;
use crate::ports::store::inbox::QueuedExchange;

/// Whether the extractor's provider is away.
#[derive(Default)]
pub(super) struct Provider(Mutex<Option<Away>>);

/// Since when it has been away, how often it was asked since, and when it is asked again.
#[derive(Clone, Copy)]
pub(super) struct Away {
    since: Moment,
    asked: u32,
    pub(super) again_at: Moment,
}

impl Provider {
    pub(super) fn away(&self) -> MutexGuard<'_, Option<Away>> {
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

impl Keepsake {
    /// Since when the extractor's provider has not answered; `None`: it answers, or was not asked yet.
    #[must_use]
    pub fn provider_away_since(&self) -> Option<Moment> {
        self.provider.away().map(|away| away.since)
    }

    /// A provider that is away says nothing about the exchange. If it answers others and fails on this one alone, that is the
    /// exchange's fault.
    pub(super) async fn wait_for_provider(&self, queued: &QueuedExchange, reason: &'static str, how: Absence) -> Result<Read> {
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
}
