//! One user's record in SQLite.

pub(super) mod keys;
pub(super) mod operators;
mod sessions;

use async_trait::async_trait;
use futures::TryStreamExt;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, TypeInfo, ValueRef};

use super::erasure::{ErasureParams, TOUCHED, bound, rows_of_user};
use super::memories::rows::key_range;
use super::values::{corrupt, json_ids};
use super::{SqliteStore, SqliteTx, user_no};
use crate::sqlite::erasure::derived::withheld;
use crate::sqlite::erasure::tokens::{Contributed, marked, pending_of_day};
use domain::erasure::inventory::{Belongs, TABLES, Table};
use domain::erasure::people::UserId;
use domain::facts::fact::FactStatus;
use domain::memory::MemoryKind;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::erasure::Subject;
use ports::store::facts::Slice;
use ports::store::memories::Page;
use ports::store::people::{
    Cell, Contribution, EveryoneReads, Glance, HeldPage, Holdings, Opening, ToldCounts, TouchedFact, UserLine, UserReads,
    UserWrites, Withheld,
};

/// Maximum size of texts on one page of an export, in bytes. A longer text has a page of its own.
const PAGE_BYTES: usize = 256 << 10;

/// The export order of a table's rows, and the position before the first. Rows are ordered by their number, or in tables whose
/// numbers may change when the database is rewritten, by values that are unique within one user.
fn place(table: &str) -> (&'static str, Cell) {
    let text = Cell::Text(String::new());
    match table {
        "facts" | "keys" => ("id", text),
        "memory_merges" => ("printf('%020d', merged_at) || id", text),
        "block_versions" => ("printf('%020d', written_at) || id", text),
        "contributions" => ("fact_id || hex(token)", text),
        "block_refusals" => ("day || rule", text),
        "profile_fields" => ("name", text),
        "idempotency" => ("digest", text),
        "chat_links" => ("surface || ' ' || chat", text),
        "questions" => ("surface || ' ' || COALESCE(thread, '')", text),
        _ => ("rowid", Cell::Integer(i64::MIN)),
    }
}

/// Sorts after every character of an id, so that the ids with a prefix are one range of the index.
const LAST_CHARACTER: char = char::MAX;

/// A user's columns in a list. A user's memories are one range of keys.
macro_rules! line {
    ($rest:literal) => {
        concat!(
            "SELECT u.user_id, u.first_seen_at, \
             (SELECT COUNT(*) FROM memories WHERE memory_key BETWEEN u.user_no << 32 AND (u.user_no << 32) + 4294967295) AS memories, \
             NULLIF(MAX(\
             COALESCE((SELECT MAX(MAX(updated_at, COALESCE(last_recalled_at, 0))) FROM memories \
             WHERE memory_key BETWEEN u.user_no << 32 AND (u.user_no << 32) + 4294967295), 0), \
             COALESCE((SELECT MAX(said_at) FROM exchanges WHERE user_no = u.user_no), 0)), 0) AS last_active_at \
             FROM users AS u ",
            $rest
        )
    };
}

const BY_PREFIX: &str = line!("WHERE u.user_id >= ?1 AND u.user_id < ?1 || ?2 ORDER BY u.user_id LIMIT ?3 OFFSET ?4");
const COUNT_BY_PREFIX: &str = "SELECT COUNT(*) FROM users WHERE user_id >= ?1 AND user_id < ?1 || ?2";
const ONE: &str = line!("WHERE u.user_id = ?1");
const NUMBERS: &str = concat!(
    "SELECT (SELECT COUNT(*) FROM json_each(?2) WHERE (SELECT COUNT(*) FROM contributions WHERE fact_id = value) = 1), \
     (SELECT MAX(day) * 86400000 FROM contributions WHERE ",
    marked!("?3"),
    "), (SELECT COUNT(*) FROM exchanges WHERE user_no = ?1), \
     (SELECT COUNT(*) FROM exchanges WHERE user_no = ?1 AND status = 'queued'), \
     (SELECT COUNT(*) FROM exchanges WHERE user_no = ?1 AND status = 'parked'), \
     (SELECT MAX(created_at) FROM memories WHERE memory_key BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295)"
);
const KINDS: &str = "SELECT kind, COUNT(*) FROM memories WHERE memory_key BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295 \
                     GROUP BY +kind ORDER BY COUNT(*) DESC, kind";
