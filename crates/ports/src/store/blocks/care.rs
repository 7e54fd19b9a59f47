//! Health of a user's memory blocks: how full they are, which are unread, the size of the bin, and refused writes. No method
//! reads a text except the one that opens a block.

use async_trait::async_trait;

use super::Block;
use crate::store::StoreError;
use domain::erasure::people::UserId;
use domain::moment::Moment;

/// Parameters of a health report.
#[derive(Debug, Clone, Copy)]
pub struct CareQuery {
    /// Blocks count as nearly full from this percentage of their limit.
    pub full_percent: u64,
    /// Blocks count as unread if their last read, or for blocks never read their creation, was before this moment.
    pub unread_before: Moment,
    /// Refusals count from this day.
    pub refused_from_day: i64,
    /// Blocks moved to the bin before this moment are expired and not counted.
    pub binned_since: Moment,
    /// Maximum length of each list of blocks.
    pub limit: u32,
}

/// A block in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CareLine {
    pub id: String,
    pub path: String,
    pub bytes: u64,
    pub chars: u64,
    pub char_limit: Option<u32>,
    pub pinned: bool,
    pub last_read_at: Option<Moment>,
    pub created_at: Moment,
}

/// The first blocks of a list, by path, and the total number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CareLines {
    pub all: u64,
    pub first: Vec<CareLine>,
}

/// Health of a user's blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockCare {
    pub stores: u64,
    pub blocks: u64,
    /// Size of current texts.
    pub bytes: u64,
    pub pinned: u64,
    /// Blocks in the bin, and the bytes of the texts that a restore would bring back.
    pub binned: u64,
    pub binned_bytes: u64,
    pub full: CareLines,
    pub unread: CareLines,
    /// Rules and the number of writes that each refused, most frequent first.
    pub refused: Vec<(String, u64)>,
}

#[async_trait]
pub trait BlockCareReads: Send + Sync {
    /// Number of the user's blocks outside the bin.
    async fn count_blocks(&self, user: &UserId) -> Result<u64, StoreError>;

    async fn block_care(&self, user: &UserId, query: &CareQuery) -> Result<BlockCare, StoreError>;

    /// Returns a block of any store, also from the bin; there it has no text.
    async fn block_wherever(&self, user: &UserId, id: &str) -> Result<Option<Block>, StoreError>;
}

#[async_trait]
pub trait BlockCareWrites: Send {
    /// Total bytes of the texts that the user's blocks in the bin would be restored with; blocks moved there before `since` are
    /// expired.
    async fn binned_bytes(&mut self, user: &UserId, since: Moment) -> Result<u64, StoreError>;

    /// Counts a refusal for each of these rules. Does nothing for an unknown user.
    async fn count_block_refusals(&mut self, user: &UserId, day: i64, rules: &[String]) -> Result<(), StoreError>;

    /// Deletes counts from before this day. Returns the number of rows.
    async fn purge_block_refusals(&mut self, before_day: i64) -> Result<u64, StoreError>;
}
