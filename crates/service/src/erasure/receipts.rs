//! Receipts: what an erasure removed and what its verification found, with a seal.

use crate::audit::{self, Entry, Why};
use crate::chat::links;
use crate::erasure::Erasures;
use crate::transactions::atomically;
use crate::transactions::in_custody;
use crate::{Error, Result};
use access::callers::{self, Caller};
use access::digest::sha256_hex;
use access::operators::{Manager, Viewer};
use domain::erasure::inventory;
use domain::erasure::people::UserId;
use domain::erasure::receipt::{By, Check, Receipt, RowCounts, SCHEMA, Seal, Stayed, check_words};
use domain::erasure::{ErasureScope, Status};
use domain::moment::Moment;
use domain::problem::{Field, Problem};

pub use ports::store::erasure::Erasure;

/// How long a receipt is kept.
const KEPT_MS: i64 = 3 * 365 * 24 * 60 * 60 * 1000;

/// The day on which a receipt finished at this time is deleted.
#[must_use]
pub fn kept_until(finished: Moment) -> Moment {
    finished.plus_ms(KEPT_MS)
}

impl Erasures {
    /// The receipt, for a program. Another user's receipt is reported as unknown.
    pub async fn receipt(&self, caller: &Caller, id: &str) -> Result<Receipt> {
        caller.needs(callers::Scope::Erase)?;
        let erasure = self.known_erasure(id).await?;
        if caller.bound_to().is_some_and(|own| self.digester.user(own) != erasure.user_digest) {
            return Err(Problem::not_found("erasure").into());
        }
        self.write_receipt(erasure).await
    }

    pub async fn receipt_in_console(&self, _viewer: &Viewer, id: &str) -> Result<Receipt> {
        let erasure = self.known_erasure(id).await?;
        self.write_receipt(erasure).await
    }

    /// Lists the ledger; entries that are not verified come first.
    pub async fn erasures(&self, _viewer: &Viewer, skip: u32, limit: u32) -> Result<Vec<Erasure>> {
        Ok(self.store.list_erasures(skip, limit).await?)
    }

    /// Erasures of one user, for an operator who has the record open.
    pub async fn erasures_of(&self, viewer: &Viewer, user: &UserId) -> Result<Vec<Erasure>> {
        self.people.opened(viewer, user).await?;
        Ok(self.store.erasures_about(&self.digester.user(user)).await?)
    }

    /// Returns the erasures of a user, for an editor who gives a reason; the look-up is logged.
    pub async fn erasures_sought(&self, manager: &Manager, user: &UserId, reason: &str) -> Result<Vec<Erasure>> {
        let reason = self.reader.reason(reason, user).await?;
        let (now, digest) = (self.clock.now(), self.digester.user(user));
        let why = Why { text: reason.as_str().to_owned(), digest: self.digester.reason(reason.as_str()) };
        atomically!(self.store.as_ref(), [digest, why], |tx| {
            let entry = Entry::of(manager, "user.erasure_sought").about(digest);
            Ok(audit::append_with_reason(tx, now, entry, why).await?)
        })
        .await?;
        Ok(self.store.erasures_about(&digest).await?)
    }

    /// The name of an operator, a key or a bot; `None`: it has none.
    pub async fn name_of(&self, _viewer: &Viewer, kind: &str, id: &str) -> Result<Option<String>> {
        Ok(match kind {
            "operator" => self.store.operator(id).await?.map(|operator| operator.name),
            "caller" if id == links::SURFACE => Some(links::BOT_NAME.to_owned()),
            "caller" => self.store.key_names(&[id.to_owned()]).await?.pop().map(|(_, name)| name),
            _ => None,
        })
    }

    /// Returns the description of a check on a receipt; for a check that no longer exists, its name.
    #[must_use]
    pub fn check_words(&self, name: &str, scope: ErasureScope) -> String {
        check_words(name, scope).or_else(|| self.custody.check_words(name)).unwrap_or(name).to_owned()
    }

    /// Verifies an erasure again, for an operator. With the user's id, which no receipt holds, it also queries every read path
    /// and searches for the id; the id must be the one whose digest is on the receipt.
    pub async fn verify_erasure(&self, _manager: &Manager, id: &str, user: Option<&UserId>) -> Result<Status> {
        if let Some(user) = user
            && self.digester.user(user) != self.known_erasure(id).await?.user_digest
        {
            return Err(Problem::invalid(Field::UserId, "is not the one on this receipt").into());
        }
        self.verify_again(id, user).await
    }

    /// Number of ledger entries by status, for the metrics.
    pub async fn erasure_counts(&self) -> Result<Vec<(Status, i64)>> {
        Ok(self.store.count_erasures().await?)
    }

    /// Deletes receipts whose retention has expired.
    pub async fn purge_receipts(&self) -> Result<u64> {
        let before = self.receipts_begin();
        in_custody!(self.custody.as_ref(), |tx| { Ok(tx.purge_erasures(before).await?) }).await
    }

    /// Receipts older than this are deleted.
    pub(super) fn receipts_begin(&self) -> Moment {
        self.clock.now().plus_ms(-KEPT_MS)
    }

    pub(super) async fn write_receipt(&self, erasure: Erasure) -> Result<Receipt> {
        let (tables, facts, lines) = self.store.erasure_parts(&erasure.id).await?;
        let (tables, stayed) = parted(tables, erasure.scope);
        let verification = lines.into_iter().map(|line| Check {
            check: line.name,
            result: line.result,
            detail: line.detail,
            at: line.at.rfc3339(),
        });
        let mut receipt = Receipt {
            schema: SCHEMA,
            id: erasure.id,
            scope: erasure.scope,
            user_id_digest: erasure.user_digest,
            key_id: erasure.key_id,
            reason: erasure.reason,
            by: By { kind: erasure.by.kind, id: erasure.by.id },
            previewed_at: erasure.previewed_at.rfc3339(),
            confirmed_at: erasure.confirmed_at.rfc3339(),
            finished_at: erasure.finished_at.map(Moment::rfc3339),
            erased_at: erasure.erased_at.map(Moment::rfc3339),
            replayed_at: erasure.replayed_at.map(Moment::rfc3339),
            status: erasure.status,
            tables,
            stayed,
            facts,
            verification: verification.collect(),
            seal: None,
        };
        if !receipt.status.is_open() {
            let value = sha256_hex(&serde_json::to_vec(&receipt).map_err(Error::failed)?);
            receipt.seal = Some(Seal { alg: "sha256".to_owned(), value });
        }
        Ok(receipt)
    }
}

/// Splits the counts into tables whose rows were deleted, and tables whose rows the scope leaves.
fn parted(rows: Vec<RowCounts>, scope: ErasureScope) -> (Vec<RowCounts>, Vec<Stayed>) {
    let stays = |rows: &RowCounts| inventory::table(&rows.name).is_some_and(|table| table.stays(scope));
    let (stayed, gone): (Vec<RowCounts>, Vec<RowCounts>) = rows.into_iter().partition(stays);
    (gone, stayed.into_iter().map(|rows| Stayed { name: rows.name, rows: rows.left }).collect())
}
