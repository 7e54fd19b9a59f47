//! Receipt of an erasure: row counts and the results of the checks. It holds no text, no address and no fact, and the user only
//! as a keyed digest.

use serde::{Deserialize, Serialize};

use crate::erasure::{ErasureScope, FactCounts, Status};

/// Version of the JSON below.
pub const SCHEMA: u32 = 2;

/// The requester of an erasure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct By {
    /// `operator`, `caller`, `cli` or `system`
    pub kind: String,
    pub id: String,
}

/// One table: rows found, rows removed, and rows left when it was read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    pub name: String,
    pub before: u64,
    pub removed: u64,
    pub left: u64,
}

/// One table with the number of the user's rows that the scope leaves in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stayed {
    pub name: String,
    pub rows: u64,
}

/// Outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    Passed,
    Failed,
    /// The check could not be made now.
    Impossible,
}

impl CheckResult {
    pub const ALL: [Self; 3] = [Self::Passed, Self::Failed, Self::Impossible];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Impossible => "impossible",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.as_str() == name)
    }
}

/// One line of the verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub check: String,
    pub result: CheckResult,
    pub detail: String,
    /// RFC 3339.
    pub at: String,
}

/// The checks of every verification, in order, described for people. An engine adds its own after them.
pub const CHECKS: &[(&str, &str)] = &[
    (FIRST_CHECK, "No row in any table holds this user"),
    ("reads", "Every way of reading returns nothing"),
    ("facts", "No team fact was left without a contributor"),
    ("gate", "Facts that stayed pass the personal-data filter"),
    ("memory", "Nothing is left in memory"),
    (TEXT_CHECK, "No text or blob holds the id, or words of what went"),
];

/// Descriptions of these checks for an erasure of contributions: the rest of the user's data stays, so no check says that it is
/// gone.
const OF_CONTRIBUTIONS: &[(&str, &str)] = &[
    (FIRST_CHECK, "No contribution of this user to a team fact is left"),
    ("memory", "Nothing of the contributions is left in memory"),
    (TEXT_CHECK, "No text or blob, outside what stays, holds words of the contributions"),
    ("files", "No file of the data folder, outside what stays, holds words of the contributions"),
];

/// The first check of every verification.
pub const FIRST_CHECK: &str = "rows";

/// The check that searches values for the fingerprints.
pub const TEXT_CHECK: &str = "text";

/// Checks that need the list of facts or the fingerprints. Both are deleted when a verification passes, so a later one skips
/// these.
pub const ONCE: [&str; 3] = ["gate", TEXT_CHECK, "files"];

/// Checks of [`ONCE`] that need the fingerprints. A later verification with the user id makes them again for the id alone.
pub const NEED_FINGERPRINTS: [&str; 2] = [TEXT_CHECK, "files"];

/// Returns the reason, for people, why a later verification skips a check of [`ONCE`]. After an erasure of contributions the id
/// is not searched for either, because other data of the user stays.
#[must_use]
pub fn why_once(check: &str, scope: ErasureScope) -> &'static str {
    match (NEED_FINGERPRINTS.contains(&check), scope) {
        (true, ErasureScope::Everything) => {
            "The fingerprints of what was erased were deleted when it passed. With the user id, the id itself is looked for again."
        }
        (true, ErasureScope::Contributions) => "The fingerprints of what was erased were deleted when it passed.",
        (false, _) => "The list of those facts was deleted when it passed.",
    }
}

/// Returns the description of a check that every verification makes; `None`: the check is an engine's own, and its description
/// does not depend on the scope.
#[must_use]
pub fn check_words(name: &str, scope: ErasureScope) -> Option<&'static str> {
    let narrower = match scope {
        ErasureScope::Everything => &[],
        ErasureScope::Contributions => OF_CONTRIBUTIONS,
    };
    narrower.iter().chain(CHECKS).find(|(check, _)| *check == name).map(|(_, words)| *words)
}

/// The position of a check in a verification.
#[must_use]
pub fn check_place(name: &str) -> usize {
    CHECKS.iter().position(|(check, _)| *check == name).unwrap_or(CHECKS.len())
}

/// Integrity seal of a receipt: hex SHA-256 over its JSON without this member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    pub alg: String,
    pub value: String,
}

/// A receipt. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub schema: u32,
    pub id: String,
    pub scope: ErasureScope,
    /// HMAC-SHA-256 of the user id under the key in `ledger.key`.
    pub user_id_digest: String,
    /// The id of that key.
    pub key_id: String,
    pub reason: String,
    pub by: By,
    pub previewed_at: String,
    pub confirmed_at: String,
    pub finished_at: Option<String>,
    /// When the rows were deleted; absent from receipts that are older than this member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<String>,
    /// When the erasure was repeated from the ledger, because an older backup was restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed_at: Option<String>,
    pub status: Status,
    pub tables: Vec<RowCounts>,
    /// Rows of the user that the scope left in place at the erasure; absent if there are none, and from receipts that are older
    /// than this member.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stayed: Vec<Stayed>,
    /// Numbers of team facts that were deleted and that stay. Their ids are not recorded: with the audit log they would reveal
    /// what the user had said.
    pub facts: FactCounts,
    pub verification: Vec<Check>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_check_of_contributions_says_that_the_user_is_gone() {
        let words = |name: &str, scope| check_words(name, scope).unwrap_or_default();
        assert_eq!(words(FIRST_CHECK, ErasureScope::Everything), "No row in any table holds this user");
        for name in [FIRST_CHECK, "memory", TEXT_CHECK, "files"] {
            assert!(words(name, ErasureScope::Contributions).contains("contribution"), "{name}");
        }
        assert_eq!(words("facts", ErasureScope::Contributions), words("facts", ErasureScope::Everything));
        assert_eq!(check_words("files", ErasureScope::Everything), None, "the engine's own");
    }
}
