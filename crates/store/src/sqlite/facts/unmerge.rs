//! Facts that an operator merged, in SQLite: the data kept for a day to undo a merge, and the undo.
//!
//! Each contributor's row is stored beside the fact that the merged one became part of, so that an erasure finds and deletes it
//! like the contribution itself. When the last row is gone, the merge can no longer be undone.

use std::collections::HashMap;

use sqlx::SqliteConnection;

use super::{COUNT_CONTRIBUTORS, voices};
use crate::sqlite::SqliteTx;
use crate::sqlite::erasure::tokens::{UserToken, new_place, owners};
use crate::sqlite::values::{blob, words};
use domain::moment::Moment;
use ports::embedder::Vector;
use ports::store::StoreError;

/// The former state of the merged fact, apart from its text, and of the other fact.
macro_rules! state {
    () => {
        "json_object('kind', f.kind, 'origin', f.origin, 'importance', f.importance, 'had_contributor', f.had_contributor, \
         'corroborated', f.corroborated, 'resubmitted', f.resubmitted, 'recall_count', f.recall_count, \
         'last_recalled_at', f.last_recalled_at, 'created_at', f.created_at, 'confirmed_at', f.confirmed_at, 'version', f.version, \
         'into_confirmed_at', i.confirmed_at, 'into_had_contributor', i.had_contributor, \
         'into_corroborated', i.corroborated, 'into_contributors', i.contributors)"
    };
}
/// `?4`: the contributor's token beside the first fact, `?5`: beside the second.
const KEEP: &str = concat!(
    "INSERT INTO merged_facts (place, decision, fact_id, from_id, token, added, said, surface, day, near, source, echo, content, state) \
     SELECT ?6, ?1, i.id, f.id, ?5, c.fact_id IS NOT NULL AND NOT EXISTS \
     (SELECT 1 FROM contributions WHERE fact_id = i.id AND token = ?5), \
     (SELECT COUNT(*) FROM fact_merges WHERE fact_id = i.id AND token = ?5), \
     c.surface, c.day, c.near, c.source, COALESCE(c.echo, 0), f.content, ",
    state!(),
    " FROM facts AS f JOIN facts AS i LEFT JOIN contributions AS c ON c.fact_id = f.id AND c.token = ?4 \
     WHERE f.id = ?2 AND i.id = ?3"
);
/// For a fact without contributors, which no erasure deletes.
const KEEP_NOBODYS: &str = concat!(
    "INSERT INTO merged_facts (place, decision, fact_id, from_id, content, state) SELECT ?4, ?1, i.id, f.id, f.content, ",
    state!(),
    " FROM facts AS f JOIN facts AS i WHERE f.id = ?2 AND i.id = ?3 AND NOT f.had_contributor"
);
pub(super) const MERGED: &str = "SELECT from_id, content FROM merged_facts WHERE decision = ?1 ORDER BY place LIMIT 1";
const BOTH: &str = "SELECT fact_id, from_id, content FROM merged_facts WHERE decision = ?1 ORDER BY place LIMIT 1";
const BRING_BACK: &str = "INSERT INTO facts (id, kind, content, status, origin, importance, vector, contributors, had_contributor, \
     corroborated, resubmitted, recall_count, last_recalled_at, created_at, confirmed_at, updated_at, version, words) \
     SELECT from_id, state ->> 'kind', content, 'pending', state ->> 'origin', state ->> 'importance', ?2, 0, \
     state ->> 'had_contributor', state ->> 'corroborated', state ->> 'resubmitted', state ->> 'recall_count', \
     state ->> 'last_recalled_at', state ->> 'created_at', state ->> 'confirmed_at', ?3, (state ->> 'version') + 1, ?4 \
     FROM merged_facts WHERE decision = ?1 ORDER BY place LIMIT 1";
const TOKENS: &str = "SELECT token FROM merged_facts WHERE decision = ?1 AND token IS NOT NULL \
                      UNION SELECT token FROM fact_merges WHERE fact_id = ?2 AND came_from = ?3 AND token IS NOT NULL";
const CONTRIBUTE: &str = "INSERT INTO contributions (fact_id, token, surface, day, near, source, echo) \
                          SELECT from_id, ?3, surface, day, near, source, echo FROM merged_facts \
                          WHERE decision = ?1 AND token = ?2 AND surface IS NOT NULL";
const MOVE_BACK: &str = "UPDATE fact_merges SET fact_id = ?2, token = ?4, came_from = NULL \
                         WHERE fact_id = ?1 AND came_from = ?2 AND token IS ?3";
