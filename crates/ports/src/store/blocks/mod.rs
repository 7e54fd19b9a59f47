//! Memory blocks: stores of a user, the blocks in them, and their versions. Every method takes the owner first and never finds
//! data of another user. Blocks in the bin are found only by the methods for the bin.

pub mod care;

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::StoreError;
use domain::blocks::{BlockFields, BlockPath, Operation};
use domain::erasure::people::UserId;
use domain::moment::Moment;

/// Callback for values about to be deleted, to take fingerprints of them.
pub type Visit<'a> = &'a mut (dyn for<'v> FnMut(&'v [u8]) + Send);

/// Author of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// `caller`, `cli`, `operator` or `system`.
    pub kind: String,
    /// Id of the key or operator.
    pub id: String,
    /// Surface on which it was written.
    pub surface: String,
}

/// A store of blocks.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockStore {
    pub id: String,
    pub name: String,
    pub description: String,
    pub metadata: BTreeMap<String, String>,
    /// The store that is created with the user's first write.
    pub is_default: bool,
    pub created_at: Moment,
    pub updated_at: Moment,
    /// From this moment its blocks can only be read and deleted.
    pub archived_at: Option<Moment>,
}

/// Reference to a store.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreRef {
    Default,
    Id(String),
    /// The oldest store with this name.
    Named(String),
}

/// Reference to a block.
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
    /// `None`: not requested, or the block is in the bin.
    pub content: Option<String>,
    /// SHA-256 of the text in lower-case hex; empty in the bin.
    pub sha256: String,
    pub bytes: u64,
    pub chars: u64,
    /// Increases with every change, from 1.
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
    /// When it was moved to the bin.
    pub deleted_at: Option<Moment>,
}

/// A text with its SHA-256.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockText {
    pub content: String,
    pub sha256: String,
}

/// The new current version of a block.
#[derive(Clone)]
pub struct NewHead {
    pub version_id: String,
    pub operation: Operation,
    pub path: BlockPath,
    /// `None`: the block is moved to the bin.
    pub text: Option<BlockText>,
    pub fields: BlockFields,
    pub at: Moment,
    pub by: Author,
}

/// Filter of a list or a search.
#[derive(Clone, Default)]
pub struct BlockFilter {
    /// `None`: all stores of the user.
    pub store_id: Option<String>,
    /// Only blocks below this path.
    pub below: Option<BlockPath>,
    pub kind: Option<String>,
    pub scope: Option<String>,
    pub source: Option<String>,
    /// Tags that a block must all have.
    pub tags: Vec<String>,
    pub pinned: Option<bool>,
}

/// Order and size of a page.
#[derive(Clone)]
pub struct BlockPage {
    pub order: BlockOrder,
    pub limit: u32,
    /// Whether to include texts.
    pub texts: bool,
}

/// Order of a list. `after` is the last block of the previous page.
#[derive(Clone, PartialEq, Eq)]
pub enum BlockOrder {
    /// By path, byte by byte.
    Path { after: Option<String> },
    /// By creation. `after`: an id.
    Written { after: Option<String> },
}

/// Sizes for the limits of a store and its user, and whether the store is archived.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlockTotals {
    /// Blocks in the store.
    pub blocks: u64,
    /// Total bytes of the user's current texts.
    pub bytes: u64,
    /// The user's pinned blocks.
    pub pinned: u64,
    pub is_archived: bool,
}

/// A version of a block. Redacted versions and deletions have no text.
#[derive(Clone, PartialEq, Eq)]
pub struct BlockVersion {
    pub id: String,
    pub block_id: String,
    pub store_id: String,
    pub version: i64,
    pub operation: Operation,
    pub path: Option<String>,
    /// `None`: not requested, redacted or deleted.
    pub content: Option<String>,
    pub sha256: Option<String>,
    pub bytes: Option<u64>,
    pub at: Moment,
    pub by: Author,
    /// When it was redacted, and the kind and id of the actor.
    pub redacted: Option<(Moment, String, String)>,
    /// It is the block's current version.
    pub is_current: bool,
}

/// Filter of a list of versions.
#[derive(Clone, Default)]
pub struct VersionFilter {
    pub block_id: Option<String>,
    pub operation: Option<Operation>,
    /// Id of the key or operator that wrote it.
    pub by_id: Option<String>,
    /// Inclusive bounds.
    pub since: Option<Moment>,
    pub until: Option<Moment>,
}

/// Position of a version in a list: its time, number and id.
pub type VersionPlace = (Moment, i64, String);

