//! Notes that users ask an assistant to keep. Every method takes the owner first.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;

/// A stored note.
#[derive(Clone, PartialEq, Eq)]
pub struct Note {
    pub id: String,
    pub content: String,
    /// Surface on which it was written.
    pub surface: String,
    pub created_at: Moment,
    /// When a prompt last included it, to the day.
    pub last_used_at: Option<Moment>,
}

/// A note to insert.
#[derive(Clone)]
pub struct NewNote {
    pub id: String,
    pub content: String,
    pub surface: Surface,
    pub at: Moment,
    /// Id of the memory learned from it: the note is deleted when that memory is deleted or gets another text. `None`: the user
    /// asked for the note.
    pub memory: Option<String>,
}

#[async_trait]
pub trait NoteReads: Send + Sync {
    /// This user's notes, oldest first.
    async fn notes(&self, user: &UserId) -> Result<Vec<Note>, StoreError>;
}

#[async_trait]
pub trait NoteWrites: Send {
    /// Like [`NoteReads::notes`], inside the transaction.
    async fn known_notes(&mut self, user: &UserId) -> Result<Vec<Note>, StoreError>;

    async fn insert_note(&mut self, user: &UserId, note: &NewNote) -> Result<(), StoreError>;

    /// Deletes the notes with these ids that belong to this user. Returns how many.
    async fn delete_notes(&mut self, user: &UserId, ids: &[String]) -> Result<u64, StoreError>;

    /// Records that a prompt included these notes; deleted ones are ignored.
    async fn use_notes(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError>;
}
