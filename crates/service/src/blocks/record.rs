//! A user's blocks, for an operator who has the record open: listed, opened with masked texts, revealed, restored, redacted,
//! moved to the bin and deleted. Every decision is logged in its own transaction, without text.

use std::sync::Arc;

use super::versions::unified;
use super::{
    Basis, Block, BlockChangeResult, BlockFilter, BlockOrder, BlockPage, BlockRef, BlockStore, BlockVersion, Differences, Hand,
    Logged, Removed, StoreRef, VersionFilter, VersionPage, no_block, no_store,
};
use crate::Result;
use crate::blocks::BlockVersions;
use crate::blocks::Blocks;
use crate::people::People;
use crate::settings::current::CurrentSettings;
use access::callers::Caller;
use access::operators::{Manager, Viewer};
use domain::blocks::care::{FULL_PERCENT, REFUSED_DAYS, UNREAD_DAYS};
use domain::blocks::limits::{STORES, VERSIONS_KEPT};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::DAY_MS;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::blocks::care::{BlockCare, CareQuery};

/// Blocks listed per store when all stores are listed.
const OF_EACH: u32 = 100;
/// Blocks on a page when one store is listed.
const OF_ONE: u32 = 200;
/// Blocks listed of each store's bin.
const OF_BIN: u32 = 100;
/// Blocks that need attention, listed per kind.
const TO_LOOK_AT: u32 = 10;
/// Surface of operators' writes.
const CONSOLE: &str = "console";

/// Part of the blocks to list: the first of every store, or those of one store after a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlocksPlace {
    pub store: Option<String>,
    pub after: Option<String>,
}

/// A store with its blocks in the order of their paths, without texts.
#[derive(Clone)]
pub struct StoreOfRecord {
    pub store: BlockStore,
    pub blocks: Vec<Block>,
    /// There are more blocks after the last one.
    pub more: bool,
    /// Deleted blocks that can be restored, the last deleted first.
    pub bin: Vec<Block>,
}

/// The blocks of a record.
#[derive(Clone)]
pub struct BlocksOfRecord {
    pub stores: Vec<StoreOfRecord>,
    pub care: BlockCare,
    /// Days for which a deleted block can be restored; 0: there is no bin.
    pub bin_days: u32,
}

/// One block of a record.
#[derive(Clone)]
pub struct BlockOfRecord {
    pub store: BlockStore,
    pub block: Block,
    /// Its text, or in the bin the text that it would be restored with; `None`: that text was redacted.
    pub text: Option<String>,
    /// Newest first, without texts.
    pub versions: Vec<BlockVersion>,
    /// Differences that a version made; from 0: there is no earlier text.
    pub compared: Option<Differences>,
    pub bin_days: u32,
}

impl BlockOfRecord {
    fn texts(&self) -> usize {
        usize::from(self.text.is_some()) + usize::from(self.compared.is_some())
    }
}

/// Memory blocks of a user for an operator who has the record open.
pub struct UserBlocks {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub settings: CurrentSettings,
    pub people: Arc<People>,
    pub blocks: Arc<Blocks>,
    pub versions: Arc<BlockVersions>,
}

