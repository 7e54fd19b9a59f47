//! Validates the text of a search.

use crate::problem::{Field, Problem};

/// Maximum length of a search for facts, and in the audit log, in characters.
pub const SEARCH_MAX_CHARS: usize = 200;

/// Refuses a text that is too long, or that a word index cannot search for.
pub fn check(text: &str, max_chars: usize) -> Result<(), Problem> {
    if text.chars().count() > max_chars {
        return Err(Problem::invalid(Field::Query, format!("must be {max_chars} characters or fewer")));
    }
    check_characters(text)
}

/// Refuses a text that a word index cannot search for, regardless of its length.
pub fn check_characters(text: &str) -> Result<(), Problem> {
    if text.contains('\0') {
        return Err(Problem::invalid(Field::Query, "must not contain the character NUL (U+0000)"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_short_and_has_no_nul() {
        assert!(check("", 3).is_ok() && check("äöü", 3).is_ok());
        for refused in ["four", "a\0b", "\0"] {
            assert!(check(refused, 3).is_err(), "{refused:?}");
        }
    }
}
