//! Global facts in SQLite.

pub(super) mod decisions;
pub(super) mod history;
pub(super) mod likeness;
pub(super) mod matrix;
mod unmerge;

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use sqlx::query::QueryScalar;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite, SqliteConnection};

use super::values::{blob, corrupt, json_ids, vector, words};
use super::{SqliteStore, SqliteTx, ensure_user, user_no};
use crate::sqlite::erasure::tokens::{UserToken, UserTokens, new_place};
use crate::sqlite::facts::matrix::near::Likely;
use crate::sqlite::facts::matrix::similarity;
use crate::sqlite::memories::runs;
use domain::erasure::people::UserId;
use domain::facts::confidence::confidence;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::{Origin, Surface};
use domain::facts::rejection::{Reason, Rejection};
use domain::memory::Importance;
use domain::moment::{DAY_MS, Moment};
use ports::store::StoreError;
use ports::store::facts::{
    Fact, FactFilter, FactMerge, FactReads, FactSearch, FactWrites, Matching, NearFact, NewFact, Rank, Slice, StatementDigests,
    StatusChange, StatusCounts, TextFilter,
};
use ports::store::memories::Page;

/// Sorts after every id with the same prefix.
const LAST: char = char::MAX;

/// Every column except the vector, and whether an open contradiction exists and halves the confidence. Exposes no user.
macro_rules! fact_columns {
    ($rest:literal) => {
        fact_columns!($rest, "")
    };
    ($rest:literal, $more:literal) => {
        concat!(
            "SELECT id, kind, content, status, origin, importance, contributors, approved_by_operator, decided_by, decided_at, \
             reject_reason, reject_note, recall_count, last_recalled_at, created_at, confirmed_at, updated_at, version, corroborated, \
             EXISTS (SELECT 1 FROM contradictions WHERE (fact_a = facts.id OR fact_b = facts.id) AND resolved_at IS NULL) \
             AS contradicted, \
             EXISTS (SELECT 1 FROM contradictions JOIN facts AS other \
             ON other.id = CASE fact_a WHEN facts.id THEN fact_b ELSE fact_a END \
             WHERE (fact_a = facts.id OR fact_b = facts.id) AND resolved_at IS NULL \
             AND (other.status = 'approved' OR other.corroborated)) AS disputed",
            $more,
            " FROM facts ",
            $rest
        )
    };
}

const ONE: &str = fact_columns!("WHERE id = ?1");
const BY_IDS: &str = fact_columns!("WHERE id IN (SELECT value FROM json_each(?1))");
const WITH_VECTORS: &str = fact_columns!("WHERE id IN (SELECT value FROM json_each(?1))", ", vector");
const DUE: &str = "SELECT id FROM facts WHERE status = 'pending' AND contributors >= ?1 AND NOT (corroborated AND \
                   EXISTS (SELECT 1 FROM contradictions WHERE (fact_a = facts.id OR fact_b = facts.id) AND resolved_at IS NULL)) \
                   ORDER BY id";
const CORROBORATE: &str = "UPDATE facts SET corroborated = 1 WHERE id = ?1 AND NOT corroborated";
const BY_WORDS: &str = "SELECT group_concat(fact_id, char(10)) FROM fact_docs \
                        WHERE doc IN (SELECT rowid FROM fact_words WHERE fact_words MATCH ?1)";
const BY_START: &str = "SELECT group_concat(id, char(10)) FROM facts WHERE id >= ?1 AND id < ?2";
const DECIDED_BY: &str = "SELECT group_concat(id, char(10)) FROM facts WHERE decided_at >= ?2 AND decided_by = ?1";
const REJECTED_FOR: &str =
    "SELECT group_concat(id, char(10)) FROM facts WHERE reject_reason IN (SELECT value FROM json_each(?1))";
const COUNTS: &str = "SELECT status, SUM(value) FROM totals WHERE store = 'facts' GROUP BY status";
const INSERT: &str = "INSERT INTO facts (id, kind, content, status, origin, importance, vector, created_at, confirmed_at, updated_at, words) \
                      VALUES (?1, ?2, ?3, 'pending', ?4, ?5, ?6, ?7, ?7, ?7, ?8)";
const CHANGE_STATUS: &str = "UPDATE facts SET status = ?4, approved_by_operator = (?4 = 'approved' AND ?5 IS NOT NULL), \
                             decided_by = CASE WHEN ?4 = 'pending' THEN NULL ELSE ?5 END, \
                             decided_at = CASE WHEN ?4 = 'pending' THEN NULL ELSE ?6 END, \
                             reject_reason = ?7, reject_note = ?8, updated_at = ?6, version = version + 1 \
                             WHERE id = ?1 AND status = ?2 AND version = ?3";
