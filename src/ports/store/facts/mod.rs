//! Global facts. Contributors are returned as a count, never as people. Beside a fact, an engine keeps something that stands for a
//! contributor of this fact only: what it keeps beside two facts does not show that they come from one person, unless the user's own
//! row is read as well. When the user is erased, that is gone.

pub mod decisions;
pub mod history;
pub mod likeness;

use async_trait::async_trait;

use super::StoreError;
use super::memories::Page;
use crate::domain::erasure::people::UserId;
use crate::domain::facts::confidence::{Evidence, confidence};
use crate::domain::facts::fact::{FactKind, FactStatus};
use crate::domain::facts::provenance::{Origin, OriginFilter, Surface};
use crate::domain::facts::rejection::{Reason, Rejection};
use crate::domain::memory::Importance;
use crate::domain::moment::Moment;
use crate::domain::recall::ranking::Parts;
use crate::domain::recall::search::Legs;
use crate::domain::recall::words::Term;
use crate::ports::embedder::Vector;

/// A stored global fact.
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own, and any of them may go together")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub id: String,
    pub kind: FactKind,
    pub content: String,
    pub status: FactStatus,
    pub origin: Origin,
    pub importance: Importance,
    pub contributors: u32,
    pub approved_by_operator: bool,
    /// In at least one open contradiction.
    pub contradicted: bool,
    /// In one whose other side is approved or corroborated.
    pub disputed: bool,
    /// As many people have said it as promotion asked for, at some time.
    pub corroborated: bool,
    /// Operator id; `None` while pending or when promoted by count.
    pub decided_by: Option<String>,
    pub decided_at: Option<Moment>,
    /// Why it was rejected; `None`: it is not rejected, or nobody said why.
    pub rejection: Option<Rejection>,
    pub recall_count: i64,
    pub last_recalled_at: Option<Moment>,
    pub created_at: Moment,
    pub confirmed_at: Moment,
    pub updated_at: Moment,
    pub version: i64,
}

impl Fact {
    /// Time of the last recall, else of the last update.
    #[must_use]
    pub fn touched(&self) -> Moment {
        self.last_recalled_at.unwrap_or(self.updated_at)
    }

    /// Whether it disputes what it contradicts, which has half its confidence until the two are settled.
    #[must_use]
    pub fn disputes(&self) -> bool {
        self.status == FactStatus::Approved || self.corroborated
    }

    /// The fact as operators are told it: with no more contributors than this.
    #[must_use]
    pub fn told(self, at_most: u32) -> Self {
        Self { contributors: self.contributors.min(at_most), ..self }
    }

    #[must_use]
    pub fn evidence(&self) -> Evidence {
        Evidence {
            contributors: self.contributors,
            approved_by_operator: self.approved_by_operator,
            confirmed_at: self.confirmed_at,
            disputed: self.disputed,
        }
    }
}

/// A fact to insert; always pending, and without contributors.
#[derive(Debug, Clone)]
pub struct NewFact {
    pub id: String,
    pub kind: FactKind,
    pub content: String,
    pub origin: Origin,
    pub importance: Importance,
    pub vector: Vector,
    pub at: Moment,
}

/// A status change that happens only if the fact has not changed since.
#[derive(Debug, Clone)]
pub struct StatusChange {
    pub from: FactStatus,
    pub to: FactStatus,
    pub seen_version: i64,
    /// The operator; `None`: promoted by count.
    pub by: Option<String>,
    /// For a rejection: why.
    pub rejection: Option<Rejection>,
    pub at: Moment,
}

/// How a statement was heard, in keyed digests: its words, with the minutes in which or the place where they were said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The minutes before, those in which it was said, and those after.
    pub near: [String; 3],
    /// The thread or the import.
    pub source: Option<String>,
}

/// Sort key of a list; ties are broken by age, then by id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SortKey {
    #[default]
    Created,
    /// Distinct contributors.
    Contributors,
    Recalls,
    Importance,
    /// Ties by id.
    Confidence,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FactOrder {
    pub key: SortKey,
    pub descending: bool,
}

impl FactOrder {
    pub const OLDEST: Self = Self::by(SortKey::Created, false);
    pub const NEWEST: Self = Self::by(SortKey::Created, true);

    #[must_use]
    pub const fn by(key: SortKey, descending: bool) -> Self {
        Self { key, descending }
    }
}

/// How many people contributed to a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sources {
    /// At most one.
    Single,
    /// More than one.
    Multi,
    Exactly(u32),
    AtLeast(u32),
}