const SURFACES: &str = concat!(
    "SELECT surface FROM memories WHERE memory_key BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295 \
     UNION SELECT surface FROM exchanges WHERE user_no = ?1 UNION SELECT surface FROM notes WHERE user_no = ?1 \
     UNION SELECT surface FROM turns WHERE user_no = ?1 UNION SELECT surface FROM contributions WHERE ",
    marked!("?2"),
    " ORDER BY 1"
);
const TOLD: &str = "SELECT (SELECT COUNT(*) FROM preferences WHERE user_no = ?1), (SELECT COUNT(*) FROM notes WHERE user_no = ?1), \
                    (SELECT COUNT(*) FROM profile_fields WHERE user_no = ?1), (SELECT COUNT(*) FROM turns WHERE user_no = ?1), \
                    (SELECT MAX(at) FROM (SELECT MAX(created_at) AS at FROM preferences WHERE user_no = ?1 \
                    UNION ALL SELECT MAX(created_at) FROM notes WHERE user_no = ?1 \
                    UNION ALL SELECT MAX(updated_at) FROM profile_fields WHERE user_no = ?1 \
                    UNION ALL SELECT MAX(said_at) FROM turns WHERE user_no = ?1))";
const KINDS_BEFORE: &str = "SELECT kind, COUNT(*) FROM memories WHERE memory_key BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295 \
                            AND created_at < ?2 GROUP BY +kind ORDER BY COUNT(*) DESC, kind";
/// Number of each kind of data, and the creation of the newest.
const HELD_BEFORE: &str = "SELECT SUM(what = 'preference'), SUM(what = 'note'), SUM(what = 'field'), SUM(what = 'turn'), \
                           SUM(what = 'block'), MAX(at) FROM ( \
                           SELECT 'memory' AS what, created_at AS at FROM memories \
                             WHERE memory_key BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295 \
                           UNION ALL SELECT 'preference', created_at FROM preferences WHERE user_no = ?1 \
                           UNION ALL SELECT 'note', created_at FROM notes WHERE user_no = ?1 \
                           UNION ALL SELECT 'field', updated_at FROM profile_fields WHERE user_no = ?1 \
                           UNION ALL SELECT 'turn', said_at FROM turns WHERE user_no = ?1 \
                           UNION ALL SELECT 'block', created_at FROM blocks WHERE user_no = ?1 AND deleted_at IS NULL) WHERE at < ?2";
const USER_IDS: &str = "SELECT user_id FROM users WHERE user_id > ?1 ORDER BY user_id LIMIT ?2";
const WAITING: &str = "SELECT COUNT(*) FROM arrivals WHERE user_no = ?1";
const OPENING: &str = "SELECT a.at, r.reason FROM audit AS a LEFT JOIN audit_reasons AS r USING (seq) \
                       WHERE a.user_digest = ?3 AND a.actor_id = ?1 AND a.action = ?2 AND a.at > ?4 \
                       ORDER BY a.seq DESC LIMIT 1";

#[async_trait]
impl UserReads for SqliteStore {
    async fn user_line(&self, user: &UserId) -> Result<Option<UserLine>, StoreError> {
        sqlx::query(ONE).bind(user.as_str()).fetch_optional(&self.readers).await?.as_ref().map(line).transpose()
    }

