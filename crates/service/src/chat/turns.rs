//! The history of conversations: the last turns of each, so that an assistant can continue. It is not memory: nothing is learned
//! from it, and a reset leaves memory as it is.

use crate::Result;
use crate::chat::Chat;
use crate::reading::Budget;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use domain::chat::talk::{ARCHIVED_MAX, QUESTION_MS, TURNS_KEPT, Talk, Turn};
use domain::erasure::people::UserId;
use domain::memory::exchange::check_at;
use domain::moment::{DAY_MS, Moment};
use domain::problem::{Field, Problem};

pub use domain::chat::talk::ArchivedTalk;

impl Chat {
    /// Adds turns to a conversation, without the secrets in them. Only its last turns are kept. Turns of one call stay together.
    pub async fn append_turns(&self, caller: &Caller, user: &UserId, talk: &Talk, turns: Vec<Turn>) -> Result<()> {
        caller.needs(Scope::Write)?;
        if turns.is_empty() || turns.len() > TURNS_KEPT as usize {
            return Err(Problem::invalid(Field::Turns, format!("must be 1 to {TURNS_KEPT} turns")).into());
        }
        let now = self.clock.now();
        for turn in &turns {
            turn.check()?;
            check_at(turn.at, now)?;
        }
        self.refuse_secret_name(talk).await?;
        let turns = self
            .reader
            .read(Budget::Requests, move |reader| {
                let redacted = |turn: Turn| Turn { content: reader.redacted(&turn.content), ..turn };
                turns.into_iter().map(redacted).collect::<Vec<_>>()
            })
            .await?;
        let fence = self.epochs.fence(user).await?;
        atomically!(self.store.as_ref(), [fence, turns], |tx| {
            fence.holds(tx).await?;
            tx.append_turns(user, talk, turns).await?;
            tx.trim_turns(user, talk, TURNS_KEPT).await?;
            Ok(())
        })
        .await
    }

    /// Returns the last turns of a conversation, oldest first.
    pub async fn turns(&self, caller: &Caller, user: &UserId, talk: &Talk, limit: u32) -> Result<Vec<Turn>> {
        caller.needs(Scope::Read)?;
        Ok(self.store.turns(user, talk, limit).await?)
    }

    /// Archives the turns of a conversation, so that it starts anew. Returns how many there were.
    pub async fn reset_turns(&self, caller: &Caller, user: &UserId, talk: &Talk) -> Result<u64> {
        caller.needs(Scope::Write)?;
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| { Ok(tx.archive_turns(user, talk, now).await?) }).await
    }

    /// Returns the archived turns of a conversation, by reset, the last reset first; with `before`, only resets before that
    /// moment.
    pub async fn archived_turns(
        &self,
        caller: &Caller,
        user: &UserId,
        talk: &Talk,
        before: Option<Moment>,
        limit: u32,
    ) -> Result<Vec<ArchivedTalk>> {
        caller.needs(Scope::Read)?;
        Ok(self.store.archived_turns(user, talk, before, limit.min(ARCHIVED_MAX + 1)).await?)
    }

    /// Deletes expired archived turns, unless they are kept for good, and expired questions.
    pub async fn purge_turns(&self) -> Result<()> {
        let now = self.clock.now();
        let archived = self.settings.get().history_archive_days.map(|days| now.plus_ms(-i64::from(days) * DAY_MS));
        atomically!(self.store.as_ref(), |tx| {
            if let Some(archived) = archived {
                tx.purge_turns(archived).await?;
            }
            Ok(tx.purge_questions(now.plus_ms(-QUESTION_MS)).await?)
        })
        .await
    }

    /// Refuses a conversation name with a secret: two names could become equal once the secret is removed.
    pub(super) async fn refuse_secret_name(&self, talk: &Talk) -> Result<()> {
        self.reader.refuse_secrets(vec![talk.thread().to_owned()]).await
    }
}
