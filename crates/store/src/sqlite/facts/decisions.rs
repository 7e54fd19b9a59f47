//! Operators' decisions and saved views in SQLite.

use async_trait::async_trait;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite, SqliteConnection};

use super::unmerge::MERGED;
use crate::sqlite::facts::{COUNT_CONTRIBUTORS, rejection};
use crate::sqlite::values::{blob, corrupt, json_ids, vector, words};
use crate::sqlite::{SqliteStore, SqliteTx};
use domain::erasure::fingerprint::names;
use domain::erasure::people::UserId;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::rejection::Rejection;
use domain::memory::Importance;
use domain::moment::Moment;
use ports::embedder::Vector;
use ports::store::StoreError;
use ports::store::facts::decisions::{
    DecidedFact, DecidedSince, DecisionReads, DecisionRecord, DecisionWrites, FactRewording, FactState, SavedView,
};

const DECIDED_SINCE: &str = "SELECT COUNT(*), COUNT(*) FILTER (WHERE decided_by = ?1), \
                             COUNT(DISTINCT decided_by) FILTER (WHERE decided_by <> ?1) \
                             FROM facts WHERE decided_at >= ?2 AND decided_by IS NOT NULL";
const LAST_DECISION: &str = "SELECT seq, operator_id, session, verb, decided_at FROM \
                         (SELECT * FROM decisions WHERE operator_id = ?1 AND session = ?2 ORDER BY seq DESC LIMIT ?3) \
                         WHERE undone_at IS NULL AND EXISTS (SELECT 1 FROM decision_facts WHERE decision = seq) \
                         AND (verb <> 'merge' OR EXISTS (SELECT 1 FROM merged_facts WHERE decision = seq)) \
                         ORDER BY seq DESC LIMIT 1";
const DECISION_FACTS: &str = "SELECT * FROM decision_facts WHERE decision = ?1 ORDER BY fact_id";
const VIEWS: &str =
    "SELECT id, operator_id, name, query, shared FROM views WHERE operator_id = ?1 OR shared = 1 ORDER BY created_at, id";
const VECTOR: &str = "SELECT vector FROM facts WHERE id = ?1";
const OTHERS: &str = "SELECT CASE WHEN fact_a = ?1 THEN fact_b ELSE fact_a END, similarity, flagged_at FROM contradictions \
                      WHERE (fact_a = ?1 OR fact_b = ?1) AND resolved_at IS NULL ORDER BY similarity DESC";
const STATUSES_AGAINST: &str = "WITH pairs AS (\
     SELECT fact_a AS id, fact_b AS other FROM contradictions WHERE resolved_at IS NULL AND fact_a IN (SELECT value FROM json_each(?1)) \
     UNION ALL \
     SELECT fact_b, fact_a FROM contradictions WHERE resolved_at IS NULL AND fact_b IN (SELECT value FROM json_each(?1))) \
     SELECT pairs.id, facts.status FROM pairs JOIN facts ON facts.id = pairs.other ORDER BY pairs.id, facts.id";
const LAST_EDIT: &str = "SELECT at, actor_id FROM audit WHERE target = ?1 AND action = 'fact.edited' ORDER BY seq DESC LIMIT 1";
const RECORD: &str = "INSERT INTO decisions (operator_id, session, verb, decided_at) VALUES (?1, ?2, ?3, ?4) RETURNING seq";
const RECORD_FACT: &str = "INSERT INTO decision_facts (decision, fact_id, version_before, version_after, status, approved_by_operator, decided_by, \
                           decided_at, importance, kind, content, vector, reject_reason, reject_note) \
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
const MARK_UNDONE: &str = "UPDATE decisions SET undone_at = ?2 WHERE seq = ?1";
const CARRY: &str = "UPDATE decision_facts SET version_after = ?3 WHERE fact_id = ?1 AND version_after = ?2";
const PURGE: &str = "DELETE FROM decisions WHERE decided_at < ?1";
/// Statements of a merge that can no longer be undone stay with the other fact for good.
const SETTLED: &str = "UPDATE fact_merges SET came_from = NULL \
                       WHERE came_from IS NOT NULL AND came_from NOT IN (SELECT from_id FROM merged_facts)";
const RESTORE: &str = "UPDATE facts SET status = ?3, approved_by_operator = ?4, decided_by = ?5, decided_at = ?6, importance = ?7, \
                       kind = ?8, content = COALESCE(?9, content), vector = COALESCE(?10, vector), words = COALESCE(?14, words), updated_at = ?13, \
                       reject_reason = ?11, reject_note = ?12, \
                       version = version + 1 WHERE id = ?1 AND version = ?2";