/// What somebody typed into the search field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFilter {
    /// Word prefixes that must all occur in the text, ignoring case and accents.
    Words(String),
    /// Prefix of an id.
    Id(String),
}

/// Confidence at this moment: at least `from` and less than `below`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfidenceRange {
    pub from: f64,
    pub below: f64,
    pub at: Moment,
}

/// Which facts to select, and in which order. Every condition must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactFilter {
    pub status: Option<FactStatus>,
    /// Empty: any.
    pub origins: Vec<Origin>,
    /// Empty: any.
    pub kinds: Vec<FactKind>,
    pub search: Option<TextFilter>,
    pub min_importance: Option<Importance>,
    pub sources: Option<Sources>,
    /// In an open contradiction, or in none.
    pub contradicted: Option<bool>,
    /// Proposed again after it was rejected.
    pub resubmitted: bool,
    /// Decided by this operator since then.
    pub decided: Option<(String, Moment)>,
    pub confidence: Option<ConfidenceRange>,
    /// Rejected for one of these reasons. Empty: any fact.
    pub rejected_for: Vec<Reason>,
    pub order: FactOrder,
    /// Order and confidence count no more contributors than this, so that they tell no more than the list itself does.
    pub told_at_most: Option<u32>,
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    pub skip: u64,
    pub limit: u64,
}

impl Slice {
    pub const ALL: Self = Self { skip: 0, limit: u64::MAX };
}

/// The number of facts that a filter matches, and a mark that identifies exactly these facts at these versions. A mark can only
/// be compared with another mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matching {
    pub count: u64,
    pub mark: String,
}

/// How a search ranks facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// Cosine similarity.
    Similarity,
    /// The score of [`crate::domain::recall::ranking`], less what the words leg of [`crate::domain::recall::search`] is worth.
    Score,
}

/// A search for the facts nearest to a vector. Every condition must hold.
#[derive(Debug, Clone)]
pub struct FactSearch<'a> {
    /// Normalised to length 1, or all zeros.
    pub vector: &'a [f32],
    /// The words of the question, where rank is by score; empty: only the direction counts.
    pub terms: &'a [Term],
    pub status: Option<FactStatus>,
    pub origins: OriginFilter,
    /// 0: any.
    pub min_confidence: f64,
    /// −1: any.
    pub min_similarity: f64,
    /// A fact to leave out.
    pub but: Option<&'a str>,
    pub rank: Rank,
    /// The moment for which confidence and recency are computed, where they are used.
    pub now: Moment,
    pub limit: usize,
}

impl<'a> FactSearch<'a> {
    /// Searches all facts for the most similar.
    #[must_use]
    pub fn nearest(vector: &'a [f32], limit: usize) -> Self {
        let (status, origins, but) = (None, OriginFilter::Any, None);
        let (rank, now) = (Rank::Similarity, Moment(0));
        Self { vector, terms: &[], status, origins, min_confidence: 0.0, min_similarity: -1.0, but, rank, now, limit }
    }

    /// Searches for the facts with the best score.
    #[must_use]
    pub fn best(vector: &'a [f32], terms: &'a [Term], now: Moment, limit: usize) -> Self {
        Self { terms, rank: Rank::Score, now, ..Self::nearest(vector, limit) }
    }
}

/// A fact that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct NearFact {
    pub fact: Fact,
    /// Cosine similarity.
    pub similarity: f64,
    /// In standard deviations over all facts of the status and the origins that were searched.
    pub legs: Legs,
    /// Empty if the fact was not found by a search.
    pub vector: Vector,
}

impl NearFact {
    /// See [`Fact::told`].
    #[must_use]
    pub fn told(self, at_most: u32) -> Self {
        Self { fact: self.fact.told(at_most), ..self }
    }

    /// How sure it is.
    #[must_use]
    pub fn confidence(&self, now: Moment) -> f64 {
        confidence(&self.fact.evidence(), now)
    }

    /// The parts of its score.
    #[must_use]
    pub fn parts(&self, now: Moment) -> Parts {
        let Fact { importance, .. } = self.fact;
        Parts::global(self.similarity, importance, self.fact.touched(), now, self.confidence(now))
    }
}

/// Facts per state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatusCounts {
    pub pending: i64,
    pub approved: i64,
    pub rejected: i64,
}

/// A candidate that confirmed a fact.
#[derive(Clone)]
pub struct FactMerge {
    pub id: String,
    pub fact_id: String,
    pub content: String,
    pub vector: Vector,
    pub similarity: f64,
    pub at: Moment,
}

