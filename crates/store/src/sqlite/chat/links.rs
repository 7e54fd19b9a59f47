//! Chats linked to users in SQLite.

use async_trait::async_trait;

use crate::sqlite::values::corrupt;
use crate::sqlite::{SqliteStore, SqliteTx, ensure_user, user_no};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::chat::links::{LinkReads, LinkWrites, LinkedChat, NextUpdate};

const ALL: &str = "SELECT u.user_id, l.surface, l.chat, l.linked_at FROM chat_links AS l JOIN users AS u USING (user_no) \
                   ORDER BY l.surface, l.chat";
const USER_OF: &str =
    "SELECT u.user_id FROM chat_links AS l JOIN users AS u USING (user_no) WHERE l.surface = ?1 AND l.chat = ?2";
const COUNT: &str = "SELECT COUNT(*) FROM chat_links WHERE user_no = (SELECT user_no FROM users WHERE user_id = ?1)";
const NEXT: &str = "SELECT next, took_at FROM bot_updates WHERE bot = ?1";
const PUT_CODE: &str = "INSERT INTO link_codes (user_no, hash, expires_at) VALUES (?1, ?2, ?3) \
                        ON CONFLICT (user_no) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at";
const FIND_CODE: &str = "SELECT u.user_id, c.expires_at FROM link_codes AS c JOIN users AS u USING (user_no) WHERE c.hash = ?1";
const DROP_CODE: &str = "DELETE FROM link_codes WHERE hash = ?1";
const LINK: &str = "INSERT INTO chat_links (surface, chat, user_no, linked_at) VALUES (?1, ?2, ?3, ?4) \
                    ON CONFLICT (surface, chat) DO UPDATE SET user_no = excluded.user_no, linked_at = excluded.linked_at";
const UNLINK: &str = "DELETE FROM chat_links WHERE surface = ?1 AND chat = ?2";
const UNLINK_ALL: &str = "DELETE FROM chat_links WHERE user_no = ?1";
const DROP_CODE_OF: &str = "DELETE FROM link_codes WHERE user_no = ?1";
const NOTE: &str = "INSERT INTO bot_updates (bot, next, took_at) VALUES (?1, ?2, ?3) \
                    ON CONFLICT (bot) DO UPDATE SET next = MAX(next, excluded.next), took_at = excluded.took_at";
const FORGET: &str = "DELETE FROM bot_updates WHERE bot = ?1";
const PURGE: &str = "DELETE FROM link_codes WHERE expires_at < ?1";

#[async_trait]
impl LinkReads for SqliteStore {
    async fn linked_chats(&self) -> Result<Vec<LinkedChat>, StoreError> {
        let rows: Vec<(String, String, String, i64)> = sqlx::query_as(ALL).fetch_all(&self.readers).await?;
        let linked = |(user, surface, chat, linked_at)| {
            Ok(LinkedChat {
                user: UserId::new(user).map_err(corrupt)?,
                surface: Surface::new(surface).map_err(corrupt)?,
                chat,
                linked_at: Moment(linked_at),
            })
        };
        rows.into_iter().map(linked).collect()
    }

    async fn user_of_chat(&self, surface: &Surface, chat: &str) -> Result<Option<UserId>, StoreError> {
        let id: Option<String> =
            sqlx::query_scalar(USER_OF).bind(surface.as_str()).bind(chat).fetch_optional(&self.readers).await?;
        id.map(UserId::new).transpose().map_err(corrupt)
    }

    async fn count_chats(&self, user: &UserId) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(COUNT).bind(user.as_str()).fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn next_update(&self, bot: &str) -> Result<Option<NextUpdate>, StoreError> {
        let row: Option<(i64, i64)> = sqlx::query_as(NEXT).bind(bot).fetch_optional(&self.readers).await?;
        Ok(row.map(|(next, took_at)| NextUpdate { next, took_at: Moment(took_at) }))
    }
}

#[async_trait]
impl LinkWrites for SqliteTx<'_> {
    async fn put_link_code(&mut self, user: &UserId, hash: &str, at: Moment, expires_at: Moment) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), at).await?;
        sqlx::query(PUT_CODE).bind(no).bind(hash).bind(expires_at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn take_link_code(&mut self, hash: &str) -> Result<Option<(UserId, Moment)>, StoreError> {
        let found: Option<(String, i64)> = sqlx::query_as(FIND_CODE).bind(hash).fetch_optional(&mut *self.tx).await?;
        sqlx::query(DROP_CODE).bind(hash).execute(&mut *self.tx).await?;
        found.map(|(id, until)| Ok((UserId::new(id).map_err(corrupt)?, Moment(until)))).transpose()
    }

    async fn link_chat(&mut self, user: &UserId, surface: &Surface, chat: &str, at: Moment) -> Result<(), StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), at).await?;
        sqlx::query(LINK).bind(surface.as_str()).bind(chat).bind(no).bind(at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn unlink_chat(&mut self, surface: &Surface, chat: &str) -> Result<Option<UserId>, StoreError> {
        let id: Option<String> =
            sqlx::query_scalar(USER_OF).bind(surface.as_str()).bind(chat).fetch_optional(&mut *self.tx).await?;
        sqlx::query(UNLINK).bind(surface.as_str()).bind(chat).execute(&mut *self.tx).await?;
        id.map(UserId::new).transpose().map_err(corrupt)
    }

    async fn unlink_chats(&mut self, user: &UserId) -> Result<u64, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        sqlx::query(DROP_CODE_OF).bind(no).execute(&mut *self.tx).await?;
        Ok(sqlx::query(UNLINK_ALL).bind(no).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn note_update(&mut self, bot: &str, next: i64, at: Moment) -> Result<(), StoreError> {
        sqlx::query(NOTE).bind(bot).bind(next).bind(at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn forget_updates(&mut self, bot: &str) -> Result<(), StoreError> {
        sqlx::query(FORGET).bind(bot).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn purge_link_codes(&mut self, now: Moment) -> Result<(), StoreError> {
        sqlx::query(PURGE).bind(now.0).execute(&mut *self.tx).await?;
        Ok(())
    }
}
