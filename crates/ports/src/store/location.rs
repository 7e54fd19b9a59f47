//! The location of a database, whether or not it can be opened.

use std::any::Any;
use std::path::Path;

use async_trait::async_trait;

use super::StoreError;
use super::copies::Copy;
use super::custody::Opened;

/// A lock on a database, released on drop.
pub struct DatabaseHold(pub Box<dyn Any + Send + Sync>);

/// Location of a database, whether or not it can be opened.
#[async_trait]
pub trait DatabaseLocation: Send + Sync {
    /// Locks the database for this process until the result is dropped. `None`: another process holds it, whatever its data
    /// folder is. Removes the remains of an unfinished restore.
    fn take(&self) -> Result<Option<DatabaseHold>, StoreError>;

    /// Takes a shared lock for a process that uses the database, until the result is dropped. `None`: another process holds it
    /// exclusively.
    fn share(&self) -> Result<Option<DatabaseHold>, StoreError>;

    /// Takes the exclusive lock, to replace the database or to change all of it. `None`: another process uses it.
    fn take_alone(&self) -> Result<Option<DatabaseHold>, StoreError>;

    /// Display name.
    fn name(&self) -> String;

    /// Returns whether a database exists here.
    fn is_taken(&self) -> bool;

    /// Opens the database, creates it if there is none, and brings its schema up to date.
    async fn open(&self) -> Result<Opened, StoreError>;

    /// Inspects a copy without changing it.
    async fn inspect(&self, copy: &Path) -> Copy;

    /// Copies a backup beside the database and opens it there, with its schema up to date. The caller changes what must differ
    /// from the backup now, before anyone can use it. A later [`DatabaseLocation::take`] removes it.
    async fn bring(&self, copy: &Path) -> Result<Opened, StoreError>;

    /// Replaces the database with the one that [`DatabaseLocation::bring`] prepared, which must be closed. The new file is
    /// complete before it takes the old one's name. The old one is kept under the returned name until it is dropped; databases
    /// kept earlier stay. `None`: there was no database.
    async fn put_in_place(&self) -> Result<Option<String>, StoreError>;

    /// The lines of the ledger file beside the database, oldest first.
    async fn ledger_beside(&self) -> Result<Vec<String>, StoreError>;

    /// Rewrites the ledger file; durable on return.
    async fn replace_ledger_beside(&self, lines: &[String]) -> Result<(), StoreError>;
}
