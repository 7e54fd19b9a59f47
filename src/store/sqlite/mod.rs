//! The embedded engine: one file, write-ahead log, one writer and many readers.
//!
//! `BEGIN IMMEDIATE` for every write, `synchronous=FULL` (an accepted exchange is durable), foreign keys and secure delete
//! on every connection. Other processes may write the same file; `refresh` finds out.

mod decisions;
mod desk;
mod erasures;
mod facts;
mod inbox;
mod log;
mod manage;
mod matrix;
mod memories;
mod memory_search;
mod migrations;
mod proof;
mod record;
mod sessions;
mod staff;
mod stats;
mod sync;
mod tuning;
mod user_cache;
mod users;
mod vectors;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Row, Sqlite, SqliteConnection, Transaction};
use tokio::sync::Mutex;

use migrations::MIGRATIONS;
pub use proof::{COPY_AT, COPY_KEY, Copy, LEDGER_FILE, inspect_copy};

use self::matrix::FactMatrix;
use self::user_cache::{DEFAULT_BUDGET_BYTES, UserCache};
use crate::domain::moment::Moment;
use crate::ports::embedder::{DIMENSIONS, EmbedderId, Vector};
use crate::ports::store::{Changed, Store, StoreError, WriteTx};

/// How long a writer waits for another process before it gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(15);
/// How long emptying the log waits for readers.
const LOG_TIMEOUT: Duration = Duration::from_millis(100);
/// Readers at once.
const READERS: u32 = 8;

const SET_META: &str = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
const META: &str = "SELECT value FROM meta WHERE key = ?1";
const USER_NO: &str = "SELECT user_no FROM users WHERE user_id = ?1";
const ADD_USER: &str = "INSERT INTO users (user_id, first_seen_at) VALUES (?1, ?2) ON CONFLICT (user_id) DO NOTHING";
const NOTE_CHANGE: &str = "INSERT INTO changes (topic, target) VALUES (?1, ?2)";

/// A database file.
pub struct SqliteStore {
    writer: SqlitePool,
    readers: SqlitePool,
    matrix: FactMatrix,
    users: UserCache,
    /// Connection that only watches, and what it saw last.
    watch: Mutex<sync::Watch>,
    /// Held while the matrix is brought up to date.
    syncing: Mutex<()>,
    file: PathBuf,
    /// The data folder: every file in it is searched when an erasure is proved.
    folder: PathBuf,
    options: SqliteConnectOptions,
    handles: Arc<proof::Handles>,
}

impl SqliteStore {
    /// Opens the file, creates it if need be, and applies the migrations that are missing.
    pub async fn open(file: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("secure_delete", "ON")
            .pragma("temp_store", "MEMORY");
        let writer = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        MIGRATIONS.run(&writer).await.map_err(|error| StoreError::Failed(error.to_string()))?;
        let reading = options.clone().pragma("query_only", "ON");
        let readers = SqlitePoolOptions::new().max_connections(READERS).connect_with(reading.clone()).await?;
        let watch = Mutex::new(sync::Watch::open(&reading).await?);
        // One name per file: the handles that stay open are found by it.
        let file = file.canonicalize().map_err(|error| StoreError::Failed(error.to_string()))?;
        let store = Self {
            writer,
            readers,
            matrix: FactMatrix::default(),
            users: UserCache::new(DEFAULT_BUDGET_BYTES),
            watch,
            syncing: Mutex::new(()),
            folder: file.parent().unwrap_or(Path::new("/")).to_owned(),
            file,
            options,
            handles: Arc::default(),
        };
        store.sync_matrix().await?;
        Ok(store)
    }

    /// Lets go of the files, so that another database can take their place.
    pub async fn close(&self) {
        self.readers.close().await;
        self.watch.lock().await.close().await;
        self.writer.close().await;
    }

    /// Names the data folder, when the database does not lie in it.
    pub fn within(mut self, folder: &Path) -> Result<Self, StoreError> {
        self.folder = folder.canonicalize().map_err(|error| StoreError::Failed(error.to_string()))?;
        Ok(self)
    }

    /// Brings the matrix up to date with everything committed.
    async fn sync_matrix(&self) -> Result<(), StoreError> {
        let mut conn = self.readers.acquire().await?;
        let _one_at_a_time = self.syncing.lock().await;
        sync::matrix(&mut conn, &self.matrix).await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn begin<'s>(&'s self) -> Result<Box<dyn WriteTx + 's>, StoreError> {
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        {
            let _one_at_a_time = self.syncing.lock().await;
            sync::matrix(&mut tx, &self.matrix).await?;
        }
        Ok(Box::new(SqliteTx { tx, store: self, changed_facts: HashSet::new() }))
    }

    async fn refresh(&self) -> Result<Changed, StoreError> {
        let changed = self.watch.lock().await.look().await?;
        if !changed.erasure_ids.is_empty() {
            self.users.clear();
        }
        if !changed.fact_ids.is_empty() {
            self.sync_matrix().await?;
        }
        Ok(changed)
    }

    async fn embedder(&self) -> Result<Option<EmbedderId>, StoreError> {
        let model: Option<String> = sqlx::query_scalar(META).bind("embedder.model").fetch_optional(&self.readers).await?;
        let weights: Option<String> = sqlx::query_scalar(META).bind("embedder.weights").fetch_optional(&self.readers).await?;
        Ok(model.zip(weights).map(|(model, weights)| EmbedderId { model, weights }))
    }

    async fn truncate_log(&self) -> Result<bool, StoreError> {
        // Whoever asks tries again; waiting here would stop every writer.
        let mut conn = self.writer.acquire().await?;
        sqlx::query(AssertSqlSafe(format!("PRAGMA busy_timeout = {}", LOG_TIMEOUT.as_millis()))).execute(&mut *conn).await?;
        let done = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *conn).await;
        sqlx::query(AssertSqlSafe(format!("PRAGMA busy_timeout = {}", BUSY_TIMEOUT.as_millis()))).execute(&mut *conn).await?;
        let (busy, ..): (i64, i64, i64) = done?;
        Ok(busy == 0)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT seq FROM changes LIMIT 1").fetch_optional(&self.readers).await?;
        Ok(())
    }
}

