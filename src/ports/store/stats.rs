//! What statistics are made of. Nothing here counts rows: the store keeps totals and daily movements as rows come and go,
//! so the answers take as long in a full database as in an empty one.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::memory::MemoryKind;
use crate::domain::moment::Moment;
use crate::domain::stats::{DayCount, Range};

/// How many rows there are now; kinds and states without a row may be left out.
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

    /// Team facts in this state.
    #[must_use]
    pub fn team(&self, status: FactStatus) -> i64 {
        self.facts.iter().filter(|(of, ..)| *of == status).map(|(.., count)| count).sum()
    }
}

/// A fact and how often it was recalled in a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecalledFact {
    pub id: String,
    pub kind: FactKind,
    pub content: String,
    pub recalls: i64,
    pub last_recalled_at: Option<Moment>,
}

/// An entry of the settings' history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    pub key: String,
    pub at: Moment,
}

#[async_trait]
pub trait StatsReads: Send + Sync {
    async fn counter(&self, day: i64, name: &str) -> Result<i64, StoreError>;

    async fn totals(&self) -> Result<Totals, StoreError>;

    /// Every daily counter of the days after `day`, oldest first.
    async fn counters_after(&self, day: i64) -> Result<Vec<DayCount>, StoreError>;

    /// The first day that anything was counted on.
    async fn first_counted_day(&self) -> Result<Option<i64>, StoreError>;

    /// The facts that were recalled most often in the range that ends with the store's present day, most first.
    async fn most_recalled(&self, range: Range, limit: u32) -> Result<Vec<RecalledFact>, StoreError>;

    async fn newest_setting_change(&self) -> Result<Option<SettingChange>, StoreError>;

    /// The day that removals are booked on; 0 before it was told.
    async fn present_day(&self) -> Result<i64, StoreError>;
}

#[async_trait]
pub trait StatsWrites: Send {
    async fn count(&mut self, day: i64, name: &str, by: i64) -> Result<(), StoreError>;

    /// From now on removals are booked on `day`, and ranges end with it: recalls of days that fall out of a range leave it.
    /// A day before the present one changes nothing.
    async fn begin_day(&mut self, day: i64) -> Result<(), StoreError>;
}
