//! Model usage, in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::values::corrupt;
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::insight::usage::{Call, DayOfUse, Model, Purpose, Tokens};
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::operate::usage::{UsageReads, UsageWrites};

const AFTER: &str = "SELECT * FROM model_use WHERE day > ?1 ORDER BY day, purpose, provider, model";
const TOKENS: &str = "SELECT (SELECT COALESCE(SUM(input_tokens + output_tokens), 0) FROM model_use WHERE day = ?1), \
                      (SELECT COALESCE(SUM(tokens), 0) FROM model_reservations WHERE day = ?1 AND expires_at > ?2)";
const EXPIRE: &str = "DELETE FROM model_reservations WHERE expires_at <= ?1";
const RESERVE: &str = "INSERT INTO model_reservations (id, day, tokens, expires_at) VALUES (?1, ?2, ?3, ?4)";
const COUNT: &str = "INSERT INTO model_use (day, purpose, provider, model, calls, failures, input_tokens, output_tokens) \
                     VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7) ON CONFLICT (day, purpose, provider, model) DO UPDATE SET \
                     calls = calls + 1, failures = failures + excluded.failures, \
                     input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens";
const LOWER: &str = "UPDATE model_reservations SET tokens = MAX(0, tokens - ?2) WHERE id = ?1";
const RELEASE: &str = "DELETE FROM model_reservations WHERE id = ?1";

#[async_trait]
impl UsageReads for SqliteStore {
    async fn model_use_after(&self, day: i64) -> Result<Vec<DayOfUse>, StoreError> {
        sqlx::query(AFTER).bind(day).fetch_all(&self.readers).await?.iter().map(of_a_day).collect()
    }

    async fn tokens_of_day(&self, day: i64, now: Moment) -> Result<Tokens, StoreError> {
        let (used, reserved) = sqlx::query_as(TOKENS).bind(day).bind(now.0).fetch_one(&self.readers).await?;
        Ok(Tokens { used, reserved })
    }
}

#[async_trait]
impl UsageWrites for SqliteTx<'_> {
    async fn tokens_held(&mut self, day: i64, now: Moment) -> Result<Tokens, StoreError> {
        sqlx::query(EXPIRE).bind(now.0).execute(&mut *self.tx).await?;
        let (used, reserved) = sqlx::query_as(TOKENS).bind(day).bind(now.0).fetch_one(&mut *self.tx).await?;
        Ok(Tokens { used, reserved })
    }

    async fn reserve_tokens(&mut self, id: &str, day: i64, tokens: i64, expires_at: Moment) -> Result<(), StoreError> {
        sqlx::query(RESERVE).bind(id).bind(day).bind(tokens).bind(expires_at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn count_call(&mut self, reservation: &str, day: i64, model: &Model, call: &Call) -> Result<(), StoreError> {
        sqlx::query(COUNT)
            .bind(day)
            .bind(call.purpose.as_str())
            .bind(&model.provider)
            .bind(&model.name)
            .bind(i64::from(call.failed))
            .bind(call.input_tokens)
            .bind(call.output_tokens)
            .execute(&mut *self.tx)
            .await?;
        sqlx::query(LOWER).bind(reservation).bind(call.tokens()).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn release_tokens(&mut self, reservation: &str) -> Result<(), StoreError> {
        sqlx::query(RELEASE).bind(reservation).execute(&mut *self.tx).await?;
        Ok(())
    }
}

fn of_a_day(row: &SqliteRow) -> Result<DayOfUse, StoreError> {
    let name: &str = row.try_get("purpose")?;
    Ok(DayOfUse {
        day: row.try_get("day")?,
        purpose: Purpose::ALL.into_iter().find(|purpose| purpose.as_str() == name).ok_or_else(|| corrupt("purpose"))?,
        model: Model { provider: row.try_get("provider")?, name: row.try_get("model")? },
        calls: row.try_get("calls")?,
        failures: row.try_get("failures")?,
        input_tokens: row.try_get("input_tokens")?,
        output_tokens: row.try_get("output_tokens")?,
    })
}
