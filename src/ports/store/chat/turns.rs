//! The turns of users' conversations, and what a user was asked in one. Every method on a user takes the user first.

use async_trait::async_trait;

use crate::domain::chat::talk::{ArchivedTalk, Question, Talk, Turn};
use crate::domain::erasure::people::UserId;
use crate::domain::moment::Moment;
use crate::ports::store::StoreError;

/// A turn with its place, for the user's record.
#[derive(Clone, PartialEq, Eq)]
pub struct PlacedTurn {
    pub surface: String,
    pub turn: Turn,
    /// Set by a reset.
    pub archived_at: Option<Moment>,
}

#[async_trait]
pub trait TurnReads: Send + Sync {
    /// The last turns of a conversation that was not reset since, oldest first.
    async fn turns(&self, user: &UserId, talk: &Talk, limit: u32) -> Result<Vec<Turn>, StoreError>;

    /// What this conversation was at its last resets, all before this moment, the last reset first.
    async fn archived_turns(
        &self,
        user: &UserId,
        talk: &Talk,
        before: Option<Moment>,
        limit: u32,
    ) -> Result<Vec<ArchivedTalk>, StoreError>;

    /// The last turns of all conversations, with the archived ones, newest first.
    async fn turns_of(&self, user: &UserId, limit: u32) -> Result<Vec<PlacedTurn>, StoreError>;
}

#[async_trait]
pub trait TurnWrites: Send {
    /// Adds turns after those that are there.
    async fn append_turns(&mut self, user: &UserId, talk: &Talk, turns: &[Turn]) -> Result<(), StoreError>;

    /// Deletes all but the last turns of a conversation; archived ones stay. Returns how many went.
    async fn trim_turns(&mut self, user: &UserId, talk: &Talk, keep: u32) -> Result<u64, StoreError>;

    /// Archives the turns of a conversation. Returns how many.
    async fn archive_turns(&mut self, user: &UserId, talk: &Talk, at: Moment) -> Result<u64, StoreError>;

    /// Deletes what was archived before this moment, of everybody. Returns how many.
    async fn purge_turns(&mut self, before: Moment) -> Result<u64, StoreError>;

    /// Notes what the user was asked in this conversation; a newer question replaces an older one.
    async fn ask(&mut self, user: &UserId, talk: &Talk, question: &Question) -> Result<(), StoreError>;

    /// What the user was asked in this conversation.
    async fn question(&mut self, user: &UserId, talk: &Talk) -> Result<Option<Question>, StoreError>;

    /// Takes the question out of the conversation. `false`: there is none.
    async fn take_question(&mut self, user: &UserId, talk: &Talk) -> Result<bool, StoreError>;

    /// Deletes questions asked before this moment, of everybody.
    async fn purge_questions(&mut self, before: Moment) -> Result<(), StoreError>;
}
