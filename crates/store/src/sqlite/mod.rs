//! The embedded engine: one file, write-ahead log, one writer and many readers.
//!
//! `BEGIN IMMEDIATE` for every write, `synchronous=FULL` (an accepted exchange is durable), foreign keys and secure delete on
//! every connection. Other processes may write the same file; `refresh` detects that.

mod blocks;
mod chat;
mod engine;
mod erasure;
mod facts;
mod files;
mod memories;
mod operate;
mod people;
mod values;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection, Transaction};
use tokio::sync::Mutex;
use tokio::time::Instant;

pub use engine::copies::SqlitePlace;
pub use erasure::derived::{DERIVED, Derived};

use crate::sqlite::engine::mark::MarkFile;
use crate::sqlite::erasure::tokens::Contributed;
use crate::sqlite::facts::matrix::FactMatrix;
use crate::sqlite::files::{blocking, place_of, private};
use crate::sqlite::memories::user_cache::{DEFAULT_BUDGET_BYTES, UserCache};
use crate::sqlite::values::corrupt;
use domain::moment::Moment;
use ports::embedder::EmbedderId;
use ports::store::custody::{Custody, CustodyTx};
use ports::store::{ChangeReport, Store, StoreError, Transient, WriteTx};

const TRIM_CHANGES: &str = "DELETE FROM changes WHERE seq <= (SELECT MAX(seq) FROM changes) - ?1";
/// How long a writer waits for another process before it fails; [`ports::store::atomically`] tries again.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a transaction waits behind others of this process. With [`BUSY_TIMEOUT`] and the attempts of
/// [`ports::store::atomically`] it stays below the 30 seconds that a request may take.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long emptying the log waits for readers.
const LOG_TIMEOUT: Duration = Duration::from_millis(100);
/// Maximum number of concurrent readers.
const READERS: u32 = 8;

/// Minimum time between test writes.
const PROBE_EVERY: Duration = Duration::from_secs(2);
const PROBE: &str = "probe";
/// Size of the test write after a full disk, in bytes: as much as a long exchange with its reply, and more than the log may have
/// room for by chance.
const PROBE_BYTES: usize = 256 * 1024;
const QUICK_CHECK: &str = "PRAGMA quick_check(5)";
const INTEGRITY_CHECK: &str = "PRAGMA integrity_check(5)";
const ORPHANS: &str = "SELECT DISTINCT \"table\" FROM pragma_foreign_key_check LIMIT 5";
/// Keys of the embedder of the vectors.
const EMBEDDER_MODEL: &str = "embedder.model";
const EMBEDDER_WEIGHTS: &str = "embedder.weights";
const EMBEDDER_DIMENSIONS: &str = "embedder.dimensions";

const SET_META: &str = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
const META: &str = "SELECT value FROM meta WHERE key = ?1";
const USER_NO: &str = "SELECT user_no FROM users WHERE user_id = ?1";
const ADD_USER: &str =
    "INSERT INTO users (user_id, first_seen_at, contribution_key) VALUES (?1, ?2, ?3) ON CONFLICT (user_id) DO NOTHING";
const NOTE_CHANGE: &str = "INSERT INTO changes (topic, target) VALUES (?1, ?2)";

/// Last change and the connection's count of changed rows at the beginning of a transaction.
const BEGUN: &str = "SELECT COALESCE(MAX(seq), 0), total_changes() FROM changes";

/// A database file.
pub struct SqliteStore {
    writer: SqlitePool,
    readers: SqlitePool,
    matrix: FactMatrix,
    users: UserCache,
    /// A connection that only watches for changes, and its last state.
    watch: Mutex<engine::sync::Watch>,
    /// When a test write last succeeded.
    probed: Mutex<Option<Instant>>,
    /// A write was refused because the disk was full, and no test write of usual size has succeeded since.
    full: AtomicBool,
    /// Held while the matrix is updated.
    syncing: Mutex<()>,
    file: PathBuf,
    /// Device and inode of the file that was opened.
    opened: (u64, u64),
    /// The data folder: every file in it is searched when an erasure is verified.
    folder: PathBuf,
    options: SqliteConnectOptions,
    mark: MarkFile,
    handles: Arc<erasure::traces::Handles>,
}