/// A transaction on the one writing connection. Dropped without `commit`, it rolls back.
struct SqliteTx<'s> {
    tx: Transaction<'static, Sqlite>,
    store: &'s SqliteStore,
    /// Facts this transaction wrote, which the matrix does not know as they are.
    changed_facts: HashSet<String>,
}

impl SqliteTx<'_> {
    /// Notes a change of this fact for the matrix and for other processes.
    async fn fact_changed(&mut self, id: &str) -> Result<(), StoreError> {
        self.changed_facts.insert(id.to_owned());
        sqlx::query(NOTE_CHANGE).bind("fact").bind(id).execute(&mut *self.tx).await?;
        Ok(())
    }
}

#[async_trait]
impl WriteTx for SqliteTx<'_> {
    async fn set_embedder(&mut self, id: &EmbedderId) -> Result<(), StoreError> {
        for (key, value) in [("embedder.model", &id.model), ("embedder.weights", &id.weights)] {
            sqlx::query(SET_META).bind(key).bind(value).execute(&mut *self.tx).await?;
        }
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { tx, store, changed_facts } = *self;
        tx.commit().await?;
        if !changed_facts.is_empty() {
            store.sync_matrix().await?;
        }
        Ok(())
    }
}

/// The number of a user, if there is one.
async fn user_no(conn: &mut SqliteConnection, user_id: &str) -> Result<Option<i64>, StoreError> {
    Ok(sqlx::query_scalar(USER_NO).bind(user_id).fetch_optional(conn).await?)
}

/// The number of a user, given one now if need be.
async fn ensure_user(conn: &mut SqliteConnection, user_id: &str, at: Moment) -> Result<i64, StoreError> {
    sqlx::query(ADD_USER).bind(user_id).bind(at.0).execute(&mut *conn).await?;
    Ok(sqlx::query_scalar(USER_NO).bind(user_id).fetch_one(conn).await?)
}

/// A vector as bytes, little-endian as every machine this runs on.
fn blob(vector: &[f32]) -> &[u8] {
    bytemuck::cast_slice(vector)
}

/// Reads a vector column; a blob of another length is corrupt.
fn vector(row: &sqlx::sqlite::SqliteRow, column: &str) -> Result<Vector, StoreError> {
    let bytes: &[u8] = row.try_get(column)?;
    if bytes.len() != DIMENSIONS * size_of::<f32>() {
        return Err(StoreError::Corrupt(format!("{column} has {} bytes", bytes.len())));
    }
    Ok(bytemuck::pod_collect_to_vec(bytes))
}

/// A stored enum that the rules cannot read.
fn corrupt(error: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

/// Ids for `json_each(?)`, which takes any number of them in one constant statement.
fn json_ids(ids: &[String]) -> String {
    serde_json::to_string(ids).unwrap_or_else(|_| "[]".to_owned())
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|e| e.code().map(std::borrow::Cow::into_owned)).unwrap_or_default();
        // Primary result codes of SQLite: 5 busy, 6 locked, 13 full; extended codes carry them in the low byte.
        match code.parse::<u32>().map(|c| c & 0xff) {
            Ok(5 | 6) => Self::Busy(error.to_string()),
            Ok(13) => Self::Full(error.to_string()),
            _ if matches!(error, sqlx::Error::PoolTimedOut) => Self::Busy(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::exchange::Exchange;
    use crate::domain::provenance::Surface;
    use crate::ports::store::inbox::{InboxReads, NewExchange};

    #[tokio::test]
    async fn a_full_disk_is_told_apart_and_nothing_is_half_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        // SQLite answers as it does on a full disk when the file may not grow.
        sqlx::query("PRAGMA max_page_count = 1").execute(&store.writer).await.expect("set");
        let exchange = Exchange {
            external_id: None,
            user: None,
            surface: Surface::new("web").expect("valid"),
            thread: None,
            at: Moment(0),
            message: "x".repeat(100_000),
            reply: String::new(),
        };
        let new = NewExchange { id: "ex_1".to_owned(), external_digest: None, exchange, epoch: 0, received_at: Moment(0) };
        let mut tx = store.begin().await.expect("begun");
        assert!(matches!(tx.enqueue(&new).await, Err(StoreError::Full(_))));
        drop(tx);
        assert_eq!(store.backlog().await.expect("read").queued, 0);
    }

    #[tokio::test]
    async fn every_connection_deletes_securely_and_keeps_references() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        for pool in [&store.writer, &store.readers] {
            for (pragma, expected) in [("secure_delete", 1_i64), ("foreign_keys", 1), ("synchronous", 2)] {
                let value: i64 =
                    sqlx::query_scalar(AssertSqlSafe(format!("PRAGMA {pragma}"))).fetch_one(pool).await.expect("read");
                assert_eq!(value, expected, "{pragma}");
            }
        }
    }
}
