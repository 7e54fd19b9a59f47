//! Forgetting: the closest memory, or everything about a user.

use super::audit::{self, Entry};
use super::learn::forget_closest;
use super::{Error, Keepsake, Result};
use crate::access::callers::{Caller, Scope};
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::ports::store::atomically;

/// What went.
pub struct Forgotten {
    pub id: String,
    pub content: String,
}

impl Keepsake {
    /// Deletes the memory nearest to the query, if one is near enough.
    pub async fn forget(&self, caller: &Caller, user: &UserId, query: &str) -> Result<Option<Forgotten>> {
        caller.needs(Scope::Write)?;
        if query.trim().is_empty() {
            return Err(Problem::invalid(Field::Query, "must not be blank").into());
        }
        let vector = self.embed_one(query).await?;
        let settings = self.settings();
        let gone = atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (settings, vector) = (&settings, &vector);
            Box::pin(async move { Ok(forget_closest(tx, settings, user, query, vector).await?) })
        })
        .await?;
        Ok(gone.map(|(id, content)| Forgotten { id, content }))
    }

    /// Deletes everything about a user: personal memories, contributions, facts left without a contributor, waiting
    /// exchanges, keys. One transaction, and work that began before it is refused afterwards. Returns how many memories went.
    pub async fn forget_all(&self, caller: &Caller, user: &UserId) -> Result<u64> {
        caller.needs(Scope::Erase)?;
        let now = self.clock.now();
        let digest = self.digester.user(user);
        let memories = atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let digest = digest.clone();
            Box::pin(async move {
                tx.raise_epoch(&digest).await?;
                let facts = tx.withdraw_contributions(user).await?;
                let memories = tx.delete_user(user).await?;
                let entry = Entry {
                    actor: caller.into(),
                    action: "user.forgotten",
                    target: None,
                    user_digest: Some(digest),
                    detail: Some(format!("memories={memories} facts={facts}")),
                };
                audit::append(tx, now, entry).await?;
                Ok(memories)
            })
        })
        .await?;
        if !self.store.truncate_log().await? {
            tracing::warn!("a reader holds the write-ahead log; deleted text leaves it with the next checkpoint");
        }
        Ok(memories)
    }
}