const SET_REJECTION: &str =
    "UPDATE facts SET reject_reason = ?3, reject_note = ?4 WHERE id = ?1 AND version = ?2 AND status = 'rejected'";
const IMPORTANCE: &str =
    "UPDATE facts SET importance = ?3, updated_at = ?4, version = version + 1 WHERE id = ?1 AND version = ?2";
const REWORD: &str = "UPDATE facts SET kind = ?3, content = ?4, importance = ?5, vector = ?6, updated_at = ?7, words = ?8, \
                      version = version + 1 WHERE id = ?1 AND version = ?2";
const DELETE: &str = "DELETE FROM facts WHERE id = ?1 AND version = ?2";
const ABSORB: &str = "UPDATE facts SET had_contributor = MAX(had_contributor, (SELECT had_contributor FROM facts WHERE id = ?3)), \
                      confirmed_at = MAX(confirmed_at, (SELECT confirmed_at FROM facts WHERE id = ?3)), updated_at = ?5, \
                      version = version + 1 \
                      WHERE id = ?1 AND version = ?2 AND EXISTS (SELECT 1 FROM facts WHERE id = ?3 AND version = ?4)";
const REOPEN_PAIRS: &str = "UPDATE contradictions SET resolved_at = NULL WHERE (fact_a = ?1 OR fact_b = ?1) AND resolved_at = ?2";
const INSERT_VIEW: &str = "INSERT INTO views (id, operator_id, name, query, shared, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const CHANGE_VIEW: &str = "UPDATE views SET name = ?3, query = ?4, shared = ?5 WHERE id = ?1 AND operator_id = ?2";
const ALL_VIEWS: &str = "SELECT id, name, query FROM views";
const DROP_VIEW: &str = "DELETE FROM views WHERE id = ?1";
/// The parameter of a view's query with typed search words; all others are chosen from lists.
const SEARCH: &str = "q";
const DELETE_VIEW: &str = "DELETE FROM views WHERE id = ?2 AND operator_id = ?1";

#[async_trait]
impl DecisionReads for SqliteStore {
    async fn decided_since(&self, operator_id: &str, since: Moment) -> Result<DecidedSince, StoreError> {
        let (all, own, others) = sqlx::query_as(DECIDED_SINCE).bind(operator_id).bind(since.0).fetch_one(&self.readers).await?;
        Ok(DecidedSince { own, all, others })
    }

    async fn undoable(&self, operator_id: &str, session: &str, depth: u32) -> Result<Option<DecisionRecord>, StoreError> {
        last(&mut *self.readers.acquire().await?, operator_id, session, depth).await
    }

    async fn merged_fact(&self, decision: i64) -> Result<Option<(String, String)>, StoreError> {
        Ok(sqlx::query_as(MERGED).bind(decision).fetch_optional(&self.readers).await?)
    }

    async fn views(&self, operator_id: &str) -> Result<Vec<SavedView>, StoreError> {
        let rows = sqlx::query(VIEWS).bind(operator_id).fetch_all(&self.readers).await?;
        rows.iter()
            .map(|row| {
                Ok(SavedView {
                    id: row.try_get("id")?,
                    operator_id: row.try_get("operator_id")?,
                    name: row.try_get("name")?,
                    query: row.try_get("query")?,
                    shared: row.try_get("shared")?,
                })
            })
            .collect()
    }

    async fn fact_vector(&self, id: &str) -> Result<Option<Vector>, StoreError> {
        let row = sqlx::query(VECTOR).bind(id).fetch_optional(&self.readers).await?;
        row.map(|row| vector(&row, "vector")).transpose()
    }

    async fn contradictions_of(&self, id: &str) -> Result<Vec<(String, f64, Moment)>, StoreError> {
        let rows: Vec<(String, f64, i64)> = sqlx::query_as(OTHERS).bind(id).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|(id, similarity, at)| (id, similarity, Moment(at))).collect())
    }

    async fn statuses_against(&self, ids: &[String]) -> Result<Vec<(String, FactStatus)>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as(STATUSES_AGAINST).bind(json_ids(ids)).fetch_all(&self.readers).await?;
        rows.into_iter().map(|(id, status)| Ok((id, FactStatus::parse(&status).map_err(corrupt)?))).collect()
    }

    async fn last_edit(&self, id: &str) -> Result<Option<(Moment, String)>, StoreError> {
        let row: Option<(i64, String)> = sqlx::query_as(LAST_EDIT).bind(id).fetch_optional(&self.readers).await?;
        Ok(row.map(|(at, by)| (Moment(at), by)))
    }
}

