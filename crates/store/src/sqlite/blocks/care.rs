//! Health of a user's memory blocks, in SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use crate::sqlite::values::json_ids;
use crate::sqlite::{SqliteStore, SqliteTx, blocks, user_no};
use domain::blocks::limits::{CONTENT_BYTES, PINNED_CHARS};
use domain::erasure::people::UserId;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::blocks::Block;
use ports::store::blocks::care::{BlockCare, BlockCareReads, BlockCareWrites, CareLine, CareLines, CareQuery};

macro_rules! lines {
    ($where:literal) => {
        concat!(
            "SELECT id, path, bytes, chars, char_limit, pinned, last_read_at, created_at, COUNT(*) OVER () AS among FROM blocks \
             WHERE user_no = ?1 AND deleted_at IS NULL AND (",
            $where,
            ") ORDER BY path, block_no LIMIT ?2"
        )
    };
}

const COUNT: &str =
    "SELECT COUNT(*) FROM blocks WHERE deleted_at IS NULL AND user_no = (SELECT user_no FROM users WHERE user_id = ?1)";
const HELD: &str = "SELECT (SELECT COUNT(*) FROM block_stores WHERE user_no = ?1), COUNT(*), COALESCE(SUM(bytes), 0), \
                    COALESCE(SUM(pinned), 0) FROM blocks WHERE user_no = ?1 AND deleted_at IS NULL";
/// The last text of a deleted block is in the version before the deletion.
const BINNED: &str = "SELECT COUNT(*), COALESCE(SUM(v.bytes), 0) FROM blocks AS b LEFT JOIN block_versions AS v \
                      ON v.block_no = b.block_no AND v.version = b.version - 1 WHERE b.user_no = ?1 AND b.deleted_at >= ?2";
const FULL: &str = lines!("bytes * 100 >= ?3 * ?4 OR chars * 100 >= ?3 * COALESCE(char_limit, CASE WHEN pinned = 1 THEN ?5 END)");
const UNREAD: &str = lines!("COALESCE(last_read_at, created_at) < ?3");
const REFUSED: &str = "SELECT rule, SUM(count) AS times FROM block_refusals WHERE user_no = ?1 AND day >= ?2 GROUP BY rule \
                       ORDER BY times DESC, rule";
const COUNT_REFUSALS: &str = "INSERT INTO block_refusals (user_no, day, rule, count) SELECT ?1, ?2, value, 1 FROM json_each(?3) WHERE true \
                              ON CONFLICT (user_no, day, rule) DO UPDATE SET count = count + 1";
const PURGE: &str = "DELETE FROM block_refusals WHERE day < ?1";

#[async_trait]
impl BlockCareReads for SqliteStore {
    async fn count_blocks(&self, user: &UserId) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(COUNT).bind(user.as_str()).fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn block_care(&self, user: &UserId, query: &CareQuery) -> Result<BlockCare, StoreError> {
        // One transaction, for one snapshot.
        let mut tx = self.readers.begin().await?;
        let Some(no) = user_no(&mut tx, user.as_str()).await? else { return Ok(BlockCare::default()) };
        let (stores, blocks, bytes, pinned): (i64, i64, i64, i64) = sqlx::query_as(HELD).bind(no).fetch_one(&mut *tx).await?;
        let (binned, binned_bytes) = binned(&mut tx, no, query.binned_since).await?;
        let full = sqlx::query(FULL)
            .bind(no)
            .bind(query.limit)
            .bind(signed(query.full_percent))
            .bind(signed(CONTENT_BYTES.max))
            .bind(signed(PINNED_CHARS.max))
            .fetch_all(&mut *tx)
            .await?;
        let unread = sqlx::query(UNREAD).bind(no).bind(query.limit).bind(query.unread_before.0).fetch_all(&mut *tx).await?;
        let refused: Vec<(String, i64)> =
            sqlx::query_as(REFUSED).bind(no).bind(query.refused_from_day).fetch_all(&mut *tx).await?;
        Ok(BlockCare {
            stores: stores.unsigned_abs(),
            blocks: blocks.unsigned_abs(),
            bytes: bytes.unsigned_abs(),
            pinned: pinned.unsigned_abs(),
            binned,
            binned_bytes,
            full: lines_of(&full)?,
            unread: lines_of(&unread)?,
            refused: refused.into_iter().map(|(rule, times)| (rule, times.unsigned_abs())).collect(),
        })
    }

    async fn block_wherever(&self, user: &UserId, id: &str) -> Result<Option<Block>, StoreError> {
        blocks::wherever(&mut *self.readers.acquire().await?, user, id).await
    }
}

#[async_trait]
impl BlockCareWrites for SqliteTx<'_> {
    async fn binned_bytes(&mut self, user: &UserId, since: Moment) -> Result<u64, StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(0) };
        Ok(binned(&mut self.tx, no, since).await?.1)
    }

    async fn count_block_refusals(&mut self, user: &UserId, day: i64, rules: &[String]) -> Result<(), StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(()) };
        sqlx::query(COUNT_REFUSALS).bind(no).bind(day).bind(json_ids(rules)).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn purge_block_refusals(&mut self, before_day: i64) -> Result<u64, StoreError> {
        Ok(sqlx::query(PURGE).bind(before_day).execute(&mut *self.tx).await?.rows_affected())
    }
}

async fn binned(conn: &mut SqliteConnection, user_no: i64, since: Moment) -> Result<(u64, u64), StoreError> {
    let (blocks, bytes): (i64, i64) = sqlx::query_as(BINNED).bind(user_no).bind(since.0).fetch_one(conn).await?;
    Ok((blocks.unsigned_abs(), bytes.unsigned_abs()))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn lines_of(rows: &[SqliteRow]) -> Result<CareLines, StoreError> {
    let all = match rows.first() {
        Some(row) => row.try_get::<i64, _>("among")?.unsigned_abs(),
        None => 0,
    };
    Ok(CareLines { all, first: rows.iter().map(line).collect::<Result<_, _>>()? })
}

fn line(row: &SqliteRow) -> Result<CareLine, StoreError> {
    Ok(CareLine {
        id: row.try_get("id")?,
        path: row.try_get("path")?,
        bytes: row.try_get::<i64, _>("bytes")?.unsigned_abs(),
        chars: row.try_get::<i64, _>("chars")?.unsigned_abs(),
        char_limit: row.try_get("char_limit")?,
        pinned: row.try_get("pinned")?,
        last_read_at: row.try_get::<Option<i64>, _>("last_read_at")?.map(Moment),
        created_at: Moment(row.try_get("created_at")?),
    })
}
