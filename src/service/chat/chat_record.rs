//! What a user told an assistant in chats, for an operator who has the record open: masked, revealed, and deleted one by one.

use super::notes::NotesReport;
use crate::access::operators::{Manager, Viewer};
use crate::domain::chat::profile::ProfileField;
use crate::domain::chat::talk::TURNS_KEPT;
use crate::domain::erasure::people::UserId;
use crate::domain::problem::Problem;
use crate::ports::store::atomically;
use crate::ports::store::chat::notes::Note;
use crate::ports::store::chat::preferences::Preference;
use crate::service::audit::{self, Entry};
use crate::service::{Error, Keepsake, Result};

pub use crate::ports::store::chat::turns::PlacedTurn;
pub use crate::ports::store::people::ToldCounts;

/// Everything that a user told, oldest first; of the turns the last ones, newest first.
#[derive(Clone)]
pub struct ChatRecord {
    pub preferences: Vec<Preference>,
    pub notes: Vec<Note>,
    /// Which of the notes should be looked at again.
    pub audit: NotesReport,
    pub fields: Vec<ProfileField>,
    pub turns: Vec<PlacedTurn>,
}

impl ChatRecord {
    fn rows(&self) -> usize {
        self.preferences.len() + self.notes.len() + self.fields.len() + self.turns.len()
    }
}

impl Keepsake {
    /// The caller masks the texts; only [`Keepsake::reveal_chat_record`] gives them out.
    pub async fn masked_chat_record(&self, viewer: &Viewer, user: &UserId) -> Result<ChatRecord> {
        self.people.opened(viewer, user).await?;
        self.chat_record(user).await
    }

    /// The same rows with their texts: the number of rows is logged before they are returned.
    pub async fn reveal_chat_record(&self, viewer: &Viewer, manager: &Manager, user: &UserId) -> Result<ChatRecord> {
        let opening = self.people.opened(viewer, user).await?;
        let record = self.chat_record(user).await?;
        self.people.note_text_shown(manager, user, &opening, record.rows()).await?;
        Ok(record)
    }

    /// Deletes a preference or a note. It is logged, without its text and its id.
    pub async fn delete_from_chat_record(&self, viewer: &Viewer, manager: &Manager, user: &UserId, id: &str) -> Result<()> {
        self.people.opened(viewer, user).await?;
        let (now, digest, ids) = (self.clock.now(), self.digester.user(user), [id.to_owned()]);
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (digest, ids) = (&digest, &ids);
            Box::pin(async move {
                let preferences = tx.delete_preferences(user, ids).await?;
                let notes = tx.delete_notes(user, ids).await?;
                if preferences + notes == 0 {
                    return Err(Problem::not_found("note or preference").into());
                }
                let entry = Entry::of(manager, "user.told_deleted").about(digest).saying(if notes > 0 {
                    "notes=1"
                } else {
                    "preferences=1"
                });
                Ok(audit::append(tx, now, entry).await?)
            })
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
