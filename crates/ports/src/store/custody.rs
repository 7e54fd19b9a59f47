//! The second role beside [`super::Store`]: control of the whole database. It covers erasing and verifying, copying, recomputing
//! vectors, and reads across users. Serving requests needs none of it.

use std::sync::Arc;

use async_trait::async_trait;

use super::copies::CopyReads;
use super::erasure::{EraseReads, EraseWrites};
use super::memories::{EndingReads, EndingWrites};
use super::people::EveryoneReads;
use super::{Store, StoreError, WriteTx};
use crate::embedder::EmbedderId;
use crate::sessions::Sessions;
use crate::store::erasure::proof::ProofReads;
use crate::store::memories::vectors::{VectorReads, VectorWrites};

/// A database, for code that may read and delete all of it.
#[async_trait]
pub trait Custody: EraseReads + ProofReads + CopyReads + VectorReads + EveryoneReads + EndingReads {
    /// Starts a transaction that may also erase, re-embed and write the ledger.
    async fn begin_custody<'s>(&'s self) -> Result<Box<dyn CustodyTx + 's>, StoreError>;

    /// Records that a full disk refused a write.
    fn note_full_disk(&self);

    /// The embedder that made the vectors; `None` if the database has none.
    async fn embedder(&self) -> Result<Option<EmbedderId>, StoreError>;

    /// Reads a metadata entry of the database.
    async fn note(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Checks the file and returns the defects in the engine's words; empty: none. The quick check reads every page; the whole
    /// one also compares each index with its table.
    async fn check(&self, whole: bool) -> Result<Vec<String>, StoreError>;

    /// Number of commits that the database has lost since it was last used; normally 0. Commits are lost if its files were
    /// damaged or an older copy was put in its place.
    async fn missing_commits(&self) -> Result<u64, StoreError>;

    /// Resets [`Custody::missing_commits`], once the loss was reported.
    async fn accept_as_it_is(&self) -> Result<(), StoreError>;

    /// Closes the database and leaves everything in its main file, so that a copy of that file is complete and another file can
    /// replace it.
    async fn close(&self);
}

/// A transaction on the whole database.
#[async_trait]
pub trait CustodyTx: WriteTx + EraseWrites + VectorWrites + EndingWrites {
    /// Records the embedder of every vector in the database.
    async fn set_embedder(&mut self, id: &EmbedderId) -> Result<(), StoreError>;

    async fn set_note(&mut self, key: &str, value: &str) -> Result<(), StoreError>;
}

/// An opened database, by role.
#[derive(Clone)]
pub struct Opened {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub sessions: Arc<dyn Sessions>,
}
