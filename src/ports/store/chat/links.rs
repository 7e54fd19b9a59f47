//! Chats linked to users, the codes that link them, and how far a bot has read.

use async_trait::async_trait;

use crate::domain::erasure::people::UserId;
use crate::domain::facts::provenance::Surface;
use crate::domain::moment::Moment;
use crate::ports::store::StoreError;

/// How far a bot has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextUpdate {
    /// The id of the first update that was not handled.
    pub next: i64,
    /// When the one before was handled.
    pub took_at: Moment,
}

/// A chat and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedChat {
    pub user: UserId,
    pub surface: Surface,
    pub chat: String,
    pub linked_at: Moment,
}

#[async_trait]
pub trait LinkReads: Send + Sync {
    /// Every linked chat, of everybody.
    async fn linked_chats(&self) -> Result<Vec<LinkedChat>, StoreError>;

    /// The user of a chat; `None`: it is not linked.
    async fn user_of_chat(&self, surface: &Surface, chat: &str) -> Result<Option<UserId>, StoreError>;

    /// How many chats of this user are linked.
    async fn count_chats(&self, user: &UserId) -> Result<u64, StoreError>;

    /// How far this bot has read; `None`: it has read nothing.
    async fn next_update(&self, bot: &str) -> Result<Option<NextUpdate>, StoreError>;
}

#[async_trait]
pub trait LinkWrites: Send {
    /// Keeps the hash of a code for this user, in the place of an earlier one.
    async fn put_link_code(&mut self, user: &UserId, hash: &str, at: Moment, expires_at: Moment) -> Result<(), StoreError>;

    /// Takes a code out, whether it is still good or not. Returns its user and until when it is good.
    async fn take_link_code(&mut self, hash: &str) -> Result<Option<(UserId, Moment)>, StoreError>;

    /// Links a chat to this user, and to nobody else.
    async fn link_chat(&mut self, user: &UserId, surface: &Surface, chat: &str, at: Moment) -> Result<(), StoreError>;

    /// Returns whose it was; `None`: it was not linked.
    async fn unlink_chat(&mut self, surface: &Surface, chat: &str) -> Result<Option<UserId>, StoreError>;

    /// Unlinks every chat of this user and drops a code that waits. Returns how many chats.
    async fn unlink_chats(&mut self, user: &UserId) -> Result<u64, StoreError>;

    /// Notes that a bot handled every update before this one. It never goes back.
    async fn note_update(&mut self, bot: &str, next: i64, at: Moment) -> Result<(), StoreError>;

    /// Starts anew: the ids of updates begin anywhere after a week without one.
    async fn forget_updates(&mut self, bot: &str) -> Result<(), StoreError>;

    /// Deletes codes that are no longer good.
    async fn purge_link_codes(&mut self, now: Moment) -> Result<(), StoreError>;
}
