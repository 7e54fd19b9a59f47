//! The search index of blocks. Triggers note on a write only what the index still has of the block; the index is updated later.
//! That makes an edit several times as fast, and of ten edits in a row only the last is indexed.

use std::time::Duration;

use futures::TryStreamExt;
use sqlx::{Row, SqliteConnection};
use tokio::time::timeout;

use crate::sqlite::SqliteStore;
use crate::sqlite::values::json_numbers;
use domain::erasure::people::UserId;
use ports::store::blocks::Visit;
use ports::store::{Cause, StoreError, WriteTx};

/// Blocks indexed in one transaction, and roughly their bytes: other writers wait as long as this takes.
const AT_ONCE: u32 = 16;
const BYTES_AT_ONCE: i64 = 64 * 1024;
/// How long a search waits for an index update.
const PATIENCE: Duration = Duration::from_secs(3);

const IS_BEHIND: &str = "SELECT user_no, EXISTS (SELECT 1 FROM block_words_former AS f WHERE f.user_no = users.user_no) \
                         FROM users WHERE user_id = ?1";
const IS_BEHIND_AT_ALL: &str = "SELECT EXISTS (SELECT 1 FROM block_words_former)";
macro_rules! pending {
    ($which:literal) => {
        concat!(
            "SELECT f.block_no, COALESCE(length(f.content), 0) + COALESCE(b.bytes, 0) FROM block_words_former AS f \
             CROSS JOIN blocks AS b ON b.block_no = f.block_no ",
            $which,
            " ORDER BY f.block_no LIMIT ?1"
        )
    };
}
const PENDING: &str = pending!("");
const PENDING_OF: &str = pending!("WHERE f.user_no = ?2");
/// The block of this version, if the index has this version.
const INDEXED_VERSION: &str = "SELECT f.block_no FROM block_versions AS v CROSS JOIN block_words_former AS f \
                               ON f.block_no = v.block_no AND f.version = v.version WHERE v.id = ?1";
/// The block, if the index has a version of it up to this one.
const INDEXED_UP_TO: &str = "SELECT f.block_no FROM blocks AS b CROSS JOIN block_words_former AS f ON f.block_no = b.block_no \
                             WHERE b.id = ?1 AND f.version <= ?2";
const FORMER_OF_BLOCKS: &str =
    "SELECT label, content FROM block_words_former WHERE block_no IN (SELECT value FROM json_each(?1))";
const FORMER_OF_USER: &str = "SELECT label, content FROM block_words_former WHERE user_no = ?1";
const TAKE_OUT: &str = "INSERT INTO block_words (block_words, rowid, place, label, content) \
                        SELECT 'delete', block_no, place, label, content FROM block_texts \
                        WHERE block_no IN (SELECT value FROM json_each(?1))";
/// Makes FTS5 flush its pending writes, which it does when a savepoint begins. Otherwise a word that leaves a row and returns in
/// one write, and occurs some hundred times in the text, would not be deleted but covered, and would reappear when the row is
/// deleted.
const FLUSH: &str = "SAVEPOINT words; RELEASE words";
/// From here on, the view `block_texts` has the current text.
const NOTED_NO_MORE: &str = "DELETE FROM block_words_former WHERE block_no IN (SELECT value FROM json_each(?1))";
const TAKE_IN: &str = "INSERT INTO block_words (rowid, place, label, content) SELECT block_no, place, label, content FROM block_texts \
                       WHERE block_no IN (SELECT value FROM json_each(?1))";

/// Updates the index for a user. Returns the user's number; `None`: there is no such user.
pub(super) async fn up_to_date(store: &SqliteStore, user: &UserId) -> Result<Option<i64>, StoreError> {
    let found: Option<(i64, bool)> = sqlx::query_as(IS_BEHIND).bind(user.as_str()).fetch_optional(&store.readers).await?;
    let Some((no, is_behind)) = found else { return Ok(None) };
    if is_behind {
        let updated = timeout(PATIENCE, update(store, Some(no))).await;
        let failed: Option<Cause> = match updated {
            Ok(updated) => updated.err().map(Into::into),
            Err(late) => Some(late.into()),
        };
        if let Some(cause) = failed {
            // An outdated result is better than none: a disk may be full, or another writer busy.
            tracing::warn!(%cause, "a search of blocks does not know the last changes");
        }
    }
    Ok(Some(no))
}

