//! Memory blocks: stores of a user, the blocks in them, and their versions. Every method takes the owner first; what belongs to
//! another user is not there. A block in the bin is in no read but that of the bin.

pub mod care;

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::StoreError;
use crate::domain::blocks::{BlockFields, BlockPath, Operation};
use crate::domain::erasure::people::UserId;
use crate::domain::moment::Moment;

/// Shows values before they are deleted, to take fingerprints of them.
pub type Visit<'a> = &'a mut (dyn for<'v> FnMut(&'v [u8]) + Send);

/// Who made a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// `caller`, `cli`, `operator` or `system`.
    pub kind: String,
    /// The key or the operator.
    pub id: String,
    /// Where it was written.
    pub surface: String,
}

/// A store of blocks.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockStore {
    pub id: String,
    pub name: String,
    pub description: String,
    pub metadata: BTreeMap<String, String>,
    /// The one that the user has from the first write.
    pub is_default: bool,
    pub created_at: Moment,
    pub updated_at: Moment,
    /// From then on its blocks can be read and deleted only.
    pub archived_at: Option<Moment>,
}

/// How a store is named.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreRef {
    Default,
    Id(String),
    /// The oldest that has this name.
    Named(String),
}

/// How a block is named.
#[derive(Clone, PartialEq, Eq)]
pub enum BlockRef {
    Id(String),
    Path(BlockPath),
}

/// A block.
#[derive(Clone, PartialEq, Eq)]
pub struct Block {
    pub id: String,
    pub store_id: String,
    pub path: String,
    /// `None`: it was not asked for, or the block is in the bin.
    pub content: Option<String>,
    /// SHA-256 of the text in small hexadecimal digits; empty in the bin.
    pub sha256: String,
    pub bytes: u64,
    pub chars: u64,
    /// Rises with every change, from 1.
    pub version: i64,
    pub version_id: String,
    pub operation: Operation,
    pub by: Author,
    pub fields: BlockFields,
    pub created_at: Moment,
    /// Time of the last change.
    pub updated_at: Moment,
    /// When it was last read, to the day.
    pub last_read_at: Option<Moment>,
    /// Since when it is in the bin.
    pub deleted_at: Option<Moment>,
}

/// A text with its SHA-256.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockText {
    pub content: String,
    pub sha256: String,
}

/// What a block is from now on.
#[derive(Clone)]
pub struct NewHead {
    pub version_id: String,
    pub operation: Operation,
    pub path: BlockPath,
    /// `None`: it goes into the bin.
    pub text: Option<BlockText>,
    pub fields: BlockFields,
    pub at: Moment,
    pub by: Author,
}

/// Which blocks a list or a search shows.
#[derive(Clone, Default)]
pub struct BlockFilter {
    /// `None`: of every store of the user.
    pub store_id: Option<String>,
    /// Those below this path.
    pub below: Option<BlockPath>,
    pub kind: Option<String>,
    pub scope: Option<String>,
    pub source: Option<String>,
    /// All of these.
    pub tags: Vec<String>,
    pub pinned: Option<bool>,
}

/// In which order, and how many.
#[derive(Clone)]
pub struct BlockPage {
    pub order: BlockOrder,
    pub limit: u32,
    /// Whether the texts come too.
    pub texts: bool,
}

/// The order of a list. `after` is the last block that was seen.
#[derive(Clone, PartialEq, Eq)]
pub enum BlockOrder {
    /// Of their paths, byte by byte.
    Path { after: Option<String> },
    /// In which they were first written. `after`: an id.
    Written { after: Option<String> },
}

/// How much there is, and whether the store takes more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlockTotals {
    /// Blocks of the store.
    pub blocks: u64,
    /// Bytes of current text of the user.
    pub bytes: u64,
    /// Pinned blocks of the user.
    pub pinned: u64,
    pub is_archived: bool,
}

/// A version of a block. What was redacted or deleted has no text.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockVersion {
    pub id: String,
    pub block_id: String,
    pub store_id: String,
    pub version: i64,
    pub operation: Operation,
    pub path: Option<String>,
    /// Also `None` if it was not asked for.
    pub content: Option<String>,
    pub sha256: Option<String>,
    pub bytes: Option<u64>,
    pub at: Moment,
    pub by: Author,
    /// When it was redacted, and by whom: a kind and an id.
    pub redacted: Option<(Moment, String, String)>,
    /// It is what the block is now.
    pub is_current: bool,
}

/// Which versions a list shows.
#[derive(Clone, Default)]
pub struct VersionFilter {
    pub block_id: Option<String>,
    pub operation: Option<Operation>,
    /// The key or operator that wrote it.
    pub by_id: Option<String>,
    /// Bounds included.
    pub since: Option<Moment>,
    pub until: Option<Moment>,
}

/// The place of a version in the list: its time, number and id.
pub type VersionPlace = (Moment, i64, String);

/// A page of versions, newest first.
#[derive(Clone)]
pub struct VersionPage {
    pub after: Option<VersionPlace>,
    pub limit: u32,
    /// Whether the texts come too.
    pub texts: bool,
}

/// What became of a version that was to be redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redaction {
    Redacted,
    /// It was already.
    Known,
    /// It is what the block is now.
    Current,
    Missing,
}

