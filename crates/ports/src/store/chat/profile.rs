//! The fields of a user's profile. Every method takes the owner first.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::chat::profile::ProfileField;
use domain::erasure::people::UserId;

#[async_trait]
pub trait ProfileReads: Send + Sync {
    /// This user's fields, by name.
    async fn profile(&self, user: &UserId) -> Result<Vec<ProfileField>, StoreError>;
}

#[async_trait]
pub trait ProfileWrites: Send {
    /// Like [`ProfileReads::profile`], inside the transaction.
    async fn known_profile(&mut self, user: &UserId) -> Result<Vec<ProfileField>, StoreError>;

    /// Adds the field or replaces its value.
    async fn set_profile_field(&mut self, user: &UserId, field: &ProfileField) -> Result<(), StoreError>;

    /// Deletes a field. `false`: there is no such field.
    async fn delete_profile_field(&mut self, user: &UserId, name: &str) -> Result<bool, StoreError>;
}