const CONFIRM: &str = "UPDATE facts SET confirmed_at = MAX(confirmed_at, ?2) WHERE id = ?1";
const RESUBMITTED: &str = "UPDATE facts SET resubmitted = resubmitted + 1 WHERE id = ?1";
const CONTRIBUTE: &str =
    "INSERT INTO contributions (fact_id, token, surface, day) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
/// A contribution that was heard before and counted keeps counting.
const HEAR: &str = "UPDATE contributions SET near = ?4, source = ?6, echo = (near IS NULL OR echo) AND EXISTS (\
                    SELECT 1 FROM contributions AS other WHERE other.fact_id = ?1 AND other.token <> contributions.token \
                    AND (other.near IN (?3, ?4, ?5) OR other.source = ?6)) \
                    WHERE fact_id = ?1 AND token = ?2";
/// Number of contributors who count. A contributor who only echoed another counts once there are three in all, or once two others
/// count.
macro_rules! voices {
    ($fact:literal) => {
        concat!(
            "(SELECT CASE WHEN COUNT(*) > 2 OR COUNT(*) FILTER (WHERE NOT echo) > 1 THEN COUNT(*) ELSE MIN(COUNT(*), 1) END \
             FROM contributions WHERE fact_id = ",
            $fact,
            ")"
        )
    };
}
pub(super) use voices;

const COUNT_CONTRIBUTORS: &str = concat!("UPDATE facts SET contributors = ", voices!("?1"), " WHERE id = ?1");
/// A fact with at most one remaining contributor is no longer corroborated.
pub(super) const RECOUNT: &str = concat!(
    "UPDATE facts SET contributors = people.n, had_contributor = 1, corroborated = corroborated AND people.n > 1 \
     FROM (SELECT ",
    voices!("?1"),
    " AS n) AS people WHERE id = ?1 RETURNING contributors"
);
/// Like [`RECOUNT`], after a split: a fact that lost all its contributors to other facts counts as never having had one.
const RECOUNT_VOICES: &str = concat!(
    "UPDATE facts SET contributors = people.n, had_contributor = people.n > 0, \
     corroborated = corroborated AND people.n > 1, version = version + 1 FROM (SELECT ",
    voices!("?1"),
    " AS n) AS people WHERE id = ?1"
);
const RECORD_MERGE: &str = "INSERT INTO fact_merges (place, id, fact_id, token, similarity, day, content, vector, added) \
                            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?4 IS NOT NULL AND NOT EXISTS \
                            (SELECT 1 FROM contributions WHERE fact_id = ?3 AND token = ?4))";
const MERGES_OF: &str = "SELECT id, fact_id, content, vector, similarity, day FROM fact_merges WHERE fact_id = ?1 \
                         ORDER BY similarity, place LIMIT ?2";
const MERGE: &str = "SELECT token, added FROM fact_merges WHERE id = ?1 AND fact_id = ?2";
/// The contributor stays with the fact because of other words.
const STAY: &str = "UPDATE fact_merges SET added = 1 WHERE place = \
                    (SELECT place FROM fact_merges WHERE fact_id = ?1 AND token = ?2 AND id <> ?3 ORDER BY place LIMIT 1)";
