//! A global fact: a statement about the project, with nobody in it.

use serde::{Deserialize, Serialize};

use super::memory::{Content, Importance};
use super::problem::{Field, Problem};
use super::provenance::Origin;

/// What a global fact is. Preferences and episodes are personal by nature and have no place here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    Fact,
    Howto,
    Reference,
    Glossary,
}

impl FactKind {
    pub const ALL: [Self; 4] = [Self::Fact, Self::Howto, Self::Reference, Self::Glossary];

    pub fn parse(name: &str) -> Result<Self, Problem> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
            .ok_or_else(|| Problem::invalid(Field::Kind, "must be one of fact, howto, reference, glossary"))
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Howto => "howto",
            Self::Reference => "reference",
            Self::Glossary => "glossary",
        }
    }

    /// The word in the console.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Fact => "Fact",
            Self::Howto => "How-to",
            Self::Reference => "Reference",
            Self::Glossary => "Glossary",
        }
    }
}

/// Where a fact stands. Only `approved` facts are ever recalled; `pending` is the quarantine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactStatus {
    Pending,
    Approved,
    Rejected,
}

impl FactStatus {
    pub const ALL: [Self; 3] = [Self::Pending, Self::Approved, Self::Rejected];

    pub fn parse(name: &str) -> Result<Self, Problem> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == name)
            .ok_or_else(|| Problem::invalid(Field::Value, "must be one of pending, approved, rejected"))
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }
}

/// A fact that an extractor or a caller proposes, before the gate. Never stored as such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub origin: Origin,
    pub kind: FactKind,
    pub content: Content,
    pub importance: Importance,
}

/// An operator's decision about a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    Approve,
    Reject,
}

impl Decision {
    /// The state a fact has after it.
    #[must_use]
    pub fn outcome(self) -> FactStatus {
        match self {
            Self::Approve => FactStatus::Approved,
            Self::Reject => FactStatus::Rejected,
        }
    }
}

/// What a decision does to a fact in its present state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is pending at the version that was looked at: decide.
    Apply,
    /// The same decision was already taken: a harmless no-op.
    Already,
    /// Another decision stands.
    Conflict,
    /// It changed since it was looked at and still waits.
    Stale,
}

/// The compare part of compare-and-set: may `decision`, taken while looking at version `seen`, be applied?
#[must_use]
pub fn judge(decision: Decision, seen: i64, status: FactStatus, version: i64) -> Verdict {
    if status == FactStatus::Pending {
        if seen == version { Verdict::Apply } else { Verdict::Stale }
    } else if status == decision.outcome() {
        Verdict::Already
    } else {
        Verdict::Conflict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_applies_once_and_only_to_what_was_seen() {
        use Decision::{Approve, Reject};
        use FactStatus::{Approved, Pending, Rejected};
        for (decision, seen, status, version, verdict) in [
            (Approve, 1, Pending, 1, Verdict::Apply),
            (Approve, 1, Pending, 2, Verdict::Stale),
            (Approve, 1, Approved, 2, Verdict::Already),
            (Approve, 1, Rejected, 2, Verdict::Conflict),
            (Reject, 1, Approved, 2, Verdict::Conflict),
            (Reject, 1, Rejected, 2, Verdict::Already),
        ] {
            assert_eq!(judge(decision, seen, status, version), verdict);
        }
    }

    #[test]
    fn personal_kinds_are_not_facts() {
        assert!(FactKind::parse("preference").is_err() && FactKind::parse("episode").is_err());
    }
}
