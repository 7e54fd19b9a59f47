//! Personal memories in SQLite.

use std::collections::HashMap;

use async_trait::async_trait;
use futures::TryStreamExt;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::matrix::similarity;
use super::memory_search::search;
use super::user_cache::{Within, reading};
use super::{SqliteStore, SqliteTx, blob, corrupt, ensure_user, json_ids, user_no, vector, words};
use crate::domain::claim::Held;
use crate::domain::memory::{Importance, MemoryKind};
use crate::domain::merging::{holds_term, trace};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::search::Found;
use crate::ports::embedder::Vector;
use crate::ports::store::StoreError;
use crate::ports::store::memories::{
    LastSaid, Memory, MemoryMerge, MemoryReads, MemorySearch, MemoryWrites, MergeCause, NewMemory, Page, Wording,
};

/// Bits of `memory_key` below the user number.
const SEQ_BITS: u32 = 32;

// `+user_no` in a query by ids: without the plus, SQLite prefers the index that begins with the user, and reads all of the user's rows.
const BY_IDS: &str = "SELECT * FROM memories WHERE +user_no = (SELECT user_no FROM users WHERE user_id = ?1) \
                      AND id IN (SELECT value FROM json_each(?2))";
const LIST: &str = "SELECT * FROM memories WHERE memory_key BETWEEN ?1 AND ?2 \
                    AND memory_key < COALESCE((SELECT memory_key FROM memories WHERE id = ?3 AND user_no = ?4), ?2 + 1) \
                    ORDER BY memory_key DESC LIMIT ?5";
const ONE: &str = "SELECT * FROM memories WHERE user_no = ?1 AND id = ?2";
const TEXTS: &str = "SELECT id, content FROM memories WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";
const HOLDING: &str = "SELECT id, content, vector FROM memories \
                       WHERE memory_key BETWEEN ?1 AND ?2 AND instr(lower(content), ?3) > 0";
const LAST_SAID: &str = "SELECT id, content FROM memories \
                         WHERE memory_key BETWEEN ?1 AND ?2 AND updated_at BETWEEN ?3 AND ?4 \
                         AND (?5 IS NULL OR (source_thread = ?5 AND surface = ?6) OR (updated_at > created_at AND updated_at >= ?7)) \
                         ORDER BY updated_at DESC, memory_key DESC LIMIT 1";
const HELD_TEXTS: &str = "SELECT DISTINCT content FROM memories \
                          WHERE memory_key BETWEEN ?1 AND ?2 AND content IN (SELECT value FROM json_each(?3))";
const ALL_TEXTS: &str = "SELECT id, content FROM memories WHERE memory_key BETWEEN ?1 AND ?2 ORDER BY memory_key";
const NEXT_KEY: &str = "SELECT COALESCE(MAX(memory_key), ?1) + 1 FROM memories WHERE memory_key BETWEEN ?1 AND ?2";
const INSERT: &str = "INSERT INTO memories (memory_key, id, user_no, importance, updated_at, vector, kind, content, surface, \
                      source_thread, created_at, words) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?5, ?11)";
const REWORD: &str = "UPDATE memories SET kind = ?3, content = ?4, importance = ?5, vector = ?6, updated_at = ?7, words = ?8 \
                      WHERE user_no = ?1 AND id = ?2";
const DELETE: &str = "DELETE FROM memories WHERE user_no = ?1 AND id = ?2";
const RECORD_MERGE: &str = "INSERT INTO memory_merges (id, memory_key, cause, in_talk, similarity, merged_at, before_kind, \
                            before_content, before_importance, before_vector, before_updated_at, incoming_kind, \
                            incoming_content, incoming_importance, incoming_vector) \
                            SELECT ?3, memory_key, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16 \
                            FROM memories WHERE user_no = ?1 AND id = ?2";
const MERGES_OF: &str = "SELECT g.* FROM memory_merges AS g JOIN memories AS m USING (memory_key) \
                         WHERE m.user_no = ?1 AND m.id = ?2 ORDER BY g.rowid DESC";
const FORGET_MERGE: &str =
    "DELETE FROM memory_merges WHERE id = ?2 AND memory_key IN (SELECT memory_key FROM memories WHERE user_no = ?1)";
const COUNT_RECALLS: &str = "UPDATE memories SET recall_count = recall_count + 1, last_recalled_at = ?3 \
                             WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";

/// First and last possible key of a user's rows; the first is never used.
pub(super) fn key_range(user_no: i64) -> (i64, i64) {
    (user_no << SEQ_BITS, ((user_no + 1) << SEQ_BITS) - 1)
}

#[async_trait]
impl MemoryReads for SqliteStore {
    async fn search_memories(&self, user: &UserId, question: &MemorySearch<'_>, limit: usize) -> Result<Found, StoreError> {
        let rows = self.users.rows(&mut *self.readers.acquire().await?, user).await?;
        Ok(rows.map(|rows| search(&reading(&rows), question, limit)).unwrap_or_default())
    }