/// Indexes every pending block, or those of one user.
pub(in crate::sqlite) async fn update(store: &SqliteStore, user_no: Option<i64>) -> Result<(), StoreError> {
    if user_no.is_none() && !sqlx::query_scalar(IS_BEHIND_AT_ALL).fetch_one(&store.readers).await? {
        return Ok(());
    }
    loop {
        let mut tx = store.begin_tx().await?;
        let pending = match user_no {
            Some(no) => sqlx::query_as(PENDING_OF).bind(AT_ONCE).bind(no),
            None => sqlx::query_as(PENDING).bind(AT_ONCE),
        };
        let pending: Vec<(i64, i64)> = pending.fetch_all(&mut *tx.tx).await?;
        let mut room = BYTES_AT_ONCE;
        let some: Vec<i64> = pending
            .iter()
            .take_while(|(_, bytes)| {
                let fits = room > 0;
                room -= bytes;
                fits
            })
            .map(|(block, _)| *block)
            .collect();
        index(&mut tx.tx, &some).await?;
        Box::new(tx).commit().await?;
        if some.len() == pending.len() && pending.len() < AT_ONCE as usize {
            return Ok(());
        }
    }
}

/// Indexes the block of a version that is about to lose its text, if the index has that version.
pub(super) async fn leave_version(conn: &mut SqliteConnection, version_id: &str) -> Result<(), StoreError> {
    let pending: Vec<i64> = sqlx::query_scalar(INDEXED_VERSION).bind(version_id).fetch_all(&mut *conn).await?;
    index(conn, &pending).await
}

/// Indexes a block whose versions up to this one are about to be deleted, if the index has one of them.
pub(super) async fn leave_versions(conn: &mut SqliteConnection, block_id: &str, last: i64) -> Result<(), StoreError> {
    let pending: Vec<i64> = sqlx::query_scalar(INDEXED_UP_TO).bind(block_id).bind(last).fetch_all(&mut *conn).await?;
    index(conn, &pending).await
}

/// Passes the former texts that the index still has of these blocks (JSON numbers) to the callback.
pub(super) async fn show_former(conn: &mut SqliteConnection, blocks: &str, visit: Visit<'_>) -> Result<(), StoreError> {
    shown(sqlx::query(FORMER_OF_BLOCKS).bind(blocks), conn, visit).await
}

/// Like [`show_former`], for all blocks of a user.
pub(in crate::sqlite) async fn show_former_of(
    conn: &mut SqliteConnection,
    user_no: Option<i64>,
    visit: Visit<'_>,
) -> Result<(), StoreError> {
    shown(sqlx::query(FORMER_OF_USER).bind(user_no), conn, visit).await
}

async fn shown(
    query: sqlx::query::Query<'_, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>,
    conn: &mut SqliteConnection,
    visit: Visit<'_>,
) -> Result<(), StoreError> {
    let mut rows = query.fetch(conn);
    while let Some(row) = rows.try_next().await? {
        for n in 0..2 {
            if let Some(text) = row.try_get::<Option<&str>, _>(n)? {
                visit(text.as_bytes());
            }
        }
    }
    Ok(())
}

async fn index(conn: &mut SqliteConnection, blocks: &[i64]) -> Result<(), StoreError> {
    if blocks.is_empty() {
        return Ok(());
    }
    let blocks = json_numbers(blocks)?;
    sqlx::query(TAKE_OUT).bind(&blocks).execute(&mut *conn).await?;
    sqlx::raw_sql(FLUSH).execute(&mut *conn).await?;
    sqlx::query(NOTED_NO_MORE).bind(&blocks).execute(&mut *conn).await?;
    sqlx::query(TAKE_IN).bind(&blocks).execute(&mut *conn).await?;
    Ok(())
}
