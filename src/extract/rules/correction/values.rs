//! Finds the values in a text by word classes, in both languages: numbers with what they count, ordinals, days, dates, times,
//! colours, names, things of one category. Also finds what the rest of the text is about.
//!
//! It is used to tell whether two texts give different values for the same thing; no decision is made here.

use std::collections::BTreeSet;

use super::super::echo::content_words;
use super::super::pattern::pattern;
use super::places::{CATEGORIES, LOOSE};
use crate::domain::merging::NUMBERS;

/// Number words beside those that merging reads. Lower-case.
const MORE_NUMBERS: &[(&str, &str)] = &[("one", "1"), ("satu", "1"), ("sebelas", "11")];
const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
    "pertama", "kedua", "ketiga", "keempat", "kelima", "keenam",
];
const DAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "senin",
    "selasa",
    "rabu",
    "kamis",
    "jumat",
    "jum'at",
    "sabtu",
    "ahad",
];
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "januari",
    "februari",
    "maret",
    "mei",
    "juni",
    "juli",
    "agustus",
    "oktober",
    "desember",
];
const COLOURS: &[&str] = &[
    "red",
    "green",
    "blue",
    "yellow",
    "white",
    "black",
    "grey",
    "gray",
    "brown",
    "orange",
    "pink",
    "purple",
    "violet",
    "beige",
    "teal",
    "turquoise",
    "silver",
    "gold",
    "navy",
    "maroon",
    "cream",
    "merah",
    "hijau",
    "biru",
    "kuning",
    "putih",
    "hitam",
    "abu-abu",
    "coklat",
    "cokelat",
    "oranye",
    "ungu",
    "krem",
    "emas",
    "perak",
];

/// The kind of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Day,
    Date,
    Time,
    Colour,
    /// A number of things; empty if nothing is counted.
    Count(String),
    /// The position in a sequence of things.
    Rank(String),
    /// An entry of a table of things of one kind.
    Thing(usize),
    /// A name, recognised by its capital.
    Name,
}

impl Kind {
    /// Whether one could replace the other. A number without a unit matches any.
    pub(super) fn fits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Count(a), Self::Count(b)) => a == b || a.is_empty() || b.is_empty(),
            (Self::Count(_), Self::Rank(_)) | (Self::Rank(_), Self::Count(_)) => false,
            (Self::Count(unit), Self::Time) | (Self::Time, Self::Count(unit)) => unit.is_empty(),
            (Self::Rank(_), Self::Date) | (Self::Date, Self::Rank(_)) => true,
            (Self::Rank(a), Self::Rank(b)) => a == b,
            _ => self == other,
        }
    }

    /// Rare enough that a sign of a change and the kind together identify the memory.
    pub(super) fn tells(&self) -> bool {
        match self {
            Self::Count(unit) => !unit.is_empty(),
            Self::Rank(_) | Self::Name => false,
            _ => true,
        }
    }
}

/// A value in a text: as written, and normalised for comparison.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// For comparison: lower case, numbers as digits.
    pub(super) same: String,
}

pattern! {
    TIMES = r"\b(?:(?:jam|pukul) \d{1,2}(?:[:.]\d\d)?(?: (?:pagi|siang|sore|malam|subuh))?|\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)\b";
    DATES = r"\b(?:(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of)?(?: {MONTH}\b)?|(?:tanggal|tgl) \d{1,2}(?: {MONTH}\b)?|\d{1,2} {MONTH}\b|{MONTH} \d{1,2}\b)";
    WORDS = r"[\p{L}\p{N}][\p{L}\p{N}'’/.+#-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]";
}

/// The values in a text, in order. Longer matches come first, and no word is used twice.
pub(super) fn values(text: &str) -> Vec<Value> {
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let mut found: Vec<(usize, Value)> = Vec::new();
    let mut take = |start: usize, end: usize, kind: Kind, same: &str| {
        if taken.iter().all(|(from, to)| end <= *from || start >= *to) {
            taken.push((start, end));
            found.push((start, Value { kind, text: text[start..end].to_owned(), same: same.to_lowercase() }));
        }
    };
    for date in DATES.find_iter(text) {
        take(date.start(), date.end(), Kind::Date, date.as_str());
    }
    for time in TIMES.find_iter(text) {
        take(time.start(), time.end(), Kind::Time, time.as_str());
    }
    for (index, kind) in CATEGORIES.iter().enumerate() {
        for thing in kind.find_iter(text) {
            let day = thing.as_str().to_lowercase();
            let day = day.trim_end_matches('s');
            let kind = if DAYS.contains(&day) { Kind::Day } else { Kind::Thing(index) };
            take(thing.start(), thing.end(), kind, thing.as_str().trim_end_matches('s'));
        }
    }
    let words: Vec<_> = WORDS.find_iter(text).collect();
    let mut counted = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let lower = word.as_str().to_lowercase();
        let unit = || words.get(at + 1).map_or_else(String::new, |next| root(next.as_str()));
        let number = NUMBERS.iter().chain(MORE_NUMBERS).find(|(name, _)| *name == lower).map(|(_, value)| (*value).to_owned());
        let number = number.or_else(|| lower.chars().all(|c| c.is_ascii_digit() || c == '.').then(|| lower.clone()));
        if let Some(number) = number {
            counted.push((word.start(), word.end(), Kind::Count(counting(&unit())), number));
        } else if ORDINALS.contains(&lower.as_str()) {
            counted.push((word.start(), word.end(), Kind::Rank(unit()), lower));
        } else if DAYS.contains(&lower.trim_end_matches('s')) {
            counted.push((word.start(), word.end(), Kind::Day, lower.trim_end_matches('s').to_owned()));
        } else if MONTHS.contains(&lower.as_str()) && lower != "may" {
            counted.push((word.start(), word.end(), Kind::Date, lower));
        } else if COLOURS.contains(&lower.as_str()) {
            counted.push((word.start(), word.end(), Kind::Colour, lower));
        } else if at > 0 && named(word.as_str()) {
            // "Pak Hadi", "Green Leaf": one name.
            if let Some((_, end, Kind::Name, name)) = counted.last_mut()
                && text.get(*end..word.start()) == Some(" ")
            {
                *end = word.end();
                *name = format!("{name} {lower}");
                continue;
            }
            counted.push((word.start(), word.end(), Kind::Name, lower));
        }
    }
    for (start, end, kind, same) in counted {
        take(start, end, kind, &same);
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, value)| value).collect()
}