#[async_trait]
pub trait FactReads: Send + Sync {
    /// The best facts of a search, best first; ties by id. The search is exact: it never misses a better fact.
    async fn nearest_facts(&self, search: &FactSearch<'_>) -> Result<Vec<NearFact>, StoreError>;

    async fn fact(&self, id: &str) -> Result<Option<Fact>, StoreError>;

    async fn facts_by_id(&self, ids: &[String]) -> Result<Vec<Fact>, StoreError>;

    /// A page of the facts that a filter matches, in the filter's order.
    async fn list_facts(&self, filter: &FactFilter, page: &Page) -> Result<Vec<Fact>, StoreError>;

    /// Ids and versions of a slice of what a filter matches, in the filter's order.
    async fn find_facts(&self, filter: &FactFilter, slice: Slice) -> Result<Vec<(String, i64)>, StoreError>;

    async fn count_matching(&self, filter: &FactFilter) -> Result<u64, StoreError>;

    /// Like [`FactReads::count_matching`], with the mark of the counted facts.
    async fn mark_matching(&self, filter: &FactFilter) -> Result<Matching, StoreError>;

    async fn count_facts(&self) -> Result<StatusCounts, StoreError>;

    /// What was said when a fact was said again, most unlike it first; the order tells nothing about who said it or when.
    async fn merges_of_fact(&self, id: &str, limit: u32) -> Result<Vec<FactMerge>, StoreError>;

    /// How many of these facts the engine still holds in memory. Used by the proof of an erasure.
    async fn facts_in_memory(&self, ids: &[String]) -> Result<usize, StoreError>;
}

#[async_trait]
pub trait FactWrites: Send {
    /// Like [`FactReads::nearest_facts`], including everything that this transaction has written.
    async fn nearest_known_facts(&mut self, search: &FactSearch<'_>) -> Result<Vec<NearFact>, StoreError>;

    /// Ids of the pending facts that have at least this many contributors, ordered by id. Those with an open contradiction that
    /// are known to be corroborated are left out: nothing would change for them.
    async fn due_for_promotion(&mut self, contributors: u32) -> Result<Vec<String>, StoreError>;

    /// Notes that enough people have said this fact. It now lowers the confidence of the facts that it contradicts.
    async fn corroborate(&mut self, id: &str) -> Result<(), StoreError>;

    async fn known_fact(&mut self, id: &str) -> Result<Option<Fact>, StoreError>;

    async fn insert_fact(&mut self, fact: &NewFact) -> Result<(), StoreError>;

    /// Compare-and-set. `false`: the fact is gone, has another state, or another version.
    async fn change_status(&mut self, id: &str, change: &StatusChange) -> Result<bool, StoreError>;

    /// Records that the fact was said again now.
    async fn confirm_fact(&mut self, id: &str, at: Moment) -> Result<(), StoreError>;

    /// Counts one more proposal of a rejected fact.
    async fn count_resubmission(&mut self, id: &str) -> Result<(), StoreError>;

    /// Adds this user as a contributor. Returns how many distinct contributors the fact has now.
    async fn add_contribution(&mut self, id: &str, user: &UserId, surface: &Surface, at: Moment) -> Result<u32, StoreError>;

    /// Notes how the contributor's statement was heard. It does not count while another contributor's is the same, until there are
    /// two others, whatever they said. A contribution that has counted goes on counting.
    async fn hear(&mut self, id: &str, user: &UserId, heard: &Heard) -> Result<(), StoreError>;

    /// Must come before the contribution of the same statement: it notes whether the contributor comes with it.
    async fn record_fact_merge(&mut self, merge: &FactMerge, user: Option<&UserId>) -> Result<(), StoreError>;

    /// Moves a merged statement from its fact to another one, with the contributor who came with it, unless that person said the fact
    /// in other words as well. `false`: the fact has no such merge.
    async fn split_fact(&mut self, merge_id: &str, from: &str, into: &str) -> Result<bool, StoreError>;

    /// Flags the pair; `false`: it was already flagged.
    async fn flag_contradiction(&mut self, a: &str, b: &str, similarity: f64, at: Moment) -> Result<bool, StoreError>;

    /// Closes every open contradiction of this fact.
    async fn resolve_contradictions(&mut self, id: &str, at: Moment) -> Result<(), StoreError>;

    /// Counts a recall of each of these facts on this surface and day; deleted facts are ignored.
    async fn count_fact_recalls(&mut self, ids: &[String], surface: &Surface, at: Moment) -> Result<(), StoreError>;
}