impl SqliteStore {
    /// Opens the file, creates it if necessary, and applies missing migrations.
    pub async fn open(file: &Path) -> Result<Self, StoreError> {
        let own = file.to_owned();
        blocking(move || private(&own)).await?;
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("secure_delete", "ON")
            .pragma("temp_store", "MEMORY");
        let writer = pool(1).acquire_timeout(TURN_TIMEOUT).connect_with(options.clone()).await?;
        engine::migrations::apply(&writer).await?;
        let reading = options.clone().pragma("query_only", "ON");
        let readers = pool(READERS).connect_with(reading.clone()).await?;
        let watch = Mutex::new(engine::sync::Watch::open(&reading).await?);
        // One canonical name per file, by which the open handles are found.
        let file = file.canonicalize().map_err(StoreError::failed)?;
        let opened = place_of(&file)?;
        let mark = MarkFile::beside(&file);
        engine::mark::compare(&mut *writer.acquire().await?, mark.told()).await?;
        let store = Self {
            writer,
            readers,
            matrix: FactMatrix::default(),
            users: UserCache::new(DEFAULT_BUDGET_BYTES),
            watch,
            probed: Mutex::default(),
            full: AtomicBool::new(false),
            opened,
            syncing: Mutex::new(()),
            folder: file.parent().unwrap_or(Path::new("/")).to_owned(),
            file,
            options,
            mark,
            handles: Arc::default(),
        };
        store.sync_matrix().await?;
        Ok(store)
    }

    /// Limits the cache of memories of users with recent requests.
    #[must_use]
    pub fn caching(mut self, bytes: usize) -> Self {
        self.users = UserCache::new(bytes);
        self
    }

    /// Sets the data folder, if the database is not in it.
    pub fn within(mut self, folder: &Path) -> Result<Self, StoreError> {
        self.folder = folder.canonicalize().map_err(StoreError::failed)?;
        Ok(self)
    }

