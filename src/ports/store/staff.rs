//! Changing operators: what a check needs inside the transaction that acts on it.

use async_trait::async_trait;

use super::StoreError;
use super::desk::{Operator, Rights};

#[async_trait]
pub trait StaffWrites: Send {
    async fn known_operator(&mut self, id: &str) -> Result<Option<Operator>, StoreError>;

    /// Operators beside this one who may edit and come in.
    async fn count_other_editors(&mut self, id: &str) -> Result<i64, StoreError>;

    /// `false`: there is no such operator.
    async fn set_rights(&mut self, id: &str, rights: Rights) -> Result<bool, StoreError>;

    /// Ends this operator's sessions but the one that is excepted. Returns how many.
    async fn end_sessions(&mut self, operator_id: &str, except: Option<&str>) -> Result<u64, StoreError>;
}
