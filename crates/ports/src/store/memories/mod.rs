//! Personal memories. Every method takes the owner first.

pub mod vectors;

use std::sync::Arc;

use async_trait::async_trait;

use super::StoreError;
use crate::embedder::Vector;
use crate::store::operate::inbox::SaidAt;
use domain::erasure::fingerprint::Finder;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::claim::NearMemory;
use domain::memory::period::Period;
use domain::memory::tags::{Labels, TagFilter};
use domain::memory::{Importance, MemoryKind};
use domain::moment::Moment;
use domain::recall::search::SearchResult;
use domain::recall::words::Term;

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
    /// When the present statement was made: the last replacement, else the first statement. Repeating it and editing it do not
    /// count.
    pub said_at: Moment,
    pub labels: Labels,
    /// Increases with every change of text or labels, from 1.
    pub version: i64,
    /// When an undo restored this wording, if nothing has changed since.
    pub undone_at: Option<Moment>,
    pub place: Place,
}

impl Memory {
    /// The part that a change replaces; `vector` is the memory's own.
    #[must_use]
    pub fn wording(&self, vector: Vector) -> Wording {
        let (content, labels) = (self.content.clone(), self.labels.clone());
        Wording { kind: self.kind, content, importance: self.importance, vector, labels }
    }
}

/// Text, vector and labels: the part of a memory that a change replaces.
#[derive(Clone, PartialEq)]
pub struct Wording {
    pub kind: MemoryKind,
    pub content: String,
    pub importance: Importance,
    pub vector: Vector,
    pub labels: Labels,
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

/// Parameters of a search.
#[derive(Debug, Clone, Copy)]
pub struct MemorySearch<'a> {
    /// The vector of the question.
    pub vector: &'a [f32],
    /// The words of the question, as [`domain::recall::words::terms`] returns them.
    pub terms: &'a [Term],
    /// The dates in the question, as [`domain::memory::period::dates`] returns them.
    pub dates: &'a [Period],
    /// Finds only memories of these kinds; empty: all. Scores are still relative to all memories.
    pub kinds: &'a [MemoryKind],
    /// Finds only memories with these tags.
    pub tags: &'a TagFilter,
    /// Searches the memories as of this moment: later ones are left out, and those changed since have their former text.
    /// Deletions and undos since then still apply.
    pub as_of: Option<Moment>,
    /// Memories that have expired by now are left out.
    pub now: Moment,
}

impl<'a> MemorySearch<'a> {
    /// Searches all memories as they are now.
    #[must_use]
    pub fn new(vector: &'a [f32], terms: &'a [Term], dates: &'a [Period], now: Moment) -> Self {
        Self { vector, terms, dates, kinds: &[], tags: &ANY_TAGS, as_of: None, now }
    }
}

/// A filter that admits any tags.
static ANY_TAGS: TagFilter = TagFilter { all: Vec::new(), any: Vec::new(), none: Vec::new() };

/// Filter of a list.
#[derive(Debug, Clone)]
pub struct MemoryFilter {
    pub tags: TagFilter,
    /// Memories that have expired by now are left out.
    pub now: Moment,
}

impl MemoryFilter {
    /// Every memory that has not expired now.
    #[must_use]
    pub fn at(now: Moment) -> Self {
        Self { tags: TagFilter::default(), now }
    }
}

/// Selects expired memories.
#[derive(Debug, Clone)]
pub struct Over {
    /// Expires memories whose own expiry is at or before this moment …
    pub now: Moment,
    /// … and memories of these kinds without a change or an undo since this moment. Kinds that are kept for ever are left out.
    pub kept_since: Vec<(MemoryKind, Moment)>,
}

/// Parameters of the search for the last statement.
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
    /// A correction by a program or a person.
    Correction,
    /// A change that was stated in conversation.
    Change,
    /// An edit by a program, a person or an operator.
    Edit,
}

/// One entry of the merge ledger: the old and the incoming wording.
#[derive(Clone, PartialEq)]
pub struct MemoryMerge {
    pub id: String,
    pub memory_id: String,
    pub cause: MergeCause,
    pub similarity: f64,
    pub at: Moment,
    pub before: Wording,
    pub before_updated_at: Moment,
    /// The incoming wording. After a merge, the memory has the labels of both.
    pub incoming: Wording,
}

/// A page of a list: at most `limit` rows after the id `after`, or after another position.
#[derive(Debug, Clone)]
pub struct Page<A = String> {
    pub after: Option<A>,
    pub limit: u32,
}

/// Position of a memory among those of its user, in the order of creation. It stays valid after the memory is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(pub u32);

impl Place {
    /// Parses the form used in cursors.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.0.to_string()
    }
}

