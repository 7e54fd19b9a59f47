//! Memory blocks in SQLite. The current text of a block is in its row, former texts are in `block_versions`: each text is stored
//! once.

pub(super) mod care;
mod history;
pub(super) mod words;

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::values::{corrupt, json_ids, json_numbers};
use super::{SqliteStore, SqliteTx, ensure_user, user_no};
use crate::sqlite::erasure::ending::show;
use crate::sqlite::memories::runs;
use domain::blocks::limits::VERSIONS_KEPT;
use domain::blocks::{BlockFields, BlockPath, Operation};
use domain::erasure::people::UserId;
use domain::memory::tags::Tags;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::blocks::{
    Author, Block, BlockFilter, BlockOrder, BlockPage, BlockReads, BlockRef, BlockStore, BlockText, BlockTotals, BlockVersion,
    BlockWrites, NewHead, Redaction, StoreRef, VersionFilter, VersionPage, Visit,
};

/// The numbers of the user and of one of the user's stores.
macro_rules! own_user {
    () => {
        "(SELECT user_no FROM users WHERE user_id = ?1)"
    };
}
macro_rules! own_store {
    ($id:literal) => {
        concat!("(SELECT store_no FROM block_stores WHERE id = ", $id, " AND user_no = ", own_user!(), ")")
    };
}
/// The columns of a block, with its text or with NULL, and the id of its store.
macro_rules! block_columns {
    ($content:literal) => {
        concat!(
            "b.block_no, b.id, (SELECT id FROM block_stores AS s WHERE s.store_no = b.store_no) AS store_id, b.path, ",
            $content,
            " AS content, b.sha256, b.bytes, b.chars, b.version, b.version_id, b.operation, b.by_kind, b.by_id, b.by_surface, \
             b.description, b.pinned, b.char_limit, b.read_only, b.kind, b.scope, b.source, b.tags, b.created_at, b.updated_at, \
             b.last_read_at, b.deleted_at"
        )
    };
}
/// The condition of a filter: `?2` a store, `?3` and `?4` a range of paths, `?5` to `?7` labels, `?8` tags, `?9` pinned or not.
macro_rules! admitted {
    () => {
        concat!(
            "b.user_no = ",
            own_user!(),
            " AND b.deleted_at IS NULL AND (?2 IS NULL OR b.store_no = ",
            own_store!("?2"),
            ") AND (?3 IS NULL OR (b.path >= ?3 AND b.path < ?4)) AND (?5 IS NULL OR b.kind = ?5) AND (?6 IS NULL OR b.scope = ?6) \
             AND (?7 IS NULL OR b.source = ?7) \
             AND NOT EXISTS (SELECT 1 FROM json_each(?8) WHERE value NOT IN (SELECT value FROM json_each(b.tags))) \
             AND (?9 IS NULL OR b.pinned = ?9)"
        )
    };
}
macro_rules! list {
    ($content:literal, $order:ident) => {
        concat!("SELECT ", block_columns!($content), " FROM blocks AS b WHERE ", admitted!(), $order!())
    };
}
macro_rules! by_path {
    () => {
        " AND (?10 IS NULL OR b.path > ?10) ORDER BY b.path, b.block_no LIMIT ?11"
    };
}
macro_rules! by_number {
    () => {
        " AND b.block_no > COALESCE((SELECT block_no FROM blocks WHERE id = ?10 AND user_no = b.user_no), 0) ORDER BY b.block_no LIMIT ?11"
    };
}

