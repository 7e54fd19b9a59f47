//! Saves a personal statement on request.

use super::claims::{self, Directed, Occasion, StatementSource};
use crate::memories::Memories;
use crate::transactions::atomically;
use crate::{Error, Result};
use access::callers::{Caller, Scope};
use domain::erasure::people::UserId;
use domain::facts::provenance::Context;
use domain::memory::claim::{Claim, Takes};
use domain::memory::exchange::{check_at, check_thread};
use domain::memory::tags::{Labels, check_end};
use domain::memory::{MemoryKind, Statement};

pub use super::claims::SaveOutcome;

impl Memories {
    /// Saves one statement on request; a correction replaces the nearest memory.
    pub async fn remember(
        &self,
        caller: &Caller,
        user: &UserId,
        context: impl Into<Context>,
        statement: &Statement,
    ) -> Result<SaveOutcome> {
        self.remember_labelled(caller, user, context, statement, &Labels::default()).await
    }

    /// Like [`Self::remember`], with tags and an expiry.
    pub async fn remember_labelled(
        &self,
        caller: &Caller,
        user: &UserId,
        context: impl Into<Context>,
        statement: &Statement,
        labels: &Labels,
    ) -> Result<SaveOutcome> {
        caller.needs(Scope::Write)?;
        let Context { surface, thread, at } = context.into();
        let now = self.clock.now();
        let at = at.unwrap_or(now);
        check_at(at, now)?;
        check_thread(thread.as_deref())?;
        check_end(labels.expires_at, now)?;
        let texts = [statement.content.as_str().to_owned()].into_iter().chain(labels.tags.as_slice().iter().cloned());
        self.reader.refuse_unsafe(texts.collect()).await?;
        self.reader.refuse_secrets(thread.iter().cloned().collect()).await?;
        let fence = self.epochs.fence(user).await?;
        let vector = self.embedder.embed_one(statement.content.as_str()).await?;
        let takes = if statement.kind == MemoryKind::Correction { Takes::Nearest } else { Takes::Nothing };
        let claims = [Directed { claim: Claim::of(statement.clone(), takes), vector, labels: labels.clone(), note: None }];
        let settings = self.settings.get();
        let source = StatementSource { user, surface: &surface, thread: thread.as_deref(), at, occasion: Occasion::Request };
        let saved = atomically!(self.store.as_ref(), [settings, claims, source, clock = self.clock.as_ref(), fence], |tx| {
            fence.holds(tx).await?;
            Ok(claims::settle(tx, clock, settings, source, claims).await?)
        })
        .await?;
        saved.saved.into_iter().next().map(|(saved, _)| saved).ok_or_else(|| Error::failed("a statement came to nothing"))
    }
}
