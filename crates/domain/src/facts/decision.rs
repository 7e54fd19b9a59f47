//! Decisions of operators on a fact, and whether its current state still allows them.

use serde::{Deserialize, Serialize};

use super::fact::FactStatus;
use crate::memory::Importance;

/// The verb of a merge in the list of decisions.
pub const MERGE: &str = "merge";
/// Decisions on more facts than this at once need confirmation.
pub const BULK_UNASKED: usize = 25;
/// Number of decisions that can be undone, counted from the newest.
pub const UNDO_DEPTH: u32 = 20;

/// An operator's decision on one or more facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    Approve,
    Reject,
    /// Back into the queue.
    Reopen,
    Importance(Importance),
    Delete,
}

impl Verb {
    /// Parses the name of a button, with the importance that it sets.
    #[must_use]
    pub fn parse(name: &str, importance: Option<u8>) -> Option<Self> {
        match name {
            "approve" => Some(Self::Approve),
            "reject" => Some(Self::Reject),
            "reopen" => Some(Self::Reopen),
            "delete" => Some(Self::Delete),
            "importance" => Importance::new(i64::from(importance?)).ok().map(Self::Importance),
            _ => None,
        }
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Reopen => "reopen",
            Self::Importance(_) => "importance",
            Self::Delete => "delete",
        }
    }

    /// The state of a fact after the decision; `None`: the state does not change, or the fact is deleted.
    #[must_use]
    pub fn outcome(self) -> Option<FactStatus> {
        match self {
            Self::Approve => Some(FactStatus::Approved),
            Self::Reject => Some(FactStatus::Rejected),
            Self::Reopen => Some(FactStatus::Pending),
            Self::Importance(_) | Self::Delete => None,
        }
    }

    /// Its name in the audit log.
    #[must_use]
    pub fn action(self) -> &'static str {
        match self {
            Self::Approve => "fact.approved",
            Self::Reject => "fact.rejected",
            Self::Reopen => "fact.reopened",
            Self::Importance(_) => "fact.importance_set",
            Self::Delete => "fact.deleted",
        }
    }
}

/// Effect of a decision on a fact in its current state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The fact still has the version that the operator saw: apply it.
    Apply,
    /// The same was already done: a harmless no-op.
    Already,
    /// Another decision was made first.
    Conflict,
    /// The fact has changed since the operator saw it, but no other decision was made.
    Stale,
}

/// The compare step of compare-and-set: may `verb`, decided on version `seen`, be applied to this fact?
#[must_use]
pub fn judge(verb: Verb, seen: i64, status: FactStatus, version: i64) -> Verdict {
    if verb.outcome() == Some(status) {
        return Verdict::Already;
    }
    if seen == version {
        return Verdict::Apply;
    }
    match verb {
        Verb::Approve | Verb::Reject if status != FactStatus::Pending => Verdict::Conflict,
        _ => Verdict::Stale,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_applies_once_and_only_to_what_was_seen() {
        use FactStatus::{Approved, Pending, Rejected};
        use Verb::{Approve, Delete, Reject, Reopen};
        for (verb, seen, status, version, verdict) in [
            (Approve, 1, Pending, 1, Verdict::Apply),
            (Approve, 1, Pending, 2, Verdict::Stale),
            (Approve, 1, Approved, 2, Verdict::Already),
            (Approve, 1, Rejected, 2, Verdict::Conflict),
            (Approve, 2, Rejected, 2, Verdict::Apply),
            (Reject, 1, Approved, 2, Verdict::Conflict),
            (Reject, 2, Approved, 2, Verdict::Apply),
            (Reject, 1, Rejected, 2, Verdict::Already),
            (Reopen, 2, Approved, 2, Verdict::Apply),
            (Reopen, 1, Approved, 2, Verdict::Stale),
            (Reopen, 1, Pending, 2, Verdict::Already),
            (Delete, 1, Pending, 1, Verdict::Apply),
            (Delete, 1, Pending, 2, Verdict::Stale),
            (Verb::Importance(Importance::DEFAULT), 3, Approved, 3, Verdict::Apply),
            (Verb::Importance(Importance::DEFAULT), 2, Approved, 3, Verdict::Stale),
        ] {
            assert_eq!(judge(verb, seen, status, version), verdict, "{verb:?} {status:?}");
        }
    }

    #[test]
    fn buttons_name_verbs() {
        for verb in [Verb::Approve, Verb::Reject, Verb::Reopen, Verb::Delete, Verb::Importance(Importance::DEFAULT)] {
            assert_eq!(Verb::parse(verb.as_str(), Some(Importance::DEFAULT.get())), Some(verb));
        }
        assert_eq!(Verb::parse("importance", Some(9)), None);
        assert_eq!(Verb::parse("importance", None), None);
    }
}
