//! Promotion of facts out of quarantine without an operator.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fact::FactStatus;

/// Number of distinct people at which a pending fact is promoted; `None`: never.
pub type PromoteAt = Option<u32>;

/// The lowest number of people that may promote a fact.
pub const FEWEST: u32 = 2;

/// Maximum number of new candidates from one message. More than that is a document and not something learned in passing.
pub const CANDIDATES_OF_A_MESSAGE: usize = 5;
/// Maximum number of new pending facts per user and day.
pub const PENDING_OF_A_DAY: u32 = 100;
/// Maximum number of new pending facts per key and day from calls without a user.
pub const PENDING_OF_NOBODY: i64 = 1_000;

/// Whether a fact has enough contributors for promotion. From then on it also counts against the facts that it contradicts.
#[must_use]
pub fn corroborates(contributors: u32, promote_at: PromoteAt) -> bool {
    promote_at.is_some_and(|needed| contributors >= needed)
}

/// Whether this fact is promoted now. A contradicted fact never is: a person must decide.
#[must_use]
pub fn promotes(status: FactStatus, contributors: u32, contradicted: bool, promote_at: PromoteAt) -> bool {
    status == FactStatus::Pending && !contradicted && corroborates(contributors, promote_at)
}

/// Returns the highest number of contributors that is shown to operators. A number above the threshold decides nothing, and
/// watching it grow would reveal who has just contributed.
#[must_use]
pub fn told_at_most(promote_at: PromoteAt) -> u32 {
    promote_at.unwrap_or(FEWEST).max(FEWEST)
}

/// Number of contributors as shown to operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Voices {
    pub count: u32,
    /// Whether the count is the highest that is shown, so that there may be more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub or_more: bool,
}

impl Voices {
    #[must_use]
    pub fn told(contributors: u32, promote_at: PromoteAt) -> Self {
        let most = told_at_most(promote_at);
        Self { count: contributors.min(most), or_more: contributors >= most }
    }

    /// Returns the number of other contributors beside one of them.
    #[must_use]
    pub fn others(contributors: u32, promote_at: PromoteAt) -> Self {
        let all = Self::told(contributors, promote_at);
        Self { count: all.count.saturating_sub(1), ..all }
    }

    /// `1 contributor`, `2 or more contributors`
    #[must_use]
    pub fn words(&self) -> String {
        let people = if self.count == 1 && !self.or_more { "contributor" } else { "contributors" };
        format!("{self} {people}")
    }
}

impl fmt::Display for Voices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, if self.or_more { " or more" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_told_up_to_what_promotion_asks_for() {
        let told = |n, at| Voices::told(n, at).to_string();
        assert_eq!([0, 1, 2, 3, 90].map(|n| told(n, Some(3))), ["0", "1", "2", "3 or more", "3 or more"]);
        assert_eq!([1, 2, 3].map(|n| told(n, None)), ["1", "2 or more", "2 or more"]);
    }

    #[test]
    fn only_enough_people_and_no_contradiction_promote() {
        use FactStatus::{Approved, Pending, Rejected};
        assert!(promotes(Pending, 2, false, Some(2)));
        assert!(promotes(Pending, 5, false, Some(3)));
        for (status, n, contradicted, at) in [
            (Pending, 1, false, Some(2)),
            (Pending, 9, false, None),
            (Pending, 9, true, Some(2)),
            (Approved, 9, false, Some(2)),
            (Rejected, 9, false, Some(2)),
        ] {
            assert!(!promotes(status, n, contradicted, at));
        }
    }
}
