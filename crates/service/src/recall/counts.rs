//! Counts recalls after the reply is sent, so that counting never slows an answer. Counts are visible within a second; a crash
//! can lose those not yet written.

use std::sync::Arc;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::Result;
use crate::transactions::atomically;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::merging::similarity::hundredth;
use domain::moment::{DAY_MS, Moment};
use ports::store::Store;
use ports::store::operate::settings::Measure;

/// How often pending counts are written.
pub const FLUSH_EVERY: Duration = Duration::from_millis(300);

/// One recall that was answered.
pub(crate) struct RecallRecord {
    pub user: Option<UserId>,
    pub memories: Vec<String>,
    pub facts: Vec<String>,
    /// Similarities of items found by meaning alone, including those that the cut-off left out.
    pub by_meaning: Vec<f64>,
    pub surface: Surface,
    pub at: Moment,
}

/// Recalls that are not counted yet.
#[derive(Default)]
pub struct Pending(Mutex<Vec<RecallRecord>>);

/// How often each similarity, in hundredths, was found on each day.
fn by_nearness(recalled: &[RecallRecord]) -> BTreeMap<(Moment, u8), i64> {
    let mut times = BTreeMap::new();
    for recalled in recalled {
        for similarity in &recalled.by_meaning {
            *times.entry((Moment(recalled.at.day() * DAY_MS), hundredth(*similarity))).or_default() += 1;
        }
    }
    times
}

/// Counts of recalls that are not written yet.
pub struct RecallCounts {
    pub store: Arc<dyn Store>,
    pub waiting: Pending,
}

impl RecallCounts {
    pub(crate) fn count_later(&self, recalled: RecallRecord) {
        if !(recalled.memories.is_empty() && recalled.facts.is_empty() && recalled.by_meaning.is_empty()) {
            self.waiting.0.lock().unwrap_or_else(PoisonError::into_inner).push(recalled);
        }
    }

    /// How many recalls of this user are not counted yet.
    pub(crate) fn counts_waiting_for(&self, user: &UserId) -> usize {
        let waiting = self.waiting.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.iter().filter(|recalled| recalled.user.as_ref() == Some(user)).count()
    }

    /// Writes the pending counts in one transaction. Rows deleted in the meantime stay deleted.
    pub async fn flush_counts(&self) -> Result<()> {
        let waiting = std::mem::take(&mut *self.waiting.0.lock().unwrap_or_else(PoisonError::into_inner));
        if waiting.is_empty() {
            return Ok(());
        }
        atomically!(self.store.as_ref(), [waiting], |tx| {
            for ((at, hundredth), times) in by_nearness(waiting) {
                tx.count_near_miss(Measure::Recall, at, hundredth, times).await?;
            }
            for recalled in waiting {
                if let Some(user) = &recalled.user {
                    tx.count_memory_recalls(user, &recalled.memories, recalled.at).await?;
                }
                tx.count_fact_recalls(&recalled.facts, &recalled.surface, recalled.at).await?;
            }
            Ok(())
        })
        .await
    }
}
