//! Deletes blocks: into the bin, from which they can be restored for some days, or for good. The bin is limited too: a block that
//! does not fit is not deleted, and no block leaves the bin early to make room. A block that has been there for the days in the settings
//! is deleted for good, and the traces that it left in files are cleared with those of other deleted rows.

use super::writing::{Next, ReadyWrite, check_room, check_way};
use super::{Basis, Block, BlockRef, Hand, Logged, Removed, StoreRef, after, no_block, no_store};
use crate::Result;
use crate::blocks::Blocks;
use crate::transactions::atomically;
use crate::transactions::in_custody;
use access::callers::{Caller, Scope};
use domain::blocks::limits::BIN_BYTES;
use domain::blocks::{BlockPath, Operation};
use domain::erasure::fingerprint::Needles;
use domain::erasure::people::UserId;
use domain::moment::{DAY_MS, Moment};
use domain::problem::{Field, Problem};
use ports::store::WriteTx;
use ports::store::blocks::NewHead;

/// Blocks deleted in one transaction: other writers get their turn in between.
const AT_ONCE: u32 = 50;

/// Returns the head of a block in the bin.
pub(super) fn binned(version_id: String, block: &Block, ready: &ReadyWrite<'_>) -> Result<NewHead> {
    Ok(NewHead {
        version_id,
        operation: Operation::Deleted,
        path: BlockPath::new(block.path.clone())?,
        text: None,
        fields: block.fields.clone(),
        at: ready.now,
        by: ready.hand.author(),
    })
}

fn refuse_read_only(block: &Block) -> std::result::Result<(), Problem> {
    if block.fields.read_only { Err(Problem::ReadOnly) } else { Ok(()) }
}

impl Blocks {
    /// Deletes a block: into the bin, or for good if `forever` or if the settings keep no bin. `forever` also deletes a block
    /// that is in the bin already.
    pub async fn delete_block(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        block: &BlockRef,
        basis: &Basis,
        forever: bool,
    ) -> Result<Removed> {
        self.delete_and_log(hand, store, block, basis, forever, None).await
    }

    /// Like [`Self::delete_block`], and logs it in the same transaction.
    pub(super) async fn delete_and_log(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        block: &BlockRef,
        basis: &Basis,
        forever: bool,
        logged: Option<Logged<'_>>,
    ) -> Result<Removed> {
        hand.caller.needs(Scope::Write)?;
        let store = self.store.block_store(hand.user, store).await?.ok_or_else(no_store)?;
        if forever || self.settings.get().blocks_bin_days == 0 {
            return self.delete_block_for_good(hand.user, &store.id, block, basis, logged).await;
        }
        let (fence, now, over) = (self.epochs.fence(hand.user).await?, self.clock.now(), self.bin_over());
        atomically!(self.store.as_ref(), [ready = ReadyWrite { hand, fence: &fence, now, logged }, store], |tx| {
            ready.fence.holds(tx).await?;
            let found = tx.known_block(hand.user, Some(&store.id), block).await?.ok_or_else(no_block)?;
            if !basis.holds_for(&found) {
                return Ok(Removed::Stale(found));
            }
            refuse_read_only(&found)?;
            BIN_BYTES.check(tx.binned_bytes(hand.user, over).await? + found.bytes)?;
            self.bin(tx, &ready, &found).await?;
            ready.log(tx).await?;
            Ok(Removed::Gone)
        })
        .await
    }

    async fn bin(&self, tx: &mut dyn WriteTx, ready: &ReadyWrite<'_>, block: &Block) -> Result<()> {
        let head = binned(self.clock.id("memver"), block, ready)?;
        if tx.change_block(ready.hand.user, &block.id, block.version, &head).await? { Ok(()) } else { Err(no_block()) }
    }

    async fn delete_block_for_good(
        &self,
        user: &UserId,
        store_id: &str,
        block: &BlockRef,
        basis: &Basis,
        logged: Option<Logged<'_>>,
    ) -> Result<Removed> {
        let (base, now) = (self.digester.fingerprint_base(), self.clock.now());
        in_custody!(self.custody.as_ref(), |tx| {
            let mut found = tx.known_block(user, Some(store_id), block).await?;
            if let (None, BlockRef::Id(id)) = (&found, block) {
                found = tx.known_binned(user, store_id, id).await?.map(|(block, _)| block);
            }
            let found = found.ok_or_else(no_block)?;
            if !basis.holds_for(&found) {
                return Ok(Removed::Stale(found));
            }
            refuse_read_only(&found)?;
            let mut needles = Needles::default();
            tx.delete_blocks(user, &[found.id], &mut |value| needles.take(base, value)).await?;
            tx.note_remains(&needles.to_bytes()).await?;
            if let Some(logged) = logged {
                logged.write(tx, now).await?;
            }
            Ok(Removed::Gone)
        })
        .await
    }

