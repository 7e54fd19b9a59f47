//! The merge guard: names every difference between two statements that must keep them apart.
//!
//! It compares closed classes of words exactly (numbers, units, calendar words, opposites, negations, names, quoted and coded
//! identifiers) and the rest by shape: if two sentences have the same small words in the same places and one content word
//! differs, that word is what they are about. A rewording changes the shape; a look-alike keeps it.

use std::collections::BTreeSet;

use super::relations::relations;
use super::tokens::{Kind, Word, words};
use super::vocabulary::{CONNECTIVES, Class, RATHER, group_of, groups_of, other_side};

/// A reason not to merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Difference {
    /// Numbers, versions, dates, times or sizes.
    Number,
    /// A unit of measure or of time.
    Unit,
    /// A weekday, a month, a part of the day.
    Date,
    /// One is negated and the other is not.
    Negation,
    /// One says the opposite of the other: before and after, up and down.
    Opposite,
    /// The same words in the other direction: from here to there, and from there to here.
    Order,
    /// Quoted text or a coded identifier.
    Identifier,
    /// A name: capitalised inside a sentence, or all capitals.
    Name,
    /// About different people: the user's mother in one, the user in the other.
    Relation,
    /// One gives a detail that the other does not, or each gives many.
    Detail,
    /// The sentences are the same except for one word, and that word is a different thing.
    Subject,
}

impl Difference {
    /// Whether the two statements cannot both be true. A difference in subject, relation or detail only makes another fact.
    #[must_use]
    pub fn contradicts(self) -> bool {
        !matches!(self, Self::Subject | Self::Relation | Self::Detail)
    }
}

/// One of two statements that are compared, cut into words.
pub struct Compared<'a> {
    text: &'a str,
    words: Vec<Word>,
}

impl<'a> Compared<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, words: words(text) }
    }

    /// Nothing keeps the two apart: they may merge.
    #[must_use]
    pub fn is_the_same_as(&self, other: &Compared<'_>) -> bool {
        CHECKS.iter().all(|(differ, _)| !differ(self, other))
    }
}

type Comparison = fn(&Compared<'_>, &Compared<'_>) -> bool;

/// Whether two statements differ in this way.
const CHECKS: [(Comparison, Difference); 11] = [
    (|a, b| keys(&a.words, Kind::Number) != keys(&b.words, Kind::Number), Difference::Number),
    (|a, b| differ_in_class(&a.words, &b.words, Class::Unit), Difference::Unit),
    (|a, b| differ_in_class(&a.words, &b.words, Class::Calendar), Difference::Date),
    (|a, b| negations(&a.words) % 2 != negations(&b.words) % 2, Difference::Negation),
    (|a, b| say_opposites(&a.words, &b.words), Difference::Opposite),
    (|a, b| turned_round(&a.words, &b.words), Difference::Order),
    (|a, b| lacks_identifier(&a.words, b.text) || lacks_identifier(&b.words, a.text), Difference::Identifier),
    (|a, b| differ_in_names(&a.words, &b.words), Difference::Name),
    (|a, b| relations(&a.words) != relations(&b.words), Difference::Relation),
    (|a, b| says_less(&a.words, &b.words) || both_say_more(&a.words, &b.words), Difference::Detail),
    (|a, b| same_shape_other_thing(&a.words, &b.words), Difference::Subject),
];

/// Every difference that keeps two statements apart; empty: they may merge.
#[must_use]
pub fn differences(a: &str, b: &str) -> Vec<Difference> {
    let (a, b) = (Compared::new(a), Compared::new(b));
    CHECKS.into_iter().filter_map(|(differ, difference)| differ(&a, &b).then_some(difference)).collect()
}

fn keys(words: &[Word], kind: Kind) -> BTreeSet<&str> {
    words.iter().filter(|word| word.kind == kind).map(|word| word.key.as_str()).collect()
}

fn content(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().filter(|word| word.kind != Kind::Stop)
}

fn negations(words: &[Word]) -> usize {
    words.iter().filter(|word| word.kind == Kind::Negation).count()
}

