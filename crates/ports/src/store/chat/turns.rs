//! Turns of users' conversations, and pending questions to the user. Every method on a user takes the user first.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::chat::talk::{ArchivedTalk, Question, Talk, Turn};
use domain::erasure::people::UserId;
use domain::moment::Moment;

/// A turn with its surface, for the user's record.
#[derive(Clone, PartialEq, Eq)]
pub struct PlacedTurn {
    pub surface: String,
    pub turn: Turn,
    /// When a reset archived it.
    pub archived_at: Option<Moment>,
}

#[async_trait]
pub trait TurnReads: Send + Sync {
    /// The last turns of a conversation since its last reset, oldest first.
    async fn turns(&self, user: &UserId, talk: &Talk, limit: u32) -> Result<Vec<Turn>, StoreError>;

    /// The conversation as archived by its last resets before this moment, newest reset first.
    async fn archived_turns(
        &self,
        user: &UserId,
        talk: &Talk,
        before: Option<Moment>,
        limit: u32,
    ) -> Result<Vec<ArchivedTalk>, StoreError>;

    /// The last turns of all conversations, including archived ones, newest first.
    async fn turns_of(&self, user: &UserId, limit: u32) -> Result<Vec<PlacedTurn>, StoreError>;
}

#[async_trait]
pub trait TurnWrites: Send {
    /// Appends turns.
    async fn append_turns(&mut self, user: &UserId, talk: &Talk, turns: &[Turn]) -> Result<(), StoreError>;

    /// Deletes all but the last turns of a conversation; archived turns stay. Returns how many.
    async fn trim_turns(&mut self, user: &UserId, talk: &Talk, keep: u32) -> Result<u64, StoreError>;

    /// Archives the turns of a conversation. Returns how many.
    async fn archive_turns(&mut self, user: &UserId, talk: &Talk, at: Moment) -> Result<u64, StoreError>;

    /// Deletes turns archived before this moment, of all users. Returns how many.
    async fn purge_turns(&mut self, before: Moment) -> Result<u64, StoreError>;

    /// Stores the question to the user in this conversation; replaces an older one.
    async fn ask(&mut self, user: &UserId, talk: &Talk, question: &Question) -> Result<(), StoreError>;

    /// The pending question of this conversation.
    async fn question(&mut self, user: &UserId, talk: &Talk) -> Result<Option<Question>, StoreError>;

    /// Removes the pending question of this conversation. `false`: there is none.
    async fn take_question(&mut self, user: &UserId, talk: &Talk) -> Result<bool, StoreError>;

    /// Deletes questions asked before this moment, of all users.
    async fn purge_questions(&mut self, before: Moment) -> Result<(), StoreError>;
}
