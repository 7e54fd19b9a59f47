//! Adds and changes blocks.
//!
//! The guards check a text before the transaction, because that takes time. The transaction then writes only if the block has not
//! changed; otherwise everything is done again on its new state. Writers of one process wait for each other, so that this is
//! rare.

use super::guard::refuse_loss;
use super::stores::for_writing;
use super::{
    Author, Basis, Block, BlockChange, BlockChangeResult, BlockRef, BlockText, Hand, Logged, NewBlock, StoreRef, TRIES,
    TextChange, after, no_block, no_store, too_busy,
};
use crate::Result;
use crate::blocks::Blocks;
use crate::erasure::epoch::Fence;
use crate::transactions::atomically;
use access::callers::Scope;
use access::digest::sha256_hex;
use domain::blocks::limits::{PINNED, USER_BYTES, blocks_of};
use domain::blocks::{BlockFields, BlockPath, Operation, edited};
use domain::erasure::people::UserId;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::store::WriteTx;
use ports::store::blocks::NewHead;

/// A text with its SHA-256.
pub(super) fn with_hash(content: String) -> BlockText {
    BlockText { sha256: sha256_hex(content.as_bytes()), content }
}

/// Next state of a block, before it is checked and written.
pub(super) struct Next {
    pub path: BlockPath,
    pub content: String,
    pub fields: BlockFields,
}

/// Effect of a change on the current block.
enum WriteOutcome {
    Next(Box<Next>),
    Same,
    Stale,
}

fn judged(current: &Block, basis: &Basis, change: &BlockChange) -> std::result::Result<WriteOutcome, Problem> {
    let old = current.content.as_deref().unwrap_or_default();
    let own_path = BlockPath::new(current.path.clone())?;
    let path = change.path.clone().unwrap_or(own_path);
    let fields = current.fields.changed(&change.fields);
    let stays = path.as_str() == current.path && fields == current.fields;
    let content = match &change.text {
        TextChange::Keep if stays => return Ok(WriteOutcome::Same),
        TextChange::Whole(text) if stays && text.0 == old => return Ok(WriteOutcome::Same),
        _ if !basis.holds_for(current) => return Ok(WriteOutcome::Stale),
        TextChange::Keep => old.to_owned(),
        TextChange::Whole(text) => text.0.clone(),
        TextChange::Edit(edit) => edited(old, edit)?,
    };
    if stays && content == old {
        return Ok(WriteOutcome::Same);
    }
    if current.fields.read_only && fields.read_only && (content != old || path.as_str() != current.path) {
        return Err(Problem::ReadOnly);
    }
    fields.check(&content)?;
    if !change.allow_shrink {
        refuse_loss(old, &content)?;
    }
    Ok(WriteOutcome::Next(Box::new(Next { path, content, fields })))
}

/// Refuses a write beyond the limits: the number and bytes of the user's blocks, and the pinned ones. An archived store accepts
/// no write.
pub(super) async fn check_room(
    tx: &mut dyn WriteTx,
    user: &UserId,
    store_id: &str,
    before: Option<&Block>,
    bytes: usize,
    pinned: bool,
) -> Result<()> {
    let totals = tx.block_totals(user, store_id).await?.ok_or_else(no_store)?;
    if totals.is_archived {
        return Err(Problem::Archived.into());
    }
    // A block in the bin does not count.
    let before = before.filter(|block| block.deleted_at.is_none());
    if before.is_none() {
        blocks_of(user).check(totals.blocks + 1)?;
    }
    let own = before.map_or(0, |block| block.bytes);
    let bytes = bytes as u64;
    if bytes > own {
        USER_BYTES.check(totals.bytes - own + bytes)?;
    }
    if pinned && !before.is_some_and(|block| block.fields.pinned) {
        PINNED.check(totals.pinned + 1)?;
    }
    Ok(())
}

/// Refuses a path at, above or below that of another block; blocks within `moving` are about to leave.
pub(super) async fn check_way(
    tx: &mut dyn WriteTx,
    user: &UserId,
    store_id: &str,
    path: &BlockPath,
    moving: Option<&BlockPath>,
) -> Result<()> {
    match tx.block_in_the_way(user, store_id, path, moving).await? {
        Some((id, path)) => Err(Problem::PathTaken { id, path }.into()),
        None => Ok(()),
    }
}

/// A write that is ready for its transaction.
pub(super) struct ReadyWrite<'a> {
    pub hand: &'a Hand<'a>,
    pub fence: &'a Fence,
    pub now: Moment,
    /// Audit entry, if an operator writes.
    pub logged: Option<Logged<'a>>,
}

impl ReadyWrite<'_> {
    /// Logs the write, if an operator made it.
    pub(super) async fn log(&self, tx: &mut dyn WriteTx) -> Result<()> {
        match self.logged {
            Some(logged) => logged.write(tx, self.now).await,
            None => Ok(()),
        }
    }
}

impl Blocks {
    /// Adds a block. A path that is taken, or lies above or below one that is, is refused.
    pub async fn add_block(&self, hand: &Hand<'_>, store: &StoreRef, new: NewBlock) -> Result<Block> {
        let added = self.added(hand, store, new).await;
        self.counting_refusals(hand.user, added).await
    }

    async fn added(&self, hand: &Hand<'_>, store: &StoreRef, new: NewBlock) -> Result<Block> {
        hand.caller.needs(Scope::Write)?;
        let id = self.clock.id("mem");
        let next = self.first_of(&id, new).await?;
        let (fence, now) = (self.epochs.fence(hand.user).await?, self.clock.now());
        atomically!(self.store.as_ref(), [ready = ReadyWrite { hand, fence: &fence, now, logged: None }, id, next], |tx| {
            self.insert(tx, &ready, store, id, next).await
        })
        .await
    }

