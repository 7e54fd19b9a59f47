//! Global facts. Contributors come back as a count, never as people.

use async_trait::async_trait;

use super::StoreError;
use super::memories::Page;
use crate::domain::confidence::Evidence;
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::memory::Importance;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::provenance::{Origin, Surface};
use crate::ports::embedder::Vector;

/// A stored global fact.
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
    /// At least one open contradiction.
    pub contradicted: bool,
    /// Operator id; `None` while pending or when it was promoted by count.
    pub decided_by: Option<String>,
    pub decided_at: Option<Moment>,
    pub recall_count: i64,
    pub last_recalled_at: Option<Moment>,
    pub created_at: Moment,
    pub confirmed_at: Moment,
    pub updated_at: Moment,
    pub version: i64,
}

impl Fact {
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        Evidence {
            contributors: self.contributors,
            approved_by_operator: self.approved_by_operator,
            confirmed_at: self.confirmed_at,
            contradicted: self.contradicted,
        }
    }
}

/// A fact to insert; always pending, with nobody behind it yet.
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

/// What ranking, merging and filtering need of one fact, kept in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactMeta {
    pub id: String,
    pub status: FactStatus,
    pub origin: Origin,
    pub importance: Importance,
    /// Last recall, else last update.
    pub touched: Moment,
    pub evidence: Evidence,
}

/// A status change that happens only if nobody changed the fact since.
#[derive(Debug, Clone)]
pub struct StatusChange {
    pub from: FactStatus,
    pub to: FactStatus,
    pub seen_version: i64,
    /// The operator; `None`: promoted by count.
    pub by: Option<String>,
    pub at: Moment,
}

/// The order of a list; ties by age, then by id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FactOrder {
    #[default]
    Oldest,
    Newest,
    /// Most distinct contributors first.
    Contributors,
    /// Most important first.
    Importance,
}

/// How many people stand behind a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sources {
    /// One at most.
    Single,
    /// More than one.
    Multi,
    Exactly(u32),
}

/// Which facts a list shows, and in which order.
#[derive(Debug, Clone, Default)]
pub struct FactFilter {
    pub status: Option<FactStatus>,
    /// Empty: any.
    pub origins: Vec<Origin>,
    /// Empty: any.
    pub kinds: Vec<FactKind>,
    /// Words that must all occur in the text, regardless of case.
    pub text: Option<String>,
    pub min_importance: Option<Importance>,
    pub sources: Option<Sources>,
    /// In an open contradiction.
    pub contradicted: bool,
    /// Rejected and proposed again since.
    pub resubmitted: bool,
    /// Decided by this operator since then.
    pub decided: Option<(String, Moment)>,
    pub order: FactOrder,
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
    /// Shows every fact in memory with its similarity to the query. Unordered; for ranking.
    fn scan_facts(&self, query: &[f32], visit: &mut dyn FnMut(&FactMeta, f64));

    async fn fact(&self, id: &str) -> Result<Option<Fact>, StoreError>;

    async fn facts_by_id(&self, ids: &[String]) -> Result<Vec<Fact>, StoreError>;

    async fn list_facts(&self, filter: &FactFilter, page: &Page) -> Result<Vec<Fact>, StoreError>;

    /// Ids and versions of everything that a filter matches, by id.
    async fn list_versions(&self, filter: &FactFilter) -> Result<Vec<(String, i64)>, StoreError>;

    async fn count_matching(&self, filter: &FactFilter) -> Result<i64, StoreError>;

    async fn count_facts(&self) -> Result<StatusCounts, StoreError>;
}

#[async_trait]
pub trait FactWrites: Send {
    /// As [`FactReads::scan_facts`], with what this transaction has inserted.
    fn scan_known_facts(&mut self, query: &[f32], visit: &mut dyn FnMut(&FactMeta, f64));

    async fn known_fact(&mut self, id: &str) -> Result<Option<Fact>, StoreError>;

    async fn insert_fact(&mut self, fact: &NewFact) -> Result<(), StoreError>;

    /// Compare-and-set. `false`: the fact is gone, has another state, or another version.
    async fn change_status(&mut self, id: &str, change: &StatusChange) -> Result<bool, StoreError>;

    /// Notes that the fact was said again now.
    async fn confirm_fact(&mut self, id: &str, at: Moment) -> Result<(), StoreError>;

    /// Counts one more proposal of a rejected fact.
    async fn count_resubmission(&mut self, id: &str) -> Result<(), StoreError>;

    /// Makes this user a contributor. Returns how many distinct contributors the fact has now.
    async fn add_contribution(&mut self, id: &str, user: &UserId, surface: &Surface, at: Moment) -> Result<u32, StoreError>;

    async fn record_fact_merge(&mut self, merge: &FactMerge, user: Option<&UserId>) -> Result<(), StoreError>;

    /// Flags the pair; `false`: it was flagged before.
    async fn flag_contradiction(&mut self, a: &str, b: &str, similarity: f64, at: Moment) -> Result<bool, StoreError>;

    /// Closes every open contradiction of this fact.
    async fn resolve_contradictions(&mut self, id: &str, at: Moment) -> Result<(), StoreError>;

    /// Adds recalls of these facts on this surface and day; rows that are gone stay gone.
    async fn count_fact_recalls(&mut self, ids: &[String], surface: &Surface, at: Moment) -> Result<(), StoreError>;
}