    async fn holdings(&self, user: &UserId) -> Result<Option<Holdings>, StoreError> {
        // One transaction, for one snapshot.
        let mut tx = self.readers.begin().await?;
        let Some(no) = user_no(&mut tx, user.as_str()).await? else { return Ok(None) };
        let line = line(&sqlx::query(ONE).bind(user.as_str()).fetch_one(&mut *tx).await?)?;
        let contributed = Contributed::by(&mut tx, Some(no)).await?;
        let query = sqlx::query_as(NUMBERS).bind(no).bind(json_ids(&contributed.facts)).bind(&contributed.marks);
        let numbers: (i64, Option<i64>, i64, i64, i64, Option<i64>) = query.fetch_one(&mut *tx).await?;
        let (sole_contributions, contributed_at, messages, queued, parked, newest) = numbers;
        let kinds: Vec<(String, i64)> = sqlx::query_as(KINDS).bind(no).fetch_all(&mut *tx).await?;
        let kinds = kinds.into_iter().map(|(kind, count)| Ok((MemoryKind::parse(&kind).map_err(corrupt)?, count)));
        let surfaces = sqlx::query_scalar(SURFACES).bind(no).bind(&contributed.marks).fetch_all(&mut *tx).await?;
        let (preferences, notes, fields, turns, told_at): (i64, i64, i64, i64, Option<i64>) =
            sqlx::query_as(TOLD).bind(no).fetch_one(&mut *tx).await?;
        Ok(Some(Holdings {
            last_active_at: line.last_active_at.max(contributed_at.map(Moment)).max(told_at.map(Moment)),
            told: ToldCounts { preferences, notes, fields, turns },
            contributions: i64::try_from(contributed.facts.len()).map_err(corrupt)?,
            line,
            sole_contributions,
            messages,
            queued,
            parked,
            newest_memory_at: newest.map(Moment),
            kinds: kinds.collect::<Result<_, StoreError>>()?,
            surfaces,
        }))
    }

    async fn glance(&self, user: &UserId, before: Moment) -> Result<Option<Glance>, StoreError> {
        let mut tx = self.readers.begin().await?;
        let Some(no) = user_no(&mut tx, user.as_str()).await? else { return Ok(None) };
        let first_seen_at = line(&sqlx::query(ONE).bind(user.as_str()).fetch_one(&mut *tx).await?)?.first_seen_at;
        if first_seen_at >= before {
            return Ok(None);
        }
        let kinds: Vec<(String, i64)> = sqlx::query_as(KINDS_BEFORE).bind(no).bind(before.0).fetch_all(&mut *tx).await?;
        let kinds = kinds.into_iter().map(|(kind, count)| Ok((MemoryKind::parse(&kind).map_err(corrupt)?, count)));
        let counted: [Option<i64>; 6] = {
            let row = sqlx::query(HELD_BEFORE).bind(no).bind(before.0).fetch_one(&mut *tx).await?;
            [row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, row.try_get(5)?]
        };
        let [preferences, notes, fields, turns, blocks, newest] = counted;
        let [preferences, notes, fields, turns] = [preferences, notes, fields, turns].map(Option::unwrap_or_default);
        Ok(Some(Glance {
            kinds: kinds.collect::<Result<_, StoreError>>()?,
            told: ToldCounts { preferences, notes, fields, turns },
            blocks: blocks.unwrap_or_default(),
            first_seen_at,
            newest_at: newest.map(Moment),
        }))
    }

    async fn contributions_of(&self, user: &UserId, page: &Page) -> Result<Vec<Contribution>, StoreError> {
        let mut conn = self.readers.acquire().await?;
        let no = user_no(&mut conn, user.as_str()).await?;
        let facts = Contributed::by(&mut conn, no).await?.facts;
        let after = page.after.as_deref().unwrap_or_default();
        let from = facts.partition_point(|id| id.as_str() <= after);
        let page: Vec<String> = facts.into_iter().skip(from).take(page.limit as usize).collect();
        sqlx::query(TOUCHED).bind(json_ids(&page)).fetch_all(&mut *conn).await?.iter().map(contribution).collect()
    }

