//! Webhooks in SQLite. The table of deliveries is the outbox: taking a row moves its next time into the future, which is the
//! lease. A message that would wait longer than the longest possible wait was postponed before the clock was corrected, and is
//! due.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::values::corrupt;
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::moment::Moment;
use domain::webhook::LONGEST_WAIT_MS;
use ports::store::StoreError;
use ports::store::operate::webhooks::{AttemptRecord, Delivery, Due, Room, Webhook, WebhookReads, WebhookWrites};

const WEBHOOKS: &str = "SELECT * FROM webhooks ORDER BY created_at, id";
const DELIVERIES: &str = "SELECT d.id, d.event, d.occurred_at, d.state, d.attempts, d.next_at, a.at AS last_at, a.status_code, \
                          a.duration_ms, a.error FROM webhook_deliveries AS d \
                          LEFT JOIN webhook_attempts AS a ON a.delivery_id = d.id AND a.attempt = \
                          (SELECT MAX(attempt) FROM webhook_attempts WHERE delivery_id = d.id) \
                          WHERE d.webhook_id = ?1 ORDER BY d.occurred_at DESC, d.id LIMIT ?2";
const IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM webhook_deliveries AS d JOIN webhooks AS w ON w.id = d.webhook_id \
                      WHERE d.state = 'waiting' AND (d.next_at <= ?1 OR d.next_at > ?2) AND w.disabled_at IS NULL)";
const INSERT: &str = "INSERT INTO webhooks (id, url, events, created_at) VALUES (?1, ?2, ?3, ?4)";
const WEBHOOK: &str = "SELECT * FROM webhooks WHERE id = ?1";
const DELETE: &str = "DELETE FROM webhooks WHERE id = ?1";
const ENABLE: &str = "UPDATE webhooks SET disabled_at = NULL, disabled_why = NULL, failing_since = NULL WHERE id = ?1";
const WAITING_NOW: &str = "UPDATE webhook_deliveries SET next_at = ?2 WHERE webhook_id = ?1 AND state = 'waiting'";
const DISABLE: &str = "UPDATE webhooks SET disabled_at = ?2, disabled_why = ?3 WHERE id = ?1 AND disabled_at IS NULL";
const SET_FAILING: &str = "UPDATE webhooks SET failing_since = ?2 WHERE id = ?1";
const QUEUE: &str = "INSERT INTO webhook_deliveries (id, webhook_id, event, subject, status, occurred_at, next_at) \
                     SELECT 'msg_' || lower(hex(randomblob(12))), id, ?1, ?2, ?3, ?4, ?4 FROM webhooks \
                     WHERE disabled_at IS NULL AND instr(' ' || events || ' ', ' ' || ?1 || ' ') > 0";
const QUEUE_FOR: &str = "INSERT INTO webhook_deliveries (id, webhook_id, event, subject, occurred_at, next_at) \
                         VALUES ('msg_' || lower(hex(randomblob(12))), ?1, ?2, ?3, ?4, ?4) RETURNING id";
const TAKE: &str = "WITH due AS (SELECT d.id, d.next_at, \
                    ROW_NUMBER() OVER (PARTITION BY d.webhook_id ORDER BY d.next_at, d.id) \
                    + COALESCE((SELECT value FROM json_each(?5) WHERE key = d.webhook_id), 0) AS turn \
                    FROM webhook_deliveries AS d JOIN webhooks AS w ON w.id = d.webhook_id \
                    WHERE d.state = 'waiting' AND (d.next_at <= ?1 OR d.next_at > ?6) AND w.disabled_at IS NULL) \
                    UPDATE webhook_deliveries SET attempts = attempts + 1, next_at = ?2 WHERE id IN \
                    (SELECT id FROM due WHERE turn <= ?4 ORDER BY turn, next_at, id LIMIT ?3) \
                    RETURNING id, webhook_id, event, subject, status, occurred_at, attempts, \
                    (SELECT url FROM webhooks WHERE id = webhook_id) AS url";
const CONCLUDE: &str =
    "UPDATE webhook_deliveries SET state = ?3, next_at = ?4 WHERE id = ?1 AND attempts = ?2 AND state = 'waiting'";
const ATTEMPT: &str = "INSERT INTO webhook_attempts (delivery_id, attempt, at, status_code, duration_ms, error) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const RESEND: &str = "UPDATE webhook_deliveries SET state = 'waiting', next_at = ?3 WHERE id = ?2 AND webhook_id = ?1";
const PURGE: &str = "DELETE FROM webhook_deliveries WHERE state <> 'waiting' AND ?1 > \
                     COALESCE((SELECT MAX(at) FROM webhook_attempts WHERE delivery_id = webhook_deliveries.id), occurred_at)";

#[async_trait]
impl WebhookReads for SqliteStore {
    async fn webhooks(&self) -> Result<Vec<Webhook>, StoreError> {
        sqlx::query(WEBHOOKS).fetch_all(&self.readers).await?.iter().map(webhook).collect()
    }

    async fn deliveries(&self, webhook_id: &str, limit: u32) -> Result<Vec<Delivery>, StoreError> {
        let rows = sqlx::query(DELIVERIES).bind(webhook_id).bind(limit).fetch_all(&self.readers).await?;
        rows.iter().map(delivery).collect()
    }

    async fn is_delivery_due(&self, now: Moment) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar(IS_DUE).bind(now.0).bind(now.plus_ms(LONGEST_WAIT_MS).0).fetch_one(&self.readers).await?)
    }
}

