//! Operators: the console's users, and their rights.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::access::rights::Rights;
use domain::moment::Moment;

/// A person with access to the console.
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

#[async_trait]
pub trait OperatorReads: Send + Sync {
    async fn operator_by_email(&self, email: &str) -> Result<Option<Operator>, StoreError>;

    async fn operator(&self, id: &str) -> Result<Option<Operator>, StoreError>;

    async fn operators(&self) -> Result<Vec<Operator>, StoreError>;
}

#[async_trait]
pub trait OperatorWrites: Send {
    /// Inserts an operator. `false`: one with this email exists.
    async fn insert_operator(&mut self, operator: &Operator, at: Moment) -> Result<bool, StoreError>;

    async fn set_password(&mut self, operator_id: &str, password_hash: &str) -> Result<bool, StoreError>;

    async fn disable_operator(&mut self, operator_id: &str, at: Moment) -> Result<bool, StoreError>;

    async fn known_operator(&mut self, id: &str) -> Result<Option<Operator>, StoreError>;

    /// Number of other operators who are enabled and have every right.
    async fn count_other_editors(&mut self, id: &str) -> Result<i64, StoreError>;

    /// `false`: there is no such operator.
    async fn set_rights(&mut self, id: &str, rights: Rights) -> Result<bool, StoreError>;

    /// Ends this operator's sessions, except the given one. Returns how many.
    async fn end_sessions(&mut self, operator_id: &str, except: Option<&str>) -> Result<u64, StoreError>;
}
