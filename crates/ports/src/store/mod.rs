//! The storage interface. Adapters only read and write; services make every decision, inside [`atomically`].
//!
//! Two roles share a database. [`Store`] is for serving: recall, learning, review and the console. One process learns and serves the
//! console; others beside it (MCP, a bot, an import) do all the rest.
//! [`custody::Custody`] controls the whole database: erasing, verifying, copying, re-embedding, and reads across users.
//!
//! Methods on personal data take the owner first. No method on facts accepts or returns a user id, except the two that count a
//! contribution, and those return only a number.

mod again;
pub mod blocks;
pub mod chat;
pub mod copies;
pub mod custody;
pub mod erasure;
mod error;
pub mod facts;
pub mod location;
pub mod memories;
pub mod operate;
pub mod people;
#[cfg(feature = "sqlx")]
mod sqlx_error;

use async_trait::async_trait;

use self::blocks::{BlockReads, BlockWrites};
use self::erasure::{Fences, LedgerReads};
use self::facts::{FactReads, FactWrites};
use self::memories::{MemoryReads, MemoryWrites};
use self::people::{UserReads, UserWrites};
use crate::store::blocks::care::{BlockCareReads, BlockCareWrites};
use crate::store::chat::links::{LinkReads, LinkWrites};
use crate::store::chat::notes::{NoteReads, NoteWrites};
use crate::store::chat::preferences::{PreferenceReads, PreferenceWrites};
use crate::store::chat::profile::{ProfileReads, ProfileWrites};
use crate::store::chat::turns::{TurnReads, TurnWrites};
use crate::store::facts::decisions::{DecisionReads, DecisionWrites};
use crate::store::facts::history::{HistoryReads, HistoryWrites};
use crate::store::facts::likeness::LikenessReads;
use crate::store::operate::audit::{AuditReads, AuditWrites};
use crate::store::operate::inbox::{InboxReads, InboxWrites};
use crate::store::operate::settings::{SettingReads, SettingWrites};
use crate::store::operate::stats::{StatsReads, StatsWrites};
use crate::store::operate::usage::{UsageReads, UsageWrites};
use crate::store::operate::webhooks::{WebhookReads, WebhookWrites};
use crate::store::people::keys::{KeyReads, KeyWrites};
use crate::store::people::operators::{OperatorReads, OperatorWrites};

pub use again::{Patience, atomically, if_free, in_custody, patiently};
pub use error::{Cause, StoreError, Transient};

/// Changes by this process and others since the last check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeReport {
    /// Facts that were written or deleted.
    pub fact_ids: Vec<String>,
    pub settings: bool,
    pub keys: bool,
    pub inbox: bool,
    /// Erasures that made progress: cached data of those users must be dropped.
    pub erasure_ids: Vec<String>,
}

impl ChangeReport {
    /// Adds what a later check found.
    pub fn add(&mut self, later: Self) {
        self.fact_ids.extend(later.fact_ids);
        self.erasure_ids.extend(later.erasure_ids);
        self.settings |= later.settings;
        self.keys |= later.keys;
        self.inbox |= later.inbox;
    }
}

/// A database, for serving requests.
#[async_trait]
pub trait Store:
    MemoryReads
    + LinkReads
    + NoteReads
    + PreferenceReads
    + ProfileReads
    + TurnReads
    + BlockReads
    + BlockCareReads
    + FactReads
    + LikenessReads
    + InboxReads
    + OperatorReads
    + DecisionReads
    + LedgerReads
    + HistoryReads
    + AuditReads
    + StatsReads
    + UsageReads
    + SettingReads
    + UserReads
    + KeyReads
    + WebhookReads
{
    /// Starts a transaction that may write. It is isolated from other writers until it ends, and rolls back when dropped.
    async fn begin<'s>(&'s self) -> Result<Box<dyn WriteTx + 's>, StoreError>;

    /// Checks for commits since the last call and updates caches if there were any.
    async fn refresh(&self) -> Result<ChangeReport, StoreError>;

    /// Fails if the database cannot be read or, tested every other second, cannot be written. After a write refused by a full
    /// disk it fails until a test write of usual size succeeds; that is then tried on every call.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Records that a full disk refused a write. Called by [`atomically`] and the like.
    fn disk_was_full(&self);
}

/// A transaction that may write.
#[async_trait]
pub trait WriteTx:
    MemoryWrites
    + LinkWrites
    + NoteWrites
    + PreferenceWrites
    + ProfileWrites
    + TurnWrites
    + BlockWrites
    + BlockCareWrites
    + FactWrites
    + InboxWrites
    + OperatorWrites
    + DecisionWrites
    + HistoryWrites
    + AuditWrites
    + StatsWrites
    + UsageWrites
    + SettingWrites
    + UserWrites
    + KeyWrites
    + WebhookWrites
    + Fences
    + Send
{
    /// Deletes all but the newest entries of the change sequence.
    async fn trim_changes(&mut self, keep: i64) -> Result<(), StoreError>;

    /// Makes all changes durable and visible, or none.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
}
