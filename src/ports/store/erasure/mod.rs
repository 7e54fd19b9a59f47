//! The ledger of erasures, and the rows that an erasure finds and removes. The inventory, and what the engine keeps beside it,
//! define which rows those are. Any code may read the ledger; only custody may write it and erase.

pub mod proof;

use async_trait::async_trait;

use super::StoreError;
use crate::domain::erasure::people::UserId;
use crate::domain::erasure::receipt::{Result as CheckResult, Rows};
use crate::domain::erasure::{ErasureScope, FactCounts, Status, Touched};
use crate::domain::moment::Moment;

/// The user whom an erasure or an export is about.
#[derive(Debug, Clone)]
pub struct Subject {
    pub user: UserId,
    /// Keyed digest of the id.
    pub digest: String,
}

/// Who requested an erasure.
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
    /// Which key made the digest.
    pub key_id: String,
    pub scope: ErasureScope,
    pub reason: String,
    pub by: Orderer,
    pub previewed_at: Moment,
    pub confirmed_at: Moment,
    /// When the rows went; `None`: they are still there, or the receipt is older than this time.
    pub erased_at: Option<Moment>,
    pub finished_at: Option<Moment>,
    pub replayed_at: Option<Moment>,
    pub status: Status,
    /// Verification attempts that could not be finished.
    pub tries: u32,
    /// Known only until the data is erased.
    pub user: Option<UserId>,
}

/// Ids of the team facts that the user had contributed to. They are known until the erasure is proved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactIds {
    pub deleted: Vec<String>,
    pub kept: Vec<String>,
}

/// What erasing leaves for the receipt and the proof.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erased {
    pub rows: Vec<Rows>,
    pub facts: FactIds,
    pub at: Moment,
    /// Fingerprints of the erased data, as [`crate::domain::erasure::fingerprint::Needles::to_bytes`] writes them.
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

/// How a verification ended.
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

/// What one erasure removes.
#[derive(Debug, Clone)]
pub struct Going<'a> {
    /// Its entry in the ledger.
    pub erasure_id: &'a str,
    pub subject: &'a Subject,
    pub scope: ErasureScope,
    /// The user's new epoch.
    pub epoch: i64,
    /// Facts to delete, and facts to keep with one contributor fewer.
    pub gone: &'a [String],
    pub kept: &'a [String],
}

/// Rows by table.
pub type Counts = Vec<(&'static str, u64)>;

#[async_trait]
pub trait LedgerReads: Send + Sync {
    async fn erasure(&self, id: &str) -> Result<Option<Erasure>, StoreError>;

    /// Rows and numbers of facts of the receipt, and every line of its verifications, oldest first.
    async fn erasure_parts(&self, id: &str) -> Result<(Vec<Rows>, FactCounts, Vec<CheckLine>), StoreError>;

    /// The ledger: entries that are not verified first, then newest first.
    async fn list_erasures(&self, skip: u32, limit: u32) -> Result<Vec<Erasure>, StoreError>;

    /// The ledger about one user, newest first.
    async fn erasures_about(&self, user_digest: &str) -> Result<Vec<Erasure>, StoreError>;

    /// Entries whose work is not done, oldest first.
    async fn open_erasures(&self) -> Result<Vec<Erasure>, StoreError>;

    /// The user's epoch, and whether a running erasure blocks writes for this user.
    async fn fence(&self, user_digest: &str) -> Result<(i64, bool), StoreError>;

    async fn count_erasures(&self) -> Result<LedgerCounts, StoreError>;
}

/// What a write must know about erasures that run at the same time.
#[async_trait]
pub trait Fences: Send {
    /// The epoch of this user; 0 before the first erasure.
    async fn epoch(&mut self, user_digest: &str) -> Result<i64, StoreError>;

    /// Like [`LedgerReads::fence`], inside the transaction.
    async fn known_fence(&mut self, user_digest: &str) -> Result<(i64, bool), StoreError>;
}

#[async_trait]
pub trait EraseReads: Send + Sync {
    /// Fingerprints of what an erasure removed; kept until the proof is done.
    async fn needles(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Team facts that an erasure touched; `None`: it is proved, and they are no longer known.
    async fn erased_facts(&self, id: &str) -> Result<Option<FactIds>, StoreError>;
}

#[async_trait]
pub trait EraseWrites: Send {
    /// Raises the user's epoch, which blocks work begun under the old one, and returns it.
    async fn raise_epoch(&mut self, user_digest: &str) -> Result<i64, StoreError>;

    /// Facts that the user contributed to.
    async fn touched_facts(&mut self, user: &UserId) -> Result<Vec<Touched>, StoreError>;

    /// Exact counts of the user's rows and of the rows that depend on facts to be deleted: every table of the inventory that can
    /// hold any, in its order.
    async fn count_held(&mut self, subject: &Subject, gone: &[String]) -> Result<Counts, StoreError>;

    /// Passes every text and blob that an erasure is about to remove to the callback.
    async fn values_to_go(
        &mut self,
        subject: &Subject,
        scope: ErasureScope,
        gone: &[String],
        visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
    ) -> Result<(), StoreError>;

    /// Removes what the inventory lists, removes the user's contributions from facts that stay, withdraws the team part of
    /// waiting exchanges, and notes in the ledger what the engine needs to look for the rows later. Returns what
    /// [`Self::count_held`] counts at this moment.
    async fn erase_rows(&mut self, going: &Going<'_>) -> Result<Counts, StoreError>;

    async fn write_erasure(&mut self, erasure: &Erasure) -> Result<(), StoreError>;

    /// Removes an entry from the ledger before anything was erased. `false`: it is not queued.
    async fn drop_erasure(&mut self, id: &str) -> Result<bool, StoreError>;

    /// `Queued` becomes `Running`: the user id is removed from the ledger and the receipt's numbers are added. `false`: it was
    /// not queued.
    async fn mark_erased(&mut self, id: &str, erased: &Erased) -> Result<bool, StoreError>;

    /// Adds the lines and sets the status; a finished proof also deletes the fingerprints and the ids of facts. `false`: the status has changed.
    async fn conclude(&mut self, id: &str, conclusion: &Conclusion) -> Result<bool, StoreError>;

    /// Deletes receipts finished before this moment. Returns how many.
    async fn purge_erasures(&mut self, before: Moment) -> Result<u64, StoreError>;

    /// Removes a rehearsal that found nothing from the ledger: no real user was erased.
    async fn drop_rehearsal(&mut self, id: &str) -> Result<bool, StoreError>;
}
