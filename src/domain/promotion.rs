//! When a fact leaves the quarantine without an operator.

use super::fact::FactStatus;

/// Number of distinct people at which a pending fact is promoted; `None`: never.
pub type PromoteAt = Option<u32>;

/// New candidates that one message may bring. More than that is a document and not something learned in passing.
pub const CANDIDATES_OF_A_MESSAGE: usize = 5;
/// New pending facts that one user may bring on one day.
pub const PENDING_OF_A_DAY: u32 = 100;
/// New pending facts that one key may bring on one day without a user.
pub const PENDING_OF_NOBODY: i64 = 1_000;

/// Whether enough people have said a fact. From then on it also counts against the facts that it contradicts.
#[must_use]
pub fn corroborates(contributors: u32, promote_at: PromoteAt) -> bool {
    promote_at.is_some_and(|needed| contributors >= needed)
}

/// Whether this fact is promoted now. A contradicted fact never is: a person must decide.
#[must_use]
pub fn promotes(status: FactStatus, contributors: u32, contradicted: bool, promote_at: PromoteAt) -> bool {
    status == FactStatus::Pending && !contradicted && corroborates(contributors, promote_at)
}

#[cfg(test)]
mod tests {
    use super::*;

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
