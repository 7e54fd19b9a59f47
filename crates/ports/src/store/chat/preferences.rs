//! Preferences that users set for an assistant. Every method takes the owner first.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;

/// A preference, as stored and to insert.
#[derive(Clone, PartialEq, Eq)]
pub struct Preference {
    pub id: String,
    /// `None`: applies on every platform.
    pub platform: Option<Surface>,
    pub content: String,
    pub created_at: Moment,
}

impl Preference {
    /// Returns whether it applies on this platform.
    #[must_use]
    pub fn holds_on(&self, platform: &Surface) -> bool {
        self.platform.as_ref().is_none_or(|own| own == platform)
    }
}

#[async_trait]
pub trait PreferenceReads: Send + Sync {
    /// This user's preferences on every platform, oldest first.
    async fn preferences(&self, user: &UserId) -> Result<Vec<Preference>, StoreError>;
}

#[async_trait]
pub trait PreferenceWrites: Send {
    /// Like [`PreferenceReads::preferences`], inside the transaction.
    async fn known_preferences(&mut self, user: &UserId) -> Result<Vec<Preference>, StoreError>;

    async fn insert_preference(&mut self, user: &UserId, preference: &Preference) -> Result<(), StoreError>;

    /// Deletes the preferences with these ids that belong to this user. Returns how many.
    async fn delete_preferences(&mut self, user: &UserId, ids: &[String]) -> Result<u64, StoreError>;
}
