//! Reads blocks: one, lists, and what a search finds. What is in the bin is in none of them.

use super::{Block, BlockFilter, BlockPage, BlockRef, StoreRef, no_block, no_store};
use crate::access::callers::{Caller, Scope};
use crate::domain::block::limits::WORDS_MAX;
use crate::domain::people::UserId;
use crate::ports::store::if_free;
use crate::service::error::chain;
use crate::service::{Error, Keepsake, Result};

impl Keepsake {
    /// One block with its text. Another user's is reported as unknown, and so is one in the bin.
    pub async fn block(&self, caller: &Caller, user: &UserId, store: &StoreRef, block: &BlockRef) -> Result<Block> {
        caller.needs(Scope::Read)?;
        let found = self.current(user, store, block).await?;
        self.note_read_later(user, &found);
        Ok(found)
    }

    /// The same, of whichever store it is in.
    pub async fn block_anywhere(&self, caller: &Caller, user: &UserId, id: &str) -> Result<Block> {
        caller.needs(Scope::Read)?;
        let found = self.store.block(user, None, &BlockRef::Id(id.to_owned())).await?.ok_or_else(no_block)?;
        self.note_read_later(user, &found);
        Ok(found)
    }

    /// Blocks of a store. The default store, and one that is named, may not be there yet: then there are none.
    pub async fn blocks(
        &self,
        caller: &Caller,
        user: &UserId,
        store: &StoreRef,
        filter: &BlockFilter,
        page: &BlockPage,
    ) -> Result<Vec<Block>> {
        caller.needs(Scope::Read)?;
        match self.within(user, store, filter).await? {
            Some(filter) => Ok(self.store.blocks(user, &filter, page).await?),
            None => Ok(Vec::new()),
        }
    }

    /// Blocks that contain all of these words, or any of them if none contains all; the most relevant first, with their texts. Words
    /// are words, whatever characters are around them; a query without any finds nothing.
    pub async fn search_blocks(
        &self,
        caller: &Caller,
        user: &UserId,
        store: &StoreRef,
        query: &str,
        filter: &BlockFilter,
        limit: u32,
    ) -> Result<Vec<Block>> {
        caller.needs(Scope::Read)?;
        let words: Vec<String> = query
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .take(WORDS_MAX)
            .map(str::to_owned)
            .collect();
        match self.within(user, store, filter).await? {
            Some(filter) => Ok(self.store.search_blocks(user, &filter, &words, limit).await?),
            None => Ok(Vec::new()),
        }
    }

    /// The filter for one store. `None`: it will be made by the first write.
    async fn within(&self, user: &UserId, store: &StoreRef, filter: &BlockFilter) -> Result<Option<BlockFilter>> {
        match (self.store.block_store(user, store).await?, store) {
            (Some(known), _) => Ok(Some(BlockFilter { store_id: Some(known.id), ..filter.clone() })),
            (None, StoreRef::Id(_)) => Err(no_store()),
            (None, StoreRef::Default | StoreRef::Named(_)) => Ok(None),
        }
    }

    /// Notes once a day that a block was read, after the answer and without keeping anybody waiting.
    fn note_read_later(&self, user: &UserId, block: &Block) {
        let now = self.clock.now();
        if block.last_read_at.is_some_and(|last| last.day() == now.day()) {
            return;
        }
        let (keepsake, user, ids) = (self.clone(), user.clone(), vec![block.id.clone()]);
        tokio::spawn(async move {
            let noted = if_free::<_, Error, _>(keepsake.store.as_ref(), |tx| {
                let (user, ids) = (&user, &ids);
                Box::pin(async move { Ok(tx.note_blocks_read(user, ids, now).await?) })
            });
            if let Err(error) = noted.await {
                tracing::debug!(cause = chain(&error), "a read of a block was not noted");
            }
        });
    }
}
