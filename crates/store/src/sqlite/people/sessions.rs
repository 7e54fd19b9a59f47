//! Signed-in sessions in SQLite.

use async_trait::async_trait;

use crate::sqlite::SqliteStore;
use domain::moment::Moment;
use ports::sessions::{Sessions, StoredSession};
use ports::store::StoreError;

const CREATE: &str =
    "INSERT INTO sessions (id, record, expires_at, operator_id) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO NOTHING";
const SAVE: &str = "UPDATE sessions SET record = ?2, expires_at = ?3, operator_id = ?4 WHERE id = ?1";
const LOAD: &str = "SELECT id, record, expires_at, operator_id FROM sessions WHERE id = ?1 AND expires_at > ?2";
const DELETE: &str = "DELETE FROM sessions WHERE id = ?1";
const DELETE_EXPIRED: &str = "DELETE FROM sessions WHERE expires_at <= ?1";

#[async_trait]
impl Sessions for SqliteStore {
    async fn create_session(&self, session: &StoredSession) -> Result<bool, StoreError> {
        let query =
            sqlx::query(CREATE).bind(&session.id).bind(&session.record).bind(session.expires_at.0).bind(&session.operator);
        Ok(query.execute(&self.writer).await?.rows_affected() == 1)
    }

    async fn save_session(&self, session: &StoredSession) -> Result<(), StoreError> {
        let query = sqlx::query(SAVE).bind(&session.id).bind(&session.record).bind(session.expires_at.0).bind(&session.operator);
        query.execute(&self.writer).await?;
        Ok(())
    }

    async fn load_session(&self, id: &str, now: Moment) -> Result<Option<StoredSession>, StoreError> {
        let query = sqlx::query_as::<_, (String, String, i64, Option<String>)>(LOAD).bind(id).bind(now.0);
        let row = query.fetch_optional(&self.readers).await?;
        Ok(row.map(|(id, record, at, operator)| StoredSession { id, record, expires_at: Moment(at), operator }))
    }

    async fn delete_session(&self, id: &str) -> Result<(), StoreError> {
        sqlx::query(DELETE).bind(id).execute(&self.writer).await?;
        Ok(())
    }

    async fn delete_expired_sessions(&self, now: Moment) -> Result<(), StoreError> {
        sqlx::query(DELETE_EXPIRED).bind(now.0).execute(&self.writer).await?;
        Ok(())
    }
}