#[async_trait]
pub trait MemoryReads: Send + Sync {
    /// Searches this user's memories: the best `limit` of every leg, by the formulas of `domain::search`. Neighbours in a thread
    /// are in the order in which they were said.
    async fn search_memories(&self, user: &UserId, question: &MemorySearch<'_>, limit: usize)
    -> Result<SearchResult, StoreError>;

    /// The memories with these ids that belong to this user, expired ones included.
    async fn memories_by_id(&self, user: &UserId, ids: &[String]) -> Result<Vec<Memory>, StoreError>;

    /// The memories with these ids that belong to this user, with their vectors, as of a moment (see [`MemorySearch::as_of`]);
    /// `None`: as of now.
    async fn memories_as_of(
        &self,
        user: &UserId,
        ids: &[String],
        as_of: Option<Moment>,
    ) -> Result<Vec<(Memory, Vector)>, StoreError>;

    /// This user's memories, newest first.
    async fn list_memories(&self, user: &UserId, filter: &MemoryFilter, page: &Page<Place>) -> Result<Vec<Memory>, StoreError>;

    /// A memory with its merge ledger, newest entry first, in one snapshot.
    async fn memory_with_past(&self, user: &UserId, id: &str) -> Result<Option<(Memory, Vec<MemoryMerge>)>, StoreError>;
}

#[async_trait]
pub trait MemoryWrites: Send {
    /// The `limit` memories of this user that are nearest to a query, nearest first; ties by id. Like the next two, it leaves out
    /// expired memories.
    async fn near_memories(
        &mut self,
        user: &UserId,
        query: &[f32],
        now: Moment,
        limit: usize,
    ) -> Result<Vec<NearMemory>, StoreError>;

    /// This user's memories that contain a term, as `holds_term` defines it: the `limit` nearest to a query, in the same order.
    async fn memories_holding(
        &mut self,
        user: &UserId,
        term: &str,
        query: &[f32],
        now: Moment,
        limit: usize,
    ) -> Result<Vec<NearMemory>, StoreError>;

    /// The memory of this user that was saved, merged or corrected last, within inclusive bounds; edits do not count as
    /// statements. Its similarity is 1.
    async fn last_said(&mut self, user: &UserId, said: &LastSaid<'_>) -> Result<Option<NearMemory>, StoreError>;

    /// Ids of the memories that came from exactly this moment of a conversation and were not changed since.
    async fn brought_at(&mut self, said: &SaidAt<'_>) -> Result<Vec<String>, StoreError>;

    /// Those of these texts that this user already has as a memory, word for word.
    async fn texts_held(&mut self, user: &UserId, texts: &[String], now: Moment) -> Result<Vec<String>, StoreError>;

    /// Id and text of every memory of this user, oldest first.
    async fn memory_texts(&mut self, user: &UserId) -> Result<Vec<(String, String)>, StoreError>;

    /// Returns a memory with its vector, expired or not.
    async fn own_memory(&mut self, user: &UserId, id: &str) -> Result<Option<(Memory, Vector)>, StoreError>;

    async fn insert_memory(&mut self, user: &UserId, memory: &NewMemory) -> Result<(), StoreError>;

    /// Replaces the wording of a memory. `false`: this user has no such memory.
    async fn reword_memory(&mut self, user: &UserId, id: &str, wording: &Wording, at: Moment) -> Result<bool, StoreError>;

    /// Restores a former wording with the time of its last change, and records when it was undone. `false`: this user has no such
    /// memory.
    async fn restore_memory(
        &mut self,
        user: &UserId,
        id: &str,
        wording: &Wording,
        updated_at: Moment,
        at: Moment,
    ) -> Result<bool, StoreError>;

    async fn delete_memory(&mut self, user: &UserId, id: &str) -> Result<bool, StoreError>;

    async fn record_merge(&mut self, user: &UserId, merge: &MemoryMerge) -> Result<(), StoreError>;

    /// The merge ledger of one memory, newest first.
    async fn merges_of(&mut self, user: &UserId, memory_id: &str) -> Result<Vec<MemoryMerge>, StoreError>;

    async fn forget_merge(&mut self, user: &UserId, merge_id: &str) -> Result<bool, StoreError>;

    /// Counts a recall of each memory; deleted ones are ignored.
    async fn count_memory_recalls(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError>;
}

/// Expiry across users, for custody.
#[async_trait]
pub trait EndingReads: Send + Sync {
    /// Number of expired memories.
    async fn count_over(&self, over: &Over) -> Result<u64, StoreError>;

    /// Clears remains of deleted rows with these fingerprints from the database files. `false`: impossible now; try again.
    async fn clear_remains(&self, search: &Arc<Finder>) -> Result<bool, StoreError>;

    /// Fingerprints of deleted memories that are not cleared yet, oldest first, each with its number.
    async fn remains(&self) -> Result<Vec<(i64, Vec<u8>)>, StoreError>;
}

#[async_trait]
pub trait EndingWrites: Send {
    /// Deletes at most `limit` expired memories, of one user or of all, with their ledgers. Passes every value that leaves traces
    /// to the callback. Returns how many.
    async fn delete_over(
        &mut self,
        over: &Over,
        of: Option<&UserId>,
        limit: u32,
        visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
    ) -> Result<u64, StoreError>;

    /// Stores the fingerprints of deleted memories until they are cleared.
    async fn note_remains(&mut self, needles: &[u8]) -> Result<(), StoreError>;

    /// Deletes the fingerprints up to this number, which are cleared.
    async fn forget_remains(&mut self, last: i64) -> Result<(), StoreError>;
}
