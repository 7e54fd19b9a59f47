//! Copies of the database file, the label inside a copy, and restoring in place.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::mark;
use crate::ledger_file::LedgerFile;
use crate::sqlite::files::{beside, blocking, log_files};
use crate::sqlite::{META, SET_META, SqliteStore};
use ports::store::StoreError;
use ports::store::copies::{Copy, CopyReads, Label};
use ports::store::custody::Opened;
use ports::store::location::{DatabaseHold, DatabaseLocation};

/// A query that succeeds only on a Keepsake database.
const OURS: &str = "SELECT user_no FROM users LIMIT 1";
/// Keys of the label stored in a copy.
const COPY_AT: &str = "backup.at";
const COPY_KEY: &str = "backup.key_id";
/// Suffix of the file that keeps other servers out.
const LOCK: &str = ".lock";
/// Suffix of the file that every process using the database locks with a shared lock.
const USERS: &str = ".users";
/// Suffix of a database that a restore replaced.
const REPLACED: &str = ".replaced";
/// Maximum number of replaced databases kept, so that a filling folder is noticed in time.
const KEPT_MAX: u32 = 9;
/// Name of the new database until it is complete.
const ARRIVING: &str = "keepsake.db.restoring";
/// Name of the copy of the old database until it is complete.
const KEEPING: &str = "keepsake.db.keeping";
/// Suffix of a copy until it is complete.
const PARTIAL: &str = ".partial";

#[async_trait]
impl CopyReads for SqliteStore {
    async fn copy_to(&self, file: &Path, label: &Label) -> Result<(), StoreError> {
        let (target, arriving) = (file.to_owned(), beside(file, PARTIAL));
        let new = arriving.clone();
        let _locked = blocking(move || begin_copy(&target, &new)).await?;
        let target = file.to_owned();
        match self.copy_into(&arriving, label).await {
            Ok(()) => blocking(move || end_copy(&arriving, &target)).await,
            Err(error) => {
                // An incomplete file would only take up space.
                let _ = blocking(move || fs::remove_file(arriving)).await;
                Err(error)
            }
        }
    }

    async fn note_beside(&self, line: &str) -> Result<(), StoreError> {
        let (file, line) = (LedgerFile::within(&self.folder), line.to_owned());
        blocking(move || file.append(&line)).await
    }

    async fn notes_beside(&self) -> Result<Vec<String>, StoreError> {
        let file = LedgerFile::within(&self.folder);
        blocking(move || file.lines()).await
    }

    async fn drop_replaced(&self) -> Result<bool, StoreError> {
        let database = self.file.clone();
        blocking(move || drop_replaced(&database)).await
    }
}

impl SqliteStore {
    /// Copies the database into an existing empty file.
    async fn copy_into(&self, file: &Path, label: &Label) -> Result<(), StoreError> {
        let name = file.to_str().ok_or_else(|| StoreError::failed("the file's name is not UTF-8"))?;
        let mut source = self.options.connect().await?;
        let copied = sqlx::query("VACUUM INTO ?1").bind(name).execute(&mut source).await;
        source.close().await?;
        copied?;
        // The copy is not in use yet, so it needs no journal, which would be left behind if this process were killed.
        let options = SqliteConnectOptions::new().filename(file).journal_mode(SqliteJournalMode::Memory);
        let mut copy = options.connect().await?;
        for (key, value) in [(COPY_AT, &label.at), (COPY_KEY, &label.key_id)] {
            sqlx::query(SET_META).bind(key).bind(value).execute(&mut copy).await?;
        }
        Ok(copy.close().await?)
    }
}

/// Creates and locks the empty file of a new copy, with its owner's permissions from the first byte. Removes the remains of an
/// unfinished copy, but not a copy in progress.
fn begin_copy(target: &Path, arriving: &Path) -> io::Result<File> {
    let taken = || io::Error::other(format!("{} is being written by another process", arriving.display()));
    if target.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    if let Ok(left) = File::open(arriving) {
        left.try_lock().map_err(|_| taken())?;
        removed(arriving)?;
    }
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(arriving)?;
    file.try_lock().map_err(|_| taken())?;
    // Before it was locked, another process may have taken it for the remains of an unfinished copy and removed it.
    let own = fs::metadata(arriving)?.ino() == file.metadata()?.ino();
    if own { Ok(file) } else { Err(taken()) }
}

