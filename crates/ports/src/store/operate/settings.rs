//! Live settings, their history, and similarities of past writes relative to a threshold.
//!
//! Similarities are returned as bare numbers, without the memory or fact they were measured on.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::moment::Moment;

/// A stored setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSetting {
    pub key: String,
    /// JSON.
    pub value: String,
    pub version: i64,
}

/// The threshold that a similarity was measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Personal,
    Global,
    Correction,
    Change,
    Related,
    /// Recall: found by meaning alone, or kept out by the cut-off.
    Recall,
}

impl Measure {
    pub const ALL: [Self; 6] = [Self::Personal, Self::Global, Self::Correction, Self::Change, Self::Related, Self::Recall];

    /// The key of the setting for this threshold.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Personal => "merge.personal",
            Self::Global => "merge.global",
            Self::Correction => "merge.correction",
            Self::Change => "merge.change",
            Self::Related => "merge.related",
            Self::Recall => "recall.min_similarity",
        }
    }

    #[must_use]
    pub fn of(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.key() == key)
    }
}

/// One entry of the settings history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    pub seq: i64,
    /// Shared by settings that were changed together; `None` on rows older than this column.
    pub change_id: Option<String>,
    pub key: String,
    /// JSON.
    pub old: Option<String>,
    pub new: String,
    /// The version that this change created.
    pub version: i64,
    /// Operator id, `cli` or `system`.
    pub by: String,
    pub at: Moment,
}

#[async_trait]
pub trait SettingReads: Send + Sync {
    async fn stored_settings(&self) -> Result<Vec<StoredSetting>, StoreError>;

    /// Entries before `before`, newest first.
    async fn settings_history(&self, before: Option<i64>, limit: u32) -> Result<Vec<SettingChange>, StoreError>;

    /// The newest change of each setting that was ever changed.
    async fn last_changes(&self) -> Result<Vec<SettingChange>, StoreError>;

    /// The change that created this version of a setting.
    async fn setting_version(&self, key: &str, version: i64) -> Result<Option<SettingChange>, StoreError>;

    /// Similarities of writes since then that reached this threshold: merges, corrections, flagged contradictions.
    async fn passed(&self, measure: Measure, since: Moment) -> Result<Vec<f64>, StoreError>;

    /// Writes since then that stayed separate, grouped by their similarity to the nearest in hundredths: `(hundredth, writes)`.
    async fn near_misses(&self, measure: Measure, since: Moment) -> Result<Vec<(u8, i64)>, StoreError>;
}

#[async_trait]
pub trait SettingWrites: Send {
    async fn setting(&mut self, key: &str) -> Result<Option<StoredSetting>, StoreError>;

    /// Writes the value and its history entry. Settings changed together share a change id.
    async fn write_setting(
        &mut self,
        new: &StoredSetting,
        old: Option<&str>,
        by: &str,
        change_id: &str,
        at: Moment,
    ) -> Result<(), StoreError>;

    /// Counts writes that stayed separate; `hundredth` is 0 when nothing was near.
    async fn count_near_miss(&mut self, measure: Measure, at: Moment, hundredth: u8, times: i64) -> Result<(), StoreError>;
}
