//! What a process remembers of the erasures that it was told to make: whom they are about, when a proof is tried again, and how many
//! a key has ordered. Nothing of it outlives the process; the ledger does.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::access::callers::{Caller, CallerKind};
use crate::domain::erasure::people::UserId;
use crate::domain::moment::{MINUTE_MS, Moment};
use crate::domain::problem::Problem;

/// Erasures of this process that are not yet proved, with their users, so that the proof can query every read path for them.
#[derive(Default)]
pub(in crate::service) struct Orders {
    pub(in crate::service) ordered: Notify,
    whose: Mutex<HashMap<String, UserId>>,
    /// How often a proof could not be completed, and when it is tried again.
    again: Mutex<HashMap<String, (u32, Moment)>>,
    /// Held while a user's "forget everything" looks whether it was just said, and is ordered if not.
    pub(super) forgetting: tokio::sync::Mutex<()>,
    /// When each key ordered its last erasures.
    by_key: Mutex<HashMap<String, VecDeque<Moment>>>,
}

/// Pause after the first proof that could not be completed; it doubles each time.
const PROOF_PAUSE_MS: i64 = 5_000;
/// The longest pause.
const PROOF_PAUSE_MAX_MS: i64 = 5 * MINUTE_MS;
/// Erasures that one key may order in a minute: each is proved by reading everything.
const ORDERS_OF_A_KEY: usize = 60;
impl Orders {
    pub(in crate::service) fn whose(&self) -> MutexGuard<'_, HashMap<String, UserId>> {
        self.whose.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a proof may be tried now.
    pub(super) fn is_due(&self, id: &str, now: Moment) -> bool {
        self.again.lock().unwrap_or_else(PoisonError::into_inner).get(id).is_none_or(|(_, at)| now >= *at)
    }

    /// Notes that a proof has ended.
    pub(super) fn proved(&self, id: &str) {
        self.again.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.whose().remove(id);
    }

    /// Notes that a proof could not be completed, which the erasure counts itself, or failed. Each time the pause before the next try
    /// doubles.
    pub(super) fn put_off(&self, id: &str, counted: u32, now: Moment) {
        let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
        let (tries, at) = again.entry(id.to_owned()).or_default();
        *tries = counted.max(*tries);
        let pause = PROOF_PAUSE_MS.saturating_mul(1 << (*tries).min(16)).min(PROOF_PAUSE_MAX_MS);
        (*tries, *at) = (*tries + 1, now.plus_ms(pause));
    }

    /// Counts an erasure ordered by this caller; refused if there were too many in the last minute. Only keys have a limit.
    pub(in crate::service) fn count(&self, caller: &Caller, now: Moment) -> std::result::Result<(), Problem> {
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

    /// It came to nothing, so it does not count.
    pub(super) fn discount(&self, caller: &Caller, at: Moment) {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(orders) = by_key.get_mut(caller.line())
            && let Some(place) = orders.iter().rposition(|ordered| *ordered == at)
        {
            orders.remove(place);
        }
    }
}
