//! Backs up the whole database while it is served: the copy is consistent, and records its time and its key. Also deletes the
//! database that a restore replaced, which is kept for a while.

use std::path::Path;

use crate::Result;
use crate::audit::{self, Entry};
use crate::database::Database;
use crate::transactions::atomically;
use access::callers::Caller;
use domain::moment::{MINUTE_MS, Moment};
use ports::store::copies::Label;

/// The contents of a copy.
pub struct BackedUp {
    /// RFC 3339.
    pub at: String,
    pub key_id: String,
    /// Number of ledger entries in it.
    pub erasures: i64,
}

/// Time for which a restored database is served before the one that it replaced is deleted.
const SERVED_MS: i64 = 60 * MINUTE_MS;

impl Database {
    /// Deletes the database that a restore replaced, if its successor has been served for an hour since `since` and is undamaged.
    pub async fn purge_replaced(&self, since: Moment) -> Result<()> {
        if self.damage().is_none() && self.clock.now().0 - since.0 >= SERVED_MS && self.custody.drop_replaced().await? {
            tracing::info!("the database that was replaced by a restore is deleted");
        }
        Ok(())
    }

    /// Writes a backup to this file.
    pub async fn back_up(&self, caller: &Caller, file: &Path) -> Result<BackedUp> {
        let now = self.clock.now();
        let entry = Entry::of(caller, "database.backed_up");
        atomically!(self.store.as_ref(), [entry = entry.clone()], |tx| { Ok(audit::append(tx, now, entry).await?) }).await?;
        let label = Label { at: now.rfc3339(), key_id: self.digester.key_id() };
        self.custody.copy_to(file, &label).await?;
        let erasures = self.store.count_erasures().await?.into_iter().map(|(_, count)| count).sum();
        Ok(BackedUp { at: label.at, key_id: label.key_id, erasures })
    }
}
