//! Operators' decisions on facts, stored so that they can be undone, and operators' saved views.

use async_trait::async_trait;

use crate::embedder::Vector;
use crate::store::StoreError;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::rejection::Rejection;
use domain::memory::Importance;
use domain::moment::Moment;

/// The state of a fact before a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct FactState {
    pub status: FactStatus,
    pub approved_by_operator: bool,
    pub decided_by: Option<String>,
    pub decided_at: Option<Moment>,
    pub rejection: Option<Rejection>,
    pub importance: Importance,
    pub kind: FactKind,
    /// Text and vector, if the decision changed them.
    pub wording: Option<(String, Vector)>,
}

/// One fact changed by a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct DecidedFact {
    pub fact_id: String,
    /// The version that the operator saw.
    pub version_before: i64,
    /// The version after the decision; if the fact has a later one, the decision can no longer be undone.
    pub version_after: i64,
    pub before: FactState,
}

/// A decision by one operator in one session.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionRecord {
    /// Assigned by the store.
    pub seq: i64,
    pub operator_id: String,
    /// Digest of the session.
    pub session: String,
    pub verb: String,
    pub at: Moment,
    pub facts: Vec<DecidedFact>,
}

/// New text, kind and importance of a fact.
#[derive(Debug, Clone)]
pub struct FactRewording {
    pub kind: FactKind,
    pub content: String,
    pub importance: Importance,
    pub vector: Vector,
}

/// Number of decisions since a given moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DecidedSince {
    pub own: i64,
    pub all: i64,
    /// Number of other operators who decided something.
    pub others: i64,
}

/// A named query string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub id: String,
    pub operator_id: String,
    pub name: String,
    pub query: String,
    pub shared: bool,
}

#[async_trait]
pub trait DecisionReads: Send + Sync {
    async fn decided_since(&self, operator_id: &str, since: Moment) -> Result<DecidedSince, StoreError>;

    /// The newest decision that can still be undone, among the last `depth` of this operator and session.
    async fn undoable(&self, operator_id: &str, session: &str, depth: u32) -> Result<Option<DecisionRecord>, StoreError>;

    /// Id and text of the fact that this decision merged into another, while the merge can be undone.
    async fn merged_fact(&self, decision: i64) -> Result<Option<(String, String)>, StoreError>;

    /// The operator's own views and those that others share, oldest first.
    async fn views(&self, operator_id: &str) -> Result<Vec<SavedView>, StoreError>;

    /// A fact's vector.
    async fn fact_vector(&self, id: &str) -> Result<Option<Vector>, StoreError>;

    /// The other facts of this fact's open contradictions, with their similarity and when the pair was flagged.
    async fn contradictions_of(&self, id: &str) -> Result<Vec<(String, f64, Moment)>, StoreError>;

    /// For each of these facts that is in an open contradiction, the status of every other fact in it.
    async fn statuses_against(&self, ids: &[String]) -> Result<Vec<(String, FactStatus)>, StoreError>;

    /// Time of a fact's last edit, and the operator who made it.
    async fn last_edit(&self, id: &str) -> Result<Option<(Moment, String)>, StoreError>;
}

#[async_trait]
pub trait DecisionWrites: Send {
    /// Stores a decision. Returns its number.
    async fn record_decision(&mut self, decision: &DecisionRecord) -> Result<i64, StoreError>;

    /// Like [`DecisionReads::undoable`].
    async fn last_decision(&mut self, operator_id: &str, session: &str, depth: u32)
    -> Result<Option<DecisionRecord>, StoreError>;

    async fn mark_undone(&mut self, seq: i64, at: Moment) -> Result<(), StoreError>;

    /// Deletes decisions older than this moment, together with the previous states stored for undo.
    async fn purge_decisions(&mut self, before: Moment) -> Result<(), StoreError>;

    /// Compare-and-set, like every write below. `false`: the fact is gone or has another version.
    async fn restore_fact(&mut self, id: &str, seen: i64, to: &FactState, at: Moment) -> Result<bool, StoreError>;

    /// Sets the reason of a rejection, without a new version. `false`: the fact is no longer rejected, or is gone or has another
    /// version.
    async fn set_rejection(&mut self, id: &str, seen: i64, why: &Rejection) -> Result<bool, StoreError>;

    async fn set_fact_importance(&mut self, id: &str, seen: i64, importance: Importance, at: Moment) -> Result<bool, StoreError>;

    async fn reword_fact(&mut self, id: &str, seen: i64, to: &FactRewording, at: Moment) -> Result<bool, StoreError>;

    async fn delete_fact(&mut self, id: &str, seen: i64) -> Result<bool, StoreError>;

    /// Merges the first fact into the second, which gets the first one's contributors, each counted once; the first is deleted.
    /// With a decision, the first fact's state is kept until the decision is deleted or all its contributors are erased.
    async fn merge_fact(
        &mut self,
        from: (&str, i64),
        into: (&str, i64),
        at: Moment,
        decision: Option<i64>,
    ) -> Result<bool, StoreError>;

    /// Undoes the merge of a decision: restores the fact as pending, with those of its contributors who are not erased. They are
    /// removed from the other fact, unless they have said it again since. Returns the restored id; `None`: the fact's state is no
    /// longer kept.
    async fn unmerge_fact(&mut self, decision: i64, vector: &Vector, at: Moment) -> Result<Option<String>, StoreError>;

    async fn known_fact_vector(&mut self, id: &str) -> Result<Option<Vector>, StoreError>;

    /// Updates stored decisions from one version of a fact to another, because undoing a later decision gave the fact a new
    /// version number.
    async fn carry_decisions(&mut self, id: &str, from: i64, to: i64) -> Result<(), StoreError>;

    /// Reopens the contradictions that were closed at exactly this moment.
    async fn reopen_contradictions(&mut self, id: &str, resolved_at: Moment) -> Result<(), StoreError>;

    async fn insert_view(&mut self, view: &SavedView, at: Moment) -> Result<(), StoreError>;

    /// `false`: this operator has no such view.
    async fn change_view(&mut self, view: &SavedView) -> Result<bool, StoreError>;

    async fn delete_view(&mut self, operator_id: &str, id: &str) -> Result<bool, StoreError>;
}
