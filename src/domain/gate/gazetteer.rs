//! What a word is known as: a given name, a surname, an ordinary word, a product, a place.
//!
//! The three lists beside this file are read once. Looking a word up says only how it is *known*; whether it is used as a
//! name in a sentence is for `people`.

use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameClass {
    /// A given name that is hardly anything else: `priya`.
    Common,
    /// A rarer given name.
    Given,
    Surname,
    /// Also an ordinary word: `mark`.
    WordToo,
    /// Also a product or a place: `jordan`.
    ThingToo,
}

/// How a list knows one word. A word can stand on several lists.
#[derive(Clone, Copy, Default)]
struct Known {
    name: Option<NameClass>,
    english: bool,
    indonesian: bool,
    term: bool,
}

static LISTS: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
    let mut known: HashMap<&'static str, Known> = HashMap::with_capacity(24_000);
    for line in lines(include_str!("names.txt")) {
        let (name, class) = line.split_once(' ').unwrap_or((line, "n"));
        known.entry(name).or_default().name = Some(match class {
            "c" => NameClass::Common,
            "s" => NameClass::Surname,
            "w" => NameClass::WordToo,
            "p" => NameClass::ThingToo,
            _ => NameClass::Given,
        });
    }
    for line in lines(include_str!("words.txt")) {
        match line.split_once(' ') {
            Some((word, _)) => known.entry(word).or_default().indonesian = true,
            None => known.entry(line).or_default().english = true,
        }
    }
    for term in lines(include_str!("terms.txt")) {
        known.entry(term).or_default().term = true;
    }
    known
});

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The name class of a lower-case word.
pub(super) fn name(word: &str) -> Option<NameClass> {
    LISTS.get(word).and_then(|known| known.name)
}

/// A product, place, month or eponym.
pub(super) fn is_term(word: &str) -> bool {
    LISTS.get(word).is_some_and(|known| known.term)
}

pub(super) fn is_indonesian(word: &str) -> bool {
    LISTS.get(word).is_some_and(|known| known.indonesian)
}

/// An English word, in its base form or inflected.
pub(super) fn is_english(word: &str) -> bool {
    if listed(word) {
        return true;
    }
    SUFFIXES.iter().any(|(suffix, replacement)| {
        word.strip_suffix(suffix).is_some_and(|stem| {
            stem.len() >= MIN_STEM && (listed(stem) && replacement.is_empty() || listed_with(stem, replacement) || doubled(stem))
        })
    })
}

/// Shortest stem that an inflection may hang on.
const MIN_STEM: usize = 2;
const SUFFIXES: [(&str, &str); 19] = [
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("ings", ""),
    ("ly", ""),
    ("ily", "y"),
    ("er", ""),
    ("er", "e"),
    ("ers", ""),
    ("ers", "e"),
    ("able", ""),
    ("able", "e"),
    ("ness", ""),
    ("est", ""),
];

fn listed(word: &str) -> bool {
    LISTS.get(word).is_some_and(|known| known.english)
}

fn listed_with(stem: &str, ending: &str) -> bool {
    if ending.is_empty() {
        return false;
    }
    let mut base = String::with_capacity(stem.len() + ending.len());
    base.push_str(stem);
    base.push_str(ending);
    listed(&base)
}

/// `stopped` hangs on `stop`.
fn doubled(stem: &str) -> bool {
    let bytes = stem.as_bytes();
    stem.is_ascii() && bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2] && listed(&stem[..stem.len() - 1])
}
