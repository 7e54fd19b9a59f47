//! Callers' keys.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;

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

#[async_trait]
pub trait KeyReads: Send + Sync {
    async fn key_by_hash(&self, hash: &str) -> Result<Option<Key>, StoreError>;

    /// `(id, name)` of those of these keys that exist.
    async fn key_names(&self, ids: &[String]) -> Result<Vec<(String, String)>, StoreError>;
}

#[async_trait]
pub trait KeyWrites: Send {
    async fn insert_key(&mut self, key: &Key) -> Result<(), StoreError>;
}