/// Renames a complete copy to its final name.
fn end_copy(arriving: &Path, target: &Path) -> io::Result<()> {
    File::open(arriving)?.sync_all()?;
    if target.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(arriving, target)?;
    sync_folder(target)
}

/// Location of a database file, existing or not.
pub struct SqlitePlace {
    file: PathBuf,
    folder: PathBuf,
    cache_bytes: usize,
}

impl SqlitePlace {
    /// `folder`: every file in it is searched when an erasure is verified. `cache_bytes`: limit of the cache of users' memories.
    #[must_use]
    pub fn new(file: PathBuf, folder: &Path, cache_bytes: usize) -> Self {
        Self { file, folder: folder.to_owned(), cache_bytes }
    }
}

#[async_trait]
impl DatabaseLocation for SqlitePlace {
    fn take(&self) -> Result<Option<DatabaseHold>, StoreError> {
        let taken = locked(&self.file, LOCK, File::try_lock).map_err(StoreError::failed)?;
        if taken.is_some() {
            // The remains of an unfinished restore are a copy in which nothing would ever be erased.
            for part in parts(&self.file) {
                removed(&part).map_err(StoreError::failed)?;
            }
        }
        Ok(taken)
    }

    fn share(&self) -> Result<Option<DatabaseHold>, StoreError> {
        locked(&self.file, USERS, File::try_lock_shared).map_err(StoreError::failed)
    }

    fn take_alone(&self) -> Result<Option<DatabaseHold>, StoreError> {
        locked(&self.file, USERS, File::try_lock).map_err(StoreError::failed)
    }

    fn name(&self) -> String {
        self.file.display().to_string()
    }

    fn is_taken(&self) -> bool {
        // SQLite creates an empty file when it opens a name that does not exist.
        fs::metadata(&self.file).is_ok_and(|file| file.len() > 0)
    }

    async fn open(&self) -> Result<Opened, StoreError> {
        let store = Arc::new(SqliteStore::open(&self.file).await?.within(&self.folder)?.caching(self.cache_bytes));
        Ok(Opened { store: store.clone(), custody: store.clone(), sessions: store })
    }

    async fn inspect(&self, copy: &Path) -> Copy {
        let looked = async {
            let mut copy = SqliteConnectOptions::new().filename(copy).read_only(true).immutable(true).connect().await?;
            let found = inspect(&mut copy).await;
            copy.close().await?;
            found
        };
        looked.await.unwrap_or_else(|error: sqlx::Error| Copy { problem: Some(error.to_string()), ..Copy::default() })
    }

    async fn bring(&self, copy: &Path) -> Result<Opened, StoreError> {
        let (copy, arriving) = (copy.to_owned(), self.file.with_file_name(ARRIVING));
        let brought = arriving.clone();
        blocking(move || bring(&copy, &brought)).await?;
        let store = Arc::new(SqliteStore::open(&arriving).await?.within(&self.folder)?);
        Ok(Opened { store: store.clone(), custody: store.clone(), sessions: store })
    }

    async fn put_in_place(&self) -> Result<Option<String>, StoreError> {
        let database = self.file.clone();
        blocking(move || put_in_place(&database)).await
    }

    async fn ledger_beside(&self) -> Result<Vec<String>, StoreError> {
        let file = LedgerFile::within(&self.folder);
        blocking(move || file.lines()).await
    }

    async fn replace_ledger_beside(&self, lines: &[String]) -> Result<(), StoreError> {
        let (file, lines) = (LedgerFile::within(&self.folder), lines.to_vec());
        blocking(move || file.replace(&lines)).await
    }
}

async fn inspect(copy: &mut SqliteConnection) -> Result<Copy, sqlx::Error> {
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut *copy).await?;
    sqlx::query(OURS).fetch_optional(&mut *copy).await?;
    let at = sqlx::query_scalar(META).bind(COPY_AT).fetch_optional(&mut *copy).await?;
    let key_id = sqlx::query_scalar(META).bind(COPY_KEY).fetch_optional(copy).await?;
    Ok(Copy { problem: (sound != "ok").then(|| "it is damaged".to_owned()), at, key_id })
}

