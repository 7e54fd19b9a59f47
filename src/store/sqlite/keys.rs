//! Callers' keys in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{SqliteStore, SqliteTx, corrupt, json_ids};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::ports::store::StoreError;
use crate::ports::store::keys::{Key, KeyReads, KeyWrites};

const KEY_BY_HASH: &str = "SELECT * FROM keys WHERE hash = ?1";
const KEY_NAMES: &str = "SELECT id, name FROM keys WHERE id IN (SELECT value FROM json_each(?1))";
const INSERT_KEY: &str = "INSERT INTO keys (id, name, scopes, user_id, hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

#[async_trait]
impl KeyReads for SqliteStore {
    async fn key_by_hash(&self, hash: &str) -> Result<Option<Key>, StoreError> {
        sqlx::query(KEY_BY_HASH).bind(hash).fetch_optional(&self.readers).await?.as_ref().map(key).transpose()
    }

    async fn key_names(&self, ids: &[String]) -> Result<Vec<(String, String)>, StoreError> {
        Ok(sqlx::query_as(KEY_NAMES).bind(json_ids(ids)).fetch_all(&self.readers).await?)
    }
}

#[async_trait]
impl KeyWrites for SqliteTx<'_> {
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
