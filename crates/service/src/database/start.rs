//! Checks that a database and its embedder belong together, before anything is served.

use crate::Result;
use crate::audit::{self, Actor, Entry};
use crate::database::Database;
use crate::error::chain;
use crate::transactions::atomically;
use crate::transactions::in_custody;
use ports::embedder::EmbedderId;
use ports::store::custody::Custody;

/// The note that names the key of a database's digests.
const KEY_ID: &str = "ledger.key_id";

/// The id of the key that made the digests of this database; `None`: it has none yet.
pub async fn key_of(custody: &dyn Custody) -> Result<Option<String>> {
    Ok(custody.note(KEY_ID).await?)
}

/// Records the key of a database's digests.
pub async fn name_key(custody: &dyn Custody, id: &str) -> Result<()> {
    in_custody!(custody, |tx| { Ok(tx.set_note(KEY_ID, id).await?) }).await
}

/// The result of the check.
#[derive(Debug, PartialEq, Eq)]
pub enum Match {
    /// The database names this embedder, or was empty and names it now.
    Same,
    /// The database was made with another embedder.
    Other(EmbedderId),
}

impl Database {
    /// Reads every page of the database, and records any damage.
    pub async fn check_database(&self) -> Result<Option<&str>> {
        let wrong = self.custody.check(false).await?;
        if !wrong.is_empty() {
            let _ = self.damage.set(wrong.join("; "));
        }
        Ok(self.damage())
    }

    /// Detects a database that has lost commits since it was last used. Reports it once: in the returned text, and in the audit
    /// log.
    pub async fn notice_missing_commits(&self) -> Result<Option<String>> {
        let missing = self.custody.missing_commits().await?;
        if missing == 0 {
            return Ok(None);
        }
        let now = self.clock.now();
        let entry = Entry::of(Actor::System, "database.behind").saying(format!("commits={missing}"));
        let noted = atomically!(self.store.as_ref(), [entry = entry.clone()], |tx| { Ok(audit::append(tx, now, entry).await?) });
        match noted.await {
            Ok(()) => self.custody.accept_as_it_is().await?,
            // On a full disk it is reported again at the next start.
            Err(error) => tracing::error!(cause = chain(&error), "missing changes could not be noted in the audit log"),
        }
        let changes = if missing == 1 { "its last change".to_owned() } else { format!("its last {missing} changes") };
        Ok(Some(format!(
            "The database has lost {changes}. Either an older copy was put in its place, or its files were damaged. If you did not put \
             it there, stop the server and restore your newest backup."
        )))
    }

    /// The damage that a check found; `None`: it found none.
    #[must_use]
    pub fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }
}

/// Compares the embedder with the one the database names; in an empty database, records it.
pub async fn match_embedder(custody: &dyn Custody, id: &EmbedderId) -> Result<Match> {
    match custody.embedder().await? {
        Some(named) if named == *id => Ok(Match::Same),
        Some(other) => Ok(Match::Other(other)),
        None => {
            in_custody!(custody, |tx| { Ok(tx.set_embedder(id).await?) }).await?;
            Ok(Match::Same)
        }
    }
}
