//! Translates Indonesian to English word by word, for encoders that do not know Indonesian.
//!
//! To an English encoder, Indonesian is a row of syllables: two sentences are near if they share letters. A word-by-word
//! translation has broken grammar but the right topic, which is what a sentence vector is about. The words are in
//! `crates/language/lexicon/id/glossary.tsv`, for people to read and extend. Text in any other language stays as it is.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// An Indonesian word or phrase of up to [`LONGEST`] words, and its English; empty for a word that says nothing about the topic.
const WORDS: &str = include_str!("../../crates/language/lexicon/id/glossary.tsv");
/// Maximum number of words in an entry.
const LONGEST: usize = 3;
/// A text counts as Indonesian from this share of Indonesian words on; fewer than one in a thousand English texts reach it by
/// chance.
const INDONESIAN: (usize, usize) = (1, 3);
/// Minimum length of a stem that is looked up.
const MIN_STEM: usize = 3;
/// A longer run of letters is not a word.
const LONGEST_WORD: usize = 40;
/// Increment it with every change of the rules in this file, because other rules make other vectors. Changes of the word list are
/// detected automatically.
const RULES: u8 = 1;
/// Entries that are also English words: by themselves they do not make a text Indonesian.
const ALSO_ENGLISH: &str = "air ajar ban bang basis basket cap cat cod dan ember film gang got guru halo helm honor info instal iris jam kali \
     kayak kilo lab lain lap liar main mall mama mana map mas mete minimal modal motif motor papa paprika pare pas pastel \
     pastor pistol pr pun reimburse rim royal sandal semen serial sirup solar sop sore sup tang terminal tong";
/// Words that are capitalised inside a sentence without being names.
const CAPITALS: &str = "senin selasa rabu kamis jumat sabtu minggu januari februari maret april mei juni juli agustus september oktober \
     november desember inggris jepang belanda cina tionghoa arab jerman prancis perancis spanyol singapura ramadan lebaran natal";
/// Enclitics and particles attached to a word; then suffixes; then prefixes with the letter that each replaces.
const HANGING: [&str; 6] = ["nya", "ku", "mu", "lah", "kah", "pun"];
const ENDINGS: [&str; 4] = ["kan", "an", "i", "in"];
const PREFIXES: [(&str, &str); 30] = [
    ("meng", ""),
    ("meng", "k"),
    ("meny", "s"),
    ("mem", ""),
    ("mem", "p"),
    ("men", ""),
    ("men", "t"),
    ("me", ""),
    ("peng", ""),
    ("peng", "k"),
    ("peny", "s"),
    ("pem", ""),
    ("pem", "p"),
    ("pen", ""),
    ("pen", "t"),
    ("pe", ""),
    ("di", ""),
    ("diper", ""),
    ("memper", ""),
    ("per", ""),
    ("ku", ""),
    ("kau", ""),
    ("ber", ""),
    ("ter", ""),
    ("ke", ""),
    ("se", ""),
    ("nge", ""),
    ("ng", ""),
    ("ng", "k"),
    ("ny", "s"),
];

static HOMOGRAPHS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| ALSO_ENGLISH.split_whitespace().collect());
static LIST: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| entries().collect());

fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    WORDS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// Everything that determines the translation, for the id of an embedder that uses it.
pub(super) fn source() -> Vec<u8> {
    [WORDS.as_bytes(), &[RULES]].concat()
}

/// The English words of an Indonesian text; any other text unchanged. Time is linear in its length.
pub(super) fn english(text: &str) -> Cow<'_, str> {
    let tokens: Vec<&str> = tokens(text).collect();
    let lower: Vec<String> = tokens.iter().map(|token| token.to_lowercase()).collect();
    let mut glossed = Vec::with_capacity(tokens.len());
    let (mut words, mut known, mut indonesian) = (0, 0, 0);
    let shouted = !text.contains(char::is_lowercase);
    let mut at = 0;
    while at < tokens.len() {
        let phrase = phrase(&lower[at..]);
        let inside = at > 0 && !matches!(tokens[at - 1], "." | "!" | "?" | ":");
        let name = inside && !shouted && tokens[at].starts_with(char::is_uppercase);
        let single = || if name { named(&lower[at]) } else { word(&lower[at]) };
        let (length, english) = phrase.map_or_else(|| (1, single()), |(length, english)| (length, Some(english)));
        words += if tokens[at].starts_with(char::is_alphanumeric) { length } else { 0 };
        known += if english.is_some() { length } else { 0 };
        indonesian += usize::from(english.is_some() && !HOMOGRAPHS.contains(lower[at].as_str()));
        glossed.push(english.unwrap_or(Cow::Borrowed(tokens[at])));
        at += length;
    }
    let (part, of) = INDONESIAN;
    if indonesian == 0 || known * of < words * part {
        return Cow::Borrowed(text);
    }
    glossed.retain(|english| !english.is_empty());
    Cow::Owned(glossed.join(" "))
}

