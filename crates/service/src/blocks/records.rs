//! Records of a pipeline: blocks that are found by their labels. Appended text goes to an existing record, or to a new one, in
//! one transaction.

use std::sync::Arc;

use super::guard::refuse_loss;
use super::writing::{Next, ReadyWrite};
use super::{Block, BlockFilter, BlockOrder, BlockPage, BlockRef, Hand, NewBlock, StoreRef, TRIES, too_busy};
use crate::blocks::Blocks;
use crate::blocks::Turns;
use crate::erasure::epoch::Epochs;
use crate::settings::current::CurrentSettings;
use crate::transactions::in_custody;
use crate::{Error, Result};
use access::callers::Scope;
use access::digest::Digester;
use domain::blocks::limits::BIN_BYTES;
use domain::blocks::{BlockPath, Edit, edited};
use domain::erasure::fingerprint::Needles;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::custody::Custody;
use ports::store::{WriteTx, atomically};

/// Record that a text was appended to.
#[derive(Clone)]
pub enum Appended {
    To(Block),
    New(Block),
}

impl Appended {
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::To(block) | Self::New(block) => &block.id,
        }
    }
}

/// Memory blocks of pipelines.
pub struct Pipelines {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub settings: CurrentSettings,
    pub epochs: Epochs,
    pub turns: Turns,
    pub blocks: Arc<Blocks>,
}

impl Pipelines {
    /// Appends lines to the block with this id, else to the first block that matches the filter, else adds `new`, whose content
    /// is the text. Finding and writing are one transaction.
    pub async fn append_record(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        id: Option<&str>,
        filter: Option<&BlockFilter>,
        new: NewBlock,
    ) -> Result<Appended> {
        let appended = self.appended(hand, store, id, filter, new).await;
        self.blocks.counting_refusals(hand.user, appended).await
    }

    async fn appended(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        id: Option<&str>,
        filter: Option<&BlockFilter>,
        new: NewBlock,
    ) -> Result<Appended> {
        hand.caller.needs(Scope::Write)?;
        let new_id = self.clock.id("mem");
        let allow_shrink = new.allow_shrink;
        let first = self.blocks.first_of(&new_id, new).await?;
        let fence = self.epochs.fence(hand.user).await?;
        let _turn = self.turns.of(hand.user).await;
        for _ in 0..TRIES {
            let known = self.store.block_store(hand.user, store).await?;
            let store_id = known.as_ref().map(|known| known.id.clone());
            let found = match &store_id {
                Some(store_id) => self.find_record(hand, store_id, id, filter).await?,
                None => None,
            };
            let next = match &found {
                Some(block) => Some(self.longer(block, &first.content, allow_shrink).await?),
                None => None,
            };
            let now = self.clock.now();
            let done = atomically::<_, Error, _>(self.store.as_ref(), |tx| {
                let ready = ReadyWrite { hand, fence: &fence, now, logged: None };
                let (found, next, first, new_id, store_id) =
                    (found.as_ref(), next.as_ref(), &first, &new_id, store_id.as_deref());
                Box::pin(async move {
                    let there = find_in(tx, hand, store_id, id, filter).await?;
                    match (found.zip(next), there) {
                        (Some((found, next)), Some(there)) if there.id == found.id => {
                            Ok(self.blocks.replace(tx, &ready, found, next).await?.map(Appended::To))
                        }
                        (None, None) => Ok(Some(Appended::New(self.blocks.insert(tx, &ready, store, new_id, first).await?))),
                        _ => Ok(None),
                    }
                })
            })
            .await?;
            if let Some(appended) = done {
                return Ok(appended);
            }
        }
        Err(too_busy())
    }

    /// Deletes the blocks that match the filter, for good or into the bin, in one transaction. Returns how many.
    pub async fn delete_records(&self, hand: &Hand<'_>, store: &StoreRef, filter: &BlockFilter, forever: bool) -> Result<u64> {
        hand.caller.needs(Scope::Write)?;
        let Some(known) = self.store.block_store(hand.user, store).await? else { return Ok(0) };
        let filter = BlockFilter { store_id: Some(known.id), ..filter.clone() };
        let for_good = forever || self.settings.get().blocks_bin_days == 0;
        let (fence, now, base) = (self.epochs.fence(hand.user).await?, self.clock.now(), self.digester.fingerprint_base());
        let over = self.blocks.bin_over();
        in_custody!(self.custody.as_ref(), [ready = ReadyWrite { hand, fence: &fence, now, logged: None }, filter], |tx| {
            ready.fence.holds(tx).await?;
            let mut gone = 0;
            let mut binned = tx.binned_bytes(hand.user, over).await?;
            let mut needles = Needles::default();
            while let Some(block) = tx.first_block(hand.user, filter).await? {
                if block.fields.read_only {
                    return Err(Problem::ReadOnly.into());
                }
                if for_good {
                    tx.delete_blocks(hand.user, &[block.id], &mut |value| needles.take(base, value)).await?;
                } else {
                    binned += block.bytes;
                    BIN_BYTES.check(binned)?;
                    let head = super::bin::binned(self.clock.id("memver"), &block, &ready)?;
                    tx.change_block(hand.user, &block.id, block.version, &head).await?;
                }
                gone += 1;
            }
            if !needles.is_empty() {
                tx.note_remains(&needles.to_bytes()).await?;
            }
            Ok(gone)
        })
        .await
    }

    async fn find_record(
        &self,
        hand: &Hand<'_>,
        store_id: &str,
        id: Option<&str>,
        filter: Option<&BlockFilter>,
    ) -> Result<Option<Block>> {
        if let Some(id) = id
            && let Some(found) = self.store.block(hand.user, Some(store_id), &BlockRef::Id(id.to_owned())).await?
        {
            return Ok(Some(found));
        }
        let Some(filter) = filter else { return Ok(None) };
        let filter = BlockFilter { store_id: Some(store_id.to_owned()), ..filter.clone() };
        let page = BlockPage { order: BlockOrder::Written { after: None }, limit: 1, texts: true };
        Ok(self.store.blocks(hand.user, &filter, &page).await?.pop())
    }

    /// Returns a record with these lines appended, checked by the guards.
    async fn longer(&self, block: &Block, text: &str, allow_shrink: bool) -> Result<Next> {
        if block.fields.read_only {
            return Err(Problem::ReadOnly.into());
        }
        let old = block.content.as_deref().unwrap_or_default();
        let content = edited(old, &Edit::Append { text: text.to_owned() })?;
        block.fields.check(&content)?;
        if !allow_shrink {
            refuse_loss(old, &content)?;
        }
        self.blocks.refuse_unsafe_text(old, &content).await?;
        Ok(Next { path: BlockPath::new(block.path.clone())?, content, fields: block.fields.clone() })
    }
}

/// Like [`Pipelines::find_record`], inside the transaction.
async fn find_in(
    tx: &mut dyn WriteTx,
    hand: &Hand<'_>,
    store_id: Option<&str>,
    id: Option<&str>,
    filter: Option<&BlockFilter>,
) -> Result<Option<Block>> {
    let Some(store_id) = store_id else { return Ok(None) };
    if let Some(id) = id
        && let Some(found) = tx.known_block(hand.user, Some(store_id), &BlockRef::Id(id.to_owned())).await?
    {
        return Ok(Some(found));
    }
    let Some(filter) = filter else { return Ok(None) };
    Ok(tx.first_block(hand.user, &BlockFilter { store_id: Some(store_id.to_owned()), ..filter.clone() }).await?)
}
