//! Operators, callers' keys and live settings.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;

/// What an operator may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    View,
    Edit,
}

/// A person at the console.
#[derive(Debug, Clone)]
pub struct Operator {
    pub id: String,
    pub email: String,
    pub name: String,
    pub rights: Rights,
    /// PHC string of the password, Argon2id.
    pub password_hash: String,
    pub disabled: bool,
}

/// A caller's key as stored: only a hash of it.
#[derive(Debug, Clone)]
pub struct Key {
    pub id: String,
    pub name: String,
    /// Names of scopes, separated by blanks.
    pub scopes: String,
    /// Bound to this user, or trusted to name one.
    pub user: Option<UserId>,
    /// Hex SHA-256 of the key.
    pub hash: String,
    pub created_at: Moment,
}

/// A stored setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSetting {
    pub key: String,
    /// JSON.
    pub value: String,
    pub version: i64,
}

#[async_trait]
pub trait DeskReads: Send + Sync {
    async fn operator_by_email(&self, email: &str) -> Result<Option<Operator>, StoreError>;

    async fn operator(&self, id: &str) -> Result<Option<Operator>, StoreError>;

    async fn operators(&self) -> Result<Vec<Operator>, StoreError>;

    async fn key_by_hash(&self, hash: &str) -> Result<Option<Key>, StoreError>;

    async fn stored_settings(&self) -> Result<Vec<StoredSetting>, StoreError>;
}

#[async_trait]
pub trait DeskWrites: Send {
    /// `false`: an operator of this email exists.
    async fn insert_operator(&mut self, operator: &Operator, at: Moment) -> Result<bool, StoreError>;

    async fn set_password(&mut self, operator_id: &str, password_hash: &str) -> Result<bool, StoreError>;

    async fn disable_operator(&mut self, operator_id: &str, at: Moment) -> Result<bool, StoreError>;

    async fn insert_key(&mut self, key: &Key) -> Result<(), StoreError>;

    async fn setting(&mut self, key: &str) -> Result<Option<StoredSetting>, StoreError>;

    /// Writes the value and its history entry. What is changed together carries the same change id.
    async fn write_setting(
        &mut self,
        new: &StoredSetting,
        old: Option<&str>,
        by: &str,
        change_id: &str,
        at: Moment,
    ) -> Result<(), StoreError>;
}
