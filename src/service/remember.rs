//! Saves a personal statement on request, lists and deletes a user's own memories, and undoes a merge.

use super::claims::{self, Directed, Occasion, Source};
use super::{Error, Keepsake, Result};
use crate::access::callers::{Caller, Scope};
use crate::domain::claim::{Claim, Takes};
use crate::domain::exchange::{check_at, check_thread};
use crate::domain::memory::{MemoryKind, Statement};
use crate::domain::people::UserId;
use crate::domain::problem::Problem;
use crate::domain::provenance::{Context, Surface};
use crate::ports::store::atomically;
use crate::ports::store::memories::{Memory, NewMemory, Page};

pub use super::claims::Saved;

impl Keepsake {
    /// Saves one statement on request; a correction replaces the nearest memory.
    pub async fn remember(
        &self,
        caller: &Caller,
        user: &UserId,
        context: impl Into<Context>,
        statement: &Statement,
    ) -> Result<Saved> {
        caller.needs(Scope::Write)?;
        let Context { surface, thread, at } = context.into();
        let now = self.clock.now();
        let at = at.unwrap_or(now);
        check_at(at, now)?;
        check_thread(thread.as_deref())?;
        self.refuse_unsafe(vec![statement.content.as_str().to_owned()]).await?;
        let fence = self.fence(user).await?;
        let vector = self.embed_one(statement.content.as_str()).await?;
        let takes = if statement.kind == MemoryKind::Correction { Takes::Nearest } else { Takes::Nothing };
        let claims = [Directed { claim: Claim::of(statement.clone(), takes), vector }];
        let settings = self.settings();
        let source = Source { user, surface: &surface, thread: thread.as_deref(), at, occasion: Occasion::Request };
        let saved = atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (settings, claims, source, clock, fence) = (&settings, &claims, &source, self.clock.as_ref(), &fence);
            Box::pin(async move {
                fence.holds(tx).await?;
                Ok(claims::settle(tx, clock, settings, source, claims).await?)
            })
        })
        .await?;
        saved.saved.into_iter().next().map(|(saved, _)| saved).ok_or_else(|| Error::failed("a statement came to nothing"))
    }

    /// A user's own memories, newest first.
    pub async fn memories(&self, caller: &Caller, user: &UserId, page: &Page) -> Result<Vec<Memory>> {
        caller.needs(Scope::Read)?;
        Ok(self.store.list_memories(user, page).await?)
    }

    /// Deletes one memory. Another user's memory is reported as unknown.
    pub async fn delete_memory(&self, caller: &Caller, user: &UserId, id: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let deleted =
            atomically::<_, Error, _>(self.store.as_ref(), |tx| Box::pin(async move { Ok(tx.delete_memory(user, id).await?) }))
                .await?;
        if deleted { Ok(()) } else { Err(Problem::not_found("memory").into()) }
    }

    /// Undoes the newest merge of a memory: the memory gets its old text back, byte for byte, and the statement that was merged
    /// becomes a memory of its own.
    pub async fn undo_merge(&self, caller: &Caller, user: &UserId, memory_id: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let separate = self.clock.id("mem");
        atomically(self.store.as_ref(), |tx| {
            let separate = separate.clone();
            Box::pin(async move {
                let memory = tx.own_memory(user, memory_id).await?.ok_or_else(|| Problem::not_found("memory"))?.0;
                let merge = tx.merges_of(user, memory_id).await?.into_iter().next().ok_or_else(|| Problem::not_found("merge"))?;
                tx.reword_memory(user, memory_id, &merge.before, merge.before_updated_at).await?;
                tx.forget_merge(user, &merge.id).await?;
                let surface = Surface::new(memory.surface)?;
                let new = NewMemory { id: separate, wording: merge.incoming, surface, thread: memory.thread, at: merge.at };
                Ok(tx.insert_memory(user, &new).await?)
            })
        })
        .await
    }
}
