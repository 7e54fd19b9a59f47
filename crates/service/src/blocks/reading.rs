//! Reads blocks: single ones, lists, search results, and those of a recall. Blocks in the bin are left out.

use super::{Block, BlockFilter, BlockOrder, BlockPage, BlockRef, StoreRef, no_block, no_store};
use crate::Result;
use crate::blocks::Blocks;
use crate::error::chain;
use crate::transactions::if_free;
use access::callers::{Caller, Scope};
use domain::blocks::limits::{PINNED, WORDS_MAX};
use domain::blocks::pieces;
use domain::erasure::people::UserId;
use domain::recall::asked;
use domain::recall::prompt::{self, PromptBlock};
use domain::recall::words::{is_stop_word, terms};

/// Splits a query into words, at most [`WORDS_MAX`].
pub(super) fn words(query: &str) -> Vec<String> {
    let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(WORDS_MAX).map(str::to_owned).collect()
}

/// A part of a block that matches the question.
#[derive(Clone)]
pub struct Passage {
    /// The block, with its whole text.
    pub block: Block,
    pub content: String,
    /// Its first line, counted from 1.
    pub line: u32,
}

/// Memory blocks for a recall.
#[derive(Default)]
pub(crate) struct RecalledBlocks {
    /// For the prompt; empty: nothing.
    pub section: String,
    pub passages: Vec<Passage>,
    /// All blocks that were read.
    pub read: Vec<Block>,
}

fn written<'a>(block: &'a Block, content: &'a str) -> PromptBlock<'a> {
    PromptBlock {
        label: &block.path,
        description: &block.fields.description,
        content,
        chars: block.chars,
        chars_limit: block.fields.chars_max(),
        version: block.version,
    }
}

/// Returns the piece of a block with the most words of the question; on a tie the first.
fn best(block: Block, question: &str) -> Option<Passage> {
    let asked = terms(question);
    let content = block.content.as_deref().unwrap_or_default();
    let score = |piece: &std::ops::Range<usize>| {
        let held = terms(&content[piece.clone()]);
        let mut found: Vec<_> = asked.iter().filter(|term| held.contains(term)).collect();
        found.sort_unstable();
        found.dedup();
        found.len()
    };
    let piece = pieces(content).into_iter().rev().max_by_key(score)?;
    let line = content[..piece.start].matches('\n').count() + 1;
    Some(Passage { content: content[piece].to_owned(), line: u32::try_from(line).unwrap_or(u32::MAX), block })
}

impl Blocks {
    /// Returns one block with its text. Another user's is reported as unknown, and so is one in the bin.
    pub async fn block(&self, caller: &Caller, user: &UserId, store: &StoreRef, block: &BlockRef) -> Result<Block> {
        caller.needs(Scope::Read)?;
        let found = self.current(user, store, block).await?;
        self.note_blocks_read_later(user, std::slice::from_ref(&found));
        Ok(found)
    }

    /// Like [`Self::block`], in any store of the user.
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
    pub(crate) fn note_blocks_read_later(&self, user: &UserId, blocks: &[Block]) {
        let now = self.clock.now();
        let is_new = |block: &&Block| block.last_read_at.is_none_or(|last| last.day() != now.day());
        let ids: Vec<String> = blocks.iter().filter(is_new).map(|block| block.id.clone()).collect();
        if ids.is_empty() {
            return;
        }
        let (store, user) = (self.store.clone(), user.clone());
        tokio::spawn(async move {
            let noted = if_free!(store.as_ref(), [user, ids], |tx| { Ok(tx.note_blocks_read(user, ids, now).await?) });
            if let Err(error) = noted.await {
                tracing::debug!(cause = chain(&error), "a read of a block was not noted");
            }
        });
    }

    /// Returns a user's pinned blocks and, if `k` is set, the best passages of up to `k` other blocks: one of each, the most
    /// relevant first.
    pub(crate) async fn recalled_blocks(
        &self,
        user: &UserId,
        question: &str,
        k: Option<u32>,
        room: u32,
    ) -> Result<RecalledBlocks> {
        let filter = |pinned: bool| BlockFilter { pinned: Some(pinned), ..BlockFilter::default() };
        let limit = u32::try_from(PINNED.max).unwrap_or(u32::MAX);
        let page = BlockPage { order: BlockOrder::Path { after: None }, limit, texts: true };
        let mut read = self.store.blocks(user, &filter(true), &page).await?;
        let mut passages = Vec::new();
        if let Some(k) = k.filter(|k| *k > 0) {
            // Stop words would match every block.
            let telling: Vec<String> = words(question).into_iter().filter(|word| !is_stop_word(word)).collect();
            let found = self.store.search_blocks(user, &filter(false), &telling, k).await?;
            passages.extend(found.into_iter().filter_map(|block| best(block, question)));
        }
        let pinned: Vec<PromptBlock<'_>> =
            read.iter().map(|block| written(block, block.content.as_deref().unwrap_or_default())).collect();
        let parts: Vec<PromptBlock<'_>> = passages.iter().map(|passage| written(&passage.block, &passage.content)).collect();
        let section = prompt::blocks(room, &pinned, &parts);
        read.extend(passages.iter().map(|passage| passage.block.clone()));
        Ok(RecalledBlocks { section, passages, read })
    }
}
