//! The ledger of erasures, and the rows that one finds and removes. Which rows those are is said by the inventory alone.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::erasure::{Scope, Status, Touched};
use crate::domain::fact::FactStatus;
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
    /// The number that the user had; numbers are never given out twice.
    pub user_no: Option<i64>,
}

/// What erasing left for the receipt and the proof.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erased {
    pub user_no: Option<i64>,
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

/// A team fact in a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedFact {
    pub id: String,
    pub content: String,
    pub status: FactStatus,
    pub contributors: u32,
}

/// A stored value on its way into an export. Vectors are never exported.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

/// The exported rows of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    pub table: &'static str,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

/// How many entries of the ledger have a status.
pub type LedgerCounts = Vec<(Status, i64)>;

#[async_trait]
pub trait ErasureReads: Send + Sync {
    async fn erasure(&self, id: &str) -> Result<Option<Erasure>, StoreError>;

    /// Rows and facts of the receipt, and every line of its verifications, oldest first.
    async fn erasure_parts(&self, id: &str) -> Result<(Vec<Rows>, Facts, Vec<CheckLine>), StoreError>;

    /// The ledger, anything that is not verified first, then newest first.
    async fn list_erasures(&self, skip: u32, limit: u32) -> Result<Vec<Erasure>, StoreError>;

    /// The ledger about one user, newest first.
    async fn erasures_about(&self, user_digest: &str) -> Result<Vec<Erasure>, StoreError>;

    /// Entries whose work is not done, oldest first.
    async fn open_erasures(&self) -> Result<Vec<Erasure>, StoreError>;

    async fn count_erasures(&self) -> Result<LedgerCounts, StoreError>;

    async fn needles(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// The user's epoch, and whether an erasure of him fences writes.
    async fn fence(&self, user_digest: &str) -> Result<(i64, bool), StoreError>;

    /// Everything that the inventory gives out about one user.
    async fn held(&self, subject: &Subject) -> Result<Vec<Held>, StoreError>;

    /// Ids of all users after this one, in order.
    async fn user_ids(&self, after: &str, limit: u32) -> Result<Vec<UserId>, StoreError>;

    /// Facts that the user contributed to, with their texts, in the order of their ids.
    async fn touched_with_texts(&self, user: &UserId) -> Result<Vec<TouchedFact>, StoreError>;
}

#[async_trait]
pub trait ErasureWrites: Send {
    /// As [`ErasureReads::fence`], inside the transaction.
    async fn known_fence(&mut self, user_digest: &str) -> Result<(i64, bool), StoreError>;

    /// Facts that the user contributed to.
    async fn touched_facts(&mut self, user: &UserId) -> Result<Vec<Touched>, StoreError>;

    /// Exact numbers of the user's rows, and of those that hang on facts that go: every table of the inventory that can
    /// hold any, in its order. `number` finds rows of a user who has gone already.
    async fn count_held(
        &mut self,
        subject: &Subject,
        number: Option<i64>,
        gone: &[String],
    ) -> Result<Vec<(&'static str, u64)>, StoreError>;

    /// Shows every text and blob that an erasure is about to remove.
    async fn values_to_go(
        &mut self,
        subject: &Subject,
        scope: Scope,
        gone: &[String],
        visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
    ) -> Result<(), StoreError>;

    /// Removes what the inventory says, counts the user out of facts that stay, and takes the team's half out of exchanges
    /// that wait. Returns the number that the user had.
    async fn erase_rows(
        &mut self,
        subject: &Subject,
        scope: Scope,
        epoch: i64,
        gone: &[String],
        kept: &[String],
    ) -> Result<Option<i64>, StoreError>;

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

    /// Whether the team's half of a waiting exchange was withdrawn, and its epoch now. `None`: it is not there.
    async fn exchange_terms(&mut self, id: &str) -> Result<Option<(i64, bool)>, StoreError>;
}
