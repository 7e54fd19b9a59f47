//! Settings, their history, and the data for tuning, in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::values::corrupt;
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::operate::settings::{Measure, SettingChange, SettingReads, SettingWrites, StoredSetting};

const SETTINGS: &str = "SELECT key, value, version FROM settings ORDER BY key";
const SETTING: &str = "SELECT key, value, version FROM settings WHERE key = ?1";
const WRITE_SETTING: &str = "INSERT INTO settings (key, value, version) VALUES (?1, ?2, ?3) \
                             ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version";
const WRITE_HISTORY: &str = "INSERT INTO settings_history (key, old_value, new_value, version, changed_by, changed_at, change_id) \
                             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const NOTE_SETTINGS: &str = "INSERT INTO changes (topic, target) VALUES ('settings', ?1)";
const HISTORY: &str = "SELECT * FROM settings_history WHERE ?1 IS NULL OR seq < ?1 ORDER BY seq DESC LIMIT ?2";
const LAST: &str = "SELECT * FROM settings_history WHERE seq IN (SELECT MAX(seq) FROM settings_history GROUP BY key)";
const VERSION: &str = "SELECT * FROM settings_history WHERE key = ?1 AND version = ?2 ORDER BY seq DESC LIMIT 1";
const MEMORIES_MERGED: &str =
    "SELECT similarity FROM memory_merges WHERE cause = ?1 AND in_talk = ?2 AND NOT edited AND merged_at >= ?3";
const FACTS_MERGED: &str = "SELECT similarity FROM fact_merges WHERE day >= ?1";
const FLAGGED: &str = "SELECT similarity FROM contradictions WHERE flagged_at >= ?1";
const NEAR_MISSES: &str = "SELECT hundredth, SUM(writes) FROM near_misses WHERE measure = ?1 AND day >= ?2 GROUP BY hundredth";
const COUNT_NEAR_MISS: &str = "INSERT INTO near_misses (measure, day, hundredth, writes) VALUES (?1, ?2, ?3, ?4) \
                               ON CONFLICT (measure, day, hundredth) DO UPDATE SET writes = writes + excluded.writes";

#[async_trait]
impl SettingReads for SqliteStore {
    async fn stored_settings(&self) -> Result<Vec<StoredSetting>, StoreError> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as(SETTINGS).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(setting).collect())
    }

    async fn settings_history(&self, before: Option<i64>, limit: u32) -> Result<Vec<SettingChange>, StoreError> {
        sqlx::query(HISTORY).bind(before).bind(limit).fetch_all(&self.readers).await?.iter().map(change).collect()
    }

    async fn last_changes(&self) -> Result<Vec<SettingChange>, StoreError> {
        sqlx::query(LAST).fetch_all(&self.readers).await?.iter().map(change).collect()
    }

    async fn setting_version(&self, key: &str, version: i64) -> Result<Option<SettingChange>, StoreError> {
        let row = sqlx::query(VERSION).bind(key).bind(version).fetch_optional(&self.readers).await?;
        row.as_ref().map(change).transpose()
    }

    async fn passed(&self, measure: Measure, since: Moment) -> Result<Vec<f64>, StoreError> {
        let query = match measure {
            Measure::Personal => sqlx::query_scalar(MEMORIES_MERGED).bind("merge").bind(false).bind(since.0),
            Measure::Correction => sqlx::query_scalar(MEMORIES_MERGED).bind("correction").bind(false).bind(since.0),
            Measure::Change => sqlx::query_scalar(MEMORIES_MERGED).bind("correction").bind(true).bind(since.0),
            Measure::Global => sqlx::query_scalar(FACTS_MERGED).bind(since.day()),
            Measure::Related => sqlx::query_scalar(FLAGGED).bind(since.0),
            // Recall merges nothing; every similarity is among the near misses.
            Measure::Recall => return Ok(Vec::new()),
        };
        Ok(query.fetch_all(&self.readers).await?)
    }

    async fn near_misses(&self, measure: Measure, since: Moment) -> Result<Vec<(u8, i64)>, StoreError> {
        let query = sqlx::query_as(NEAR_MISSES).bind(measure.key()).bind(since.day());
        let rows: Vec<(i64, i64)> = query.fetch_all(&self.readers).await?;
        rows.into_iter().map(|(hundredth, writes)| Ok((u8::try_from(hundredth).map_err(corrupt)?, writes))).collect()
    }
}

#[async_trait]
impl SettingWrites for SqliteTx<'_> {
    async fn setting(&mut self, key: &str) -> Result<Option<StoredSetting>, StoreError> {
        let row: Option<(String, String, i64)> = sqlx::query_as(SETTING).bind(key).fetch_optional(&mut *self.tx).await?;
        Ok(row.map(setting))
    }

    async fn write_setting(
        &mut self,
        new: &StoredSetting,
        old: Option<&str>,
        by: &str,
        change_id: &str,
        at: Moment,
    ) -> Result<(), StoreError> {
        sqlx::query(WRITE_SETTING).bind(&new.key).bind(&new.value).bind(new.version).execute(&mut *self.tx).await?;
        sqlx::query(WRITE_HISTORY)
            .bind(&new.key)
            .bind(old)
            .bind(&new.value)
            .bind(new.version)
            .bind(by)
            .bind(at.0)
            .bind(change_id)
            .execute(&mut *self.tx)
            .await?;
        sqlx::query(NOTE_SETTINGS).bind(&new.key).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn count_near_miss(&mut self, measure: Measure, at: Moment, hundredth: u8, times: i64) -> Result<(), StoreError> {
        sqlx::query(COUNT_NEAR_MISS)
            .bind(measure.key())
            .bind(at.day())
            .bind(hundredth)
            .bind(times)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }
}

fn setting((key, value, version): (String, String, i64)) -> StoredSetting {
    StoredSetting { key, value, version }
}

fn change(row: &SqliteRow) -> Result<SettingChange, StoreError> {
    Ok(SettingChange {
        seq: row.try_get("seq")?,
        change_id: row.try_get("change_id")?,
        key: row.try_get("key")?,
        old: row.try_get("old_value")?,
        new: row.try_get("new_value")?,
        version: row.try_get("version")?,
        by: row.try_get("changed_by")?,
        at: Moment(row.try_get("changed_at")?),
    })
}
