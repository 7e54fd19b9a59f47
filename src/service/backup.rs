//! A copy of the whole database, made while it is served. It is consistent and records when it was made and with which key.

use std::path::Path;

use super::audit::{self, Entry};
use super::erase::LedgerLine;
use super::{Error, Keepsake, Result};
use crate::access::callers::Caller;
use crate::ports::store::copies::Label;
use crate::ports::store::erasures::Erasure;
use crate::ports::store::{Store, atomically};

/// Ledger entries read per batch.
const AT_ONCE: u32 = 500;

/// The contents of a copy.
pub struct BackedUp {
    /// RFC 3339.
    pub at: String,
    pub key_id: String,
    /// Number of ledger entries in it.
    pub erasures: i64,
}

impl Keepsake {
    /// Writes the copy.
    pub async fn back_up(&self, caller: &Caller, file: &Path) -> Result<BackedUp> {
        let now = self.clock.now();
        let entry = Entry { actor: caller.into(), action: "database.backed_up", target: None, user_digest: None, detail: None };
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let entry = entry.clone();
            Box::pin(async move { Ok(audit::append(tx, now, entry).await?) })
        })
        .await?;
        let label = Label { at: now.rfc3339(), key_id: self.digester.key_id() };
        self.custody.copy_to(file, &label).await?;
        let erasures = self.store.count_erasures().await?.into_iter().map(|(_, count)| count).sum();
        Ok(BackedUp { at: label.at, key_id: label.key_id, erasures })
    }

    /// The ledger of a database as the lines of a ledger file.
    pub async fn ledger_lines(store: &dyn Store) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for skip in (0..).step_by(AT_ONCE as usize) {
            let erasures = store.list_erasures(skip, AT_ONCE).await?;
            let last = erasures.len() < AT_ONCE as usize;
            for erasure in &erasures {
                lines.push(serde_json::to_string(&LedgerLine::of(erasure, false)).map_err(Error::failed)?);
            }
            if last {
                break;
            }
        }
        Ok(lines)
    }
}

impl LedgerLine {
    pub(super) fn of(erasure: &Erasure, void: bool) -> Self {
        Self {
            id: erasure.id.clone(),
            void,
            user_id_digest: erasure.user_digest.clone(),
            key_id: erasure.key_id.clone(),
            scope: erasure.scope,
            reason: erasure.reason.clone(),
            by_kind: erasure.by.kind.clone(),
            by_id: erasure.by.id.clone(),
            confirmed_at: erasure.confirmed_at,
        }
    }
}
