//! The audit log: rows that are hashed into a chain, and the reasons that stand beside them.

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

/// What somebody looks for; a row that fits one of these is found.
#[derive(Debug, Clone, Default)]
pub struct Sought {
    /// Exact target.
    pub target: String,
    /// Digest of what was typed, had it been a user id.
    pub user_digest: String,
    /// Ids of actors.
    pub actors: Vec<String>,
    /// Start of a reason, regardless of case.
    pub reason: String,
}

/// Which rows are listed, newest first.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    pub action: Option<String>,
    pub actor: Option<String>,
    /// A full hour.
    pub since: Option<Moment>,
    /// Rows before this number.
    pub before: Option<i64>,
    pub sought: Option<Sought>,
}

/// A row with its reason, where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    pub row: AuditRow,
    pub reason: Option<String>,
}

#[async_trait]
pub trait AuditReads: Send + Sync {
    /// Rows after `seq`, in order.
    async fn audit_after(&self, seq: i64, limit: u32) -> Result<Vec<AuditRow>, StoreError>;

    async fn audit_page(&self, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditLine>, StoreError>;

    /// Rows about one user, newest first, before a row number if one is given.
    async fn audit_about(&self, user_digest: &str, before: Option<i64>, limit: u32) -> Result<Vec<AuditLine>, StoreError>;

    async fn count_audit_about(&self, user_digest: &str) -> Result<i64, StoreError>;
}

#[async_trait]
pub trait AuditWrites: Send {
    /// `(seq, hash)` of the newest row.
    async fn audit_head(&mut self) -> Result<Option<(i64, String)>, StoreError>;

    async fn append_audit(&mut self, row: &AuditRow) -> Result<(), StoreError>;

    /// Keeps the words of a reason beside the row that carries their digest.
    async fn keep_reason(&mut self, seq: i64, reason: &str) -> Result<(), StoreError>;
}
