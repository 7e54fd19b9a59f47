//! Repeats erasures after an old backup was restored.
//!
//! The ledger is stored in the database and, line by line, in a file beside it. An entry that is only in the file was made after
//! the backup from which this database comes. Users are found by the keyed digest of their ids.

use std::collections::HashMap;

use super::carry_out::about;
use super::ledger::{self, LedgerLine};
use crate::audit::{self, Actor};
use crate::erasure::Erasures;
use crate::transactions::in_custody;
use crate::{Error, Result};
use domain::erasure::Status;
use domain::erasure::people::UserId;
use ports::store::erasure::{Erased, Erasure, Orderer};

/// Users read per batch.
const AT_ONCE: u32 = 1000;

/// The result of a replay.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Entries that were carried out again.
    pub again: Vec<String>,
    /// How many of them found a user to erase.
    pub found: usize,
    /// Entries made with another key, whose users cannot be identified.
    pub unknown: Vec<String>,
}

impl Erasures {
    /// Carries out every entry of the ledger file that the database does not have. Runs before anything is served.
    pub async fn replay_ledger(&self) -> Result<Replayed> {
        let begin = self.receipts_begin();
        let lines = self.custody.notes_beside().await?;
        let mut lines = ledger::entries(lines.iter().map(String::as_str)).map_err(Error::failed)?;
        let stands: HashMap<String, bool> = lines.iter().map(|line| (line.id.clone(), !line.void)).collect();
        lines.retain(|line| !line.void && stands.get(&line.id) == Some(&true) && line.confirmed_at >= begin);
        let mut replayed = Replayed::default();
        let mut people: Option<HashMap<String, UserId>> = None;
        for line in lines {
            if self.store.erasure(&line.id).await?.is_some() {
                continue;
            }
            if line.key_id != self.digester.key_id() {
                replayed.unknown.push(line.id);
                continue;
            }
            if people.is_none() {
                people = Some(self.everybody().await?);
            }
            let user = people.as_ref().and_then(|people| people.get(&line.user_id_digest)).cloned();
            replayed.found += usize::from(user.is_some());
            replayed.again.push(line.id.clone());
            self.replay(line, user).await?;
        }
        Ok(replayed)
    }

    async fn replay(&self, line: LedgerLine, user: Option<UserId>) -> Result<()> {
        let now = self.clock.now();
        let erasure = Erasure {
            id: line.id,
            user_digest: line.user_id_digest,
            key_id: line.key_id,
            scope: line.scope,
            reason: line.reason,
            by: Orderer { kind: line.by_kind, id: line.by_id },
            previewed_at: line.confirmed_at,
            confirmed_at: line.confirmed_at,
            erased_at: None,
            finished_at: None,
            replayed_at: Some(now),
            status: Status::Queued,
            tries: 0,
            user: user.clone(),
        };
        in_custody!(self.custody.as_ref(), [erasure, nobody = user.is_none()], |tx| {
            tx.write_erasure(erasure).await?;
            if nobody {
                // The backup does not contain the user, but the epoch must still stop work that waits elsewhere.
                tx.raise_epoch(&erasure.user_digest).await?;
                tx.mark_erased(&erasure.id, &Erased::default()).await?;
                let entry = about(Actor::System, "user.erasure_replayed", erasure, "rows=0".to_owned());
                audit::append(tx, now, entry).await?;
            }
            Ok(())
        })
        .await?;
        match user {
            Some(user) => {
                self.carry_out(&erasure, &Actor::System, &self.exports.subject(&user), None, "user.erasure_replayed").await
            }
            None => Ok(()),
        }
    }

    async fn everybody(&self) -> Result<HashMap<String, UserId>> {
        let mut people = HashMap::new();
        let mut after = String::new();
        loop {
            let users = self.custody.user_ids(&after, AT_ONCE).await?;
            let Some(last) = users.last() else { return Ok(people) };
            last.as_str().clone_into(&mut after);
            people.extend(users.into_iter().map(|user| (self.digester.user(&user), user)));
        }
    }
}