/// Locks a file beside the database. The database itself must not be opened for that: closing it would release SQLite's locks.
fn locked(
    database: &Path,
    ending: &str,
    try_lock: impl FnOnce(&File) -> Result<(), TryLockError>,
) -> io::Result<Option<DatabaseHold>> {
    let own = match database.canonicalize() {
        Ok(file) => file,
        Err(_) => folder_of(database).canonicalize()?.join(database.file_name().unwrap_or_default()),
    };
    let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(beside(&own, ending))?;
    match try_lock(&lock) {
        Ok(()) => Ok(Some(DatabaseHold(Box::new(lock)))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Copies a database with its log, if it has one, as a kept copy of a damaged database may.
fn bring(copy: &Path, arriving: &Path) -> io::Result<()> {
    let ([own_log, _], [log, index]) = (log_files(copy), log_files(arriving));
    for left in [&log, &index, &mark::path(arriving)] {
        removed(left)?;
    }
    copy_to(copy, arriving)?;
    if has_content(&own_log) { copy_to(&own_log, &log) } else { Ok(()) }
}

/// Removes the old database's log first, so that it is never applied to the new one, even after a crash in between. Removes the
/// mark of its commits last, so that until then the loss of the log is noticed.
fn put_in_place(database: &Path) -> io::Result<Option<String>> {
    let arriving = database.with_file_name(ARRIVING);
    let ([log, index], [arriving_log, arriving_index]) = (log_files(database), log_files(&arriving));
    if has_content(&arriving_log) {
        return Err(io::Error::other("what was changed in the copy is still in its log"));
    }
    File::open(&arriving)?.sync_all()?;
    let kept = keep(database)?;
    for path in [&log, &index] {
        removed(path)?;
    }
    sync_folder(database)?;
    fs::rename(&arriving, database)?;
    for path in [&arriving_log, &arriving_index, &mark::path(&arriving)] {
        removed(path)?;
    }
    sync_folder(database)?;
    removed(&mark::path(database))?;
    Ok(kept)
}

/// Keeps a copy of the database, and of a log that could not be emptied, beside earlier ones. A copy, not a hard link: a
/// verification may read it while the database is in use.
fn keep(database: &Path) -> io::Result<Option<String>> {
    if !database.exists() {
        return Ok(None);
    }
    let name = |n: u32| beside(database, &if n == 1 { REPLACED.to_owned() } else { format!("{REPLACED}-{n}") });
    let free = (1..=KEPT_MAX).map(name).find(|kept| !kept.exists());
    let Some(kept) = free else {
        return Err(io::Error::other("too many databases that restores replaced are kept; delete some"));
    };
    let [log, _] = log_files(database);
    let [kept_log, kept_index] = log_files(&kept);
    // Left by an interrupted restore.
    for path in [&kept_log, &kept_index] {
        removed(path)?;
    }
    if has_content(&log) {
        copy_to(&log, &kept_log)?;
    }
    let part = database.with_file_name(KEEPING);
    copy_to(database, &part)?;
    fs::rename(part, &kept)?;
    Ok(Some(kept.display().to_string()))
}

fn has_content(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|file| file.len() > 0)
}

fn copy_to(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()
}

/// `false`: it was not there.
fn removed(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Deletes the databases that restores replaced. `false`: there was none.
fn drop_replaced(database: &Path) -> io::Result<bool> {
    let mut any = false;
    for file in fs::read_dir(folder_of(database))? {
        let path = file?.path();
        if is_spare(&path, database) {
            any |= removed(&path)?;
        }
    }
    Ok(any)
}

/// Whether this file is a former or an unfinished copy of the database, which an erasure may delete.
pub(in crate::sqlite) fn is_spare(path: &Path, database: &Path) -> bool {
    let replaced = beside(database, REPLACED);
    let kept = path.as_os_str().as_encoded_bytes().starts_with(replaced.as_os_str().as_encoded_bytes());
    kept || parts(database).iter().any(|part| path == part)
}

/// Files that an interrupted restore leaves behind: the new database with its files, and the copy of the old one.
fn parts(database: &Path) -> [PathBuf; 5] {
    let arriving = database.with_file_name(ARRIVING);
    let ([log, index], mark) = (log_files(&arriving), mark::path(&arriving));
    [arriving, log, index, mark, database.with_file_name(KEEPING)]
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes changes of names in a file's folder durable.
fn sync_folder(file: &Path) -> io::Result<()> {
    File::open(folder_of(file))?.sync_all()
}
