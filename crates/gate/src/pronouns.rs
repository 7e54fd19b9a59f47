//! First, second and third person: words that only make sense if a person speaks, is spoken to, or is spoken of.
//!
//! The lists are in the lexicon. Where a word is something else as well (`US`, `I/O`, `mine`) and its neighbours do not tell, the
//! head decides.

use language::features::Text;
use language::lexicon::{self, Language, Person};
use language::tokens::Shape;

use crate::lists;

/// Name of the rule for a person.
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
        let shouted = text.tokens[at].shape == Shape::Upper;
        let pronoun = lexicon::pronouns(text.lower(at)).iter().find(|pronoun| match pronoun.language {
            Language::English => {
                let sure = !pronoun.doubtful && !shouted && !titled(text, at) && !named(text, at) && !idiom(text, at);
                sure && !(pronoun.person == Person::Third && either(text, at))
            }
            _ if shouted => false,
            _ if pronoun.doubtful => pronoun.language == language && pronoun.person != Person::Third,
            of => of == language || !english,
        });
        let spoken = || english.then(|| spoken(text, at)).flatten();
        let owner = || (language == Language::Indonesian && !shouted).then(|| clitic(text.lower(at))).flatten();
        let person = pronoun.map(|pronoun| pronoun.person).or_else(spoken).or_else(owner)?;
        Some((rule(person), text.tokens[at].start, text.tokens[at].end))
    });
    found.collect()
}

/// Whether it is in a title such as `the About You page`; `Anda` has a capital everywhere.
fn titled(text: &Text<'_>, at: usize) -> bool {
    let token = &text.tokens[at];
    let capital = |at: usize| text.tokens.get(at).is_some_and(|token| token.shape == Shape::Capital);
    let begins = token.starts && !matches!(text.lower(at), "my" | "your" | "you");
    token.shape == Shape::Capital && !begins && (capital(at + 1) || !token.starts && at.checked_sub(1).is_some_and(capital))
}

/// `pay as you go`: the name of a thing.
fn idiom(text: &Text<'_>, at: usize) -> bool {
    const IDIOMS: [[&str; 3]; 5] = [
        ["as", "you", "go"],
        ["bring", "your", "own"],
        ["know", "your", "customer"],
        ["repeat", "yourself", ""],
        ["what", "you", "see"],
    ];
    let word = |at: Option<usize>| at.filter(|at| *at < text.tokens.len()).map_or("", |at| text.lower(at));
    IDIOMS.iter().any(|[before, own, after]| {
        text.lower(at) == *own && word(at.checked_sub(1)) == *before && (after.is_empty() || word(Some(at + 1)) == *after)
    })
}

/// `the me endpoint`, `the us region`, `40 us`.
fn named(text: &Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|_| matches!(text.lower(at), "me" | "us" | "my"));
    before.is_some_and(|before| {
        matches!(text.lower(before), "the" | "a" | "an") || matches!(text.tokens[before].shape, Shape::Digits(_))
    })
}

