//! Callers' keys in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::values::{corrupt, json_ids};
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::access::key::{EXPIRING_WITHIN_DAYS, KeyLife, KeysShown, UNUSED_AFTER_DAYS};
use domain::erasure::people::UserId;
use domain::moment::{DAY_MS, Moment};
use ports::store::StoreError;
use ports::store::people::keys::{Key, KeyFilter, KeyReads, KeyUse, KeyWrites};

const KEY_BY_HASH: &str = "SELECT * FROM keys WHERE hash = ?1";
const KEY_BY_ID: &str = "SELECT * FROM keys WHERE id = ?1";

/// Conditions: the key works at `?1`; expires by `?2`; was not used since `?3`.
macro_rules! works {
    () => {
        "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)"
    };
}
macro_rules! expiring {
    () => {
        concat!(works!(), " AND replaced_by IS NULL AND expires_at <= ?2")
    };
}
macro_rules! unused {
    () => {
        concat!(works!(), " AND COALESCE(last_used_at, created_at) <= ?3")
    };
}
macro_rules! ended {
    () => {
        "(revoked_at IS NOT NULL OR expires_at <= ?1)"
    };
}
/// A page of the keys that meet a condition, after the key `?4`.
macro_rules! page {
    ($($which:tt)+) => {
        concat!("SELECT * FROM keys WHERE ", $($which)+, " AND (?4 IS NULL OR (created_at, id) < (SELECT created_at, id FROM keys WHERE id = ?4)) \
                 ORDER BY created_at DESC, id DESC LIMIT ?5")
    };
}
const ALL: &str = page!("TRUE");
const WORKING: &str = page!(works!());
const EXPIRING: &str = page!(expiring!());
const UNUSED: &str = page!(unused!());
const ENDED: &str = page!(ended!());
const COUNT: &str = concat!(
    "SELECT COUNT(*), COUNT(*) FILTER (WHERE ",
    works!(),
    "), COUNT(*) FILTER (WHERE ",
    expiring!(),
    "), COUNT(*) FILTER (WHERE ",
    unused!(),
    "), COUNT(*) FILTER (WHERE ",
    ended!(),
    ") FROM keys"
);
const KEY_NAMES: &str = "SELECT id, name FROM keys WHERE id IN (SELECT value FROM json_each(?1))";
const INSERT_KEY: &str = "INSERT INTO keys (id, name, scopes, user_id, surface, hash, created_at, created_by, expires_at, revoked_at, \
                          replaced_by, replaces, line, first_used_at, first_call, last_used_at) \
                          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) ON CONFLICT (id) DO NOTHING";
const SET_LIFE: &str = "UPDATE keys SET expires_at = ?2, revoked_at = ?3, replaced_by = ?4 WHERE id = ?1";
const SET_REPLACED: &str = "UPDATE keys SET replaces = ?2 WHERE id = ?1";
const NOTE_USE: &str = "UPDATE keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)";
const NOTE_FIRST: &str = "UPDATE keys SET first_used_at = ?2, first_call = ?3 WHERE id = ?1 AND first_used_at IS NULL";
const NOTE_KEYS: &str = "INSERT INTO changes (topic, target) VALUES ('keys', ?1)";

#[async_trait]
impl KeyReads for SqliteStore {
    async fn key_by_hash(&self, hash: &str) -> Result<Option<Key>, StoreError> {
        sqlx::query(KEY_BY_HASH).bind(hash).fetch_optional(&self.readers).await?.as_ref().map(key).transpose()
    }

    async fn key(&self, id: &str) -> Result<Option<Key>, StoreError> {
        sqlx::query(KEY_BY_ID).bind(id).fetch_optional(&self.readers).await?.as_ref().map(key).transpose()
    }

    async fn keys(&self, filter: &KeyFilter, now: Moment) -> Result<Vec<Key>, StoreError> {
        let statement = match filter.shown {
            KeysShown::All => ALL,
            KeysShown::Active => WORKING,
            KeysShown::Expiring => EXPIRING,
            KeysShown::Unused => UNUSED,
            KeysShown::Ended => ENDED,
        };
        let [soon, lately] = bounds(now);
        let query = sqlx::query(statement).bind(now.0).bind(soon).bind(lately).bind(filter.after.as_deref()).bind(filter.limit);
        query.fetch_all(&self.readers).await?.iter().map(key).collect()
    }

    async fn count_keys(&self, now: Moment) -> Result<[i64; 5], StoreError> {
        let [soon, lately] = bounds(now);
        let query = sqlx::query_as::<_, (i64, i64, i64, i64, i64)>(COUNT).bind(now.0).bind(soon).bind(lately);
        Ok(query.fetch_one(&self.readers).await?.into())
    }