    /// Empties the write-ahead log, so that deleted text is in no file. `false`: a reader holds it; try again.
    pub async fn truncate_log(&self) -> Result<bool, StoreError> {
        // The caller retries; waiting here would block every writer.
        let mut conn = self.writer.acquire().await?;
        sqlx::query(AssertSqlSafe(format!("PRAGMA busy_timeout = {}", LOG_TIMEOUT.as_millis()))).execute(&mut *conn).await?;
        let done = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *conn).await;
        sqlx::query(AssertSqlSafe(format!("PRAGMA busy_timeout = {}", BUSY_TIMEOUT.as_millis()))).execute(&mut *conn).await?;
        let (busy, ..): (i64, i64, i64) = done?;
        Ok(busy == 0)
    }

    /// Fails if another file, or none, is where the database was opened: writes would be lost. A check takes a few microseconds,
    /// so it needs no thread of its own.
    fn must_be_in_place(&self) -> Result<(), StoreError> {
        match place_of(&self.file) {
            Ok(place) if place == self.opened => Ok(()),
            Ok(_) => Err(StoreError::Moved("another file has its name".into())),
            Err(error) => Err(error),
        }
    }

    /// Tests whether the database can be written. After a full disk it first writes as much as is usual, and then replaces that
    /// by a short value.
    async fn probe(&self, after_full: bool) -> Result<(), StoreError> {
        let usual = after_full.then(|| "x".repeat(PROBE_BYTES));
        for value in usual.as_deref().into_iter().chain(["written"]) {
            let mut tx = self.begin_tx().await?;
            sqlx::query(SET_META).bind(PROBE).bind(value).execute(&mut *tx.tx).await?;
            tx.tx.commit().await?;
        }
        Ok(())
    }

    async fn begin_tx(&self) -> Result<SqliteTx<'_>, StoreError> {
        self.must_be_in_place()?;
        let mut tx = self.begin_immediate().await?;
        let (seq, changes_before) = sqlx::query_as(BEGUN).fetch_one(&mut *tx).await?;
        if !self.matrix.is_at(seq) {
            let _one_at_a_time = self.syncing.lock().await;
            engine::sync::matrix(&mut tx, &self.matrix).await?;
        }
        Ok(SqliteTx { tx, store: self, changes_before, changed_facts: HashSet::new(), contributed: None })
    }

    async fn begin_immediate(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        const BEGIN: &str = "BEGIN IMMEDIATE";
        match self.writer.begin_with(BEGIN).await {
            // After a full disk SQLite has rolled back by itself, but the connection still believes itself in a transaction.
            Err(sqlx::Error::InvalidSavePointStatement) => {
                self.writer.acquire().await?.close().await?;
                Ok(self.writer.begin_with(BEGIN).await?)
            }
            begun => Ok(begun?),
        }
    }

    /// Updates the matrix with all commits.
    async fn sync_matrix(&self) -> Result<(), StoreError> {
        let mut conn = self.readers.acquire().await?;
        let _one_at_a_time = self.syncing.lock().await;
        engine::sync::matrix(&mut conn, &self.matrix).await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn begin<'s>(&'s self) -> Result<Box<dyn WriteTx + 's>, StoreError> {
        Ok(Box::new(self.begin_tx().await?))
    }

    async fn refresh(&self) -> Result<ChangeReport, StoreError> {
        let mut watch = self.watch.lock().await;
        let (changed, seen) = watch.look().await?;
        if !changed.erasure_ids.is_empty() {
            self.users.clear();
        }
        if !changed.fact_ids.is_empty() {
            self.sync_matrix().await?;
        }
        watch.done(seen);
        Ok(changed)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.must_be_in_place()?;
        sqlx::query("SELECT seq FROM changes LIMIT 1").fetch_optional(&self.readers).await?;
        let mut written = self.probed.lock().await;
        let was_full = self.full.load(Ordering::Relaxed);
        if was_full || written.is_none_or(|at| at.elapsed() >= PROBE_EVERY) {
            if let Err(error) = self.probe(was_full).await {
                self.full.fetch_or(error.is_full(), Ordering::Relaxed);
                return Err(error);
            }
            self.full.store(false, Ordering::Relaxed);
            *written = Some(Instant::now());
        }
        Ok(())
    }

    fn disk_was_full(&self) {
        self.full.store(true, Ordering::Relaxed);
    }
}

#[async_trait]
impl Custody for SqliteStore {
    async fn begin_custody<'s>(&'s self) -> Result<Box<dyn CustodyTx + 's>, StoreError> {
        Ok(Box::new(self.begin_tx().await?))
    }

    fn note_full_disk(&self) {
        self.disk_was_full();
    }

    async fn embedder(&self) -> Result<Option<EmbedderId>, StoreError> {
        let [model, weights, dimensions] = [EMBEDDER_MODEL, EMBEDDER_WEIGHTS, EMBEDDER_DIMENSIONS].map(|key| self.note(key));
        let (Some(model), Some(weights), Some(dimensions)) = (model.await?, weights.await?, dimensions.await?) else {
            return Ok(None);
        };
        Ok(Some(EmbedderId { model, weights, dimensions: dimensions.parse().map_err(corrupt)? }))
    }

    async fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar(META).bind(key).fetch_optional(&self.readers).await?)
    }

    async fn check(&self, whole: bool) -> Result<Vec<String>, StoreError> {
        let pragma = if whole { INTEGRITY_CHECK } else { QUICK_CHECK };
        let mut said: Vec<String> = match sqlx::query_scalar(pragma).fetch_all(&self.readers).await.map_err(StoreError::from) {
            // The file may be too damaged for the check itself.
            Err(StoreError::Damaged(cause)) => return Ok(vec![cause.to_string()]),
            said => said?,
        };
        said.retain(|line| line != "ok");
        if whole && said.is_empty() {
            let orphans: Vec<String> = sqlx::query_scalar(ORPHANS).fetch_all(&self.readers).await?;
            said.extend(orphans.iter().map(|table| format!("a row of {table} names a row that is not there")));
        }
        Ok(said)
    }

    async fn missing_commits(&self) -> Result<u64, StoreError> {
        engine::mark::missing(&mut *self.readers.acquire().await?).await
    }

    async fn accept_as_it_is(&self) -> Result<(), StoreError> {
        let mut tx = self.begin_immediate().await?;
        engine::mark::accept(&mut tx).await?;
        Ok(tx.commit().await?)
    }

    async fn close(&self) {
        self.readers.close().await;
        self.watch.lock().await.close().await;
        // On a read-only database, the log has nothing to write back.
        if let Err(error) = self.truncate_log().await
            && !matches!(error, StoreError::ReadOnly(_))
        {
            tracing::warn!(cause = %error, "the write-ahead log could not be emptied");
        }
        self.writer.close().await;
    }
}

