//! Copies of the database, and the place where one lies: what a backup writes and a restore puts in place.

use std::path::Path;

use async_trait::async_trait;

use super::StoreError;
use super::custody::Opened;

/// What a copy says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// When it was made, RFC 3339.
    pub at: String,
    /// Which key its digests were made with.
    pub key_id: String,
}

/// A file that claims to be a copy.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Copy {
    /// Why it cannot be used.
    pub problem: Option<String>,
    /// Absent from a file that `backup` did not write.
    pub at: Option<String>,
    pub key_id: Option<String>,
}

#[async_trait]
pub trait CopyReads: Send + Sync {
    /// A consistent copy of the whole database in a new file that only the owner can read; others go on writing meanwhile.
    async fn copy_to(&self, file: &Path, label: &Label) -> Result<(), StoreError>;

    /// Appends a line to the ledger's copy beside the database; durable when this returns.
    async fn note_beside(&self, line: &str) -> Result<(), StoreError>;

    /// The lines of that copy, oldest first.
    async fn notes_beside(&self) -> Result<Vec<String>, StoreError>;
}

/// Where a database lies, whether it can be opened or not.
#[async_trait]
pub trait Place: Send + Sync {
    /// In a word for people.
    fn name(&self) -> String;

    /// Is a database there?
    fn is_taken(&self) -> bool;

    /// Opens it, makes it if there is none, and brings its schema up to date.
    async fn open(&self) -> Result<Opened, StoreError>;

    /// Looks at a copy without changing it.
    async fn inspect(&self, copy: &Path) -> Copy;

    /// Puts a copy in place of the database. The new one is whole before it takes the old one's name.
    async fn put_in_place(&self, copy: &Path) -> Result<(), StoreError>;

    /// The lines of the ledger's copy beside the database, oldest first.
    async fn ledger_beside(&self) -> Result<Vec<String>, StoreError>;

    /// Writes that copy anew; durable when this returns.
    async fn replace_ledger_beside(&self, lines: &[String]) -> Result<(), StoreError>;
}
