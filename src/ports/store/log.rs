//! Reading the audit log as people look through it, and the words that stand beside its rows.

use async_trait::async_trait;

use super::StoreError;
use super::record::AuditRow;
use crate::domain::moment::Moment;

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
pub struct LogFilter {
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
pub struct LogRow {
    pub row: AuditRow,
    pub reason: Option<String>,
}

#[async_trait]
pub trait LogReads: Send + Sync {
    async fn audit_page(&self, filter: &LogFilter, limit: u32) -> Result<Vec<LogRow>, StoreError>;

    /// Rows about one user, newest first, before a row number if one is given.
    async fn audit_about(&self, user_digest: &str, before: Option<i64>, limit: u32) -> Result<Vec<LogRow>, StoreError>;

    async fn count_audit_about(&self, user_digest: &str) -> Result<i64, StoreError>;

    /// `(id, name)` of those of these keys that exist.
    async fn key_names(&self, ids: &[String]) -> Result<Vec<(String, String)>, StoreError>;
}

#[async_trait]
pub trait LogWrites: Send {
    /// Keeps the words of a reason beside the row that carries their digest.
    async fn keep_reason(&mut self, seq: i64, reason: &str) -> Result<(), StoreError>;
}
