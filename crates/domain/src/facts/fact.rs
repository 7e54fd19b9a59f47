//! A team fact: a statement about the project that mentions no person.

use serde::{Deserialize, Serialize};

use super::provenance::Origin;
use crate::memory::{Content, Importance};
use crate::problem::{Field, Problem};

/// The kind of a team fact. Preferences and episodes are personal and are not allowed here.
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

    /// Its name in the console.
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

/// The status of a fact. Only `approved` facts are ever recalled; `pending` is the quarantine.
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

/// A fact that an extractor or a caller proposes, before the gate. Never stored in this form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub origin: Origin,
    pub kind: FactKind,
    pub content: Content,
    pub importance: Importance,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn personal_kinds_are_not_facts() {
        assert!(FactKind::parse("preference").is_err() && FactKind::parse("episode").is_err());
    }
}