impl UserBlocks {
    /// Returns the paths and sizes of a user's blocks, and their condition. No text is read.
    pub async fn blocks_of_record(&self, viewer: &Viewer, user: &UserId, place: &BlocksPlace) -> Result<BlocksOfRecord> {
        self.people.opened(viewer, user).await?;
        let limit = u32::try_from(STORES.max).unwrap_or(u32::MAX);
        let mut stores = self.store.block_stores(user, true, None, limit).await?;
        // The default store first, then in the order in which they were made.
        stores.sort_by_key(|store| (!store.is_default, store.created_at));
        if let Some(id) = &place.store {
            stores.retain(|store| store.id == *id);
            if stores.is_empty() {
                return Err(no_store());
            }
        }
        let after = match &place.after {
            Some(id) => self.store.block_wherever(user, id).await?.map(|block| block.path),
            None => None,
        };
        let rows = if place.store.is_some() { OF_ONE } else { OF_EACH };
        let mut listed = Vec::with_capacity(stores.len());
        for store in stores {
            let filter = BlockFilter { store_id: Some(store.id.clone()), ..BlockFilter::default() };
            let page = BlockPage { order: BlockOrder::Path { after: after.clone() }, limit: rows + 1, texts: false };
            let mut blocks = self.store.blocks(user, &filter, &page).await?;
            let more = blocks.len() > rows as usize;
            blocks.truncate(rows as usize);
            let mut bin = self.store.block_bin(user, &store.id, OF_BIN).await?;
            bin.retain(|block| block.deleted_at >= Some(self.blocks.bin_over()));
            listed.push(StoreOfRecord { store, blocks, more, bin });
        }
        let now = self.clock.now();
        let query = CareQuery {
            full_percent: FULL_PERCENT,
            unread_before: now.plus_ms(-UNREAD_DAYS * DAY_MS),
            refused_from_day: now.day() - (REFUSED_DAYS - 1),
            binned_since: self.blocks.bin_over(),
            limit: TO_LOOK_AT,
        };
        let care = self.store.block_care(user, &query).await?;
        Ok(BlocksOfRecord { stores: listed, care, bin_days: self.settings.get().blocks_bin_days })
    }

    /// Returns one block with its history and the differences that a version made; `None`: the newest version with an earlier
    /// text. The caller masks the texts; only [`Self::reveal_block`] gives them out.
    pub async fn masked_block(&self, viewer: &Viewer, user: &UserId, id: &str, version: Option<i64>) -> Result<BlockOfRecord> {
        self.people.opened(viewer, user).await?;
        self.block_of_record(user, id, version).await
    }

    /// Like [`Self::masked_block`], with the texts: their number is logged before they are returned.
    pub async fn reveal_block(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        id: &str,
        version: Option<i64>,
    ) -> Result<BlockOfRecord> {
        let opening = self.people.opened(viewer, user).await?;
        let found = self.block_of_record(user, id, version).await?;
        self.people.note_text_shown(manager, user, &opening, found.texts()).await?;
        Ok(found)
    }

    /// Restores the text of a former version.
    pub async fn restore_block_version_in_console(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        id: &str,
        version: i64,
        seen: i64,
    ) -> Result<()> {
        let change = self.people.record_change(viewer, manager, user).await?;
        let logged = Logged { change: &change, action: "user.block_version_restored" };
        let (caller, surface, store) = self.at_console(manager, user, id).await?;
        let hand = Hand { caller: &caller, user, surface: &surface };
        let (block, basis) = (BlockRef::Id(id.to_owned()), Basis::Versions(vec![seen]));
        match self.versions.restore_version_and_log(&hand, &store, &block, version, &basis, Some(logged)).await? {
            BlockChangeResult::Written(_) | BlockChangeResult::Same(_) => Ok(()),
            BlockChangeResult::Stale(block) => Err(Problem::Stale { version: block.version }.into()),
        }
    }

    /// Empties a former version for good.
    pub async fn redact_block_version_in_console(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        id: &str,
        version_id: &str,
    ) -> Result<()> {
        let change = self.people.record_change(viewer, manager, user).await?;
        let logged = Logged { change: &change, action: "user.block_version_redacted" };
        let (caller, surface, store) = self.at_console(manager, user, id).await?;
        let hand = Hand { caller: &caller, user, surface: &surface };
        self.versions.redact_version_and_log(&hand, &store, version_id, Some(logged)).await.map(drop)
    }

    /// Moves a block at this version to the bin. Refused without a bin, because the block would be gone for good.
    pub async fn bin_block_in_console(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        id: &str,
        seen: i64,
    ) -> Result<()> {
        if self.settings.get().blocks_bin_days == 0 {
            return Err(Problem::not_found("bin").into());
        }
        let change = self.people.record_change(viewer, manager, user).await?;
        self.remove_in_console(manager, user, id, seen, Logged { change: &change, action: "user.block_binned" }, false).await
    }

    /// Deletes a block at this version and its history for good, even from the bin.
    pub async fn delete_block_in_console(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        id: &str,
        seen: i64,
    ) -> Result<()> {
        let change = self.people.record_change(viewer, manager, user).await?;
        self.remove_in_console(manager, user, id, seen, Logged { change: &change, action: "user.block_deleted" }, true).await
    }

