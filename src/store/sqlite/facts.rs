//! Global facts in SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};

use super::{SqliteStore, SqliteTx, blob, corrupt, ensure_user, json_ids};
use crate::domain::confidence::Evidence;
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::memory::Importance;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::provenance::{Origin, Surface};
use crate::ports::store::StoreError;
use crate::ports::store::facts::{
    Fact, FactFilter, FactMerge, FactMeta, FactOrder, FactReads, FactWrites, NewFact, Sources, StatusChange, StatusCounts,
};
use crate::ports::store::memories::Page;
use crate::store::matrix::similarity;

/// Every column but the vector, and whether a contradiction is open. No user is in reach of it.
macro_rules! fact_columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, content, status, origin, importance, contributors, approved_by_operator, decided_by, decided_at, \
             recall_count, last_recalled_at, created_at, confirmed_at, updated_at, version, \
             EXISTS (SELECT 1 FROM contradictions WHERE (fact_a = facts.id OR fact_b = facts.id) AND resolved_at IS NULL) \
             AS contradicted FROM facts ",
            $rest
        )
    };
}

macro_rules! meta_columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, status, origin, importance, COALESCE(last_recalled_at, updated_at) AS touched, contributors, \
             approved_by_operator, confirmed_at, vector, \
             EXISTS (SELECT 1 FROM contradictions WHERE (fact_a = facts.id OR fact_b = facts.id) AND resolved_at IS NULL) \
             AS contradicted FROM facts ",
            $rest
        )
    };
}

pub(super) const META_COLUMNS_OF_ALL: &str = meta_columns!("");
pub(super) const META_COLUMNS_BY_IDS: &str = meta_columns!("WHERE id IN (SELECT value FROM json_each(?1))");
const ONE: &str = fact_columns!("WHERE id = ?1");
const BY_IDS: &str = fact_columns!("WHERE id IN (SELECT value FROM json_each(?1))");
const LIST: &str = fact_columns!("WHERE true");
const VERSIONS: &str = "SELECT id, version FROM facts WHERE true";
const COUNT_MATCHING: &str = "SELECT COUNT(*) FROM facts WHERE true";
const CONTRADICTED: &str =
    " AND EXISTS (SELECT 1 FROM contradictions WHERE (fact_a = facts.id OR fact_b = facts.id) AND resolved_at IS NULL)";
const COUNTS: &str = "SELECT status, SUM(value) FROM totals WHERE store = 'facts' GROUP BY status";
const INSERT: &str = "INSERT INTO facts (id, kind, content, status, origin, importance, vector, created_at, confirmed_at, updated_at) \
                      VALUES (?1, ?2, ?3, 'pending', ?4, ?5, ?6, ?7, ?7, ?7)";
const CHANGE_STATUS: &str = "UPDATE facts SET status = ?4, approved_by_operator = (?4 = 'approved' AND ?5 IS NOT NULL), \
                             decided_by = CASE WHEN ?4 = 'pending' THEN NULL ELSE ?5 END, \
                             decided_at = CASE WHEN ?4 = 'pending' THEN NULL ELSE ?6 END, updated_at = ?6, version = version + 1 \
                             WHERE id = ?1 AND status = ?2 AND version = ?3";
const CONFIRM: &str = "UPDATE facts SET confirmed_at = MAX(confirmed_at, ?2) WHERE id = ?1";
const RESUBMITTED: &str = "UPDATE facts SET resubmitted = resubmitted + 1 WHERE id = ?1";
const CONTRIBUTE: &str =
    "INSERT INTO contributions (fact_id, user_no, surface, day) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
pub(super) const RECOUNT: &str = "UPDATE facts SET contributors = (SELECT COUNT(*) FROM contributions WHERE fact_id = ?1), had_contributor = 1 \
                       WHERE id = ?1 RETURNING contributors";
