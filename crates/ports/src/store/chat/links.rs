//! Chats linked to users, link codes, and the position of each bot in its updates.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;

/// Position of a bot in its updates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextUpdate {
    /// Id of the first unhandled update.
    pub next: i64,
    /// When the previous update was handled.
    pub took_at: Moment,
}

/// A linked chat and its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedChat {
    pub user: UserId,
    pub surface: Surface,
    pub chat: String,
    pub linked_at: Moment,
}

#[async_trait]
pub trait LinkReads: Send + Sync {
    /// All linked chats of all users.
    async fn linked_chats(&self) -> Result<Vec<LinkedChat>, StoreError>;

    /// The user of a chat; `None`: it is not linked.
    async fn user_of_chat(&self, surface: &Surface, chat: &str) -> Result<Option<UserId>, StoreError>;

    /// Number of chats linked to this user.
    async fn count_chats(&self, user: &UserId) -> Result<u64, StoreError>;

    /// Position of this bot; `None`: it has handled no update.
    async fn next_update(&self, bot: &str) -> Result<Option<NextUpdate>, StoreError>;
}

#[async_trait]
pub trait LinkWrites: Send {
    /// Stores the hash of a link code for this user; replaces an earlier code.
    async fn put_link_code(&mut self, user: &UserId, hash: &str, at: Moment, expires_at: Moment) -> Result<(), StoreError>;

    /// Removes a code, expired or not. Returns its user and its expiry.
    async fn take_link_code(&mut self, hash: &str) -> Result<Option<(UserId, Moment)>, StoreError>;

    /// Links a chat to this user and to no other.
    async fn link_chat(&mut self, user: &UserId, surface: &Surface, chat: &str, at: Moment) -> Result<(), StoreError>;

    /// Unlinks a chat. Returns its user; `None`: it was not linked.
    async fn unlink_chat(&mut self, surface: &Surface, chat: &str) -> Result<Option<UserId>, StoreError>;

    /// Unlinks every chat of this user and deletes a pending code. Returns the number of chats.
    async fn unlink_chats(&mut self, user: &UserId) -> Result<u64, StoreError>;

    /// Records that a bot handled every update before this one. The position never decreases.
    async fn note_update(&mut self, bot: &str, next: i64, at: Moment) -> Result<(), StoreError>;

    /// Resets the position: after a week without updates, their ids restart anywhere.
    async fn forget_updates(&mut self, bot: &str) -> Result<(), StoreError>;

    /// Deletes expired codes.
    async fn purge_link_codes(&mut self, now: Moment) -> Result<(), StoreError>;
}
