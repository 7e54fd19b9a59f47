//! The ledger of erasures in SQLite, and the statements generated from the inventory: one to count, one to read and one to delete
//! the same rows.

mod contents;
mod contributors;
pub(super) mod derived;
pub(super) mod ending;
pub(super) mod proof;
mod scrub;
pub(super) mod tokens;
pub(super) mod traces;

use async_trait::async_trait;
use futures::TryStreamExt;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, TypeInfo, ValueRef};

use super::facts::RECOUNT;
use super::values::{corrupt, json_ids};
use super::{SqliteStore, SqliteTx, user_no};
use crate::sqlite::blocks::words;
use crate::sqlite::erasure::derived::traces;
use crate::sqlite::erasure::tokens::Contributed;
use domain::erasure::inventory::{Belongs, ErasureRule, TABLES, Table};
use domain::erasure::people::UserId;
use domain::erasure::receipt::{CheckResult, RowCounts};
use domain::erasure::{ContributedFact, ErasureScope, FactCounts, Status};
use domain::moment::Moment;
use ports::store::StoreError;
use ports::store::erasure::{
    CheckLine, Conclusion, Counts, EraseReads, EraseWrites, Erased, Erasure, FactIds, Fences, Going, LedgerCounts, LedgerReads,
    Orderer, Subject,
};

const EPOCH: &str = "SELECT epoch FROM epochs WHERE user_digest = ?1";
const FENCE: &str = "SELECT COALESCE((SELECT epoch FROM epochs WHERE user_digest = ?1), 0), \
                     EXISTS (SELECT 1 FROM erasures WHERE user_digest = ?1 AND status IN ('queued', 'running'))";
const ONE: &str = "SELECT * FROM erasures WHERE id = ?1";
const ROWS_OF: &str = "SELECT name, found, removed, remaining FROM erasure_rows WHERE erasure = ?1 ORDER BY place";
const FACTS_OF: &str = "SELECT fact_id, kept FROM erasure_facts WHERE erasure = ?1 ORDER BY fact_id";
const FACT_COUNTS: &str = "SELECT facts_deleted, facts_kept FROM erasures WHERE id = ?1";
const CHECKS_OF: &str = "SELECT name, result, detail, at FROM erasure_checks WHERE erasure = ?1 ORDER BY seq";
const LIST: &str = "SELECT * FROM erasures ORDER BY status = 'verified', seq DESC LIMIT ?2 OFFSET ?1";
const ABOUT: &str = "SELECT * FROM erasures WHERE user_digest = ?1 ORDER BY seq DESC";
const OPEN: &str = "SELECT * FROM erasures WHERE status IN ('queued', 'running', 'unverified') ORDER BY seq";
const COUNTS: &str = "SELECT status, COUNT(*) FROM erasures GROUP BY status";
const NEEDLES: &str = "SELECT needles FROM erasures WHERE id = ?1";
pub(super) const TOUCHED: &str = "SELECT f.id, f.content, f.status, (SELECT COUNT(*) FROM contributions WHERE fact_id = f.id) AS people \
                       FROM facts AS f WHERE f.id IN (SELECT value FROM json_each(?1)) ORDER BY f.id";
const WITHDRAW_TEAM_HALF: &str = "UPDATE exchanges SET epoch = ?2, team = 0 WHERE user_no = ?1 AND status = 'queued'";
const NOTE_STEP: &str = "INSERT INTO changes (topic, target) VALUES ('erasures', ?1)";
const WRITE: &str = "INSERT INTO erasures (id, user_digest, key_id, scope, reason, actor_kind, actor_id, previewed_at, confirmed_at, \
                     finished_at, replayed_at, status, tries, user_id) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
const DROP: &str = "DELETE FROM erasures WHERE id = ?1 AND status = 'queued'";
const MARK_ERASED: &str = "UPDATE erasures SET status = 'running', user_id = NULL, needles = ?2, erased_at = ?3 \
                           WHERE id = ?1 AND status = 'queued'";