/// Connections are in this process, so testing them on each use would only take time.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new().max_connections(connections).test_before_acquire(false)
}

/// A transaction on the only writing connection. Rolls back when dropped without `commit`.
struct SqliteTx<'s> {
    tx: Transaction<'static, Sqlite>,
    store: &'s SqliteStore,
    /// The connection's count of changed rows at the beginning.
    changes_before: i64,
    /// Facts that this transaction wrote; the matrix does not have their new state.
    changed_facts: HashSet<String>,
    /// Cached contributions of the user with this number, until they change.
    contributed: Option<(Option<i64>, Contributed)>,
}

impl SqliteTx<'_> {
    /// Records a change of this fact for the matrix and for other processes.
    async fn fact_changed(&mut self, id: &str) -> Result<(), StoreError> {
        self.changed_facts.insert(id.to_owned());
        sqlx::query(NOTE_CHANGE).bind("fact").bind(id).execute(&mut *self.tx).await?;
        Ok(())
    }

    /// Records a change of this fact that may also change the facts that it contradicts.
    async fn weight_changed(&mut self, id: &str) -> Result<(), StoreError> {
        let pairs: Vec<(String, String)> = sqlx::query_as(facts::OPEN_PAIRS).bind(id).fetch_all(&mut *self.tx).await?;
        for (a, b) in pairs {
            self.fact_changed(if a == id { &b } else { &a }).await?;
        }
        self.fact_changed(id).await
    }
}

#[async_trait]
impl WriteTx for SqliteTx<'_> {
    async fn trim_changes(&mut self, keep: i64) -> Result<(), StoreError> {
        sqlx::query(TRIM_CHANGES).bind(keep).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { mut tx, store, changes_before, changed_facts, .. } = *self;
        let commits = engine::mark::count(&mut tx, changes_before).await?;
        tx.commit().await?;
        if let Some(commits) = commits {
            store.mark.raise(commits);
        }
        if !changed_facts.is_empty() {
            store.sync_matrix().await?;
        }
        Ok(())
    }
}

#[async_trait]
impl CustodyTx for SqliteTx<'_> {
    async fn set_embedder(&mut self, id: &EmbedderId) -> Result<(), StoreError> {
        self.set_note(EMBEDDER_MODEL, &id.model).await?;
        self.set_note(EMBEDDER_WEIGHTS, &id.weights).await?;
        self.set_note(EMBEDDER_DIMENSIONS, &id.dimensions.to_string()).await
    }

    async fn set_note(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        sqlx::query(SET_META).bind(key).bind(value).execute(&mut *self.tx).await?;
        Ok(())
    }
}

/// The number of a user, if there is one.
async fn user_no(conn: &mut SqliteConnection, user_id: &str) -> Result<Option<i64>, StoreError> {
    Ok(sqlx::query_scalar(USER_NO).bind(user_id).fetch_optional(conn).await?)
}

