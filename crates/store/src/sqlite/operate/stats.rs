//! Statistics in SQLite: reads the totals that triggers maintain; see the migration `stats`.

use async_trait::async_trait;
use sqlx::Row;

use crate::sqlite::values::corrupt;
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::Origin;
use domain::insight::stats::{DayCount, StatsRange};
use domain::memory::MemoryKind;
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::operate::stats::{ChangeMark, RecalledFact, StatsReads, StatsWrites, Totals};

const TOTALS: &str = "SELECT store, kind, status, value FROM totals";
const COUNTERS_AFTER: &str = "SELECT day, name, value FROM daily_counters WHERE day > ?1 ORDER BY day, name";
const COUNTER: &str = "SELECT value FROM daily_counters WHERE day = ?1 AND name = ?2";
const COUNT: &str = "INSERT INTO daily_counters (day, name, value) VALUES (?1, ?2, ?3) \
                     ON CONFLICT (day, name) DO UPDATE SET value = value + excluded.value";
const FIRST_DAY: &str = "SELECT MIN(day) FROM daily_counters WHERE value <> 0";
const MOST_RECALLED: &str = "SELECT f.id, f.kind, f.origin, f.content, f.last_recalled_at, s.recalls \
                             FROM recall_spans AS s JOIN facts AS f ON f.id = s.fact_id \
                             WHERE s.span = ?1 ORDER BY s.recalls DESC, s.fact_id LIMIT ?2";
const NEWEST_CHANGE: &str = "SELECT key, changed_at FROM settings_history ORDER BY seq DESC LIMIT 1";
const PRESENT_DAY: &str = "SELECT today FROM calendar";
const FALL_OUT: &str = "UPDATE recall_spans SET recalls = recall_spans.recalls - gone.recalls \
                        FROM (SELECT fact_id, SUM(recalls) AS recalls FROM fact_recalls WHERE day > ?2 AND day <= ?3 GROUP BY fact_id) AS gone \
                        WHERE recall_spans.span = ?1 AND recall_spans.fact_id = gone.fact_id";
const DROP_EMPTY: &str = "DELETE FROM recall_spans WHERE span = ?1 AND recalls <= 0";
const BEGIN_DAY: &str = "UPDATE calendar SET today = ?1";

#[async_trait]
impl StatsReads for SqliteStore {
    async fn counter(&self, day: i64, name: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(COUNTER).bind(day).bind(name).fetch_optional(&self.readers).await?.unwrap_or(0))
    }

    async fn totals(&self) -> Result<Totals, StoreError> {
        let rows: Vec<(String, String, String, i64)> = sqlx::query_as(TOTALS).fetch_all(&self.readers).await?;
        let mut totals = Totals::default();
        for (store, kind, status, value) in rows {
            if store == "memories" {
                totals.memories.push((MemoryKind::parse(&kind).map_err(corrupt)?, value));
            } else {
                let status = FactStatus::parse(&status).map_err(corrupt)?;
                totals.facts.push((status, FactKind::parse(&kind).map_err(corrupt)?, value));
            }
        }
        Ok(totals)
    }

    async fn counters_after(&self, day: i64) -> Result<Vec<DayCount>, StoreError> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as(COUNTERS_AFTER).bind(day).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|(day, name, value)| DayCount { day, name, value }).collect())
    }

    async fn first_counted_day(&self) -> Result<Option<i64>, StoreError> {
        Ok(sqlx::query_scalar(FIRST_DAY).fetch_one(&self.readers).await?)
    }

    async fn most_recalled(&self, range: StatsRange, limit: u32) -> Result<Vec<RecalledFact>, StoreError> {
        let rows = sqlx::query(MOST_RECALLED).bind(range.days()).bind(limit).fetch_all(&self.readers).await?;
        let fact = |row: &sqlx::sqlite::SqliteRow| {
            Ok(RecalledFact {
                id: row.try_get("id")?,
                kind: FactKind::parse(row.try_get("kind")?).map_err(corrupt)?,
                origin: Origin::parse(row.try_get("origin")?).map_err(corrupt)?,
                content: row.try_get("content")?,
                recalls: row.try_get("recalls")?,
                last_recalled_at: row.try_get::<Option<i64>, _>("last_recalled_at")?.map(Moment),
            })
        };
        rows.iter().map(fact).collect()
    }

    async fn newest_setting_change(&self) -> Result<Option<ChangeMark>, StoreError> {
        let newest: Option<(String, i64)> = sqlx::query_as(NEWEST_CHANGE).fetch_optional(&self.readers).await?;
        Ok(newest.map(|(key, at)| ChangeMark { key, at: Moment(at) }))
    }

    async fn present_day(&self) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(PRESENT_DAY).fetch_one(&self.readers).await?)
    }
}