    /// Restores a block from the bin.
    pub async fn restore_block_in_console(&self, viewer: &Viewer, manager: &Manager, user: &UserId, id: &str) -> Result<()> {
        let change = self.people.record_change(viewer, manager, user).await?;
        let logged = Logged { change: &change, action: "user.block_restored" };
        let (caller, surface, store) = self.at_console(manager, user, id).await?;
        let hand = Hand { caller: &caller, user, surface: &surface };
        self.blocks.restore_and_log(&hand, &store, id, Some(logged)).await.map(drop)
    }

    async fn remove_in_console(
        &self,
        manager: &Manager,
        user: &UserId,
        id: &str,
        seen: i64,
        logged: Logged<'_>,
        forever: bool,
    ) -> Result<()> {
        let (caller, surface, store) = self.at_console(manager, user, id).await?;
        let hand = Hand { caller: &caller, user, surface: &surface };
        let (block, basis) = (BlockRef::Id(id.to_owned()), Basis::Versions(vec![seen]));
        match self.blocks.delete_and_log(&hand, &store, &block, &basis, forever, Some(logged)).await? {
            Removed::Gone => Ok(()),
            Removed::Stale(block) => Err(Problem::Stale { version: block.version }.into()),
        }
    }

    /// Returns the caller and the surface of an operator, and the store of the block.
    async fn at_console(&self, manager: &Manager, user: &UserId, id: &str) -> Result<(Caller, Surface, StoreRef)> {
        let block = self.store.block_wherever(user, id).await?.ok_or_else(no_block)?;
        Ok((Caller::operator(manager), Surface::new(CONSOLE)?, StoreRef::Id(block.store_id)))
    }

    async fn block_of_record(&self, user: &UserId, id: &str, version: Option<i64>) -> Result<BlockOfRecord> {
        let over = self.blocks.bin_over();
        let is_over = |block: &Block| block.deleted_at.is_some_and(|at| at < over);
        let found = self.store.block_wherever(user, id).await?;
        let block = found.filter(|block| !is_over(block)).ok_or_else(no_block)?;
        let store = StoreRef::Id(block.store_id.clone());
        let store = self.store.block_store(user, &store).await?.ok_or_else(no_store)?;
        let filter = VersionFilter { block_id: Some(block.id.clone()), ..VersionFilter::default() };
        let page = VersionPage { after: None, limit: VERSIONS_KEPT, texts: false };
        let versions = self.store.block_versions(user, &store.id, &filter, &page).await?;
        let text = match (&block.content, versions.get(1)) {
            (Some(text), _) => Some(text.clone()),
            (None, Some(last)) => self.text_of_version(user, last).await?,
            (None, None) => None,
        };
        let compared = match pair(&versions, version) {
            Some((from, to)) => {
                let old = match from {
                    Some(from) => self.text_of_version(user, from).await?.unwrap_or_default(),
                    None => String::new(),
                };
                let new = self.text_of_version(user, to).await?.unwrap_or_default();
                let from = from.map_or(0, |from| from.version);
                Some(Differences { from, to: to.version, unified: unified(old, new).await? })
            }
            None => None,
        };
        Ok(BlockOfRecord { store, block, text, versions, compared, bin_days: self.settings.get().blocks_bin_days })
    }

    async fn text_of_version(&self, user: &UserId, version: &BlockVersion) -> Result<Option<String>> {
        Ok(self.store.block_version(user, &version.store_id, &version.id).await?.and_then(|found| found.content))
    }
}

/// Returns a version with a text, after the last earlier one that has a text. Without `wanted` it is the newest that has an
/// earlier one.
fn pair(versions: &[BlockVersion], wanted: Option<i64>) -> Option<(Option<&BlockVersion>, &BlockVersion)> {
    let mut with_text = versions.iter().filter(|version| version.bytes.is_some());
    let Some(wanted) = wanted else {
        let to = with_text.next()?;
        return Some((Some(with_text.next()?), to));
    };
    let to = with_text.find(|version| version.version == wanted)?;
    Some((with_text.next(), to))
}