const STORES: &str = concat!(
    "SELECT * FROM block_stores WHERE user_no = ",
    own_user!(),
    " AND (?2 OR archived_at IS NULL) AND (?3 IS NULL OR store_no < ",
    own_store!("?3"),
    ") ORDER BY store_no DESC LIMIT ?4"
);
const STORE: &str = concat!(
    "SELECT * FROM block_stores WHERE user_no = ",
    own_user!(),
    " AND ((?2 = 'default' AND is_default = 1) OR (?2 = 'id' AND id = ?3) OR (?2 = 'name' AND name = ?3)) ORDER BY store_no LIMIT 1"
);
const COUNT_STORES: &str = concat!("SELECT COUNT(*) FROM block_stores WHERE user_no = ", own_user!());
const INSERT_STORE: &str = "INSERT INTO block_stores (id, user_no, name, description, metadata, is_default, created_at, updated_at, archived_at) \
                            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const CHANGE_STORE: &str = concat!(
    "UPDATE block_stores SET name = ?3, description = ?4, metadata = ?5, updated_at = ?6, archived_at = ?7 WHERE id = ?2 AND user_no = ",
    own_user!()
);
const STORE_NO: &str = concat!("SELECT ", own_store!("?2"));
const DELETE_STORE: &str = "DELETE FROM block_stores WHERE store_no = ?1";
const NUMBERS_IN: &str = "SELECT block_no FROM blocks WHERE store_no = ?1";

/// Finds a block by its id, or by its path in the given store, through the unique indexes rather than all blocks of the user.
const ONE: &str = concat!(
    "SELECT ",
    block_columns!("b.content"),
    " FROM blocks AS b WHERE b.block_no IN (SELECT block_no FROM blocks WHERE id = ?3 UNION ALL SELECT block_no FROM blocks \
     WHERE store_no = ",
    own_store!("?2"),
    " AND path = ?4 AND deleted_at IS NULL) AND +b.user_no = ",
    own_user!(),
    " AND b.deleted_at IS NULL AND (?2 IS NULL OR b.store_no = ",
    own_store!("?2"),
    ")"
);
const WHEREVER: &str =
    concat!("SELECT ", block_columns!("b.content"), " FROM blocks AS b WHERE b.id = ?2 AND b.user_no = ", own_user!());
const LIST: &str = list!("NULL", by_path);
const LIST_FULL: &str = list!("b.content", by_path);
const LIST_WRITTEN: &str = list!("NULL", by_number);
const LIST_WRITTEN_FULL: &str = list!("b.content", by_number);
const WITHIN: &str = concat!(
    "SELECT ",
    block_columns!("b.content"),
    " FROM blocks AS b WHERE b.store_no = ",
    own_store!("?2"),
    " AND b.deleted_at IS NULL AND (b.path = ?3 OR (b.path >= ?4 AND b.path < ?5)) ORDER BY b.path"
);
/// Column weights: the words that name the user and the store count for nothing, those of path and description twice. The search
/// for words comes first (`CROSS`): the other way round, each block of the user would query the index.
const SEARCH: &str = concat!(
    "SELECT ",
    block_columns!("b.content"),
    " FROM block_words AS w CROSS JOIN blocks AS b ON b.block_no = w.rowid WHERE block_words MATCH ?10 AND ",
    admitted!(),
    " ORDER BY bm25(block_words, 0.0, 2.0, 1.0), b.block_no LIMIT ?11"
);
const BIN: &str = concat!(
    "SELECT ",
    block_columns!("b.content"),
    " FROM blocks AS b WHERE b.store_no = ",
    own_store!("?2"),
    " AND b.deleted_at IS NOT NULL ORDER BY b.deleted_at DESC, b.block_no DESC LIMIT ?3"
);
const BINNED: &str = concat!(
    "SELECT ",
    block_columns!("b.content"),
    " FROM blocks AS b WHERE b.store_no = ",
    own_store!("?2"),
    " AND b.deleted_at IS NOT NULL AND b.id = ?3"
);
const LAST_TEXT: &str = "SELECT content, sha256 FROM block_versions WHERE block_no = ?1 AND operation <> 'deleted' \
                         ORDER BY version DESC LIMIT 1";