const RECORD_MERGE: &str =
    "INSERT INTO fact_merges (id, fact_id, user_no, similarity, day, content, vector) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const FLAG: &str = "INSERT INTO contradictions (fact_a, fact_b, similarity, flagged_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (fact_a, fact_b) DO UPDATE SET resolved_at = NULL, flagged_at = excluded.flagged_at WHERE resolved_at IS NOT NULL";
pub(super) const OPEN_PAIRS: &str =
    "SELECT fact_a, fact_b FROM contradictions WHERE (fact_a = ?1 OR fact_b = ?1) AND resolved_at IS NULL";
const RESOLVE: &str = "UPDATE contradictions SET resolved_at = ?2 WHERE (fact_a = ?1 OR fact_b = ?1) AND resolved_at IS NULL";
const COUNT_RECALLS: &str = "UPDATE facts SET recall_count = recall_count + 1, last_recalled_at = ?2 \
                             WHERE id IN (SELECT value FROM json_each(?1))";
const COUNT_BY_DAY: &str = "INSERT INTO fact_recalls (fact_id, surface, day, recalls) \
                            SELECT id, ?2, ?3, 1 FROM facts WHERE id IN (SELECT value FROM json_each(?1)) \
                            ON CONFLICT (fact_id, surface, day) DO UPDATE SET recalls = recalls + 1";

#[async_trait]
impl FactReads for SqliteStore {
    fn scan_facts(&self, query: &[f32], visit: &mut dyn FnMut(&FactMeta, f64)) {
        self.matrix.scan(query, visit);
    }

    async fn fact(&self, id: &str) -> Result<Option<Fact>, StoreError> {
        one(&mut *self.readers.acquire().await?, id).await
    }

    async fn facts_by_id(&self, ids: &[String]) -> Result<Vec<Fact>, StoreError> {
        sqlx::query(BY_IDS).bind(json_ids(ids)).fetch_all(&self.readers).await?.iter().map(fact).collect()
    }

    async fn list_facts(&self, filter: &FactFilter, page: &Page) -> Result<Vec<Fact>, StoreError> {
        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new(LIST);
        matching(&mut query, filter);
        let (key, direction) = match filter.order {
            FactOrder::Oldest => ("(created_at, id)", ">"),
            FactOrder::Newest => ("(created_at, id)", "<"),
            FactOrder::Contributors => ("(-contributors, created_at, id)", ">"),
            FactOrder::Importance => ("(-importance, created_at, id)", ">"),
        };
        if let Some(after) = &page.after {
            query.push(" AND ").push(key).push(" ").push(direction).push(" (SELECT ").push(&key[1..key.len() - 1]);
            query.push(" FROM facts WHERE id = ").push_bind(after).push(")");
        }
        query.push(match filter.order {
            FactOrder::Oldest => " ORDER BY created_at, id LIMIT ",
            FactOrder::Newest => " ORDER BY created_at DESC, id DESC LIMIT ",
            FactOrder::Contributors => " ORDER BY -contributors, created_at, id LIMIT ",
            FactOrder::Importance => " ORDER BY -importance, created_at, id LIMIT ",
        });
        query.push_bind(page.limit);
        query.build().fetch_all(&self.readers).await?.iter().map(fact).collect()
    }

    async fn list_versions(&self, filter: &FactFilter) -> Result<Vec<(String, i64)>, StoreError> {
        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new(VERSIONS);
        matching(&mut query, filter);
        query.push(" ORDER BY id");
        Ok(query.build_query_as().fetch_all(&self.readers).await?)
    }

    async fn count_matching(&self, filter: &FactFilter) -> Result<i64, StoreError> {
        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new(COUNT_MATCHING);
        matching(&mut query, filter);
        Ok(query.build_query_scalar().fetch_one(&self.readers).await?)
    }

    async fn count_facts(&self) -> Result<StatusCounts, StoreError> {
        let mut counts = StatusCounts::default();
        for (status, count) in sqlx::query_as::<_, (String, i64)>(COUNTS).fetch_all(&self.readers).await? {
            match FactStatus::parse(&status).map_err(corrupt)? {
                FactStatus::Pending => counts.pending = count,
                FactStatus::Approved => counts.approved = count,
                FactStatus::Rejected => counts.rejected = count,
            }
        }
        Ok(counts)
    }
}

#[async_trait]
impl FactWrites for SqliteTx<'_> {
    fn scan_known_facts(&mut self, query: &[f32], visit: &mut dyn FnMut(&FactMeta, f64)) {
        self.store.matrix.scan(query, visit);
        for (meta, vector) in &self.staged {
            visit(meta, similarity(vector, query));
        }
    }

    async fn known_fact(&mut self, id: &str) -> Result<Option<Fact>, StoreError> {
        one(&mut self.tx, id).await
    }

    async fn insert_fact(&mut self, new: &NewFact) -> Result<(), StoreError> {
        sqlx::query(INSERT)
            .bind(&new.id)
            .bind(new.kind.as_str())
            .bind(&new.content)
            .bind(new.origin.as_str())
            .bind(new.importance.get())
            .bind(blob(&new.vector))
            .bind(new.at.0)
            .execute(&mut *self.tx)
            .await?;
        let evidence = Evidence { contributors: 0, approved_by_operator: false, confirmed_at: new.at, contradicted: false };
        let meta = FactMeta {
            id: new.id.clone(),
            status: FactStatus::Pending,
            origin: new.origin,
            importance: new.importance,
            touched: new.at,
            evidence,
        };
        self.staged.push((meta, new.vector.clone()));
        self.fact_changed(&new.id).await
    }

    async fn change_status(&mut self, id: &str, change: &StatusChange) -> Result<bool, StoreError> {
        let done = sqlx::query(CHANGE_STATUS)
            .bind(id)
            .bind(change.from.as_str())
            .bind(change.seen_version)
            .bind(change.to.as_str())
            .bind(&change.by)
            .bind(change.at.0)
            .execute(&mut *self.tx)
            .await?;
        if done.rows_affected() == 1 {
            self.fact_changed(id).await?;
            return Ok(true);
        }
        Ok(false)
    }

    async fn confirm_fact(&mut self, id: &str, at: Moment) -> Result<(), StoreError> {
        sqlx::query(CONFIRM).bind(id).bind(at.0).execute(&mut *self.tx).await?;
        self.fact_changed(id).await
    }

    async fn count_resubmission(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query(RESUBMITTED).bind(id).execute(&mut *self.tx).await?;
        Ok(())
    }

    async fn add_contribution(&mut self, id: &str, user: &UserId, surface: &Surface, at: Moment) -> Result<u32, StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), at).await?;
        sqlx::query(CONTRIBUTE).bind(id).bind(no).bind(surface.as_str()).bind(at.day()).execute(&mut *self.tx).await?;
        let count = sqlx::query_scalar(RECOUNT).bind(id).fetch_one(&mut *self.tx).await?;
        self.fact_changed(id).await?;
        Ok(count)
    }

    async fn record_fact_merge(&mut self, merge: &FactMerge, user: Option<&UserId>) -> Result<(), StoreError> {
        let no = match user {
            Some(user) => Some(ensure_user(&mut self.tx, user.as_str(), merge.at).await?),
            None => None,
        };
        sqlx::query(RECORD_MERGE)
            .bind(&merge.id)
            .bind(&merge.fact_id)
            .bind(no)
            .bind(merge.similarity)
            .bind(merge.at.day())
            .bind(&merge.content)
            .bind(blob(&merge.vector))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn flag_contradiction(&mut self, a: &str, b: &str, similarity: f64, at: Moment) -> Result<bool, StoreError> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let done = sqlx::query(FLAG).bind(a).bind(b).bind(similarity).bind(at.0).execute(&mut *self.tx).await?;
        self.fact_changed(a).await?;
        self.fact_changed(b).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn resolve_contradictions(&mut self, id: &str, at: Moment) -> Result<(), StoreError> {
        let pairs: Vec<(String, String)> = sqlx::query_as(OPEN_PAIRS).bind(id).fetch_all(&mut *self.tx).await?;
        sqlx::query(RESOLVE).bind(id).bind(at.0).execute(&mut *self.tx).await?;
        for (a, b) in pairs {
            self.fact_changed(if a == id { &b } else { &a }).await?;
        }
        Ok(())
    }

    async fn count_fact_recalls(&mut self, ids: &[String], surface: &Surface, at: Moment) -> Result<(), StoreError> {
        let ids_json = json_ids(ids);
        sqlx::query(COUNT_RECALLS).bind(&ids_json).bind(at.0).execute(&mut *self.tx).await?;
        sqlx::query(COUNT_BY_DAY).bind(&ids_json).bind(surface.as_str()).bind(at.day()).execute(&mut *self.tx).await?;
        for id in ids {
            self.fact_changed(id).await?;
        }
        Ok(())
    }
}

