//! Personal memories: every method names the owner first.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::claim::Held;
use crate::domain::memory::{Importance, MemoryKind};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::provenance::Surface;
use crate::domain::search::Found;
use crate::domain::words::Term;
use crate::ports::embedder::Vector;

/// A stored personal memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Memory {
    pub id: String,
    pub kind: MemoryKind,
    pub content: String,
    pub importance: Importance,
    pub surface: String,
    pub thread: Option<String>,
    pub recall_count: i64,
    pub last_recalled_at: Option<Moment>,
    pub created_at: Moment,
    pub updated_at: Moment,
}

/// What is said, with its direction: the part of a memory that a merge replaces.
#[derive(Clone, PartialEq)]
pub struct Wording {
    pub kind: MemoryKind,
    pub content: String,
    pub importance: Importance,
    pub vector: Vector,
}

/// A memory to insert.
#[derive(Clone)]
pub struct NewMemory {
    pub id: String,
    pub wording: Wording,
    pub surface: Surface,
    pub thread: Option<String>,
    pub at: Moment,
}

/// What a search looks for.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Where the question points.
    pub vector: &'a [f32],
    /// Its words, as [`crate::domain::words::terms`] gives them.
    pub terms: &'a [Term],
}

/// Why a memory's words changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeCause {
    Merge,
    /// A program or a person corrected it.
    Correction,
    /// Somebody said in talk that it changed.
    Change,
}

/// One entry of the merge ledger: what was there and what came.
#[derive(Clone, PartialEq)]
pub struct MemoryMerge {
    pub id: String,
    pub memory_id: String,
    pub cause: MergeCause,
    pub similarity: f64,
    pub at: Moment,
    pub before: Wording,
    pub before_updated_at: Moment,
    pub incoming: Wording,
}

/// A page of a list: at most `limit` rows after `after`, an id.
#[derive(Debug, Clone)]
pub struct Page {
    pub after: Option<String>,
    pub limit: u32,
}

#[async_trait]
pub trait MemoryReads: Send + Sync {
    /// What this user's memories hold for a question: the best `limit` of every leg, by the formulas of `domain::search`.
    /// Neighbours in a thread stand in the order in which they were said.
    async fn search_memories(&self, user: &UserId, question: &Question<'_>, limit: usize) -> Result<Found, StoreError>;

    /// Those of these ids that are this user's own.
    async fn memories_by_id(&self, user: &UserId, ids: &[String]) -> Result<Vec<Memory>, StoreError>;

    /// This user's memories by age, newest first.
    async fn list_memories(&self, user: &UserId, page: &Page) -> Result<Vec<Memory>, StoreError>;
}

#[async_trait]
pub trait MemoryWrites: Send {
    /// The `limit` memories of this user that lie nearest to a query, nearest first; equally near ones are ordered by id.
    async fn near_memories(&mut self, user: &UserId, query: &[f32], limit: usize) -> Result<Vec<Held>, StoreError>;

    /// Those of this user's memories that hold a term, as `holds_term` has it: the `limit` nearest to a query, in the same
    /// order.
    async fn memories_holding(&mut self, user: &UserId, term: &str, query: &[f32], limit: usize)
    -> Result<Vec<Held>, StoreError>;

    /// Those of these texts that this user's memories hold word for word.
    async fn texts_held(&mut self, user: &UserId, texts: &[String]) -> Result<Vec<String>, StoreError>;

    async fn own_memory(&mut self, user: &UserId, id: &str) -> Result<Option<(Memory, Vector)>, StoreError>;

    async fn insert_memory(&mut self, user: &UserId, memory: &NewMemory) -> Result<(), StoreError>;

    /// Replaces the words of a memory in place. `false`: this user has no such memory.
    async fn reword_memory(&mut self, user: &UserId, id: &str, wording: &Wording, at: Moment) -> Result<bool, StoreError>;

    async fn delete_memory(&mut self, user: &UserId, id: &str) -> Result<bool, StoreError>;

    async fn record_merge(&mut self, user: &UserId, merge: &MemoryMerge) -> Result<(), StoreError>;

    /// The ledger of one memory, newest first.
    async fn merges_of(&mut self, user: &UserId, memory_id: &str) -> Result<Vec<MemoryMerge>, StoreError>;

    async fn forget_merge(&mut self, user: &UserId, merge_id: &str) -> Result<bool, StoreError>;

    /// Adds one recall to each; rows that are gone stay gone.
    async fn count_memory_recalls(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError>;
}