const IN_THE_WAY: &str = concat!(
    "SELECT id, path FROM blocks WHERE store_no = ",
    own_store!("?2"),
    " AND deleted_at IS NULL AND (path = ?3 OR path IN (SELECT value FROM json_each(?4)) OR (path >= ?5 AND path < ?6)) \
     AND (?7 IS NULL OR (path <> ?7 AND NOT (path >= ?8 AND path < ?9))) ORDER BY path LIMIT 1"
);
const TOTALS: &str = concat!(
    "SELECT COALESCE(SUM(store_no = ",
    own_store!("?2"),
    "), 0), COALESCE(SUM(bytes), 0), COALESCE(SUM(pinned), 0), \
     (SELECT archived_at IS NOT NULL FROM block_stores WHERE store_no = ",
    own_store!("?2"),
    ") FROM blocks WHERE deleted_at IS NULL AND user_no = ",
    own_user!()
);
const INSERT: &str = concat!(
    "INSERT INTO blocks (id, user_no, store_no, path, content, sha256, bytes, chars, version, version_id, operation, by_kind, by_id, \
     by_surface, description, pinned, char_limit, read_only, kind, scope, source, tags, created_at, updated_at, deleted_at) \
     SELECT ?3, user_no, store_no, ?4, ?5, ?6, ?7, ?8, 1, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?22, \
     CASE WHEN ?5 IS NULL THEN ?22 END FROM block_stores WHERE id = ?2 AND user_no = ",
    own_user!()
);
macro_rules! keep_former {
    () => {
        concat!(
            "INSERT INTO block_versions (id, user_no, store_no, block_no, version, operation, path, content, sha256, bytes, written_at, \
             by_kind, by_id, by_surface) SELECT version_id, user_no, store_no, block_no, version, operation, path, content, sha256, bytes, \
             updated_at, by_kind, by_id, by_surface FROM blocks WHERE id = ?2 AND version = ?3 AND user_no = ",
            own_user!()
        )
    };
}
macro_rules! change {
    () => {
        concat!(
            "UPDATE blocks SET version = version + 1, path = ?4, content = ?5, sha256 = ?6, bytes = ?7, chars = ?8, version_id = ?9, \
             operation = ?10, by_kind = ?11, by_id = ?12, by_surface = ?13, description = ?14, pinned = ?15, char_limit = ?16, \
             read_only = ?17, kind = ?18, scope = ?19, source = ?20, tags = ?21, updated_at = ?22, \
             deleted_at = CASE WHEN ?5 IS NULL THEN ?22 END WHERE id = ?2 AND version = ?3 AND user_no = ",
            own_user!()
        )
    };
}
const REPLACE: &str = concat!(keep_former!(), "; ", change!());
const TRIM: &str = "DELETE FROM block_versions WHERE block_no = (SELECT block_no FROM blocks WHERE id = ?1) AND version <= ?2";
const NUMBERS: &str = "SELECT block_no FROM blocks WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";
const BINNED_BEFORE: &str = "SELECT block_no FROM blocks WHERE deleted_at < ?1 AND (?2 IS NULL OR +user_no = ?2) LIMIT ?3";
const DELETE_VERSIONS: &str = "DELETE FROM block_versions WHERE block_no IN (SELECT value FROM json_each(?1))";
const DELETE: &str = "DELETE FROM blocks WHERE block_no IN (SELECT value FROM json_each(?1))";
const FORMER: &str = concat!("SELECT redacted_at FROM block_versions WHERE id = ?3 AND store_no = ", own_store!("?2"));
const IS_CURRENT: &str =
    concat!("SELECT EXISTS (SELECT 1 FROM blocks WHERE version_id = ?3 AND store_no = ", own_store!("?2"), ")");
const REDACT: &str = "UPDATE block_versions SET path = NULL, content = NULL, sha256 = NULL, bytes = NULL, redacted_at = ?2, \
                      redacted_by_kind = ?3, redacted_by_id = ?4 WHERE id = ?1";
const NOTE_READ: &str = "UPDATE blocks SET last_read_at = ?3 WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";

/// The first path below a path, and the one that sorts after every path below it: `/` is followed by `0`.
fn range(below: &BlockPath) -> (String, String) {
    (below.folder(), format!("{}0", below.as_str()))
}

