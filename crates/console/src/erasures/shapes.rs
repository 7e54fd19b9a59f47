//! Erasures: the preview, its confirmation, the ledger and the receipts.
//!
//! The preview is the only page that shows a user together with team facts; a receipt holds only a keyed digest of the user.

use serde::{Deserialize, Serialize};

use crate::erasures::ledger_entry::LedgerEntry;
use crate::users::shapes::Head;
use domain::erasure::receipt::{CheckResult, Receipt};
use domain::erasure::{Disposition, ErasureScope, FactCounts};
use domain::facts::fact::FactStatus;
use domain::facts::promotion::Voices;
use domain::problem::Problem;

/// Rows of one table that an erasure finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedTable {
    /// The table's name in the database.
    pub name: String,
    /// `Personal memories`
    pub what: String,
    pub rows: u64,
    pub result: Disposition,
    /// More about the result: `1 approved, 2 pending`
    pub note: String,
}

/// A main line of the preview: one table, or several that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headline {
    /// `Personal memories`
    pub what: String,
    pub tables: Vec<String>,
    pub rows: u64,
    /// The number in the previous preview, if it differs.
    pub was: Option<u64>,
    pub result: Disposition,
    pub note: String,
}

/// A refused order: the problem, and the input as typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedOrder {
    pub problem: Problem,
    pub ticket: String,
    pub typed_id: String,
    /// The counts that the operator had seen.
    pub was: String,
}

/// A team fact that the user contributed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureFactRow {
    pub id: String,
    pub content: String,
    pub status: FactStatus,
    /// Number of other contributors.
    pub others: Voices,
    pub goes: bool,
}

/// The preview of an erasure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub user: String,
    pub scope: ErasureScope,
    /// `14:02:11`
    pub counted_at: String,
    pub token: String,
    /// The main lines; lines without rows are left out.
    pub headlines: Vec<Headline>,
    /// Every table that no headline shows.
    pub others: Vec<Headline>,
    /// Counts as the form sends them: `memories=214 contributions=11`.
    pub shown: String,
    pub tables: Vec<CountedTable>,
    pub counts: FactCounts,
    pub facts: Vec<ErasureFactRow>,
    /// Reason given for opening the record.
    pub ticket: String,
    /// Confirming asks for the operator's password.
    pub asks_password: bool,
    /// An unfinished erasure of the same user; no other can begin until it is done.
    pub running: Option<LedgerEntry>,
    /// Present if this page answers a refused order.
    pub refused: Option<RefusedOrder>,
}

/// The question whether a user was erased, as typed, and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookedUp {
    pub user: String,
    pub reason: String,
    pub outcome: Result<Vec<LedgerEntry>, Problem>,
}

/// A page of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    pub may_manage: bool,
    /// Present if this page answers the question.
    pub looked_up: Option<LookedUp>,
    pub rows: Vec<LedgerEntry>,
    /// The page number from 1, and whether there is a next page.
    pub page: u32,
    pub more: bool,
}

/// Erasures of one user, in the user's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfUser {
    pub head: Head,
    pub rows: Vec<LedgerEntry>,
}

/// A check of the newest verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerificationCheck {
    pub words: String,
    pub result: CheckResult,
    pub detail: String,
}

/// A check that a verification could not make, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    pub words: String,
    pub why: String,
}

/// One step of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureStep {
    pub words: String,
    /// `214 of 214`
    pub count: Option<String>,
    /// `done`, `running` or `waiting`
    pub state: String,
    /// `14:03:41 UTC`; `None`: not yet, or not recorded.
    pub at: Option<String>,
    /// `1.9 s`, since the step before it.
    pub took: Option<String>,
}

/// A receipt, with the words that its page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedReceipt {
    pub receipt: Receipt,
    /// Description of each row of the receipt, in the same order.
    pub whats: Vec<String>,
    /// Tables whose rows the scope leaves: description, name of the table, and number of rows.
    pub stayed: Vec<(String, String, String)>,
    /// `9 personal memories and 27 messages stay`; `None`: the scope leaves nothing.
    pub stays: Option<String>,
    /// The product with its version, the address of the server, and when this page was made, for the printed page.
    pub product: String,
    pub server: String,
    pub made: String,
    pub by: String,
    /// The operator's or the key's id.
    pub by_id: String,
    pub previewed: String,
    pub confirmed: String,
    pub erased: Option<String>,
    pub finished: Option<String>,
    pub replayed: Option<String>,
    /// `2 s`
    pub took: Option<String>,
    pub steps: Vec<ErasureStep>,
    /// Time of the newest verification, and its findings.
    pub checked_at: Option<String>,
    pub checks: Vec<VerificationCheck>,
    /// Times of earlier verifications.
    pub earlier: Vec<String>,
    /// Checks of an earlier verification that the newest one could not repeat.
    pub skipped: Vec<NotRun>,
    /// The checks that another verification cannot repeat.
    pub only_once: Vec<NotRun>,
    pub kept_until: String,
    pub may_verify: bool,
}

/// The path of a receipt.
#[must_use]
pub fn receipt_path(id: &str) -> String {
    format!("/manage/erasures/{id}")
}
