//! One user's memories, for commands that run on this machine. Each reading of their text and each change is in the audit log,
//! without the text.

use crate::Result;
use crate::audit::{self, Entry};
use crate::memories::Memories;
use crate::memories::{BasedOn, MemoryPast, SHOWN};
use crate::people::users::RecordChange;
use crate::transactions::atomically;
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::memory::tags::TagFilter;
use ports::store::memories::{Memory, Page};

impl Memories {
    /// Returns a user's own memories with these tags, newest first, after the one with this id. Their number is logged first.
    pub async fn look_at_memories(
        &self,
        caller: &Caller,
        user: &UserId,
        tags: TagFilter,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Memory>> {
        let after = match after {
            Some(id) => Some(self.memory_history(caller, user, id).await?.memory.place),
            None => None,
        };
        let memories = self.memories(caller, user, tags, &Page { after, limit }).await?;
        self.log_look(caller, user, memories.len()).await?;
        Ok(memories)
    }

    /// Returns one memory with its history; the number of wordings is logged first.
    pub async fn look_at_memory(&self, caller: &Caller, user: &UserId, id: &str) -> Result<MemoryPast> {
        let past = self.memory_history(caller, user, id).await?;
        self.log_look(caller, user, past.versions.len()).await?;
        Ok(past)
    }

    /// Like [`Self::undo_memory`], and logged.
    pub async fn undo_memory_by_command(&self, caller: &Caller, user: &UserId, id: &str, base: &BasedOn) -> Result<Memory> {
        let change = RecordChange { actor: caller.into(), user_digest: self.digester.user(user), why: None };
        self.undo_and_log(caller, user, id, base, &change).await
    }

    async fn log_look(&self, caller: &Caller, user: &UserId, rows: usize) -> Result<()> {
        if rows == 0 {
            return Ok(());
        }
        let (now, digest) = (self.clock.now(), self.digester.user(user));
        atomically!(
            self.store.as_ref(),
            [entry = Entry::of(caller, SHOWN).about(digest.clone()).saying(format!("rows={rows}"))],
            |tx| { Ok(audit::append(tx, now, entry).await?) }
        )
        .await
    }
}
