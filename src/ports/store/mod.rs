//! What the rules need kept. Adapters hold primitives only; every decision is taken by a service, inside [`atomically`].
//!
//! Two roles share a database. [`Store`] serves: recall, learning, review, the console; many processes do that all day.
//! [`custody::Custody`] owns the whole of it: erasing, proving, copying, re-embedding, and reads across users.
//!
//! Personal methods take the owner first. No method on facts accepts or returns a user id but the two that count a
//! contribution, and those give nothing back but a number.

mod again;
pub mod audit;
pub mod copies;
pub mod custody;
pub mod decisions;
pub mod erasures;
mod error;
pub mod facts;
pub mod inbox;
pub mod keys;
pub mod manage;
pub mod memories;
pub mod operators;
pub mod proof;
pub mod settings;
pub mod stats;
pub mod users;
pub mod vectors;

use async_trait::async_trait;

use self::audit::{AuditReads, AuditWrites};
use self::decisions::{DecisionReads, DecisionWrites};
use self::erasures::{Fences, LedgerReads};
use self::facts::{FactReads, FactWrites};
use self::inbox::{InboxReads, InboxWrites};
use self::keys::{KeyReads, KeyWrites};
use self::manage::{ManageReads, ManageWrites};
use self::memories::{MemoryReads, MemoryWrites};
use self::operators::{OperatorReads, OperatorWrites};
use self::settings::{SettingReads, SettingWrites};
use self::stats::{StatsReads, StatsWrites};
use self::users::{UserReads, UserWrites};

pub use again::{Patience, atomically, in_custody, patiently};
pub use error::{Cause, StoreError, Transient};

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

/// One database, for whoever serves from it.
#[async_trait]
pub trait Store:
    MemoryReads
    + FactReads
    + InboxReads
    + OperatorReads
    + DecisionReads
    + LedgerReads
    + ManageReads
    + AuditReads
    + StatsReads
    + SettingReads
    + UserReads
    + KeyReads
{
    /// Starts a transaction that may write. It sees no other writer until it ends, and undoes itself when dropped.
    async fn begin<'s>(&'s self) -> Result<Box<dyn WriteTx + 's>, StoreError>;

    /// Looks whether anybody committed since the last call, and brings caches up to date if so.
    async fn refresh(&self) -> Result<Changed, StoreError>;

    /// A cheap read that fails when the database cannot be read.
    async fn ping(&self) -> Result<(), StoreError>;
}

/// A transaction that may write.
#[async_trait]
pub trait WriteTx:
    MemoryWrites
    + FactWrites
    + InboxWrites
    + OperatorWrites
    + DecisionWrites
    + ManageWrites
    + AuditWrites
    + StatsWrites
    + SettingWrites
    + UserWrites
    + KeyWrites
    + Fences
    + Send
{
    /// Cuts the change sequence down to its newest entries.
    async fn trim_changes(&mut self, keep: i64) -> Result<(), StoreError>;

    /// Makes everything durable, and visible to all, or nothing.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
}
