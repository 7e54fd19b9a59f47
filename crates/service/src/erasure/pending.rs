//! In-memory state of pending erasures: the user, the next verification attempt, and the quota per key. It is lost when the
//! process stops; the ledger is not.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use access::callers::{Caller, CallerKind};
use domain::erasure::people::UserId;
use domain::moment::{MINUTE_MS, Moment};
use domain::problem::Problem;

/// Erasures of this process that are not verified yet, with their users, so that verification can query every read path for them.
#[derive(Default)]
pub struct Orders {
    pub(crate) ordered: Notify,
    whose: Mutex<HashMap<String, UserId>>,
    /// Number of incomplete verification attempts, and the time of the next one.
    again: Mutex<HashMap<String, (u32, Moment)>>,
    /// Held while a user's "forget everything" is checked for a repetition and ordered.
    pub(super) forgetting: tokio::sync::Mutex<()>,
    /// Times of each key's recent erasures.
    by_key: Mutex<HashMap<String, VecDeque<Moment>>>,
}

/// Pause after the first incomplete verification; it doubles each time.
const PROOF_PAUSE_MS: i64 = 5_000;
/// The longest pause.
const PROOF_PAUSE_MAX_MS: i64 = 5 * MINUTE_MS;
/// Maximum number of erasures per key and minute: each verification reads everything.
const ORDERS_OF_A_KEY: usize = 60;
impl Orders {
    pub(crate) fn whose(&self) -> MutexGuard<'_, HashMap<String, UserId>> {
        self.whose.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether verification may be tried now.
    pub(super) fn is_due(&self, id: &str, now: Moment) -> bool {
        self.again.lock().unwrap_or_else(PoisonError::into_inner).get(id).is_none_or(|(_, at)| now >= *at)
    }

    /// Records that verification has ended.
    pub(super) fn proved(&self, id: &str) {
        self.again.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.whose().remove(id);
    }

    /// Records an incomplete or failed verification, and doubles the pause before the next attempt. `counted`: incomplete
    /// attempts that the erasure has recorded itself.
    pub(super) fn put_off(&self, id: &str, counted: u32, now: Moment) {
        let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
        let (tries, at) = again.entry(id.to_owned()).or_default();
        *tries = counted.max(*tries);
        let pause = PROOF_PAUSE_MS.saturating_mul(1 << (*tries).min(16)).min(PROOF_PAUSE_MAX_MS);
        (*tries, *at) = (*tries + 1, now.plus_ms(pause));
    }

    /// Counts an erasure ordered by this caller; refuses it if there were too many in the last minute. Only keys have a limit.
    pub(crate) fn count(&self, caller: &Caller, now: Moment) -> std::result::Result<(), Problem> {
        if caller.kind() != CallerKind::Key {
            return Ok(());
        }
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        let before = now.plus_ms(-MINUTE_MS);
        by_key.retain(|_, orders| {
            orders.retain(|at| *at > before);
            !orders.is_empty()
        });
        let orders = by_key.entry(caller.line().to_owned()).or_default();
        if let Some(first) = orders.front().filter(|_| orders.len() >= ORDERS_OF_A_KEY) {
            let wait = (first.0 + MINUTE_MS - now.0).max(0) / 1_000 + 1;
            return Err(Problem::RateLimited { retry_after_s: u32::try_from(wait).unwrap_or(u32::MAX) });
        }
        orders.push_back(now);
        Ok(())
    }

    /// Removes the count of an erasure that was not ordered after all.
    pub(super) fn discount(&self, caller: &Caller, at: Moment) {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(orders) = by_key.get_mut(caller.line())
            && let Some(place) = orders.iter().rposition(|ordered| *ordered == at)
        {
            orders.remove(place);
        }
    }
}
