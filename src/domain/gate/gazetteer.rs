//! What a word is known as: a given name, a surname, an ordinary word, a product, a place.
//!
//! The four lists beside this file are read once. A lookup only says how a word is *known*; `people` decides whether a sentence
//! uses it as a name.

use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameClass {
    /// A given name that is rarely anything else: `priya`.
    Common,
    /// A rarer given name.
    Given,
    Surname,
    /// Also an ordinary word: `mark`.
    WordToo,
    /// Also a product or a place: `jordan`.
    ThingToo,
}

/// How a list knows a word. A word can be on several lists.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one per list, independent of each other")]
struct Known {
    name: Option<NameClass>,
    english: bool,
    indonesian: bool,
    term: bool,
    ordinary: bool,
    city: bool,
}

static LISTS: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
    let mut known: HashMap<&'static str, Known> = HashMap::with_capacity(96_000);
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
    for city in lines(include_str!("cities.txt")) {
        known.entry(city).or_default().city = true;
    }
    for word in lines(include_str!("ordinary.txt")) {
        known.entry(word).or_default().ordinary = true;
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

/// A city whose name people have too.
pub(super) fn is_city(word: &str) -> bool {
    LISTS.get(word).is_some_and(|known| known.city)
}

pub(super) fn is_indonesian(word: &str) -> bool {
    LISTS.get(word).is_some_and(|known| known.indonesian)
}

/// An English word, in its base form or inflected.
pub(super) fn is_english(word: &str) -> bool {
    inflected(word, listed)
}

/// Any word that is not only a name: English, Indonesian, a term, a product, a company, a place; in base form or inflected.
pub(super) fn is_ordinary(word: &str) -> bool {
    let base =
        |word: &str| LISTS.get(word).is_some_and(|known| known.ordinary || known.english || known.term || known.indonesian);
    inflected(word, base) || indonesian_form(word)
}

/// Whether a word is in a list, or is one of its words with an English ending.
fn inflected(word: &str, known: impl Fn(&str) -> bool) -> bool {
    known(word)
        || SUFFIXES.iter().any(|(suffix, replacement)| {
            word.strip_suffix(suffix).is_some_and(|stem| {
                stem.len() >= MIN_STEM
                    && (if replacement.is_empty() { known(stem) } else { known(&[stem, *replacement].concat()) }
                        || doubled(stem).is_some_and(&known))
            })
        })
}

/// Prefix and suffix of an Indonesian stem, and the letter that the prefix replaced.
const PREFIXES: [(&str, &str); 22] = [
    ("", ""),
    ("di", ""),
    ("ber", ""),
    ("ter", ""),
    ("ke", ""),
    ("se", ""),
    ("pe", ""),
    ("per", ""),
    ("me", ""),
    ("mem", ""),
    ("mem", "p"),
    ("men", ""),
    ("men", "t"),
    ("meng", ""),
    ("meng", "k"),
    ("meny", "s"),
    ("pem", ""),
    ("pem", "p"),
    ("pen", "t"),
    ("pen", ""),
    ("peng", ""),
    ("peny", "s"),
];
const ENDINGS: [&str; 9] = ["", "an", "kan", "i", "nya", "annya", "kannya", "lah", "inya"];

/// `pemeriksaan`, `dijadwalkan`: an Indonesian stem with affixes.
fn indonesian_form(word: &str) -> bool {
    const SHORTEST: usize = 5;
    const STEM: usize = 4;
    word.len() >= SHORTEST
        && PREFIXES.iter().any(|(prefix, swallowed)| {
            word.strip_prefix(prefix).is_some_and(|rest| {
                ENDINGS.iter().any(|ending| {
                    rest.strip_suffix(ending).is_some_and(|stem| {
                        stem.len() + swallowed.len() >= STEM
                            && if swallowed.is_empty() {
                                is_indonesian(stem)
                            } else {
                                is_indonesian(&[*swallowed, stem].concat())
                            }
                    })
                })
            })
        })
}

/// Minimum length of an inflected stem.
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

/// `stopp` of `stopped` is `stop`.
fn doubled(stem: &str) -> Option<&str> {
    let bytes = stem.as_bytes();
    (stem.is_ascii() && bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]).then(|| &stem[..stem.len() - 1])
}