const NOTE_NUMBER: &str = "UPDATE erasures SET user_no = ?2 WHERE id = ?1";
const WRITE_ROWS: &str =
    "INSERT INTO erasure_rows (erasure, place, name, found, removed, remaining) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const WRITE_FACTS: &str = "INSERT INTO erasure_facts (erasure, fact_id, kept) SELECT ?1, value, ?3 FROM json_each(?2)";
const COUNT_FACTS: &str = "UPDATE erasures SET (facts_deleted, facts_kept) = \
                           (SELECT COUNT(*) FILTER (WHERE NOT kept), COUNT(*) FILTER (WHERE kept) FROM erasure_facts WHERE erasure = ?1) \
                           WHERE id = ?1";
const FORGET_FACTS: &str = "DELETE FROM erasure_facts WHERE erasure = ?1";
const CONCLUDE: &str = "UPDATE erasures SET status = ?3, tries = ?4, \
                        finished_at = CASE WHEN ?3 IN ('verified', 'partial') THEN COALESCE(finished_at, ?5) ELSE finished_at END, \
                        needles = CASE WHEN ?3 = 'verified' THEN NULL ELSE needles END WHERE id = ?1 AND status = ?2";
const WRITE_CHECK: &str = "INSERT INTO erasure_checks (erasure, seq, name, result, detail, at) \
                           VALUES (?1, (SELECT COALESCE(MAX(seq), 0) + 1 FROM erasure_checks WHERE erasure = ?1), ?2, ?3, ?4, ?5)";
const PURGE: &str = "DELETE FROM erasures WHERE status = 'verified' AND finished_at < ?1";
const DROP_REHEARSAL: &str = "DELETE FROM erasures WHERE id = ?1 AND actor_kind = 'system' AND status = 'verified'";

const RAISE_EPOCH: &str = "INSERT INTO epochs (user_digest, epoch) VALUES (?1, 1) \
                           ON CONFLICT (user_digest) DO UPDATE SET epoch = epoch + 1 RETURNING epoch";

/// The table of the users' keys, with which tokens are made.
const KEYS_ARE_IN: &str = "users";

/// The parameters of every statement below: the user's number, id and digest, the facts to delete, the facts contributed to, and
/// the user's tokens.
pub(super) struct ErasureParams<'a> {
    pub number: Option<i64>,
    pub subject: &'a Subject,
    pub gone: String,
    pub contributed: String,
    pub marks: String,
}

impl<'a> ErasureParams<'a> {
    pub(super) fn new(number: Option<i64>, subject: &'a Subject, gone: &[String], by: Contributed) -> Self {
        Self { number, subject, gone: json_ids(gone), contributed: json_ids(&by.facts), marks: by.marks }
    }
}

/// Condition for the rows that an erasure deletes.
fn rows_to_go(belongs: Belongs) -> Option<String> {
    let fact = |column: &str| format!("{column} IN (SELECT value FROM json_each(?4))");
    // First the facts of both conditions, by the index; then the two conditions.
    let said = |token: &str, column: &str| {
        format!(
            "{column} IN (SELECT value ->> 0 FROM json_each(?6) UNION SELECT value FROM json_each(?4)) AND ({} OR {})",
            of_token(token, column),
            fact(column)
        )
    };
    Some(match belongs {
        Belongs::Contributed(column) => fact(column),
        Belongs::Said { token, fact: column } => said(token, column),
        Belongs::GoneFact(columns) => columns.iter().map(|column| fact(column)).collect::<Vec<_>>().join(" OR "),
        other => return rows_of_user(other),
    })
}

/// Condition for the rows about the user, which an export includes.
pub(super) fn rows_of_user(belongs: Belongs) -> Option<String> {
    Some(match belongs {
        Belongs::Nobody | Belongs::GoneFact(_) => return None,
        Belongs::Number(column) => format!("{column} = ?1"),
        Belongs::Token { token, fact } | Belongs::Said { token, fact } => of_token(token, fact),
        Belongs::Id(column) => format!("{column} = ?2"),
        Belongs::Digest(column) => format!("{column} = ?3"),
        Belongs::Memory => "memory_key BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295".to_owned(),
        Belongs::Entry(column) => format!("{column} IN (SELECT seq FROM audit WHERE user_digest = ?3)"),
        Belongs::Contributed(column) => format!("{column} IN (SELECT value FROM json_each(?5))"),
    })
}

