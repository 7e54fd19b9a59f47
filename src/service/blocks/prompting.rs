//! Memory blocks for a recall: the pinned ones, and passages of others that match the question.

use super::reading::words;
use super::{Block, BlockFilter, BlockOrder, BlockPage};
use crate::domain::blocks::limits::PINNED;
use crate::domain::blocks::pieces;
use crate::domain::erasure::people::UserId;
use crate::domain::recall::prompt::{self, PromptBlock};
use crate::domain::recall::words::{is_stop_word, terms};
use crate::service::{Keepsake, Result};

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
pub(in crate::service) struct RecalledBlocks {
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

impl Keepsake {
    /// Returns a user's pinned blocks and, if `k` is set, the best passages of up to `k` other blocks: one of each, the most
    /// relevant first.
    pub(in crate::service) async fn recalled_blocks(
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
