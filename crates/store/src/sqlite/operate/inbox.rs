//! The durable inbox in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::values::{corrupt, ids_in, ids_of};
use crate::sqlite::{SqliteStore, SqliteTx, ensure_user, user_no};
use domain::erasure::people::UserId;
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::exchange::{Exchange, ExchangeStatus, Gathering, LONGEST_WAIT_MS};
use domain::memory::{Content, Importance};
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::operate::inbox::{
    Arrival, Backlog, InboxReads, InboxState, InboxWrites, NewExchange, QueuedExchange, SaidAt, StoredAnswer,
};

/// Maximum number of exchanges returned per user, unless more are read together.
const FEWEST_OF_A_USER: u32 = 4;

const DUE: &str = include_str!("due.sql");
const BEGIN: &str = "UPDATE exchanges SET tries = tries + 1 WHERE id = ?1 AND status = 'queued'";
const WAITING_SINCE: &str = "SELECT id FROM exchanges WHERE user_no = ?1 AND surface = ?2 AND thread = ?3 AND said_at = ?4 \
                             AND status = 'queued' ORDER BY seq";
const WITHDRAW: &str = "DELETE FROM arrivals WHERE user_no = ?1 AND surface = ?2 AND source = ?3 AND said_at = ?4";
const NOTE: &str = "UPDATE exchanges SET reason = ?2, memory_ids = ?3 WHERE id = ?1 AND status = 'learned'";
const REQUEUE: &str = "UPDATE exchanges SET status = 'queued', reason = NULL, settled_at = NULL, tries = 0, due_at = ?1 \
                       WHERE status = 'parked'";
const STATE: &str =
    "SELECT e.status, e.reason, e.memory_ids, u.user_id FROM exchanges AS e LEFT JOIN users AS u USING (user_no) WHERE e.id = ?1";
const BACKLOG: &str =
    "SELECT COUNT(*) FILTER (WHERE status = 'queued'), COUNT(*) FILTER (WHERE status = 'parked') FROM exchanges";
const KNOWN_ID: &str = "SELECT exchange_id FROM exchange_ids WHERE digest = ?1";
const REMEMBER_ID: &str = "INSERT INTO exchange_ids (digest, exchange_id, user_no) VALUES (?1, ?2, ?3)";
const ENQUEUE: &str = "INSERT INTO exchanges (id, user_no, surface, thread, said_at, received_at, epoch, message, reply, imported, asks, status, due_at) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'queued', ?6)";
const SETTLE: &str = "UPDATE exchanges SET status = 'learned', message = NULL, reply = NULL, thread = NULL, reason = NULL, settled_at = ?2 \
                      WHERE id = ?1 AND status = 'queued'";
const POSTPONE: &str = "UPDATE exchanges SET tries = ?2, due_at = ?3 WHERE id = ?1 AND status = 'queued'";
const PARK: &str = "UPDATE exchanges SET status = 'parked', reason = ?2, settled_at = ?3 WHERE id = ?1 AND status = 'queued'";
const PURGE_LEARNED: &str = "DELETE FROM exchanges WHERE status = 'learned' AND settled_at < ?1";
const PURGE_PARKED: &str = "DELETE FROM exchanges WHERE status = 'parked' AND settled_at < ?1";
const PURGE_ANSWERS: &str = "DELETE FROM idempotency WHERE answered_at < ?1";
const TERMS: &str = "SELECT epoch, team FROM exchanges WHERE id = ?1";
const ARRIVALS: &str = "SELECT a.*, u.user_id FROM arrivals AS a LEFT JOIN users AS u USING (user_no) ORDER BY a.no LIMIT ?1";
const HOLD: &str = "INSERT INTO arrivals (user_no, surface, source, said_at, kind, origin, content, importance) \
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const TAKE: &str = "DELETE FROM arrivals WHERE no = ?1";
const KEPT: &str = "SELECT body_digest, answer FROM idempotency WHERE digest = ?1";
const KEEP: &str = "INSERT INTO idempotency (digest, body_digest, answer, user_no, answered_at) VALUES (?1, ?2, ?3, ?4, ?5)";
const NOTE_INBOX: &str = "INSERT INTO changes (topic) VALUES ('inbox')";