macro_rules! filtered {
    ($sql:expr, $user:expr, $filter:expr) => {{
        let (from, to) = $filter.below.as_ref().map(range).unzip();
        sqlx::query($sql)
            .bind($user.as_str())
            .bind($filter.store_id.as_deref())
            .bind(from)
            .bind(to)
            .bind($filter.kind.as_deref())
            .bind($filter.scope.as_deref())
            .bind($filter.source.as_deref())
            .bind(json_ids(&$filter.tags))
            .bind($filter.pinned)
    }};
}

/// Binds the columns of a new head from `?4` on.
macro_rules! headed {
    ($query:expr, $head:expr) => {{
        let NewHead { version_id, operation, path, text, fields, at, by } = $head;
        $query
            .bind(path.as_str())
            .bind(text.as_ref().map(|text| text.content.as_str()))
            .bind(text.as_ref().map(|text| text.sha256.as_str()))
            .bind(text.as_ref().map(|text| signed(text.content.len())))
            .bind(text.as_ref().map(|text| signed(text.content.chars().count())))
            .bind(version_id)
            .bind(operation.as_str())
            .bind(&by.kind)
            .bind(&by.id)
            .bind(&by.surface)
            .bind(&fields.description)
            .bind(fields.pinned)
            .bind(fields.char_limit)
            .bind(fields.read_only)
            .bind(&fields.kind)
            .bind(&fields.scope)
            .bind(&fields.source)
            .bind(json_ids(fields.tags.as_slice()))
            .bind(at.0)
    }};
}

#[async_trait]
impl BlockReads for SqliteStore {
    async fn block_stores(
        &self,
        user: &UserId,
        archived: bool,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<BlockStore>, StoreError> {
        let query = sqlx::query(STORES).bind(user.as_str()).bind(archived).bind(after).bind(limit);
        query.fetch_all(&self.readers).await?.iter().map(stored).collect()
    }

    async fn block_store(&self, user: &UserId, store: &StoreRef) -> Result<Option<BlockStore>, StoreError> {
        one_store(&mut *self.readers.acquire().await?, user, store).await
    }

    async fn block(&self, user: &UserId, store_id: Option<&str>, block: &BlockRef) -> Result<Option<Block>, StoreError> {
        one(&mut *self.readers.acquire().await?, user, store_id, block).await
    }

    async fn blocks(&self, user: &UserId, filter: &BlockFilter, page: &BlockPage) -> Result<Vec<Block>, StoreError> {
        let (sql, after) = match (&page.order, page.texts) {
            (BlockOrder::Path { after }, false) => (LIST, after),
            (BlockOrder::Path { after }, true) => (LIST_FULL, after),
            (BlockOrder::Written { after }, false) => (LIST_WRITTEN, after),
            (BlockOrder::Written { after }, true) => (LIST_WRITTEN_FULL, after),
        };
        let query = filtered!(sql, user, filter).bind(after.as_deref()).bind(page.limit);
        query.fetch_all(&self.readers).await?.iter().map(block_of).collect()
    }

    async fn search_blocks(
        &self,
        user: &UserId,
        filter: &BlockFilter,
        words: &[String],
        limit: u32,
    ) -> Result<Vec<Block>, StoreError> {
        let words: Vec<&String> = words.iter().filter(|word| word.chars().any(char::is_alphanumeric)).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let Some(no) = words::up_to_date(self, user).await? else { return Ok(Vec::new()) };
        let mut conn = self.readers.acquire().await?;
        let all: Vec<String> = words.iter().map(|word| runs::holding(word, false)).collect();
        let any: Vec<String> = words.iter().map(|word| runs::touching(word)).collect();
        for found in [all.join(" AND "), any.join(" OR ")] {
            let wanted = format!("place : u{no} AND {{label content}} : ({found})");
            let rows = filtered!(SEARCH, user, filter).bind(wanted).bind(limit).fetch_all(&mut *conn).await?;
            if !rows.is_empty() {
                return rows.iter().map(block_of).collect();
            }
        }
        Ok(Vec::new())
    }

    async fn index_blocks(&self) -> Result<(), StoreError> {
        words::update(self, None).await
    }

    async fn block_bin(&self, user: &UserId, store_id: &str, limit: u32) -> Result<Vec<Block>, StoreError> {
        let query = sqlx::query(BIN).bind(user.as_str()).bind(store_id).bind(limit);
        query.fetch_all(&self.readers).await?.iter().map(block_of).collect()
    }

    async fn block_versions(
        &self,
        user: &UserId,
        store_id: &str,
        filter: &VersionFilter,
        page: &VersionPage,
    ) -> Result<Vec<BlockVersion>, StoreError> {
        history::list(&mut *self.readers.acquire().await?, user, store_id, filter, page).await
    }

    async fn block_version(&self, user: &UserId, store_id: &str, id: &str) -> Result<Option<BlockVersion>, StoreError> {
        history::one(&mut *self.readers.acquire().await?, user, store_id, id).await
    }
}

#[async_trait]
impl BlockWrites for SqliteTx<'_> {
    async fn known_block_store(&mut self, user: &UserId, store: &StoreRef) -> Result<Option<BlockStore>, StoreError> {
        one_store(&mut self.tx, user, store).await
    }

