//! Callers' keys.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::access::key::{KeyLife, KeysShown};
use domain::erasure::people::UserId;
use domain::moment::Moment;

/// A caller's key as stored: only a hash of it.
#[derive(Debug, Clone)]
pub struct Key {
    pub id: String,
    pub name: String,
    /// Names of scopes, separated by blanks.
    pub scopes: String,
    /// The user that the key is bound to; `None`: the key is trusted to name one.
    pub user: Option<UserId>,
    /// The only surface it speaks for; `None`: any.
    pub surface: Option<String>,
    /// Hex SHA-256 of the key.
    pub hash: String,
    pub created_at: Moment,
    /// Id of the creator, as in the audit log; `None`: the key is older than this column.
    pub created_by: Option<String>,
    pub life: KeyLife,
    /// Id of the key that this one replaced.
    pub replaces: Option<String>,
    /// Id of the first key in a chain of replacements; `None`: this one.
    pub line: Option<String>,
    pub used: KeyUse,
}

/// First and last use of a key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyUse {
    pub first_at: Option<Moment>,
    /// The method and the route of the first call: `POST /v1/recall`.
    pub first_call: Option<String>,
    /// To the minute; may be written late.
    pub last_at: Option<Moment>,
}

/// A page of keys.
#[derive(Debug, Clone, Default)]
pub struct KeyFilter {
    pub shown: KeysShown,
    /// Id of the last key of the previous page.
    pub after: Option<String>,
    pub limit: u32,
}

#[async_trait]
pub trait KeyReads: Send + Sync {
    async fn key_by_hash(&self, hash: &str) -> Result<Option<Key>, StoreError>;

    async fn key(&self, id: &str) -> Result<Option<Key>, StoreError>;

    /// Newest first.
    async fn keys(&self, filter: &KeyFilter, now: Moment) -> Result<Vec<Key>, StoreError>;

    /// Number of keys in each list, in the order of [`KeysShown::ALL`].
    async fn count_keys(&self, now: Moment) -> Result<[i64; 5], StoreError>;

    /// `(id, name)` of those of these keys that exist.
    async fn key_names(&self, ids: &[String]) -> Result<Vec<(String, String)>, StoreError>;
}

#[async_trait]
pub trait KeyWrites: Send {
    /// Inserts a key. `false`: the id is taken, and nothing is changed.
    async fn insert_key(&mut self, key: &Key) -> Result<bool, StoreError>;

    /// A key as this transaction sees it.
    async fn known_key(&mut self, id: &str) -> Result<Option<Key>, StoreError>;

    /// Sets the expiry, revocation and successor of a key. `false`: there is no such key.
    async fn set_key_life(&mut self, id: &str, life: &KeyLife) -> Result<bool, StoreError>;

    /// Sets the key that this key replaced. No two keys replace the same one.
    async fn set_replaced_key(&mut self, id: &str, replaces: Option<&str>) -> Result<(), StoreError>;

    /// Records a use in this minute, unless a later one is recorded. Never recreates a deleted key.
    async fn note_key_use(&mut self, id: &str, minute: Moment) -> Result<(), StoreError>;

    /// Records the first call with a key, unless one is recorded.
    async fn note_first_call(&mut self, id: &str, at: Moment, call: &str) -> Result<(), StoreError>;
}
