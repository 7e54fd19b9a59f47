//! The audit log in SQLite. The filter selects the statement, so that each query can use an index.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::sqlite::values::json_ids;
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::moment::{HOUR_MS, Moment};
use ports::store::StoreError;
use ports::store::operate::audit::{ActionsOfDay, AuditFilter, AuditLine, AuditReads, AuditRow, AuditWrites};

/// Condition: rows `$a` and `$b` belong to one bulk decision.
macro_rules! of_one_decision {
    ($a:literal, $b:literal) => {
        concat!($b, ".action = ", $a, ".action AND ", $b, ".actor_id = ", $a, ".actor_id AND ", $b, ".at = ", $a, ".at")
    };
}

/// Condition: the row may belong to a bulk decision.
macro_rules! may_be_bulk {
    () => {
        "a.actor_kind = 'operator' AND a.action IN (SELECT value FROM json_each(?12))"
    };
}

/// The filter's conditions, after the one that an index serves. The scan goes back to an hour before `since`, because actions of
/// the system are logged with the hour only; the exact condition on the time follows. The newest row of a bulk decision
/// represents all of them.
macro_rules! filtered {
    ($which:literal) => {
        concat!(
            $which,
            " AND a.seq < ?1 AND (?3 = '[]' OR a.action IN (SELECT value FROM json_each(?3))) \
             AND (?4 = '[]' OR a.actor_id IN (SELECT value FROM json_each(?4))) AND a.at >= ?5 \
             AND a.seq > COALESCE((SELECT seq FROM audit WHERE at < ?6 ORDER BY at DESC, seq DESC LIMIT 1), 0) \
             AND a.at < ?7 AND (?11 IS NULL OR a.target = ?11) \
             AND NOT (",
            may_be_bulk!(),
            " AND EXISTS (SELECT 1 FROM audit AS n WHERE n.seq = a.seq + 1 AND ",
            of_one_decision!("a", "n"),
            "))"
        )
    };
}

/// A page, and the number of all entries that the filter matches.
macro_rules! page {
    ($which:literal) => {
        [
            concat!(
                "SELECT a.*, r.reason, CASE WHEN ",
                may_be_bulk!(),
                " THEN 1 + COALESCE((SELECT b.seq FROM audit AS b WHERE b.seq < a.seq AND NOT (",
                of_one_decision!("a", "b"),
                ") ORDER BY b.seq DESC LIMIT 1), 0) ELSE a.seq END AS first \
                 FROM audit AS a LEFT JOIN audit_reasons AS r ON r.seq = a.seq WHERE ",
                filtered!($which),
                " ORDER BY a.seq DESC LIMIT ?2"
            ),
            concat!("SELECT COUNT(*) FROM audit AS a WHERE ", filtered!($which)),
        ]
    };
}

const ANY: [&str; 2] = page!("TRUE");
const BY_ACTION: [&str; 2] = page!("a.action = ?3 ->> 0");
const BY_ACTOR: [&str; 2] = page!("a.actor_id = ?4 ->> 0");
const BY_TARGET: [&str; 2] = page!("a.target = ?11");
const SOUGHT: [&str; 2] = page!(
    "a.seq IN (SELECT seq FROM audit WHERE target = ?8 \
     UNION SELECT seq FROM audit WHERE actor_id IN (SELECT value FROM json_each(?9)) \
     UNION SELECT seq FROM audit_reasons WHERE reason COLLATE NOCASE >= ?10 AND reason COLLATE NOCASE < ?10 || ?13)"
);
/// Like the lists, the scan goes back to an hour before the time.
const BY_DAY: &str = "SELECT actor_id, at / 86400000, action, COUNT(*) FROM audit WHERE actor_kind = 'operator' AND at >= ?2 \
                      AND seq > COALESCE((SELECT seq FROM audit WHERE at < ?3 ORDER BY at DESC, seq DESC LIMIT 1), 0) \
                      AND action IN (SELECT value FROM json_each(?1)) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";
const ABOUT: &str = "SELECT a.*, r.reason, a.seq AS first FROM audit AS a LEFT JOIN audit_reasons AS r ON r.seq = a.seq \
                     WHERE a.user_digest = ?1 AND a.seq < ?2 ORDER BY a.seq DESC LIMIT ?3";
const COUNT_ABOUT: &str = "SELECT COUNT(*) FROM audit WHERE user_digest = ?1";
const AUDIT_AFTER: &str = "SELECT * FROM audit WHERE seq > ?1 ORDER BY seq LIMIT ?2";
const AUDIT_HEAD: &str = "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1";
const APPEND_AUDIT: &str = "INSERT INTO audit (seq, at, actor_kind, actor_id, action, target, user_digest, detail, reason_digest, \
                            prev_hash, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
const KEEP_REASON: &str = "INSERT INTO audit_reasons (seq, reason) VALUES (?1, ?2)";

