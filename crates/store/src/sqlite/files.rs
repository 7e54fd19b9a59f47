//! The files of a database, which their owner alone may read, and work on them beside the async threads.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ports::store::StoreError;

/// Permissions: readable and writable by the owner alone.
pub(super) const PRIVATE: u32 = 0o600;

/// Device and inode of the file at a path.
pub(super) fn place_of(file: &Path) -> Result<(u64, u64), StoreError> {
    let found = fs::metadata(file).map_err(|error| StoreError::Moved(error.into()))?;
    Ok((found.dev(), found.ino()))
}

/// Makes the database and its log readable by their owner alone, whatever their mode was. A new log gets the mode of the
/// database. Neither file must be opened here once a connection exists: closing it would release that connection's locks.
pub(super) fn private(file: &Path) -> io::Result<()> {
    if !file.exists() {
        // An empty file is a new database.
        OpenOptions::new().write(true).create(true).truncate(false).mode(PRIVATE).open(file)?;
    }
    let [log, index] = log_files(file);
    for path in [file, &log, &index].into_iter().filter(|path| path.exists()) {
        let mode = fs::metadata(path)?.permissions().mode();
        if mode & 0o077 != 0
            && let Err(error) = fs::set_permissions(path, Permissions::from_mode(PRIVATE))
        {
            tracing::warn!(cause = %error, "a file of the database can be read by others, and that cannot be changed");
        }
    }
    Ok(())
}

/// Runs file operations on a blocking thread.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await.map_err(StoreError::failed)?;
    done.map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull => StoreError::Full(error.into()),
        _ => StoreError::failed(error),
    })
}

/// The write-ahead log of a database and its index.
pub(super) fn log_files(database: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|ending| beside(database, ending))
}

/// The path of a file with a suffix appended.
pub(super) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(ending);
    PathBuf::from(path)
}
