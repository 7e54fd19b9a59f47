//! Finding facts in SQLite. Filters and orders read one index that holds no text and no vector.

use async_trait::async_trait;
use sqlx::{QueryBuilder, Sqlite};

use super::facts::one_of;
use super::record::audit_row;
use super::{SqliteStore, SqliteTx, json_ids};
use crate::domain::moment::Moment;
use crate::ports::store::StoreError;
use crate::ports::store::manage::{FactQuery, FactSort, ManageReads, ManageWrites, Search, Slice, SortKey};
use crate::ports::store::record::AuditRow;

const FIND: &str = "SELECT id FROM facts WHERE true";
const COUNT: &str = "SELECT COUNT(*) FROM facts WHERE true";
const IN_OPEN_PAIRS: &str = " AND id IN (SELECT fact_a FROM contradictions WHERE resolved_at IS NULL \
                             UNION SELECT fact_b FROM contradictions WHERE resolved_at IS NULL)";
const WITH_WORDS: &str =
    " AND id IN (SELECT fact_id FROM fact_docs WHERE doc IN (SELECT rowid FROM fact_words WHERE fact_words MATCH ";
const RECALLS: &str = "SELECT surface, SUM(recalls) FROM fact_recalls WHERE fact_id = ?1 AND day >= ?2 \
                       GROUP BY surface ORDER BY 2 DESC, surface";
const AUDIT_OF: &str = "SELECT * FROM audit WHERE target = ?1 ORDER BY seq DESC LIMIT ?2";
const RESOLVE_PAIR: &str = "UPDATE contradictions SET resolved_at = ?3 WHERE fact_a = ?1 AND fact_b = ?2 AND resolved_at IS NULL";

/// Sorts after every id that begins with the same characters.
const LAST: char = char::MAX;

#[async_trait]
impl ManageReads for SqliteStore {
    async fn find_facts(&self, query: &FactQuery, sort: FactSort, slice: Slice) -> Result<Vec<String>, StoreError> {
        let mut sql: QueryBuilder<Sqlite> = QueryBuilder::new(FIND);
        matching(&mut sql, query);
        sql.push(match (sort.key, sort.descending) {
            (SortKey::Created, false) => " ORDER BY created_at, id",
            (SortKey::Created, true) => " ORDER BY created_at DESC, id DESC",
            (SortKey::Contributors, false) => " ORDER BY contributors, created_at, id",
            (SortKey::Contributors, true) => " ORDER BY contributors DESC, created_at, id",
            (SortKey::Recalls, false) => " ORDER BY recall_count, created_at, id",
            (SortKey::Recalls, true) => " ORDER BY recall_count DESC, created_at, id",
            (SortKey::Importance, false) => " ORDER BY importance, created_at, id",
            (SortKey::Importance, true) => " ORDER BY importance DESC, created_at, id",
        });
        let bound = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        sql.push(" LIMIT ").push_bind(bound(slice.limit)).push(" OFFSET ").push_bind(bound(slice.skip));
        Ok(sql.build_query_scalar().fetch_all(&self.readers).await?)
    }

    async fn count_found(&self, query: &FactQuery) -> Result<u64, StoreError> {
        let mut sql: QueryBuilder<Sqlite> = QueryBuilder::new(COUNT);
        matching(&mut sql, query);
        let count: i64 = sql.build_query_scalar().fetch_one(&self.readers).await?;
        Ok(count.unsigned_abs())
    }

    async fn recalls_by_surface(&self, id: &str, since: Moment) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sqlx::query_as(RECALLS).bind(id).bind(since.day()).fetch_all(&self.readers).await?)
    }

    async fn audit_of(&self, target: &str, limit: u32) -> Result<Vec<AuditRow>, StoreError> {
        sqlx::query(AUDIT_OF).bind(target).bind(limit).fetch_all(&self.readers).await?.iter().map(audit_row).collect()
    }
}

#[async_trait]
impl ManageWrites for SqliteTx<'_> {
    async fn resolve_pair(&mut self, a: &str, b: &str, at: Moment) -> Result<bool, StoreError> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let done = sqlx::query(RESOLVE_PAIR).bind(a).bind(b).bind(at.0).execute(&mut *self.tx).await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        self.fact_changed(a).await?;
        self.fact_changed(b).await?;
        Ok(true)
    }
}

/// What a query asks for, after `WHERE true`.
fn matching(sql: &mut QueryBuilder<Sqlite>, query: &FactQuery) {
    if let Some(status) = query.status {
        sql.push(" AND status = ").push_bind(status.as_str());
    }
    if !query.kinds.is_empty() {
        one_of(sql, " AND kind IN (", query.kinds.iter().map(|kind| kind.as_str()));
    }
    if !query.origins.is_empty() {
        one_of(sql, " AND origin IN (", query.origins.iter().map(|origin| origin.as_str()));
    }
    if let Some(importance) = query.min_importance {
        sql.push(" AND importance >= ").push_bind(importance.get());
    }
    if query.contradicted {
        sql.push(IN_OPEN_PAIRS);
    }
    match &query.search {
        Some(Search::Words(text)) => {
            let wanted = expression(text);
            if wanted.is_empty() {
                sql.push(" AND false");
            } else {
                sql.push(WITH_WORDS).push_bind(wanted).push("))");
            }
        }
        Some(Search::Id(start)) => {
            sql.push(" AND id >= ").push_bind(start.clone()).push(" AND id < ").push_bind(format!("{start}{LAST}"));
        }
        None => {}
    }
    if let Some(among) = &query.among {
        sql.push(" AND id IN (SELECT value FROM json_each(").push_bind(json_ids(among)).push("))");
    }
}

/// What was typed as an expression of the index: every piece is a quoted phrase whose last word may go on. Nothing that was
/// typed is an operator.
fn expression(text: &str) -> String {
    let pieces = text.split_whitespace().filter(|piece| piece.chars().any(char::is_alphanumeric));
    pieces.map(|piece| format!("\"{}\" *", piece.replace('"', "\"\""))).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_never_an_operator() {
        for (typed, wanted) in [
            ("ports", "\"ports\" *"),
            ("NOT a OR b*", "\"NOT\" * \"a\" * \"OR\" * \"b*\" *"),
            ("say \"hi\"", "\"say\" * \"\"\"hi\"\"\" *"),
            (" – … ", ""),
            ("7300–7399", "\"7300–7399\" *"),
        ] {
            assert_eq!(expression(typed), wanted);
        }
    }
}