    async fn count_block_stores(&mut self, user: &UserId) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(COUNT_STORES).bind(user.as_str()).fetch_one(&mut *self.tx).await?;
        Ok(count.unsigned_abs())
    }

    async fn insert_block_store(&mut self, user: &UserId, store: &BlockStore) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), store.created_at).await?;
        sqlx::query(INSERT_STORE)
            .bind(&store.id)
            .bind(no)
            .bind(&store.name)
            .bind(&store.description)
            .bind(metadata(store)?)
            .bind(store.is_default)
            .bind(store.created_at.0)
            .bind(store.updated_at.0)
            .bind(store.archived_at.map(|at| at.0))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn change_block_store(&mut self, user: &UserId, store: &BlockStore) -> Result<(), StoreError> {
        sqlx::query(CHANGE_STORE)
            .bind(user.as_str())
            .bind(&store.id)
            .bind(&store.name)
            .bind(&store.description)
            .bind(metadata(store)?)
            .bind(store.updated_at.0)
            .bind(store.archived_at.map(|at| at.0))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn delete_block_store(&mut self, user: &UserId, id: &str, visit: Visit<'_>) -> Result<bool, StoreError> {
        let no: Option<i64> = sqlx::query_scalar(STORE_NO).bind(user.as_str()).bind(id).fetch_one(&mut *self.tx).await?;
        let Some(no) = no else { return Ok(false) };
        let blocks: Vec<i64> = sqlx::query_scalar(NUMBERS_IN).bind(no).fetch_all(&mut *self.tx).await?;
        delete(&mut self.tx, &blocks, visit).await?;
        show(&mut self.tx, "block_stores", "store_no", &json_numbers(&[no])?, visit).await?;
        sqlx::query(DELETE_STORE).bind(no).execute(&mut *self.tx).await?;
        Ok(true)
    }

    async fn known_block(
        &mut self,
        user: &UserId,
        store_id: Option<&str>,
        block: &BlockRef,
    ) -> Result<Option<Block>, StoreError> {
        one(&mut self.tx, user, store_id, block).await
    }

    async fn first_block(&mut self, user: &UserId, filter: &BlockFilter) -> Result<Option<Block>, StoreError> {
        let query = filtered!(LIST_WRITTEN_FULL, user, filter).bind(None::<&str>).bind(1);
        query.fetch_optional(&mut *self.tx).await?.as_ref().map(block_of).transpose()
    }

    async fn known_blocks_within(&mut self, user: &UserId, store_id: &str, path: &BlockPath) -> Result<Vec<Block>, StoreError> {
        let (from, to) = range(path);
        let query = sqlx::query(WITHIN).bind(user.as_str()).bind(store_id).bind(path.as_str()).bind(from).bind(to);
        query.fetch_all(&mut *self.tx).await?.iter().map(block_of).collect()
    }

    async fn block_in_the_way(
        &mut self,
        user: &UserId,
        store_id: &str,
        path: &BlockPath,
        moving: Option<&BlockPath>,
    ) -> Result<Option<(String, String)>, StoreError> {
        let (from, to) = range(path);
        let (moving_from, moving_to) = moving.map(range).unzip();
        let query = sqlx::query_as(IN_THE_WAY)
            .bind(user.as_str())
            .bind(store_id)
            .bind(path.as_str())
            .bind(json_ids(&path.above()))
            .bind(from)
            .bind(to)
            .bind(moving.map(BlockPath::as_str))
            .bind(moving_from)
            .bind(moving_to);
        Ok(query.fetch_optional(&mut *self.tx).await?)
    }

    async fn block_totals(&mut self, user: &UserId, store_id: &str) -> Result<Option<BlockTotals>, StoreError> {
        let query = sqlx::query_as(TOTALS).bind(user.as_str()).bind(store_id);
        let (blocks, bytes, pinned, archived): (i64, i64, i64, Option<bool>) = query.fetch_one(&mut *self.tx).await?;
        Ok(archived.map(|is_archived| BlockTotals {
            blocks: blocks.unsigned_abs(),
            bytes: bytes.unsigned_abs(),
            pinned: pinned.unsigned_abs(),
            is_archived,
        }))
    }

    async fn insert_block(&mut self, user: &UserId, store_id: &str, id: &str, head: &NewHead) -> Result<(), StoreError> {
        let query = sqlx::query(INSERT).bind(user.as_str()).bind(store_id).bind(id);
        match headed!(query, head).execute(&mut *self.tx).await?.rows_affected() {
            1 => Ok(()),
            _ => Err(corrupt("a block without its store")),
        }
    }

    async fn change_block(&mut self, user: &UserId, id: &str, seen: i64, head: &NewHead) -> Result<bool, StoreError> {
        let query = sqlx::query(REPLACE).bind(user.as_str()).bind(id).bind(seen);
        if headed!(query, head).execute(&mut *self.tx).await?.rows_affected() == 0 {
            return Ok(false);
        }
        let oldest_kept = seen + 1 - i64::from(VERSIONS_KEPT);
        if oldest_kept > 0 {
            words::leave_versions(&mut self.tx, id, oldest_kept).await?;
            sqlx::query(TRIM).bind(id).bind(oldest_kept).execute(&mut *self.tx).await?;
        }
        Ok(true)
    }

    async fn known_binned(
        &mut self,
        user: &UserId,
        store_id: &str,
        id: &str,
    ) -> Result<Option<(Block, Option<BlockText>)>, StoreError> {
        let query = sqlx::query(BINNED).bind(user.as_str()).bind(store_id).bind(id);
        let Some(row) = query.fetch_optional(&mut *self.tx).await? else { return Ok(None) };
        let no: i64 = row.try_get("block_no")?;
        let last: Option<(Option<String>, Option<String>)> =
            sqlx::query_as(LAST_TEXT).bind(no).fetch_optional(&mut *self.tx).await?;
        let text = last.and_then(|(content, sha256)| Some(BlockText { content: content?, sha256: sha256? }));
        Ok(Some((block_of(&row)?, text)))
    }

    async fn delete_blocks(&mut self, user: &UserId, ids: &[String], visit: Visit<'_>) -> Result<u64, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let blocks: Vec<i64> = sqlx::query_scalar(NUMBERS).bind(no).bind(json_ids(ids)).fetch_all(&mut *self.tx).await?;
        delete(&mut self.tx, &blocks, visit).await
    }

    async fn delete_binned(
        &mut self,
        before: Moment,
        of: Option<&UserId>,
        limit: u32,
        visit: Visit<'_>,
    ) -> Result<u64, StoreError> {
        let number = match of {
            Some(user) => match user_no(&mut self.tx, user.as_str()).await? {
                Some(number) => Some(number),
                None => return Ok(0),
            },
            None => None,
        };
        let query = sqlx::query_scalar(BINNED_BEFORE).bind(before.0).bind(number).bind(limit);
        let blocks: Vec<i64> = query.fetch_all(&mut *self.tx).await?;
        delete(&mut self.tx, &blocks, visit).await
    }

    async fn redact_block_version(
        &mut self,
        user: &UserId,
        store_id: &str,
        id: &str,
        by: &Author,
        at: Moment,
        visit: Visit<'_>,
    ) -> Result<Redaction, StoreError> {
        let query = sqlx::query_as(FORMER).bind(user.as_str()).bind(store_id).bind(id);
        let former: Option<(Option<i64>,)> = query.fetch_optional(&mut *self.tx).await?;
        match former {
            Some((None,)) => {}
            Some((Some(_),)) => return Ok(Redaction::Known),
            None => {
                let query = sqlx::query_scalar(IS_CURRENT).bind(user.as_str()).bind(store_id).bind(id);
                let current: bool = query.fetch_one(&mut *self.tx).await?;
                return Ok(if current { Redaction::Current } else { Redaction::Missing });
            }
        }
        words::leave_version(&mut self.tx, id).await?;
        show(&mut self.tx, "block_versions", "id", &json_ids(&[id.to_owned()]), visit).await?;
        sqlx::query(REDACT).bind(id).bind(at.0).bind(&by.kind).bind(&by.id).execute(&mut *self.tx).await?;
        Ok(Redaction::Redacted)
    }

    async fn note_blocks_read(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        sqlx::query(NOTE_READ).bind(no).bind(json_ids(ids)).bind(at.0).execute(&mut *self.tx).await?;
        Ok(())
    }
}

