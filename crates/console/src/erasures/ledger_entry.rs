//! An erasure in a list.

use serde::{Deserialize, Serialize};

use domain::erasure::{ErasureScope, Status};

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    pub id: String,
    /// First letters of the user's keyed digest.
    pub user: String,
    pub scope: ErasureScope,
    pub ticket: String,
    /// `21 Nov 2026, 14:03 UTC`
    pub asked: String,
    pub status: Status,
    pub by: String,
    pub replayed: bool,
}