#[async_trait]
pub trait BlockReads: Send + Sync {
    /// Newest first, after the one with this id.
    async fn block_stores(
        &self,
        user: &UserId,
        archived: bool,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<BlockStore>, StoreError>;

    async fn block_store(&self, user: &UserId, store: &StoreRef) -> Result<Option<BlockStore>, StoreError>;

    /// One block with its text. `store_id` absent: of whichever store, by its id; a path is one in a store.
    async fn block(&self, user: &UserId, store_id: Option<&str>, block: &BlockRef) -> Result<Option<Block>, StoreError>;

    async fn blocks(&self, user: &UserId, filter: &BlockFilter, page: &BlockPage) -> Result<Vec<Block>, StoreError>;

    /// Updates the search index with the blocks that were written since its last update. A search does this for its own user; without
    /// regular calls, the first search after many writes takes long.
    async fn index_blocks(&self) -> Result<(), StoreError>;

    /// Blocks that contain all of these words, or any if none contains all; the most relevant first, with their texts. Words are
    /// compared without case and accents.
    async fn search_blocks(
        &self,
        user: &UserId,
        filter: &BlockFilter,
        words: &[String],
        limit: u32,
    ) -> Result<Vec<Block>, StoreError>;

    /// Blocks in the bin, the last deleted first.
    async fn block_bin(&self, user: &UserId, store_id: &str, limit: u32) -> Result<Vec<Block>, StoreError>;

    async fn block_versions(
        &self,
        user: &UserId,
        store_id: &str,
        filter: &VersionFilter,
        page: &VersionPage,
    ) -> Result<Vec<BlockVersion>, StoreError>;

    /// One version with its text.
    async fn block_version(&self, user: &UserId, store_id: &str, id: &str) -> Result<Option<BlockVersion>, StoreError>;
}

#[async_trait]
pub trait BlockWrites: Send {
    /// Like [`BlockReads::block_store`], inside the transaction.
    async fn known_block_store(&mut self, user: &UserId, store: &StoreRef) -> Result<Option<BlockStore>, StoreError>;

    async fn count_block_stores(&mut self, user: &UserId) -> Result<u64, StoreError>;

    async fn insert_block_store(&mut self, user: &UserId, store: &BlockStore) -> Result<(), StoreError>;

    /// Replaces name, description, metadata and times of a store.
    async fn change_block_store(&mut self, user: &UserId, store: &BlockStore) -> Result<(), StoreError>;

    /// Deletes a store with its blocks, their versions and the bin. `false`: there is none.
    async fn delete_block_store(&mut self, user: &UserId, id: &str, visit: Visit<'_>) -> Result<bool, StoreError>;

    /// Like [`BlockReads::block`], inside the transaction.
    async fn known_block(&mut self, user: &UserId, store_id: Option<&str>, block: &BlockRef)
    -> Result<Option<Block>, StoreError>;

    /// The first block, in the order of writing, that this filter admits, with its text.
    async fn first_block(&mut self, user: &UserId, filter: &BlockFilter) -> Result<Option<Block>, StoreError>;

    /// The blocks at this path and below it, in the order of their paths, with their texts.
    async fn known_blocks_within(&mut self, user: &UserId, store_id: &str, path: &BlockPath) -> Result<Vec<Block>, StoreError>;

    /// Id and path of a block at this path, above it or below it, other than those within `moving`.
    async fn block_in_the_way(
        &mut self,
        user: &UserId,
        store_id: &str,
        path: &BlockPath,
        moving: Option<&BlockPath>,
    ) -> Result<Option<(String, String)>, StoreError>;

    /// `None`: the user has no such store.
    async fn block_totals(&mut self, user: &UserId, store_id: &str) -> Result<Option<BlockTotals>, StoreError>;

    /// Adds a block with its first version.
    async fn insert_block(&mut self, user: &UserId, store_id: &str, id: &str, head: &NewHead) -> Result<(), StoreError>;

    /// Makes this the current version of a block, if `seen` was; what it said before becomes a former version, and the oldest of them
    /// goes when there are more than are kept. `false`: the block is gone, or of another version. A head without a text puts the
    /// block into the bin, and one with a text takes it out.
    async fn change_block(&mut self, user: &UserId, id: &str, seen: i64, head: &NewHead) -> Result<bool, StoreError>;

    /// A block in the bin, and its last text, if that was not redacted.
    async fn known_binned(
        &mut self,
        user: &UserId,
        store_id: &str,
        id: &str,
    ) -> Result<Option<(Block, Option<BlockText>)>, StoreError>;

    /// Deletes blocks with their versions, wherever they are. Returns how many.
    async fn delete_blocks(&mut self, user: &UserId, ids: &[String], visit: Visit<'_>) -> Result<u64, StoreError>;

    /// Deletes blocks that came into the bin before this moment, of every user or of one; at most so many. Returns how many.
    async fn delete_binned(
        &mut self,
        before: Moment,
        of: Option<&UserId>,
        limit: u32,
        visit: Visit<'_>,
    ) -> Result<u64, StoreError>;

    /// Empties a former version of a block.
    async fn redact_block_version(
        &mut self,
        user: &UserId,
        store_id: &str,
        id: &str,
        by: &Author,
        at: Moment,
        visit: Visit<'_>,
    ) -> Result<Redaction, StoreError>;

    /// Notes that these blocks were read; those that are gone are ignored.
    async fn note_blocks_read(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError>;
}