/// Deletes these blocks, after passing their values to the callback; versions go first. A trigger removes their words from the
/// index.
async fn delete(conn: &mut SqliteConnection, blocks: &[i64], visit: Visit<'_>) -> Result<u64, StoreError> {
    if blocks.is_empty() {
        return Ok(0);
    }
    let keys = json_numbers(blocks)?;
    for table in ["blocks", "block_versions"] {
        show(conn, table, "block_no", &keys, visit).await?;
    }
    words::show_former(conn, &keys, visit).await?;
    sqlx::query(DELETE_VERSIONS).bind(&keys).execute(&mut *conn).await?;
    Ok(sqlx::query(DELETE).bind(&keys).execute(&mut *conn).await?.rows_affected())
}

async fn one_store(conn: &mut SqliteConnection, user: &UserId, store: &StoreRef) -> Result<Option<BlockStore>, StoreError> {
    let (how, name) = match store {
        StoreRef::Default => ("default", ""),
        StoreRef::Id(id) => ("id", id.as_str()),
        StoreRef::Named(name) => ("name", name.as_str()),
    };
    let query = sqlx::query(STORE).bind(user.as_str()).bind(how).bind(name);
    query.fetch_optional(conn).await?.as_ref().map(stored).transpose()
}

async fn one(
    conn: &mut SqliteConnection,
    user: &UserId,
    store_id: Option<&str>,
    block: &BlockRef,
) -> Result<Option<Block>, StoreError> {
    let (id, path) = match block {
        BlockRef::Id(id) => (Some(id.as_str()), None),
        BlockRef::Path(path) => (None, Some(path.as_str())),
    };
    let query = sqlx::query(ONE).bind(user.as_str()).bind(store_id).bind(id).bind(path);
    query.fetch_optional(conn).await?.as_ref().map(block_of).transpose()
}

