//! The proof of an erasure: numbers, and what was checked. No text, no address, no fact, and the user only as a keyed digest.

use serde::{Deserialize, Serialize};

use super::erasure::{ErasureScope, FactCounts, Status};

/// Version of the JSON below.
pub const SCHEMA: u32 = 2;

/// Who requested it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct By {
    /// `operator`, `caller`, `cli` or `system`
    pub kind: String,
    pub id: String,
}

/// One table: rows found, rows removed, and rows left when it was read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    pub name: String,
    pub before: u64,
    pub removed: u64,
    pub left: u64,
}

/// What a check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Result {
    Passed,
    Failed,
    /// The check could not be made now.
    Impossible,
}

impl Result {
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
    pub result: Result,
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

/// The first check of every verification.
pub const FIRST_CHECK: &str = "rows";

/// The check that searches values for the fingerprints.
pub const TEXT_CHECK: &str = "text";

/// Checks that need the list of facts or the fingerprints. Both are deleted when a verification passes, so a later one leaves
/// these out.
pub const ONCE: [&str; 3] = ["gate", TEXT_CHECK, "files"];

/// Those of [`ONCE`] that need the fingerprints. With the id of the user, they are made again for the id alone.
pub const NEED_FINGERPRINTS: [&str; 2] = [TEXT_CHECK, "files"];

/// Why a later verification leaves a check of [`ONCE`] out, for people.
#[must_use]
pub fn why_once(check: &str) -> &'static str {
    if NEED_FINGERPRINTS.contains(&check) {
        "The fingerprints of what was erased were deleted when it passed. With the user id, the id itself is looked for again."
    } else {
        "The list of those facts was deleted when it passed."
    }
}

/// The description of a check that every verification makes; `None`: the check is an engine's own.
#[must_use]
pub fn check_words(name: &str) -> Option<&'static str> {
    CHECKS.iter().find(|(check, _)| *check == name).map(|(_, words)| *words)
}

/// The position of a check in a verification.
#[must_use]
pub fn check_place(name: &str) -> usize {
    CHECKS.iter().position(|(check, _)| *check == name).unwrap_or(CHECKS.len())
}

/// Shows that the receipt was not changed: hex SHA-256 over its JSON without this member.
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
    /// When the rows went; absent from receipts that are older than this member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<String>,
    /// When the erasure was repeated from the ledger, because an older backup was restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed_at: Option<String>,
    pub status: Status,
    pub tables: Vec<Rows>,
    /// Team facts that lost their last contributor, and those that stay. Which ones they are is not recorded: with the audit
    /// log it would tell what the user had said.
    pub facts: FactCounts,
    pub verification: Vec<Check>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}
