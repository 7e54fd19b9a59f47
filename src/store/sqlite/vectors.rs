//! Vectors and their texts in SQLite, for making them again.

use async_trait::async_trait;

use super::{SqliteStore, SqliteTx, blob};
use crate::ports::embedder::Vector;
use crate::ports::store::StoreError;
use crate::ports::store::vectors::{Shelf, VectorReads, VectorWrites};

const COUNT: &str = "SELECT (SELECT COUNT(*) FROM memories) + 2 * (SELECT COUNT(*) FROM memory_merges) + (SELECT COUNT(*) FROM facts) \
                     + (SELECT COUNT(*) FROM fact_merges)";
const SET_REACHED: &str = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/// The statements of a shelf, and the key under which its progress lies in `meta`.
struct Sql {
    progress: &'static str,
    beyond: &'static str,
    replace: &'static str,
}

macro_rules! shelf {
    ($table:literal, $text:literal, $vector:literal) => {
        Sql {
            progress: concat!("reembed.", $table, ".", $vector),
            beyond: concat!(
                "SELECT rowid, ", $text, " FROM ", $table,
                " WHERE rowid > (SELECT CAST(COALESCE(MAX(value), 0) AS INTEGER) FROM meta WHERE key = ?1) ORDER BY rowid LIMIT ?2"
            ),
            replace: concat!("UPDATE ", $table, " SET ", $vector, " = ?2 WHERE rowid = ?1"),
        }
    };
}

fn statements(shelf: Shelf) -> Sql {
    match shelf {
        Shelf::Memories => shelf!("memories", "content", "vector"),
        Shelf::MergesBefore => shelf!("memory_merges", "before_content", "before_vector"),
        Shelf::MergesIncoming => shelf!("memory_merges", "incoming_content", "incoming_vector"),
        Shelf::Facts => shelf!("facts", "content", "vector"),
        Shelf::FactMerges => shelf!("fact_merges", "content", "vector"),
    }
}

#[async_trait]
impl VectorReads for SqliteStore {
    async fn count_vectors(&self) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(COUNT).fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn texts_beyond(&self, of: Shelf, limit: u32) -> Result<Vec<(i64, String)>, StoreError> {
        let sql = statements(of);
        Ok(sqlx::query_as(sql.beyond).bind(sql.progress).bind(limit).fetch_all(&self.readers).await?)
    }
}

#[async_trait]
impl VectorWrites for SqliteTx<'_> {
    async fn replace_vector(&mut self, of: Shelf, row: i64, vector: &Vector) -> Result<(), StoreError> {
        sqlx::query(statements(of).replace).bind(row).bind(blob(vector)).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn set_reached(&mut self, of: Shelf, row: i64) -> Result<(), StoreError> {
        sqlx::query(SET_REACHED).bind(statements(of).progress).bind(row.to_string()).execute(&mut *self.tx).await?;
        Ok(())
    }
}