/// A page of versions, newest first.
#[derive(Clone)]
pub struct VersionPage {
    pub after: Option<VersionPlace>,
    pub limit: u32,
    /// Whether to include texts.
    pub texts: bool,
}

/// Result of a redaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redaction {
    Redacted,
    /// It was redacted before.
    Known,
    /// It is the block's current version, which is never redacted.
    Current,
    Missing,
}

#[async_trait]
pub trait BlockReads: Send + Sync {
    /// The user's stores, newest first, after the one with this id.
    async fn block_stores(
        &self,
        user: &UserId,
        archived: bool,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<BlockStore>, StoreError>;

    async fn block_store(&self, user: &UserId, store: &StoreRef) -> Result<Option<BlockStore>, StoreError>;

    /// Returns a block with its text. `store_id` absent: the block is found by its id in any store; a path needs a store.
    async fn block(&self, user: &UserId, store_id: Option<&str>, block: &BlockRef) -> Result<Option<Block>, StoreError>;

    async fn blocks(&self, user: &UserId, filter: &BlockFilter, page: &BlockPage) -> Result<Vec<Block>, StoreError>;

    /// Updates the search index with the blocks written since its last update. A search does this for its own user; without
    /// regular calls, the first search after many writes is slow.
    async fn index_blocks(&self) -> Result<(), StoreError>;

    /// Finds blocks that contain all of these words, or any if none contains all; the most relevant first, with their texts.
    /// Words are compared without case and accents.
    async fn search_blocks(
        &self,
        user: &UserId,
        filter: &BlockFilter,
        words: &[String],
        limit: u32,
    ) -> Result<Vec<Block>, StoreError>;

    /// Blocks in the bin, last deleted first.
    async fn block_bin(&self, user: &UserId, store_id: &str, limit: u32) -> Result<Vec<Block>, StoreError>;

    async fn block_versions(
        &self,
        user: &UserId,
        store_id: &str,
        filter: &VersionFilter,
        page: &VersionPage,
    ) -> Result<Vec<BlockVersion>, StoreError>;

    /// Returns a version with its text.
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

    /// Deletes a store with its blocks, their versions and the bin. `false`: there is no such store.
    async fn delete_block_store(&mut self, user: &UserId, id: &str, visit: Visit<'_>) -> Result<bool, StoreError>;

    /// Like [`BlockReads::block`], inside the transaction.
    async fn known_block(&mut self, user: &UserId, store_id: Option<&str>, block: &BlockRef)
    -> Result<Option<Block>, StoreError>;

    /// Returns the oldest block that the filter matches, with its text.
    async fn first_block(&mut self, user: &UserId, filter: &BlockFilter) -> Result<Option<Block>, StoreError>;

    /// The blocks at and below this path, by path, with their texts.
    async fn known_blocks_within(&mut self, user: &UserId, store_id: &str, path: &BlockPath) -> Result<Vec<Block>, StoreError>;

    /// Returns id and path of a block at, above or below this path, except those within `moving`.
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

    /// Compare-and-set: makes this the current version if the current one is `seen`. The old text becomes a former version, and
    /// the oldest former version is deleted once there are too many. `false`: the block is gone or has another version. A head
    /// without a text moves the block to the bin; a head with a text restores it.
    async fn change_block(&mut self, user: &UserId, id: &str, seen: i64, head: &NewHead) -> Result<bool, StoreError>;

    /// Returns a block in the bin, and its last text unless that was redacted.
    async fn known_binned(
        &mut self,
        user: &UserId,
        store_id: &str,
        id: &str,
    ) -> Result<Option<(Block, Option<BlockText>)>, StoreError>;

    /// Deletes blocks with their versions, also from the bin. Returns how many.
    async fn delete_blocks(&mut self, user: &UserId, ids: &[String], visit: Visit<'_>) -> Result<u64, StoreError>;

    /// Deletes at most `limit` blocks that were moved to the bin before this moment, of one user or of all. Returns how many.
    async fn delete_binned(
        &mut self,
        before: Moment,
        of: Option<&UserId>,
        limit: u32,
        visit: Visit<'_>,
    ) -> Result<u64, StoreError>;

    /// Redacts a former version: removes its text.
    async fn redact_block_version(
        &mut self,
        user: &UserId,
        store_id: &str,
        id: &str,
        by: &Author,
        at: Moment,
        visit: Visit<'_>,
    ) -> Result<Redaction, StoreError>;

    /// Records a read of these blocks; deleted ones are ignored.
    async fn note_blocks_read(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError>;
}
