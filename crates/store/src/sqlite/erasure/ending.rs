//! Expiry of memories in SQLite: finds them by their expiry or their age, deletes them with their ledgers, and clears their
//! remains from the files.

use std::sync::Arc;

use async_trait::async_trait;
use futures::TryStreamExt;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, TypeInfo, ValueRef};

use super::proof::BLOCK_WORDS;
use super::telling;
use crate::sqlite::values::corrupt;
use crate::sqlite::{SqliteStore, SqliteTx, user_no};
use domain::erasure::fingerprint::Finder;
use domain::erasure::inventory::table;
use domain::erasure::people::UserId;
use ports::store::StoreError;
use ports::store::erasure::proof::ProofReads;
use ports::store::memories::{EndingReads, EndingWrites, Over};

/// The keys of expired memories, of one user or of all. `?2`: kinds with the moment since which they are kept, as JSON.
macro_rules! over {
    ($what:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $what,
            " FROM (SELECT memory_key, user_no FROM memories WHERE expires_at <= ?1 \
             UNION SELECT m.memory_key, m.user_no FROM json_each(?2) AS kept CROSS JOIN memories AS m \
             ON m.kind = kept.value ->> 0 AND COALESCE(m.undone_at, m.updated_at) < kept.value ->> 1) ",
            $rest
        )
    };
}

const COUNT: &str = over!("COUNT(*)", "");
const KEYS: &str = over!("memory_key", "WHERE ?3 IS NULL OR user_no = ?3 LIMIT ?4");
const DELETE: &str = "DELETE FROM memories WHERE memory_key IN (SELECT value FROM json_each(?1))";
const REMAINS: &str = "SELECT no, needles FROM remains ORDER BY no";
const NOTE_REMAINS: &str = "INSERT INTO remains (needles) VALUES (?1)";
const FORGET_REMAINS: &str = "DELETE FROM remains WHERE no <= ?1";
/// Tables in which expired memories have rows; the second depends on the first.
const TABLES: [&str; 2] = ["memories", "memory_merges"];

#[async_trait]
impl EndingReads for SqliteStore {
    async fn count_over(&self, over: &Over) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(COUNT).bind(over.now.0).bind(kinds(over)?).fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn clear_remains(&self, search: &Arc<Finder>) -> Result<bool, StoreError> {
        self.merge_words(BLOCK_WORDS).await?;
        self.drop_caches().await?;
        if !self.empty_log().await? {
            return Ok(false);
        }
        self.scrub(search.clone()).await?;
        self.empty_log().await
    }

    async fn remains(&self) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
        Ok(sqlx::query_as(REMAINS).fetch_all(&self.readers).await?)
    }
}

#[async_trait]
impl EndingWrites for SqliteTx<'_> {
    async fn delete_over(
        &mut self,
        over: &Over,
        of: Option<&UserId>,
        limit: u32,
        visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
    ) -> Result<u64, StoreError> {
        let number = match of {
            Some(user) => match user_no(&mut self.tx, user.as_str()).await? {
                Some(number) => Some(number),
                None => return Ok(0),
            },
            None => None,
        };
        let query = sqlx::query_scalar(KEYS).bind(over.now.0).bind(kinds(over)?).bind(number).bind(limit);
        let keys: Vec<i64> = query.fetch_all(&mut *self.tx).await?;
        if keys.is_empty() {
            return Ok(0);
        }
        let keys = serde_json::to_string(&keys).map_err(corrupt)?;
        for name in TABLES {
            show(&mut self.tx, name, "memory_key", &keys, visit).await?;
        }
        Ok(sqlx::query(DELETE).bind(&keys).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn note_remains(&mut self, needles: &[u8]) -> Result<(), StoreError> {
        sqlx::query(NOTE_REMAINS).bind(needles).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn forget_remains(&mut self, last: i64) -> Result<(), StoreError> {
        sqlx::query(FORGET_REMAINS).bind(last).execute(&mut *self.tx).await?;
        Ok(())
    }
}

/// Passes every value that leaves traces to the callback, from the rows of a table whose `column` has one of these keys (JSON).
pub(in crate::sqlite) async fn show(
    conn: &mut SqliteConnection,
    name: &str,
    column: &str,
    keys: &str,
    visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
) -> Result<(), StoreError> {
    let table = table(name).ok_or_else(|| corrupt("a table that the inventory does not list"))?;
    let columns = telling(table);
    let sql = format!("SELECT {} FROM {name} WHERE {column} IN (SELECT value FROM json_each(?1))", columns.join(", "));
    let mut rows = sqlx::query(AssertSqlSafe(sql)).bind(keys).fetch(conn);
    // One at a time: together they can be large.
    while let Some(row) = rows.try_next().await? {
        for n in 0..columns.len() {
            let value = row.try_get_raw(n)?;
            if ["TEXT", "BLOB"].contains(&value.type_info().name()) && !value.is_null() {
                visit(row.try_get_unchecked::<&[u8], _>(n)?);
            }
        }
    }
    Ok(())
}

fn kinds(over: &Over) -> Result<String, StoreError> {
    let kinds: Vec<(&str, i64)> = over.kept_since.iter().map(|(kind, since)| (kind.as_str(), since.0)).collect();
    serde_json::to_string(&kinds).map_err(corrupt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_over_is_found_without_reading_every_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        for sql in [COUNT, KEYS] {
            let plan =
                sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(&store.writer).await.expect("read");
            let steps: Vec<String> = plan.iter().map(|step| step.get("detail")).collect();
            assert!(!steps.iter().any(|step| step.starts_with("SCAN memories") || step == "SCAN m"), "{sql}: {steps:?}");
            for index in ["memories_by_expiry", "memories_by_age"] {
                assert!(steps.iter().any(|step| step.contains(index)), "{index}: {steps:?}");
            }
        }
    }
}