/// Selects the statements whose first condition an index serves.
fn statements(filter: &AuditFilter) -> [&'static str; 2] {
    match filter {
        AuditFilter { sought: Some(_), .. } => SOUGHT,
        AuditFilter { target: Some(_), .. } => BY_TARGET,
        AuditFilter { actions, .. } if actions.len() == 1 => BY_ACTION,
        AuditFilter { actors, .. } if actors.len() == 1 => BY_ACTOR,
        _ => ANY,
    }
}

/// Binds the parameters of the statements above.
macro_rules! bound {
    ($query:expr, $filter:expr, $limit:expr) => {{
        let since = $filter.since.map_or(0, |since| since.0);
        let sought = $filter.sought.clone().unwrap_or_default();
        $query
            .bind($filter.before.unwrap_or(i64::MAX))
            .bind($limit)
            .bind(json_ids(&$filter.actions))
            .bind(json_ids(&$filter.actors))
            .bind(since)
            .bind(since - HOUR_MS)
            .bind($filter.until.map_or(i64::MAX, |until| until.0))
            .bind(sought.target)
            .bind(json_ids(&sought.actors))
            .bind(sought.reason)
            .bind($filter.target.clone())
            .bind(json_ids(&$filter.bulk))
            .bind(char::MAX.to_string())
    }};
}

#[async_trait]
impl AuditReads for SqliteStore {
    async fn audit_after(&self, seq: i64, limit: u32) -> Result<Vec<AuditRow>, StoreError> {
        sqlx::query(AUDIT_AFTER).bind(seq).bind(limit).fetch_all(&self.readers).await?.iter().map(audit_row).collect()
    }

    async fn audit_page(&self, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditLine>, StoreError> {
        let [page, _] = statements(filter);
        let query = bound!(sqlx::query(page), filter, limit);
        query.fetch_all(&self.readers).await?.iter().map(log_row).collect()
    }

    async fn count_audit(&self, filter: &AuditFilter) -> Result<u64, StoreError> {
        let [_, count] = statements(filter);
        let count: i64 = bound!(sqlx::query_scalar(count), filter, 0_u32).fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn actions_by_day(&self, actions: &[String], since: Moment) -> Result<Vec<ActionsOfDay>, StoreError> {
        let query = sqlx::query_as(BY_DAY).bind(json_ids(actions)).bind(since.0).bind(since.0 - HOUR_MS);
        let rows: Vec<(String, i64, String, i64)> = query.fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|(operator_id, day, action, times)| ActionsOfDay { operator_id, day, action, times }).collect())
    }

    async fn audit_about(&self, user_digest: &str, before: Option<i64>, limit: u32) -> Result<Vec<AuditLine>, StoreError> {
        let query = sqlx::query(ABOUT).bind(user_digest).bind(before.unwrap_or(i64::MAX)).bind(limit);
        query.fetch_all(&self.readers).await?.iter().map(log_row).collect()
    }

    async fn count_audit_about(&self, user_digest: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(COUNT_ABOUT).bind(user_digest).fetch_one(&self.readers).await?)
    }
}

#[async_trait]
impl AuditWrites for SqliteTx<'_> {
    async fn audit_head(&mut self) -> Result<Option<(i64, String)>, StoreError> {
        Ok(sqlx::query_as(AUDIT_HEAD).fetch_optional(&mut *self.tx).await?)
    }

    async fn append_audit(&mut self, row: &AuditRow) -> Result<(), StoreError> {
        sqlx::query(APPEND_AUDIT)
            .bind(row.seq)
            .bind(row.at.0)
            .bind(&row.actor_kind)
            .bind(&row.actor_id)
            .bind(&row.action)
            .bind(&row.target)
            .bind(&row.user_digest)
            .bind(&row.detail)
            .bind(&row.reason_digest)
            .bind(&row.prev_hash)
            .bind(&row.hash)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn keep_reason(&mut self, seq: i64, reason: &str) -> Result<(), StoreError> {
        sqlx::query(KEEP_REASON).bind(seq).bind(reason).execute(&mut *self.tx).await?;
        Ok(())
    }
}

fn log_row(row: &SqliteRow) -> Result<AuditLine, StoreError> {
    Ok(AuditLine { row: audit_row(row)?, reason: row.try_get("reason")?, first: row.try_get("first")? })
}

pub(in crate::sqlite) fn audit_row(row: &SqliteRow) -> Result<AuditRow, StoreError> {
    Ok(AuditRow {
        seq: row.try_get("seq")?,
        at: Moment(row.try_get("at")?),
        actor_kind: row.try_get("actor_kind")?,
        actor_id: row.try_get("actor_id")?,
        action: row.try_get("action")?,
        target: row.try_get("target")?,
        user_digest: row.try_get("user_digest")?,
        detail: row.try_get("detail")?,
        reason_digest: row.try_get("reason_digest")?,
        prev_hash: row.try_get("prev_hash")?,
        hash: row.try_get("hash")?,
    })
}
