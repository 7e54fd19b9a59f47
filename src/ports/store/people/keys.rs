//! Callers' keys.

use async_trait::async_trait;

use crate::domain::access::key::{KeyLife, KeysShown};
use crate::domain::erasure::people::UserId;
use crate::domain::moment::Moment;
use crate::ports::store::StoreError;

/// A caller's key as stored: only a hash of it.
#[derive(Debug, Clone)]
pub struct Key {
    pub id: String,
    pub name: String,
    /// Names of scopes, separated by blanks.
    pub scopes: String,
    /// Bound to this user, or trusted to name one.
    pub user: Option<UserId>,
    /// The only surface it speaks for; `None`: any.
    pub surface: Option<String>,
    /// Hex SHA-256 of the key.
    pub hash: String,
    pub created_at: Moment,
    /// The id of who made it, as in the audit log; `None`: it is from before that was noted.
    pub created_by: Option<String>,
    pub life: KeyLife,
    /// The key that this one replaced.
    pub replaces: Option<String>,
    /// The first key of a line of keys that replaced each other; `None`: this one.
    pub line: Option<String>,
    pub used: KeyUse,
}

/// When a key was used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyUse {
    pub first_at: Option<Moment>,
    /// The method and the route of the first call: `POST /v1/recall`.
    pub first_call: Option<String>,
    /// To the minute; written late.
    pub last_at: Option<Moment>,
}

/// A page of keys.
#[derive(Debug, Clone, Default)]
pub struct KeyFilter {
    pub shown: KeysShown,
    /// The last key of the page before.
    pub after: Option<String>,
    pub limit: u32,
}

#[async_trait]
pub trait KeyReads: Send + Sync {
    async fn key_by_hash(&self, hash: &str) -> Result<Option<Key>, StoreError>;

    async fn key(&self, id: &str) -> Result<Option<Key>, StoreError>;

    /// Newest first.
    async fn keys(&self, filter: &KeyFilter, now: Moment) -> Result<Vec<Key>, StoreError>;

    /// How many keys each list has, in the order of [`KeysShown::ALL`].
    async fn count_keys(&self, now: Moment) -> Result<[i64; 5], StoreError>;

    /// `(id, name)` of those of these keys that exist.
    async fn key_names(&self, ids: &[String]) -> Result<Vec<(String, String)>, StoreError>;
}

#[async_trait]
pub trait KeyWrites: Send {
    /// Returns whether the id was free; if not, nothing is changed.
    async fn insert_key(&mut self, key: &Key) -> Result<bool, StoreError>;

    /// A key as this transaction sees it.
    async fn known_key(&mut self, id: &str) -> Result<Option<Key>, StoreError>;

    /// Sets when a key ends, and by what. Returns whether there is such a key.
    async fn set_key_life(&mut self, id: &str, life: &KeyLife) -> Result<bool, StoreError>;

    /// Sets which key a key replaced. No two replace the same one.
    async fn set_replaced_key(&mut self, id: &str, replaces: Option<&str>) -> Result<(), StoreError>;

    /// Notes that a key was used at this minute, unless a later use is noted. Does not bring a deleted key back.
    async fn note_key_use(&mut self, id: &str, minute: Moment) -> Result<(), StoreError>;

    /// Notes the first call with a key, unless one is noted.
    async fn note_first_call(&mut self, id: &str, at: Moment, call: &str) -> Result<(), StoreError>;
}
