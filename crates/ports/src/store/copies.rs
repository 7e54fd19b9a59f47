//! Copies of the database, for backup and restore.

use std::path::Path;

use async_trait::async_trait;

use super::StoreError;

/// The label stored inside a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Time of the copy, RFC 3339.
    pub at: String,
    /// Id of the ledger key that made its digests.
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
    /// Writes a consistent copy of the whole database to a new file that only its owner can read. The file appears only once it
    /// is complete and durable. Other writers are not blocked.
    async fn copy_to(&self, file: &Path, label: &Label) -> Result<(), StoreError>;

    /// Appends a line to the ledger file beside the database; durable on return.
    async fn note_beside(&self, line: &str) -> Result<(), StoreError>;

    /// The lines of the ledger file, oldest first.
    async fn notes_beside(&self) -> Result<Vec<String>, StoreError>;

    /// Deletes the databases that restores replaced and kept. `false`: there is none.
    async fn drop_replaced(&self) -> Result<bool, StoreError>;
}
