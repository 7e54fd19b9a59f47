//! Operators in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::{SqliteStore, SqliteTx};
use domain::access::rights::Rights;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::people::operators::{Operator, OperatorReads, OperatorWrites};

const BY_EMAIL: &str = "SELECT * FROM operators WHERE email = ?1";
const BY_ID: &str = "SELECT * FROM operators WHERE id = ?1";
const ALL: &str = "SELECT * FROM operators ORDER BY email";
const INSERT_OPERATOR: &str = "INSERT INTO operators (id, email, name, rights, password_hash, created_at) \
                               VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (email) DO NOTHING";
const SET_PASSWORD: &str = "UPDATE operators SET password_hash = ?2 WHERE id = ?1";
const DISABLE: &str = "UPDATE operators SET disabled_at = ?2 WHERE id = ?1 AND disabled_at IS NULL";
const OTHER_EDITORS: &str = "SELECT COUNT(*) FROM operators WHERE id <> ?1 AND rights = 'edit' AND disabled_at IS NULL";
const SET_RIGHTS: &str = "UPDATE operators SET rights = ?2 WHERE id = ?1";
const END_SESSIONS: &str = "DELETE FROM sessions WHERE operator_id = ?1 AND id IS NOT ?2";
const NOTE_OPERATORS: &str = "INSERT INTO changes (topic) VALUES ('operators')";

#[async_trait]
impl OperatorReads for SqliteStore {
    async fn operator_by_email(&self, email: &str) -> Result<Option<Operator>, StoreError> {
        sqlx::query(BY_EMAIL).bind(email).fetch_optional(&self.readers).await?.as_ref().map(operator).transpose()
    }

    async fn operator(&self, id: &str) -> Result<Option<Operator>, StoreError> {
        sqlx::query(BY_ID).bind(id).fetch_optional(&self.readers).await?.as_ref().map(operator).transpose()
    }

    async fn operators(&self) -> Result<Vec<Operator>, StoreError> {
        sqlx::query(ALL).fetch_all(&self.readers).await?.iter().map(operator).collect()
    }
}

#[async_trait]
impl OperatorWrites for SqliteTx<'_> {
    async fn insert_operator(&mut self, operator: &Operator, at: Moment) -> Result<bool, StoreError> {
        let done = sqlx::query(INSERT_OPERATOR)
            .bind(&operator.id)
            .bind(&operator.email)
            .bind(&operator.name)
            .bind(operator.rights.as_str())
            .bind(&operator.password_hash)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await?;
        sqlx::query(NOTE_OPERATORS).execute(&mut *self.tx).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn set_password(&mut self, operator_id: &str, password_hash: &str) -> Result<bool, StoreError> {
        Ok(sqlx::query(SET_PASSWORD).bind(operator_id).bind(password_hash).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn disable_operator(&mut self, operator_id: &str, at: Moment) -> Result<bool, StoreError> {
        let done = sqlx::query(DISABLE).bind(operator_id).bind(at.0).execute(&mut *self.tx).await?;
        sqlx::query(NOTE_OPERATORS).execute(&mut *self.tx).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn known_operator(&mut self, id: &str) -> Result<Option<Operator>, StoreError> {
        sqlx::query(BY_ID).bind(id).fetch_optional(&mut *self.tx).await?.as_ref().map(operator).transpose()
    }

    async fn count_other_editors(&mut self, id: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(OTHER_EDITORS).bind(id).fetch_one(&mut *self.tx).await?)
    }

    async fn set_rights(&mut self, id: &str, rights: Rights) -> Result<bool, StoreError> {
        let done = sqlx::query(SET_RIGHTS).bind(id).bind(rights.as_str()).execute(&mut *self.tx).await?;
        sqlx::query(NOTE_OPERATORS).execute(&mut *self.tx).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn end_sessions(&mut self, operator_id: &str, except: Option<&str>) -> Result<u64, StoreError> {
        Ok(sqlx::query(END_SESSIONS).bind(operator_id).bind(except).execute(&mut *self.tx).await?.rows_affected())
    }
}

fn operator(row: &SqliteRow) -> Result<Operator, StoreError> {
    let rights = Rights::parse(row.try_get("rights")?).map_err(StoreError::failed)?;
    Ok(Operator {
        id: row.try_get("id")?,
        email: row.try_get("email")?,
        name: row.try_get("name")?,
        rights,
        password_hash: row.try_get("password_hash")?,
        disabled: row.try_get::<Option<i64>, _>("disabled_at")?.is_some(),
    })
}
