//! The clock of the arrival batches: statements for the team, news of them, and uses of single-user keys wait for the end of a
//! batch.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::moment::Moment;

/// Divides time into batches of one length.
pub struct ArrivalBatch {
    /// Zero: nothing waits.
    length: Duration,
    /// When the batch began, by the steady clock.
    began: Mutex<Option<Moment>>,
    /// A batch has ended, and its news has not been sent yet.
    ended: AtomicBool,
}

impl ArrivalBatch {
    #[must_use]
    pub fn new(length: Duration) -> Self {
        Self { length, began: Mutex::default(), ended: AtomicBool::new(false) }
    }

    #[must_use]
    pub fn length(&self) -> Duration {
        self.length
    }

    /// In milliseconds; `None`: nothing waits.
    #[must_use]
    pub fn length_ms(&self) -> Option<i64> {
        i64::try_from(self.length.as_millis()).ok().filter(|ms| *ms > 0)
    }

    /// Whether the batch has ended at this moment of the steady clock; if so, the next one begins.
    pub(crate) fn ends(&self, now: Moment) -> bool {
        let mut began = self.began.lock().unwrap_or_else(PoisonError::into_inner);
        let over = now.0 >= began.get_or_insert(now).0.saturating_add(self.length_ms().unwrap_or(0));
        if over {
            *began = Some(now);
        }
        over
    }

    /// Allows news of the batch to be sent.
    pub(crate) fn release(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether news may be sent; `true` only once for each batch, unless nothing waits.
    pub(crate) fn is_released(&self) -> bool {
        self.length_ms().is_none() || self.ended.swap(false, Ordering::Relaxed)
    }
}