/// Contributors who came with the merge and have said nothing since.
macro_rules! came_along {
    () => {
        "SELECT token FROM merged_facts AS m WHERE decision = ?1 AND added \
         AND (SELECT COUNT(*) FROM fact_merges WHERE fact_id = m.fact_id AND token = m.token) <= said"
    };
}
const WITHDRAW: &str = concat!("DELETE FROM contributions WHERE fact_id = ?2 AND token IN (", came_along!(), ")");
/// Contributors who came with the merge and have said the other fact since: they stay with it because of those words.
const STAY: &str = concat!(
    "UPDATE fact_merges SET added = 1 WHERE place IN (SELECT MIN(f.place) FROM fact_merges AS f JOIN merged_facts AS m \
     ON m.fact_id = f.fact_id AND m.token = f.token WHERE m.decision = ?1 AND m.added AND m.token NOT IN (",
    came_along!(),
    ") GROUP BY f.token)"
);
const SETTLE_INTO: &str = concat!(
    "UPDATE facts SET contributors = people.n, \
                           had_contributor = MAX(people.n > 0, was.had), \
                           corroborated = people.n > 1 AND (was.corroborated OR (facts.corroborated AND people.n > was.people)), \
                           confirmed_at = CASE WHEN confirmed_at = MAX(was.own, was.other) THEN was.own ELSE confirmed_at END \
                           FROM (SELECT state ->> 'into_had_contributor' AS had, state ->> 'into_confirmed_at' AS own, \
                           state ->> 'confirmed_at' AS other, state ->> 'into_corroborated' AS corroborated, \
                           state ->> 'into_contributors' AS people FROM merged_facts WHERE decision = ?2 LIMIT 1) AS was, (SELECT ",
    voices!("?1"),
    " AS n) AS people WHERE id = ?1"
);
const DROP: &str = "DELETE FROM merged_facts WHERE decision = ?1";

impl SqliteTx<'_> {
    /// Stores the data needed to undo a decision's merge.
    pub(super) async fn keep_merged(
        &mut self,
        decision: i64,
        from: &str,
        into: &str,
        moved: &HashMap<Vec<u8>, UserToken>,
    ) -> Result<(), StoreError> {
        for (old, new) in moved {
            sqlx::query(KEEP)
                .bind(decision)
                .bind(from)
                .bind(into)
                .bind(old)
                .bind(new.as_slice())
                .bind(new_place())
                .execute(&mut *self.tx)
                .await?;
        }
        sqlx::query(KEEP_NOBODYS).bind(decision).bind(from).bind(into).bind(new_place()).execute(&mut *self.tx).await?;
        Ok(())
    }

    pub(super) async fn drop_merged(&mut self, decision: i64) -> Result<(), StoreError> {
        sqlx::query(DROP).bind(decision).execute(&mut *self.tx).await?;
        Ok(())
    }

    /// Undoes the merge of a decision. Returns the id of the restored fact.
    pub(in crate::sqlite) async fn unmerge(
        &mut self,
        decision: i64,
        vector: &Vector,
        at: Moment,
    ) -> Result<Option<String>, StoreError> {
        let row: Option<(String, String, String)> = sqlx::query_as(BOTH).bind(decision).fetch_optional(&mut *self.tx).await?;
        let Some((into, from, content)) = row else { return Ok(None) };
        self.contributed = None;
        let back = sqlx::query(BRING_BACK).bind(decision).bind(blob(vector)).bind(at.0).bind(words(&content));
        back.execute(&mut *self.tx).await?;
        for (old, new) in came_with(&mut self.tx, decision, &into, &from).await? {
            let query = sqlx::query(CONTRIBUTE).bind(decision).bind(&old).bind(new.as_slice());
            query.execute(&mut *self.tx).await?;
            let query = sqlx::query(MOVE_BACK).bind(&into).bind(&from).bind(&old).bind(new.as_slice());
            query.execute(&mut *self.tx).await?;
        }
        let nobody: Option<&[u8]> = None;
        sqlx::query(MOVE_BACK).bind(&into).bind(&from).bind(nobody).bind(nobody).execute(&mut *self.tx).await?;
        sqlx::query(STAY).bind(decision).execute(&mut *self.tx).await?;
        sqlx::query(WITHDRAW).bind(decision).bind(&into).execute(&mut *self.tx).await?;
        sqlx::query(SETTLE_INTO).bind(&into).bind(decision).execute(&mut *self.tx).await?;
        sqlx::query(COUNT_CONTRIBUTORS).bind(&from).execute(&mut *self.tx).await?;
        self.drop_merged(decision).await?;
        for id in [&from, &into] {
            self.weight_changed(id).await?;
        }
        Ok(Some(from))
    }
}

/// Tokens that belong to the restored fact, each with the same person's token for that fact.
async fn came_with(
    conn: &mut SqliteConnection,
    decision: i64,
    into: &str,
    from: &str,
) -> Result<HashMap<Vec<u8>, UserToken>, StoreError> {
    let tokens = sqlx::query_scalar(TOKENS).bind(decision).bind(into).bind(from).fetch_all(&mut *conn).await?;
    owners(conn, into, from, tokens).await
}
