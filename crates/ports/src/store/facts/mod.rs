//! Global facts. Contributors are returned as a count, never as people. An engine stores a different pseudonym of a contributor
//! with each fact, so that two facts cannot be linked to one person without the user's own row. An erasure deletes these
//! pseudonyms.

pub mod decisions;
pub mod history;
pub mod likeness;

use async_trait::async_trait;

use super::StoreError;
use super::memories::Page;
use crate::embedder::Vector;
use domain::erasure::people::UserId;
use domain::facts::confidence::{Evidence, confidence};
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::{Origin, OriginFilter, Surface};
use domain::facts::rejection::{Reason, Rejection};
use domain::memory::Importance;
use domain::moment::Moment;
use domain::recall::ranking::ScoreParts;
use domain::recall::search::Legs;
use domain::recall::words::Term;

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
    /// In an open contradiction with a fact that is approved or corroborated.
    pub disputed: bool,
    /// It once had as many contributors as promotion required.
    pub corroborated: bool,
    /// Operator id; `None` while pending or when promoted by count.
    pub decided_by: Option<String>,
    pub decided_at: Option<Moment>,
    /// Why it was rejected; `None`: it is not rejected, or no reason was given.
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

    /// Returns whether facts that it contradicts have their confidence halved until the contradiction is resolved.
    #[must_use]
    pub fn disputes(&self) -> bool {
        self.status == FactStatus::Approved || self.corroborated
    }

    /// The fact as shown to operators: with at most this number of contributors.
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

/// A fact to insert; always pending, without contributors.
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

/// A compare-and-set change of status.
#[derive(Debug, Clone)]
pub struct StatusChange {
    pub from: FactStatus,
    pub to: FactStatus,
    pub seen_version: i64,
    /// The operator; `None`: promoted by count.
    pub by: Option<String>,
    /// Reason of a rejection.
    pub rejection: Option<Rejection>,
    pub at: Moment,
}

/// Circumstances of a statement in keyed digests: its words, combined with the minutes or the place in which they were said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementDigests {
    /// For the period before, the one in which it was said, and the one after.
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

/// Filter by number of contributors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sources {
    /// At most one.
    Single,
    /// More than one.
    Multi,
    Exactly(u32),
    AtLeast(u32),
}

/// Input of the search field.
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

/// Selection and order of facts. Every condition must hold.
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
    /// Decided by this operator since this moment.
    pub decided: Option<(String, Moment)>,
    pub confidence: Option<ConfidenceRange>,
    /// Rejected for one of these reasons. Empty: any fact.
    pub rejected_for: Vec<Reason>,
    pub order: FactOrder,
    /// Caps contributors in order and confidence, so that they reveal no more than the list itself.
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

/// Ranking of a search over facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// Cosine similarity.
    Similarity,
    /// The score of [`domain::recall::ranking`], minus the part of the words leg of [`domain::recall::search`].
    Score,
}

/// A search for the facts nearest to a vector. Every condition must hold.
#[derive(Debug, Clone)]
pub struct FactSearch<'a> {
    /// Normalised to length 1, or all zeros.
    pub vector: &'a [f32],
    /// The words of the question, for ranking by score; empty: only the vector counts.
    pub terms: &'a [Term],
    pub status: Option<FactStatus>,
    pub origins: OriginFilter,
    /// 0: any.
    pub min_confidence: f64,
    /// −1: any.
    pub min_similarity: f64,
    /// Id of a fact to leave out.
    pub but: Option<&'a str>,
    pub rank: Rank,
    /// The moment at which confidence and recency are computed, where they are used.
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
    /// In standard deviations over all facts with the searched status and origins.
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

    /// Returns the fact's confidence.
    #[must_use]
    pub fn confidence(&self, now: Moment) -> f64 {
        confidence(&self.fact.evidence(), now)
    }

    /// Returns the parts of its score.
    #[must_use]
    pub fn parts(&self, now: Moment) -> ScoreParts {
        let Fact { importance, .. } = self.fact;
        ScoreParts::global(self.similarity, importance, self.fact.touched(), now, self.confidence(now))
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

    /// Ids and versions of a slice of the matching facts, in the filter's order.
    async fn find_facts(&self, filter: &FactFilter, slice: Slice) -> Result<Vec<(String, i64)>, StoreError>;

    async fn count_matching(&self, filter: &FactFilter) -> Result<u64, StoreError>;

    /// Like [`FactReads::count_matching`], with the mark of the counted facts.
    async fn mark_matching(&self, filter: &FactFilter) -> Result<Matching, StoreError>;

    async fn count_facts(&self) -> Result<StatusCounts, StoreError>;

    /// Statements that were merged into a fact, least similar first; the order reveals neither contributors nor times.
    async fn merges_of_fact(&self, id: &str, limit: u32) -> Result<Vec<FactMerge>, StoreError>;

    /// Number of these facts that the engine still holds in memory. Used to verify an erasure.
    async fn facts_in_memory(&self, ids: &[String]) -> Result<usize, StoreError>;
}