/// Each has a member of a closed class that the other does not: hours in one, days in the other.
fn differ_in_class(a: &[Word], b: &[Word], class: Class) -> bool {
    let members = |words: &[Word]| -> BTreeSet<usize> { words.iter().filter_map(|word| group_of(class, word)).collect() };
    let (a, b) = (members(a), members(b));
    a.difference(&b).next().is_some() && b.difference(&a).next().is_some()
}

fn say_opposites(a: &[Word], b: &[Word]) -> bool {
    let sides = |words: &[Word]| -> BTreeSet<usize> { words.iter().flat_map(|word| groups_of(Class::Opposite, word)).collect() };
    let (a, b) = (sides(a), sides(b));
    a.iter().any(|side| {
        let other = other_side(*side);
        !a.contains(&other) && b.contains(&other) && !b.contains(side)
    })
}

/// The same content words, but in another order between the same small words, or on the other side of a connective.
fn turned_round(a: &[Word], b: &[Word]) -> bool {
    let bag = |words: &[Word]| -> Vec<String> {
        let mut keys: Vec<_> = content(words).map(|word| word.key.clone()).collect();
        keys.sort_unstable();
        keys
    };
    let sequence = |words: &[Word]| -> Vec<String> { content(words).map(|word| word.key.clone()).collect() };
    if bag(a) == bag(b) && sequence(a) != sequence(b) && shape(a) == shape(b) {
        return true;
    }
    let after = |words: &[Word], connective: &str| -> Option<String> {
        let at = words.iter().position(|word| word.is_one_of(&[connective]))?;
        content(&words[at + 1..]).next().map(|word| word.key.clone())
    };
    if other_preference(a, b) {
        return true;
    }
    let holds = |words: &[Word], key: &str| content(words).any(|word| word.key == key);
    CONNECTIVES.iter().any(|connective| match (after(a, connective), after(b, connective)) {
        (Some(x), Some(y)) => {
            x != y && holds(b, &x) && holds(a, &y) && two_sides(a, connective, &y) && two_sides(b, connective, &x)
        }
        _ => false,
    })
}

/// What one prefers, the other rejects: "tabs rather than spaces" and "spaces over tabs".
fn other_preference(a: &[Word], b: &[Word]) -> bool {
    let sides = |words: &[Word]| {
        let at = words.iter().position(|word| word.is_one_of(&RATHER))?;
        let keys = |words: &[Word]| -> BTreeSet<String> { content(words).map(|word| word.key.clone()).collect() };
        Some((keys(&words[..at]), keys(&words[at + 1..])))
    };
    match (sides(a), sides(b)) {
        (Some((chosen_a, left_a)), Some((chosen_b, left_b))) => !chosen_a.is_disjoint(&left_b) && !left_a.is_disjoint(&chosen_b),
        _ => false,
    }
}

/// Whether this word is before the connective.
fn two_sides(words: &[Word], connective: &str, key: &str) -> bool {
    let Some(at) = words.iter().position(|word| word.is_one_of(&[connective])) else { return false };
    words[..at].iter().any(|word| word.key == key) || matches!(connective, "from" | "dari")
}

/// Quoted or coded text that the other statement does not contain in any spelling.
fn lacks_identifier(words: &[Word], other: &str) -> bool {
    let other = other.to_lowercase();
    words.iter().filter(|word| word.kind == Kind::Identifier).any(|word| !other.contains(word.key.trim_end_matches('s')))
}

/// Each names somebody or something that the other does not.
fn differ_in_names(a: &[Word], b: &[Word]) -> bool {
    let only = |these: &[Word], those: &[Word]| {
        these.iter().skip(1).any(|word| word.is_name() && !those.iter().any(|other| other.key == word.key))
    };
    only(a, b) && only(b, a)
}

/// One names somebody, something or a day that the other leaves out, which a merge would lose.
fn says_less(a: &[Word], b: &[Word]) -> bool {
    let lacks = |these: &[Word], those: &[Word]| {
        these.iter().skip(1).any(|word| {
            (word.is_name() || group_of(Class::Calendar, word).is_some())
                && !those.iter().any(|other| {
                    other.key == word.key
                        || group_of(Class::Calendar, other).is_some_and(|group| group_of(Class::Calendar, word) == Some(group))
                })
        })
    };
    lacks(a, b) != lacks(b, a)
}

/// So many words of its own make a text another statement. Of the labelled rewordings none has as many on both sides.
const OWN_WORDS: usize = 5;