#[async_trait]
impl StatsWrites for SqliteTx<'_> {
    async fn count(&mut self, day: i64, name: &str, by: i64) -> Result<(), StoreError> {
        sqlx::query(COUNT).bind(day).bind(name).bind(by).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn counted(&mut self, day: i64, name: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(COUNTER).bind(day).bind(name).fetch_optional(&mut *self.tx).await?.unwrap_or(0))
    }

    async fn begin_day(&mut self, day: i64) -> Result<(), StoreError> {
        let before: i64 = sqlx::query_scalar(PRESENT_DAY).fetch_one(&mut *self.tx).await?;
        if day <= before {
            return Ok(());
        }
        for days in StatsRange::ALL.map(StatsRange::days) {
            sqlx::query(FALL_OUT).bind(days).bind(before - days).bind(day - days).execute(&mut *self.tx).await?;
            sqlx::query(DROP_EMPTY).bind(days).execute(&mut *self.tx).await?;
        }
        sqlx::query(BEGIN_DAY).bind(day).execute(&mut *self.tx).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

    use super::*;
    use crate::sqlite::engine::migrations::apply_before;

    /// The migration that belongs to this module.
    const STATS: i64 = 7;
    const FILL: &str = "INSERT INTO users (user_no, user_id, first_seen_at) VALUES (1, 'anna', 0); \
        INSERT INTO memories (memory_key, id, user_no, importance, updated_at, vector, kind, content, surface, created_at) VALUES \
          ((1 << 32) + 1, 'mem_1', 1, 3, 0, zeroblob(1536), 'fact', 'x', 'web', 100 * 86400000), \
          ((1 << 32) + 2, 'mem_2', 1, 3, 0, zeroblob(1536), 'episode', 'x', 'web', 101 * 86400000); \
        INSERT INTO facts (id, kind, content, status, origin, importance, vector, created_at, confirmed_at, updated_at) VALUES \
          ('gf_1', 'fact', 'x', 'pending', 'user', 3, zeroblob(1536), 100 * 86400000, 0, 100 * 86400000), \
          ('gf_2', 'fact', 'x', 'approved', 'user', 3, zeroblob(1536), 100 * 86400000, 0, 102 * 86400000); \
        INSERT INTO fact_recalls (fact_id, surface, day, recalls) VALUES ('gf_2', 'web', 103, 4);";

    #[tokio::test]
    async fn a_database_that_is_full_already_is_counted_when_it_is_migrated() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keepsake.db");
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("connects");
        apply_before(STATS, &pool).await;
        sqlx::raw_sql(FILL).execute(&pool).await.expect("filled");
        pool.close().await;
        let store = SqliteStore::open(&file).await.expect("opens");
        let totals = store.totals().await.expect("read");
        assert_eq!((totals.personal(), totals.team(FactStatus::Pending), totals.team(FactStatus::Approved)), (2, 1, 1));
        let moved: Vec<(i64, String, i64)> =
            store.counters_after(0).await.expect("read").into_iter().map(|c| (c.day, c.name, c.value)).collect();
        let expected = [
            (100, "stock.pending", 2),
            (100, "stock.personal", 1),
            (101, "stock.personal", 1),
            (102, "stock.approved", 1),
            (102, "stock.pending", -1),
        ];
        assert_eq!(moved, expected.map(|(day, name, value)| (day, name.to_owned(), value)));
        let most = store.most_recalled(StatsRange::Month, 9).await.expect("read");
        assert_eq!((most.len(), most[0].recalls), (1, 4));
    }
}