#[async_trait]
pub trait FactWrites: Send {
    /// Like [`FactReads::nearest_facts`], including everything that this transaction has written.
    async fn nearest_known_facts(&mut self, search: &FactSearch<'_>) -> Result<Vec<NearFact>, StoreError>;

    /// Ids of the pending facts that have at least this many contributors, ordered by id. Leaves out facts in an open
    /// contradiction that are already marked as corroborated: nothing would change for them.
    async fn due_for_promotion(&mut self, contributors: u32) -> Result<Vec<String>, StoreError>;

    /// Marks a fact as corroborated, which lowers the confidence of the facts that it contradicts.
    async fn corroborate(&mut self, id: &str) -> Result<(), StoreError>;

    async fn known_fact(&mut self, id: &str) -> Result<Option<Fact>, StoreError>;

    async fn insert_fact(&mut self, fact: &NewFact) -> Result<(), StoreError>;

    /// Compare-and-set. `false`: the fact is gone, has another state, or another version.
    async fn change_status(&mut self, id: &str, change: &StatusChange) -> Result<bool, StoreError>;

    /// Records that the fact was stated again now.
    async fn confirm_fact(&mut self, id: &str, at: Moment) -> Result<(), StoreError>;

    /// Counts one more proposal of a rejected fact.
    async fn count_resubmission(&mut self, id: &str) -> Result<(), StoreError>;

    /// Adds this user as a contributor. Returns how many distinct contributors the fact has now.
    async fn add_contribution(&mut self, id: &str, user: &UserId, surface: &Surface, at: Moment) -> Result<u32, StoreError>;

    /// Records the circumstances of the contributor's statement. If another contributor's are the same, this contributor counts
    /// only once there are two others. A contribution that has counted keeps counting.
    async fn hear(&mut self, id: &str, user: &UserId, heard: &StatementDigests) -> Result<(), StoreError>;

    /// Records a merged statement, and whether its contributor came with it. Call it before adding that contribution.
    async fn record_fact_merge(&mut self, merge: &FactMerge, user: Option<&UserId>) -> Result<(), StoreError>;

    /// Moves a merged statement to another fact, with the contributor who came with it, unless that person also stated the fact
    /// in other words. `false`: the fact has no such merge.
    async fn split_fact(&mut self, merge_id: &str, from: &str, into: &str) -> Result<bool, StoreError>;

    /// Flags the pair; `false`: it was already flagged.
    async fn flag_contradiction(&mut self, a: &str, b: &str, similarity: f64, at: Moment) -> Result<bool, StoreError>;

    /// Closes every open contradiction of this fact.
    async fn resolve_contradictions(&mut self, id: &str, at: Moment) -> Result<(), StoreError>;

    /// Counts a recall of each of these facts on this surface and day; deleted facts are ignored.
    async fn count_fact_recalls(&mut self, ids: &[String], surface: &Surface, at: Moment) -> Result<(), StoreError>;
}