    async fn memories_by_id(&self, user: &UserId, ids: &[String]) -> Result<Vec<Memory>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        sqlx::query(BY_IDS).bind(user.as_str()).bind(json_ids(ids)).fetch_all(&self.readers).await?.iter().map(memory).collect()
    }

    async fn list_memories(&self, user: &UserId, page: &Page) -> Result<Vec<Memory>, StoreError> {
        let mut conn = self.readers.acquire().await?;
        let Some(no) = user_no(&mut conn, user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, high) = key_range(no);
        let query = sqlx::query(LIST).bind(low).bind(high).bind(page.after.as_deref()).bind(no).bind(page.limit);
        query.fetch_all(&mut *conn).await?.iter().map(memory).collect()
    }
}

#[async_trait]
impl MemoryWrites for SqliteTx<'_> {
    async fn near_memories(&mut self, user: &UserId, query: &[f32], limit: usize) -> Result<Vec<Held>, StoreError> {
        let held = self.store.users.rows(&mut *self.store.readers.acquire().await?, user).await?;
        let Some(rows) = Within::of(held, &mut self.tx, user).await? else { return Ok(Vec::new()) };
        let near = rows.nearest(query, limit);
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let ids: Vec<String> = near.iter().map(|(_, id)| id.clone()).collect();
        let texts: Vec<(String, String)> = sqlx::query_as(TEXTS).bind(no).bind(json_ids(&ids)).fetch_all(&mut *self.tx).await?;
        let mut texts: HashMap<String, String> = texts.into_iter().collect();
        let held = |(similarity, id): (f64, String)| Some(Held { text: texts.remove(&id)?, id, similarity });
        Ok(near.into_iter().filter_map(held).collect())
    }

    async fn memories_holding(
        &mut self,
        user: &UserId,
        term: &str,
        query: &[f32],
        limit: usize,
    ) -> Result<Vec<Held>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, high) = key_range(no);
        let mut holding = Vec::new();
        let mut rows = sqlx::query(HOLDING).bind(low).bind(high).bind(trace(term)).fetch(&mut *self.tx);
        while let Some(row) = rows.try_next().await? {
            let text: String = row.try_get("content")?;
            if holds_term(&text, term) {
                let similarity = similarity(&vector(&row, "vector")?, query);
                holding.push(Held { id: row.try_get("id")?, text, similarity });
            }
        }
        holding.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| a.id.cmp(&b.id)));
        holding.truncate(limit);
        Ok(holding)
    }

    async fn last_said(&mut self, user: &UserId, said: &LastSaid<'_>) -> Result<Option<Held>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(None) };
        let (low, high) = key_range(no);
        let found: Option<(String, String)> = sqlx::query_as(LAST_SAID)
            .bind(low)
            .bind(high)
            .bind(said.since.0)
            .bind(said.until.0)
            .bind(said.thread)
            .bind(said.surface.as_str())
            .bind(said.reworded_since.0)
            .fetch_optional(&mut *self.tx)
            .await?;
        Ok(found.map(|(id, text)| Held { id, text, similarity: 1.0 }))
    }

    async fn texts_held(&mut self, user: &UserId, texts: &[String]) -> Result<Vec<String>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, high) = key_range(no);
        Ok(sqlx::query_scalar(HELD_TEXTS).bind(low).bind(high).bind(json_ids(texts)).fetch_all(&mut *self.tx).await?)
    }

    async fn memory_texts(&mut self, user: &UserId) -> Result<Vec<(String, String)>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, high) = key_range(no);
        Ok(sqlx::query_as(ALL_TEXTS).bind(low).bind(high).fetch_all(&mut *self.tx).await?)
    }

    async fn own_memory(&mut self, user: &UserId, id: &str) -> Result<Option<(Memory, Vector)>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(None) };
        let row = sqlx::query(ONE).bind(no).bind(id).fetch_optional(&mut *self.tx).await?;
        row.map(|row| Ok((memory(&row)?, vector(&row, "vector")?))).transpose()
    }

    async fn insert_memory(&mut self, user: &UserId, new: &NewMemory) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), new.at).await?;
        let (low, high) = key_range(no);
        let key: i64 = sqlx::query_scalar(NEXT_KEY).bind(low).bind(high).fetch_one(&mut *self.tx).await?;
        let Wording { kind, content, importance, vector } = &new.wording;
        sqlx::query(INSERT)
            .bind(key)
            .bind(&new.id)
            .bind(no)
            .bind(importance.get())
            .bind(new.at.0)
            .bind(blob(vector))
            .bind(kind.as_str())
            .bind(content)
            .bind(new.surface.as_str())
            .bind(&new.thread)
            .bind(words(content))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn reword_memory(&mut self, user: &UserId, id: &str, wording: &Wording, at: Moment) -> Result<bool, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let done = sqlx::query(REWORD)
            .bind(no)
            .bind(id)
            .bind(wording.kind.as_str())
            .bind(&wording.content)
            .bind(wording.importance.get())
            .bind(blob(&wording.vector))
            .bind(at.0)
            .bind(words(&wording.content))
            .execute(&mut *self.tx)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn delete_memory(&mut self, user: &UserId, id: &str) -> Result<bool, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(sqlx::query(DELETE).bind(no).bind(id).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn record_merge(&mut self, user: &UserId, merge: &MemoryMerge) -> Result<(), StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        sqlx::query(RECORD_MERGE)
            .bind(no)
            .bind(&merge.memory_id)
            .bind(&merge.id)
            .bind(cause_name(merge.cause))
            .bind(merge.cause == MergeCause::Change)
            .bind(merge.similarity)
            .bind(merge.at.0)
            .bind(merge.before.kind.as_str())
            .bind(&merge.before.content)
            .bind(merge.before.importance.get())
            .bind(blob(&merge.before.vector))
            .bind(merge.before_updated_at.0)
            .bind(merge.incoming.kind.as_str())
            .bind(&merge.incoming.content)
            .bind(merge.incoming.importance.get())
            .bind(blob(&merge.incoming.vector))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn merges_of(&mut self, user: &UserId, memory_id: &str) -> Result<Vec<MemoryMerge>, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let rows = sqlx::query(MERGES_OF).bind(no).bind(memory_id).fetch_all(&mut *self.tx).await?;
        rows.iter().map(|row| merge(row, memory_id)).collect()
    }

    async fn forget_merge(&mut self, user: &UserId, merge_id: &str) -> Result<bool, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(sqlx::query(FORGET_MERGE).bind(no).bind(merge_id).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn count_memory_recalls(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        sqlx::query(COUNT_RECALLS).bind(no).bind(json_ids(ids)).bind(at.0).execute(&mut *self.tx).await?;
        Ok(())
    }
}

