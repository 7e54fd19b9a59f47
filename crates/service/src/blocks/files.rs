//! The memory tool: blocks of the default store as files under `/memories`. Its replies are the sentences of
//! `domain::memory_tool`; errors that a model can fix are replies too.

use std::sync::Arc;

use super::{
    Basis, Block, BlockChange, BlockChangeResult, BlockFilter, BlockOrder, BlockPage, BlockRef, Hand, NewBlock, StoreRef, TRIES,
    TextChange, WholeText, too_busy,
};
use crate::blocks::Blocks;
use crate::blocks::Turns;
use crate::{Error, Result};
use access::callers::Scope;
use domain::blocks::BlockPath;
use domain::blocks::limits::blocks_of;
use domain::blocks::memory_tool::{MemoryToolCommand, PathPlace, file, folder, inserted, place, replaced, shown};
use domain::problem::Problem;
use ports::store::Store;

/// Reply of the tool to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryToolReply {
    pub content: String,
    pub is_error: bool,
}

/// Reason why a command was not carried out.
enum CommandFailure {
    /// A reply of the tool.
    Said(String),
    Failed(Error),
}

impl<E: Into<Error>> From<E> for CommandFailure {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

type Said = std::result::Result<String, CommandFailure>;

fn said(text: impl Into<String>) -> CommandFailure {
    CommandFailure::Said(text.into())
}

fn not_there(path: &str) -> CommandFailure {
    said(format!("The path {path} does not exist. Please provide a valid path."))
}

/// Describes a problem for a model; `None`: the host must deal with it, because another call would not help.
fn words(problem: &Problem) -> Option<String> {
    let may_mend = matches!(problem.status(), 404 | 409 | 422) && problem.retry_after_s().is_none();
    may_mend.then(|| match problem {
        Problem::Refused { lines, .. } if !lines.is_empty() => {
            let lines: Vec<String> = lines.iter().map(|at| format!("line {}: {}", at.line, at.rule)).collect();
            format!("{problem} ({})", lines.join(", "))
        }
        Problem::Refused { rules, .. } => format!("{problem} ({})", rules.join(", ")),
        _ => problem.to_string(),
    })
}

/// The memory tool, whose files are memory blocks.
pub struct MemoryTool {
    pub store: Arc<dyn Store>,
    pub turns: Turns,
    pub blocks: Arc<Blocks>,
}

impl MemoryTool {
    /// Carries out one command. `allow_shrink` as for other changes of blocks.
    pub async fn memory_tool(&self, hand: &Hand<'_>, command: &MemoryToolCommand, allow_shrink: bool) -> Result<MemoryToolReply> {
        let done = match command {
            MemoryToolCommand::View { path, view_range } => {
                self.view_file(hand, path, view_range.as_ref().map(|lines| lines.0.as_slice())).await
            }
            MemoryToolCommand::Create { path, file_text } => self.create_file(hand, path, file_text, allow_shrink).await,
            MemoryToolCommand::StrReplace { path, old_str, new_str } => {
                self.edit_file(hand, path, allow_shrink, |content| replaced(path, content, old_str, new_str)).await
            }
            MemoryToolCommand::Insert { path, insert_line, insert_text } => {
                let insert = |content: &str| {
                    Ok((inserted(content, insert_line.0, insert_text)?, format!("The file {path} has been edited.")))
                };
                self.edit_file(hand, path, allow_shrink, insert).await
            }
            MemoryToolCommand::Delete { path } => self.delete_file(hand, path).await,
            MemoryToolCommand::Rename { old_path, new_path } => self.rename_file(hand, old_path, new_path).await,
        };
        match done {
            Ok(content) => Ok(MemoryToolReply { content, is_error: false }),
            Err(CommandFailure::Said(content)) => Ok(MemoryToolReply { content, is_error: true }),
            Err(CommandFailure::Failed(Error::Refused(problem))) => match words(&problem) {
                Some(content) => Ok(MemoryToolReply { content, is_error: true }),
                None => Err(problem.into()),
            },
            Err(CommandFailure::Failed(error)) => Err(error),
        }
    }

