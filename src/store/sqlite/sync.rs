//! Finds out what changed since the last look, here or in another process.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::facts::{META_COLUMNS_BY_IDS, META_COLUMNS_OF_ALL, meta};
use super::{json_ids, vector};
use crate::ports::store::{Changed, StoreError};
use crate::store::matrix::{FactMatrix, Update};

const DATA_VERSION: &str = "PRAGMA data_version";
const LAST_SEQ: &str = "SELECT COALESCE(MAX(seq), 0) FROM changes";
const FIRST_SEQ: &str = "SELECT COALESCE(MIN(seq), 0) FROM changes";
const TOPICS_SINCE: &str = "SELECT DISTINCT topic FROM changes WHERE seq > ?1";
const TARGETS_SINCE: &str = "SELECT DISTINCT target FROM changes WHERE seq > ?1 AND topic = ?2 AND target IS NOT NULL";

/// A connection that only watches.
pub(super) struct Watch {
    /// `None` once closed.
    conn: Option<SqliteConnection>,
    data_version: i64,
    seq: i64,
}

impl Watch {
    pub(super) async fn open(options: &SqliteConnectOptions) -> Result<Self, StoreError> {
        let mut conn = options.connect().await?;
        let data_version = sqlx::query_scalar(DATA_VERSION).fetch_one(&mut conn).await?;
        let seq = sqlx::query_scalar(LAST_SEQ).fetch_one(&mut conn).await?;
        Ok(Self { conn: Some(conn), data_version, seq })
    }

    /// What any other connection committed since the last look.
    pub(super) async fn look(&mut self) -> Result<Changed, StoreError> {
        let Some(conn) = &mut self.conn else { return Ok(Changed::default()) };
        let now: i64 = sqlx::query_scalar(DATA_VERSION).fetch_one(&mut *conn).await?;
        if now == self.data_version {
            return Ok(Changed::default());
        }
        let seq: i64 = sqlx::query_scalar(LAST_SEQ).fetch_one(&mut *conn).await?;
        let topics: Vec<String> = sqlx::query_scalar(TOPICS_SINCE).bind(self.seq).fetch_all(&mut *conn).await?;
        let fact_ids = sqlx::query_scalar(TARGETS_SINCE).bind(self.seq).bind("fact").fetch_all(&mut *conn).await?;
        let erasure_ids = sqlx::query_scalar(TARGETS_SINCE).bind(self.seq).bind("erasures").fetch_all(&mut *conn).await?;
        (self.data_version, self.seq) = (now, seq);
        let has = |topic: &str| topics.iter().any(|t| t == topic);
        Ok(Changed { fact_ids, settings: has("settings"), inbox: has("inbox"), erasure_ids })
    }
}

impl Watch {
    pub(super) async fn close(&mut self) {
        if let Some(conn) = self.conn.take() {
            // What cannot be closed is closed with the process.
            let _ = conn.close().await;
        }
    }
}

/// Brings the matrix up to what this connection sees. Reads only facts that changed; everything on first use, or when
/// the sequence no longer reaches back far enough.
pub(super) async fn matrix(conn: &mut SqliteConnection, matrix: &FactMatrix) -> Result<(), StoreError> {
    let known = matrix.seq();
    let seq: i64 = sqlx::query_scalar(LAST_SEQ).fetch_one(&mut *conn).await?;
    if known > 0 && seq == known {
        return Ok(());
    }
    let first: i64 = sqlx::query_scalar(FIRST_SEQ).fetch_one(&mut *conn).await?;
    let afresh = known == 0 || first > known + 1;
    let (rows, mut gone) = if afresh {
        (sqlx::query(META_COLUMNS_OF_ALL).fetch_all(&mut *conn).await?, Vec::new())
    } else {
        let ids: Vec<String> = sqlx::query_scalar(TARGETS_SINCE).bind(known).bind("fact").fetch_all(&mut *conn).await?;
        (sqlx::query(META_COLUMNS_BY_IDS).bind(json_ids(&ids)).fetch_all(&mut *conn).await?, ids)
    };
    let mut updates = Vec::with_capacity(rows.len());
    for row in &rows {
        let meta = meta(row)?;
        gone.retain(|id| *id != meta.id);
        updates.push(Update::Put(meta, vector(row, "vector")?));
    }
    updates.extend(gone.into_iter().map(Update::Gone));
    matrix.apply(seq, updates, afresh);
    Ok(())
}
