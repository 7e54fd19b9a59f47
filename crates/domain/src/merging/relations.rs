//! Persons besides the user that a statement is about: a fact about the mother is not one about the son.

use std::collections::BTreeSet;

use super::groups::{GroupKind, group_of};
use super::tokens::words;
use super::vocabulary::{ASKED, OWNER, WISH};
use super::word::Word;

/// The relations that a statement names.
pub fn relations(words: &[Word]) -> BTreeSet<usize> {
    words.iter().filter_map(|word| group_of(GroupKind::Relation, word)).collect()
}

/// The relation that a statement is about, if it is not about the user: "User's mother lives …", but not "User is a manager".
pub fn subject(words: &[Word]) -> Option<usize> {
    words.iter().find(|word| !word.is_one_of(&OWNER)).and_then(|word| group_of(GroupKind::Relation, word))
}

/// Whether `incoming`, found in a longer text, may replace `existing`. A memory about another person can only be replaced by a
/// statement that mentions that person, and a statement about another person replaces no memory about the user. A request to the
/// assistant replaces wishes only.
#[must_use]
pub fn may_outdate(incoming: &str, existing: &str) -> bool {
    let (incoming, existing) = (words(incoming), words(existing));
    let has_one_of = |words: &[Word], list: &[&str]| words.iter().any(|word| word.is_one_of(list));
    // "wants the assistant to …", and not "is a dental assistant".
    let asks = has_one_of(&incoming, &ASKED) && has_one_of(&incoming, &WISH);
    if asks && !has_one_of(&existing, &ASKED) && !has_one_of(&existing, &WISH) {
        return false;
    }
    match subject(&existing) {
        Some(relation) => relations(&incoming).contains(&relation) || names_the_same(&incoming, &existing),
        None => subject(&incoming).is_none(),
    }
}

/// For `User's daughter Nora is …`: whether the new statement mentions Nora.
fn names_the_same(incoming: &[Word], existing: &[Word]) -> bool {
    let mut pairs = existing.windows(2).filter(|pair| group_of(GroupKind::Relation, &pair[0]).is_some());
    pairs.any(|pair| {
        pair[1].written.starts_with(char::is_uppercase) && incoming.iter().any(|word| word.written == pair[1].written)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_kin_is_not_said_of_the_user() {
        assert!(!may_outdate("User lives in Porto now", "The user's mother lives in Ghent."));
        assert!(!may_outdate("Pengguna tinggal di Solo", "Istri pengguna bernama Ana"));
        assert!(may_outdate("User's mum lives in Porto now", "The user's mother lives in Ghent."));
        assert!(may_outdate("User lives in Porto now", "User lives in Ghent"));
        assert!(may_outdate("User is a designer, no longer in charge", "User is a manager"));
        assert!(may_outdate("User is retired", "User is a partner at a law firm"));
        assert!(may_outdate("User lives alone now", "User lives with a flatmate"));
        assert!(!may_outdate("User lives in Ghent now", "User's mother lives in Ghent"));
        assert!(may_outdate("You have User's son's age wrong. Jonas is 7", "User's son Jonas is 6"));
        assert!(may_outdate("User's son Jonas is 7 now", "User's son Jonas is 6"));
        assert!(may_outdate("She's seven now, User's Nora started secondary", "User's daughter Nora is at primary school"));
        assert!(!may_outdate("User's mother lives in Ghent now", "User lives in Porto"));
        assert!(!may_outdate("User lives in Porto now", "User's mother lives in Ghent"));
    }

    #[test]
    fn what_is_asked_of_the_assistant_replaces_wishes_only() {
        assert!(may_outdate("User wants the assistant to answer in Dutch", "User prefers answers in English"));
        assert!(may_outdate("Pengguna minta: jangan formal", "Pengguna mau jawaban formal"));
        assert!(may_outdate("User is a dental assistant now", "User is a florist"));
        assert!(!may_outdate("User wants the assistant to answer in Dutch", "User's birthday is on 9 July"));
        assert!(!may_outdate("Pengguna minta: jangan formal", "Ulang tahun Pengguna tanggal 9 Juli"));
    }
}
