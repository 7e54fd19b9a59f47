//! Copies of the database, and the place where a database lies: what a backup writes and a restore installs.

use std::any::Any;
use std::path::Path;

use async_trait::async_trait;

use super::StoreError;
use super::custody::Opened;

/// The label stored inside a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// When it was made, RFC 3339.
    pub at: String,
    /// Id of the key that made its digests.
    pub key_id: String,
}

/// A file that may be a copy.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Copy {
    /// Why it cannot be used.
    pub problem: Option<String>,
    /// Absent if `backup` did not write the file.
    pub at: Option<String>,
    pub key_id: Option<String>,
}

#[async_trait]
pub trait CopyReads: Send + Sync {
    /// Writes a consistent copy of the whole database to a new file that only its owner can read. The file is there only once it is
    /// whole and durable. Other writers are not blocked.
    async fn copy_to(&self, file: &Path, label: &Label) -> Result<(), StoreError>;

    /// Appends a line to the ledger file beside the database; durable when this returns.
    async fn note_beside(&self, line: &str) -> Result<(), StoreError>;

    /// The lines of that file, oldest first.
    async fn notes_beside(&self) -> Result<Vec<String>, StoreError>;

    /// Deletes the database that was kept when this one was put in its place. `false`: there is none.
    async fn drop_replaced(&self) -> Result<bool, StoreError>;
}

/// A hold on a database, which ends with this value.
pub struct Taken(pub Box<dyn Any + Send + Sync>);

/// Where a database lies, whether or not it can be opened.
#[async_trait]
pub trait DatabaseLocation: Send + Sync {
    /// Takes the database for this process, for as long as the result lives. `None`: another process has it, whatever its data
    /// folder is. What a restore left that did not end is removed.
    fn take(&self) -> Result<Option<Taken>, StoreError>;

    /// Says that this process uses the database, as others may, for as long as the result lives. `None`: another process has it alone.
    fn share(&self) -> Result<Option<Taken>, StoreError>;

    /// Takes the database alone, to replace it or to change all of it. `None`: another process uses it.
    fn take_alone(&self) -> Result<Option<Taken>, StoreError>;

    /// Its name for people.
    fn name(&self) -> String;

    /// Is a database there?
    fn is_taken(&self) -> bool;

    /// Opens the database, creates it if there is none, and brings its schema up to date.
    async fn open(&self) -> Result<Opened, StoreError>;

    /// Inspects a copy without changing it.
    async fn inspect(&self, copy: &Path) -> Copy;

    /// Brings a copy beside the database and opens it there, with its schema up to date. What must not be as in the copy is changed
    /// now, before anybody can use it. [`DatabaseLocation::take`] removes it.
    async fn bring(&self, copy: &Path) -> Result<Opened, StoreError>;

    /// Replaces the database with the one that was brought, and closed. The new file is complete before it takes the old one's name,
    /// and the old one is kept under the name that is returned, until it is dropped; one that is kept already stays. `None`: there was
    /// no database.
    async fn put_in_place(&self) -> Result<Option<String>, StoreError>;

    /// The lines of the ledger file beside the database, oldest first.
    async fn ledger_beside(&self) -> Result<Vec<String>, StoreError>;

    /// Rewrites that file; durable when this returns.
    async fn replace_ledger_beside(&self, lines: &[String]) -> Result<(), StoreError>;
}
