//! Reasons why an exchange could not be read this time, and the result: it is postponed or parked.

use crate::domain::memory::exchange::{LEARN_TRIES, retry_delay_ms};
use crate::domain::moment::Moment;
use crate::ports::extractor::{Absence, ExtractError};
use crate::ports::store::atomically;
use crate::ports::store::operate::inbox::QueuedExchange;
use crate::service::reading::Late;
use crate::service::{Error, Keepsake, Result};

/// Reason of an exchange that was not read in time.
pub(super) const TOO_LONG: &str = "took_too_long";

/// Reason why an exchange could not be read this time.
pub(super) struct Unread {
    /// A short stable name.
    pub reason: &'static str,
    pub fault: Fault,
    pub cause: Error,
}

/// Cause of a failed reading.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// Perhaps the exchange itself: the attempt counts.
    Exchange,
    /// The provider is away, in this way.
    Provider(Absence),
    /// Other exchanges, or a failure elsewhere: the attempt does not count.
    Others,
    /// The budget of the day is used up.
    Budget,
}

impl Unread {
    pub(super) fn by_embedder(cause: Error) -> Self {
        Self { reason: "embedder_failed", fault: Fault::Exchange, cause }
    }

    pub(in crate::service) fn panicked() -> Self {
        Self { reason: "panicked", fault: Fault::Exchange, cause: Error::failed("reading it panicked") }
    }

    pub(in crate::service) fn let_go() -> Self {
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

impl Keepsake {
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
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move { Ok(tx.postpone_exchange(&queued.id, tries, due).await?) })
        })
        .await
    }

    /// Parks the exchange, which removes it from the queue. Always returns `true`.
    pub(super) async fn park(&self, queued: &QueuedExchange, reason: &'static str) -> Result<bool> {
        let now = self.clock.now();
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move {
                tx.park_exchange(&queued.id, reason, now).await?;
                tx.count(now.day(), "exchanges.parked", 1).await?;
                Ok(true)
            })
        })
        .await
    }
}
