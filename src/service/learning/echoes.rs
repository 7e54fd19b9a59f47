//! Recognises echoes, so that they are not learned again: statements in a reply that repeat stored memories and facts, and
//! statements in which a user quotes what was recalled for them.
//!
//! To detect quotes, a recall or a list leaves a mark for each item that it returned: a keyed digest of the user and the item,
//! kept in the memory of this process only and for a day at most. Without the key a mark links no user with a fact.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use super::lesson::Lesson;
use crate::domain::erasure::people::UserId;
use crate::domain::facts::fact::FactStatus;
use crate::domain::memory::echo::{only_in_reply, quotes};
use crate::domain::memory::exchange::Exchange;
use crate::domain::merging::{ComparedStatement, Placement, holds, place_fact};
use crate::domain::moment::{HOUR_MS, Moment};
use crate::domain::recall::words::terms;
use crate::domain::settings::Settings;
use crate::ports::store::facts::FactSearch;
use crate::ports::store::memories::MemorySearch;
use crate::service::facts::propose::Vetted;
use crate::service::memories::claims::Directed;
use crate::service::{Keepsake, Result};

/// Number of stored statements that a new one is compared with.
const COMPARED: usize = 8;
/// A user's marks are dropped in two steps: after this time, or at this number, the older half goes.
const HALF_LIFE_MS: i64 = 12 * HOUR_MS;
const HALF: usize = 2_000;
/// Limit for the marks of all users. Beyond it the users with the oldest last mark are dropped.
const ALL: usize = 2_000_000;

/// Marks of recently recalled items.
#[derive(Default)]
pub(in crate::service) struct Marks(Mutex<Users>);

#[derive(Default)]
struct Users {
    /// Marks by user digest.
    held: HashMap<String, Halves>,
    /// The number of all marks.
    count: usize,
    swept: Moment,
}

/// The marks of one user.
#[derive(Default)]
struct Halves {
    newer: HashSet<u64>,
    older: HashSet<u64>,
    since: Moment,
    last: Moment,
}

impl Marks {
    fn note(&self, user: String, marks: impl Iterator<Item = u64>, now: Moment) {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        users.sweep(now);
        let halves = users.held.entry(user).or_default();
        let before = halves.len();
        halves.drop_old(now);
        halves.newer.extend(marks);
        halves.last = now;
        let after = halves.len();
        users.count = users.count + after - before;
        users.keep_within(ALL);
    }

    fn holds(&self, user: &str, mark: u64, now: Moment) -> bool {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        users.sweep(now);
        users.held.get(user).is_some_and(|halves| halves.holds(mark, now))
    }
}

impl Users {
    /// Drops expired marks, at most once an hour.
    fn sweep(&mut self, now: Moment) {
        if now.0 - self.swept.0 < HOUR_MS {
            return;
        }
        self.swept = now;
        self.held.retain(|_, halves| {
            halves.drop_old(now);
            halves.len() > 0
        });
        self.count = self.held.values().map(Halves::len).sum();
    }

    fn keep_within(&mut self, most: usize) {
        if self.count <= most {
            return;
        }
        let mut order: Vec<(Moment, String)> = self.held.iter().map(|(user, halves)| (halves.last, user.clone())).collect();
        order.sort_unstable();
        // Drops a quarter more than needed, so that this is rare.
        for (_, user) in order {
            if self.count <= most - most / 4 {
                return;
            }
            self.count -= self.held.remove(&user).map_or(0, |halves| halves.len());
        }
    }
}

impl Halves {
    fn len(&self) -> usize {
        self.newer.len() + self.older.len()
    }

    fn holds(&self, mark: u64, now: Moment) -> bool {
        match now.0 - self.since.0 {
            age if age >= 2 * HALF_LIFE_MS => false,
            age if age >= HALF_LIFE_MS => self.newer.contains(&mark),
            _ => self.newer.contains(&mark) || self.older.contains(&mark),
        }
    }

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
    /// Marks these memories and facts as recalled for this user.
    pub(in crate::service) fn note_told<'a>(&self, user: &UserId, ids: impl Iterator<Item = &'a str>) {
        self.marks.note(self.digester.user(user), ids.map(|id| self.mark(user, id)), self.clock.now());
    }

    fn was_told(&self, user: &UserId, id: &str) -> bool {
        self.marks.holds(&self.digester.user(user), self.mark(user, id), self.clock.now())
    }

    fn mark(&self, user: &UserId, id: &str) -> u64 {
        first_bits(&self.digester.told(user, id))
    }

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
        let told = || user.is_some_and(|user| self.was_told(user, id));
        only_in_reply(statement, &exchange.message, &exchange.reply) || (quotes(&exchange.message, held) && told())
    }
}

/// The first 64 bits of a hex digest, enough to tell marks apart.
fn first_bits(digest: &str) -> u64 {
    digest.get(..16).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(marks: &Marks, user: &str, mark: u64, at: i64) {
        marks.note(user.to_owned(), [mark].into_iter(), Moment(at));
    }

    #[test]
    fn a_mark_lives_at_least_half_a_day_and_at_most_a_whole_one() {
        let marks = Marks::default();
        let held = |mark: u64, at: i64| marks.holds("u", mark, Moment(at));
        told(&marks, "u", 1, 1);
        assert!(held(1, HALF_LIFE_MS - 1) && !held(2, 2) && !marks.holds("v", 1, Moment(2)));
        assert!(held(1, HALF_LIFE_MS + 1));
        told(&marks, "u", 2, HALF_LIFE_MS + 2);
        assert!(!held(1, 2 * HALF_LIFE_MS + 2) && held(2, 2 * HALF_LIFE_MS + 2));
        assert!(!held(2, 9 * HALF_LIFE_MS));
    }

    #[test]
    fn no_number_of_marks_of_others_drops_those_of_a_user() {
        let marks = Marks::default();
        told(&marks, "anna", 7, 1);
        for mark in 0..30 * HALF as u64 {
            told(&marks, "budi", mark, 2);
        }
        assert!(marks.holds("anna", 7, Moment(3)) && marks.holds("budi", 30 * HALF as u64 - 1, Moment(3)));
        let users = marks.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(users.held["budi"].len() <= 2 * HALF);
        assert_eq!(users.count, users.held.values().map(Halves::len).sum::<usize>());
    }

    #[test]
    fn beyond_the_bound_of_all_the_users_go_who_were_told_something_least_lately() {
        let marks = Marks::default();
        for (at, user) in ["a", "b", "c", "d"].into_iter().enumerate() {
            told(&marks, user, 1, i64::try_from(at).expect("small"));
        }
        let mut users = marks.0.lock().unwrap_or_else(PoisonError::into_inner);
        users.keep_within(4);
        assert_eq!(users.held.len(), 4);
        users.keep_within(3);
        assert!(users.count == 3 && !users.held.contains_key("a"), "{:?}", users.held.keys());
    }

    #[test]
    fn marks_that_are_old_are_swept() {
        let marks = Marks::default();
        told(&marks, "anna", 7, 1);
        told(&marks, "budi", 7, 3 * HALF_LIFE_MS);
        let users = marks.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((users.held.len(), users.count), (1, 1));
    }
}