/// The entry of several words with which the tokens begin: their number, and its English.
fn phrase(lower: &[String]) -> Option<(usize, Cow<'static, str>)> {
    let mut lengths = (2..=LONGEST.min(lower.len())).rev();
    lengths.find_map(|length| Some((length, Cow::Borrowed(*LIST.get(lower[..length].join(" ").as_str())?))))
}

/// A capitalised word inside a sentence is a name and stays as it is: Bintang is not a star.
fn named(lower: &str) -> Option<Cow<'static, str>> {
    CAPITALS.split_whitespace().any(|word| word == lower).then(|| LIST.get(lower).map(|english| Cow::Borrowed(*english)))?
}

/// The English of a word or of its stem; for `anak-anak` that of `anak`, for `jual-beli` both.
fn word(word: &str) -> Option<Cow<'static, str>> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let listed = |word: &str| stems(word).find_map(|stem| LIST.get(stem.as_str())).copied();
    if let Some(english) = listed(word) {
        return Some(Cow::Borrowed(english));
    }
    let (first, second) = word.split_once('-')?;
    match (listed(first), listed(second)) {
        (None, None) => None,
        (Some(english), _) if first == second => Some(Cow::Borrowed(english)),
        (one, other) => Some(Cow::Owned(format!("{} {}", one.unwrap_or(first), other.unwrap_or(second)))),
    }
}

/// The word, then what is left of it without clitics, suffixes and prefixes.
fn stems(word: &str) -> impl Iterator<Item = String> {
    let without = |endings: &'static [&'static str]| {
        move |word: &str| -> Vec<String> {
            let cut = endings.iter().filter_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.len() >= MIN_STEM);
            [word].into_iter().chain(cut).map(str::to_owned).collect()
        }
    };
    let bare = without(&HANGING)(word).into_iter().flat_map(move |word| without(&ENDINGS)(&word));
    bare.flat_map(|word| {
        let begun = PREFIXES.iter().filter_map(|(prefix, swallowed)| {
            let stem = word.strip_prefix(prefix).filter(|stem| stem.len() >= MIN_STEM)?;
            Some(format!("{swallowed}{stem}"))
        });
        [word.clone()].into_iter().chain(begun.collect::<Vec<_>>()).collect::<Vec<_>>()
    })
}

/// Words, including hyphenated ones, and single marks.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let inside = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let end = if first.is_alphanumeric() { rest.find(|c| !inside(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indonesian_is_put_into_english() {
        for (text, english_words) in [
            ("Aku tinggal di Surabaya", &["i", "live", "surabaya"][..]),
            ("Pengguna alergi udang.", &["user", "allergy", "shrimp"]),
            ("anak-anakku bersekolah di Bandung", &["children", "school", "bandung"]),
            ("Kantor kami pindah ke rumah sakit lama", &["office", "move", "hospital"]),
            ("Istriku bernama Bunga. Sekarang dia di rumah", &["wife", "bunga", "now", "house"]),
            ("Standup tim kami jam 9 pagi", &["standup", "team", "9", "morning"]),
        ] {
            let english = english(text).to_lowercase();
            let words: Vec<&str> = english.split(|c: char| !c.is_alphanumeric()).collect();
            assert!(english_words.iter().all(|word| words.contains(word)), "{text}: {english}");
        }
    }

    #[test]
    fn other_languages_stay_as_they_are() {
        for text in [
            "The main air intake is checked daily.",
            "We ship on Thursdays, no exceptions.",
            "No rush.",
            "jam recipe",
            "cat allergy",
            "Sore throat again.",
            "Die Rechnung geht am Montag raus.",
            "",
            " ",
            "🦀",
            "2026-11-22 10:00",
        ] {
            assert!(matches!(english(text), Cow::Borrowed(same) if same == text), "{text}: {}", english(text));
        }
    }

    #[test]
    fn long_and_odd_runs_end() {
        for text in ["a-".repeat(5_000), "mengx-".repeat(5_000), "x".repeat(20_000), "-".repeat(10_000), "aku ".repeat(5_000)] {
            assert!(!english(&text).is_empty());
        }
    }

    #[test]
    fn every_entry_is_one_of_a_kind_and_can_be_found() {
        let lines = WORDS.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(entries().count(), lines, "a word, a tab, its English");
        assert_eq!(LIST.len(), lines, "each word once");
        for (indonesian, english) in entries() {
            let words = indonesian.split(' ').count();
            assert!((1..=LONGEST).contains(&words), "{indonesian}");
            assert_eq!(indonesian, indonesian.trim().to_lowercase(), "{indonesian}");
            assert_eq!(tokens(indonesian).count(), words, "{indonesian}");
            assert_eq!(english, english.trim(), "{indonesian}");
        }
    }
}
