//! The audit log: rows hashed into a chain, and the reasons stored beside them.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::moment::Moment;

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
    /// A fact, setting, operator … Never a fact together with a user digest.
    pub target: Option<String>,
    /// Keyed digest of a user.
    pub user_digest: Option<String>,
    /// Enum names and numbers, never typed text.
    pub detail: Option<String>,
    pub reason_digest: Option<String>,
    pub prev_hash: String,
    pub hash: String,
}

/// A search in the log: finds rows in which any of these fields matches.
#[derive(Debug, Clone, Default)]
pub struct AuditSearch {
    /// Exact target.
    pub target: String,
    /// Ids of actors.
    pub actors: Vec<String>,
    /// Prefix of a reason, ignoring case.
    pub reason: String,
}

/// Filter of a list, newest first. Empty fields and `None` match every row.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Any of these actions.
    pub actions: Vec<String>,
    /// Any of these actors.
    pub actors: Vec<String>,
    /// Exactly this target.
    pub target: Option<String>,
    /// Start, a full hour.
    pub since: Option<Moment>,
    /// End, exclusive.
    pub until: Option<Moment>,
    /// Only rows before this number.
    pub before: Option<i64>,
    pub sought: Option<AuditSearch>,
    /// Consecutive rows with one of these actions, at one moment and by one operator, are one entry.
    pub bulk: Vec<String>,
}

/// A row with its reason, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    pub row: AuditRow,
    pub reason: Option<String>,
    /// The lowest number of the rows in this entry; the row's own unless it is a bulk decision.
    pub first: i64,
}

impl AuditLine {
    /// Number of rows in this entry.
    #[must_use]
    pub fn rows(&self) -> u64 {
        (self.row.seq - self.first + 1).unsigned_abs()
    }
}

/// Number of an operator's actions of one kind on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionsOfDay {
    pub operator_id: String,
    pub day: i64,
    pub action: String,
    pub times: i64,
}

#[async_trait]
pub trait AuditReads: Send + Sync {
    /// Rows after `seq`, in order.
    async fn audit_after(&self, seq: i64, limit: u32) -> Result<Vec<AuditRow>, StoreError>;

    async fn audit_page(&self, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditLine>, StoreError>;

    /// Number of entries that the filter matches.
    async fn count_audit(&self, filter: &AuditFilter) -> Result<u64, StoreError>;

    /// Number of these actions by each operator on each day since this moment, ordered by operator, day and action.
    async fn actions_by_day(&self, actions: &[String], since: Moment) -> Result<Vec<ActionsOfDay>, StoreError>;

    /// Rows about one user, newest first; with `before`, only rows with a lower number.
    async fn audit_about(&self, user_digest: &str, before: Option<i64>, limit: u32) -> Result<Vec<AuditLine>, StoreError>;

    async fn count_audit_about(&self, user_digest: &str) -> Result<i64, StoreError>;
}

#[async_trait]
pub trait AuditWrites: Send {
    /// `(seq, hash)` of the newest row.
    async fn audit_head(&mut self) -> Result<Option<(i64, String)>, StoreError>;

    async fn append_audit(&mut self, row: &AuditRow) -> Result<(), StoreError>;

    /// Stores the text of a reason for the row with its digest.
    async fn keep_reason(&mut self, seq: i64, reason: &str) -> Result<(), StoreError>;
}
