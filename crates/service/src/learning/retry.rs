//! What becomes of an exchange that could not be read this time: it waits for another attempt, or for the provider, or is parked.

use crate::Result;
use crate::learning::Learning;
use crate::learning::provider::ProviderAway;
use crate::transactions::atomically;
use domain::memory::exchange::{CRASH_TRIES, LEARN_TRIES, retry_delay_ms};
use domain::moment::Moment;
use ports::extractor::Absence;
use ports::store::operate::inbox::QueuedExchange;

impl Learning {
    /// The extractor's provider, if it has not answered; `None`: it answers, or was not asked yet.
    #[must_use]
    pub fn provider_away(&self) -> Option<ProviderAway> {
        self.provider.absence(self.clock.now(), self.clock.steady())
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

    /// Counts the attempt and postpones the exchange. Returns whether it left the queue: after the last attempt it is parked.
    pub(super) async fn put_back(&self, queued: &QueuedExchange, reason: &'static str) -> Result<bool> {
        let tries = queued.tries + 1;
        if tries >= LEARN_TRIES {
            return self.park(queued, reason).await;
        }
        self.postpone(queued, tries, self.clock.now().plus_ms(retry_delay_ms(tries))).await?;
        Ok(false)
    }

    pub(super) async fn postpone(&self, queued: &QueuedExchange, tries: i64, due: Moment) -> Result<()> {
        atomically!(self.store.as_ref(), |tx| { Ok(tx.postpone_exchange(&queued.id, tries, due).await?) }).await
    }

    /// Parks the exchange, which removes it from the queue. Always returns `true`.
    pub(super) async fn park(&self, queued: &QueuedExchange, reason: &'static str) -> Result<bool> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            tx.park_exchange(&queued.id, reason, now).await?;
            tx.count(now.day(), "exchanges.parked", 1).await?;
            Ok(true)
        })
        .await
    }
}
