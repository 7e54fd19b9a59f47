//! Preferences: lasting instructions of a user to an assistant. All of them are in every prompt, so their number is limited, and
//! one more is refused until the user forgets one.

use super::notes::NoteOutcome;
use crate::Result;
use crate::chat::Chat;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::Content;
use domain::problem::Problem;

pub use ports::store::chat::preferences::Preference;

impl Chat {
    /// Saves a preference for one platform, or for all of them. Counting and saving are one transaction, so that the limit holds
    /// under concurrent writes.
    pub async fn add_preference(
        &self,
        caller: &Caller,
        user: &UserId,
        platform: Option<&Surface>,
        content: &Content,
    ) -> Result<NoteOutcome> {
        caller.needs(Scope::Write)?;
        self.reader.refuse_unsafe(vec![content.as_str().to_owned()]).await?;
        let fence = self.epochs.fence(user).await?;
        let max = self.settings.get().preferences_max;
        let new = Preference {
            id: self.clock.id("pref"),
            platform: platform.cloned(),
            content: content.as_str().to_owned(),
            created_at: self.clock.now(),
        };
        atomically!(self.store.as_ref(), [fence, new], |tx| {
            fence.holds(tx).await?;
            let known = tx.known_preferences(user).await?;
            let covers = |known: &&Preference| {
                known.content == new.content && (known.platform.is_none() || known.platform == new.platform)
            };
            if let Some(same) = known.iter().find(covers) {
                return Ok(NoteOutcome::Known(same.id.clone()));
            }
            if known.len() >= max as usize {
                return Err(Problem::CapExceeded { what: "preferences".to_owned(), max }.into());
            }
            tx.insert_preference(user, new).await?;
            Ok(NoteOutcome::Saved(new.id.clone()))
        })
        .await
    }

    /// Returns a user's preferences, oldest first: those that hold on this platform, or all of them.
    pub async fn preferences(&self, caller: &Caller, user: &UserId, platform: Option<&Surface>) -> Result<Vec<Preference>> {
        caller.needs(Scope::Read)?;
        let mut preferences = self.store.preferences(user).await?;
        preferences.retain(|preference| platform.is_none_or(|platform| preference.holds_on(platform)));
        Ok(preferences)
    }

    /// Deletes one preference. Another user's preference is reported as unknown.
    pub async fn delete_preference(&self, caller: &Caller, user: &UserId, id: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let ids = [id.to_owned()];
        let gone = atomically!(self.store.as_ref(), [ids], |tx| { Ok(tx.delete_preferences(user, ids).await?) }).await?;
        if gone == 0 { Err(Problem::not_found("preference").into()) } else { Ok(()) }
    }
}
