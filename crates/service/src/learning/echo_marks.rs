//! Marks of what was recalled for a user, so that a statement which only quotes it is not learned again.
//!
//! A recall or a list leaves a mark for each item that it returned: a keyed digest of the user and the item, kept in the memory of
//! this process only and for a day at most. Without the key a mark links no user with a fact.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use access::digest::Digester;
use domain::erasure::people::UserId;
use domain::moment::{HOUR_MS, Moment};
use ports::clock::Clock;

/// A user's marks are dropped in two steps: after this time, or at this number, the older half goes.
const HALF_LIFE_MS: i64 = 12 * HOUR_MS;
const HALF: usize = 2_000;
/// Limit for the marks of all users. Beyond it the users with the oldest last mark are dropped.
const ALL: usize = 2_000_000;

/// Marks of recently recalled items.
#[derive(Default)]
pub struct Marks(Mutex<Users>);

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

/// Marks of what was recalled.
pub struct EchoMarks {
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub marks: Marks,
}

impl EchoMarks {
    /// Marks these memories and facts as recalled for this user.
    pub(crate) fn note_told<'a>(&self, user: &UserId, ids: impl Iterator<Item = &'a str>) {
        self.marks.note(self.digester.user(user), ids.map(|id| self.mark(user, id)), self.clock.now());
    }

    pub(super) fn was_told(&self, user: &UserId, id: &str) -> bool {
        self.marks.holds(&self.digester.user(user), self.mark(user, id), self.clock.now())
    }

    fn mark(&self, user: &UserId, id: &str) -> u64 {
        first_bits(&self.digester.told(user, id))
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
