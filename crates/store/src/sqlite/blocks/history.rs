//! Versions of blocks in SQLite, former ones and the current one together.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::author;
use crate::sqlite::values::corrupt;
use domain::blocks::Operation;
use domain::erasure::people::UserId;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::blocks::{BlockVersion, VersionFilter, VersionPage};

macro_rules! versions {
    ($content:literal, $rest:literal) => {
        concat!(
            "SELECT h.id, (SELECT id FROM blocks AS b WHERE b.block_no = h.block_no) AS block_id, ?2 AS store_id, h.version, h.operation, \
             h.path, ",
            $content,
            " AS content, h.sha256, h.bytes, h.written_at, h.by_kind, h.by_id, h.by_surface, h.redacted_at, h.redacted_by_kind, \
             h.redacted_by_id, h.current FROM block_history AS h WHERE h.store_no = (SELECT store_no FROM block_stores WHERE id = ?2 \
             AND user_no = (SELECT user_no FROM users WHERE user_id = ?1)) AND ",
            $rest
        )
    };
}
macro_rules! page {
    ($content:literal) => {
        versions!(
            $content,
            "(?3 IS NULL OR h.block_no = (SELECT block_no FROM blocks WHERE id = ?3)) AND (?4 IS NULL OR h.operation = ?4) \
             AND (?5 IS NULL OR h.by_id = ?5) AND (?6 IS NULL OR h.written_at >= ?6) AND (?7 IS NULL OR h.written_at <= ?7) \
             AND (?8 IS NULL OR (h.written_at, h.version, h.id) < (?8, ?9, ?10)) \
             ORDER BY h.written_at DESC, h.version DESC, h.id DESC LIMIT ?11"
        )
    };
}

const LIST: &str = page!("NULL");
const LIST_FULL: &str = page!("h.content");
const ONE: &str = versions!("h.content", "h.id = ?3");

pub(in crate::sqlite) async fn list(
    conn: &mut SqliteConnection,
    user: &UserId,
    store_id: &str,
    filter: &VersionFilter,
    page: &VersionPage,
) -> Result<Vec<BlockVersion>, StoreError> {
    let (at, version, id) =
        page.after.clone().map_or((None, None, None), |(at, version, id)| (Some(at.0), Some(version), Some(id)));
    let rows = sqlx::query(if page.texts { LIST_FULL } else { LIST })
        .bind(user.as_str())
        .bind(store_id)
        .bind(filter.block_id.as_deref())
        .bind(filter.operation.map(Operation::as_str))
        .bind(filter.by_id.as_deref())
        .bind(filter.since.map(|at| at.0))
        .bind(filter.until.map(|at| at.0))
        .bind(at)
        .bind(version)
        .bind(id)
        .bind(page.limit)
        .fetch_all(conn)
        .await?;
    rows.iter().map(version_of).collect()
}

pub(in crate::sqlite) async fn one(
    conn: &mut SqliteConnection,
    user: &UserId,
    store_id: &str,
    id: &str,
) -> Result<Option<BlockVersion>, StoreError> {
    let query = sqlx::query(ONE).bind(user.as_str()).bind(store_id).bind(id);
    query.fetch_optional(conn).await?.as_ref().map(version_of).transpose()
}

fn version_of(row: &SqliteRow) -> Result<BlockVersion, StoreError> {
    let redacted = match row.try_get::<Option<i64>, _>("redacted_at")? {
        Some(at) => Some((Moment(at), row.try_get("redacted_by_kind")?, row.try_get("redacted_by_id")?)),
        None => None,
    };
    Ok(BlockVersion {
        id: row.try_get("id")?,
        block_id: row.try_get("block_id")?,
        store_id: row.try_get("store_id")?,
        version: row.try_get("version")?,
        operation: Operation::parse(row.try_get("operation")?).map_err(corrupt)?,
        path: row.try_get("path")?,
        content: row.try_get("content")?,
        sha256: row.try_get("sha256")?,
        bytes: row.try_get::<Option<i64>, _>("bytes")?.map(i64::unsigned_abs),
        at: Moment(row.try_get("written_at")?),
        by: author(row)?,
        redacted,
        is_current: row.try_get("current")?,
    })
}
