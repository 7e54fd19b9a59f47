//! Names of people, judged by the word and its neighbours.
//!
//! A plain given name with a capital is enough by itself. A word that is also something else (`Mark`, `Ruby`, `Jordan`) needs
//! supporting neighbours: a title, a person asking it, a human verb, a surname, a thing that only people have. An unknown word
//! needs the strongest support. Laws and algorithms named after people pass.

use super::company::{
    Company, MIN_NAME, asked_directly, company, follows_article, has_human_thing, known_otherwise, title_before, verb_after,
    word_at,
};
use super::eponyms;
use super::gazetteer::{self, NameClass};
use super::people_signs;
use super::people_things::{is_thing, named_after};
use super::people_words as list;
use super::reading::{Reading, Shape};
use super::{stranger_words, strangers};

/// Shorter names occur in identifiers too often by chance.
const MIN_NAME_IN_IDENTIFIER: usize = 4;

/// Spans of words used as a person's name.
pub(super) fn names(reading: &Reading) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in 0..reading.words.len() {
        if is_person(reading, at) {
            let word = &reading.words[at];
            found.push((word.start, word.end));
        }
    }
    found.extend(people_signs::phrases(reading));
    let things = eponyms::spans(reading);
    found.retain(|span| !things.iter().any(|thing| thing.0 <= span.0 && span.1 <= thing.1));
    found
}

fn is_person(reading: &Reading, at: usize) -> bool {
    let full = reading.word(at);
    let word = full.trim_end_matches(|c: char| c.is_ascii_digit());
    let shape = reading.shape(at);
    if shape == Shape::Number || word.len() < 2 {
        return initial_and_surname(reading, at);
    }
    let class = gazetteer::name(word).or_else(|| plural_family(reading, at, word));
    if hyphenated(reading, at) || numbered(full, word, class) || backwards(reading, at) {
        return true;
    }
    if word == "tim" && reading.is_indonesian() {
        return false;
    }
    if !reading.words[at].alone {
        let part = class.is_none() && strangers::two_parts(reading, at) && strangers::is_person(reading, at, Company::None);
        return part || in_identifier(reading, at, word, class);
    }
    if is_thing(reading, at, class) {
        return false;
    }
    let company = company(reading, at, class);
    if company == Company::Certain && shape == Shape::Capital && title_before(reading, at) {
        return !gazetteer::is_english(word) || class.is_some();
    }
    match class {
        _ if word.len() < MIN_NAME => company == Company::Certain && class.is_some() && shape == Shape::Capital,
        Some(NameClass::Common) => common(reading, at, word, shape, company),
        Some(NameClass::Given) => given(reading, at, word, shape, company),
        Some(NameClass::Surname) => surname(reading, at, word, shape, company),
        Some(NameClass::WordToo) => word_too(reading, at, word, shape, company),
        Some(NameClass::ThingToo) => thing_too(reading, at, word, shape, company),
        None => strangers::is_person(reading, at, company) || run_together(word),
    }
}

/// `odette1994`: a given name and a year or a number.
fn numbered(full: &str, word: &str, class: Option<NameClass>) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 2..=4;
    DIGITS.contains(&(full.len() - word.len()))
        && word.len() > MIN_NAME_IN_IDENTIFIER
        && matches!(class, Some(NameClass::Common | NameClass::Given))
        && !gazetteer::is_ordinary(word)
}

/// `nosretteP`: its capital is at the end.
fn backwards(reading: &Reading, at: usize) -> bool {
    let word = &reading.words[at];
    let written = &reading.text()[word.start..word.end];
    let mut letters = written.chars().rev();
    let turned = letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
    let name: String = reading.word(at).chars().rev().collect();
    turned && name.len() >= MIN_NAME_IN_IDENTIFIER && gazetteer::name(&name).is_some() && !gazetteer::is_english(&name)
}

/// `the Johanssons' devices`.
pub(super) fn plural_family(reading: &Reading, at: usize, word: &str) -> Option<NameClass> {
    let one = word.strip_suffix('s')?;
    let class = gazetteer::name(one)?;
    let owned = reading.gap(at).starts_with("' ") || reading.before(at) == "the" && reading.gap(at).starts_with('\'');
    (owned && matches!(class, NameClass::Surname | NameClass::Common | NameClass::Given) && !gazetteer::is_english(word))
        .then_some(class)
}