    async fn touched_with_texts(&self, user: &UserId) -> Result<Vec<TouchedFact>, StoreError> {
        let mut conn = self.readers.acquire().await?;
        let no = user_no(&mut conn, user.as_str()).await?;
        let contributed = Contributed::by(&mut conn, no).await?;
        sqlx::query(TOUCHED).bind(json_ids(&contributed.facts)).fetch_all(&mut *conn).await?.iter().map(touched).collect()
    }

    async fn held_page(
        &self,
        subject: &Subject,
        table: &'static Table,
        after: Option<&Cell>,
        limit: u32,
    ) -> Result<HeldPage, StoreError> {
        let columns: Vec<&'static str> = table.exported().collect();
        let mut page = HeldPage { columns, rows: Vec::new(), next: None };
        let Some(rows) = rows_of_user(table.belongs).filter(|_| !page.columns.is_empty()) else { return Ok(page) };
        // One transaction, so that the tokens match the rows.
        let mut tx = self.readers.begin().await?;
        let number = user_no(&mut tx, subject.user.as_str()).await?;
        let contributed = match table.belongs {
            Belongs::Token { .. } | Belongs::Said { .. } | Belongs::Contributed(_) => Contributed::by(&mut tx, number).await?,
            _ => Contributed::nothing(),
        };
        let whose = ErasureParams::new(number, subject, &[], contributed);
        let (place, first) = place(table.name);
        // A user's memories are one range of keys. By their number alone, each page would read all of them.
        let (rows, first) = match table.belongs {
            Belongs::Number(_) if table.name == "memories" => {
                let Some((low, _)) = number.map(key_range) else { return Ok(page) };
                ("memory_key <= (?1 << 32) + 4294967295".to_owned(), Cell::Integer(low - 1))
            }
            _ => (rows, first),
        };
        let names = page.columns.join(", ");
        let sql =
            format!("SELECT {names}, {place} FROM {} WHERE ({rows}) AND {place} > ?7 ORDER BY {place} LIMIT ?8", table.name);
        let query = bound!(sqlx::query(AssertSqlSafe(sql)), whose);
        let query = match after.unwrap_or(&first) {
            Cell::Integer(after) => query.bind(*after),
            Cell::Text(after) => query.bind(after.as_str()),
            other => return Err(corrupt(format!("{other:?} is no place in a table"))),
        };
        let mut found = query.bind(limit).fetch(&mut *tx);
        let mut bytes = 0;
        while let Some(row) = found.try_next().await? {
            let mut row = cells(&row, page.columns.len() + 1)?;
            page.next = row.pop();
            bytes += row.iter().map(Cell::bytes).sum::<usize>();
            page.rows.push(row);
            if bytes > PAGE_BYTES {
                return Ok(page);
            }
        }
        if page.rows.len() < limit as usize {
            page.next = None;
        }
        Ok(page)
    }

    async fn count_exported(&self, subject: &Subject) -> Result<Vec<(&'static str, u64)>, StoreError> {
        let mut tx = self.readers.begin().await?;
        let number = user_no(&mut tx, subject.user.as_str()).await?;
        let whose = ErasureParams::new(number, subject, &[], Contributed::by(&mut tx, number).await?);
        let mut counts = Vec::new();
        for table in TABLES {
            let Some(rows) = rows_of_user(table.belongs).filter(|_| table.exported().next().is_some()) else { continue };
            let sql = format!("SELECT COUNT(*) FROM {} WHERE {rows}", table.name);
            let count: i64 = bound!(sqlx::query_scalar(AssertSqlSafe(sql)), whose).fetch_one(&mut *tx).await?;
            counts.push((table.name, count.unsigned_abs()));
        }
        Ok(counts)
    }

    fn beside(&self) -> Vec<Withheld> {
        withheld()
    }

    async fn opening(
        &self,
        operator_id: &str,
        action: &str,
        user_digest: &str,
        since: Moment,
    ) -> Result<Option<Opening>, StoreError> {
        opening(&mut *self.readers.acquire().await?, operator_id, action, user_digest, since).await
    }
}

