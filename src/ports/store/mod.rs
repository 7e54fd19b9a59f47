//! What the rules need kept. Adapters hold primitives only; every decision is taken by a service, inside [`atomically`].
//!
//! Personal methods take the owner first. No method on facts accepts or returns a user id but the two that count a
//! contribution, and those give nothing back but a number.

pub mod decisions;
pub mod desk;
pub mod erasures;
pub mod facts;
pub mod inbox;
pub mod log;
pub mod manage;
pub mod memories;
pub mod proof;
pub mod record;
pub mod staff;
pub mod stats;
pub mod tuning;
pub mod users;
pub mod vectors;

use async_trait::async_trait;
use futures::future::BoxFuture;

use self::decisions::{DecisionReads, DecisionWrites};
use self::desk::{DeskReads, DeskWrites};
use self::erasures::{ErasureReads, ErasureWrites};
use self::facts::{FactReads, FactWrites};
use self::inbox::{InboxReads, InboxWrites};
use self::log::{LogReads, LogWrites};
use self::manage::{ManageReads, ManageWrites};
use self::memories::{MemoryReads, MemoryWrites};
use self::proof::{ProofReads, ProofWrites};
use self::record::{RecordReads, RecordWrites};
use self::staff::StaffWrites;
use self::stats::{StatsReads, StatsWrites};
use self::tuning::{TuningReads, TuningWrites};
use self::users::{UserReads, UserWrites};
use self::vectors::{VectorReads, VectorWrites};
use super::embedder::EmbedderId;

/// Why the store could not answer. The text is for the log and holds no memory text.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database is busy: {0}")]
    Busy(String),
    #[error("the disk is full: {0}")]
    Full(String),
    #[error("the database failed: {0}")]
    Failed(String),
    #[error("a stored value cannot be read: {0}")]
    Corrupt(String),
    #[error("the rows of {table} cannot be counted: {cause}")]
    Uncounted { table: &'static str, cause: String },
}

/// What another process, or this one, has changed since the last look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    /// Facts that were written or deleted.
    pub fact_ids: Vec<String>,
    pub settings: bool,
    pub inbox: bool,
    /// Erasures that went a step further: what memory holds of those users must go.
    pub erasure_ids: Vec<String>,
}

/// One database.
#[async_trait]
pub trait Store:
    MemoryReads
    + FactReads
    + InboxReads
    + DeskReads
    + DecisionReads
    + ErasureReads
    + ProofReads
    + ManageReads
    + RecordReads
    + StatsReads
    + TuningReads
    + VectorReads
    + UserReads
    + LogReads
    + ManageReads
{
    /// Starts a transaction that may write. It sees no other writer until it ends, and undoes itself when dropped.
    async fn begin<'s>(&'s self) -> Result<Box<dyn WriteTx + 's>, StoreError>;

    /// Looks whether anybody committed since the last call, and brings caches up to date if so.
    async fn refresh(&self) -> Result<Changed, StoreError>;

    /// Who made the vectors; `None` in a database without any.
    async fn embedder(&self) -> Result<Option<EmbedderId>, StoreError>;

    /// Empties the write-ahead log, so that deleted text is in no file. `false`: a reader holds it; try again.
    async fn truncate_log(&self) -> Result<bool, StoreError>;

    /// A cheap read that fails when the database cannot be read.
    async fn ping(&self) -> Result<(), StoreError>;
}

/// A transaction that may write.
#[async_trait]
pub trait WriteTx:
    MemoryWrites
    + FactWrites
    + InboxWrites
    + DeskWrites
    + DecisionWrites
    + ErasureWrites
    + ProofWrites
    + ManageWrites
    + RecordWrites
    + StatsWrites
    + TuningWrites
    + VectorWrites
    + UserWrites
    + LogWrites
    + StaffWrites
    + ManageWrites
    + Send
{
    /// Names the embedder of every vector in the database.
    async fn set_embedder(&mut self, id: &EmbedderId) -> Result<(), StoreError>;

    /// Makes everything durable, and visible to all, or nothing.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// Runs `work` in one transaction: all of it happens, or nothing. `work` reads, decides by the rules, and writes; on an
/// engine that detects conflicts late it may run again.
pub async fn atomically<'e, T, E, F>(store: &'e dyn Store, mut work: F) -> Result<T, E>
where
    F: for<'t> FnMut(&'t mut (dyn WriteTx + 'e)) -> BoxFuture<'t, Result<T, E>>,
    E: From<StoreError>,
{
    let mut tx = store.begin().await?;
    let out = work(&mut *tx).await?;
    tx.commit().await?;
    Ok(out)
}