/// `Ji-woo Park`, `Seo-yeon`: a given name in two parts.
fn hyphenated(reading: &Reading, at: usize) -> bool {
    let (Some(second), true) = (reading.words.get(at + 1), reading.gap(at) == "-") else { return false };
    if reading.words[at].shape != Shape::Capital
        || reading.char_before(at) == '-'
        || matches!(second.shape, Shape::Upper | Shape::Number)
    {
        return false;
    }
    let (left, right) = (reading.word(at), reading.word(at + 1));
    let mut joined = String::with_capacity(left.len() + right.len());
    joined.push_str(left);
    joined.push_str(right);
    if gazetteer::is_term(&joined) {
        return false;
    }
    if matches!(gazetteer::name(&joined), Some(NameClass::Common | NameClass::Given)) {
        return true;
    }
    let third = reading.after(at + 1);
    let family = !third.is_empty() && reading.shape(at + 2) == Shape::Capital && !gazetteer::is_term(third);
    let acts = if family { verb_after(reading, at + 2) } else { verb_after(reading, at + 1) };
    let plain = !known_otherwise(left) && !known_otherwise(right);
    plain
        && (list::HUMAN_VERBS.contains(&acts)
            || list::STRICT_VERBS.contains(&acts)
            || stranger_words::ONLY_BY_PEOPLE.contains(acts))
        || plain && family && matches!(gazetteer::name(third), Some(NameClass::Surname))
}

fn common(reading: &Reading, at: usize, word: &str, shape: Shape, company: Company) -> bool {
    let ordinary_here = gazetteer::is_english(word) || reading.is_indonesian() && gazetteer::is_indonesian(word);
    match shape {
        Shape::Capital => !(ordinary_here && reading.words[at].sentence_start) || company >= Company::Human,
        Shape::Lower if ordinary_here => company == Company::Certain,
        Shape::Lower => word.len() >= MIN_NAME_IN_IDENTIFIER || company >= Company::Human,
        Shape::Upper => company >= Company::Human || word.len() >= 5 && !gazetteer::is_term(word),
        _ => true,
    }
}

fn given(reading: &Reading, at: usize, word: &str, shape: Shape, company: Company) -> bool {
    let ordinary_here = reading.is_indonesian() && gazetteer::is_indonesian(word);
    match shape {
        Shape::Capital => !ordinary_here || !reading.words[at].sentence_start || company >= Company::Human,
        Shape::Lower => {
            company == Company::Certain && !ordinary_here
                || company == Company::Human && word.len() >= 5 && !ordinary_here
                || matches!(reading.before(at), "of" | "by" | "from" | "milik" | "oleh" | "dari" | "sama")
                    && word.len() >= 5
                    && !ordinary_here
                    && ends_clause(reading, at)
        }
        Shape::Upper => company >= Company::Human,
        _ => false,
    }
}

fn surname(reading: &Reading, at: usize, word: &str, shape: Shape, company: Company) -> bool {
    let plain = !gazetteer::is_english(word) && !gazetteer::is_term(word) && !gazetteer::is_indonesian(word);
    match shape {
        Shape::Capital => plain || company >= Company::Human && !reading.words[at].sentence_start || company == Company::Certain,
        Shape::Lower => plain && company == Company::Certain,
        _ => company == Company::Certain,
    }
}

fn word_too(reading: &Reading, at: usize, word: &str, shape: Shape, company: Company) -> bool {
    if matches!(word, "april" | "june" | "august")
        && shape == Shape::Capital
        && acts_on_something(reading, at, word)
        && company >= Company::Human
    {
        return true;
    }
    if gazetteer::is_term(word) {
        return thing_too(reading, at, word, shape, company);
    }
    let start = reading.words[at].sentence_start;
    match shape {
        Shape::Capital if start => {
            (company == Company::Certain
                || company == Company::Human && (list::MOSTLY_NAMES.contains(&word) || acts_on_something(reading, at, word)))
                && !imperative(reading, at)
                && !heads_a_noun(reading, at)
        }
        Shape::Capital if company >= Company::Human => !follows_article(reading, at),
        Shape::Capital => {
            list::MOSTLY_NAMES.contains(&word) && company >= Company::Weak
                || list::MOSTLY_NAMES.contains(&word) && ends_clause(reading, at) && !follows_article(reading, at)
        }
        Shape::Lower => {
            list::MOSTLY_NAMES.contains(&word)
                && (asked_directly(reading, at) || list::SPEECH.contains(&reading.after(at)) || has_human_thing(reading, at))
        }
        _ => company == Company::Certain,
    }
}

fn thing_too(reading: &Reading, at: usize, word: &str, shape: Shape, company: Company) -> bool {
    match shape {
        Shape::Capital => company == Company::Certain && !follows_article(reading, at) && !list::MACHINES.contains(&word),
        Shape::Upper => company == Company::Certain && !asked_directly(reading, at),
        _ => false,
    }
}

