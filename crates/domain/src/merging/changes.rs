//! Decides whether a statement may replace a memory, and whether a memory matches a request to forget.

use super::guard::{ComparedStatement, unexplained};
use super::relations::subject;
use super::tokens::run_held;
use super::vocabulary::{CHANGED, COPULA, OWNER};
use super::word::{Kind, Word};

/// Maximum number of content words in a simple statement, such as "User's team tracks work in Jira".
const SIMPLE: usize = 4;
/// Maximum number of content words in a statement that only contrasts an old and a new state.
const SHORT: usize = 6;
/// Maximum number of content words in a value, such as a name or an amount.
const VALUE: usize = 3;

/// Whether a new statement may replace an old one. It may not if the two are about different things, such as "my green locker"
/// and "my red locker", or if they differ in several places and the new one does not say that something changed.
#[must_use]
pub fn may_replace(incoming: &str, existing: &str) -> bool {
    let (incoming, existing) = (ComparedStatement::new(incoming), ComparedStatement::new(existing));
    let (new, old) = (incoming.words(), existing.words());
    if other_thing(new, old) {
        return false;
    }
    let says_so = new.iter().any(|word| word.kind == Kind::Negation || word.is_one_of(&CHANGED));
    says_so || places(new, old).len() < 2
}

/// Whether a new statement repeats at least half of an old one, and omits no more words than a simple statement has.
#[must_use]
pub fn says_most_of(incoming: &str, existing: &str) -> bool {
    let (incoming, existing) = (ComparedStatement::new(incoming), ComparedStatement::new(existing));
    let (lost, told) = (unlike(existing.words(), incoming.words()).len(), count_told(existing.words()));
    lost <= SIMPLE && 2 * lost <= told
}

/// Whether a statement is simple: one thing, in few words.
#[must_use]
pub fn is_simple(text: &str) -> bool {
    count_told(ComparedStatement::new(text).words()) <= SIMPLE
}

/// Whether a statement is short enough to be all about a change.
#[must_use]
pub fn is_short(text: &str) -> bool {
    count_told(ComparedStatement::new(text).words()) <= SHORT
}

/// Whether two statements differ only in their final value: "User lives in Ghent" and "User lives in Bruges".
#[must_use]
pub fn other_value(incoming: &str, existing: &str) -> bool {
    let (incoming, existing) = (ComparedStatement::new(incoming), ComparedStatement::new(existing));
    let (new, old) = (incoming.words(), existing.words());
    let ends = |these: &[Word], others: &[Word]| {
        let own = unlike(these, others);
        let content: Vec<usize> = (0..these.len()).filter(|at| is_told(&these[*at])).collect();
        (1..=VALUE).contains(&own.len()) && own.len() < content.len() && content.ends_with(&own)
    };
    !other_thing(new, old) && ends(new, old) && ends(old, new) && incoming.negations() == existing.negations()
}

/// Whether a memory contains all that a request to forget names. A negated request matches negated memories only. If the request
/// is a statement about its speaker, and not just a name, the memory must be about the same person, and be negated alike.
#[must_use]
pub fn lacks_nothing(memory: &str, request: &str) -> bool {
    if let Some(share) = run_held(memory, request) {
        return share >= 1.0;
    }
    let (memory, request) = (ComparedStatement::new(memory), ComparedStatement::new(request));
    let (held, named) = (memory.words(), request.words());
    let states = named.first().is_some_and(|word| word.is_one_of(&["user", "pengguna"]) && !word.is_possessive());
    let negated = |compared: &ComparedStatement<'_>| compared.negations() > 0;
    let same_person = subject(held).is_none_or(|person| super::relations::relations(named).contains(&person));
    named.iter().any(is_told)
        && unlike(named, held).is_empty()
        && (negated(&memory) || !negated(&request))
        && (!states || (negated(&memory) == negated(&request) && same_person))
}

/// Whether a word is a content word or a number.
fn is_told(word: &Word) -> bool {
    matches!(word.kind, Kind::Plain | Kind::Number | Kind::Identifier) && !word.is_one_of(&OWNER)
}

fn count_told(words: &[Word]) -> usize {
    words.iter().filter(|word| is_told(word)).count()
}