/// Each says several things that the other does not: one of two long texts about the same thing would be lost.
fn both_say_more(a: &[Word], b: &[Word]) -> bool {
    let known = |x: &Word, y: &Word| {
        x.key == y.key || group_of(Class::Synonym, x).is_some_and(|group| group_of(Class::Synonym, y) == Some(group))
    };
    let own = |these: &[Word], those: &[Word]| -> usize {
        let own = content(these).filter(|word| !those.iter().any(|other| known(word, other)));
        own.map(|word| word.key.as_str()).collect::<BTreeSet<&str>>().len()
    };
    own(a, b) >= OWN_WORDS && own(b, a) >= OWN_WORDS
}

/// Same shape, and the words that differ are not known synonyms.
fn same_shape_other_thing(a: &[Word], b: &[Word]) -> bool {
    let only = |these: &[Word], those: &[Word]| -> Vec<Word> {
        content(these).filter(|word| !those.iter().any(|other| other.key == word.key)).cloned().collect()
    };
    let (only_a, only_b) = (only(a, b), only(b, a));
    if only_a.is_empty() || only_b.is_empty() {
        return false;
    }
    let known_same =
        |x: &Word, y: &Word| group_of(Class::Synonym, x).is_some_and(|group| group_of(Class::Synonym, y) == Some(group));
    let unexplained_a: Vec<_> = only_a.iter().filter(|x| !only_b.iter().any(|y| known_same(x, y))).collect();
    let unexplained_b: Vec<_> = only_b.iter().filter(|y| !only_a.iter().any(|x| known_same(x, y))).collect();
    unexplained_a.len() == 1 && unexplained_b.len() == 1 && shape(a) == shape(b)
}

/// The small words in order, with one mark for every run of other words.
fn shape(words: &[Word]) -> Vec<&str> {
    let mut shape: Vec<&str> = Vec::new();
    for word in words {
        if word.is_article() {
            continue;
        }
        let mark = if word.kind == Kind::Stop { word.key.as_str() } else { "#" };
        if mark != "#" || shape.last() != Some(&"#") {
            shape.push(mark);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_keeps_look_alikes_apart() {
        for (a, b, difference) in [
            ("Preview environments use ports 7300–7399.", "Preview environments use ports 7400–7499.", Difference::Number),
            ("Sessions expire after 15 minutes", "Sessions expire after 15 hours", Difference::Unit),
            ("The index is rebuilt every Sunday", "The index is rebuilt every Monday", Difference::Date),
            ("Load tests run against staging", "Load tests never run against staging", Difference::Negation),
            ("Migrations run before the deploy", "Migrations run after the deploy", Difference::Opposite),
            ("Backups are copied from Frankfurt to Dublin", "Backups are copied from Dublin to Frankfurt", Difference::Order),
            ("Set the state to `queued`", "Set the state to `failed`", Difference::Identifier),
            ("User wants answers in German", "User wants answers in French", Difference::Name),
            ("User's mother lives in Ghent", "User lives in Ghent now", Difference::Relation),
            ("User speaks Dutch, English and Javanese", "User speaks Dutch and Javanese", Difference::Detail),
            (
                "User paints landscapes with watercolours most Sundays, by the river if it is dry",
                "User and her children painted a big sunset together last weekend for the kitchen",
                Difference::Detail,
            ),
            ("User favours tabs rather than spaces", "User prefers spaces over tabs", Difference::Order),
            ("The portal team owns the page", "The payments team owns the page", Difference::Subject),
        ] {
            assert!(differences(a, b).contains(&difference), "{a} | {b}: {:?}", differences(a, b));
            assert_eq!(differences(a, a), []);
        }
    }

    #[test]
    fn lets_rewordings_pass() {
        for (a, b) in [
            ("Uploads are limited to 25 MB per file", "Each uploaded file may be at most 25 MB"),
            ("User doesn't want emojis in answers", "User asks for answers without emojis"),
            ("“Cold shelf” means a collection not read for 90 days", "A collection not read for 90 days is called a cold shelf"),
            ("The importer takes files from the bucket", "Files are taken from the bucket by the importer"),
        ] {
            assert_eq!(differences(a, b), [], "{a} | {b}");
        }
    }
}
