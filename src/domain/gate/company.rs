//! The neighbours of a word: titles, questions, human verbs, possessions, teams.
//!
//! Tells how strongly the neighbours suggest that a word is a person. `people` decides how much each class of word needs.

use super::gazetteer::{self, NameClass};
use super::people_words as list;
use super::reading::{Reading, Shape};

/// Shorter words are taken for names only with certain neighbours.
pub(super) const MIN_NAME: usize = 3;

/// How strongly its neighbours suggest that a word is a person.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Company {
    None,
    /// `by X`, `with X`: could also be a tool.
    Weak,
    /// `X owns`, `reviewer X`: rarely a product.
    Human,
    /// `ask X`, `Pak X`, `X's wife`, `X said`: only a person.
    Certain,
}

pub(super) fn company(reading: &Reading, at: usize, class: Option<NameClass>) -> Company {
    if title_before(reading, at) || asked_directly(reading, at) || has_human_thing(reading, at) || from_a_team(reading, at) {
        return Company::Certain;
    }
    if apposition(reading, at) {
        return Company::Certain;
    }
    let next = verb_after(reading, at);
    if list::STRICT_VERBS.contains(&next) || on_leave(reading, at) {
        return Company::Certain;
    }
    if class.is_some() && surname_follows(reading, at) {
        return Company::Certain;
    }
    let before = reading.before(at);
    if list::HUMAN_VERBS.contains(&next) {
        return if class == Some(NameClass::ThingToo) && !list::OWNING_VERBS.contains(&next) {
            Company::Human
        } else if class == Some(NameClass::ThingToo) {
            Company::Certain
        } else {
            Company::Human
        };
    }
    if class == Some(NameClass::WordToo) && (has_and_article(reading, at) || reading.is_indonesian() && active_verb(next)) {
        return Company::Human;
    }
    if before == "by" && at >= 2 && participle(reading.before(at - 1)) && !next_is_thing(reading, at) {
        return Company::Human;
    }
    if list::ROLES.contains(&before) && !follows_article_of_role(reading, at) || asked_through_preposition(reading, at) {
        return Company::Human;
    }
    if list::WEAK_BEFORE.contains(&before) && !reading.words[at].sentence_start && !next_is_thing(reading, at) {
        return Company::Weak;
    }
    Company::None
}

fn has_and_article(reading: &Reading, at: usize) -> bool {
    list::MOSTLY_NAMES.contains(&reading.word(at))
        && matches!(reading.after(at), "has" | "had")
        && matches!(reading.after(at + 1), "the" | "a" | "an" | "all" | "no" | "to" | "access")
}

/// `menyusun`, `memperbaiki`: an active verb, done by somebody.
fn active_verb(word: &str) -> bool {
    const SHORTEST: usize = 6;
    word.len() >= SHORTEST
        && (word.starts_with("men") || word.starts_with("mem") || word.starts_with("meng") || word.starts_with("meny"))
}

fn participle(word: &str) -> bool {
    word.len() > 3
        && (word.ends_with("ed")
            || word.ends_with("ten")
            || matches!(
                word,
                "done"
                    | "built"
                    | "led"
                    | "made"
                    | "run"
                    | "found"
                    | "set"
                    | "drawn"
                    | "broken"
                    | "chosen"
                    | "sent"
                    | "kept"
                    | "held"
                    | "given"
            ))
}

pub(super) fn title_before(reading: &Reading, at: usize) -> bool {
    let Some(previous) = at.checked_sub(1) else { return false };
    let gap = reading.gap(previous);
    if !(gap == " " || gap == ". ") || reading.shape(at) == Shape::Number {
        return false;
    }
    let title = reading.as_written(previous);
    let capital = reading.shape(at) == Shape::Capital;
    list::TITLES.contains(&title) && (capital || gazetteer::name(reading.word(at)).is_some())
        || list::LOWER_TITLES.contains(&title)
            && (capital && !reading.words[at].sentence_start && !known_otherwise(reading.word(at))
                || matches!(gazetteer::name(reading.word(at)), Some(NameClass::Common | NameClass::Given))
                || capital && gazetteer::name(reading.word(at)).is_some())
}

/// `ask X`, `ping X`, `tanya X`.
pub(super) fn asked_directly(reading: &Reading, at: usize) -> bool {
    let before = reading.before(at);
    list::ASKING.contains(&before) && reading.word(at) != "page" && !reading.gap(at).starts_with('(')
}

/// `talk to X`, `lapor ke X`, `owned by X`.
fn asked_through_preposition(reading: &Reading, at: usize) -> bool {
    let preposition = reading.before(at);
    let Some(verb_at) = at.checked_sub(2) else { return false };
    if preposition.is_empty() || reading.before(at - 1).is_empty() {
        return false;
    }
    let verb = reading.word(verb_at);
    list::PREPOSITIONS.contains(&preposition) && list::ASKING_THROUGH.contains(&verb)
}