    /// Deletes the block at this path, or everything below it, in one transaction. Returns how many; if there is none, it is
    /// reported as unknown.
    pub async fn delete_blocks_within(&self, hand: &Hand<'_>, store: &StoreRef, path: &BlockPath, forever: bool) -> Result<u64> {
        hand.caller.needs(Scope::Write)?;
        let store = self.store.block_store(hand.user, store).await?.ok_or_else(no_block)?;
        let for_good = forever || self.settings.get().blocks_bin_days == 0;
        let (fence, now, base) = (self.epochs.fence(hand.user).await?, self.clock.now(), self.digester.fingerprint_base());
        let over = self.bin_over();
        in_custody!(self.custody.as_ref(), [ready = ReadyWrite { hand, fence: &fence, now, logged: None }, store], |tx| {
            ready.fence.holds(tx).await?;
            let found = tx.known_blocks_within(hand.user, &store.id, path).await?;
            if found.is_empty() {
                return Err(no_block());
            }
            found.iter().try_for_each(refuse_read_only)?;
            if for_good {
                let ids: Vec<String> = found.iter().map(|block| block.id.clone()).collect();
                let mut needles = Needles::default();
                tx.delete_blocks(hand.user, &ids, &mut |value| needles.take(base, value)).await?;
                tx.note_remains(&needles.to_bytes()).await?;
            } else {
                let bytes: u64 = found.iter().map(|block| block.bytes).sum();
                BIN_BYTES.check(tx.binned_bytes(hand.user, over).await? + bytes)?;
                for block in &found {
                    self.bin(tx, &ready, block).await?;
                }
            }
            Ok(found.len() as u64)
        })
        .await
    }

    /// Returns the blocks in the bin that can still be restored, the last deleted first.
    pub async fn block_bin(&self, caller: &Caller, user: &UserId, store: &StoreRef, limit: u32) -> Result<Vec<Block>> {
        caller.needs(Scope::Read)?;
        let store = self.store.block_store(user, store).await?.ok_or_else(no_store)?;
        let (mut found, over) = (self.store.block_bin(user, &store.id, limit).await?, self.bin_over());
        found.retain(|block| block.deleted_at.is_some_and(|at| at >= over));
        Ok(found)
    }

    /// Restores a block from the bin with its last text. Its path must be free.
    pub async fn restore_block(&self, hand: &Hand<'_>, store: &StoreRef, id: &str) -> Result<Block> {
        self.restore_and_log(hand, store, id, None).await
    }

    /// Like [`Self::restore_block`], and logs it in the same transaction.
    pub(super) async fn restore_and_log(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        id: &str,
        logged: Option<Logged<'_>>,
    ) -> Result<Block> {
        hand.caller.needs(Scope::Write)?;
        let store = self.store.block_store(hand.user, store).await?.ok_or_else(no_store)?;
        let (fence, now, over) = (self.epochs.fence(hand.user).await?, self.clock.now(), self.bin_over());
        atomically!(self.store.as_ref(), [ready = ReadyWrite { hand, fence: &fence, now, logged }, store], |tx| {
            ready.fence.holds(tx).await?;
            let found = tx.known_binned(hand.user, &store.id, id).await?;
            let (block, text) = found.filter(|(block, _)| block.deleted_at >= Some(over)).ok_or_else(no_block)?;
            let must = "must be that of a block whose last version has a text: it was redacted";
            let text = text.ok_or_else(|| Problem::invalid(Field::Id, must))?;
            let next = Next { path: BlockPath::new(block.path.clone())?, content: text.content, fields: block.fields.clone() };
            check_room(tx, hand.user, &store.id, Some(&block), next.content.len(), next.fields.pinned).await?;
            check_way(tx, hand.user, &store.id, &next.path, None).await?;
            let head = self.head(Operation::Restored, &next, hand.author(), now);
            if tx.change_block(hand.user, &block.id, block.version, &head).await? {
                ready.log(tx).await?;
                Ok(after(&block, &head))
            } else {
                Err(no_block())
            }
        })
        .await
    }

    /// Deletes blocks that have been in a bin for too long. Returns how many.
    pub async fn empty_bins(&self) -> Result<u64> {
        self.empty(None).await
    }

    /// Like [`Self::empty_bins`] for one user, before an export.
    pub(crate) async fn empty_bins_of(&self, user: &UserId) -> Result<u64> {
        self.empty(Some(user)).await
    }

    /// Returns the moment before which a block in the bin has expired.
    pub(super) fn bin_over(&self) -> Moment {
        self.clock.now().plus_ms(-i64::from(self.settings.get().blocks_bin_days) * DAY_MS)
    }

    async fn empty(&self, of: Option<&UserId>) -> Result<u64> {
        let (over, base) = (self.bin_over(), self.digester.fingerprint_base());
        let mut emptied = 0;
        loop {
            let gone = in_custody!(self.custody.as_ref(), |tx| {
                let mut needles = Needles::default();
                let gone = tx.delete_binned(over, of, AT_ONCE, &mut |value| needles.take(base, value)).await?;
                if gone > 0 {
                    tx.note_remains(&needles.to_bytes()).await?;
                }
                Ok(gone)
            })
            .await?;
            emptied += gone;
            if gone < u64::from(AT_ONCE) {
                return Ok(emptied);
            }
        }
    }
}
