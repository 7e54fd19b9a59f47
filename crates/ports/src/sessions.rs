//! Storage for signed-in sessions.

use async_trait::async_trait;

use super::store::StoreError;
use domain::moment::Moment;

/// A session as it is stored: an opaque record under the digest of an unguessable id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    pub id: String,
    /// JSON.
    pub record: String,
    pub expires_at: Moment,
    /// Id of the operator after sign-in.
    pub operator: Option<String>,
}

#[async_trait]
pub trait Sessions: Send + Sync {
    /// `false`: the id is taken.
    async fn create_session(&self, session: &StoredSession) -> Result<bool, StoreError>;

    /// Overwrites an existing session. A session that was ended in the meantime stays ended.
    async fn save_session(&self, session: &StoredSession) -> Result<(), StoreError>;

    /// `None` when there is none or it has expired.
    async fn load_session(&self, id: &str, now: Moment) -> Result<Option<StoredSession>, StoreError>;

    async fn delete_session(&self, id: &str) -> Result<(), StoreError>;

    async fn delete_expired_sessions(&self, now: Moment) -> Result<(), StoreError>;
}
