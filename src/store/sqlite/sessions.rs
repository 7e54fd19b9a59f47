//! Signed-in sessions in SQLite.

use async_trait::async_trait;

use super::SqliteStore;
use crate::domain::moment::Moment;
use crate::ports::sessions::{Sessions, StoredSession};
use crate::ports::store::StoreError;

const CREATE: &str = "INSERT INTO sessions (id, record, expires_at) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING";
const SAVE: &str = "INSERT INTO sessions (id, record, expires_at) VALUES (?1, ?2, ?3) \
                    ON CONFLICT (id) DO UPDATE SET record = excluded.record, expires_at = excluded.expires_at";
const LOAD: &str = "SELECT id, record, expires_at FROM sessions WHERE id = ?1 AND expires_at > ?2";
const DELETE: &str = "DELETE FROM sessions WHERE id = ?1";
const DELETE_EXPIRED: &str = "DELETE FROM sessions WHERE expires_at <= ?1";

#[async_trait]
impl Sessions for SqliteStore {
    async fn create_session(&self, session: &StoredSession) -> Result<bool, StoreError> {
        let query = sqlx::query(CREATE).bind(&session.id).bind(&session.record).bind(session.expires_at.0);
        Ok(query.execute(&self.writer).await?.rows_affected() == 1)
    }

    async fn save_session(&self, session: &StoredSession) -> Result<(), StoreError> {
        sqlx::query(SAVE).bind(&session.id).bind(&session.record).bind(session.expires_at.0).execute(&self.writer).await?;
        Ok(())
    }

    async fn load_session(&self, id: &str, now: Moment) -> Result<Option<StoredSession>, StoreError> {
        let row: Option<(String, String, i64)> = sqlx::query_as(LOAD).bind(id).bind(now.0).fetch_optional(&self.readers).await?;
        Ok(row.map(|(id, record, expires_at)| StoredSession { id, record, expires_at: Moment(expires_at) }))
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
