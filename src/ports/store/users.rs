//! What is known about one user, for the operator who opened the record. Every method names the user, or the start of ids.

use async_trait::async_trait;

use super::StoreError;
use super::memories::Page;
use crate::domain::fact::FactStatus;
use crate::domain::memory::MemoryKind;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;

/// A user in a list: numbers and dates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLine {
    pub user: UserId,
    pub first_seen_at: Moment,
    /// The last thing said, learned or recalled.
    pub last_active_at: Option<Moment>,
    pub memories: i64,
    pub contributions: i64,
}

/// What is held about one user, in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdings {
    pub line: UserLine,
    /// Contributions to facts that nobody else contributed to.
    pub sole_contributions: i64,
    /// Exchanges that wait to be learned.
    pub queued: i64,
    pub newest_memory_at: Option<Moment>,
    /// Memories by kind; kinds without any are left out.
    pub kinds: Vec<(MemoryKind, i64)>,
    /// Names of the surfaces that the user was seen on, in order.
    pub surfaces: Vec<String>,
}

/// A team fact that the user contributed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contribution {
    pub fact_id: String,
    pub content: String,
    pub status: FactStatus,
    /// How many others contributed to it.
    pub others: u32,
}

/// An operator's latest opening of a record, as the audit log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub at: Moment,
    /// Gone once the user was erased.
    pub reason: Option<String>,
}

#[async_trait]
pub trait UserReads: Send + Sync {
    /// Users whose id starts with this, exactly and byte by byte, in the order of their ids.
    async fn users_by_prefix(&self, prefix: &str, limit: u32) -> Result<Vec<UserLine>, StoreError>;

    async fn user_line(&self, user: &UserId) -> Result<Option<UserLine>, StoreError>;

    async fn holdings(&self, user: &UserId) -> Result<Option<Holdings>, StoreError>;

    /// In the order of fact ids, which tells nothing about when.
    async fn contributions_of(&self, user: &UserId, page: &Page) -> Result<Vec<Contribution>, StoreError>;

    /// The operator's newest entry of this action about this user since then.
    async fn opening(
        &self,
        operator_id: &str,
        action: &str,
        user_digest: &str,
        since: Moment,
    ) -> Result<Option<Opening>, StoreError>;
}

#[async_trait]
pub trait UserWrites: Send {
    /// As [`UserReads::opening`], inside the transaction.
    async fn known_opening(
        &mut self,
        operator_id: &str,
        action: &str,
        user_digest: &str,
        since: Moment,
    ) -> Result<Option<Opening>, StoreError>;
}
