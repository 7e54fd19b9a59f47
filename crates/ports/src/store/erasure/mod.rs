//! The ledger of erasures, and the rows that an erasure finds and removes: those that the inventory lists, and those that the
//! engine derives from them. Any code may read the ledger; only custody may write it and erase.

pub mod proof;

use async_trait::async_trait;

use super::StoreError;
use domain::erasure::people::UserId;
use domain::erasure::receipt::{CheckResult, RowCounts};
use domain::erasure::{ContributedFact, ErasureScope, FactCounts, Status};
use domain::moment::Moment;

/// The user of an erasure or an export.
#[derive(Debug, Clone)]
pub struct Subject {
    pub user: UserId,
    /// Keyed digest of the id.
    pub digest: String,
}

/// The actor who requested an erasure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orderer {
    /// `operator`, `caller`, `cli` or `system`.
    pub kind: String,
    pub id: String,
}

/// An entry of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    pub id: String,
    pub user_digest: String,
    /// Id of the ledger key that made the digest.
    pub key_id: String,
    pub scope: ErasureScope,
    pub reason: String,
    pub by: Orderer,
    pub previewed_at: Moment,
    pub confirmed_at: Moment,
    /// When the rows were deleted; `None`: not yet, or the receipt is older than this field.
    pub erased_at: Option<Moment>,
    pub finished_at: Option<Moment>,
    pub replayed_at: Option<Moment>,
    pub status: Status,
    /// Verification attempts that could not be finished.
    pub tries: u32,
    /// Known only until the data is erased.
    pub user: Option<UserId>,
}

/// Ids of the team facts that the user contributed to. Known until the erasure is verified.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactIds {
    pub deleted: Vec<String>,
    pub kept: Vec<String>,
}

/// Results of an erasure, for the receipt and the verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erased {
    pub rows: Vec<RowCounts>,
    pub facts: FactIds,
    pub at: Moment,
    /// Fingerprints of the erased data, as [`domain::erasure::fingerprint::Needles::to_bytes`] writes them.
    pub needles: Vec<u8>,
}

/// A line of the verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckLine {
    pub name: String,
    pub result: CheckResult,
    /// Numbers and names of tables and files, never the text that was searched for.
    pub detail: String,
    pub at: Moment,
}

/// Outcome of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conclusion {
    /// The status when the verification began; if it has changed since, nothing is written.
    pub from: Status,
    pub to: Status,
    pub tries: u32,
    pub lines: Vec<CheckLine>,
    pub at: Moment,
}

/// Number of ledger entries by status.
pub type LedgerCounts = Vec<(Status, i64)>;

/// Parameters of the deletion for one erasure.
#[derive(Debug, Clone)]
pub struct Going<'a> {
    /// Its entry in the ledger.
    pub erasure_id: &'a str,
    pub subject: &'a Subject,
    pub scope: ErasureScope,
    /// The user's new epoch.
    pub epoch: i64,
    /// Facts to delete, and (`kept`) facts that lose one contributor.
    pub gone: &'a [String],
    pub kept: &'a [String],
}

/// Rows by table.
pub type Counts = Vec<(&'static str, u64)>;

#[async_trait]
pub trait LedgerReads: Send + Sync {
    async fn erasure(&self, id: &str) -> Result<Option<Erasure>, StoreError>;

    /// Rows and fact counts of the receipt, and every line of its verifications, oldest first.
    async fn erasure_parts(&self, id: &str) -> Result<(Vec<RowCounts>, FactCounts, Vec<CheckLine>), StoreError>;

    /// The ledger: entries that are not verified first, then newest first.
    async fn list_erasures(&self, skip: u32, limit: u32) -> Result<Vec<Erasure>, StoreError>;

    /// The ledger about one user, newest first.
    async fn erasures_about(&self, user_digest: &str) -> Result<Vec<Erasure>, StoreError>;

    /// Entries that are not finished, oldest first.
    async fn open_erasures(&self) -> Result<Vec<Erasure>, StoreError>;

    /// The user's epoch, and whether a running erasure blocks writes for this user.
    async fn fence(&self, user_digest: &str) -> Result<(i64, bool), StoreError>;

    async fn count_erasures(&self) -> Result<LedgerCounts, StoreError>;
}

/// Reads about concurrent erasures, for writes.
#[async_trait]
pub trait Fences: Send {
    /// The epoch of this user; 0 before the first erasure.
    async fn epoch(&mut self, user_digest: &str) -> Result<i64, StoreError>;

    /// Like [`LedgerReads::fence`], inside the transaction.
    async fn known_fence(&mut self, user_digest: &str) -> Result<(i64, bool), StoreError>;
}

#[async_trait]
pub trait EraseReads: Send + Sync {
    /// Fingerprints of erased data; kept until the verification is finished.
    async fn needles(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Team facts that an erasure touched; `None`: it is verified, and they are no longer known.
    async fn erased_facts(&self, id: &str) -> Result<Option<FactIds>, StoreError>;
}

#[async_trait]
pub trait EraseWrites: Send {
    /// Raises the user's epoch, which blocks work begun under the old one, and returns it.
    async fn raise_epoch(&mut self, user_digest: &str) -> Result<i64, StoreError>;

    /// Facts that the user contributed to.
    async fn touched_facts(&mut self, user: &UserId) -> Result<Vec<ContributedFact>, StoreError>;

    /// Exact counts of the user's rows and of the rows that depend on facts to be deleted, for every table of the inventory that
    /// can hold any, in its order.
    async fn count_held(&mut self, subject: &Subject, gone: &[String]) -> Result<Counts, StoreError>;

    /// Passes every text and blob that an erasure is about to remove to the callback.
    async fn values_to_go(
        &mut self,
        subject: &Subject,
        scope: ErasureScope,
        gone: &[String],
        visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
    ) -> Result<(), StoreError>;

    /// Deletes the rows that the inventory lists, removes the user's contributions from the remaining facts, withdraws the team
    /// part of queued exchanges, and records in the ledger the data with which the engine finds leftover rows later. Returns the
    /// counts of [`Self::count_held`] at this moment.
    async fn erase_rows(&mut self, going: &Going<'_>) -> Result<Counts, StoreError>;

    async fn write_erasure(&mut self, erasure: &Erasure) -> Result<(), StoreError>;

    /// Removes an entry from the ledger before anything was erased. `false`: it is not queued.
    async fn drop_erasure(&mut self, id: &str) -> Result<bool, StoreError>;

    /// Changes `Queued` to `Running`: removes the user id from the ledger and adds the receipt's numbers. `false`: it was not
    /// queued.
    async fn mark_erased(&mut self, id: &str, erased: &Erased) -> Result<bool, StoreError>;

    /// Adds the lines and sets the status; a finished verification also deletes the fingerprints and the ids of facts. `false`:
    /// the status has changed.
    async fn conclude(&mut self, id: &str, conclusion: &Conclusion) -> Result<bool, StoreError>;

    /// Deletes receipts finished before this moment. Returns how many.
    async fn purge_erasures(&mut self, before: Moment) -> Result<u64, StoreError>;

    /// Deletes the ledger entry of a rehearsal that found nothing: no real user was erased.
    async fn drop_rehearsal(&mut self, id: &str) -> Result<bool, StoreError>;
}