/// Condition for the rows with a token of the user; see [`Contributed::marks`].
fn of_token(token: &str, fact: &str) -> String {
    format!("({fact}, {token}) IN (SELECT value ->> 0, unhex(value ->> 1) FROM json_each(?6))")
}

/// Columns that leave traces when their row is deleted.
pub(super) fn telling(table: &Table) -> Vec<&'static str> {
    let listed = table.columns.iter().filter(|column| column.leaves_traces()).map(|column| column.name);
    listed.chain(traces(table.name)).collect()
}

macro_rules! bound {
    ($query:expr, $whose:expr) => {
        $query
            .bind($whose.number)
            .bind($whose.subject.user.as_str())
            .bind(&$whose.subject.digest)
            .bind(&$whose.gone)
            .bind(&$whose.contributed)
            .bind(&$whose.marks)
    };
}
pub(super) use bound;

#[async_trait]
impl LedgerReads for SqliteStore {
    async fn erasure(&self, id: &str) -> Result<Option<Erasure>, StoreError> {
        sqlx::query(ONE).bind(id).fetch_optional(&self.readers).await?.as_ref().map(erasure).transpose()
    }

    async fn erasure_parts(&self, id: &str) -> Result<(Vec<RowCounts>, FactCounts, Vec<CheckLine>), StoreError> {
        let mut tx = self.readers.begin().await?;
        let rows = sqlx::query(ROWS_OF).bind(id).fetch_all(&mut *tx).await?;
        let facts: Option<(u32, u32)> = sqlx::query_as(FACT_COUNTS).bind(id).fetch_optional(&mut *tx).await?;
        let checks = sqlx::query(CHECKS_OF).bind(id).fetch_all(&mut *tx).await?;
        let (deleted, kept) = facts.unwrap_or_default();
        let facts = FactCounts { deleted: deleted.into(), kept: kept.into() };
        let rows = rows.iter().map(counted).collect::<Result<_, _>>()?;
        Ok((rows, facts, checks.iter().map(check).collect::<Result<_, _>>()?))
    }

    async fn list_erasures(&self, skip: u32, limit: u32) -> Result<Vec<Erasure>, StoreError> {
        sqlx::query(LIST).bind(skip).bind(limit).fetch_all(&self.readers).await?.iter().map(erasure).collect()
    }

    async fn erasures_about(&self, user_digest: &str) -> Result<Vec<Erasure>, StoreError> {
        sqlx::query(ABOUT).bind(user_digest).fetch_all(&self.readers).await?.iter().map(erasure).collect()
    }

    async fn open_erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        sqlx::query(OPEN).fetch_all(&self.readers).await?.iter().map(erasure).collect()
    }

    async fn fence(&self, user_digest: &str) -> Result<(i64, bool), StoreError> {
        Ok(sqlx::query_as(FENCE).bind(user_digest).fetch_one(&self.readers).await?)
    }

    async fn count_erasures(&self) -> Result<LedgerCounts, StoreError> {
        let rows: Vec<(String, i64)> = sqlx::query_as(COUNTS).fetch_all(&self.readers).await?;
        rows.into_iter().map(|(name, count)| Ok((status(&name)?, count))).collect()
    }
}

#[async_trait]
impl Fences for SqliteTx<'_> {
    async fn epoch(&mut self, user_digest: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(EPOCH).bind(user_digest).fetch_optional(&mut *self.tx).await?.unwrap_or(0))
    }

    async fn known_fence(&mut self, user_digest: &str) -> Result<(i64, bool), StoreError> {
        Ok(sqlx::query_as(FENCE).bind(user_digest).fetch_one(&mut *self.tx).await?)
    }
}