#[async_trait]
impl EveryoneReads for SqliteStore {
    async fn users_by_prefix(&self, prefix: &str, slice: Slice) -> Result<Vec<UserLine>, StoreError> {
        let bounded = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let query = sqlx::query(BY_PREFIX).bind(prefix).bind(LAST_CHARACTER.to_string());
        let query = query.bind(bounded(slice.limit)).bind(bounded(slice.skip));
        query.fetch_all(&self.readers).await?.iter().map(line).collect()
    }

    async fn count_users_by_prefix(&self, prefix: &str) -> Result<u64, StoreError> {
        let query = sqlx::query_scalar(COUNT_BY_PREFIX).bind(prefix).bind(LAST_CHARACTER.to_string());
        let count: i64 = query.fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn user_ids(&self, after: &str, limit: u32) -> Result<Vec<UserId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(USER_IDS).bind(after).bind(limit).fetch_all(&self.readers).await?;
        ids.into_iter().map(|id| UserId::new(id).map_err(corrupt)).collect()
    }
}

#[async_trait]
impl UserWrites for SqliteTx<'_> {
    async fn pending_of_day(&mut self, user: &UserId, day: i64) -> Result<u32, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(0) };
        let waiting: u32 = sqlx::query_scalar(WAITING).bind(no).fetch_one(&mut *self.tx).await?;
        let placed = pending_of_day(&mut self.tx, no, day).await?;
        Ok(waiting.saturating_add(u32::try_from(placed).map_err(corrupt)?))
    }

    async fn known_opening(
        &mut self,
        operator_id: &str,
        action: &str,
        user_digest: &str,
        since: Moment,
    ) -> Result<Option<Opening>, StoreError> {
        opening(&mut self.tx, operator_id, action, user_digest, since).await
    }
}

async fn opening(
    conn: &mut SqliteConnection,
    operator_id: &str,
    action: &str,
    user_digest: &str,
    since: Moment,
) -> Result<Option<Opening>, StoreError> {
    let query = sqlx::query_as(OPENING).bind(operator_id).bind(action).bind(user_digest).bind(since.0);
    let row: Option<(i64, Option<String>)> = query.fetch_optional(conn).await?;
    Ok(row.map(|(at, reason)| Opening { at: Moment(at), reason }))
}

fn line(row: &SqliteRow) -> Result<UserLine, StoreError> {
    Ok(UserLine {
        user: UserId::new(row.try_get::<String, _>("user_id")?).map_err(corrupt)?,
        first_seen_at: Moment(row.try_get("first_seen_at")?),
        last_active_at: row.try_get::<Option<i64>, _>("last_active_at")?.map(Moment),
        memories: row.try_get("memories")?,
    })
}

fn contribution(row: &SqliteRow) -> Result<Contribution, StoreError> {
    Ok(Contribution {
        fact_id: row.try_get("id")?,
        content: row.try_get("content")?,
        status: FactStatus::parse(row.try_get("status")?).map_err(corrupt)?,
        contributors: row.try_get("people")?,
    })
}

fn touched(row: &SqliteRow) -> Result<TouchedFact, StoreError> {
    Ok(TouchedFact {
        id: row.try_get("id")?,
        content: row.try_get("content")?,
        status: FactStatus::parse(row.try_get("status")?).map_err(corrupt)?,
        contributors: row.try_get("people")?,
    })
}

fn cells(row: &SqliteRow, columns: usize) -> Result<Vec<Cell>, StoreError> {
    (0..columns)
        .map(|n| {
            let value = row.try_get_raw(n)?;
            Ok(match value.type_info().name() {
                _ if value.is_null() => Cell::Null,
                "INTEGER" => Cell::Integer(row.try_get(n)?),
                "REAL" => Cell::Real(row.try_get(n)?),
                _ => Cell::Text(row.try_get(n)?),
            })
        })
        .collect()
}
