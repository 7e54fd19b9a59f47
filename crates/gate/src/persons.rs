//! Names that are sure by a word beside them: a title or a verb of asking before, something that only people do after.
//!
//! The lists are in the lexicon (`beside.txt`). All other names are for the head.

use language::features::Text;
use language::lexicon::{self, NameClass};
use language::tokens::Shape;

/// Returns the spans of these names in folded text.
pub(crate) fn sure(text: &Text<'_>) -> Vec<(usize, usize)> {
    let names = (0..text.tokens.len()).filter(|at| is_name(text, *at));
    names.map(|at| (text.tokens[at].start, text.tokens[at].end)).collect()
}

fn is_name(text: &Text<'_>, at: usize) -> bool {
    const SHORTEST: usize = 3;
    let (token, word) = (&text.tokens[at], text.lower(at));
    if token.shape != Shape::Capital || word.len() < SHORTEST || glued(text, at) {
        return false;
    }
    let known = lexicon::known(word);
    let only_a_name =
        matches!(known.name, Some(NameClass::Common | NameClass::Given)) && !lexicon::is_ordinary(word) && !known.city;
    let before = before(text, at);
    let after = if text.tokens.get(at + 1).is_some() { text.lower(at + 1) } else { "" };
    lexicon::is_beside(before, "title") && !lexicon::is_english(word) && !known.term
        || lexicon::is_beside(before, "asks") && known.name.is_some() && !lexicon::is_beside(after, "thing")
        || lexicon::is_beside(before, "answered") && only_a_name
        || only_a_name && lexicon::is_beside(after, "acts")
        || only_a_name && owns(text, at)
}

/// Returns the word before, ignoring a full stop after a title.
fn before<'a>(text: &Text<'a>, at: usize) -> &'a str {
    let word = |at: Option<usize>| at.map_or("", |at| text.lower(at));
    match (word(at.checked_sub(1)), word(at.checked_sub(2))) {
        (".", title) if lexicon::is_beside(title, "title") => title,
        (before, _) => before,
    }
}

/// Whether a name owns something: `Dana's laptop`.
fn owns(text: &Text<'_>, at: usize) -> bool {
    let tokens = text.tokens.len();
    at + 3 < tokens && text.lower(at + 1) == "'" && text.lower(at + 2) == "s" && lexicon::is_beside(text.lower(at + 3), "owned")
}

/// Whether it is a part of an identifier or an address.
fn glued(text: &Text<'_>, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| text.is_glued(before) && !matches!(text.lower(before), "\"" | "(" | "'"))
        || text.is_glued(at) && matches!(text.lower(at + 1), "-" | "_" | "." | "/" | "@") && text.is_glued(at + 1)
}
