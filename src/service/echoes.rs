//! Recognises what an exchange only repeats, so that learning does not learn it again: what the reply says of memories and facts
//! that are held, and what a user quotes of what was recalled for them.
//!
//! For the second, a recall leaves a mark for each item that it told: a keyed digest of the user and the item, in memory only and for
//! a day at most. It links no user with a fact for anybody without the key.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::claims::Directed;
use super::counts::Recalled;
use super::lesson::Lesson;
use super::propose::Vetted;
use super::{Keepsake, Result};
use crate::domain::echo::{only_in_reply, quotes};
use crate::domain::exchange::Exchange;
use crate::domain::fact::FactStatus;
use crate::domain::merging::{Compared, Placement, merges_personal, place_fact};
use crate::domain::moment::{HOUR_MS, Moment};
use crate::domain::people::UserId;
use crate::domain::settings::Settings;
use crate::domain::words::terms;
use crate::ports::store::facts::FactSearch;
use crate::ports::store::memories::MemorySearch;

/// How many held statements a new one is compared with.
const COMPARED: usize = 8;
/// Marks are dropped in two steps: after this time, or this number, the older half goes.
const HALF_LIFE_MS: i64 = 12 * HOUR_MS;
const HALF: usize = 20_000;

/// The marks of what was told lately.
#[derive(Default)]
pub(super) struct Told(Mutex<Marks>);

#[derive(Default)]
struct Marks {
    newer: HashSet<String>,
    older: HashSet<String>,
    since: Moment,
}

impl Told {
    fn note(&self, marks: impl Iterator<Item = String>, now: Moment) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.drop_old(now);
        held.newer.extend(marks);
    }

    fn holds(&self, mark: &str, now: Moment) -> bool {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.drop_old(now);
        held.newer.contains(mark) || held.older.contains(mark)
    }
}

impl Marks {
    fn drop_old(&mut self, now: Moment) {
        let age = now.0 - self.since.0;
        if age >= 2 * HALF_LIFE_MS {
            self.older.clear();
            self.newer.clear();
            self.since = now;
        } else if age >= HALF_LIFE_MS || self.newer.len() >= HALF {
            self.older = std::mem::take(&mut self.newer);
            self.since = now;
        }
    }
}

impl Keepsake {
    /// Notes what was told to this user.
    pub(super) fn note_told(&self, recalled: &Recalled) {
        let Some(user) = &recalled.user else { return };
        let ids = recalled.memories.iter().chain(&recalled.facts);
        self.told.note(ids.map(|id| self.digester.told(user, id)), recalled.at);
    }

    /// The lesson without what the exchange only repeats.
    pub(super) async fn without_echoes(&self, exchange: &Exchange, lesson: Lesson, settings: &Settings) -> Result<Lesson> {
        let Lesson { claims, candidates, beyond, steps, everything } = lesson;
        let mut kept = Lesson { everything, beyond, steps, ..Lesson::default() };
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
        let said = Compared::new(content);
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
            merges_personal(similarity, settings.merge_personal, &row.content, &said)
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

    /// Whether a statement, which says the same as what is held, is not the user's own.
    fn is_echo(&self, exchange: &Exchange, statement: &str, user: Option<&UserId>, id: &str, held: &str) -> bool {
        let told = || user.is_some_and(|user| self.told.holds(&self.digester.told(user, id), self.clock.now()));
        only_in_reply(statement, &exchange.message, &exchange.reply) || (quotes(&exchange.message, held) && told())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(marks: &[&str], told: &Told, at: i64) {
        told.note(marks.iter().map(|mark| (*mark).to_owned()), Moment(at));
    }

    #[test]
    fn a_mark_lives_at_least_half_a_day_and_at_most_a_whole_one() {
        let marks = Told::default();
        told(&["a"], &marks, 1);
        assert!(marks.holds("a", Moment(HALF_LIFE_MS - 1)) && !marks.holds("b", Moment(2)));
        assert!(marks.holds("a", Moment(HALF_LIFE_MS + 1)));
        told(&["b"], &marks, HALF_LIFE_MS + 2);
        assert!(!marks.holds("a", Moment(2 * HALF_LIFE_MS + 2)) && marks.holds("b", Moment(2 * HALF_LIFE_MS + 2)));
        assert!(!marks.holds("b", Moment(9 * HALF_LIFE_MS)));
    }

    #[test]
    fn the_number_of_marks_is_bounded() {
        let marks = Told::default();
        for n in 0..5 * HALF {
            told(&[&n.to_string()], &marks, 1);
        }
        let held = marks.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(held.newer.len() + held.older.len() <= 2 * HALF);
        assert!(held.newer.contains(&(5 * HALF - 1).to_string()));
    }
}
