//! A user's memory blocks in the opened record: the tree of their paths, and one block with its history.
//!
//! Paths and labels are shown, because an operator must find a block; these types contain its text, description and tags only if
//! a post asked to show them.

use serde::{Deserialize, Serialize};

use crate::users::shapes::{Head, in_url, record_path};
use domain::problem::Problem;

/// Fill level of something that has a limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fullness {
    /// `1,204 of 5,000 characters`
    pub words: String,
    pub percent: u64,
    /// At least 80 percent.
    pub near: bool,
}

/// A block in the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Leaf {
    pub id: String,
    /// The last part of its path.
    pub name: String,
    pub fullness: Fullness,
    pub pinned: bool,
    pub read_only: bool,
    /// Its kind, scope and source, where it has them.
    pub labels: Vec<String>,
    /// `2 days`; `None`: it was never read.
    pub read: Option<String>,
    pub updated: String,
}

/// A folder with what is in it, or a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Node {
    Folder { name: String, nodes: Vec<Node> },
    Block(Leaf),
}

/// A block in the bin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Binned {
    pub id: String,
    pub path: String,
    pub version: i64,
    /// `2 days`
    pub deleted: String,
    /// Date of permanent deletion: `21 Nov 2025`.
    pub until: String,
}

/// A store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoreTree {
    pub id: String,
    /// `None`: the default store.
    pub name: Option<String>,
    pub archived: bool,
    pub nodes: Vec<Node>,
    /// The last block of this page, if there are more.
    pub next: Option<String>,
    pub bin: Vec<Binned>,
}

/// A block that needs attention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    pub id: String,
    pub path: String,
    pub words: String,
}

/// Blocks that need attention, and their total number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LookAts {
    pub all: u64,
    pub first: Vec<LookAt>,
}

/// Health of the blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// Limited resources, and their fill level.
    pub limits: Vec<(String, Fullness)>,
    pub full: LookAts,
    pub unread: LookAts,
    /// Reasons for refused writes in the last `refused_days`, and their number.
    pub refused: Vec<(String, u64)>,
    /// Days without a read after which a block counts as unread.
    pub unread_days: i64,
    pub refused_days: i64,
}

/// Result of a post.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum BlockOutcome {
    /// A former version is current again.
    Restored {
        version: i64,
    },
    Redacted,
    Binned,
    /// Restored from the bin.
    BroughtBack,
    Deleted,
    Refused(Problem),
}

/// The page of a record with its blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlocksPage {
    pub head: Head,
    pub stores: Vec<StoreTree>,
    pub health: Health,
    pub bin_days: u32,
    /// All blocks in the bin; those of a store are listed up to a limit.
    pub binned: u64,
    pub outcome: Option<BlockOutcome>,
}

/// A version of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockPast {
    pub id: String,
    pub version: i64,
    /// `created`, `modified`, `deleted` or `restored`
    pub how: String,
    /// `21 Nov 2025, 14:02 UTC`
    pub at: String,
    /// `Key key_… · web`
    pub by: String,
    /// `1.2 KiB`; `None`: it has no text.
    pub size: Option<String>,
    pub redacted: Option<String>,
    pub is_current: bool,
}

/// Kind of a line in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineKind {
    Added,
    Removed,
    Same,
    /// Position of the next lines in the text.
    Place,
}

/// Two versions compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionComparison {
    /// 0: there was no text.
    pub from: i64,
    pub to: i64,
    pub added: usize,
    pub removed: usize,
    /// Only with the text.
    pub lines: Option<Vec<(LineKind, String)>>,
}

/// One block with its history.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about the block")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OneBlock {
    pub head: Head,
    pub id: String,
    pub path: String,
    /// The name of its store, unless it is the default one, and the id.
    pub store: (Option<String>, String),
    pub archived: bool,
    pub version: i64,
    pub fullness: Fullness,
    pub pinned: bool,
    pub read_only: bool,
    pub labels: Vec<String>,
    pub read: Option<String>,
    pub updated: String,
    /// Length of the mask; `None`: there is no text that could be shown.
    pub mask: Option<u8>,
    pub text: Option<String>,
    /// Length of the mask of the description, and the description; `None`: there is none.
    pub description: Option<(u8, Option<String>)>,
    pub tag_count: usize,
    pub tags: Option<Vec<String>>,
    /// Date of permanent deletion, if it is in the bin.
    pub binned_until: Option<String>,
    pub bin_days: u32,
    /// Newest first.
    pub past: Vec<BlockPast>,
    pub compared: Option<VersionComparison>,
    pub outcome: Option<BlockOutcome>,
    /// The text is shown.
    pub shown: bool,
}

/// The path of a user's blocks.
#[must_use]
pub fn blocks_path(user: &str) -> String {
    format!("{}/blocks", record_path(user))
}

/// The path of one of a user's blocks.
#[must_use]
pub fn block_path(user: &str, id: &str) -> String {
    format!("{}/{}", blocks_path(user), in_url(id))
}