/// A block of any store, also from the bin.
pub(super) async fn wherever(conn: &mut SqliteConnection, user: &UserId, id: &str) -> Result<Option<Block>, StoreError> {
    let query = sqlx::query(WHEREVER).bind(user.as_str()).bind(id);
    query.fetch_optional(conn).await?.as_ref().map(block_of).transpose()
}

fn metadata(store: &BlockStore) -> Result<String, StoreError> {
    serde_json::to_string(&store.metadata).map_err(corrupt)
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn author(row: &SqliteRow) -> Result<Author, StoreError> {
    Ok(Author { kind: row.try_get("by_kind")?, id: row.try_get("by_id")?, surface: row.try_get("by_surface")? })
}

fn stored(row: &SqliteRow) -> Result<BlockStore, StoreError> {
    Ok(BlockStore {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        metadata: serde_json::from_str(row.try_get("metadata")?).map_err(corrupt)?,
        is_default: row.try_get("is_default")?,
        created_at: Moment(row.try_get("created_at")?),
        updated_at: Moment(row.try_get("updated_at")?),
        archived_at: row.try_get::<Option<i64>, _>("archived_at")?.map(Moment),
    })
}

fn block_of(row: &SqliteRow) -> Result<Block, StoreError> {
    let count = |column: &str| -> Result<u64, StoreError> {
        Ok(row.try_get::<Option<i64>, _>(column)?.unwrap_or_default().unsigned_abs())
    };
    let tags: Vec<String> = serde_json::from_str(row.try_get("tags")?).map_err(corrupt)?;
    Ok(Block {
        id: row.try_get("id")?,
        store_id: row.try_get("store_id")?,
        path: row.try_get("path")?,
        content: row.try_get("content")?,
        sha256: row.try_get::<Option<String>, _>("sha256")?.unwrap_or_default(),
        bytes: count("bytes")?,
        chars: count("chars")?,
        version: row.try_get("version")?,
        version_id: row.try_get("version_id")?,
        operation: Operation::parse(row.try_get("operation")?).map_err(corrupt)?,
        by: author(row)?,
        fields: BlockFields {
            description: row.try_get("description")?,
            pinned: row.try_get("pinned")?,
            char_limit: row.try_get("char_limit")?,
            read_only: row.try_get("read_only")?,
            kind: row.try_get("kind")?,
            scope: row.try_get("scope")?,
            source: row.try_get("source")?,
            tags: Tags::new(&tags).map_err(corrupt)?,
        },
        created_at: Moment(row.try_get("created_at")?),
        updated_at: Moment(row.try_get("updated_at")?),
        last_read_at: row.try_get::<Option<i64>, _>("last_read_at")?.map(Moment),
        deleted_at: row.try_get::<Option<i64>, _>("deleted_at")?.map(Moment),
    })
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;

    async fn plan(sql: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        let plan = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(&store.writer).await.expect("read");
        plan.iter().map(|step| step.get("detail")).collect()
    }

    #[tokio::test]
    async fn one_block_is_found_without_reading_every_block_of_the_user() {
        for sql in [ONE, keep_former!(), change!()] {
            let steps = plan(sql).await;
            assert!(!steps.iter().any(|step| step.contains("(user_no=?)") && step.contains("blocks")), "{sql}: {steps:?}");
            assert!(steps.iter().any(|step| step.ends_with("(id=?)")), "{sql}: {steps:?}");
        }
    }

    #[tokio::test]
    async fn what_a_user_has_is_read_from_an_index_alone() {
        let steps = plan(TOTALS).await;
        assert!(steps.iter().any(|step| step.contains("blocks USING COVERING INDEX blocks_by_user")), "{steps:?}");
    }

    #[tokio::test]
    async fn a_search_asks_the_index_of_words_once() {
        let steps = plan(SEARCH).await;
        let of = |what: &str| steps.iter().position(|step| step.contains(what)).unwrap_or_else(|| panic!("{what}: {steps:?}"));
        assert!(of("SCAN w VIRTUAL TABLE") < of("SEARCH b USING INTEGER PRIMARY KEY"), "{steps:?}");
    }
}
