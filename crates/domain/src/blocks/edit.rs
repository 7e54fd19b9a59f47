//! Edits of a text: each replaces or adds a part and leaves every other byte as it is.

use super::matches::no_match;
use super::sections::section;
use crate::problem::{Field, Problem};

/// One edit.
#[derive(Clone, PartialEq, Eq)]
pub enum Edit {
    /// Replaces `old`, which must occur exactly once, or `expected` times.
    StrReplace { old: String, new: String, expected: Option<u32> },
    /// Inserts lines after line `line`; 0: before the first one.
    Insert { line: u32, text: String },
    /// Appends lines at the end.
    Append { text: String },
    /// Inserts lines at the beginning, after a byte order mark.
    Prepend { text: String },
    /// Replaces the text under a Markdown heading, up to the next one of the same or a higher level. `heading`: the line, or its
    /// words.
    ReplaceSection { heading: String, text: String },
}

/// Omits the text, which is private.
impl std::fmt::Debug for Edit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::StrReplace { .. } => "StrReplace",
            Self::Insert { .. } => "Insert",
            Self::Append { .. } => "Append",
            Self::Prepend { .. } => "Prepend",
            Self::ReplaceSection { .. } => "ReplaceSection",
        })
    }
}

const MARK: char = '\u{feff}';

/// Line ending of a text, taken from its first line.
pub(super) fn ending(text: &str) -> &'static str {
    let at = text.find('\n').unwrap_or_default();
    if at > 0 && text.as_bytes()[at - 1] == b'\r' { "\r\n" } else { "\n" }
}

/// The text after the edit.
pub fn edited(content: &str, edit: &Edit) -> Result<String, Problem> {
    match edit {
        Edit::StrReplace { old, new, expected } => replaced(content, old, new, *expected),
        Edit::Insert { line, text } => {
            let lines: Vec<&str> = content.split_inclusive('\n').collect();
            let Some(before) = lines.get(..*line as usize) else {
                return Err(Problem::invalid(Field::Line, format!("must be a whole number from 0 to {}", lines.len())));
            };
            let at = before.iter().map(|line| line.len()).sum();
            Ok(between(&content[..at], text, &content[at..], ending(content)))
        }
        Edit::Append { text } => Ok(between(content, text, "", ending(content))),
        Edit::Prepend { text } => {
            let mark = if content.starts_with(MARK) { MARK.len_utf8() } else { 0 };
            Ok(format!("{}{}", &content[..mark], between("", text, &content[mark..], ending(content))))
        }
        Edit::ReplaceSection { heading, text } => {
            let own = section(content, heading)?;
            Ok(between(&content[..own.start], text, &content[own.end..], ending(content)))
        }
    }
}

fn replaced(content: &str, old: &str, new: &str, expected: Option<u32>) -> Result<String, Problem> {
    if old.is_empty() {
        return Err(Problem::invalid(Field::OldStr, "must not be empty"));
    }
    let at: Vec<usize> = content.match_indices(old).map(|(at, _)| at).collect();
    let expected = expected.unwrap_or(1);
    if at.is_empty() || at.len() != expected as usize {
        return Err(no_match(content, &at, expected));
    }
    Ok(content.replace(old, new))
}

/// Puts lines between two parts of a text, each on a line of its own.
fn between(before: &str, text: &str, after: &str, ending: &str) -> String {
    let opens = if before.is_empty() || before.ends_with('\n') || text.is_empty() || is_only_mark(before) { "" } else { ending };
    let closes = if after.is_empty() || text.ends_with('\n') || text.is_empty() { "" } else { ending };
    [before, opens, text, closes, after].concat()
}

fn is_only_mark(text: &str) -> bool {
    text.chars().eq([MARK])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn replace(old: &str, new: &str, expected: Option<u32>) -> Edit {
        Edit::StrReplace { old: old.to_owned(), new: new.to_owned(), expected }
    }

    fn insert(line: u32, text: &str) -> Edit {
        Edit::Insert { line, text: text.to_owned() }
    }

    fn append(text: &str) -> Edit {
        Edit::Append { text: text.to_owned() }
    }

    fn prepend(text: &str) -> Edit {
        Edit::Prepend { text: text.to_owned() }
    }

    #[test]
    fn edits_change_their_part_and_no_other_byte() {
        for (content, edit, expected) in [
            ("a b c", replace("b", "$& \\1 x", None), "a $& \\1 x c"),
            ("a\ta", replace("a", "b", Some(2)), "b\tb"),
            ("line\r\nnext", replace("\r\n", "\n", None), "line\nnext"),
            ("abc", replace("b", "", None), "ac"),
            ("one\ntwo\n", insert(0, "zero"), "zero\none\ntwo\n"),
            ("one\ntwo\n", insert(1, "x\ny"), "one\nx\ny\ntwo\n"),
            ("one\ntwo\n", insert(2, "three"), "one\ntwo\nthree"),
            ("one\ntwo", insert(2, "three"), "one\ntwo\nthree"),
            ("one\r\ntwo", insert(1, "x"), "one\r\nx\r\ntwo"),
            ("", insert(0, "x"), "x"),
            ("", append("x"), "x"),
            ("a", append("b"), "a\nb"),
            ("a\n", append("b\n"), "a\nb\n"),
            ("a\r\nb", append("c"), "a\r\nb\r\nc"),
            ("a", append(""), "a"),
            ("\u{feff}a", prepend("x"), "\u{feff}x\na"),
            ("\u{feff}", append("x"), "\u{feff}x"),
            ("", prepend("x"), "x"),
            ("a", prepend("x\n"), "x\na"),
        ] {
            assert_eq!(edited(content, &edit).as_deref(), Ok(expected), "{content:?}");
        }
    }

    #[test]
    fn an_edit_that_finds_its_place_not_exactly_as_often_says_where() {
        let told = |content: &str, edit: Edit| match edited(content, &edit).expect_err("refused") {
            Problem::NoMatch { matches, expected, lines } => (matches, expected, lines),
            other => panic!("{other}"),
        };
        assert_eq!(told("a\nb\na", replace("a", "x", None)), (2, 1, vec![1, 3]));
        assert_eq!(told("a", replace("x", "y", None)), (0, 1, vec![]));
        assert_eq!(told("a a", replace("a", "x", Some(3))), (2, 3, vec![1, 1]));
        assert_eq!(told("b", replace("a", "x", Some(0))), (0, 0, vec![]));
        assert!(edited("a", &replace("", "x", None)).is_err());
        assert!(edited("a\nb", &insert(3, "x")).is_err() && edited("", &insert(1, "x")).is_err());
    }

    proptest! {
        #[test]
        fn lines_that_are_put_somewhere_are_there_once_and_everything_else_stays(
            content in "[ab\r\n\u{e9}]{0,40}", text in "[xy]{1,8}", at in 0_u32..50
        ) {
            for edit in [append(&text), prepend(&text), insert(at, &text)] {
                let Ok(after) = edited(&content, &edit) else { continue };
                prop_assert_eq!(after.matches(&text).count(), 1);
                let lines: Vec<&str> = after.lines().collect();
                prop_assert!(lines.iter().any(|line| line.trim_end_matches('\r') == text), "{:?}", after);
                let rest: String = after.replacen(&text, "", 1).replace(['\n', '\r'], "");
                prop_assert_eq!(rest, content.replace(['\n', '\r'], ""));
            }
        }
    }
}
