//! Personal memories in SQLite.

pub(super) mod rows;
pub(super) mod runs;
mod search;
mod term_lists;
pub(super) mod user_cache;
pub(super) mod vectors;

use std::collections::HashMap;

use async_trait::async_trait;
use futures::TryStreamExt;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::values::{blob, corrupt, json_ids, vector, words};
use super::{SqliteStore, SqliteTx, ensure_user, user_no};
use crate::sqlite::facts::matrix::similarity;
use crate::sqlite::memories::rows::{PLACE, key_range, said_at};
use crate::sqlite::memories::search::search;
use crate::sqlite::memories::user_cache::{UserCache, Within, reading};
use domain::erasure::people::UserId;
use domain::memory::claim::NearMemory;
use domain::memory::tags::{Labels, TagFilter};
use domain::memory::{Importance, MemoryKind};
use domain::merging::{holds_term, trace};
use domain::moment::Moment;
use domain::recall::search::SearchResult;
use ports::embedder::Vector;
use ports::store::StoreError;
use ports::store::memories::{
    LastSaid, Memory, MemoryFilter, MemoryMerge, MemoryReads, MemorySearch, MemoryWrites, MergeCause, NewMemory, Page, Place,
    Wording,
};
use ports::store::operate::inbox::SaidAt;

// `+user_no` in a query by ids: otherwise SQLite prefers the index that begins with the user, and reads all of the user's rows.
const BY_IDS: &str = concat!(
    "SELECT *, ",
    said_at!("memories"),
    " FROM memories WHERE +user_no = (SELECT user_no FROM users WHERE user_id = ?1) AND id IN (SELECT value FROM json_each(?2))"
);
/// Condition for a memory that has not expired.
macro_rules! live {
    ($now:literal) => {
        concat!("(expires_at IS NULL OR expires_at > ", $now, ")")
    };
}
const LIST: &str = concat!(
    "SELECT *, ",
    said_at!("memories"),
    " FROM memories WHERE memory_key BETWEEN ?1 AND ?2 AND ",
    live!("?4"),
    " AND NOT EXISTS (SELECT 1 FROM json_each(?5) WHERE value NOT IN (SELECT value FROM json_each(memories.tags))) \
     AND (?6 = '[]' OR EXISTS (SELECT 1 FROM json_each(?6) WHERE value IN (SELECT value FROM json_each(memories.tags)))) \
     AND NOT EXISTS (SELECT 1 FROM json_each(?7) WHERE value IN (SELECT value FROM json_each(memories.tags))) \
     ORDER BY memory_key DESC LIMIT ?3"
);
/// Memories as of `?3`: before the first change after it, if there was one.
const BY_IDS_THEN: &str = concat!(
    "SELECT m.memory_key, m.id, COALESCE(g.before_kind, m.kind) AS kind, COALESCE(g.before_content, m.content) AS content, \
     COALESCE(g.before_importance, m.importance) AS importance, m.surface, m.source_thread, m.recall_count, \
     CASE WHEN m.last_recalled_at <= ?3 THEN m.last_recalled_at END AS last_recalled_at, m.created_at, \
     COALESCE(g.before_updated_at, m.updated_at) AS updated_at, COALESCE(g.before_vector, m.vector) AS vector, \
     COALESCE(g.before_tags, m.tags) AS tags, m.expires_at, m.version, m.undone_at, ",
    said_at!("m", "?3"),
    " FROM memories AS m LEFT JOIN memory_merges AS g ON g.rowid = \
     (SELECT MIN(rowid) FROM memory_merges WHERE memory_key = m.memory_key AND merged_at > ?3) \
     WHERE +m.user_no = (SELECT user_no FROM users WHERE user_id = ?1) \
     AND m.id IN (SELECT value FROM json_each(?2)) AND m.created_at <= ?3"
);
const ONE: &str = concat!("SELECT *, ", said_at!("memories"), " FROM memories WHERE user_no = ?1 AND id = ?2");
const TEXTS: &str = "SELECT id, content, kind, created_at, updated_at FROM memories WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";
const HOLDING: &str = concat!(
    "SELECT id, content, kind, created_at, updated_at, vector FROM memories WHERE memory_key BETWEEN ?1 AND ?2 AND instr(lower(content), ?3) > 0 AND ",
    live!("?4")
);
/// An edit is not a statement: the time before the edit counts.
const LAST_SAID: &str = concat!(
    "SELECT id, content, kind, created_at, updated_at FROM (SELECT memory_key, id, content, kind, source_thread, surface, \
     created_at, updated_at, expires_at, \
     COALESCE((SELECT g.before_updated_at FROM memory_merges AS g WHERE g.memory_key = m.memory_key AND g.rowid > COALESCE(\
     (SELECT MAX(rowid) FROM memory_merges WHERE memory_key = m.memory_key AND NOT edited), 0) ORDER BY g.rowid LIMIT 1), \
     m.updated_at) AS said_at FROM memories AS m WHERE m.memory_key BETWEEN ?1 AND ?2) \
     WHERE said_at BETWEEN ?3 AND ?4 \
     AND (?5 IS NULL OR (source_thread = ?5 AND surface = ?6) OR (said_at > created_at AND said_at >= ?7)) AND ",
    live!("?4"),
    " ORDER BY said_at DESC, memory_key DESC LIMIT 1"
);
const BROUGHT_AT: &str = "SELECT id FROM memories WHERE memory_key BETWEEN ?1 AND ?2 AND surface = ?3 AND source_thread = ?4 \
                          AND created_at = ?5 AND updated_at = ?5 AND version = 1 ORDER BY memory_key";
