//! Detects that the database lost commits: its log was cut, or an older copy was put in its place. Every commit is counted in the
//! database, and the count is repeated in a file beside it. The file is written after the commit and not synced, so it is never
//! ahead of a database that kept its durable commits.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

use sqlx::{Connection, SqliteConnection};

use crate::sqlite::files::PRIVATE;
use ports::store::StoreError;

/// Suffix of the file with the count.
const MARK: &str = ".mark";
/// Counts a commit that changes anything: `?1` is the number of changes when it began.
const COUNT: &str = "INSERT INTO meta (key, value) SELECT 'commits', '1' WHERE total_changes() > ?1 \
                     ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) RETURNING CAST(value AS INTEGER)";
const COUNTED: &str = "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'commits'";
const GO_ON_FROM: &str =
    "INSERT INTO meta (key, value) VALUES ('commits', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
const MISS: &str = "INSERT INTO meta (key, value) VALUES ('commits.missing', CAST(?1 AS TEXT)) \
                    ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + ?1 AS TEXT)";
const MISSING: &str = "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'commits.missing'";
const ACCEPT: &str = "DELETE FROM meta WHERE key = 'commits.missing'";

/// The file with the count.
pub(in crate::sqlite) struct MarkFile {
    /// `None`: it cannot be written, and losses go unnoticed.
    file: Option<File>,
    told: Mutex<i64>,
}

pub(in crate::sqlite) fn path(database: &Path) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(MARK);
    PathBuf::from(path)
}

impl MarkFile {
    pub(in crate::sqlite) fn beside(database: &Path) -> Self {
        let path = path(database);
        let told = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or_default();
        let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(PRIVATE).open(&path);
        Self { file: opened.ok(), told: Mutex::new(told) }
    }

    /// The number of commits noted in the file.
    pub(in crate::sqlite) fn told(&self) -> i64 {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a commit. Another process may have noted a later one meanwhile; its count is then overwritten by this one.
    pub(in crate::sqlite) fn raise(&self, commits: i64) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if commits > *told {
            *told = commits;
            // A full or broken disk is reported elsewhere.
            let _ = self.write(commits);
        }
    }

    /// Writes a fixed length, so that a full disk has room for it.
    fn write(&self, commits: i64) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.write_all_at(format!("{commits:020}\n").as_bytes(), 0))
    }
}

/// Counts a commit that is about to be made. `None`: it changes nothing.
pub(in crate::sqlite) async fn count(conn: &mut SqliteConnection, changes_before: i64) -> Result<Option<i64>, StoreError> {
    Ok(sqlx::query_scalar(COUNT).bind(changes_before).fetch_optional(conn).await?)
}

/// Records how many commits are missing, before another one is counted, and continues from the larger number.
pub(in crate::sqlite) async fn compare(conn: &mut SqliteConnection, told: i64) -> Result<(), StoreError> {
    let counted: i64 = sqlx::query_scalar(COUNTED).fetch_optional(&mut *conn).await?.unwrap_or_default();
    if told > counted {
        let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query(MISS).bind(told - counted).execute(&mut *tx).await?;
        sqlx::query(GO_ON_FROM).bind(told.to_string()).execute(&mut *tx).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// The number of missing commits that were not reported yet.
pub(in crate::sqlite) async fn missing(conn: &mut SqliteConnection) -> Result<u64, StoreError> {
    Ok(sqlx::query_scalar::<_, i64>(MISSING).fetch_optional(conn).await?.unwrap_or_default().unsigned_abs())
}

/// Resets the number of missing commits, once it was reported.
pub(in crate::sqlite) async fn accept(conn: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query(ACCEPT).execute(conn).await?;
    Ok(())
}
