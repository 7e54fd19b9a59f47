//! Profiles in SQLite.

use async_trait::async_trait;
use sqlx::{Row, SqliteConnection};

use crate::sqlite::values::corrupt;
use crate::sqlite::{SqliteStore, SqliteTx, ensure_user, user_no};
use domain::chat::profile::{FieldValue, ProfileField};
use domain::erasure::people::UserId;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::chat::profile::{ProfileReads, ProfileWrites};

const LIST: &str = "SELECT name, form, value, updated_at FROM profile_fields \
                    WHERE user_no = (SELECT user_no FROM users WHERE user_id = ?1) ORDER BY name";
const SET: &str = "INSERT INTO profile_fields (user_no, name, form, value, updated_at) VALUES (?1, ?2, ?3, ?4, ?5) \
                   ON CONFLICT (user_no, name) DO UPDATE \
                   SET form = excluded.form, value = excluded.value, updated_at = excluded.updated_at";
/// Forms of a stored value.
const TEXT: &str = "text";
const JSON: &str = "json";
const DELETE: &str = "DELETE FROM profile_fields WHERE user_no = ?1 AND name = ?2";

#[async_trait]
impl ProfileReads for SqliteStore {
    async fn profile(&self, user: &UserId) -> Result<Vec<ProfileField>, StoreError> {
        list(&mut *self.readers.acquire().await?, user).await
    }
}

#[async_trait]
impl ProfileWrites for SqliteTx<'_> {
    async fn known_profile(&mut self, user: &UserId) -> Result<Vec<ProfileField>, StoreError> {
        list(&mut self.tx, user).await
    }

    async fn set_profile_field(&mut self, user: &UserId, field: &ProfileField) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), field.updated_at).await?;
        let form = if matches!(field.value, FieldValue::Text(_)) { TEXT } else { JSON };
        let query = sqlx::query(SET).bind(no).bind(&field.name).bind(form).bind(field.value.shown()).bind(field.updated_at.0);
        query.execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn delete_profile_field(&mut self, user: &UserId, name: &str) -> Result<bool, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(sqlx::query(DELETE).bind(no).bind(name).execute(&mut *self.tx).await?.rows_affected() == 1)
    }
}

async fn list(conn: &mut SqliteConnection, user: &UserId) -> Result<Vec<ProfileField>, StoreError> {
    let rows = sqlx::query(LIST).bind(user.as_str()).fetch_all(conn).await?;
    let field = |row: &sqlx::sqlite::SqliteRow| -> Result<ProfileField, StoreError> {
        let stored: String = row.try_get("value")?;
        let value = match row.try_get("form")? {
            TEXT => FieldValue::Text(stored),
            JSON => FieldValue::Json(serde_json::from_str(&stored).map_err(|_| corrupt("the value of a field"))?),
            _ => return Err(corrupt("the form of a field")),
        };
        Ok(ProfileField { name: row.try_get("name")?, value, updated_at: Moment(row.try_get("updated_at")?) })
    };
    rows.iter().map(field).collect()
}
