//! Recognises echoes, so that they are not learned again: statements in a reply that repeat stored memories and facts, and
//! statements in which a user quotes what was recalled for them.

use super::lesson::Lesson;
use crate::Result;
use crate::facts::propose::Vetted;
use crate::learning::lesson::Lessons;
use crate::memories::claims::Directed;
use domain::erasure::people::UserId;
use domain::facts::fact::FactStatus;
use domain::memory::echo::{only_in_reply, quotes};
use domain::memory::exchange::Exchange;
use domain::merging::{ComparedStatement, Placement, holds, place_fact};
use domain::recall::words::terms;
use domain::settings::Settings;
use ports::store::facts::FactSearch;
use ports::store::memories::MemorySearch;

/// Number of stored statements that a new one is compared with.
const COMPARED: usize = 8;
impl Lessons {
    /// Removes the echoes from a lesson.
    pub(super) async fn without_echoes(&self, exchange: &Exchange, lesson: Lesson, settings: &Settings) -> Result<Lesson> {
        let Lesson { claims, candidates, beyond, steps, everything, unread } = lesson;
        let mut kept = Lesson { everything, beyond, steps, unread, ..Lesson::default() };
        for directed in claims {
            if !self.repeats_a_memory(exchange, &directed, settings).await? {
                kept.claims.push(directed);
            }
        }
        for vetted in candidates {
            if !self.repeats_a_fact(exchange, &vetted, settings).await? {
                kept.candidates.push(vetted);
            }
        }
        Ok(kept)
    }

    async fn repeats_a_memory(&self, exchange: &Exchange, directed: &Directed, settings: &Settings) -> Result<bool> {
        let (Some(user), Some(says)) = (&exchange.user, &directed.claim.says) else { return Ok(false) };
        let content = says.content.as_str();
        let said = ComparedStatement::new(content);
        let terms = terms(content);
        let found = self
            .store
            .search_memories(user, &MemorySearch::new(&directed.vector, &terms, &[], self.clock.now()), COMPARED)
            .await?;
        let near: Vec<(String, f64)> = found.hits.into_iter().map(|hit| (hit.id, hit.similarity)).collect();
        let near: Vec<(String, f64)> = near.into_iter().filter(|(_, near)| *near >= settings.merge_personal).collect();
        let ids: Vec<String> = near.iter().map(|(id, _)| id.clone()).collect();
        let rows = self.store.memories_by_id(user, &ids).await?;
        Ok(rows.iter().any(|row| {
            let similarity = near.iter().find(|(id, _)| *id == row.id).map_or(0.0, |(_, near)| *near);
            similarity >= settings.merge_personal
                && holds(&row.content, &said)
                && self.is_echo(exchange, content, Some(user), &row.id, &row.content)
        }))
    }

    async fn repeats_a_fact(&self, exchange: &Exchange, vetted: &Vetted, settings: &Settings) -> Result<bool> {
        let content = vetted.candidate.content.as_str();
        let search = FactSearch {
            status: Some(FactStatus::Approved),
            min_similarity: settings.merge_global,
            ..FactSearch::nearest(&vetted.vector, COMPARED)
        };
        let near = self.store.nearest_facts(&search).await?;
        Ok(near.iter().any(|near| {
            let held = near.fact.content.as_str();
            place_fact(near.similarity, settings.merge_global, settings.merge_related, held, content) == Placement::Merge
                && self.is_echo(exchange, content, exchange.user.as_ref(), &near.fact.id, held)
        }))
    }

    /// Whether a statement that matches a stored one is an echo and not the user's own: it is only in the reply, or the user
    /// quotes an item that was recalled for them.
    fn is_echo(&self, exchange: &Exchange, statement: &str, user: Option<&UserId>, id: &str, held: &str) -> bool {
        let told = || user.is_some_and(|user| self.echoes.was_told(user, id));
        only_in_reply(statement, &exchange.message, &exchange.reply) || (quotes(&exchange.message, held) && told())
    }
}