#[async_trait]
impl InboxReads for SqliteStore {
    async fn due_exchanges(&self, now: Moment, limit: u32, gathering: Gathering) -> Result<Vec<QueuedExchange>, StoreError> {
        let Gathering { exchanges, bytes, idle_ms } = gathering;
        let due = sqlx::query(DUE).bind(now.0).bind(limit).bind(exchanges).bind(bytes).bind(now.plus_ms(-idle_ms).0);
        let due = due.bind(exchanges.max(FEWEST_OF_A_USER)).bind(now.plus_ms(LONGEST_WAIT_MS).0);
        due.fetch_all(&self.readers).await?.iter().map(queued).collect()
    }

    async fn exchange_state(&self, id: &str) -> Result<Option<InboxState>, StoreError> {
        let Some(row) = sqlx::query(STATE).bind(id).fetch_optional(&self.readers).await? else { return Ok(None) };
        let name: &str = row.try_get("status")?;
        let status = ExchangeStatus::ALL.into_iter().find(|s| s.as_str() == name).ok_or_else(|| corrupt("exchange status"))?;
        let memories = ids_in(row.try_get("memory_ids")?);
        Ok(Some(InboxState { status, reason: row.try_get("reason")?, memories, user: owner(&row)? }))
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        let (queued, parked) = sqlx::query_as(BACKLOG).fetch_one(&self.readers).await?;
        Ok(Backlog { queued, parked })
    }

    async fn arrivals(&self, limit: u32) -> Result<Vec<Arrival>, StoreError> {
        sqlx::query(ARRIVALS).bind(limit).fetch_all(&self.readers).await?.iter().map(arrival).collect()
    }
}