#[async_trait]
impl EraseReads for SqliteStore {
    async fn needles(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(sqlx::query_scalar::<_, Option<Vec<u8>>>(NEEDLES).bind(id).fetch_optional(&self.readers).await?.flatten())
    }

    async fn erased_facts(&self, id: &str) -> Result<Option<FactIds>, StoreError> {
        let mut tx = self.readers.begin().await?;
        let counts: Option<(u32, u32)> = sqlx::query_as(FACT_COUNTS).bind(id).fetch_optional(&mut *tx).await?;
        let facts: Vec<(String, bool)> = sqlx::query_as(FACTS_OF).bind(id).fetch_all(&mut *tx).await?;
        if facts.is_empty() && counts.is_some_and(|counts| counts != (0, 0)) {
            return Ok(None);
        }
        let (kept, deleted): (Vec<_>, Vec<_>) = facts.into_iter().partition(|(_, kept)| *kept);
        let ids = |facts: Vec<(String, bool)>| facts.into_iter().map(|(id, _)| id).collect();
        Ok(Some(FactIds { deleted: ids(deleted), kept: ids(kept) }))
    }
}

impl SqliteTx<'_> {
    /// Notifies other processes and open pages of an erasure's progress.
    async fn step_noted(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query(NOTE_STEP).bind(id).execute(&mut *self.tx).await?;
        Ok(())
    }
}

/// Error for a table that cannot be read, unless the cause is a busy database.
fn uncounted(table: &'static str, error: sqlx::Error) -> StoreError {
    match StoreError::from(error) {
        source @ (StoreError::Failed(_) | StoreError::Corrupt(_) | StoreError::Damaged(_)) => {
            StoreError::Uncounted { table, source: Box::new(source) }
        }
        other => other,
    }
}

/// Number of rows in each table of the inventory, in its order.
async fn counts(conn: &mut SqliteConnection, whose: &ErasureParams<'_>) -> Result<Counts, StoreError> {
    let mut counts = Vec::new();
    for table in TABLES {
        let Some(rows) = rows_to_go(table.belongs) else { continue };
        let sql = format!("SELECT COUNT(*) FROM {} WHERE {rows}", table.name);
        let counted = bound!(sqlx::query_scalar(AssertSqlSafe(sql)), whose).fetch_one(&mut *conn).await;
        let count: i64 = counted.map_err(|error| uncounted(table.name, error))?;
        counts.push((table.name, count.unsigned_abs()));
    }
    Ok(counts)
}

