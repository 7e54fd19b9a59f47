//! First, second and third person: words that only make sense if somebody speaks, is spoken to, or is spoken of.
//!
//! The lists are in the lexicon. Where a word is something else as well (`US`, `I/O`, `mine`), the head decides.

use language::features::Text;
use language::lexicon::{self, Language, Person};
use language::tokens::Shape;

/// The rule of each person.
pub(crate) fn rule(person: Person) -> &'static str {
    match person {
        Person::First => "first_person",
        Person::Second => "second_person",
        Person::Third => "person_reference",
    }
}

/// Words that are pronouns without doubt, with their rule.
pub(crate) fn sure(text: &Text<'_>) -> Vec<(&'static str, usize, usize)> {
    let all = 0..text.tokens.len();
    let words = || all.clone().map(|at| text.lower(at));
    let language = lexicon::language(words());
    let english = words().any(|word| lexicon::is_common(word, Language::English));
    let quoted = quoted(text);
    let found = all.clone().filter(|at| stands_alone(text, *at) && !quoted[*at]).filter_map(|at| {
        // `About You` is the name of a page; `Anda` has a capital everywhere.
        let title = text.tokens[at].shape == Shape::Capital && !text.tokens[at].starts;
        let pronoun = lexicon::pronouns(text.lower(at)).iter().find(|pronoun| match pronoun.language {
            Language::English => !(pronoun.doubtful || title || pronoun.person == Person::Third && either(text, at)),
            _ if pronoun.doubtful => pronoun.language == language && pronoun.person != Person::Third,
            of => of == language || !english,
        });
        let speaker = || speaks(text, at);
        let owner = || (language == Language::Indonesian).then(|| clitic(text.lower(at))).flatten();
        let person = pronoun.map(|pronoun| pronoun.person).or_else(|| speaker().then_some(Person::First)).or_else(owner)?;
        Some((rule(person), text.tokens[at].start, text.tokens[at].end))
    });
    found.collect()
}

/// `I run`, `when I ran`, `let's`; not `phase I` or `I/O`.
fn speaks(text: &Text<'_>, at: usize) -> bool {
    let token = &text.tokens[at];
    let next = text.tokens.get(at + 1).map(|next| (next.shape, text.lower(at + 1)));
    let before = at
        .checked_sub(1)
        .is_none_or(|before| !text.tokens[before].is_word() || lexicon::is_common(text.lower(before), Language::English));
    match (text.lower(at), next) {
        ("i", Some((shape, word))) => {
            let capital = token.shape == Shape::Initial && before && (shape == Shape::Lower || word == "'");
            capital || token.starts && matches!(word, "am" | "'")
        }
        ("let", Some((_, "'"))) => text.tokens.get(at + 2).is_some() && text.lower(at + 2) == "s",
        _ => false,
    }
}

/// The person of an Indonesian word with an ending: `laptopku`, `timmu`, `kukirim`.
fn clitic(word: &str) -> Option<Person> {
    let known = lexicon::known(word);
    let stem = language::candidates::clitic(word).filter(|_| !known.indonesian && !known.term && known.name.is_none())?;
    lexicon::is_ordinary(stem).then(|| person(word))
}

/// The person of a word that could be a pronoun; nobody in particular counts as the first.
pub(crate) fn person(word: &str) -> Person {
    let listed = lexicon::pronouns(word).first().map(|pronoun| pronoun.person);
    listed.unwrap_or(if word.ends_with("mu") { Person::Second } else { Person::First })
}

/// Not a part of an identifier, a path or a quotation. `MY` may be an abbreviation.
fn stands_alone(text: &Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| text.is_glued(*before)).map_or(" ", |before| text.lower(before));
    let after = if text.is_glued(at) { text.lower(at + 1) } else { " " };
    let alone =
        matches!(before, " " | "(" | "," | "*") && matches!(after, " " | "." | "," | ";" | ":" | "!" | "?" | ")" | "'" | "*");
    let dotted = after == "." && text.is_glued(at + 1);
    alone && !dotted && text.tokens[at].shape != Shape::Upper
}

/// `he or she`: nobody in particular.
fn either(text: &Text<'_>, at: usize) -> bool {
    [at.checked_sub(1), Some(at + 1)].into_iter().flatten().any(|at| at < text.tokens.len() && text.lower(at) == "or")
}

/// Which tokens stand between quotation marks that are closed.
fn quoted(text: &Text<'_>) -> Vec<bool> {
    let mark = |at: usize| matches!(text.lower(at), "\"" | "`") || text.lower(at) == "'" && apart(text, at);
    let last = (0..text.tokens.len()).rev().find(|at| mark(*at)).unwrap_or(0);
    let mut inside = false;
    let step = |at: usize| {
        inside ^= mark(at);
        inside && at < last
    };
    (0..text.tokens.len()).map(step).collect()
}

/// An apostrophe that does not stand between letters.
fn apart(text: &Text<'_>, at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| !text.is_glued(before)) || !text.is_glued(at)
}
