//! Looking through the audit log in SQLite. Which statement runs depends on the filter, so that each has an index to walk.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::record::audit_row;
use super::{SqliteStore, SqliteTx, json_ids};
use crate::domain::moment::HOUR_MS;
use crate::ports::store::StoreError;
use crate::ports::store::log::{LogFilter, LogReads, LogRow, LogWrites};

/// The filter's other conditions. Rows whose time lies before `since` end the walk an hour early, because what the system
/// did carries the hour only; the exact condition on the time follows.
macro_rules! page {
    ($which:literal) => {
        concat!(
            "SELECT a.*, r.reason FROM audit AS a LEFT JOIN audit_reasons AS r ON r.seq = a.seq WHERE ",
            $which,
            " AND a.seq < ?1 AND (?3 IS NULL OR a.action = ?3) AND (?4 IS NULL OR a.actor_id = ?4) AND a.at >= ?5 \
             AND a.seq > COALESCE((SELECT seq FROM audit WHERE at < ?6 ORDER BY at DESC, seq DESC LIMIT 1), 0) \
             ORDER BY a.seq DESC LIMIT ?2"
        )
    };
}

const ANY: &str = page!("TRUE");
const BY_ACTION: &str = page!("a.action = ?3");
const BY_ACTOR: &str = page!("a.actor_id = ?4");
const SOUGHT: &str = page!(
    "a.seq IN (SELECT seq FROM audit WHERE target = ?7 \
     UNION SELECT seq FROM audit WHERE user_digest = ?8 \
     UNION SELECT seq FROM audit WHERE actor_id IN (SELECT value FROM json_each(?9)) \
     UNION SELECT seq FROM audit_reasons WHERE reason COLLATE NOCASE >= ?10 AND reason COLLATE NOCASE < ?10 || ?11)"
);
const ABOUT: &str = "SELECT a.*, r.reason FROM audit AS a LEFT JOIN audit_reasons AS r ON r.seq = a.seq \
                     WHERE a.user_digest = ?1 AND a.seq < ?2 ORDER BY a.seq DESC LIMIT ?3";
const COUNT_ABOUT: &str = "SELECT COUNT(*) FROM audit WHERE user_digest = ?1";
const KEY_NAMES: &str = "SELECT id, name FROM keys WHERE id IN (SELECT value FROM json_each(?1))";
const KEEP_REASON: &str = "INSERT INTO audit_reasons (seq, reason) VALUES (?1, ?2)";

#[async_trait]
impl LogReads for SqliteStore {
    async fn audit_page(&self, filter: &LogFilter, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        let statement = match filter {
            LogFilter { sought: Some(_), .. } => SOUGHT,
            LogFilter { action: Some(_), .. } => BY_ACTION,
            LogFilter { actor: Some(_), .. } => BY_ACTOR,
            _ => ANY,
        };
        let since = filter.since.map_or(0, |since| since.0);
        let mut query = sqlx::query(statement)
            .bind(filter.before.unwrap_or(i64::MAX))
            .bind(limit)
            .bind(&filter.action)
            .bind(&filter.actor)
            .bind(since)
            .bind(since - HOUR_MS);
        if let Some(sought) = &filter.sought {
            query = query
                .bind(&sought.target)
                .bind(&sought.user_digest)
                .bind(json_ids(&sought.actors))
                .bind(&sought.reason)
                .bind(char::MAX.to_string());
        }
        query.fetch_all(&self.readers).await?.iter().map(log_row).collect()
    }

    async fn audit_about(&self, user_digest: &str, before: Option<i64>, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        let query = sqlx::query(ABOUT).bind(user_digest).bind(before.unwrap_or(i64::MAX)).bind(limit);
        query.fetch_all(&self.readers).await?.iter().map(log_row).collect()
    }

    async fn count_audit_about(&self, user_digest: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(COUNT_ABOUT).bind(user_digest).fetch_one(&self.readers).await?)
    }

    async fn key_names(&self, ids: &[String]) -> Result<Vec<(String, String)>, StoreError> {
        Ok(sqlx::query_as(KEY_NAMES).bind(json_ids(ids)).fetch_all(&self.readers).await?)
    }
}

#[async_trait]
impl LogWrites for SqliteTx<'_> {
    async fn keep_reason(&mut self, seq: i64, reason: &str) -> Result<(), StoreError> {
        sqlx::query(KEEP_REASON).bind(seq).bind(reason).execute(&mut *self.tx).await?;
        Ok(())
    }
}

fn log_row(row: &SqliteRow) -> Result<LogRow, StoreError> {
    Ok(LogRow { row: audit_row(row)?, reason: row.try_get("reason")? })
}