/// Indexes of the words, numbers and identifiers that `others` lacks.
fn unlike(these: &[Word], others: &[Word]) -> Vec<usize> {
    let exact = |word: &Word| matches!(word.kind, Kind::Number | Kind::Identifier);
    let missing = |word: &Word| !others.iter().any(|other| other.key == word.key || other.lower == word.lower);
    let mut own = unexplained(these, others);
    own.extend(these.iter().enumerate().filter(|(_, word)| exact(word) && missing(word)).map(|(at, _)| at));
    own.sort_unstable();
    own
}

/// Shared words that each statement continues with words of its own.
fn places(a: &[Word], b: &[Word]) -> Vec<String> {
    let befores = |these: &[Word], others: &[Word]| -> Vec<String> {
        let own = unlike(these, others);
        let (mut before, mut found) = (String::new(), Vec::new());
        for (at, word) in these.iter().enumerate().filter(|(_, word)| is_told(word)) {
            if own.contains(&at) {
                found.push(before.clone());
            } else {
                before.clone_from(&word.key);
            }
        }
        found.dedup();
        found
    };
    let others = befores(b, a);
    befores(a, b).into_iter().filter(|before| others.contains(before)).collect()
}

/// Whether both are about a possession, but not about the same one.
fn other_thing(a: &[Word], b: &[Word]) -> bool {
    let thing = |words: &[Word]| -> Option<Vec<Word>> {
        let end = words.iter().position(|word| word.is_one_of(&COPULA))?;
        (words[0].is_possessive() && words[1..end].iter().all(is_told)).then(|| words[1..end].to_vec())
    };
    match (thing(a), thing(b)) {
        (Some(a), Some(b)) => !unlike(&a, &b).is_empty() && !unlike(&b, &a).is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_thing_or_several_other_words_are_no_change() {
        for (new, old, may) in [
            ("User's green locker is 44", "User's red locker is 31", false),
            ("My green locker is 44 now", "My red locker is 31", false),
            ("Shelf 12 holds the blue folder", "Shelf 11 holds the red folder", false),
            ("Shelf 12 now holds the blue folder", "Shelf 11 holds the red folder", true),
            ("User's locker is 44", "User's locker is 31", true),
            ("User's computer is a ThinkPad now", "User's computer is a Dell", true),
            ("User lives in Faro", "User lives in Ghent", true),
        ] {
            assert_eq!(may_replace(new, old), may, "{new} | {old}");
        }
    }

    #[test]
    fn most_of_a_statement_is_said_again_if_little_is_lost() {
        for (new, old, most) in [
            ("User's team has nine people by now", "User's team has six people", true),
            ("User takes zinc 10 mg once a day", "User takes zinc 5 mg twice a day", true),
            ("User no longer plays the oboe", "User plays the oboe in an orchestra in Faro with two neighbours", false),
            ("User lives in Ghent", "User likes opera", false),
        ] {
            assert_eq!(says_most_of(new, old), most, "{new} | {old}");
        }
        assert!(is_simple("User lives in Ghent") && !is_simple("User plays the oboe in an orchestra in Faro on Mondays"));
    }

    #[test]
    fn another_value_of_the_same_is_told_by_its_place() {
        for (new, old, same) in [
            ("User lives in Faro", "User lives in Ghent", true),
            ("User's parrot is called Kiwi", "User's parrot is called Coco", true),
            ("User works at Northgate", "User works at Silverline", true),
            ("User's green locker is 44", "User's red locker is 31", false),
            ("User works at Northgate", "User lives in Ghent", false),
            ("User does not live in Faro", "User lives in Ghent", false),
        ] {
            assert_eq!(other_value(new, old), same, "{new} | {old}");
        }
    }

    #[test]
    fn a_request_means_what_lacks_nothing_that_it_names() {
        for (memory, request, meant) in [
            ("User plays the cello", "User plays the cello", true),
            ("User's cello teacher is called Ines", "cello", true),
            ("User likes opera", "User likes techno", false),
            ("User's tent is green", "User's kayak is green", false),
            ("User's tent is green", "User's tent", true),
            ("User sees the physiotherapist on Tuesday", "User's physiotherapist on Thursday", false),
            ("User does not eat pork", "User eats pork", false),
            ("User does not eat pork", "pork", true),
            ("User's mother lives in Faro", "User lives in Faro", false),
            ("User has 3 hens", "User has 4 hens", false),
            ("User schwimmt", "the", false),
            ("我有一只绿色的乌龟", "乌龟", true),
            ("我有一只绿色的乌龟", "帐篷", false),
        ] {
            assert_eq!(lacks_nothing(memory, request), meant, "{memory} | {request}");
        }
    }
}
