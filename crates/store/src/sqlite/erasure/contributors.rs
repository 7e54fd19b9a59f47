//! The contributors of facts inside a transaction: those of one user, and moving them from one fact to another.

use std::collections::HashMap;

use super::tokens::{Contributed, UserToken, owners};
use crate::sqlite::SqliteTx;
use ports::store::StoreError;

const CONTRIBUTORS: &str = "SELECT token FROM contributions WHERE fact_id = ?1 \
                            UNION SELECT token FROM fact_merges WHERE fact_id = ?1 AND token IS NOT NULL";
const MOVE_CONTRIBUTION: &str = "INSERT INTO contributions (fact_id, token, surface, day, near, source, echo) \
                                 SELECT ?2, ?4, surface, day, near, source, echo FROM contributions WHERE fact_id = ?1 AND token = ?3 \
                                 ON CONFLICT DO NOTHING";
const MOVE_MERGES: &str = "UPDATE fact_merges SET fact_id = ?2, token = ?4, came_from = ?1 WHERE fact_id = ?1 AND token IS ?3";

impl SqliteTx<'_> {
    /// This user's contributions as this transaction sees them. Cached until the next write.
    pub(in crate::sqlite) async fn contributed(&mut self, number: Option<i64>) -> Result<Contributed, StoreError> {
        if let Some((_, known)) = self.contributed.as_ref().filter(|(whose, _)| *whose == number) {
            return Ok(known.clone());
        }
        let contributed = Contributed::by(&mut self.tx, number).await?;
        self.contributed = Some((number, contributed.clone()));
        Ok(contributed)
    }

    /// Maps the tokens of a fact's contributors to their tokens for another fact. A token fits one fact only, so each user's is
    /// computed anew; the user is found by trying the keys of all users.
    pub(in crate::sqlite) async fn owners_of(
        &mut self,
        from: &str,
        into: &str,
    ) -> Result<HashMap<Vec<u8>, UserToken>, StoreError> {
        let tokens: Vec<Vec<u8>> = sqlx::query_scalar(CONTRIBUTORS).bind(from).fetch_all(&mut *self.tx).await?;
        owners(&mut self.tx, from, into, tokens).await
    }

    /// Moves contributors with their statements from the first fact to the second, and replaces their tokens.
    pub(in crate::sqlite) async fn move_contributors(
        &mut self,
        from: &str,
        into: &str,
        moved: &HashMap<Vec<u8>, UserToken>,
    ) -> Result<(), StoreError> {
        self.contributed = None;
        for (old, new) in moved {
            for statement in [MOVE_CONTRIBUTION, MOVE_MERGES] {
                let query = sqlx::query(statement).bind(from).bind(into).bind(old.as_slice()).bind(new.as_slice());
                query.execute(&mut *self.tx).await?;
            }
        }
        // Statements without a person, such as an agent's.
        let nobody: Option<&[u8]> = None;
        sqlx::query(MOVE_MERGES).bind(from).bind(into).bind(nobody).bind(nobody).execute(&mut *self.tx).await?;
        Ok(())
    }

    /// Adds the contributor with this token of one fact to another fact as well.
    pub(in crate::sqlite) async fn copy_contributor(&mut self, from: &str, into: &str, token: &[u8]) -> Result<(), StoreError> {
        for (old, new) in owners(&mut self.tx, from, into, vec![token.to_vec()]).await? {
            let query = sqlx::query(MOVE_CONTRIBUTION).bind(from).bind(into).bind(old.as_slice()).bind(new.as_slice());
            query.execute(&mut *self.tx).await?;
        }
        Ok(())
    }
}