/// The number of a user; assigned if necessary.
async fn ensure_user(conn: &mut SqliteConnection, user_id: &str, at: Moment) -> Result<i64, StoreError> {
    sqlx::query(ADD_USER).bind(user_id).bind(at.0).bind(erasure::tokens::new_key()).execute(&mut *conn).await?;
    Ok(sqlx::query_scalar(USER_NO).bind(user_id).fetch_one(conn).await?)
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions;

    use super::*;
    use domain::facts::provenance::Surface;
    use domain::memory::exchange::Exchange;
    use ports::store::operate::inbox::{InboxReads, NewExchange};
    use ports::store::operate::stats::StatsReads;
    use ports::store::{Patience, Transient, atomically, patiently};

    #[tokio::test]
    async fn a_full_disk_is_told_apart_and_once_there_is_room_writing_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        // If the file may not grow, SQLite reports a full disk.
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
        let new = NewExchange {
            id: "ex_1".to_owned(),
            external_digest: None,
            exchange,
            epoch: 0,
            received_at: Moment(0),
            imported: false,
            asks: false,
        };
        let mut tx = store.begin().await.expect("begun");
        assert!(matches!(tx.enqueue(&new).await, Err(StoreError::Full(_))));
        drop(tx);
        assert_eq!(store.backlog().await.expect("read").queued, 0);
        // The limit was the connection's, which is not used again.
        let mut tx = store.begin().await.expect("begun");
        tx.enqueue(&new).await.expect("there is room again");
        tx.commit().await.expect("written");
        assert_eq!(store.backlog().await.expect("read").queued, 1);
    }

    /// A patience without pauses; after this many failures, the other writer releases its lock.
    struct LetsGo {
        other: Option<Transaction<'static, Sqlite>>,
        after: u32,
        failed: u32,
    }

    #[async_trait]
    impl Patience for LetsGo {
        async fn wait(&mut self) -> bool {
            self.failed += 1;
            if self.failed == self.after
                && let Some(other) = self.other.take()
            {
                other.rollback().await.expect("let go");
            }
            true
        }
    }

    /// A store that fails at once on a lock, and another connection's lock on its file.
    async fn locked(folder: &Path) -> (SqliteStore, Transaction<'static, Sqlite>) {
        let file = folder.join("keepsake.db");
        let store = SqliteStore::open(&file).await.expect("opens");
        sqlx::query("PRAGMA busy_timeout = 0").execute(&store.writer).await.expect("set");
        let beside = SqliteStore::open(&file).await.expect("opens");
        let lock = beside.writer.begin_with("BEGIN IMMEDIATE").await.expect("locked");
        (store, lock)
    }

    #[tokio::test]
    async fn work_that_met_a_lock_twice_is_done_the_third_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, lock) = locked(folder.path()).await;
        let mut patience = LetsGo { other: Some(lock), after: 2, failed: 0 };
        let work = patiently::<_, StoreError, _>(&store, &mut patience, |tx| Box::pin(async move { tx.count(1, "x", 1).await }));
        work.await.expect("done");
        assert_eq!((patience.failed, store.counter(1, "x").await.expect("read")), (2, 1), "once");
    }

    #[tokio::test]
    async fn a_lock_for_good_ends_as_busy_with_its_cause() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, _lock) = locked(folder.path()).await;
        let mut begun = 0;
        let work = atomically::<(), StoreError, _>(&store, |_| {
            begun += 1;
            Box::pin(async { Ok(()) })
        });
        let error = work.await.expect_err("the lock stays");
        assert!(matches!(&error, StoreError::Busy(cause) if cause.to_string().contains("locked")), "{error:?}");
        assert_eq!(begun, 0, "nothing was done outside of a transaction");
    }

    #[tokio::test]
    async fn a_reader_that_writes_too_late_is_in_conflict() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        let mut late = store.options.connect().await.expect("connects");
        sqlx::raw_sql("BEGIN; SELECT COUNT(*) FROM daily_counters").execute(&mut late).await.expect("reads");
        atomically::<_, StoreError, _>(&store, |tx| Box::pin(async move { tx.count(1, "x", 1).await })).await.expect("written");
        let refused = sqlx::query("DELETE FROM daily_counters").execute(&mut late).await.expect_err("too late");
        let error = StoreError::from(refused);
        assert!(matches!(error, StoreError::Conflict(_)) && error.may_pass(), "{error:?}");
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