#[async_trait]
impl WebhookWrites for SqliteTx<'_> {
    async fn insert_webhook(&mut self, webhook: &Webhook) -> Result<(), StoreError> {
        let query = sqlx::query(INSERT).bind(&webhook.id).bind(&webhook.url).bind(&webhook.events).bind(webhook.created_at.0);
        query.execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn known_webhook(&mut self, id: &str) -> Result<Option<Webhook>, StoreError> {
        sqlx::query(WEBHOOK).bind(id).fetch_optional(&mut *self.tx).await?.as_ref().map(webhook).transpose()
    }

    async fn delete_webhook(&mut self, id: &str) -> Result<bool, StoreError> {
        Ok(sqlx::query(DELETE).bind(id).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn enable_webhook(&mut self, id: &str, at: Moment) -> Result<bool, StoreError> {
        let found = sqlx::query(ENABLE).bind(id).execute(&mut *self.tx).await?.rows_affected() == 1;
        sqlx::query(WAITING_NOW).bind(id).bind(at.0).execute(&mut *self.tx).await?;
        Ok(found)
    }

    async fn disable_webhook(&mut self, id: &str, at: Moment, why: &str) -> Result<(), StoreError> {
        sqlx::query(DISABLE).bind(id).bind(at.0).bind(why).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn set_failing(&mut self, id: &str, since: Option<Moment>) -> Result<(), StoreError> {
        sqlx::query(SET_FAILING).bind(id).bind(since.map(|since| since.0)).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn queue_event(&mut self, event: &str, subject: &str, status: Option<&str>, at: Moment) -> Result<u64, StoreError> {
        let query = sqlx::query(QUEUE).bind(event).bind(subject).bind(status).bind(at.0);
        Ok(query.execute(&mut *self.tx).await?.rows_affected())
    }

    async fn queue_for(&mut self, webhook_id: &str, event: &str, subject: &str, at: Moment) -> Result<String, StoreError> {
        let query = sqlx::query_scalar(QUEUE_FOR).bind(webhook_id).bind(event).bind(subject).bind(at.0);
        Ok(query.fetch_one(&mut *self.tx).await?)
    }

    async fn take_due(&mut self, now: Moment, until: Moment, room: &Room) -> Result<Vec<Due>, StoreError> {
        let under_way = serde_json::to_string(&room.under_way).map_err(corrupt)?;
        let query = sqlx::query(TAKE).bind(now.0).bind(until.0).bind(room.at_once).bind(room.of_one).bind(under_way);
        let query = query.bind(now.plus_ms(LONGEST_WAIT_MS).0);
        let rows = query.fetch_all(&mut *self.tx).await?;
        rows.iter().map(due).collect()
    }

    async fn note_attempt(&mut self, delivery_id: &str, record: &AttemptRecord) -> Result<bool, StoreError> {
        let query = sqlx::query(CONCLUDE).bind(delivery_id).bind(record.attempt).bind(record.state).bind(record.next_at.0);
        if query.execute(&mut *self.tx).await?.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query(ATTEMPT)
            .bind(delivery_id)
            .bind(record.attempt)
            .bind(record.at.0)
            .bind(record.status_code)
            .bind(record.duration_ms)
            .bind(&record.error)
            .execute(&mut *self.tx)
            .await?;
        Ok(true)
    }

    async fn resend(&mut self, webhook_id: &str, delivery_id: &str, at: Moment) -> Result<bool, StoreError> {
        let query = sqlx::query(RESEND).bind(webhook_id).bind(delivery_id).bind(at.0);
        Ok(query.execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn purge_deliveries(&mut self, before: Moment) -> Result<u64, StoreError> {
        Ok(sqlx::query(PURGE).bind(before.0).execute(&mut *self.tx).await?.rows_affected())
    }
}

fn webhook(row: &SqliteRow) -> Result<Webhook, StoreError> {
    Ok(Webhook {
        id: row.try_get("id")?,
        url: row.try_get("url")?,
        events: row.try_get("events")?,
        created_at: Moment(row.try_get("created_at")?),
        failing_since: row.try_get::<Option<i64>, _>("failing_since")?.map(Moment),
        disabled_at: row.try_get::<Option<i64>, _>("disabled_at")?.map(Moment),
        disabled_why: row.try_get("disabled_why")?,
    })
}

fn delivery(row: &SqliteRow) -> Result<Delivery, StoreError> {
    Ok(Delivery {
        id: row.try_get("id")?,
        event: row.try_get("event")?,
        occurred_at: Moment(row.try_get("occurred_at")?),
        state: row.try_get("state")?,
        attempts: row.try_get("attempts")?,
        next_at: Moment(row.try_get("next_at")?),
        last_at: row.try_get::<Option<i64>, _>("last_at")?.map(Moment),
        status_code: row.try_get("status_code")?,
        duration_ms: row.try_get("duration_ms")?,
        error: row.try_get("error")?,
    })
}

fn due(row: &SqliteRow) -> Result<Due, StoreError> {
    Ok(Due {
        id: row.try_get("id")?,
        webhook_id: row.try_get("webhook_id")?,
        url: row.try_get("url")?,
        event: row.try_get("event")?,
        subject: row.try_get("subject")?,
        status: row.try_get("status")?,
        occurred_at: Moment(row.try_get("occurred_at")?),
        attempt: row.try_get("attempts")?,
    })
}