const HELD_TEXTS: &str = concat!(
    "SELECT DISTINCT content FROM memories \
     WHERE memory_key BETWEEN ?1 AND ?2 AND content IN (SELECT value FROM json_each(?3)) AND ",
    live!("?4")
);
const ALL_TEXTS: &str = "SELECT id, content FROM memories WHERE memory_key BETWEEN ?1 AND ?2 ORDER BY memory_key";
const NEXT_KEY: &str = "SELECT COALESCE(MAX(memory_key), ?1) + 1 FROM memories WHERE memory_key BETWEEN ?1 AND ?2";
const INSERT: &str = "INSERT INTO memories (memory_key, id, user_no, importance, updated_at, vector, kind, content, surface, \
                      source_thread, created_at, words, tags, expires_at) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?5, ?11, ?12, ?13)";
const REWORD: &str = "UPDATE memories SET kind = ?3, content = ?4, importance = ?5, vector = ?6, updated_at = ?7, words = ?8, \
                      tags = ?9, expires_at = ?10, undone_at = ?11, version = version + 1 WHERE user_no = ?1 AND id = ?2";
const DELETE: &str = "DELETE FROM memories WHERE user_no = ?1 AND id = ?2";
const RECORD_MERGE: &str = "INSERT INTO memory_merges (id, memory_key, cause, in_talk, similarity, merged_at, before_kind, \
                            before_content, before_importance, before_vector, before_updated_at, incoming_kind, \
                            incoming_content, incoming_importance, incoming_vector, edited, before_tags, before_expires_at, \
                            incoming_tags, incoming_expires_at) \
                            SELECT ?3, memory_key, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21 \
                            FROM memories WHERE user_no = ?1 AND id = ?2";
const MERGES_OF: &str = "SELECT g.* FROM memory_merges AS g JOIN memories AS m USING (memory_key) \
                         WHERE m.user_no = ?1 AND m.id = ?2 ORDER BY g.rowid DESC";
const FORGET_MERGE: &str =
    "DELETE FROM memory_merges WHERE id = ?2 AND memory_key IN (SELECT memory_key FROM memories WHERE user_no = ?1)";
const COUNT_RECALLS: &str = "UPDATE memories SET recall_count = recall_count + 1, last_recalled_at = ?3 \
                             WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";

#[async_trait]
impl MemoryReads for SqliteStore {
    async fn search_memories(
        &self,
        user: &UserId,
        question: &MemorySearch<'_>,
        limit: usize,
    ) -> Result<SearchResult, StoreError> {
        let mut conn = self.readers.acquire().await?;
        if let Some(then) = question.as_of {
            let rows = UserCache::rows_then(&mut conn, user, then).await?;
            return Ok(rows.map(|rows| search(&rows, question, limit)).unwrap_or_default());
        }
        let rows = self.users.rows(&mut conn, user).await?;
        Ok(rows.map(|rows| search(&reading(&rows), question, limit)).unwrap_or_default())
    }

