//! Data for statistics. Nothing here counts rows: the store maintains totals and daily changes as rows are added and removed, so
//! a query takes as long on a full database as on an empty one.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::Origin;
use domain::insight::stats::{DayCount, StatsRange};
use domain::memory::MemoryKind;
use domain::moment::Moment;

/// Current number of rows; kinds and states without rows may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    pub memories: Vec<(MemoryKind, i64)>,
    pub facts: Vec<(FactStatus, FactKind, i64)>,
}

impl Totals {
    #[must_use]
    pub fn personal(&self) -> i64 {
        self.memories.iter().map(|(_, count)| count).sum()
    }

    /// Number of team facts in this state.
    #[must_use]
    pub fn team(&self, status: FactStatus) -> i64 {
        self.facts.iter().filter(|(of, ..)| *of == status).map(|(.., count)| count).sum()
    }
}

/// A fact and its recalls in a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecalledFact {
    pub id: String,
    pub kind: FactKind,
    pub origin: Origin,
    pub content: String,
    pub recalls: i64,
    pub last_recalled_at: Option<Moment>,
}

/// An entry of the settings history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeMark {
    pub key: String,
    pub at: Moment,
}

#[async_trait]
pub trait StatsReads: Send + Sync {
    async fn counter(&self, day: i64, name: &str) -> Result<i64, StoreError>;

    async fn totals(&self) -> Result<Totals, StoreError>;

    /// Every daily counter after `day`, oldest first.
    async fn counters_after(&self, day: i64) -> Result<Vec<DayCount>, StoreError>;

    /// The first day with a count.
    async fn first_counted_day(&self) -> Result<Option<i64>, StoreError>;

    /// The facts recalled most often in the range that ends with the store's current day, most recalled first.
    async fn most_recalled(&self, range: StatsRange, limit: u32) -> Result<Vec<RecalledFact>, StoreError>;

    async fn newest_setting_change(&self) -> Result<Option<ChangeMark>, StoreError>;

    /// The day on which removals are counted; 0 before it is first set.
    async fn present_day(&self) -> Result<i64, StoreError>;
}

#[async_trait]
pub trait StatsWrites: Send {
    async fn count(&mut self, day: i64, name: &str, by: i64) -> Result<(), StoreError>;

    /// A counter as this transaction sees it.
    async fn counted(&mut self, day: i64, name: &str) -> Result<i64, StoreError>;

    /// Sets the current day: removals are counted on it, and ranges end with it, so recalls on days that leave a range no longer
    /// count in it. Ignores days before the current one.
    async fn begin_day(&mut self, day: i64) -> Result<(), StoreError>;
}
