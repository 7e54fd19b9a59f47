//! Data about one user, for an operator who opened the record and for the user's export; and, separately, the list of users.
//!
//! [`UserReads`] reads only the given user. [`EveryoneReads`] reads across users and belongs to custody.

pub mod keys;
pub mod operators;

use async_trait::async_trait;

use super::StoreError;
use super::erasure::Subject;
use super::facts::Slice;
use super::memories::Page;
use domain::erasure::inventory::Table;
use domain::erasure::people::UserId;
use domain::facts::fact::FactStatus;
use domain::memory::MemoryKind;
use domain::moment::Moment;

/// A user in a list: numbers and dates only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLine {
    pub user: UserId,
    pub first_seen_at: Moment,
    /// Time of the last message, memory or recall.
    pub last_active_at: Option<Moment>,
    pub memories: i64,
}

/// Counts of the data about one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdings {
    pub line: UserLine,
    /// Like that of the line, also counting contributions by day and data from chats.
    pub last_active_at: Option<Moment>,
    /// Team facts that the user contributed to.
    pub contributions: i64,
    /// Contributions to facts without another contributor.
    pub sole_contributions: i64,
    /// Stored exchanges: queued, parked, or learned and without text.
    pub messages: i64,
    /// Queued exchanges.
    pub queued: i64,
    /// Parked exchanges.
    pub parked: i64,
    pub newest_memory_at: Option<Moment>,
    /// Memories by kind; kinds without any are left out.
    pub kinds: Vec<(MemoryKind, i64)>,
    /// Surfaces on which the user was seen, sorted.
    pub surfaces: Vec<String>,
    pub told: ToldCounts,
}

/// Counts of the data that a user gave an assistant in chats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToldCounts {
    pub preferences: i64,
    pub notes: i64,
    /// Fields of the profile.
    pub fields: i64,
    /// Turns of conversations, including archived ones.
    pub turns: i64,
}

impl ToldCounts {
    /// The sum of all counts.
    #[must_use]
    pub fn sum(&self) -> i64 {
        self.preferences + self.notes + self.fields + self.turns
    }
}

/// Counts of the data about a user at the beginning of a day, without contributions to the team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    /// Memories by kind; kinds without any are left out.
    pub kinds: Vec<(MemoryKind, i64)>,
    pub told: ToldCounts,
    /// Memory blocks outside the bin.
    pub blocks: i64,
    pub first_seen_at: Moment,
    /// Creation of the newest of these.
    pub newest_at: Option<Moment>,
}

/// A team fact that the user contributed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contribution {
    pub fact_id: String,
    pub content: String,
    pub status: FactStatus,
    /// Total number of contributors to the fact.
    pub contributors: u32,
}

/// An operator's latest opening of a record, from the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub at: Moment,
    /// Removed once the user is erased.
    pub reason: Option<String>,
}

/// A team fact in the preview of an erasure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedFact {
    pub id: String,
    pub content: String,
    pub status: FactStatus,
    pub contributors: u32,
}

/// A stored value on its way into an export. Vectors are never exported.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Cell {
    /// Size for the limit of a page.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Integer(_) | Self::Real(_) => size_of::<i64>(),
            Self::Text(text) => text.len(),
        }
    }
}

/// A page of the exported rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldPage {
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
    /// Start of the next page; `None`: this is the last.
    pub next: Option<Cell>,
}

impl HeldPage {
    /// The value of a column in a row; `Null`: the column is not exported.
    #[must_use]
    pub fn cell<'a>(&self, row: &'a [Cell], column: &str) -> &'a Cell {
        self.columns.iter().position(|name| *name == column).and_then(|at| row.get(at)).unwrap_or(&Cell::Null)
    }
}

/// A column about users that the engine keeps outside the inventory, and why an export leaves it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Withheld {
    pub table: &'static str,
    pub column: &'static str,
    pub why: &'static str,
}

#[async_trait]
pub trait UserReads: Send + Sync {
    async fn user_line(&self, user: &UserId) -> Result<Option<UserLine>, StoreError>;

    /// Counts of the user's data; `None`: unknown user. Like every read of a user's contributions, it takes time in proportion to
    /// those of all users, because no row names its user.
    async fn holdings(&self, user: &UserId) -> Result<Option<Holdings>, StoreError>;

    /// Counts of the data made before this moment. `None`: the user was unknown then.
    async fn glance(&self, user: &UserId, before: Moment) -> Result<Option<Glance>, StoreError>;

    /// Ordered by fact id, which does not reveal when the contributions were made.
    async fn contributions_of(&self, user: &UserId, page: &Page) -> Result<Vec<Contribution>, StoreError>;

    /// Facts that the user contributed to, with their texts, ordered by id.
    async fn touched_with_texts(&self, user: &UserId) -> Result<Vec<TouchedFact>, StoreError>;

    /// Rows of this table about the user, with the columns that the inventory marks for export, after the given position in a
    /// fixed order; without one, the first page. A page ends at `limit` rows, or earlier if its texts are long. A table without
    /// exported columns has no rows.
    async fn held_page(
        &self,
        subject: &Subject,
        table: &'static Table,
        after: Option<&Cell>,
        limit: u32,
    ) -> Result<HeldPage, StoreError>;

    /// Number of rows of each table in an export made now, counted in one snapshot.
    async fn count_exported(&self, subject: &Subject) -> Result<Vec<(&'static str, u64)>, StoreError>;

    /// The columns about users that the engine keeps outside the inventory.
    fn beside(&self) -> Vec<Withheld>;

    /// The operator's newest audit entry with this action about this user since then.
    async fn opening(
        &self,
        operator_id: &str,
        action: &str,
        user_digest: &str,
        since: Moment,
    ) -> Result<Option<Opening>, StoreError>;
}

#[async_trait]
pub trait EveryoneReads: Send + Sync {
    /// Users whose id starts with this prefix, compared byte by byte, ordered by id.
    async fn users_by_prefix(&self, prefix: &str, slice: Slice) -> Result<Vec<UserLine>, StoreError>;

    /// Number of users with this prefix.
    async fn count_users_by_prefix(&self, prefix: &str) -> Result<u64, StoreError>;

    /// Ids of all users after this one, in order.
    async fn user_ids(&self, after: &str, limit: u32) -> Result<Vec<UserId>, StoreError>;
}

#[async_trait]
pub trait UserWrites: Send {
    /// Number of pending facts that this user contributed to on that day.
    async fn pending_of_day(&mut self, user: &UserId, day: i64) -> Result<u32, StoreError>;

    /// Like [`UserReads::opening`], inside the transaction.
    async fn known_opening(
        &mut self,
        operator_id: &str,
        action: &str,
        user_digest: &str,
        since: Moment,
    ) -> Result<Option<Opening>, StoreError>;
}
