//! First and second person: words that only make sense if somebody speaks or is spoken to.
//!
//! English and Indonesian in full; German, French, Spanish, Portuguese and Dutch where the word is unambiguous. Most of this file
//! is about what is *not* a pronoun: `US`, `I/O`, `phase I`, `/users/me`, `my.cnf`, text on a button.

use std::collections::HashSet;

use super::clitic_words as words;
use super::gazetteer;
use super::pronoun_words as list;
use super::reading::{Reading, Shape};
use super::wholes;

#[derive(Clone, Copy, PartialEq)]
enum Person {
    First,
    Second,
}

/// Spans of first-person words.
pub(super) fn first(reading: &Reading) -> Vec<(usize, usize)> {
    spans(reading, Person::First)
}

/// Spans of second-person words.
pub(super) fn second(reading: &Reading) -> Vec<(usize, usize)> {
    spans(reading, Person::Second)
}

fn spans(reading: &Reading, person: Person) -> Vec<(usize, usize)> {
    let spaced = match person {
        Person::First => pattern!(r"(?i)\b(?:m[ -]y|o u r|m i n e|w e|s a y a|a k u|k a m i|k i t a|g u e|i ' ?m)\b"),
        Person::Second => pattern!(r"(?i)\b(?:y o u(?: r)?|k a m u|a n d a|k a l i a n)\b"),
    };
    let roundabout = pattern!(
        r"(?i)\b(?:yours truly|this humble [a-z]+|the undersigned|the (?:present )?(?:writer|author) of th(?:is|ese) (?:note|notes|line|lines|entry|fact)|penulis (?:ini|catatan ini|baris ini)|yang bertanda tangan|undertecknad|ondergetekende|der unterzeichnende|speaking as the (?:person|one) who|one's own (?:preference|view|opinion))\b"
    );
    let roundabout = (person == Person::First).then(|| roundabout.find_iter(reading.text().as_bytes())).into_iter().flatten();
    let spelled = wholes(spaced, reading.text().as_bytes());
    (0..reading.words.len())
        .filter(|at| !excused(reading, *at) && person_of(reading, *at) == Some(person))
        .map(|at| (reading.words[at].start, reading.words[at].end))
        .chain(spelled)
        .chain(roundabout.map(|m| (m.start(), m.end())))
        .collect()
}

/// Inside an identifier, quoted from a screen, or the second half of "orang tua".
fn excused(reading: &Reading, at: usize) -> bool {
    let word = &reading.words[at];
    if reading.word(at) == "tua" && reading.before(at) == "orang" {
        return true;
    }
    let clitic = at > 0 && matches!(reading.word(at), "ku" | "mu") && reading.gap(at - 1) == "-";
    if !word.alone && reading.char_after(at) != '\'' && !clitic {
        return true;
    }
    let quoted = word.in_quotes || word.in_code;
    quoted && reading.shows_screen_text || word.in_code && code_like(reading, at)
}

/// In backticks and next to code characters, or alone in its backticks.
fn code_like(reading: &Reading, at: usize) -> bool {
    reading.char_before(at) == '`' && reading.char_after(at) == '`'
        || matches!(reading.gap(at).trim(), "=" | "+" | "++" | "<" | "(" | "+=" | "->" | "=>" | "$" | "{")
}

