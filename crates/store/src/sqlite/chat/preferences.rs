//! Preferences in SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use crate::sqlite::values::{corrupt, json_ids};
use crate::sqlite::{SqliteStore, SqliteTx, ensure_user, user_no};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::chat::preferences::{Preference, PreferenceReads, PreferenceWrites};

const LIST: &str = "SELECT * FROM preferences WHERE user_no = (SELECT user_no FROM users WHERE user_id = ?1) ORDER BY no";
const INSERT: &str = "INSERT INTO preferences (id, user_no, platform, content, created_at) VALUES (?1, ?2, ?3, ?4, ?5)";
// `+user_no` makes the planner search by id instead of the index that begins with the user.
const DELETE: &str = "DELETE FROM preferences WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";

#[async_trait]
impl PreferenceReads for SqliteStore {
    async fn preferences(&self, user: &UserId) -> Result<Vec<Preference>, StoreError> {
        list(&mut *self.readers.acquire().await?, user).await
    }
}

#[async_trait]
impl PreferenceWrites for SqliteTx<'_> {
    async fn known_preferences(&mut self, user: &UserId) -> Result<Vec<Preference>, StoreError> {
        list(&mut self.tx, user).await
    }

    async fn insert_preference(&mut self, user: &UserId, preference: &Preference) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), preference.created_at).await?;
        sqlx::query(INSERT)
            .bind(&preference.id)
            .bind(no)
            .bind(preference.platform.as_ref().map(Surface::as_str))
            .bind(&preference.content)
            .bind(preference.created_at.0)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn delete_preferences(&mut self, user: &UserId, ids: &[String]) -> Result<u64, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(sqlx::query(DELETE).bind(no).bind(json_ids(ids)).execute(&mut *self.tx).await?.rows_affected())
    }
}

async fn list(conn: &mut SqliteConnection, user: &UserId) -> Result<Vec<Preference>, StoreError> {
    sqlx::query(LIST).bind(user.as_str()).fetch_all(conn).await?.iter().map(preference).collect()
}

fn preference(row: &SqliteRow) -> Result<Preference, StoreError> {
    Ok(Preference {
        id: row.try_get("id")?,
        platform: row.try_get::<Option<String>, _>("platform")?.map(Surface::new).transpose().map_err(corrupt)?,
        content: row.try_get("content")?,
        created_at: Moment(row.try_get("created_at")?),
    })
}