fn memory(row: &SqliteRow) -> Result<Memory, StoreError> {
    Ok(Memory {
        id: row.try_get("id")?,
        kind: MemoryKind::parse(row.try_get("kind")?).map_err(corrupt)?,
        content: row.try_get("content")?,
        importance: Importance::new(row.try_get("importance")?).map_err(corrupt)?,
        surface: row.try_get("surface")?,
        thread: row.try_get("source_thread")?,
        recall_count: row.try_get("recall_count")?,
        last_recalled_at: row.try_get::<Option<i64>, _>("last_recalled_at")?.map(Moment),
        created_at: Moment(row.try_get("created_at")?),
        updated_at: Moment(row.try_get("updated_at")?),
    })
}

fn merge(row: &SqliteRow, memory_id: &str) -> Result<MemoryMerge, StoreError> {
    let cause = match (row.try_get::<&str, _>("cause")?, row.try_get("in_talk")?) {
        ("merge", _) => MergeCause::Merge,
        (_, true) => MergeCause::Change,
        (_, false) => MergeCause::Correction,
    };
    Ok(MemoryMerge {
        id: row.try_get("id")?,
        memory_id: memory_id.to_owned(),
        cause,
        similarity: row.try_get("similarity")?,
        at: Moment(row.try_get("merged_at")?),
        before: Wording {
            kind: MemoryKind::parse(row.try_get("before_kind")?).map_err(corrupt)?,
            content: row.try_get("before_content")?,
            importance: Importance::new(row.try_get("before_importance")?).map_err(corrupt)?,
            vector: vector(row, "before_vector")?,
        },
        before_updated_at: Moment(row.try_get("before_updated_at")?),
        incoming: Wording {
            kind: MemoryKind::parse(row.try_get("incoming_kind")?).map_err(corrupt)?,
            content: row.try_get("incoming_content")?,
            importance: Importance::new(row.try_get("incoming_importance")?).map_err(corrupt)?,
            vector: vector(row, "incoming_vector")?,
        },
    })
}

fn cause_name(cause: MergeCause) -> &'static str {
    match cause {
        MergeCause::Merge => "merge",
        MergeCause::Correction | MergeCause::Change => "correction",
    }
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;

    #[tokio::test]
    async fn what_is_asked_for_by_id_is_found_by_id() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        for sql in [BY_IDS, ONE, TEXTS, REWORD, DELETE, COUNT_RECALLS] {
            let plan =
                sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(&store.writer).await.expect("read");
            let steps: Vec<String> = plan.iter().map(|step| step.get("detail")).collect();
            assert!(steps.iter().any(|step| step.starts_with("SEARCH memories") && step.ends_with("(id=?)")), "{sql}: {steps:?}");
        }
    }
}