    /// Returns the first state of a new block, checked by the guards.
    pub(super) async fn first_of(&self, id: &str, new: NewBlock) -> Result<Next> {
        let path = new.path.map_or_else(|| BlockPath::new(format!("/{id}")), Ok)?;
        new.fields.check(&new.content)?;
        if !new.allow_shrink {
            refuse_loss("", &new.content)?;
        }
        self.refuse_unsafe_text("", &new.content).await?;
        self.refuse_unsafe_fields(path.as_str(), &new.fields).await?;
        Ok(Next { path, content: new.content, fields: new.fields })
    }

    pub(super) async fn insert(
        &self,
        tx: &mut dyn WriteTx,
        ready: &ReadyWrite<'_>,
        store: &StoreRef,
        id: &str,
        next: &Next,
    ) -> Result<Block> {
        let ReadyWrite { hand, fence, now, .. } = ready;
        fence.holds(tx).await?;
        let store = for_writing(tx, self.clock.as_ref(), hand.user, store, *now).await?;
        check_room(tx, hand.user, &store.id, None, next.content.len(), next.fields.pinned).await?;
        check_way(tx, hand.user, &store.id, &next.path, None).await?;
        let head = self.head(Operation::Created, next, hand.author(), *now);
        tx.insert_block(hand.user, &store.id, id, &head).await?;
        let none = Block {
            id: id.to_owned(),
            store_id: store.id,
            path: String::new(),
            content: None,
            sha256: String::new(),
            bytes: 0,
            chars: 0,
            version: 0,
            version_id: String::new(),
            operation: Operation::Created,
            by: hand.author(),
            fields: BlockFields::default(),
            created_at: *now,
            updated_at: *now,
            last_read_at: None,
            deleted_at: None,
        };
        Ok(after(&none, &head))
    }

    pub(super) fn head(&self, operation: Operation, next: &Next, by: Author, at: Moment) -> NewHead {
        NewHead {
            version_id: self.clock.id("memver"),
            operation,
            path: next.path.clone(),
            text: Some(with_hash(next.content.clone())),
            fields: next.fields.clone(),
            at,
            by,
        }
    }

    /// Changes the text, path or fields of a block. A change based on a former state changes nothing; one based on the newest
    /// state is repeated until it is written, up to a limit.
    pub async fn change_block(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        block: &BlockRef,
        basis: &Basis,
        change: &BlockChange,
    ) -> Result<BlockChangeResult> {
        self.change_and_log(hand, store, block, basis, change, None).await
    }

    /// Like [`Self::change_block`], and logs it in the same transaction.
    pub(super) async fn change_and_log(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        block: &BlockRef,
        basis: &Basis,
        change: &BlockChange,
        logged: Option<Logged<'_>>,
    ) -> Result<BlockChangeResult> {
        let changed = self.changed(hand, store, block, basis, change, logged).await;
        self.counting_refusals(hand.user, changed).await
    }

    async fn changed(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        block: &BlockRef,
        basis: &Basis,
        change: &BlockChange,
        logged: Option<Logged<'_>>,
    ) -> Result<BlockChangeResult> {
        hand.caller.needs(Scope::Write)?;
        let fence = self.epochs.fence(hand.user).await?;
        let _turn = match basis {
            Basis::Newest => Some(self.turns.of(hand.user).await),
            // Only one of these writers wins anyway.
            Basis::Versions(_) | Basis::Sha256(_) => None,
        };
        for _ in 0..TRIES {
            let current = self.current(hand.user, store, block).await?;
            let next = match judged(&current, basis, change)? {
                WriteOutcome::Same => return Ok(BlockChangeResult::Same(current)),
                WriteOutcome::Stale => return Ok(BlockChangeResult::Stale(current)),
                WriteOutcome::Next(next) => next,
            };
            self.refuse_unsafe_text(current.content.as_deref().unwrap_or_default(), &next.content).await?;
            if next.fields != current.fields || next.path.as_str() != current.path {
                self.refuse_unsafe_fields(next.path.as_str(), &next.fields).await?;
            }
            let now = self.clock.now();
            let written = atomically!(
                self.store.as_ref(),
                [ready = ReadyWrite { hand, fence: &fence, now, logged }, current, next],
                |tx| { self.replace(tx, &ready, current, next).await }
            )
            .await?;
            if let Some(block) = written {
                return Ok(BlockChangeResult::Written(block));
            }
        }
        Err(too_busy())
    }

    /// Writes the next state of a block, if it still is `current`. `None`: it has changed.
    pub(super) async fn replace(
        &self,
        tx: &mut dyn WriteTx,
        ready: &ReadyWrite<'_>,
        current: &Block,
        next: &Next,
    ) -> Result<Option<Block>> {
        let ReadyWrite { hand, fence, now, .. } = ready;
        fence.holds(tx).await?;
        check_room(tx, hand.user, &current.store_id, Some(current), next.content.len(), next.fields.pinned).await?;
        if next.path.as_str() != current.path {
            let own = BlockPath::new(current.path.clone())?;
            check_way(tx, hand.user, &current.store_id, &next.path, Some(&own)).await?;
        }
        let head = self.head(Operation::Modified, next, hand.author(), *now);
        let changed = tx.change_block(hand.user, &current.id, current.version, &head).await?;
        if !changed {
            return Ok(None);
        }
        ready.log(tx).await?;
        Ok(Some(after(current, &head)))
    }

    /// Returns the current state of a block, with its text.
    pub(super) async fn current(&self, user: &UserId, store: &StoreRef, block: &BlockRef) -> Result<Block> {
        let store = self.store.block_store(user, store).await?.ok_or_else(no_store)?;
        self.store.block(user, Some(&store.id), block).await?.ok_or_else(no_block)
    }
}