/// What a filter asks for, after `WHERE true`.
fn matching(query: &mut QueryBuilder<Sqlite>, filter: &FactFilter) {
    if let Some(status) = filter.status {
        query.push(" AND status = ").push_bind(status.as_str());
    }
    if !filter.origins.is_empty() {
        one_of(query, " AND origin IN (", filter.origins.iter().map(|origin| origin.as_str()));
    }
    if !filter.kinds.is_empty() {
        one_of(query, " AND kind IN (", filter.kinds.iter().map(|kind| kind.as_str()));
    }
    for word in filter.text.as_deref().unwrap_or_default().split_whitespace() {
        query.push(" AND instr(lower(content), ").push_bind(word.to_lowercase()).push(") > 0");
    }
    if let Some(importance) = filter.min_importance {
        query.push(" AND importance >= ").push_bind(importance.get());
    }
    match filter.sources {
        Some(Sources::Single) => query.push(" AND contributors <= 1"),
        Some(Sources::Multi) => query.push(" AND contributors > 1"),
        Some(Sources::Exactly(n)) => query.push(" AND contributors = ").push_bind(n),
        None => query,
    };
    if filter.contradicted {
        query.push(CONTRADICTED);
    }
    if filter.resubmitted {
        query.push(" AND status = 'rejected' AND resubmitted > 0");
    }
    if let Some((by, since)) = &filter.decided {
        query.push(" AND decided_by = ").push_bind(by.clone()).push(" AND decided_at >= ").push_bind(since.0);
    }
}

