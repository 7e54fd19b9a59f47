//! History of one fact, in SQLite.

use async_trait::async_trait;

use crate::sqlite::operate::audit::audit_row;
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::facts::history::{HistoryReads, HistoryWrites};
use ports::store::operate::audit::AuditRow;

const RECALLS: &str = "SELECT surface, SUM(recalls) FROM fact_recalls WHERE fact_id = ?1 AND day >= ?2 \
                       GROUP BY surface ORDER BY 2 DESC, surface";
const BY_DAY: &str = "SELECT day, SUM(recalls) FROM fact_recalls WHERE fact_id = ?1 AND day >= ?2 GROUP BY day ORDER BY day";
const AUDIT_OF: &str = "SELECT * FROM audit WHERE target = ?1 ORDER BY seq DESC LIMIT ?2";
const RESOLVE_PAIR: &str = "UPDATE contradictions SET resolved_at = ?3 WHERE fact_a = ?1 AND fact_b = ?2 AND resolved_at IS NULL";

#[async_trait]
impl HistoryReads for SqliteStore {
    async fn recalls_by_surface(&self, id: &str, since: Moment) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sqlx::query_as(RECALLS).bind(id).bind(since.day()).fetch_all(&self.readers).await?)
    }

    async fn recalls_by_day(&self, id: &str, since: Moment) -> Result<Vec<(i64, i64)>, StoreError> {
        Ok(sqlx::query_as(BY_DAY).bind(id).bind(since.day()).fetch_all(&self.readers).await?)
    }

    async fn audit_of(&self, target: &str, limit: u32) -> Result<Vec<AuditRow>, StoreError> {
        sqlx::query(AUDIT_OF).bind(target).bind(limit).fetch_all(&self.readers).await?.iter().map(audit_row).collect()
    }
}

#[async_trait]
impl HistoryWrites for SqliteTx<'_> {
    async fn resolve_pair(&mut self, a: &str, b: &str, at: Moment) -> Result<bool, StoreError> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let done = sqlx::query(RESOLVE_PAIR).bind(a).bind(b).bind(at.0).execute(&mut *self.tx).await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        self.fact_changed(a).await?;
        self.fact_changed(b).await?;
        Ok(true)
    }
}
