//! Operators, keys and settings in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{SqliteStore, SqliteTx, corrupt};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::ports::store::StoreError;
use crate::ports::store::desk::{DeskReads, DeskWrites, Key, Operator, Rights, StoredSetting};

const BY_EMAIL: &str = "SELECT * FROM operators WHERE email = ?1";
const BY_ID: &str = "SELECT * FROM operators WHERE id = ?1";
const ALL: &str = "SELECT * FROM operators ORDER BY email";
const KEY_BY_HASH: &str = "SELECT * FROM keys WHERE hash = ?1";
const SETTINGS: &str = "SELECT key, value, version FROM settings ORDER BY key";
const INSERT_OPERATOR: &str = "INSERT INTO operators (id, email, name, rights, password_hash, created_at) \
                               VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (email) DO NOTHING";
const SET_PASSWORD: &str = "UPDATE operators SET password_hash = ?2 WHERE id = ?1";
const DISABLE: &str = "UPDATE operators SET disabled_at = ?2 WHERE id = ?1 AND disabled_at IS NULL";
const INSERT_KEY: &str = "INSERT INTO keys (id, name, scopes, user_id, hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const SETTING: &str = "SELECT key, value, version FROM settings WHERE key = ?1";
const WRITE_SETTING: &str = "INSERT INTO settings (key, value, version) VALUES (?1, ?2, ?3) \
                             ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version";
const WRITE_HISTORY: &str = "INSERT INTO settings_history (key, old_value, new_value, version, changed_by, changed_at, change_id) \
                             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const NOTE_SETTINGS: &str = "INSERT INTO changes (topic, target) VALUES ('settings', ?1)";
const NOTE_OPERATORS: &str = "INSERT INTO changes (topic) VALUES ('operators')";

#[async_trait]
impl DeskReads for SqliteStore {
    async fn operator_by_email(&self, email: &str) -> Result<Option<Operator>, StoreError> {
        sqlx::query(BY_EMAIL).bind(email).fetch_optional(&self.readers).await?.as_ref().map(operator).transpose()
    }

    async fn operator(&self, id: &str) -> Result<Option<Operator>, StoreError> {
        sqlx::query(BY_ID).bind(id).fetch_optional(&self.readers).await?.as_ref().map(operator).transpose()
    }

    async fn operators(&self) -> Result<Vec<Operator>, StoreError> {
        sqlx::query(ALL).fetch_all(&self.readers).await?.iter().map(operator).collect()
    }

    async fn key_by_hash(&self, hash: &str) -> Result<Option<Key>, StoreError> {
        sqlx::query(KEY_BY_HASH).bind(hash).fetch_optional(&self.readers).await?.as_ref().map(key).transpose()
    }

    async fn stored_settings(&self) -> Result<Vec<StoredSetting>, StoreError> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as(SETTINGS).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(setting).collect())
    }
}

#[async_trait]
impl DeskWrites for SqliteTx<'_> {
    async fn insert_operator(&mut self, operator: &Operator, at: Moment) -> Result<bool, StoreError> {
        let done = sqlx::query(INSERT_OPERATOR)
            .bind(&operator.id)
            .bind(&operator.email)
            .bind(&operator.name)
            .bind(rights_name(operator.rights))
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

    async fn insert_key(&mut self, key: &Key) -> Result<(), StoreError> {
        sqlx::query(INSERT_KEY)
            .bind(&key.id)
            .bind(&key.name)
            .bind(&key.scopes)
            .bind(key.user.as_ref().map(UserId::as_str))
            .bind(&key.hash)
            .bind(key.created_at.0)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn setting(&mut self, key: &str) -> Result<Option<StoredSetting>, StoreError> {
        let row: Option<(String, String, i64)> = sqlx::query_as(SETTING).bind(key).fetch_optional(&mut *self.tx).await?;
        Ok(row.map(setting))
    }

    async fn write_setting(
        &mut self,
        new: &StoredSetting,
        old: Option<&str>,
        by: &str,
        change_id: &str,
        at: Moment,
    ) -> Result<(), StoreError> {
        sqlx::query(WRITE_SETTING).bind(&new.key).bind(&new.value).bind(new.version).execute(&mut *self.tx).await?;
        sqlx::query(WRITE_HISTORY)
            .bind(&new.key)
            .bind(old)
            .bind(&new.value)
            .bind(new.version)
            .bind(by)
            .bind(at.0)
            .bind(change_id)
            .execute(&mut *self.tx)
            .await?;
        sqlx::query(NOTE_SETTINGS).bind(&new.key).execute(&mut *self.tx).await?;
        Ok(())
    }
}

fn setting((key, value, version): (String, String, i64)) -> StoredSetting {
    StoredSetting { key, value, version }
}

pub(super) fn rights_name(rights: Rights) -> &'static str {
    match rights {
        Rights::View => "view",
        Rights::Edit => "edit",
    }
}

pub(super) fn operator(row: &SqliteRow) -> Result<Operator, StoreError> {
    let rights = if row.try_get::<&str, _>("rights")? == "edit" { Rights::Edit } else { Rights::View };
    Ok(Operator {
        id: row.try_get("id")?,
        email: row.try_get("email")?,
        name: row.try_get("name")?,
        rights,
        password_hash: row.try_get("password_hash")?,
        disabled: row.try_get::<Option<i64>, _>("disabled_at")?.is_some(),
    })
}

fn key(row: &SqliteRow) -> Result<Key, StoreError> {
    Ok(Key {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        scopes: row.try_get("scopes")?,
        user: row.try_get::<Option<String>, _>("user_id")?.map(|id| UserId::new(id).map_err(corrupt)).transpose()?,
        hash: row.try_get("hash")?,
        created_at: Moment(row.try_get("created_at")?),
    })
}
