//! Statistics: current numbers, what happened in a range, and the current settings. Nothing here names a person.

use crate::Result;
use crate::insight::Insight;
use crate::transactions::atomically;
use access::operators::Viewer;
use domain::insight::stats::{History, StatsRange};

pub use ports::store::operate::stats::{ChangeMark, RecalledFact, Totals};

/// Length of the list of most recalled facts.
const MOST_RECALLED: u32 = 5;

impl Insight {
    /// How many memories and facts there are now, by kind and status.
    pub async fn totals(&self, _viewer: &Viewer) -> Result<Totals> {
        Ok(self.store.totals().await?)
    }

    /// Returns the counters of a range that ends today.
    pub async fn counted_in(&self, _viewer: &Viewer, range: StatsRange) -> Result<History> {
        let today = self.clock.now().day();
        let counts = self.store.counters_after(range.before(today)).await?;
        Ok(History { range, today, first: self.store.first_counted_day().await?, counts })
    }

    pub async fn most_recalled(&self, _viewer: &Viewer, range: StatsRange) -> Result<Vec<RecalledFact>> {
        Ok(self.store.most_recalled(range, MOST_RECALLED).await?)
    }

    /// The most recent change of a setting.
    pub async fn newest_setting_change(&self, _viewer: &Viewer) -> Result<Option<ChangeMark>> {
        Ok(self.store.newest_setting_change().await?)
    }

    /// Sets the store's current day, if it is not set yet.
    pub async fn begin_day(&self) -> Result<()> {
        let day = self.clock.now().day();
        if self.store.present_day().await? >= day {
            return Ok(());
        }
        atomically!(self.store.as_ref(), |tx| { Ok(tx.begin_day(day).await?) }).await
    }
}