/// `belongs to X`, `written by X`, `reports to X`: said of people, rarely of programs.
pub(super) fn answered_by(reading: &Reading, at: usize) -> bool {
    let preposition = reading.before(at);
    let Some(verb) = at.checked_sub(2).map(|verb| reading.word(verb)) else { return false };
    list::PREPOSITIONS.contains(&preposition) && list::ANSWERED_BY.contains(&verb)
}

pub(super) fn verb_after(reading: &Reading, at: usize) -> &str {
    let next = reading.after(at);
    if list::ADVERBS.contains(&next) { reading.after(at + 1) } else { next }
}

/// `X, the new engineer`, `X (platform lead)`.
fn apposition(reading: &Reading, at: usize) -> bool {
    const REACH: usize = 4;
    let gap = reading.gap(at);
    (gap.starts_with(", ") || gap.starts_with(" ("))
        && reading.words[at].shape == Shape::Capital
        && matches!(
            word_at(reading, at + 1),
            "the"
                | "a"
                | "an"
                | "our"
                | "lead"
                | "head"
                | "platform"
                | "backend"
                | "frontend"
                | "qa"
                | "data"
                | "senior"
                | "staff"
                | "tech"
                | "who"
        )
        && (at + 1..(at + 2 + REACH).min(reading.words.len())).any(|near| list::STAFF.contains(&reading.word(near)))
}

fn on_leave(reading: &Reading, at: usize) -> bool {
    matches!(reading.after(at), "is" | "was" | "goes" | "lagi" | "sedang")
        && match reading.after(at + 1) {
            "on" => matches!(
                reading.after(at + 2),
                "leave" | "vacation" | "holiday" | "parental" | "maternity" | "paternity" | "sick" | "sabbatical" | "pto"
            ),
            next => list::HUMAN_STATES.contains(&next),
        }
}

pub(super) fn has_human_thing(reading: &Reading, at: usize) -> bool {
    reading.possessed(at).is_some_and(|thing| {
        let next = reading.word(thing);
        list::HUMAN_THINGS.contains(&next)
            || list::HUMAN_THINGS.contains(&reading.after(thing)) && list::OLD_OR_NEW.contains(&next)
    })
}

/// `X from the platform team`, `X dari tim data`.
pub(super) fn from_a_team(reading: &Reading, at: usize) -> bool {
    if !matches!(reading.after(at), "from" | "in" | "on" | "of" | "dari" | "di" | "at") || known_plural(reading.word(at)) {
        return false;
    }
    let (second, third, fourth) = (reading.after(at + 1), word_at(reading, at + 3), word_at(reading, at + 4));
    matches!(second, "tim" | "divisi")
        || second == "the" && (fourth == "team" || third == "team")
        || list::TEAMS.contains(&second)
            && (matches!(third, "" | "team" | "owns" | "is" | "has" | "will" | "said")
                || list::HUMAN_VERBS.contains(third)
                || list::STRICT_VERBS.contains(third))
}

pub(super) fn word_at(reading: &Reading, at: usize) -> &str {
    if at < reading.words.len() { reading.word(at) } else { "" }
}

fn known_plural(word: &str) -> bool {
    word.ends_with('s') && gazetteer::is_english(word)
}

fn surname_follows(reading: &Reading, at: usize) -> bool {
    let next = reading.after(at);
    if next.len() < MIN_NAME || at + 1 >= reading.words.len() || reading.shape(at) == Shape::Lower {
        return false;
    }
    if reading.shape(at) == Shape::Upper {
        return reading.shape(at + 1) == Shape::Upper && gazetteer::name(next).is_some() && !gazetteer::is_term(next);
    }
    let capital = matches!(reading.shape(at + 1), Shape::Capital) && reading.words[at + 1].alone;
    capital
        && (matches!(gazetteer::name(next), Some(NameClass::Surname | NameClass::Common | NameClass::Given))
            && !gazetteer::is_term(next)
            && !gazetteer::is_english(next)
            || !known_otherwise(next) && gazetteer::name(next).is_none() && !list::THINGS.contains(&next))
}

pub(super) fn known_otherwise(word: &str) -> bool {
    gazetteer::is_ordinary(word)
}

pub(super) fn next_is_thing(reading: &Reading, at: usize) -> bool {
    list::THINGS.contains(&reading.after(at))
}

pub(super) fn follows_article(reading: &Reading, at: usize) -> bool {
    matches!(
        reading.before(at),
        "the" | "a" | "an" | "each" | "every" | "this" | "that" | "click" | "press" | "select" | "choose"
    )
}

fn follows_article_of_role(reading: &Reading, at: usize) -> bool {
    reading.words[at].sentence_start
}