#[async_trait]
impl DecisionWrites for SqliteTx<'_> {
    async fn record_decision(&mut self, decision: &DecisionRecord) -> Result<i64, StoreError> {
        let seq: i64 = sqlx::query_scalar(RECORD)
            .bind(&decision.operator_id)
            .bind(&decision.session)
            .bind(&decision.verb)
            .bind(decision.at.0)
            .fetch_one(&mut *self.tx)
            .await?;
        for DecidedFact { fact_id, version_before, version_after, before } in &decision.facts {
            let query = sqlx::query(RECORD_FACT).bind(seq).bind(fact_id).bind(version_before).bind(version_after);
            bind_state(query, before).execute(&mut *self.tx).await?;
        }
        Ok(seq)
    }

    async fn last_decision(
        &mut self,
        operator_id: &str,
        session: &str,
        depth: u32,
    ) -> Result<Option<DecisionRecord>, StoreError> {
        last(&mut self.tx, operator_id, session, depth).await
    }

    async fn mark_undone(&mut self, seq: i64, at: Moment) -> Result<(), StoreError> {
        sqlx::query(MARK_UNDONE).bind(seq).bind(at.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn purge_decisions(&mut self, before: Moment) -> Result<(), StoreError> {
        sqlx::query(PURGE).bind(before.0).execute(&mut *self.tx).await?;
        sqlx::query(SETTLED).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn restore_fact(&mut self, id: &str, seen: i64, to: &FactState, at: Moment) -> Result<bool, StoreError> {
        let query = bind_state(sqlx::query(RESTORE).bind(id).bind(seen), to).bind(at.0);
        let done = query.bind(to.wording.as_ref().map(|(content, _)| words(content))).execute(&mut *self.tx).await?;
        self.changed_if(id, done.rows_affected()).await
    }

    async fn set_rejection(&mut self, id: &str, seen: i64, why: &Rejection) -> Result<bool, StoreError> {
        let query = sqlx::query(SET_REJECTION).bind(id).bind(seen).bind(why.reason.as_str()).bind(&why.note);
        Ok(query.execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn set_fact_importance(&mut self, id: &str, seen: i64, importance: Importance, at: Moment) -> Result<bool, StoreError> {
        let query = sqlx::query(IMPORTANCE).bind(id).bind(seen).bind(importance.get()).bind(at.0);
        let done = query.execute(&mut *self.tx).await?;
        self.changed_if(id, done.rows_affected()).await
    }

    async fn reword_fact(&mut self, id: &str, seen: i64, to: &FactRewording, at: Moment) -> Result<bool, StoreError> {
        let done = sqlx::query(REWORD)
            .bind(id)
            .bind(seen)
            .bind(to.kind.as_str())
            .bind(&to.content)
            .bind(to.importance.get())
            .bind(blob(&to.vector))
            .bind(at.0)
            .bind(words(&to.content))
            .execute(&mut *self.tx)
            .await?;
        self.changed_if(id, done.rows_affected()).await
    }

    async fn delete_fact(&mut self, id: &str, seen: i64) -> Result<bool, StoreError> {
        self.contributed = None;
        // Before deleting, because the delete removes its contradictions too.
        self.weight_changed(id).await?;
        Ok(sqlx::query(DELETE).bind(id).bind(seen).execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn merge_fact(
        &mut self,
        from: (&str, i64),
        into: (&str, i64),
        at: Moment,
        decision: Option<i64>,
    ) -> Result<bool, StoreError> {
        let moved = self.owners_of(from.0, into.0).await?;
        if let Some(decision) = decision {
            self.keep_merged(decision, from.0, into.0, &moved).await?;
        }
        let absorbed = sqlx::query(ABSORB).bind(into.0).bind(into.1).bind(from.0).bind(from.1).bind(at.0);
        if from.0 == into.0 || absorbed.execute(&mut *self.tx).await?.rows_affected() == 0 {
            if let Some(decision) = decision {
                self.drop_merged(decision).await?;
            }
            return Ok(false);
        }
        self.move_contributors(from.0, into.0, &moved).await?;
        sqlx::query(COUNT_CONTRIBUTORS).bind(into.0).execute(&mut *self.tx).await?;
        self.fact_changed(into.0).await?;
        self.delete_fact(from.0, from.1).await
    }

    async fn unmerge_fact(&mut self, decision: i64, vector: &Vector, at: Moment) -> Result<Option<String>, StoreError> {
        self.unmerge(decision, vector, at).await
    }

    async fn known_fact_vector(&mut self, id: &str) -> Result<Option<Vector>, StoreError> {
        let row = sqlx::query(VECTOR).bind(id).fetch_optional(&mut *self.tx).await?;
        row.map(|row| vector(&row, "vector")).transpose()
    }

    async fn carry_decisions(&mut self, id: &str, from: i64, to: i64) -> Result<(), StoreError> {
        sqlx::query(CARRY).bind(id).bind(from).bind(to).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn reopen_contradictions(&mut self, id: &str, resolved_at: Moment) -> Result<(), StoreError> {
        sqlx::query(REOPEN_PAIRS).bind(id).bind(resolved_at.0).execute(&mut *self.tx).await?;
        self.weight_changed(id).await
    }

    async fn insert_view(&mut self, view: &SavedView, at: Moment) -> Result<(), StoreError> {
        sqlx::query(INSERT_VIEW)
            .bind(&view.id)
            .bind(&view.operator_id)
            .bind(&view.name)
            .bind(&view.query)
            .bind(view.shared)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn change_view(&mut self, view: &SavedView) -> Result<bool, StoreError> {
        let query =
            sqlx::query(CHANGE_VIEW).bind(&view.id).bind(&view.operator_id).bind(&view.name).bind(&view.query).bind(view.shared);
        Ok(query.execute(&mut *self.tx).await?.rows_affected() == 1)
    }

    async fn delete_view(&mut self, operator_id: &str, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query(DELETE_VIEW).bind(operator_id).bind(id).execute(&mut *self.tx).await?;
        Ok(done.rows_affected() == 1)
    }
}

impl SqliteTx<'_> {
    /// Deletes saved views whose name or search words contain this user's id.
    pub(in crate::sqlite) async fn drop_views_naming(&mut self, user: &UserId) -> Result<(), StoreError> {
        let views: Vec<(String, String, String)> = sqlx::query_as(ALL_VIEWS).fetch_all(&mut *self.tx).await?;
        for (id, name, query) in views {
            let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&query).unwrap_or_default();
            let typed = pairs.iter().filter(|(name, _)| name == SEARCH).map(|(_, words)| words);
            if typed.chain([&name]).any(|text| names(text, user)) {
                sqlx::query(DROP_VIEW).bind(id).execute(&mut *self.tx).await?;
            }
        }
        Ok(())
    }

    async fn changed_if(&mut self, id: &str, rows: u64) -> Result<bool, StoreError> {
        if rows == 1 {
            self.weight_changed(id).await?;
        }
        Ok(rows == 1)
    }
}

/// Binds a former state, in the order of the columns.
fn bind_state<'q>(query: Query<'q, Sqlite, SqliteArguments>, state: &FactState) -> Query<'q, Sqlite, SqliteArguments> {
    query
        .bind(state.status.as_str())
        .bind(state.approved_by_operator)
        .bind(&state.decided_by)
        .bind(state.decided_at.map(|at| at.0))
        .bind(state.importance.get())
        .bind(state.kind.as_str())
        .bind(state.wording.as_ref().map(|(content, _)| content))
        .bind(state.wording.as_ref().map(|(_, vector)| blob(vector)))
        .bind(state.rejection.as_ref().map(|why| why.reason.as_str()))
        .bind(state.rejection.as_ref().and_then(|why| why.note.as_deref()))
}

async fn last(
    conn: &mut SqliteConnection,
    operator_id: &str,
    session: &str,
    depth: u32,
) -> Result<Option<DecisionRecord>, StoreError> {
    let row = sqlx::query(LAST_DECISION).bind(operator_id).bind(session).bind(depth).fetch_optional(&mut *conn).await?;
    let Some(row) = row else { return Ok(None) };
    let seq: i64 = row.try_get("seq")?;
    let facts = sqlx::query(DECISION_FACTS).bind(seq).fetch_all(conn).await?;
    Ok(Some(DecisionRecord {
        seq,
        operator_id: row.try_get("operator_id")?,
        session: row.try_get("session")?,
        verb: row.try_get("verb")?,
        at: Moment(row.try_get("decided_at")?),
        facts: facts.iter().map(touched).collect::<Result<_, _>>()?,
    }))
}

fn touched(row: &SqliteRow) -> Result<DecidedFact, StoreError> {
    let content: Option<String> = row.try_get("content")?;
    let wording = match content {
        Some(content) => Some((content, vector(row, "vector")?)),
        None => None,
    };
    Ok(DecidedFact {
        fact_id: row.try_get("fact_id")?,
        version_before: row.try_get("version_before")?,
        version_after: row.try_get("version_after")?,
        before: FactState {
            status: FactStatus::parse(row.try_get("status")?).map_err(corrupt)?,
            approved_by_operator: row.try_get("approved_by_operator")?,
            decided_by: row.try_get("decided_by")?,
            decided_at: row.try_get::<Option<i64>, _>("decided_at")?.map(Moment),
            rejection: rejection(row)?,
            importance: Importance::new(row.try_get("importance")?).map_err(corrupt)?,
            kind: FactKind::parse(row.try_get("kind")?).map_err(corrupt)?,
            wording,
        },
    })
}