const WITHDRAW: &str = "DELETE FROM contributions WHERE fact_id = ?1 AND token = ?2";
const DROP_MERGE: &str = "DELETE FROM fact_merges WHERE id = ?1";
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
    async fn nearest_facts(&self, search: &FactSearch<'_>) -> Result<Vec<NearFact>, StoreError> {
        let likely = self.matrix.may_be_best(search, &HashSet::new());
        best(&mut *self.readers.acquire().await?, search, &likely).await
    }

    async fn fact(&self, id: &str) -> Result<Option<Fact>, StoreError> {
        one(&mut *self.readers.acquire().await?, id).await
    }

    async fn facts_by_id(&self, ids: &[String]) -> Result<Vec<Fact>, StoreError> {
        sqlx::query(BY_IDS).bind(json_ids(ids)).fetch_all(&self.readers).await?.iter().map(fact).collect()
    }

    async fn list_facts(&self, filter: &FactFilter, page: &Page) -> Result<Vec<Fact>, StoreError> {
        let among = self.among(filter).await?;
        let slice = Slice { skip: 0, limit: page.limit.into() };
        let ids = self.matrix.select(filter, among.as_deref(), page.after.as_deref(), slice);
        let ids: Vec<String> = ids.into_iter().map(|(id, _)| id).collect();
        let mut facts: HashMap<String, Fact> =
            self.facts_by_id(&ids).await?.into_iter().map(|fact| (fact.id.clone(), fact)).collect();
        Ok(ids.iter().filter_map(|id| facts.remove(id)).collect())
    }

    async fn find_facts(&self, filter: &FactFilter, slice: Slice) -> Result<Vec<(String, i64)>, StoreError> {
        let among = self.among(filter).await?;
        Ok(self.matrix.select(filter, among.as_deref(), None, slice))
    }

    async fn count_matching(&self, filter: &FactFilter) -> Result<u64, StoreError> {
        let among = self.among(filter).await?;
        Ok(self.matrix.count(filter, among.as_deref()))
    }

    async fn mark_matching(&self, filter: &FactFilter) -> Result<Matching, StoreError> {
        let among = self.among(filter).await?;
        let (count, mark) = self.matrix.mark(filter, among.as_deref());
        Ok(Matching { count, mark: format!("{mark:032x}") })
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

    async fn merges_of_fact(&self, id: &str, limit: u32) -> Result<Vec<FactMerge>, StoreError> {
        let rows = sqlx::query(MERGES_OF).bind(id).bind(limit).fetch_all(&self.readers).await?;
        rows.iter()
            .map(|row| {
                Ok(FactMerge {
                    id: row.try_get("id")?,
                    fact_id: row.try_get("fact_id")?,
                    content: row.try_get("content")?,
                    vector: vector(row, "vector")?,
                    similarity: row.try_get("similarity")?,
                    at: Moment(row.try_get::<i64, _>("day")? * DAY_MS),
                })
            })
            .collect()
    }

    async fn facts_in_memory(&self, ids: &[String]) -> Result<usize, StoreError> {
        Ok(self.matrix.holds(ids))
    }
}

impl SqliteStore {
    /// Ids of the facts that match conditions on data that is not in memory: words, ids, deciders and reasons. `None`: the filter
    /// has no such condition.
    async fn among(&self, filter: &FactFilter) -> Result<Option<Vec<String>>, StoreError> {
        let found = match &filter.search {
            None => None,
            Some(TextFilter::Words(text)) => match expression(text) {
                wanted if wanted.is_empty() => Some(Vec::new()),
                wanted => Some(self.ids(sqlx::query_scalar(BY_WORDS).bind(wanted)).await?),
            },
            Some(TextFilter::Id(start)) => {
                Some(self.ids(sqlx::query_scalar(BY_START).bind(start.clone()).bind(format!("{start}{LAST}"))).await?)
            }
        };
        let mut found = found;
        if let Some((by, since)) = &filter.decided {
            let decided = self.ids(sqlx::query_scalar(DECIDED_BY).bind(by.clone()).bind(since.0)).await?;
            found = Some(both(found, decided));
        }
        if !filter.rejected_for.is_empty() {
            let reasons: Vec<String> = filter.rejected_for.iter().map(|reason| reason.as_str().to_owned()).collect();
            let rejected = self.ids(sqlx::query_scalar(REJECTED_FOR).bind(json_ids(&reasons))).await?;
            found = Some(both(found, rejected));
        }
        Ok(found)
    }

    async fn ids(&self, query: QueryScalar<'_, Sqlite, Option<String>, SqliteArguments>) -> Result<Vec<String>, StoreError> {
        let lines = query.fetch_one(&self.readers).await?.unwrap_or_default();
        Ok(lines.lines().map(str::to_owned).collect())
    }
}

