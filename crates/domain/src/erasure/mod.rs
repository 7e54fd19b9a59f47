//! Erasing a person: the request, the preview, and which team facts are deleted.
//!
//! The rule for facts is here only: a fact that loses its last contributor is deleted, in every state; a fact with other
//! contributors stays, with one fewer; a fact that never had a contributor is not affected.

#[cfg(not(target_arch = "wasm32"))]
pub mod fingerprint;
pub mod inventory;
pub mod people;
mod preview;
pub mod reason;
pub mod receipt;
#[cfg(not(target_arch = "wasm32"))]
pub mod residue;

pub use preview::{Disposition, FactCounts, PREVIEW_MS, Preview, TableCount};

use serde::{Deserialize, Serialize};

use super::problem::{Field, Problem};

/// The scope of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErasureScope {
    /// All personal memories, and the user's part in team facts.
    #[default]
    Everything,
    /// Only the part in team facts; personal memories stay.
    Contributions,
}

impl ErasureScope {
    pub const ALL: [Self; 2] = [Self::Everything, Self::Contributions];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Contributions => "contributions",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|scope| scope.as_str() == name);
        known.ok_or_else(|| Problem::invalid(Field::Scope, "must be everything or contributions"))
    }

    /// Its name in the console.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Everything => "Everything",
            Self::Contributions => "Contributions only",
        }
    }
}

/// The progress of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Confirmed and in the ledger; nothing is erased yet.
    Queued,
    /// The data in the scope is erased; verification is running.
    Running,
    /// The data in the scope is erased; verification could not be finished yet.
    Unverified,
    /// The data in the scope is erased, and verification found no remains.
    Verified,
    /// Remains were found, or verification could not be finished after several attempts.
    Partial,
}

impl Status {
    pub const ALL: [Self; 5] = [Self::Queued, Self::Running, Self::Unverified, Self::Verified, Self::Partial];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Unverified => "unverified",
            Self::Verified => "verified",
            Self::Partial => "partial",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Whether work is left that proceeds without another request.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Unverified)
    }

    /// Returns the number of [`STEPS`] that are done.
    #[must_use]
    pub fn steps_done(self) -> usize {
        match self {
            Self::Queued => 0,
            Self::Running => STEPS.len() - 1,
            Self::Unverified | Self::Verified | Self::Partial => STEPS.len(),
        }
    }

    /// Whether writes for the user are refused in this status.
    #[must_use]
    pub fn fences(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// The steps of an erasure of everything, in order. All but the last are one transaction.
pub const STEPS: [&str; 5] = [
    "Stop learning for this user",
    "Delete personal memories",
    "Delete contribution links",
    "Settle team facts",
    "Verify that nothing is left",
];

/// The steps of an erasure of contributions, in order.
const STEPS_OF_CONTRIBUTIONS: [&str; 5] = [
    "Stop learning for the team from this user’s messages",
    "Leave personal memories as they are",
    "Delete contribution links",
    "Settle team facts",
    "Verify that no contribution is left",
];

/// The steps of an erasure of this scope.
#[must_use]
pub fn steps(scope: ErasureScope) -> [&'static str; STEPS.len()] {
    match scope {
        ErasureScope::Everything => STEPS,
        ErasureScope::Contributions => STEPS_OF_CONTRIBUTIONS,
    }
}

/// A fact that the user contributed to, with the number of all contributors, including the user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContributedFact {
    pub id: String,
    pub contributors: u32,
}

/// Outcome of an erasure for the team facts of the user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settlement {
    /// Facts without another contributor, deleted in any state.
    pub gone: Vec<ContributedFact>,
    /// Facts that stay with one contributor fewer, in the same state.
    pub kept: Vec<ContributedFact>,
}

impl Settlement {
    #[must_use]
    pub fn gone_ids(&self) -> Vec<String> {
        self.gone.iter().map(|fact| fact.id.clone()).collect()
    }

    #[must_use]
    pub fn counts(&self) -> FactCounts {
        FactCounts { deleted: self.gone.len() as u64, kept: self.kept.len() as u64 }
    }
}

