//! What is kept about what happened: the audit log, daily counters, and the epochs that fence erasures.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::moment::Moment;

/// A row of the audit log, hashed into the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Counted from 1.
    pub seq: i64,
    pub at: Moment,
    /// `operator`, `caller`, `cli` or `system`.
    pub actor_kind: String,
    pub actor_id: String,
    pub action: String,
    /// A fact, setting, operator … never beside a user digest when it is a fact.
    pub target: Option<String>,
    /// Keyed digest of a user.
    pub user_digest: Option<String>,
    /// Enums and numbers, never text that somebody typed.
    pub detail: Option<String>,
    pub reason_digest: Option<String>,
    pub prev_hash: String,
    pub hash: String,
}

#[async_trait]
pub trait RecordReads: Send + Sync {
    /// Rows after `seq`, in order.
    async fn audit_after(&self, seq: i64, limit: u32) -> Result<Vec<AuditRow>, StoreError>;

    async fn counter(&self, day: i64, name: &str) -> Result<i64, StoreError>;

    /// The user's epoch, and whether an erasure of him fences writes.
    async fn fence(&self, user_digest: &str) -> Result<(i64, bool), StoreError>;
}

#[async_trait]
pub trait RecordWrites: Send {
    /// `(seq, hash)` of the newest row.
    async fn audit_head(&mut self) -> Result<Option<(i64, String)>, StoreError>;

    async fn append_audit(&mut self, row: &AuditRow) -> Result<(), StoreError>;

    async fn count(&mut self, day: i64, name: &str, by: i64) -> Result<(), StoreError>;

    /// Cuts the change sequence down to its newest entries.
    async fn trim_changes(&mut self, keep: i64) -> Result<(), StoreError>;

    /// The epoch of this user; 0 before the first erasure.
    async fn epoch(&mut self, user_digest: &str) -> Result<i64, StoreError>;

    /// As [`RecordReads::fence`], inside the transaction.
    async fn known_fence(&mut self, user_digest: &str) -> Result<(i64, bool), StoreError>;
}
