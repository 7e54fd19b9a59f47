//! What is known about one user, for an operator who opened the record and for the user's export; and, separately, the list of
//! users.
//!
//! [`UserReads`] reads only the given user. [`EveryoneReads`] reads across users and belongs to custody.

pub mod keys;
pub mod operators;

use async_trait::async_trait;

use super::StoreError;
use super::erasure::Subject;
use super::facts::Slice;
use super::memories::Page;
use crate::domain::erasure::inventory::Table;
use crate::domain::erasure::people::UserId;
use crate::domain::facts::fact::FactStatus;
use crate::domain::memory::MemoryKind;
use crate::domain::moment::Moment;

/// A user in a list: numbers and dates only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLine {
    pub user: UserId,
    pub first_seen_at: Moment,
    /// Time of the last message, memory or recall.
    pub last_active_at: Option<Moment>,
    pub memories: i64,
}

/// What is held about one user, in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdings {
    pub line: UserLine,
    /// Like that of the line, with the days of contributions and what was told in chats.
    pub last_active_at: Option<Moment>,
    /// Team facts that the user contributed to.
    pub contributions: i64,
    /// Contributions to facts that have no other contributor.
    pub sole_contributions: i64,
    /// Exchanges that are held: waiting, parked, or learned and empty.
    pub messages: i64,
    /// Those that wait to be learned.
    pub queued: i64,
    /// Those that could not be learned.
    pub parked: i64,
    pub newest_memory_at: Option<Moment>,
    /// Memories by kind; kinds without any are left out.
    pub kinds: Vec<(MemoryKind, i64)>,
    /// Names of the surfaces on which the user was seen, sorted.
    pub surfaces: Vec<String>,
    pub told: ToldCounts,
}

/// What a user told an assistant in chats, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToldCounts {
    pub preferences: i64,
    pub notes: i64,
    /// Fields of the profile.
    pub fields: i64,
    /// Turns of conversations, with the archived ones.
    pub turns: i64,
}

impl ToldCounts {
    /// All of them.
    #[must_use]
    pub fn sum(&self) -> i64 {
        self.preferences + self.notes + self.fields + self.turns
    }
}

/// What was held about a user when a day began, without texts, and without what was contributed to the team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    /// Memories by kind; kinds without any are left out.
    pub kinds: Vec<(MemoryKind, i64)>,
    pub told: ToldCounts,
    /// Memory blocks that are not in the bin.
    pub blocks: i64,
    pub first_seen_at: Moment,
    /// When the newest of these was made.
    pub newest_at: Option<Moment>,
}

/// A team fact that the user contributed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contribution {
    pub fact_id: String,
    pub content: String,
    pub status: FactStatus,
    /// How many people contributed to it, with this one.
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
    /// How much of a page it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Integer(_) | Self::Real(_) => size_of::<i64>(),
            Self::Text(text) => text.len(),
        }
    }
}

/// Some of the exported rows of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldPage {
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
    /// Where the next page begins; `None`: there is none.
    pub next: Option<Cell>,
}

impl HeldPage {
    /// A value of one of its rows; `Null`: the column is not exported.
    #[must_use]
    pub fn cell<'a>(&self, row: &'a [Cell], column: &str) -> &'a Cell {
        self.columns.iter().position(|name| *name == column).and_then(|at| row.get(at)).unwrap_or(&Cell::Null)
    }
}

/// A column that the engine keeps about users outside the inventory, and why an export leaves it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Withheld {
    pub table: &'static str,
    pub column: &'static str,
    pub why: &'static str,
}

#[async_trait]
pub trait UserReads: Send + Sync {
    async fn user_line(&self, user: &UserId) -> Result<Option<UserLine>, StoreError>;

    /// Like every read of a user's contributions, it takes time in proportion to those of everybody: no row says whose it is.
    async fn holdings(&self, user: &UserId) -> Result<Option<Holdings>, StoreError>;

    /// What is held that was made before this moment. `None`: the user was not known before it.
    async fn glance(&self, user: &UserId, before: Moment) -> Result<Option<Glance>, StoreError>;

    /// Ordered by fact id, which does not reveal when they were made.
    async fn contributions_of(&self, user: &UserId, page: &Page) -> Result<Vec<Contribution>, StoreError>;

    /// Facts that the user contributed to, with their texts, ordered by id.
    async fn touched_with_texts(&self, user: &UserId) -> Result<Vec<TouchedFact>, StoreError>;

    /// Rows of this table about the user, with the columns that the inventory marks for export: those after a place, in an order of
    /// the table's own that does not change. A page ends at `limit` rows, or earlier when its texts are long. Without a place it is
    /// the first page. A table of which nothing is exported has no rows.
    async fn held_page(
        &self,
        subject: &Subject,
        table: &'static Table,
        after: Option<&Cell>,
        limit: u32,
    ) -> Result<HeldPage, StoreError>;

    /// How many rows of each table an export has now, all counted at the same moment.
    async fn count_exported(&self, subject: &Subject) -> Result<Vec<(&'static str, u64)>, StoreError>;

    /// What the engine keeps about users outside the inventory.
    fn beside(&self) -> Vec<Withheld>;

    /// The actor's newest entry of this action about this user since then.
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

    /// How many there are.
    async fn count_users_by_prefix(&self, prefix: &str) -> Result<u64, StoreError>;

    /// Ids of all users after this one, in order.
    async fn user_ids(&self, after: &str, limit: u32) -> Result<Vec<UserId>, StoreError>;
}

#[async_trait]
pub trait UserWrites: Send {
    /// How many pending facts this user has contributed to on that day.
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