    /// Returns the file at a path; `None`: there is none.
    async fn file_at(&self, hand: &Hand<'_>, path: &BlockPath) -> Result<Option<Block>> {
        match self.blocks.current(hand.user, &StoreRef::Default, &BlockRef::Path(path.clone())).await {
            Ok(block) => Ok(Some(block)),
            Err(Error::Refused(Problem::NotFound { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the paths below a folder with their sizes in bytes, ordered by path.
    async fn files_below(&self, hand: &Hand<'_>, below: Option<&BlockPath>, limit: u32) -> Result<Vec<(String, u64)>> {
        let filter = BlockFilter { below: below.cloned(), ..BlockFilter::default() };
        let page = BlockPage { order: BlockOrder::Path { after: None }, limit, texts: false };
        let start = below.map_or(1, |path| path.folder().len());
        let files = match self.store.block_store(hand.user, &StoreRef::Default).await? {
            Some(store) => self.store.blocks(hand.user, &BlockFilter { store_id: Some(store.id), ..filter }, &page).await?,
            None => Vec::new(),
        };
        Ok(files.into_iter().map(|block| (block.path[start..].to_owned(), block.bytes)).collect())
    }

    async fn is_folder(&self, hand: &Hand<'_>, path: &BlockPath) -> Result<bool> {
        Ok(!self.files_below(hand, Some(path), 1).await?.is_empty())
    }

    async fn view_file(&self, hand: &Hand<'_>, path: &str, range: Option<&[i64]>) -> Said {
        hand.caller.needs(Scope::Read)?;
        if range.is_some_and(|range| range.len() != 2) {
            return Err(said("Invalid `view_range`: it must be two whole numbers, the first and the last line; -1: to the end"));
        }
        let below = match place(path).map_err(said)? {
            PathPlace::Root => None,
            PathPlace::At(at) => {
                if self.file_at(hand, &at).await?.is_some() {
                    // Read like any block, so that the day of the read is noted.
                    let block = self.blocks.block(hand.caller, hand.user, &StoreRef::Default, &BlockRef::Path(at)).await?;
                    return Ok(file(path, block.content.as_deref().unwrap_or_default(), range));
                }
                Some(at)
            }
        };
        let all = u32::try_from(blocks_of(hand.user).max).unwrap_or(u32::MAX);
        let files = self.files_below(hand, below.as_ref(), all).await?;
        if files.is_empty() && below.is_some() {
            return Err(not_there(path));
        }
        Ok(folder(path, &files))
    }

    async fn create_file(&self, hand: &Hand<'_>, path: &str, text: &str, allow_shrink: bool) -> Said {
        hand.caller.needs(Scope::Write)?;
        let taken = || said(format!("File {path} already exists"));
        let PathPlace::At(at) = place(path).map_err(said)? else { return Err(taken()) };
        let new = NewBlock { path: Some(at.clone()), content: text.to_owned(), allow_shrink, ..NewBlock::default() };
        match self.blocks.add_block(hand, &StoreRef::Default, new).await {
            Ok(_) => Ok(format!("File created successfully at: {path}")),
            Err(Error::Refused(Problem::PathTaken { path: own, .. })) if is_above(&own, &at) => Err(under_a_file(path, &own)),
            Err(Error::Refused(Problem::PathTaken { .. })) => Err(taken()),
            Err(error) => Err(error.into()),
        }
    }

    /// Applies `edit` to the newest text, and again if another writer came first.
    async fn edit_file(
        &self,
        hand: &Hand<'_>,
        path: &str,
        allow_shrink: bool,
        edit: impl Fn(&str) -> std::result::Result<(String, String), String>,
    ) -> Said {
        hand.caller.needs(Scope::Write)?;
        let PathPlace::At(at) = place(path).map_err(said)? else { return Err(said(format!("The path {path} is not a file."))) };
        let _turn = self.turns.of(hand.user).await;
        for _ in 0..TRIES {
            let Some(block) = self.file_at(hand, &at).await? else {
                return Err(if self.is_folder(hand, &at).await? {
                    said(format!("The path {path} is not a file."))
                } else {
                    not_there(path)
                });
            };
            let (text, reply) = edit(block.content.as_deref().unwrap_or_default()).map_err(said)?;
            let change = BlockChange { text: TextChange::Whole(WholeText(text)), allow_shrink, ..BlockChange::default() };
            let (own, seen) = (BlockRef::Id(block.id), Basis::Versions(vec![block.version]));
            match self.blocks.change_block(hand, &StoreRef::Default, &own, &seen, &change).await? {
                BlockChangeResult::Written(_) | BlockChangeResult::Same(_) => return Ok(reply),
                BlockChangeResult::Stale(_) => {}
            }
        }
        Err(too_busy().into())
    }

    async fn delete_file(&self, hand: &Hand<'_>, path: &str) -> Said {
        hand.caller.needs(Scope::Write)?;
        let PathPlace::At(at) = place(path).map_err(said)? else {
            return Err(said("Cannot delete the /memories directory itself"));
        };
        match self.blocks.delete_blocks_within(hand, &StoreRef::Default, &at, false).await {
            Ok(_) => Ok(format!("Successfully deleted {path}")),
            Err(Error::Refused(Problem::NotFound { .. })) => Err(said(format!("The path {path} does not exist"))),
            Err(error) => Err(error.into()),
        }
    }

    async fn rename_file(&self, hand: &Hand<'_>, old_path: &str, new_path: &str) -> Said {
        hand.caller.needs(Scope::Write)?;
        let (old, new) = (place(old_path).map_err(said)?, place(new_path).map_err(said)?);
        let PathPlace::At(old) = old else { return Err(said("Cannot rename the /memories directory itself")) };
        let taken = || said(format!("The destination {new_path} already exists"));
        let PathPlace::At(new) = new else { return Err(taken()) };
        if self.file_at(hand, &new).await?.is_some() || self.is_folder(hand, &new).await? {
            return Err(taken());
        }
        if self.file_at(hand, &old).await?.is_none() && !self.is_folder(hand, &old).await? {
            return Err(said(format!("The path {old_path} does not exist")));
        }
        match self.blocks.move_blocks(hand, &StoreRef::Default, &old, &new).await {
            Ok(_) => Ok(format!("Successfully renamed {old_path} to {new_path}")),
            Err(Error::Refused(Problem::NotFound { .. })) => Err(said(format!("The path {old_path} does not exist"))),
            Err(Error::Refused(Problem::PathTaken { path: own, .. })) if is_above(&own, &new) => {
                Err(under_a_file(new_path, &own))
            }
            Err(Error::Refused(Problem::PathTaken { .. })) => Err(taken()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether `own` is the path of a folder above `path`.
fn is_above(own: &str, path: &BlockPath) -> bool {
    path.above().iter().any(|above| above == own)
}

fn under_a_file(path: &str, own: &str) -> CommandFailure {
    said(format!("The path {path} cannot be used: {} is a file, not a directory.", shown(own)))
}