#[async_trait]
impl EraseWrites for SqliteTx<'_> {
    async fn raise_epoch(&mut self, user_digest: &str) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(RAISE_EPOCH).bind(user_digest).fetch_one(&mut *self.tx).await?)
    }

    async fn touched_facts(&mut self, user: &UserId) -> Result<Vec<ContributedFact>, StoreError> {
        let no = user_no(&mut self.tx, user.as_str()).await?;
        let contributed = self.contributed(no).await?;
        let rows = sqlx::query(TOUCHED).bind(json_ids(&contributed.facts)).fetch_all(&mut *self.tx).await?;
        rows.iter().map(|row| Ok(ContributedFact { id: row.try_get("id")?, contributors: row.try_get("people")? })).collect()
    }

    async fn count_held(&mut self, subject: &Subject, gone: &[String]) -> Result<Counts, StoreError> {
        let number = user_no(&mut self.tx, subject.user.as_str()).await?;
        let whose = ErasureParams::new(number, subject, gone, self.contributed(number).await?);
        counts(&mut self.tx, &whose).await
    }

    async fn values_to_go(
        &mut self,
        subject: &Subject,
        scope: ErasureScope,
        gone: &[String],
        visit: &mut (dyn for<'v> FnMut(&'v [u8]) + Send),
    ) -> Result<(), StoreError> {
        let number = user_no(&mut self.tx, subject.user.as_str()).await?;
        let whose = ErasureParams::new(number, subject, gone, self.contributed(number).await?);
        for table in TABLES.iter().filter(|table| table.fate(scope) == ErasureRule::Deleted) {
            let columns = telling(table);
            let Some(rows) = rows_to_go(table.belongs).filter(|_| !columns.is_empty()) else { continue };
            let sql = format!("SELECT {} FROM {} WHERE {rows}", columns.join(", "), table.name);
            let mut rows = bound!(sqlx::query(AssertSqlSafe(sql)), whose).fetch(&mut *self.tx);
            // One at a time: together they can be large.
            while let Some(row) = rows.try_next().await? {
                for n in 0..columns.len() {
                    let value = row.try_get_raw(n)?;
                    if ["TEXT", "BLOB"].contains(&value.type_info().name()) && !value.is_null() {
                        visit(row.try_get_unchecked::<&[u8], _>(n)?);
                    }
                }
            }
        }
        if scope == ErasureScope::Everything {
            words::show_former_of(&mut self.tx, number, visit).await?;
        }
        Ok(())
    }

    async fn erase_rows(&mut self, going: &Going<'_>) -> Result<Counts, StoreError> {
        let Going { erasure_id, subject, scope, epoch, gone, kept } = *going;
        let number = user_no(&mut self.tx, subject.user.as_str()).await?;
        let whose = ErasureParams::new(number, subject, gone, self.contributed(number).await?);
        self.contributed = None;
        // Facts that contradict a deleted fact change as well.
        for id in gone {
            self.weight_changed(id).await?;
        }
        // In reverse: dependent rows are deleted first, each by the statement of its own table.
        for table in TABLES.iter().rev().filter(|table| table.fate(scope) == ErasureRule::Deleted) {
            let Some(rows) = rows_to_go(table.belongs) else { continue };
            if table.name == KEYS_ARE_IN && !Contributed::by(&mut self.tx, number).await?.is_nothing() {
                // Without the key, these rows could never be found again.
                return Err(corrupt("a user goes whose contributions are still there"));
            }
            let sql = format!("DELETE FROM {} WHERE {rows}", table.name);
            bound!(sqlx::query(AssertSqlSafe(sql)), whose).execute(&mut *self.tx).await?;
        }
        if scope == ErasureScope::Everything {
            self.drop_views_naming(&subject.user).await?;
        }
        if scope == ErasureScope::Contributions {
            sqlx::query(WITHDRAW_TEAM_HALF).bind(number).bind(epoch).execute(&mut *self.tx).await?;
        }
        for id in kept {
            sqlx::query(RECOUNT).bind(id).execute(&mut *self.tx).await?;
            self.weight_changed(id).await?;
        }
        sqlx::query(NOTE_NUMBER).bind(erasure_id).bind(number).execute(&mut *self.tx).await?;
        counts(&mut self.tx, &whose).await
    }

    async fn write_erasure(&mut self, new: &Erasure) -> Result<(), StoreError> {
        sqlx::query(WRITE)
            .bind(&new.id)
            .bind(&new.user_digest)
            .bind(&new.key_id)
            .bind(new.scope.as_str())
            .bind(&new.reason)
            .bind(&new.by.kind)
            .bind(&new.by.id)
            .bind(new.previewed_at.0)
            .bind(new.confirmed_at.0)
            .bind(new.finished_at.map(|at| at.0))
            .bind(new.replayed_at.map(|at| at.0))
            .bind(new.status.as_str())
            .bind(new.tries)
            .bind(new.user.as_ref().map(UserId::as_str))
            .execute(&mut *self.tx)
            .await?;
        self.step_noted(&new.id).await
    }

    async fn drop_erasure(&mut self, id: &str) -> Result<bool, StoreError> {
        Ok(sqlx::query(DROP).bind(id).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn mark_erased(&mut self, id: &str, erased: &Erased) -> Result<bool, StoreError> {
        let done = sqlx::query(MARK_ERASED).bind(id).bind(&erased.needles).bind(erased.at.0).execute(&mut *self.tx).await?;
        if done.rows_affected() != 1 {
            return Ok(false);
        }
        for (place, rows) in (0_i64..).zip(&erased.rows) {
            sqlx::query(WRITE_ROWS)
                .bind(id)
                .bind(place)
                .bind(&rows.name)
                .bind(signed(rows.before))
                .bind(signed(rows.removed))
                .bind(signed(rows.left))
                .execute(&mut *self.tx)
                .await?;
        }
        let FactIds { deleted, kept } = &erased.facts;
        for (facts, kept) in [(deleted, false), (kept, true)] {
            sqlx::query(WRITE_FACTS).bind(id).bind(json_ids(facts)).bind(kept).execute(&mut *self.tx).await?;
        }
        sqlx::query(COUNT_FACTS).bind(id).execute(&mut *self.tx).await?;
        self.step_noted(id).await?;
        Ok(true)
    }

    async fn conclude(&mut self, id: &str, conclusion: &Conclusion) -> Result<bool, StoreError> {
        let done = sqlx::query(CONCLUDE)
            .bind(id)
            .bind(conclusion.from.as_str())
            .bind(conclusion.to.as_str())
            .bind(conclusion.tries)
            .bind(conclusion.at.0)
            .execute(&mut *self.tx)
            .await?;
        if done.rows_affected() != 1 {
            return Ok(false);
        }
        for line in &conclusion.lines {
            sqlx::query(WRITE_CHECK)
                .bind(id)
                .bind(&line.name)
                .bind(line.result.as_str())
                .bind(&line.detail)
                .bind(line.at.0)
                .execute(&mut *self.tx)
                .await?;
        }
        if conclusion.to == Status::Verified {
            sqlx::query(FORGET_FACTS).bind(id).execute(&mut *self.tx).await?;
        }
        self.step_noted(id).await?;
        Ok(true)
    }

    async fn purge_erasures(&mut self, before: Moment) -> Result<u64, StoreError> {
        Ok(sqlx::query(PURGE).bind(before.0).execute(&mut *self.tx).await?.rows_affected())
    }

    async fn drop_rehearsal(&mut self, id: &str) -> Result<bool, StoreError> {
        Ok(sqlx::query(DROP_REHEARSAL).bind(id).execute(&mut *self.tx).await?.rows_affected() == 1)
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn status(name: &str) -> Result<Status, StoreError> {
    Status::parse(name).ok_or_else(|| corrupt("erasure status"))
}

fn erasure(row: &SqliteRow) -> Result<Erasure, StoreError> {
    let moment = |column: &str| -> Result<Option<Moment>, StoreError> { Ok(row.try_get::<Option<i64>, _>(column)?.map(Moment)) };
    Ok(Erasure {
        id: row.try_get("id")?,
        user_digest: row.try_get("user_digest")?,
        key_id: row.try_get("key_id")?,
        scope: ErasureScope::parse(row.try_get("scope")?).map_err(corrupt)?,
        reason: row.try_get("reason")?,
        by: Orderer { kind: row.try_get("actor_kind")?, id: row.try_get("actor_id")? },
        previewed_at: Moment(row.try_get("previewed_at")?),
        confirmed_at: Moment(row.try_get("confirmed_at")?),
        erased_at: moment("erased_at")?,
        finished_at: moment("finished_at")?,
        replayed_at: moment("replayed_at")?,
        status: status(row.try_get("status")?)?,
        tries: row.try_get("tries")?,
        user: row.try_get::<Option<String>, _>("user_id")?.map(|id| UserId::new(id).map_err(corrupt)).transpose()?,
    })
}

fn counted(row: &SqliteRow) -> Result<RowCounts, StoreError> {
    let count = |column: &str| -> Result<u64, StoreError> { Ok(row.try_get::<i64, _>(column)?.unsigned_abs()) };
    Ok(RowCounts { name: row.try_get("name")?, before: count("found")?, removed: count("removed")?, left: count("remaining")? })
}

fn check(row: &SqliteRow) -> Result<CheckLine, StoreError> {
    Ok(CheckLine {
        name: row.try_get("name")?,
        result: CheckResult::parse(row.try_get("result")?).ok_or_else(|| corrupt("check result"))?,
        detail: row.try_get("detail")?,
        at: Moment(row.try_get("at")?),
    })
}
