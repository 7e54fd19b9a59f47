//! What tells whether a user's memory blocks are in good order: how full they are, which nobody reads, how much is in the bin, and how
//! often a write was refused. No method reads a text but the one that opens a block.

use async_trait::async_trait;

use super::Block;
use crate::domain::erasure::people::UserId;
use crate::domain::moment::Moment;
use crate::ports::store::StoreError;

/// What to look for.
#[derive(Debug, Clone, Copy)]
pub struct CareQuery {
    /// Blocks count as nearly full from so many percent of their limit on.
    pub full_percent: u64,
    /// Blocks count as unread that nobody has read since then; those never read, if they were added before.
    pub unread_before: Moment,
    /// Refusals count from this day on.
    pub refused_from_day: i64,
    /// What came into the bin before is over.
    pub binned_since: Moment,
    /// Longest list of blocks.
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

/// Blocks in the order of their paths, and how many there are in all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CareLines {
    pub all: u64,
    pub first: Vec<CareLine>,
}

/// How a user's blocks are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockCare {
    pub stores: u64,
    pub blocks: u64,
    /// Of current texts.
    pub bytes: u64,
    pub pinned: u64,
    /// Blocks in the bin, and the bytes of the texts that they would come back with.
    pub binned: u64,
    pub binned_bytes: u64,
    pub full: CareLines,
    pub unread: CareLines,
    /// Rules with how often they refused a write, the most frequent first.
    pub refused: Vec<(String, u64)>,
}

#[async_trait]
pub trait BlockCareReads: Send + Sync {
    /// Blocks of the user that are in no bin.
    async fn count_blocks(&self, user: &UserId) -> Result<u64, StoreError>;

    async fn block_care(&self, user: &UserId, query: &CareQuery) -> Result<BlockCare, StoreError>;

    /// One block of whichever store, also if it is in the bin; there it has no text.
    async fn block_wherever(&self, user: &UserId, id: &str) -> Result<Option<Block>, StoreError>;
}

#[async_trait]
pub trait BlockCareWrites: Send {
    /// Bytes of the texts that the user's blocks in the bin would come back with; those that came there before `since` are over.
    async fn binned_bytes(&mut self, user: &UserId, since: Moment) -> Result<u64, StoreError>;

    /// Counts a refusal for each of these rules. Nothing is counted for a user who is not known.
    async fn count_block_refusals(&mut self, user: &UserId, day: i64, rules: &[String]) -> Result<(), StoreError>;

    /// Deletes what was counted before this day. Returns how many rows.
    async fn purge_block_refusals(&mut self, before_day: i64) -> Result<u64, StoreError>;
}