    async fn memories_by_id(&self, user: &UserId, ids: &[String]) -> Result<Vec<Memory>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        sqlx::query(BY_IDS).bind(user.as_str()).bind(json_ids(ids)).fetch_all(&self.readers).await?.iter().map(memory).collect()
    }

    async fn memories_as_of(
        &self,
        user: &UserId,
        ids: &[String],
        as_of: Option<Moment>,
    ) -> Result<Vec<(Memory, Vector)>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let query = match as_of {
            None => sqlx::query(BY_IDS).bind(user.as_str()).bind(json_ids(ids)),
            Some(then) => sqlx::query(BY_IDS_THEN).bind(user.as_str()).bind(json_ids(ids)).bind(then.0),
        };
        query.fetch_all(&self.readers).await?.iter().map(|row| Ok((memory(row)?, vector(row, "vector")?))).collect()
    }

    async fn list_memories(&self, user: &UserId, filter: &MemoryFilter, page: &Page<Place>) -> Result<Vec<Memory>, StoreError> {
        let mut conn = self.readers.acquire().await?;
        let Some(no) = user_no(&mut conn, user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, last) = key_range(no);
        let high = page.after.map_or(last, |place| low + i64::from(place.0) - 1);
        let query = sqlx::query(LIST).bind(low).bind(high).bind(page.limit).bind(filter.now.0);
        let TagFilter { all, any, none } = &filter.tags;
        let query = query.bind(json_ids(all)).bind(json_ids(any)).bind(json_ids(none));
        query.fetch_all(&mut *conn).await?.iter().map(memory).collect()
    }

    async fn memory_with_past(&self, user: &UserId, id: &str) -> Result<Option<(Memory, Vec<MemoryMerge>)>, StoreError> {
        let mut tx = self.readers.begin().await?;
        let no = user_no(&mut tx, user.as_str()).await?;
        let Some(row) = sqlx::query(ONE).bind(no).bind(id).fetch_optional(&mut *tx).await? else { return Ok(None) };
        let merges = sqlx::query(MERGES_OF).bind(no).bind(id).fetch_all(&mut *tx).await?;
        Ok(Some((memory(&row)?, merges.iter().map(|row| merge(row, id)).collect::<Result<_, _>>()?)))
    }
}

#[async_trait]
impl MemoryWrites for SqliteTx<'_> {
    async fn near_memories(
        &mut self,
        user: &UserId,
        query: &[f32],
        now: Moment,
        limit: usize,
    ) -> Result<Vec<NearMemory>, StoreError> {
        let held = self.store.users.rows(&mut *self.store.readers.acquire().await?, user).await?;
        let Some(rows) = Within::of(held, &mut self.tx, user).await? else { return Ok(Vec::new()) };
        let near = rows.nearest(query, now, limit);
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let ids: Vec<String> = near.iter().map(|(_, id)| id.clone()).collect();
        let rows = sqlx::query(TEXTS).bind(no).bind(json_ids(&ids)).fetch_all(&mut *self.tx).await?;
        let mut texts: HashMap<String, NearMemory> = HashMap::with_capacity(rows.len());
        for row in rows {
            let found = held_row(&row, 0.0)?;
            texts.insert(found.id.clone(), found);
        }
        Ok(near.into_iter().filter_map(|(similarity, id)| Some(NearMemory { similarity, ..texts.remove(&id)? })).collect())
    }

    async fn memories_holding(
        &mut self,
        user: &UserId,
        term: &str,
        query: &[f32],
        now: Moment,
        limit: usize,
    ) -> Result<Vec<NearMemory>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, high) = key_range(no);
        let mut holding = Vec::new();
        let mut rows = sqlx::query(HOLDING).bind(low).bind(high).bind(trace(term)).bind(now.0).fetch(&mut *self.tx);
        while let Some(row) = rows.try_next().await? {
            let text: String = row.try_get("content")?;
            if holds_term(&text, term) {
                let similarity = similarity(&vector(&row, "vector")?, query);
                holding.push(held_row(&row, similarity)?);
            }
        }
        holding.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| a.id.cmp(&b.id)));
        holding.truncate(limit);
        Ok(holding)
    }

    async fn last_said(&mut self, user: &UserId, said: &LastSaid<'_>) -> Result<Option<NearMemory>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(None) };
        let (low, high) = key_range(no);
        let found = sqlx::query(LAST_SAID)
            .bind(low)
            .bind(high)
            .bind(said.since.0)
            .bind(said.until.0)
            .bind(said.thread)
            .bind(said.surface.as_str())
            .bind(said.reworded_since.0)
            .fetch_optional(&mut *self.tx)
            .await?;
        found.map(|row| held_row(&row, 1.0)).transpose()
    }

    async fn brought_at(&mut self, said: &SaidAt<'_>) -> Result<Vec<String>, StoreError> {
        let Some(no) = user_no(&mut self.tx, said.user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, high) = key_range(no);
        let query = sqlx::query_scalar(BROUGHT_AT).bind(low).bind(high).bind(said.surface.as_str());
        Ok(query.bind(said.thread).bind(said.at.0).fetch_all(&mut *self.tx).await?)
    }

    async fn texts_held(&mut self, user: &UserId, texts: &[String], now: Moment) -> Result<Vec<String>, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(Vec::new()) };
        let (low, high) = key_range(no);
        let query = sqlx::query_scalar(HELD_TEXTS).bind(low).bind(high).bind(json_ids(texts)).bind(now.0);
        Ok(query.fetch_all(&mut *self.tx).await?)
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
        let Wording { kind, content, importance, vector, labels } = &new.wording;
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
            .bind(json_ids(labels.tags.as_slice()))
            .bind(labels.expires_at.map(|at| at.0))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn reword_memory(&mut self, user: &UserId, id: &str, wording: &Wording, at: Moment) -> Result<bool, StoreError> {
        self.set_wording(user, id, wording, at, None).await
    }

    async fn restore_memory(
        &mut self,
        user: &UserId,
        id: &str,
        wording: &Wording,
        updated_at: Moment,
        at: Moment,
    ) -> Result<bool, StoreError> {
        self.set_wording(user, id, wording, updated_at, Some(at)).await
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
            .bind(merge.cause == MergeCause::Edit)
            .bind(json_ids(merge.before.labels.tags.as_slice()))
            .bind(merge.before.labels.expires_at.map(|at| at.0))
            .bind(json_ids(merge.incoming.labels.tags.as_slice()))
            .bind(merge.incoming.labels.expires_at.map(|at| at.0))
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

impl SqliteTx<'_> {
    async fn set_wording(
        &mut self,
        user: &UserId,
        id: &str,
        wording: &Wording,
        updated_at: Moment,
        undone_at: Option<Moment>,
    ) -> Result<bool, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let done = sqlx::query(REWORD)
            .bind(no)
            .bind(id)
            .bind(wording.kind.as_str())
            .bind(&wording.content)
            .bind(wording.importance.get())
            .bind(blob(&wording.vector))
            .bind(updated_at.0)
            .bind(words(&wording.content))
            .bind(json_ids(wording.labels.tags.as_slice()))
            .bind(wording.labels.expires_at.map(|at| at.0))
            .bind(undone_at.map(|at| at.0))
            .execute(&mut *self.tx)
            .await?;
        Ok(done.rows_affected() == 1)
    }
}