fn person_of(reading: &Reading, at: usize) -> Option<Person> {
    let word = reading.word(at);
    let shape = reading.shape(at);
    let (before, after) = (reading.before(at), reading.after(at));
    if matches!(word, "ku" | "mu") && at > 0 && reading.gap(at - 1) == "-" && list::OWNED.contains(reading.word(at - 1)) {
        return Some(if word == "ku" { Person::First } else { Person::Second });
    }
    if matches!(word, "s4ya" | "k4mi" | "k1ta" | "4ku" | "0ur" | "0urs" | "g3u" | "gu3" | "myse1f") {
        return Some(Person::First);
    }
    if matches!(word, "y0u" | "y0ur" | "y0urs" | "k4mu" | "4nda" | "and4" | "kam0e") {
        return Some(Person::Second);
    }
    let first = |yes: bool| yes.then_some(Person::First);
    let second = |yes: bool| yes.then_some(Person::Second);
    match word {
        "i" => first(is_speaker(reading, at)),
        "im" | "ive" => first(
            shape != Shape::Upper
                && (after.ends_with("ing")
                    || matches!(after, "on" | "not" | "a" | "the" | "using" | "been" | "always" | "allergic" | "in"))
                && !reading.is_german(),
        ),
        "my" => first((!after.is_empty() || !reading.gap(at).contains('$')) && !screen_name(reading, at)),
        "me" => first(
            shape != Shape::Upper
                && before != "windows"
                && !matches!(after, "endpoint" | "route" | "query" | "resolver" | "field" | "path" | "api")
                && !reading.gap(at).starts_with('('),
        ),
        "ours" => first(!matches!(after, "merge" | "strategy" | "option" | "driver")),
        "mine" => first(
            before.is_empty() && matches!(after, "is" | "was" | "are" | "were" | "has" | "only" | "alone")
                || list::BEFORE_MINE.contains(&before) && !matches!(after, "the" | "data" | "blocks" | "shaft" | "site"),
        ),
        "us" => first(is_us(reading, at)),
        "we" | "our" => first(shape != Shape::Upper || before != "the"),
        "lets" => {
            first(matches!(after, "use" | "keep" | "go" | "not" | "do" | "move" | "make") && reading.words[at].sentence_start)
        }
        "let" => first(reading.gap(at) == "'" && reading.words.get(at + 1).is_some_and(|_| reading.word(at + 1) == "s")),
        "gw" => first(
            shape != Shape::Upper
                && (reading.is_indonesian() || !before.is_empty() && !matches!(before, "api" | "default" | "the" | "a"))
                && reading.languages.english == 0,
        ),
        "je" => first(reading.languages.french > 0 || reading.languages.english == 0),
        "noi" => first(reading.languages.english == 0),
        "imho" | "iirc" | "afaik" => first(true),
        "imo" => first(shape == Shape::Lower || reading.gap(at).starts_with(',')),
        "j" => first(reading.gap(at) == "'" && reading.languages.english == 0),
        "you" | "your" => second(!set_phrase(reading, at)),
        "yourself" => second(!matches!(before, "repeat")),
        "u" => second(
            shape == Shape::Lower
                && matches!(
                    after,
                    "can" | "should" | "need" | "must" | "will" | "have" | "want" | "are" | "r" | "gotta" | "guys"
                ),
        ),
        "ur" => second(shape == Shape::Lower && !after.is_empty()),
        "tua" if reading.is_indonesian() => None,
        "ik" => first(shape != Shape::Upper && reading.languages.english == 0),
        _ if reading.languages.english == 0 && list::FIRST_ELSEWHERE.contains(&word) => first(shape != Shape::Upper),
        _ if reading.languages.english == 0 && list::SECOND_ELSEWHERE.contains(&word) => second(shape != Shape::Upper),
        _ if list::FIRST_ALWAYS.contains(&word) => first(true),
        _ if list::SECOND_ALWAYS.contains(&word) => second(true),
        _ => by_language(reading, word).or_else(|| clitic(word)).or_else(|| clitic_of_any(reading, word)),
    }
}

fn by_language(reading: &Reading, word: &str) -> Option<Person> {
    let pick = |is: bool, firsts: &HashSet<&str>, seconds: &HashSet<&str>| {
        if is && firsts.contains(&word) { Some(Person::First) } else { (is && seconds.contains(&word)).then_some(Person::Second) }
    };
    pick(reading.is_indonesian(), &list::FIRST_INDONESIAN, &list::SECOND_INDONESIAN)
        .or_else(|| pick(reading.is_german(), &list::FIRST_GERMAN, &list::SECOND_GERMAN))
        .or_else(|| pick(reading.is_french(), &list::FIRST_FRENCH, &list::SECOND_FRENCH))
        .or_else(|| pick(reading.is_spanish(), &list::FIRST_SPANISH, &list::SECOND_SPANISH))
}

fn clitic(word: &str) -> Option<Person> {
    let (stem, person) = match (word.strip_suffix("ku"), word.strip_suffix("mu")) {
        (Some(stem), _) => (stem, Person::First),
        (_, Some(stem)) => (stem, Person::Second),
        _ => {
            let verb = word.strip_prefix("ku")?;
            return list::KU_VERBS.contains(&verb).then_some(Person::First);
        }
    };
    list::OWNED.contains(&stem).then_some(person)
}