#[async_trait]
impl InboxWrites for SqliteTx<'_> {
    async fn enqueue(&mut self, new: &NewExchange) -> Result<String, StoreError> {
        if let Some(digest) = &new.external_digest {
            let known: Option<String> = sqlx::query_scalar(KNOWN_ID).bind(digest).fetch_optional(&mut *self.tx).await?;
            if let Some(id) = known {
                return Ok(id);
            }
        }
        let no = match &new.exchange.user {
            Some(user) => Some(ensure_user(&mut self.tx, user.as_str(), new.received_at).await?),
            None => None,
        };
        sqlx::query(ENQUEUE)
            .bind(&new.id)
            .bind(no)
            .bind(new.exchange.surface.as_str())
            .bind(&new.exchange.thread)
            .bind(new.exchange.at.0)
            .bind(new.received_at.0)
            .bind(new.epoch)
            .bind(&new.exchange.message)
            .bind(&new.exchange.reply)
            .bind(new.imported)
            .bind(new.asks)
            .execute(&mut *self.tx)
            .await?;
        if let Some(digest) = &new.external_digest {
            sqlx::query(REMEMBER_ID).bind(digest).bind(&new.id).bind(no).execute(&mut *self.tx).await?;
        }
        sqlx::query(NOTE_INBOX).execute(&mut *self.tx).await?;
        Ok(new.id.clone())
    }

    async fn begin_exchange(&mut self, id: &str) -> Result<bool, StoreError> {
        Ok(sqlx::query(BEGIN).bind(id).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn waiting_since(&mut self, said: &SaidAt<'_>) -> Result<Vec<String>, StoreError> {
        let no = user_no(&mut self.tx, said.user.as_str()).await?;
        let query = sqlx::query_scalar(WAITING_SINCE).bind(no).bind(said.surface.as_str()).bind(said.thread).bind(said.at.0);
        Ok(query.fetch_all(&mut *self.tx).await?)
    }

    async fn withdraw_arrivals(&mut self, said: &SaidAt<'_>) -> Result<u64, StoreError> {
        let no = user_no(&mut self.tx, said.user.as_str()).await?;
        let query = sqlx::query(WITHDRAW).bind(no).bind(said.surface.as_str()).bind(said.source()).bind(said.at.0);
        Ok(query.execute(&mut *self.tx).await?.rows_affected())
    }

    async fn note_exchange(&mut self, id: &str, note: &str, memories: &[String]) -> Result<(), StoreError> {
        sqlx::query(NOTE).bind(id).bind(note).bind(ids_of(memories)).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn requeue_parked(&mut self, now: Moment) -> Result<u64, StoreError> {
        sqlx::query(NOTE_INBOX).execute(&mut *self.tx).await?;
        Ok(sqlx::query(REQUEUE).bind(now.0).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn settle_exchange(&mut self, id: &str, at: Moment) -> Result<bool, StoreError> {
        Ok(sqlx::query(SETTLE).bind(id).bind(at.0).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn postpone_exchange(&mut self, id: &str, tries: i64, due_at: Moment) -> Result<(), StoreError> {
        sqlx::query(POSTPONE).bind(id).bind(tries).bind(due_at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn park_exchange(&mut self, id: &str, reason: &str, at: Moment) -> Result<(), StoreError> {
        sqlx::query(PARK).bind(id).bind(reason).bind(at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn purge_inbox(&mut self, learned_before: Moment, parked_before: Moment) -> Result<(), StoreError> {
        sqlx::query(PURGE_LEARNED).bind(learned_before.0).execute(&mut *self.tx).await?;
        sqlx::query(PURGE_ANSWERS).bind(learned_before.0).execute(&mut *self.tx).await?;
        sqlx::query(PURGE_PARKED).bind(parked_before.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn exchange_terms(&mut self, id: &str) -> Result<Option<(i64, bool)>, StoreError> {
        Ok(sqlx::query_as(TERMS).bind(id).fetch_optional(&mut *self.tx).await?)
    }

    async fn hold_arrival(
        &mut self,
        user: Option<&UserId>,
        surface: &Surface,
        source: Option<&str>,
        at: Moment,
        candidate: &Candidate,
    ) -> Result<(), StoreError> {
        let no = match user {
            Some(user) => Some(ensure_user(&mut self.tx, user.as_str(), at).await?),
            None => None,
        };
        sqlx::query(HOLD)
            .bind(no)
            .bind(surface.as_str())
            .bind(source)
            .bind(at.0)
            .bind(candidate.kind.as_str())
            .bind(candidate.origin.as_str())
            .bind(candidate.content.as_str())
            .bind(candidate.importance.get())
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn take_arrival(&mut self, no: i64) -> Result<bool, StoreError> {
        Ok(sqlx::query(TAKE).bind(no).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn kept_answer(&mut self, digest: &str) -> Result<Option<StoredAnswer>, StoreError> {
        let kept: Option<(String, String)> = sqlx::query_as(KEPT).bind(digest).fetch_optional(&mut *self.tx).await?;
        Ok(kept.map(|(body_digest, answer)| StoredAnswer { body_digest, answer }))
    }

    async fn keep_answer(
        &mut self,
        digest: &str,
        kept: &StoredAnswer,
        user: Option<&UserId>,
        at: Moment,
    ) -> Result<(), StoreError> {
        let no = match user {
            Some(user) => Some(ensure_user(&mut self.tx, user.as_str(), at).await?),
            None => None,
        };
        sqlx::query(KEEP)
            .bind(digest)
            .bind(&kept.body_digest)
            .bind(&kept.answer)
            .bind(no)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }
}

fn owner(row: &SqliteRow) -> Result<Option<UserId>, StoreError> {
    row.try_get::<Option<String>, _>("user_id")?.map(|id| UserId::new(id).map_err(corrupt)).transpose()
}

fn arrival(row: &SqliteRow) -> Result<Arrival, StoreError> {
    let candidate = Candidate {
        origin: Origin::parse(row.try_get("origin")?).map_err(corrupt)?,
        kind: FactKind::parse(row.try_get("kind")?).map_err(corrupt)?,
        content: Content::new(row.try_get::<&str, _>("content")?).map_err(corrupt)?,
        importance: Importance::new(row.try_get("importance")?).map_err(corrupt)?,
    };
    Ok(Arrival {
        no: row.try_get("no")?,
        user: owner(row)?,
        surface: Surface::new(row.try_get::<String, _>("surface")?).map_err(corrupt)?,
        source: row.try_get("source")?,
        at: Moment(row.try_get("said_at")?),
        candidate,
    })
}

fn queued(row: &SqliteRow) -> Result<QueuedExchange, StoreError> {
    let exchange = Exchange {
        external_id: None,
        user: owner(row)?,
        surface: Surface::new(row.try_get::<String, _>("surface")?).map_err(corrupt)?,
        thread: row.try_get("thread")?,
        at: Moment(row.try_get("said_at")?),
        message: row.try_get::<Option<String>, _>("message")?.unwrap_or_default(),
        reply: row.try_get::<Option<String>, _>("reply")?.unwrap_or_default(),
    };
    Ok(QueuedExchange {
        id: row.try_get("id")?,
        exchange,
        epoch: row.try_get("epoch")?,
        tries: row.try_get("tries")?,
        received_at: Moment(row.try_get("received_at")?),
        imported: row.try_get("imported")?,
    })
}
