//! Audit, counters and epochs in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{SqliteStore, SqliteTx};
use crate::domain::moment::Moment;
use crate::ports::store::StoreError;
use crate::ports::store::record::{AuditRow, RecordReads, RecordWrites};

const AUDIT_AFTER: &str = "SELECT * FROM audit WHERE seq > ?1 ORDER BY seq LIMIT ?2";
const COUNTER: &str = "SELECT value FROM daily_counters WHERE day = ?1 AND name = ?2";
const AUDIT_HEAD: &str = "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1";
const APPEND_AUDIT: &str = "INSERT INTO audit (seq, at, actor_kind, actor_id, action, target, user_digest, detail, reason_digest, \
                            prev_hash, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
const COUNT: &str = "INSERT INTO daily_counters (day, name, value) VALUES (?1, ?2, ?3) \
                     ON CONFLICT (day, name) DO UPDATE SET value = value + excluded.value";
const TRIM_CHANGES: &str = "DELETE FROM changes WHERE seq <= (SELECT MAX(seq) FROM changes) - ?1";
const EPOCH: &str = "SELECT epoch FROM epochs WHERE user_digest = ?1";
const FENCE: &str = "SELECT COALESCE((SELECT epoch FROM epochs WHERE user_digest = ?1), 0), \
                     EXISTS (SELECT 1 FROM erasures WHERE user_digest = ?1 AND status IN ('queued', 'running'))";

#[async_trait]
impl RecordReads for SqliteStore {
    async fn audit_after(&self, seq: i64, limit: u32) -> Result<Vec<AuditRow>, StoreError> {
        sqlx::query(AUDIT_AFTER).bind(seq).bind(limit).fetch_all(&self.readers).await?.iter().map(audit_row).collect()
    }

    async fn counter(&self, day: i64, name: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(COUNTER).bind(day).bind(name).fetch_optional(&self.readers).await?.unwrap_or(0))
    }

    async fn fence(&self, user_digest: &str) -> Result<(i64, bool), StoreError> {
        Ok(sqlx::query_as(FENCE).bind(user_digest).fetch_one(&self.readers).await?)
    }
}

#[async_trait]
impl RecordWrites for SqliteTx<'_> {
    async fn audit_head(&mut self) -> Result<Option<(i64, String)>, StoreError> {
        Ok(sqlx::query_as(AUDIT_HEAD).fetch_optional(&mut *self.tx).await?)
    }

    async fn append_audit(&mut self, row: &AuditRow) -> Result<(), StoreError> {
        sqlx::query(APPEND_AUDIT)
            .bind(row.seq)
            .bind(row.at.0)
            .bind(&row.actor_kind)
            .bind(&row.actor_id)
            .bind(&row.action)
            .bind(&row.target)
            .bind(&row.user_digest)
            .bind(&row.detail)
            .bind(&row.reason_digest)
            .bind(&row.prev_hash)
            .bind(&row.hash)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn count(&mut self, day: i64, name: &str, by: i64) -> Result<(), StoreError> {
        sqlx::query(COUNT).bind(day).bind(name).bind(by).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn trim_changes(&mut self, keep: i64) -> Result<(), StoreError> {
        sqlx::query(TRIM_CHANGES).bind(keep).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn epoch(&mut self, user_digest: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(EPOCH).bind(user_digest).fetch_optional(&mut *self.tx).await?.unwrap_or(0))
    }

    async fn known_fence(&mut self, user_digest: &str) -> Result<(i64, bool), StoreError> {
        Ok(sqlx::query_as(FENCE).bind(user_digest).fetch_one(&mut *self.tx).await?)
    }
}

pub(super) fn audit_row(row: &SqliteRow) -> Result<AuditRow, StoreError> {
    Ok(AuditRow {
        seq: row.try_get("seq")?,
        at: Moment(row.try_get("at")?),
        actor_kind: row.try_get("actor_kind")?,
        actor_id: row.try_get("actor_id")?,
        action: row.try_get("action")?,
        target: row.try_get("target")?,
        user_digest: row.try_get("user_digest")?,
        detail: row.try_get("detail")?,
        reason_digest: row.try_get("reason_digest")?,
        prev_hash: row.try_get("prev_hash")?,
        hash: row.try_get("hash")?,
    })
}
