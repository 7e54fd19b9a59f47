//! Looking for what must be gone: in rows, in values, in memory and in the bytes of files. None of it uses the statements
//! that erase; tables and columns are read from the database's own schema.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;

use super::StoreError;
use crate::domain::fingerprint::{Hit, Search};

/// Something found in a column, in how many values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueHit {
    pub table: String,
    pub column: String,
    pub hit: Hit,
    pub values: u64,
}

/// Something found in a file of the data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHit {
    /// Name below the folder.
    pub file: String,
    pub hit: Hit,
    pub times: u64,
}

/// What looking through the files came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesRead {
    pub files: u64,
    pub bytes: u64,
    pub hits: Vec<FileHit>,
}

/// Pages that the database does not use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FreePages {
    pub pages: u64,
    /// Those that are not zero.
    pub dirty: u64,
}

/// Team facts that should not be as they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Strays {
    /// Of those that went: still a row.
    pub gone_but_there: u64,
    /// Had contributors and have none.
    pub abandoned: u64,
    /// Whose count is not that of their contribution links.
    pub miscounted: u64,
    /// Words in the search index without a fact.
    pub unindexed: u64,
}

#[async_trait]
pub trait ProofReads: Send + Sync {
    /// Rows with this number in any column that holds users' numbers, by table; tables read in all.
    async fn rows_of_number(&self, number: i64, contributions_only: bool) -> Result<(u64, Vec<(String, u64)>), StoreError>;

    /// What occurs in any text or blob of any row; how many values were read.
    async fn search_values(&self, search: Arc<Search>) -> Result<(u64, Vec<ValueHit>), StoreError>;

    /// What occurs in the bytes of any file of the data folder.
    async fn search_files(&self, search: Arc<Search>) -> Result<FilesRead, StoreError>;

    async fn free_pages(&self) -> Result<FreePages, StoreError>;

    /// Of these facts, and of all.
    async fn strays(&self, gone: &[String]) -> Result<Strays, StoreError>;

    /// Writes the search index anew in one piece, so that no trace of a deleted word stays in it.
    async fn tidy_index(&self) -> Result<(), StoreError>;

    /// Writes the whole database anew, without a byte that no row holds.
    async fn rewrite(&self) -> Result<(), StoreError>;

    /// Lets go of pages that connections keep in memory.
    async fn drop_caches(&self) -> Result<(), StoreError>;

    /// Appends a line to the ledger's copy beside the database; durable when this returns.
    async fn note_beside(&self, line: &str) -> Result<(), StoreError>;

    /// The lines of that copy, oldest first.
    async fn notes_beside(&self) -> Result<Vec<String>, StoreError>;

    /// A consistent copy of the whole database in a new file that only the owner can read, with these notes in it; others go
    /// on writing meanwhile.
    async fn copy_to(&self, file: &Path, notes: &[(&str, String)]) -> Result<(), StoreError>;

    /// A note about the database itself.
    async fn note(&self, key: &str) -> Result<Option<String>, StoreError>;
}

#[async_trait]
pub trait ProofWrites: Send {
    async fn set_note(&mut self, key: &str, value: &str) -> Result<(), StoreError>;
}
