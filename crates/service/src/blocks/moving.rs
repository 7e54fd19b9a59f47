//! Moves a block, or everything below a path, to another path.

use super::stores::for_writing;
use super::writing::{Next, ReadyWrite, check_way};
use super::{Hand, StoreRef, no_block};
use crate::Result;
use crate::blocks::Blocks;
use crate::transactions::atomically;
use access::callers::Scope;
use domain::blocks::{BlockPath, Operation};
use domain::problem::{Field, Problem};

impl Blocks {
    /// Moves the block at `from`, or everything below it, to `to`, in one transaction. Returns how many blocks moved; if there is
    /// none, it is reported as unknown. A path that is taken is refused.
    pub async fn move_blocks(&self, hand: &Hand<'_>, store: &StoreRef, from: &BlockPath, to: &BlockPath) -> Result<u64> {
        let moved = self.moved(hand, store, from, to).await;
        self.counting_refusals(hand.user, moved).await
    }

    async fn moved(&self, hand: &Hand<'_>, store: &StoreRef, from: &BlockPath, to: &BlockPath) -> Result<u64> {
        hand.caller.needs(Scope::Write)?;
        if to.is_within(from) {
            return Err(Problem::invalid(Field::Path, "must not be the same path, or lie below the one that moves").into());
        }
        self.refuse_unsafe_labels(vec![to.as_str().to_owned()]).await?;
        let store = self.store.block_store(hand.user, store).await?.ok_or_else(no_block)?;
        let (fence, now) = (self.epochs.fence(hand.user).await?, self.clock.now());
        atomically!(self.store.as_ref(), [ready = ReadyWrite { hand, fence: &fence, now, logged: None }, store], |tx| {
            ready.fence.holds(tx).await?;
            for_writing(tx, self.clock.as_ref(), hand.user, &StoreRef::Id(store.id.clone()), now).await?;
            let found = tx.known_blocks_within(hand.user, &store.id, from).await?;
            if found.is_empty() {
                return Err(no_block());
            }
            check_way(tx, hand.user, &store.id, to, Some(from)).await?;
            for block in &found {
                if block.fields.read_only {
                    return Err(Problem::ReadOnly.into());
                }
                let next = Next {
                    path: BlockPath::new(block.path.clone())?.moved(from, to)?,
                    content: block.content.clone().unwrap_or_default(),
                    fields: block.fields.clone(),
                };
                let head = self.head(Operation::Modified, &next, hand.author(), now);
                if !tx.change_block(hand.user, &block.id, block.version, &head).await? {
                    return Err(no_block());
                }
            }
            Ok(found.len() as u64)
        })
        .await
    }
}
