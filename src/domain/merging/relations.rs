//! Whom a statement is about beside the user: what is true of the mother is not said of the son.

use std::collections::BTreeSet;

use super::vocabulary::{RELATIONS, group_of};
use super::words::{Kind, Word, words};

/// Words for the user as such.
const USER: &[&str] = &["user", "pengguna"];

/// The relations that a statement names.
pub fn relations(words: &[Word]) -> BTreeSet<usize> {
    words.iter().filter_map(|word| group_of(RELATIONS, word)).collect()
}

/// Are two personal statements about the same one: the user, or the same of those around?
#[must_use]
pub fn of_the_same(existing: &str, incoming: &str) -> bool {
    relations(&words(existing)) == relations(&words(incoming))
}

/// Is `existing` about one of those around the user of whom `incoming` does not speak?
#[must_use]
pub fn of_another(existing: &str, incoming: &str) -> bool {
    let existing = words(existing);
    let about = existing.iter().find(|word| word.kind != Kind::Stop && !word.is_one_of(USER));
    let relation = about.and_then(|word| group_of(RELATIONS, word));
    relation.is_some_and(|relation| !relations(&words(incoming)).contains(&relation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_kin_is_not_said_of_the_user() {
        assert!(of_another("The user's mother lives in Ghent.", "User lives in Porto now"));
        assert!(of_another("Istri pengguna bernama Ana", "Pengguna tinggal di Solo"));
        assert!(!of_another("The user's mother lives in Ghent.", "User's mum lives in Porto now"));
        assert!(!of_another("User lives in Ghent", "User lives in Porto now"));
        assert!(of_the_same("User lives in Ghent", "User lives in Porto now"));
        assert!(!of_the_same("User's mother lives in Ghent", "User lives in Ghent now"));
    }
}
