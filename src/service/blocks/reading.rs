//! Reads blocks: single ones, lists and search results. Blocks in the bin are left out.

use super::{Block, BlockFilter, BlockPage, BlockRef, StoreRef, no_block, no_store};
use crate::access::callers::{Caller, Scope};
use crate::domain::blocks::limits::WORDS_MAX;
use crate::domain::erasure::people::UserId;
use crate::domain::recall::asked;
use crate::ports::store::if_free;
use crate::service::error::chain;
use crate::service::{Error, Keepsake, Result};

/// Splits a query into words, at most [`WORDS_MAX`].
pub(super) fn words(query: &str) -> Vec<String> {
    let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(WORDS_MAX).map(str::to_owned).collect()
}

impl Keepsake {
    /// Returns one block with its text. Another user's is reported as unknown, and so is one in the bin.
    pub async fn block(&self, caller: &Caller, user: &UserId, store: &StoreRef, block: &BlockRef) -> Result<Block> {
        caller.needs(Scope::Read)?;
        let found = self.current(user, store, block).await?;
        self.note_blocks_read_later(user, std::slice::from_ref(&found));
        Ok(found)
    }

    /// Like [`Keepsake::block`], in any store of the user.
    pub async fn block_anywhere(&self, caller: &Caller, user: &UserId, id: &str) -> Result<Block> {
        caller.needs(Scope::Read)?;
        let found = self.store.block(user, None, &BlockRef::Id(id.to_owned())).await?.ok_or_else(no_block)?;
        self.note_blocks_read_later(user, std::slice::from_ref(&found));
        Ok(found)
    }

    /// Returns blocks of a store. Empty if the default store, or a named one, does not exist yet.
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

    /// Returns blocks that contain all words of the query, or any of them if none contains all; the most relevant first, with
    /// their texts. Punctuation is ignored; a query without words finds nothing.
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
        asked::check_characters(query)?;
        let words = words(query);
        match self.within(user, store, filter).await? {
            Some(filter) => Ok(self.store.search_blocks(user, &filter, &words, limit).await?),
            None => Ok(Vec::new()),
        }
    }

    /// Updates the search index with what was written since the last call.
    pub async fn index_blocks(&self) -> Result<()> {
        Ok(self.store.index_blocks().await?)
    }

    /// Restricts a filter to one store. `None`: the first write will create it.
    async fn within(&self, user: &UserId, store: &StoreRef, filter: &BlockFilter) -> Result<Option<BlockFilter>> {
        match (self.store.block_store(user, store).await?, store) {
            (Some(known), _) => Ok(Some(BlockFilter { store_id: Some(known.id), ..filter.clone() })),
            (None, StoreRef::Id(_)) => Err(no_store()),
            (None, StoreRef::Default | StoreRef::Named(_)) => Ok(None),
        }
    }

    /// Notes once a day that blocks were read, in the background after the reply.
    pub(in crate::service) fn note_blocks_read_later(&self, user: &UserId, blocks: &[Block]) {
        let now = self.clock.now();
        let is_new = |block: &&Block| block.last_read_at.is_none_or(|last| last.day() != now.day());
        let ids: Vec<String> = blocks.iter().filter(is_new).map(|block| block.id.clone()).collect();
        if ids.is_empty() {
            return;
        }
        let (keepsake, user) = (self.clone(), user.clone());
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
