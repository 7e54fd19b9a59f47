//! Erasing a person: what is asked, what is shown before, and which team facts go with him.
//!
//! The rule for facts stands here once: a fact whose last contributor leaves goes, in every state; one with others stays,
//! one contributor fewer; one that never had a contributor is no matter of an erasure.

use serde::{Deserialize, Serialize};

use super::problem::{Field, Problem};

/// How much goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// All personal memories, and the user's part in team facts.
    #[default]
    Everything,
    /// Only the part in team facts; personal memories stay.
    Contributions,
}

impl Scope {
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

    /// The word in the console.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Everything => "Everything",
            Self::Contributions => "Contributions only",
        }
    }
}

/// How far an erasure has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Confirmed and in the ledger; nothing is gone yet.
    Queued,
    /// Everything is gone; its absence is being proved.
    Running,
    /// Everything is gone; the proof could not be finished yet.
    Unverified,
    /// Everything is gone, and nothing was found.
    Verified,
    /// Something was found, or the proof could not be finished.
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

    /// Is there work left that nobody has to ask for?
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Unverified)
    }

    /// How many of [`STEPS`] are done.
    #[must_use]
    pub fn steps_done(self) -> usize {
        match self {
            Self::Queued => 0,
            Self::Running => STEPS.len() - 1,
            Self::Unverified | Self::Verified | Self::Partial => STEPS.len(),
        }
    }

    /// Are writes for the user refused meanwhile?
    #[must_use]
    pub fn fences(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// What an erasure goes through, in order. All but the last are one transaction.
pub const STEPS: [&str; 5] = [
    "Stop learning for this user",
    "Delete personal memories",
    "Delete contribution links",
    "Settle team facts",
    "Verify that nothing is left",
];

/// What an erasure does with the rows of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Deleted,
    /// They stay, without what the scope takes out of them.
    Settled,
    Stays,
    /// They stay as the proof of what was done, with a keyed digest in place of the user.
    Kept,
}

impl Outcome {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Deleted => "Deleted",
            Self::Settled => "Team half cancelled",
            Self::Stays => "Stay",
            Self::Kept => "Kept as proof",
        }
    }
}

/// Rows of one table, counted exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCount {
    pub name: String,
    pub rows: u64,
    pub result: Outcome,
}

/// Facts that the user contributed to, by what becomes of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactCounts {
    pub deleted: u64,
    pub kept: u64,
}

/// What an erasure would do, with the token that asks for exactly this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Opaque; good for [`PREVIEW_MS`].
    pub preview: String,
    pub tables: Vec<TableCount>,
    pub facts: FactCounts,
}

/// How long a preview may be confirmed.
pub const PREVIEW_MS: i64 = 15 * 60 * 1000;

/// A fact that the user contributed to, with everybody who did, him included.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Touched {
    pub id: String,
    pub contributors: u32,
}

/// What becomes of the facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settlement {
    /// Nobody else contributed: they go, whatever their state.
    pub gone: Vec<Touched>,
    /// They stay with one contributor fewer, in the state they have.
    pub kept: Vec<Touched>,
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

/// Does a fact go when one of so many contributors leaves?
#[must_use]
pub fn goes_with(contributors: u32) -> bool {
    contributors <= 1
}

/// Decides about every fact that the user contributed to, in the order of their ids.
#[must_use]
pub fn settle(mut touched: Vec<Touched>) -> Settlement {
    touched.sort();
    let (gone, kept) = touched.into_iter().partition(|fact| goes_with(fact.contributors));
    Settlement { gone, kept }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::domain::confidence::{Evidence, confidence};
    use crate::domain::moment::Moment;

    /// Facts as the rules know them: who contributed, and whether anybody ever did.
    #[derive(Default, Clone)]
    struct Model {
        facts: BTreeMap<u8, (BTreeSet<u8>, bool)>,
    }

    #[derive(Debug, Clone, Copy)]
    enum Step {
        /// By nobody, as an agent does.
        Propose(u8),
        Contribute(u8, u8),
        Delete(u8),
        Erase(u8),
    }

    impl Model {
        fn touched(&self, user: u8) -> Vec<Touched> {
            let of_user = self.facts.iter().filter(|(_, (people, _))| people.contains(&user));
            of_user
                .map(|(id, (people, _))| Touched { id: id.to_string(), contributors: u32::try_from(people.len()).expect("few") })
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

        /// As the service does it: by the settlement and nothing else.
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
        let evidence = Evidence { contributors, approved_by_operator: false, confirmed_at: Moment(0), contradicted: false };
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
        assert!(Scope::ALL.into_iter().all(|scope| Scope::parse(scope.as_str()) == Ok(scope)));
        assert!(Status::ALL.into_iter().all(|status| Status::parse(status.as_str()) == Some(status)));
        assert!(Scope::parse("all").is_err() && Status::parse("done").is_none());
    }
}
