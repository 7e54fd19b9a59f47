//! Vectors and their texts in SQLite, for re-embedding.

use async_trait::async_trait;

use crate::sqlite::values::blob;
use crate::sqlite::{SET_META, SqliteStore, SqliteTx};
use ports::embedder::Vector;
use ports::store::StoreError;
use ports::store::memories::vectors::{Reached, VectorColumn, VectorReads, VectorWrites};

const COUNT: &str = "SELECT (SELECT COUNT(*) FROM memories) + 2 * (SELECT COUNT(*) FROM memory_merges) + (SELECT COUNT(*) FROM facts) \
                     + (SELECT COUNT(*) FROM fact_merges)";

/// The statements for a column of vectors, and the key under which its progress is stored in `meta`.
struct Sql {
    progress: &'static str,
    beyond: &'static str,
    replace: &'static str,
}

macro_rules! statements_of {
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

fn statements(column: VectorColumn) -> Sql {
    match column {
        VectorColumn::Memories => statements_of!("memories", "content", "vector"),
        VectorColumn::MergesBefore => statements_of!("memory_merges", "before_content", "before_vector"),
        VectorColumn::MergesIncoming => statements_of!("memory_merges", "incoming_content", "incoming_vector"),
        VectorColumn::Facts => statements_of!("facts", "content", "vector"),
        VectorColumn::FactMerges => statements_of!("fact_merges", "content", "vector"),
    }
}

#[async_trait]
impl VectorReads for SqliteStore {
    async fn count_vectors(&self) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(COUNT).fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn texts_beyond(&self, of: VectorColumn, limit: u32) -> Result<Vec<(Reached, String)>, StoreError> {
        let sql = statements(of);
        let query = sqlx::query_as(sql.beyond).bind(sql.progress).bind(limit);
        let rows: Vec<(i64, String)> = query.fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|(row, text)| (Reached(row), text)).collect())
    }
}

#[async_trait]
impl VectorWrites for SqliteTx<'_> {
    async fn replace_vector(&mut self, of: VectorColumn, row: Reached, vector: &Vector) -> Result<(), StoreError> {
        sqlx::query(statements(of).replace).bind(row.0).bind(blob(vector)).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn set_reached(&mut self, of: VectorColumn, row: Reached) -> Result<(), StoreError> {
        sqlx::query(SET_META).bind(statements(of).progress).bind(row.0.to_string()).execute(&mut *self.tx).await?;
        Ok(())
    }
}