#[async_trait]
impl FactWrites for SqliteTx<'_> {
    async fn nearest_known_facts(&mut self, search: &FactSearch<'_>) -> Result<Vec<NearFact>, StoreError> {
        let likely = self.store.matrix.may_be_best(search, &self.changed_facts);
        best(&mut self.tx, search, &likely).await
    }

    async fn due_for_promotion(&mut self, contributors: u32) -> Result<Vec<String>, StoreError> {
        Ok(sqlx::query_scalar(DUE).bind(contributors).fetch_all(&mut *self.tx).await?)
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
            .bind(words(&new.content))
            .execute(&mut *self.tx)
            .await?;
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
            .bind(change.rejection.as_ref().map(|why| why.reason.as_str()))
            .bind(change.rejection.as_ref().and_then(|why| why.note.as_deref()))
            .execute(&mut *self.tx)
            .await?;
        if done.rows_affected() == 1 {
            self.weight_changed(id).await?;
            return Ok(true);
        }
        Ok(false)
    }

    async fn confirm_fact(&mut self, id: &str, at: Moment) -> Result<(), StoreError> {
        sqlx::query(CONFIRM).bind(id).bind(at.0).execute(&mut *self.tx).await?;
        self.fact_changed(id).await
    }

    async fn corroborate(&mut self, id: &str) -> Result<(), StoreError> {
        if sqlx::query(CORROBORATE).bind(id).execute(&mut *self.tx).await?.rows_affected() == 1 {
            self.weight_changed(id).await?;
        }
        Ok(())
    }

    async fn count_resubmission(&mut self, id: &str) -> Result<(), StoreError> {
        sqlx::query(RESUBMITTED).bind(id).execute(&mut *self.tx).await?;
        self.fact_changed(id).await
    }

    async fn add_contribution(&mut self, id: &str, user: &UserId, surface: &Surface, at: Moment) -> Result<u32, StoreError> {
        let token = self.token(user, id, at).await?;
        self.contributed = None;
        sqlx::query(CONTRIBUTE)
            .bind(id)
            .bind(token.as_slice())
            .bind(surface.as_str())
            .bind(at.day())
            .execute(&mut *self.tx)
            .await?;
        let count = sqlx::query_scalar(RECOUNT).bind(id).fetch_one(&mut *self.tx).await?;
        self.fact_changed(id).await?;
        Ok(count)
    }

    async fn hear(&mut self, id: &str, user: &UserId, heard: &StatementDigests) -> Result<(), StoreError> {
        let Some(no) = user_no(&mut self.tx, user.as_str()).await? else { return Ok(()) };
        let Some(tokens) = UserTokens::of_user(&mut self.tx, no).await? else { return Ok(()) };
        let [before, during, after] = &heard.near;
        sqlx::query(HEAR)
            .bind(id)
            .bind(tokens.of(id).as_slice())
            .bind(before)
            .bind(during)
            .bind(after)
            .bind(&heard.source)
            .execute(&mut *self.tx)
            .await?;
        sqlx::query(RECOUNT).bind(id).execute(&mut *self.tx).await?;
        self.fact_changed(id).await
    }

    async fn record_fact_merge(&mut self, merge: &FactMerge, user: Option<&UserId>) -> Result<(), StoreError> {
        let token = match user {
            Some(user) => Some(self.token(user, &merge.fact_id, merge.at).await?),
            None => None,
        };
        self.contributed = None;
        sqlx::query(RECORD_MERGE)
            .bind(new_place())
            .bind(&merge.id)
            .bind(&merge.fact_id)
            .bind(token.as_ref().map(UserToken::as_slice))
            .bind(merge.similarity)
            .bind(merge.at.day())
            .bind(&merge.content)
            .bind(blob(&merge.vector))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn split_fact(&mut self, merge_id: &str, from: &str, into: &str) -> Result<bool, StoreError> {
        let row: Option<(Option<Vec<u8>>, bool)> =
            sqlx::query_as(MERGE).bind(merge_id).bind(from).fetch_optional(&mut *self.tx).await?;
        let Some((token, added)) = row else { return Ok(false) };
        self.contributed = None;
        if let Some(token) = token {
            // An agent's statement has a token but no contribution; then there is nothing to move.
            self.copy_contributor(from, into, &token).await?;
            let stays = added
                && sqlx::query(STAY).bind(from).bind(&token).bind(merge_id).execute(&mut *self.tx).await?.rows_affected() > 0;
            if added && !stays {
                sqlx::query(WITHDRAW).bind(from).bind(&token).execute(&mut *self.tx).await?;
            }
        }
        sqlx::query(DROP_MERGE).bind(merge_id).execute(&mut *self.tx).await?;
        for id in [from, into] {
            sqlx::query(RECOUNT_VOICES).bind(id).execute(&mut *self.tx).await?;
            self.weight_changed(id).await?;
        }
        Ok(true)
    }

    async fn flag_contradiction(&mut self, a: &str, b: &str, similarity: f64, at: Moment) -> Result<bool, StoreError> {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let done = sqlx::query(FLAG).bind(a).bind(b).bind(similarity).bind(at.0).execute(&mut *self.tx).await?;
        self.fact_changed(a).await?;
        self.fact_changed(b).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn resolve_contradictions(&mut self, id: &str, at: Moment) -> Result<(), StoreError> {
        self.weight_changed(id).await?;
        sqlx::query(RESOLVE).bind(id).bind(at.0).execute(&mut *self.tx).await?;
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

impl SqliteTx<'_> {
    /// This user's token for this fact; adds the user if necessary.
    async fn token(&mut self, user: &UserId, fact_id: &str, at: Moment) -> Result<UserToken, StoreError> {
        let no = ensure_user(&mut self.tx, user.as_str(), at).await?;
        let tokens = UserTokens::of_user(&mut self.tx, no).await?.ok_or_else(|| corrupt("a user without a key"))?;
        Ok(tokens.of(fact_id))
    }
}

/// Converts typed text to an expression for the index: every piece between blanks must occur, and its last word may be a prefix.
/// Nothing in the text acts as an operator.
fn expression(text: &str) -> String {
    let pieces = text.split_whitespace().filter(|piece| piece.chars().any(char::is_alphanumeric));
    pieces.map(|piece| runs::holding(piece, true)).collect::<Vec<_>>().join(" AND ")
}

/// The ids that are in both lists, in the order of the second; without a first list, the second.
fn both(found: Option<Vec<String>>, mut other: Vec<String>) -> Vec<String> {
    if let Some(found) = found {
        let found: HashSet<String> = found.into_iter().collect();
        other.retain(|id| found.contains(id));
    }
    other
}

/// Reads the reason of a rejection from any row with these columns.
pub(super) fn rejection(row: &SqliteRow) -> Result<Option<Rejection>, StoreError> {
    let Some(code) = row.try_get::<Option<String>, _>("reject_reason")? else { return Ok(None) };
    let reason = Reason::known(&code).ok_or_else(|| corrupt("an unknown reason for a rejection"))?;
    Ok(Some(Rejection { reason, note: row.try_get("reject_note")? }))
}

/// The best of these facts as this connection sees them now, computed exactly.
async fn best(conn: &mut SqliteConnection, search: &FactSearch<'_>, likely: &Likely) -> Result<Vec<NearFact>, StoreError> {
    let ids = likely.ids.as_slice();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::with_capacity(ids.len());
    for row in sqlx::query(WITH_VECTORS).bind(json_ids(ids)).fetch_all(conn).await? {
        let (vector, fact) = (vector(&row, "vector")?, fact(&row)?);
        let similarity = similarity(&vector, search.vector);
        let said = likely.word_score(&fact.content);
        let near = NearFact { similarity, legs: likely.spreads.legs(similarity, said), vector, fact };
        let fits = near.similarity >= search.min_similarity
            && search.status.is_none_or(|status| status == near.fact.status)
            && search.origins.admits(near.fact.origin)
            && search.but != Some(near.fact.id.as_str())
            && confidence(&near.fact.evidence(), search.now) >= search.min_confidence;
        if fits {
            let score = match search.rank {
                Rank::Similarity => -near.similarity,
                Rank::Score => near.parts(search.now).score() - likely.spreads.worth(said),
            };
            found.push((score, near));
        }
    }
    found.sort_by(|(a, one), (b, other)| a.total_cmp(b).then_with(|| one.fact.id.cmp(&other.fact.id)));
    found.truncate(search.limit);
    Ok(found.into_iter().map(|(_, near)| near).collect())
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
        disputed: row.try_get("disputed")?,
        corroborated: row.try_get("corroborated")?,
        decided_by: row.try_get("decided_by")?,
        decided_at: row.try_get::<Option<i64>, _>("decided_at")?.map(Moment),
        rejection: rejection(row)?,
        recall_count: row.try_get("recall_count")?,
        last_recalled_at: row.try_get::<Option<i64>, _>("last_recalled_at")?.map(Moment),
        created_at: Moment(row.try_get("created_at")?),
        confirmed_at: Moment(row.try_get("confirmed_at")?),
        updated_at: Moment(row.try_get("updated_at")?),
        version: row.try_get("version")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_never_an_operator() {
        for (typed, wanted) in [
            ("ports", "\"ports\" *"),
            ("NOT a OR b*", "\"NOT\" * AND \"a\" * AND \"OR\" * AND \"b*\" *"),
            ("say \"hi\"", "\"say\" * AND \"\"\"hi\"\"\" *"),
            (" – … ", ""),
            ("7300–7399", "\"7300–7399\" *"),
        ] {
            assert_eq!(expression(typed), wanted);
        }
    }
}