/// `repositoriku`, `persetujuanmu`, `kuperbarui`: in an Indonesian sentence any noun or verb can have the clitic.
fn clitic_of_any(reading: &Reading, word: &str) -> Option<Person> {
    const SHORTEST: usize = 5;
    if word.len() < SHORTEST || !reading.is_indonesian() || words::WHOLE_WORDS.contains(word) || words::KU_WORDS.contains(word) {
        return None;
    }
    if gazetteer::is_indonesian(word) || gazetteer::is_term(word) || gazetteer::name(word).is_some() {
        return None;
    }
    let known = |stem: &str| gazetteer::is_indonesian(stem) || gazetteer::is_english(stem) || gazetteer::is_term(stem);
    let (stem, person) = match (word.strip_suffix("ku"), word.strip_suffix("mu")) {
        (Some(stem), _) => (stem, Person::First),
        (_, Some(stem)) => (stem, Person::Second),
        _ => {
            let verb = word.strip_prefix("ku").filter(|verb| verb.len() >= 4)?;
            let bare = verb.strip_prefix("per").unwrap_or(verb);
            let root = bare.strip_suffix("kan").or_else(|| bare.strip_suffix('i')).unwrap_or(bare);
            let done = gazetteer::is_indonesian(verb) || root.len() >= 4 && gazetteer::is_indonesian(root);
            return done.then_some(Person::First);
        }
    };
    let derived =
        stem.len() >= 6 && (stem.ends_with("an") || stem.ends_with("si") || stem.ends_with("ri") || stem.ends_with("as"));
    (derived || stem.len() >= 3 && known(stem) || stem.len() >= 5 && !known(word)).then_some(person)
}

fn is_speaker(reading: &Reading, at: usize) -> bool {
    let (before, after) = (reading.before(at), reading.after(at));
    if reading.gap(at) == "'"
        && reading.words.get(at + 1).is_some_and(|_| matches!(reading.word(at + 1), "m" | "ve" | "d" | "ll" | "am"))
    {
        return true;
    }
    if list::NUMBERED.contains(&before)
        || list::NUMBERED.contains(&before.trim_end_matches('s'))
        || matches!(reading.char_before(at), '(' | '[' | '<' | '/') && matches!(reading.char_after(at), ')' | ']' | '>' | '/')
    {
        return false;
    }
    if reading.as_written(at) == "I" {
        let gap = reading.gap(at).trim();
        let numeral_next = matches!(after, "ii" | "iii" | "iv" | "v" | "o") || matches!(gap, "=" | ":" | "." | ")") && at == 0;
        let numeral_listed =
            gap.starts_with(',') && reading.words.get(at + 1).is_some_and(|_| matches!(reading.word(at + 1), "ii" | "iii"));
        return !numeral_next
            && !numeral_listed
            && !matches!(gap, "=" | "/" | "<" | "+")
            && !matches!(after, "and" | "through" if roman_follows(reading, at));
    }
    list::AFTER_SMALL_I.contains(&after) && !matches!(before, "for" | "let" | "int")
}

fn roman_follows(reading: &Reading, at: usize) -> bool {
    reading.words.get(at + 2).is_some_and(|_| matches!(reading.word(at + 2), "ii" | "iii" | "iv" | "v"))
}

/// `us` the people, not the country, not microseconds.
fn is_us(reading: &Reading, at: usize) -> bool {
    let (before, after) = (reading.before(at), reading.after(at));
    reading.as_written(at) != "US"
        && !list::BEFORE_COUNTRY.contains(&before)
        && !list::AFTER_COUNTRY.contains(&after)
        && !before.bytes().any(|b| b.is_ascii_digit())
        && !matches!(reading.char_before(at), '(' | '[')
}

/// `My Account` is the name of a page.
fn screen_name(reading: &Reading, at: usize) -> bool {
    reading.as_written(at) == "My"
        && reading.words.get(at + 1).is_some_and(|next| next.shape == Shape::Capital)
        && list::PAGES.contains(&reading.after(at))
}

fn set_phrase(reading: &Reading, at: usize) -> bool {
    let (before, after) = (reading.before(at), reading.after(at));
    let own = if after == "own" { reading.after(at + 1) } else { "" };
    let brought = matches!(
        own,
        "key" | "keys" | "device" | "devices" | "cloud" | "storage" | "license" | "licence" | "identity" | "model" | "domain"
    );
    matches!((before, after), ("thank", "page" | "email" | "screen" | "note" | "message" | "mail") | ("know", "customer"))
        || before == "bring" && brought
        || matches!((before, after), ("pay" | "as", "go") | ("what", "see" | "get"))
        || matches!(after, "aren" | "arent") && reading.lower().contains("gonna need it")
        || reading.lower().contains("you build it")
}