/// A capital inside the sentence, not a pronoun, and not a term that memories themselves use.
fn named(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && !matches!(word, "I" | "I'm" | "I've" | "User" | "User's" | "Pengguna" | "OK" | "Ok")
}

// Words that may follow a number without being counted.
pattern! {
    UNCOUNTED = r"^(?:now|not|no|on|in|at|for|to|and|or|instead|every|each|a|an|the|but|so|since|from|please|then|per|of|i|we|it|after|sekarang|bukan|tiap|setiap|lagi|ya|aja|saja|kalau|pagi|siang|sore|malam|tapi|dan|di)$";

    // Units measure anything, so a shared unit is not a shared topic.
    UNIT = r"^(?:minutes?|mins?|hours?|days?|weeks?|months?|years?|km|kilomet\w+|miles?|degrees?|euros?|dollars?|pounds?|rupiah|percent|grams?|kilos?|kg|met(?:er|re)s?|lit(?:er|re)s?|cm|mm|mg|ml|people|persons?|times|words|pages?|menit|jam|hari|minggu|bulan|tahun|derajat|persen|ribu|juta|orang|kali|halaman|kata)$";
}

/// Whether it is something counted, and not a unit.
pub(super) fn names_things(unit: &str) -> bool {
    !unit.is_empty() && ["", "s", "e", "es"].iter().all(|end| !UNIT.is_match(&format!("{unit}{end}")))
}

fn counting(unit: &str) -> String {
    if UNCOUNTED.is_match(unit) { String::new() } else { unit.to_owned() }
}

/// A word without its affixes: "mengajar" and "ngajar" become "ajar", "flies" and "flying" become "fly".
pub(super) fn root(word: &str) -> String {
    let lower = word.to_lowercase();
    let mut word = lower.trim_end_matches("'s");
    for end in ["nya", "kan", "lah", "ku", "mu"] {
        word = word.strip_suffix(end).filter(|rest| rest.chars().count() >= LEAST_ROOT).unwrap_or(word);
    }
    for start in ["menge", "meng", "meny", "mem", "men", "nge", "ng", "ny", "ber", "di", "me"] {
        if let Some(rest) = word.strip_prefix(start).filter(|rest| rest.chars().count() >= LEAST_ROOT) {
            word = rest;
            break;
        }
    }
    let word = word.strip_suffix("ies").map_or_else(|| word.to_owned(), |stem| format!("{stem}y"));
    let stem = content_words(&word).into_iter().next().unwrap_or(word);
    let stem = stem.strip_suffix('e').map_or_else(|| stem.clone(), str::to_owned);
    // "Shopping" and "shops", "running" and "runs".
    let mut end = stem.chars().rev();
    match (end.next(), end.next()) {
        (Some(last), Some(before)) if last == before && last.is_alphabetic() => stem[..stem.len() - last.len_utf8()].to_owned(),
        _ => stem,
    }
}

/// Minimum length of a root.
const LEAST_ROOT: usize = 4;

/// What a text is about: its significant words, without the values and the words that say nothing about a topic.
pub(super) fn heads(text: &str, values: &[Value]) -> BTreeSet<String> {
    let taken: BTreeSet<String> =
        values.iter().flat_map(|value| value.text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>()).collect();
    WORDS
        .find_iter(text)
        .map(|word| word.as_str())
        .filter(|word| word.chars().count() >= LEAST_HEAD && !taken.contains(&word.to_lowercase()))
        .filter(|word| !content_words(word).is_empty() && !UNIT.is_match(word))
        .map(root)
        .filter(|word| !LOOSE.is_match(word) && !EMPTY.is_match(word))
        .collect()
}

/// Shorter words are not significant.
const LEAST_HEAD: usize = 3;
pattern! { EMPTY = r"^(?:not|now|this|that|the|and|but|since|there|every|because|after|before|year|day|morning|week|time|times|one|two|new|old|just|too|out|off|get|got|use|uses|using|pakai|pake|baru|jadi|ini|itu|ya|bukan|lagi|tidak|nggak|gak|hari|buat|bikin|aja|saja|kalau|tiap|name|all|any|can|who|what|his|her|him|she|you|your|our|own|per|are|was|were)$" }
