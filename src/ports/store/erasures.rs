//! The ledger of erasures, and the rows that one finds and removes. Which rows those are is said by the inventory, and by what
//! the engine keeps beside it. Everybody may read the ledger; writing it and erasing is custody.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::erasure::{Scope, Status, Touched};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::receipt::{Facts, Result as CheckResult, Rows};

/// Whom an erasure or an export is about.
#[derive(Debug, Clone)]
pub struct Subject {
    pub user: UserId,
    /// Keyed digest of the id.
    pub digest: String,
}

/// Who asked for an erasure.
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
    pub scope: Scope,
    pub reason: String,
    pub by: Orderer,
    pub previewed_at: Moment,
    pub confirmed_at: Moment,
    pub finished_at: Option<Moment>,
    pub replayed_at: Option<Moment>,
    pub status: Status,
    /// Verifications that could not be finished.
    pub tries: u32,
    /// Known only while nothing is erased yet.
    pub user: Option<UserId>,
}

/// What erasing left for the receipt and the proof.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erased {
    pub rows: Vec<Rows>,
    pub facts: Facts,
    /// Fingerprints of what went, as [`crate::domain::fingerprint::Needles::to_bytes`] writes them.
    pub needles: Vec<u8>,
}

/// A line of the verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckLine {
    pub name: String,
    pub result: CheckResult,
    /// Numbers and names of tables and files, never what was looked for.
    pub detail: String,
    pub at: Moment,
}

/// How a verification ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conclusion {
    /// The status that was seen when it began; another one by now wins.
    pub from: Status,
    pub to: Status,
    pub tries: u32,
    pub lines: Vec<CheckLine>,
    pub at: Moment,
}

/// How many entries of the ledger have a status.
pub type LedgerCounts = Vec<(Status, i64)>;

/// What one erasure removes.
#[derive(Debug, Clone)]
pub struct Going<'a> {
    /// Its entry in the ledger.
    pub erasure_id: &'a str,
    pub subject: &'a Subject,
    pub scope: Scope,
    /// The user's epoch from now on.
    pub epoch: i64,
    /// Facts that go, and facts that stay with one contributor fewer.
    pub gone: &'a [String],
    pub kept: &'a [String],
}

/// Rows by table.
pub type Counts = Vec<(&'static str, u64)>;

#[async_trait]
pub trait LedgerReads: Send + Sync {
    async fn erasure(&self, id: &str) -> Result<Option<Erasure>, StoreError>;

    /// Rows and facts of the receipt, and every line of its verifications, oldest first.
    async fn erasure_parts(&self, id: &str) -> Result<(Vec<Rows>, Facts, Vec<CheckLine>), StoreError>;

    /// The ledger, anything that is not verified first, then newest first.
    async fn list_erasures(&self, skip: u32, limit: u32) -> Result<Vec<Erasure>, StoreError>;

    /// The ledger about one user, newest first.
    async fn erasures_about(&self, user_digest: &str) -> Result<Vec<Erasure>, StoreError>;

    /// Entries whose work is not done, oldest first.
    async fn open_erasures(&self) -> Result<Vec<Erasure>, StoreError>;

    /// The user's epoch, and whether an erasure of him fences writes.
    async fn fence(&self, user_digest: &str) -> Result<(i64, bool), StoreError>;

    async fn count_erasures(&self) -> Result<LedgerCounts, StoreError>;
}

/// What a write must know of erasures that run beside it.
#[async_trait]
pub trait Fences: Send {
    /// The epoch of this user; 0 before the first erasure.
    async fn epoch(&mut self, user_digest: &str) -> Result<i64, StoreError>;

    /// As [`LedgerReads::fence`], inside the transaction.
    async fn known_fence(&mut self, user_digest: &str) -> Result<(i64, bool), StoreError>;
}

#[async_trait]
pub trait EraseReads: Send + Sync {
    /// Fingerprints of what an erasure took, until its absence is proved.
    async fn needles(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError>;
}

#[async_trait]
pub trait EraseWrites: Send {
    /// Fences what began before: raises the user's epoch and returns it.
    async fn raise_epoch(&mut self, user_digest: &str) -> Result<i64, StoreError>;

    /// Facts that the user contributed to.
    async fn touched_facts(&mut self, user: &UserId) -> Result<Vec<Touched>, StoreError>;

    /// Exact numbers of the user's rows, and of those that hang on facts that go: every table of the inventory that can
    /// hold any, in its order.
    async fn count_held(&mut self, subject: &Subject, gone: &[String]) -> Result<Counts, StoreError>;

    /// Shows every text and blob that an erasure is about to remove.
    async fn values_to_go(
        &mut self,
        subject: &Subject,
        scope: Scope,
        gone: &[String],
        visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
    ) -> Result<(), StoreError>;

    /// Removes what the inventory says, counts the user out of facts that stay, takes the team's half out of exchanges that
    /// wait, and notes in the ledger what the engine needs to look for the rows later. Returns what [`Self::count_held`] counts
    /// now.
    async fn erase_rows(&mut self, going: &Going<'_>) -> Result<Counts, StoreError>;

    async fn write_erasure(&mut self, erasure: &Erasure) -> Result<(), StoreError>;

    /// Takes an entry back out of the ledger before anything was erased. `false`: it is not queued.
    async fn drop_erasure(&mut self, id: &str) -> Result<bool, StoreError>;

    /// `Queued` becomes `Running`: the id goes out of the ledger, the receipt's numbers come in. `false`: it was not queued.
    async fn mark_erased(&mut self, id: &str, erased: &Erased) -> Result<bool, StoreError>;

    /// Adds the lines and sets the status; fingerprints go with the proof. `false`: the status was another one.
    async fn conclude(&mut self, id: &str, conclusion: &Conclusion) -> Result<bool, StoreError>;

    /// Deletes receipts that were finished before this moment. Returns how many.
    async fn purge_erasures(&mut self, before: Moment) -> Result<u64, StoreError>;

    /// Takes a rehearsal that found nothing out of the ledger: nobody was erased.
    async fn drop_rehearsal(&mut self, id: &str) -> Result<bool, StoreError>;
}