/// Whether a fact with this many contributors is deleted when one of them leaves.
#[must_use]
pub fn goes_with(contributors: u32) -> bool {
    contributors <= 1
}

/// Decides which of the user's facts are deleted and which are kept, ordered by id.
#[must_use]
pub fn settle(mut touched: Vec<ContributedFact>) -> Settlement {
    touched.sort();
    let (gone, kept) = touched.into_iter().partition(|fact| goes_with(fact.contributors));
    Settlement { gone, kept }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::facts::confidence::{Evidence, confidence};
    use crate::moment::Moment;

    /// Facts as the rules see them: the contributors, and whether there ever was one.
    #[derive(Default, Clone)]
    struct Model {
        facts: BTreeMap<u8, (BTreeSet<u8>, bool)>,
    }

    #[derive(Debug, Clone, Copy)]
    enum Step {
        /// Without a contributor, as an agent does.
        Propose(u8),
        Contribute(u8, u8),
        Delete(u8),
        Erase(u8),
    }

    impl Model {
        fn touched(&self, user: u8) -> Vec<ContributedFact> {
            let of_user = self.facts.iter().filter(|(_, (people, _))| people.contains(&user));
            of_user
                .map(|(id, (people, _))| ContributedFact {
                    id: id.to_string(),
                    contributors: u32::try_from(people.len()).expect("few"),
                })
                .collect()
        }

        fn take(&mut self, step: Step) {
            match step {
                Step::Propose(fact) => {
                    self.facts.entry(fact).or_default();
                }
                Step::Contribute(fact, user) => {
                    let (people, had) = self.facts.entry(fact).or_default();
                    people.insert(user);
                    *had = true;
                }
                Step::Delete(fact) => {
                    self.facts.remove(&fact);
                }
                Step::Erase(user) => self.erase(user),
            }
        }

        /// Erases as the service does: by the settlement and nothing else.
        fn erase(&mut self, user: u8) {
            let settlement = settle(self.touched(user));
            for gone in &settlement.gone {
                self.facts.remove(&gone.id.parse().expect("a number"));
            }
            for kept in &settlement.kept {
                self.facts.get_mut(&kept.id.parse().expect("a number")).expect("there").0.remove(&user);
            }
        }
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            1 => (0..12_u8).prop_map(Step::Propose),
            6 => (0..12_u8, 0..6_u8).prop_map(|(fact, user)| Step::Contribute(fact, user)),
            1 => (0..12_u8).prop_map(Step::Delete),
            2 => (0..6_u8).prop_map(Step::Erase),
        ]
    }

    fn voices(people: usize) -> f64 {
        let contributors = u32::try_from(people).expect("few");
        let evidence = Evidence { contributors, approved_by_operator: false, confirmed_at: Moment(0), disputed: false };
        confidence(&evidence, Moment(0))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn after_an_erasure_a_fact_exists_exactly_when_it_has_another_contributor_or_never_had_one(
            history in prop::collection::vec(step(), 0..60),
            user in 0..6_u8,
        ) {
            let mut model = Model::default();
            for step in history {
                model.take(step);
            }
            let before = model.clone();
            let settlement = settle(model.touched(user));
            model.erase(user);
            for (id, (people, had)) in &before.facts {
                let others = people.iter().filter(|person| **person != user).count();
                prop_assert_eq!(model.facts.contains_key(id), others > 0 || !had);
                if let Some((left, _)) = model.facts.get(id) {
                    prop_assert_eq!(left.len(), others);
                    let lower = voices(left.len()) < voices(people.len());
                    prop_assert_eq!(lower, people.contains(&user), "confidence falls with the contributor alone");
                }
            }
            prop_assert_eq!(model.facts.len() + settlement.gone.len(), before.facts.len());
            prop_assert!(settle(model.touched(user)) == Settlement::default(), "again takes nothing");
        }
    }

    #[test]
    fn names_read_back() {
        assert!(ErasureScope::ALL.into_iter().all(|scope| ErasureScope::parse(scope.as_str()) == Ok(scope)));
        assert!(Status::ALL.into_iter().all(|status| Status::parse(status.as_str()) == Some(status)));
        assert!(ErasureScope::parse("all").is_err() && Status::parse("done").is_none());
    }
}