/// `D. Karpova`, `J Smith`.
fn initial_and_surname(reading: &Reading, at: usize) -> bool {
    reading.shape(at) == Shape::Capital
        && reading.word(at).len() == 1
        && at + 1 < reading.words.len()
        && matches!(reading.gap(at), ". " | ".")
        && reading.words[at + 1].shape == Shape::Capital
        && matches!(gazetteer::name(reading.word(at + 1)), Some(NameClass::Surname | NameClass::Common | NameClass::Given))
        && (!gazetteer::is_term(reading.word(at + 1)) || reading.before(at) == "by")
        && !named_after(reading, at + 1)
}

/// `Art merged the`, `Faith set up the`, `Robin has the`: a verb with its object, after a word that is not a known thing.
fn acts_on_something(reading: &Reading, at: usize, word: &str) -> bool {
    let verb_at = if list::ADVERBS.contains(&reading.after(at)) && list::HUMAN_VERBS.contains(&reading.after(at + 1)) {
        at + 2
    } else {
        at + 1
    };
    let object = if verb_at < reading.words.len() { reading.after(verb_at) } else { "" };
    !list::NOT_STARTERS.contains(&word) && list::OBJECTS.contains(object)
}

/// `Bill runs happen`, `Frank reviews are`: the word after it is a noun, because a verb follows that noun.
fn heads_a_noun(reading: &Reading, at: usize) -> bool {
    reading.after(at).ends_with('s') && at + 1 < reading.words.len() && list::AFTER_PLURAL.contains(reading.after(at + 1))
}

/// `Mark the ticket`, `Will the build`, `Grant access`.
fn imperative(reading: &Reading, at: usize) -> bool {
    matches!(reading.after(at), "the" | "a" | "an" | "all" | "every" | "each" | "any" | "this" | "no" | "only")
}

fn ends_clause(reading: &Reading, at: usize) -> bool {
    let gap = reading.gap(at);
    gap.is_empty()
        || gap.starts_with(['.', ',', ';', ')', '!', '?'])
        || matches!(reading.after(at), "and" | "or" | "who" | "at" | "on" | "dan")
}

/// A name as one part of `dana-laptop`, `feature/budi_login`, `priyaS`.
fn in_identifier(reading: &Reading, at: usize, word: &str, class: Option<NameClass>) -> bool {
    if word.len() < MIN_NAME_IN_IDENTIFIER || gazetteer::is_english(word) {
        return false;
    }
    match class {
        Some(NameClass::Common) => !gazetteer::is_term(word) && !vendor_part(reading, at) && !named_after(reading, at),
        Some(NameClass::Given) => {
            reading.shape(at) == Shape::Capital && hyphen_pair(reading, at) || full_name_in_small(reading, at)
        }
        None => run_together(word),
        _ => false,
    }
}

/// `maria-db`, `carlos-mx.com`: part of something that is not a person.
fn vendor_part(reading: &Reading, at: usize) -> bool {
    let next = word_at(reading, at + 1);
    matches!((reading.word(at), next), ("maria", "db") | ("victor", "ops") | ("adam", "w")) || reading.char_before(at) == '$'
}

fn hyphen_pair(reading: &Reading, at: usize) -> bool {
    let names = |index: usize| {
        matches!(gazetteer::name(word_at(reading, index)), Some(NameClass::Common | NameClass::Given | NameClass::Surname))
    };
    reading.gap(at) == "-" && names(at + 1) || at > 0 && reading.gap(at - 1) == "-" && names(at - 1)
}

/// `assign_to_gretchen_hollis`: a given name and a surname, and no word of another kind.
fn full_name_in_small(reading: &Reading, at: usize) -> bool {
    let family = word_at(reading, at + 1);
    reading.shape(at) == Shape::Lower
        && reading.gap(at) == "_"
        && family.len() >= MIN_NAME_IN_IDENTIFIER
        && matches!(gazetteer::name(family), Some(NameClass::Surname | NameClass::Common | NameClass::Given))
        && ![reading.word(at), family].into_iter().any(gazetteer::is_ordinary)
}

/// `danakarpova`: a common name and a second name without a space.
pub(super) fn run_together(word: &str) -> bool {
    const MIN_LENGTH: usize = 8;
    if word.len() < MIN_LENGTH || !word.is_ascii() || known_otherwise(word) {
        return false;
    }
    (MIN_NAME_IN_IDENTIFIER..=word.len() - MIN_NAME_IN_IDENTIFIER).any(|cut| {
        let (first, second) = word.split_at(cut);
        let both_given = first.len() > MIN_NAME_IN_IDENTIFIER
            && second.len() > MIN_NAME_IN_IDENTIFIER
            && gazetteer::name(first) == Some(NameClass::Given)
            && ![first, second].into_iter().any(gazetteer::is_ordinary);
        (gazetteer::name(first) == Some(NameClass::Common) || both_given)
            && matches!(gazetteer::name(second), Some(NameClass::Common | NameClass::Given | NameClass::Surname))
            && !gazetteer::is_english(second)
    })
}