pub(super) fn one_of(query: &mut QueryBuilder<Sqlite>, lead: &'static str, names: impl Iterator<Item = &'static str>) {
    query.push(lead);
    let mut list = query.separated(", ");
    for name in names {
        list.push_bind(name);
    }
    query.push(")");
}

async fn one(conn: &mut SqliteConnection, id: &str) -> Result<Option<Fact>, StoreError> {
    sqlx::query(ONE).bind(id).fetch_optional(conn).await?.as_ref().map(fact).transpose()
}

fn fact(row: &SqliteRow) -> Result<Fact, StoreError> {
    Ok(Fact {
        id: row.try_get("id")?,
        kind: FactKind::parse(row.try_get("kind")?).map_err(corrupt)?,
        content: row.try_get("content")?,
        status: FactStatus::parse(row.try_get("status")?).map_err(corrupt)?,
        origin: Origin::parse(row.try_get("origin")?).map_err(corrupt)?,
        importance: Importance::new(row.try_get("importance")?).map_err(corrupt)?,
        contributors: row.try_get("contributors")?,
        approved_by_operator: row.try_get("approved_by_operator")?,
        contradicted: row.try_get("contradicted")?,
        decided_by: row.try_get("decided_by")?,
        decided_at: row.try_get::<Option<i64>, _>("decided_at")?.map(Moment),
        recall_count: row.try_get("recall_count")?,
        last_recalled_at: row.try_get::<Option<i64>, _>("last_recalled_at")?.map(Moment),
        created_at: Moment(row.try_get("created_at")?),
        confirmed_at: Moment(row.try_get("confirmed_at")?),
        updated_at: Moment(row.try_get("updated_at")?),
        version: row.try_get("version")?,
    })
}

pub(super) fn meta(row: &SqliteRow) -> Result<FactMeta, StoreError> {
    Ok(FactMeta {
        id: row.try_get("id")?,
        status: FactStatus::parse(row.try_get("status")?).map_err(corrupt)?,
        origin: Origin::parse(row.try_get("origin")?).map_err(corrupt)?,
        importance: Importance::new(row.try_get("importance")?).map_err(corrupt)?,
        touched: Moment(row.try_get("touched")?),
        evidence: Evidence {
            contributors: row.try_get("contributors")?,
            approved_by_operator: row.try_get("approved_by_operator")?,
            confirmed_at: Moment(row.try_get("confirmed_at")?),
            contradicted: row.try_get("contradicted")?,
        },
    })
}
