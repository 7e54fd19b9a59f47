//! History of one fact.

use async_trait::async_trait;

use crate::store::StoreError;
use crate::store::operate::audit::AuditRow;
use domain::moment::Moment;

#[async_trait]
pub trait HistoryReads: Send + Sync {
    /// Recalls of a fact since this moment's day, most recalled surface first.
    async fn recalls_by_surface(&self, id: &str, since: Moment) -> Result<Vec<(String, i64)>, StoreError>;

    /// Recalls of a fact on each day since this moment's day on which there were any, oldest first: `(day, recalls)`.
    async fn recalls_by_day(&self, id: &str, since: Moment) -> Result<Vec<(i64, i64)>, StoreError>;

    /// The newest rows of the audit log about one target.
    async fn audit_of(&self, target: &str, limit: u32) -> Result<Vec<AuditRow>, StoreError>;
}

#[async_trait]
pub trait HistoryWrites: Send {
    /// Closes the contradiction between these two. `false`: none is open.
    async fn resolve_pair(&mut self, a: &str, b: &str, at: Moment) -> Result<bool, StoreError>;
}
