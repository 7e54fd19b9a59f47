//! Memory blocks: text that an assistant keeps, rereads and edits, in stores of one user.
//!
//! Every write passes the same guards on every surface: a known secret and a planted instruction are refused, and so is a
//! replacement that seems to lose text. Writes are compare-and-set in one transaction: of two writers that saw the same version,
//! one wins.

mod bin;
mod files;
mod guard;
mod moving;
pub mod pipelines;
mod reading;
mod record;
mod records;
mod stores;
mod versions;
mod writing;

use std::sync::Arc;

use std::hash::{DefaultHasher, Hash, Hasher};

use tokio::sync::{Mutex, MutexGuard};

use super::Error;
use super::audit::Actor;
use super::people::users::RecordChange;
use crate::erasure::epoch::Epochs;
use crate::reading::TextReader;
use crate::settings::current::CurrentSettings;
use access::callers::Caller;
use access::digest::Digester;
use domain::blocks::{BlockFields, BlockPath, Edit, FieldChanges};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::WriteTx;
use ports::store::blocks::NewHead;
use ports::store::custody::Custody;

/// Memory blocks of users, and their stores.
pub struct Blocks {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub settings: CurrentSettings,
    pub epochs: Epochs,
    pub turns: Turns,
}

pub use files::{MemoryTool, MemoryToolReply};
pub use ports::store::blocks::care::{BlockCare, CareLine, CareLines};
pub use ports::store::blocks::{
    Author, Block, BlockFilter, BlockOrder, BlockPage, BlockRef, BlockStore, BlockText, BlockVersion, StoreRef, VersionFilter,
    VersionPage, VersionPlace,
};
pub use reading::Passage;
pub(crate) use reading::RecalledBlocks;
pub use record::{BlockOfRecord, BlocksOfRecord, BlocksPlace, StoreOfRecord, UserBlocks};
pub use records::{Appended, Pipelines};
pub use stores::{NewStore, StoreChanges};
pub use versions::{BlockVersions, Differences};

/// Attempts of a write that is based on the newest text.
const TRIES: u32 = 20;
/// Seconds after which the caller may retry when the attempts are used up.
const RETRY_S: u32 = 1;
/// Number of locks that serialise the writers of one process.
const TURNS: usize = 64;

/// The caller of a write, the user that it is for, and the surface.
#[derive(Clone, Copy)]
pub struct Hand<'a> {
    pub caller: &'a Caller,
    pub user: &'a UserId,
    pub surface: &'a Surface,
}

impl Hand<'_> {
    fn author(&self) -> Author {
        let actor = Actor::from(self.caller);
        Author { kind: actor.kind().to_owned(), id: actor.id().to_owned(), surface: self.surface.as_str().to_owned() }
    }
}

/// Audit entry of an operator's decision on a block: written in the same transaction, without text.
#[derive(Clone, Copy)]
struct Logged<'a> {
    change: &'a RecordChange,
    action: &'static str,
}

impl Logged<'_> {
    async fn write(self, tx: &mut dyn WriteTx, at: Moment) -> super::Result<()> {
        self.change.log(tx, at, self.action, None).await
    }
}

/// A block to add.
#[derive(Debug, Clone, Default)]
pub struct NewBlock {
    /// `None`: `/` and the id of the block.
    pub path: Option<BlockPath>,
    pub content: String,
    pub fields: BlockFields,
    /// Accepts lines that look like placeholders for left-out text.
    pub allow_shrink: bool,
}

/// Change of a text.
#[derive(Debug, Clone, Default)]
pub enum TextChange {
    #[default]
    Keep,
    Whole(WholeText),
    Edit(Edit),
}

/// A whole text. `Debug` does not print it.
#[derive(Clone)]
pub struct WholeText(pub String);

impl std::fmt::Debug for WholeText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WholeText({} bytes)", self.0.len())
    }
}

/// Change of a block; absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct BlockChange {
    pub text: TextChange,
    pub path: Option<BlockPath>,
    pub fields: FieldChanges,
    /// Accepts a text that becomes much shorter, or has a line that looks like a placeholder for left-out text.
    pub allow_shrink: bool,
}

/// State of a block that a change is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// The newest state when the change is made.
    Newest,
    /// One of these versions.
    Versions(Vec<i64>),
    /// A text with this SHA-256.
    Sha256(String),
}

impl Basis {
    fn holds_for(&self, block: &Block) -> bool {
        match self {
            Self::Newest => true,
            Self::Versions(seen) => seen.contains(&block.version),
            Self::Sha256(sha256) => *sha256 == block.sha256,
        }
    }
}

/// Result of a change.
#[derive(Clone)]
pub enum BlockChangeResult {
    Written(Block),
    /// The block already has the requested state. No version was added.
    Same(Block),
    /// The block has another state than the change is based on: this one, with its text. Nothing was changed.
    Stale(Block),
}

impl BlockChangeResult {
    /// Returns the block if the change holds, or else its actual state.
    pub fn done(self) -> std::result::Result<Block, Box<Block>> {
        match self {
            Self::Written(block) | Self::Same(block) => Ok(block),
            Self::Stale(block) => Err(Box::new(block)),
        }
    }
}

/// Result of a deletion.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "it is matched where it is made, and never kept")]
pub enum Removed {
    Gone,
    /// As [`BlockChangeResult::Stale`].
    Stale(Block),
}

/// Serialises the writers of one process: those that change the newest text wait for each other instead of retrying.
#[derive(Clone)]
pub struct Turns(Arc<[Mutex<()>; TURNS]>);

impl Default for Turns {
    fn default() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Mutex::new(()))))
    }
}

impl Turns {
    /// Waits for the lock on writes of this user's blocks.
    async fn of(&self, user: &UserId) -> MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        user.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % TURNS as u64).unwrap_or_default();
        self.0[place].lock().await
    }
}

fn no_block() -> Error {
    Problem::not_found("block").into()
}

fn no_store() -> Error {
    Problem::not_found("store").into()
}

/// Error of a write that lost to other writers too often.
fn too_busy() -> Error {
    Problem::Busy { retry_after_s: RETRY_S }.into()
}

/// Returns the block with this new head.
fn after(block: &Block, head: &NewHead) -> Block {
    Block {
        path: head.path.as_str().to_owned(),
        content: head.text.as_ref().map(|text| text.content.clone()),
        sha256: head.text.as_ref().map(|text| text.sha256.clone()).unwrap_or_default(),
        bytes: head.text.as_ref().map_or(0, |text| text.content.len() as u64),
        chars: head.text.as_ref().map_or(0, |text| text.content.chars().count() as u64),
        version: block.version + 1,
        version_id: head.version_id.clone(),
        operation: head.operation,
        by: head.by.clone(),
        fields: head.fields.clone(),
        updated_at: head.at,
        deleted_at: head.text.is_none().then_some(head.at),
        ..block.clone()
    }
}