fn held_row(row: &SqliteRow, similarity: f64) -> Result<NearMemory, StoreError> {
    let kind = MemoryKind::parse(row.try_get("kind")?).map_err(corrupt)?;
    let said = if kind == MemoryKind::Episode { "created_at" } else { "updated_at" };
    Ok(NearMemory { id: row.try_get("id")?, text: row.try_get("content")?, similarity, kind, said: Moment(row.try_get(said)?) })
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
        said_at: Moment(row.try_get("said_at")?),
        labels: labels(row, "tags", "expires_at")?,
        version: row.try_get("version")?,
        undone_at: row.try_get::<Option<i64>, _>("undone_at")?.map(Moment),
        place: Place(u32::try_from(row.try_get::<i64, _>("memory_key")? & PLACE).map_err(corrupt)?),
    })
}

fn labels(row: &SqliteRow, tags: &str, expires_at: &str) -> Result<Labels, StoreError> {
    Ok(Labels {
        tags: serde_json::from_str(row.try_get(tags)?).map_err(corrupt)?,
        expires_at: row.try_get::<Option<i64>, _>(expires_at)?.map(Moment),
    })
}

fn merge(row: &SqliteRow, memory_id: &str) -> Result<MemoryMerge, StoreError> {
    let cause = match (row.try_get::<&str, _>("cause")?, row.try_get("in_talk")?, row.try_get("edited")?) {
        ("merge", ..) => MergeCause::Merge,
        (_, true, _) => MergeCause::Change,
        (_, false, true) => MergeCause::Edit,
        (_, false, false) => MergeCause::Correction,
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
            labels: labels(row, "before_tags", "before_expires_at")?,
        },
        before_updated_at: Moment(row.try_get("before_updated_at")?),
        incoming: Wording {
            kind: MemoryKind::parse(row.try_get("incoming_kind")?).map_err(corrupt)?,
            content: row.try_get("incoming_content")?,
            importance: Importance::new(row.try_get("incoming_importance")?).map_err(corrupt)?,
            vector: vector(row, "incoming_vector")?,
            labels: labels(row, "incoming_tags", "incoming_expires_at")?,
        },
    })
}

fn cause_name(cause: MergeCause) -> &'static str {
    match cause {
        MergeCause::Merge => "merge",
        MergeCause::Correction | MergeCause::Change | MergeCause::Edit => "correction",
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
