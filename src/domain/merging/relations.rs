//! Whom a statement is about beside the user: what is true of the mother is not said of the son.

use std::collections::BTreeSet;

use super::vocabulary::{RELATIONS, group_of};
use super::words::{Word, words};

/// What may stand before the one whom a statement is about.
const BEFORE: &[&str] = &["the", "user", "s", "my", "pengguna", "their"];

/// The relations that a statement names.
pub fn relations(words: &[Word]) -> BTreeSet<usize> {
    words.iter().filter_map(|word| group_of(RELATIONS, word)).collect()
}

/// The relation that a statement is about, if it is not about the user: "User's mother lives …", not "User is a manager".
fn subject(words: &[Word]) -> Option<usize> {
    words.iter().find(|word| !word.is_one_of(BEFORE)).and_then(|word| group_of(RELATIONS, word))
}

/// Are two personal statements about the same one: the user, or the same of those around?
#[must_use]
pub fn of_the_same(existing: &str, incoming: &str) -> bool {
    subject(&words(existing)) == subject(&words(incoming))
}

/// Is `existing` about one of those around the user of whom `incoming` does not speak?
#[must_use]
pub fn of_another(existing: &str, incoming: &str) -> bool {
    subject(&words(existing)).is_some_and(|relation| !relations(&words(incoming)).contains(&relation))
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
        assert!(!of_another("User is a manager", "User is a designer, no longer in charge"));
        assert!(!of_another("User is a partner at a law firm", "User is retired"));
        assert!(of_the_same("User lives with a flatmate", "User lives alone now"));
        assert!(of_the_same("User lives in Ghent", "User lives in Porto now"));
        assert!(!of_the_same("User's mother lives in Ghent", "User lives in Ghent now"));
    }
}
