//! Data that a user gave an assistant in chats, for an operator who has the record open: masked, revealed, and deleted one by
//! one.

use super::notes::NotesReport;
use crate::Result;
use crate::audit::{self, Entry};
use crate::chat::Chat;
use crate::transactions::atomically;
use access::operators::{Manager, Viewer};
use domain::chat::profile::ProfileField;
use domain::chat::talk::TURNS_KEPT;
use domain::erasure::people::UserId;
use domain::problem::Problem;
use ports::store::chat::notes::Note;
use ports::store::chat::preferences::Preference;

pub use ports::store::chat::turns::PlacedTurn;
pub use ports::store::people::ToldCounts;

/// All chat data of a user, oldest first; only the last turns, newest first.
#[derive(Clone)]
pub struct ChatRecord {
    pub preferences: Vec<Preference>,
    pub notes: Vec<Note>,
    /// Notes that should be looked at again.
    pub audit: NotesReport,
    pub fields: Vec<ProfileField>,
    pub turns: Vec<PlacedTurn>,
}

impl ChatRecord {
    fn rows(&self) -> usize {
        self.preferences.len() + self.notes.len() + self.fields.len() + self.turns.len()
    }
}

impl Chat {
    /// Returns the chat data. The caller masks the texts; only [`Self::reveal_chat_record`] gives them out.
    pub async fn masked_chat_record(&self, viewer: &Viewer, user: &UserId) -> Result<ChatRecord> {
        self.people.opened(viewer, user).await?;
        self.chat_record(user).await
    }

    /// Like [`Self::masked_chat_record`], with the texts: the number of rows is logged before they are returned.
    pub async fn reveal_chat_record(&self, viewer: &Viewer, manager: &Manager, user: &UserId) -> Result<ChatRecord> {
        let opening = self.people.opened(viewer, user).await?;
        let record = self.chat_record(user).await?;
        self.people.note_text_shown(manager, user, &opening, record.rows()).await?;
        Ok(record)
    }

    /// Deletes a preference or a note. The log entry has neither its text nor its id.
    pub async fn delete_from_chat_record(&self, viewer: &Viewer, manager: &Manager, user: &UserId, id: &str) -> Result<()> {
        self.people.opened(viewer, user).await?;
        let (now, digest, ids) = (self.clock.now(), self.digester.user(user), [id.to_owned()]);
        atomically!(self.store.as_ref(), [digest, ids], |tx| {
            let preferences = tx.delete_preferences(user, ids).await?;
            let notes = tx.delete_notes(user, ids).await?;
            if preferences + notes == 0 {
                return Err(Problem::not_found("note or preference").into());
            }
            let entry =
                Entry::of(manager, "user.told_deleted").about(digest).saying(if notes > 0 { "notes=1" } else { "preferences=1" });
            Ok(audit::append(tx, now, entry).await?)
        })
        .await
    }

    async fn chat_record(&self, user: &UserId) -> Result<ChatRecord> {
        let notes = self.store.notes(user).await?;
        Ok(ChatRecord {
            preferences: self.store.preferences(user).await?,
            audit: self.audited(&notes).await?,
            notes,
            fields: self.store.profile(user).await?,
            turns: self.store.turns_of(user, TURNS_KEPT).await?,
        })
    }
}
