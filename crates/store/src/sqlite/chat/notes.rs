//! Notes in SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use crate::sqlite::values::json_ids;
use crate::sqlite::{SqliteStore, SqliteTx, ensure_user, user_no};
use domain::erasure::people::UserId;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::chat::notes::{NewNote, Note, NoteReads, NoteWrites};

const LIST: &str = "SELECT * FROM notes WHERE user_no = (SELECT user_no FROM users WHERE user_id = ?1) ORDER BY no";
const INSERT: &str = "INSERT INTO notes (id, user_no, surface, content, created_at, memory_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
// `+user_no` makes the planner search by id instead of the index that begins with the user.
const DELETE: &str = "DELETE FROM notes WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";
const USE: &str = "UPDATE notes SET last_used_at = ?3 WHERE +user_no = ?1 AND id IN (SELECT value FROM json_each(?2))";

#[async_trait]
impl NoteReads for SqliteStore {
    async fn notes(&self, user: &UserId) -> Result<Vec<Note>, StoreError> {
        list(&mut *self.readers.acquire().await?, user).await
    }
}

#[async_trait]
impl NoteWrites for SqliteTx<'_> {
    async fn known_notes(&mut self, user: &UserId) -> Result<Vec<Note>, StoreError> {
        list(&mut self.tx, user).await
    }

    async fn insert_note(&mut self, user: &UserId, note: &NewNote) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), note.at).await?;
        sqlx::query(INSERT)
            .bind(&note.id)
            .bind(no)
            .bind(note.surface.as_str())
            .bind(&note.content)
            .bind(note.at.0)
            .bind(&note.memory)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn delete_notes(&mut self, user: &UserId, ids: &[String]) -> Result<u64, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        Ok(sqlx::query(DELETE).bind(no).bind(json_ids(ids)).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn use_notes(&mut self, user: &UserId, ids: &[String], at: Moment) -> Result<(), StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        sqlx::query(USE).bind(no).bind(json_ids(ids)).bind(at.0).execute(&mut *self.tx).await?;
        Ok(())
    }
}

async fn list(conn: &mut SqliteConnection, user: &UserId) -> Result<Vec<Note>, StoreError> {
    sqlx::query(LIST).bind(user.as_str()).fetch_all(conn).await?.iter().map(note).collect()
}

fn note(row: &SqliteRow) -> Result<Note, StoreError> {
    Ok(Note {
        id: row.try_get("id")?,
        content: row.try_get("content")?,
        surface: row.try_get("surface")?,
        created_at: Moment(row.try_get("created_at")?),
        last_used_at: row.try_get::<Option<i64>, _>("last_used_at")?.map(Moment),
    })
}
