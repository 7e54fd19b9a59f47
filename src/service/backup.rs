//! A copy of the whole database, made while it is served. It is consistent and records when it was made and with which key.

use std::path::Path;

use super::audit::{self, Entry};
use super::{Error, Keepsake, Result};
use crate::access::callers::Caller;
use crate::ports::store::atomically;
use crate::ports::store::copies::Label;

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
}