/// Returns the person of a word that is a pronoun by its neighbours: `when I ran`, `a friend of mine`, `ask ME`; not `phase I`,
/// `the mine`, `ME`.
fn spoken(text: &Text<'_>, at: usize) -> Option<Person> {
    let token = &text.tokens[at];
    let word = |at: usize| text.tokens.get(at).map_or("", |_| text.lower(at));
    let before = at.checked_sub(1).map_or("", word);
    let (after, second) = (word(at + 1), word(at + 2));
    let ends = text.tokens.get(at + 1).is_none_or(language::tokens::Token::is_mark) && after != "'";
    let small = |at: usize| text.tokens.get(at).is_some_and(|next| matches!(next.shape, Shape::Lower | Shape::Small));
    let of = |kind: &str, word: &str| lists::is(kind, word);
    let shouted = token.shape == Shape::Upper;
    // In a text of capitals, or one word of it that stands out.
    let known =
        matches!(before, "the" | "a" | "an") || lexicon::is_english(before) && !lexicon::is_common(before, Language::English);
    let shouts = text.tokens.iter().filter(|token| matches!(token.shape, Shape::Lower)).count() < 2;
    let stressed = shouted && (shouts || !known && (small(at + 1) || ends && at.checked_sub(1).is_some_and(small)));
    match text.lower(at) {
        "i" if after == "'" => matches!(second, "m" | "ve" | "ll" | "d").then_some(Person::First),
        "i" if of("numbered", before) => None,
        "i" if ends => of("before_i", before).then_some(Person::First),
        "i" if text.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Upper) => lexicon::is_english(after)
            .then_some(Person::First)
            .filter(|_| text.tokens[at + 1].end - text.tokens[at + 1].start > 2),
        "i" => acts(after).then_some(Person::First).filter(|_| small(at + 1)),
        "im" | "ive" | "id" | "ill" if !shouted && (token.starts || of("before_i", before)) => {
            let speaks = match text.lower(at) {
                "im" => after.ends_with("ing") || matches!(after, "not" | "the" | "a" | "on" | "in" | "sure" | "fine"),
                "ive" => after.ends_with("ed") || matches!(after, "been" | "got" | "had" | "never" | "always" | "set" | "put"),
                _ => matches!(after, "rather" | "love" | "prefer" | "be" | "like"),
            };
            speaks.then_some(Person::First)
        }
        "mine" if !shouted => {
            let owned = ends && of("before_mine", before) || (token.starts || before == ",") && of("after_mine", after);
            owned.then_some(Person::First)
        }
        "let" | "lets" if token.starts && !shouted => {
            let all = after == "'" && second == "s" && small(at + 3) || text.lower(at) == "lets" && of("lets", after);
            all.then_some(Person::First)
        }
        "y" if after == "'" && second == "all" => Some(Person::Second),
        "me" | "my" if stressed && !lexicon::is_common(after, Language::English) => Some(Person::First),
        "we" | "our" | "ours" | "myself" | "ourselves" if stressed => Some(Person::First),
        "you" | "your" | "yours" | "yourself" | "yourselves" if stressed || shouted && !known => Some(Person::Second),
        _ => None,
    }
}

/// Whether a verb is something that people do, and not `i`: that runs, starts, or is below a bound.
fn acts(word: &str) -> bool {
    let third =
        word.ends_with('s') && !word.ends_with("ss") && !matches!(word, "was" | "always" | "sometimes" | "perhaps" | "guess");
    !third && !lists::is("after_number", word) && (lexicon::is_english(word) || lexicon::is_common(word, Language::English))
}

/// The person of an Indonesian word with an ending: `laptopku`, `timmu`, `kukirim`.
fn clitic(word: &str) -> Option<Person> {
    let known = lexicon::known(word);
    let stem = language::candidates::clitic(word).filter(|_| !known.indonesian && !known.term && known.name.is_none())?;
    lexicon::is_ordinary(stem).then(|| person(word))
}

/// The person of a word that could be a pronoun; if it is not listed, the second with the ending `mu`, else the first.
pub(crate) fn person(word: &str) -> Person {
    let listed = lexicon::pronouns(word).first().map(|pronoun| pronoun.person);
    listed.unwrap_or(if word.ends_with("mu") { Person::Second } else { Person::First })
}

/// Whether it is not a part of an identifier, a path or a quotation.
fn stands_alone(text: &Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| text.is_glued(*before)).map_or(" ", |before| text.lower(before));
    let after = if text.is_glued(at) { text.lower(at + 1) } else { " " };
    let opens = matches!(before, " " | "(" | "[" | "{" | "," | ";" | "*" | "\"")
        || before == "_" && after == "_"
        || before == "-" && at > 1 && !text.is_glued(at - 2)
        || before == "/" && at > 1 && !lexicon::pronouns(text.lower(at - 2)).is_empty();
    let closes = matches!(after, " " | "." | "," | ";" | ":" | "!" | "?" | ")" | "]" | "}" | "'" | "*" | "_" | "\"")
        || after == "-" && !text.is_glued(at + 1)
        || after == "/" && text.tokens.len() > at + 2 && !lexicon::pronouns(text.lower(at + 2)).is_empty();
    // `my.cnf`, `my::Error`, `you.name`
    let goes_on = matches!(after, "." | ":") && text.is_glued(at + 1) && text.tokens.len() > at + 2;
    opens && closes && !goes_on
}

/// Whether it is one of two alternatives, as in `he or she`: no one in particular.
fn either(text: &Text<'_>, at: usize) -> bool {
    [at.checked_sub(1), Some(at + 1)].into_iter().flatten().any(|at| at < text.tokens.len() && text.lower(at) == "or")
}

/// Flags the tokens between quotation marks that are closed.
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

/// Whether an apostrophe does not stand between letters.
fn apart(text: &Text<'_>, at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| !text.is_glued(before)) || !text.is_glued(at)
}
