//! Personal memories. Every method takes the owner first.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::claim::Held;
use crate::domain::memory::{Importance, MemoryKind};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::period::Period;
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

/// Text and vector: the part of a memory that a merge replaces.
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
pub struct MemorySearch<'a> {
    /// The vector of the question.
    pub vector: &'a [f32],
    /// Its words, as [`crate::domain::words::terms`] returns them.
    pub terms: &'a [Term],
    /// The dates that it names, as [`crate::domain::period::dates`] returns them.
    pub dates: &'a [Period],
}

/// Where and when something was said last.
#[derive(Debug, Clone, Copy)]
pub struct LastSaid<'a> {
    pub surface: &'a Surface,
    /// `None`: in any conversation.
    pub thread: Option<&'a str>,
    pub since: Moment,
    pub until: Moment,
    /// A memory of another conversation counts if its text changed since then: most likely in this one.
    pub reworded_since: Moment,
}

/// Why the text of a memory changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeCause {
    Merge,
    /// A program or a person corrected it.
    Correction,
    /// Somebody said in conversation that it changed.
    Change,
}

/// One entry of the merge ledger: the old text and the new one.
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

/// A page of a list: at most `limit` rows after the id `after`.
#[derive(Debug, Clone)]
pub struct Page {
    pub after: Option<String>,
    pub limit: u32,
}

#[async_trait]
pub trait MemoryReads: Send + Sync {
    /// Searches this user's memories: the best `limit` of every leg, by the formulas of `domain::search`. Neighbours in a thread
    /// are in the order in which they were said.
    async fn search_memories(&self, user: &UserId, question: &MemorySearch<'_>, limit: usize) -> Result<Found, StoreError>;

    /// Those of these ids that belong to this user.
    async fn memories_by_id(&self, user: &UserId, ids: &[String]) -> Result<Vec<Memory>, StoreError>;

    /// This user's memories, newest first.
    async fn list_memories(&self, user: &UserId, page: &Page) -> Result<Vec<Memory>, StoreError>;
}

#[async_trait]
pub trait MemoryWrites: Send {
    /// The `limit` memories of this user that are nearest to a query, nearest first; ties by id.
    async fn near_memories(&mut self, user: &UserId, query: &[f32], limit: usize) -> Result<Vec<Held>, StoreError>;

    /// This user's memories that contain a term, as `holds_term` defines it: the `limit` nearest to a query, in the same order.
    async fn memories_holding(&mut self, user: &UserId, term: &str, query: &[f32], limit: usize)
    -> Result<Vec<Held>, StoreError>;

    /// The memory of this user that was saved or changed last, both times included. Its similarity is 1.
    async fn last_said(&mut self, user: &UserId, said: &LastSaid<'_>) -> Result<Option<Held>, StoreError>;

    /// Those of these texts that this user already has as a memory, word for word.
    async fn texts_held(&mut self, user: &UserId, texts: &[String]) -> Result<Vec<String>, StoreError>;

    /// Id and text of every memory of this user, oldest first.
    async fn memory_texts(&mut self, user: &UserId) -> Result<Vec<(String, String)>, StoreError>;

    async fn own_memory(&mut self, user: &UserId, id: &str) -> Result<Option<(Memory, Vector)>, StoreError>;

    async fn insert_memory(&mut self, user: &UserId, memory: &NewMemory) -> Result<(), StoreError>;

    /// Replaces the text of a memory. `false`: this user has no such memory.
    async fn reword_memory(&mut self, user: &UserId, id: &str, wording: &Wording, at: Moment) -> Result<bool, StoreError>;

    async fn delete_memory(&mut self, user: &UserId, id: &str) -> Result<bool, StoreError>;

    async fn record_merge(&mut self, user: &UserId, merge: &MemoryMerge) -> Result<(), StoreError>;

    /// The merge ledger of one memory, newest first.
    async fn merges_of(&mut self, user: &UserId, memory_id: &str) -> Result<Vec<MemoryMerge>, StoreError>;

    async fn forget_merge(&mut self, user: &UserId, merge_id: &str) -> Result<bool, StoreError>;

    /// Counts a recall of each memory; deleted ones are ignored.
    async fn count_memory_recalls(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError>;
}