    async fn key_names(&self, ids: &[String]) -> Result<Vec<(String, String)>, StoreError> {
        Ok(sqlx::query_as(KEY_NAMES).bind(json_ids(ids)).fetch_all(&self.readers).await?)
    }
}

#[async_trait]
impl KeyWrites for SqliteTx<'_> {
    async fn insert_key(&mut self, key: &Key) -> Result<bool, StoreError> {
        let inserted = sqlx::query(INSERT_KEY)
            .bind(&key.id)
            .bind(&key.name)
            .bind(&key.scopes)
            .bind(key.user.as_ref().map(UserId::as_str))
            .bind(&key.surface)
            .bind(&key.hash)
            .bind(key.created_at.0)
            .bind(&key.created_by)
            .bind(key.life.expires_at.map(|at| at.0))
            .bind(key.life.revoked_at.map(|at| at.0))
            .bind(&key.life.replaced_by)
            .bind(&key.replaces)
            .bind(&key.line)
            .bind(key.used.first_at.map(|at| at.0))
            .bind(&key.used.first_call)
            .bind(key.used.last_at.map(|at| at.0))
            .execute(&mut *self.tx)
            .await?;
        self.note_keys(&key.id, inserted.rows_affected()).await
    }

    async fn known_key(&mut self, id: &str) -> Result<Option<Key>, StoreError> {
        sqlx::query(KEY_BY_ID).bind(id).fetch_optional(&mut *self.tx).await?.as_ref().map(key).transpose()
    }

    async fn set_key_life(&mut self, id: &str, life: &KeyLife) -> Result<bool, StoreError> {
        let (expires, revoked) = (life.expires_at.map(|at| at.0), life.revoked_at.map(|at| at.0));
        let query = sqlx::query(SET_LIFE).bind(id).bind(expires).bind(revoked).bind(&life.replaced_by);
        let set = query.execute(&mut *self.tx).await?;
        self.note_keys(id, set.rows_affected()).await
    }

    async fn set_replaced_key(&mut self, id: &str, replaces: Option<&str>) -> Result<(), StoreError> {
        let set = sqlx::query(SET_REPLACED).bind(id).bind(replaces).execute(&mut *self.tx).await?;
        self.note_keys(id, set.rows_affected()).await.map(drop)
    }

    async fn note_key_use(&mut self, id: &str, minute: Moment) -> Result<(), StoreError> {
        sqlx::query(NOTE_USE).bind(id).bind(minute.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn note_first_call(&mut self, id: &str, at: Moment, call: &str) -> Result<(), StoreError> {
        let noted = sqlx::query(NOTE_FIRST).bind(id).bind(at.0).bind(call).execute(&mut *self.tx).await?;
        self.note_keys(id, noted.rows_affected()).await.map(drop)
    }
}

impl SqliteTx<'_> {
    /// Notifies open pages of a change to a key, if there was one.
    async fn note_keys(&mut self, id: &str, rows: u64) -> Result<bool, StoreError> {
        if rows > 0 {
            sqlx::query(NOTE_KEYS).bind(id).execute(&mut *self.tx).await?;
        }
        Ok(rows > 0)
    }
}

/// The time by which a key expires soon, and the time since which it counts as unused.
fn bounds(now: Moment) -> [i64; 2] {
    [now.plus_ms(EXPIRING_WITHIN_DAYS * DAY_MS).0, now.plus_ms(-UNUSED_AFTER_DAYS * DAY_MS).0]
}

fn key(row: &SqliteRow) -> Result<Key, StoreError> {
    let moment = |name| -> Result<Option<Moment>, StoreError> { Ok(row.try_get::<Option<i64>, _>(name)?.map(Moment)) };
    Ok(Key {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        scopes: row.try_get("scopes")?,
        user: row.try_get::<Option<String>, _>("user_id")?.map(|id| UserId::new(id).map_err(corrupt)).transpose()?,
        surface: row.try_get("surface")?,
        hash: row.try_get("hash")?,
        created_at: Moment(row.try_get("created_at")?),
        created_by: row.try_get("created_by")?,
        life: KeyLife {
            expires_at: moment("expires_at")?,
            revoked_at: moment("revoked_at")?,
            replaced_by: row.try_get("replaced_by")?,
        },
        replaces: row.try_get("replaces")?,
        line: row.try_get("line")?,
        used: KeyUse {
            first_at: moment("first_used_at")?,
            first_call: row.try_get("first_call")?,
            last_at: moment("last_used_at")?,
        },
    })
}
