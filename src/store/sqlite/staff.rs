//! Changing operators in SQLite.

use async_trait::async_trait;

use super::SqliteTx;
use super::desk::{operator, rights_name};
use crate::ports::store::StoreError;
use crate::ports::store::desk::{Operator, Rights};
use crate::ports::store::staff::StaffWrites;

const ONE: &str = "SELECT * FROM operators WHERE id = ?1";
const OTHER_EDITORS: &str = "SELECT COUNT(*) FROM operators WHERE id <> ?1 AND rights = 'edit' AND disabled_at IS NULL";
const SET_RIGHTS: &str = "UPDATE operators SET rights = ?2 WHERE id = ?1";
const END_SESSIONS: &str = "DELETE FROM sessions WHERE operator_id = ?1 AND id IS NOT ?2";
const NOTE_OPERATORS: &str = "INSERT INTO changes (topic) VALUES ('operators')";

#[async_trait]
impl StaffWrites for SqliteTx<'_> {
    async fn known_operator(&mut self, id: &str) -> Result<Option<Operator>, StoreError> {
        sqlx::query(ONE).bind(id).fetch_optional(&mut *self.tx).await?.as_ref().map(operator).transpose()
    }

    async fn count_other_editors(&mut self, id: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(OTHER_EDITORS).bind(id).fetch_one(&mut *self.tx).await?)
    }

    async fn set_rights(&mut self, id: &str, rights: Rights) -> Result<bool, StoreError> {
        let done = sqlx::query(SET_RIGHTS).bind(id).bind(rights_name(rights)).execute(&mut *self.tx).await?;
        sqlx::query(NOTE_OPERATORS).execute(&mut *self.tx).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn end_sessions(&mut self, operator_id: &str, except: Option<&str>) -> Result<u64, StoreError> {
        Ok(sqlx::query(END_SESSIONS).bind(operator_id).bind(except).execute(&mut *self.tx).await?.rows_affected())
    }
}
