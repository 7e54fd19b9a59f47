//! Guards against a replacement that loses text: an assistant that rewrites a long text from memory often leaves parts of it out.

use std::collections::HashSet;
use std::ops::Range;

/// Name of the rule for a line that is a placeholder for omitted text.
pub const LEFT_OUT: &str = "left_out";
/// Name of the rule for a replacement that is much shorter than the old text.
pub const SHRINKS: &str = "shrinks";

/// Minimum size in bytes of a text that should not shrink to less than half: that is rarely intended.
const GUARDED_BYTES: usize = 2_048;
/// Maximum number of words in a placeholder; a longer line is a statement.
const PLACEHOLDER_WORDS: usize = 14;

/// Placeholder phrases. In a comment they count only together with "rest".
const SURE: &[&str] = &[
    "rest unchanged",
    "rest is unchanged",
    "rest remains",
    "rest stays",
    "remains unchanged",
    "remain unchanged",
    "is unchanged",
    "are unchanged",
    "content unchanged",
    "lines unchanged",
    "file unchanged",
    "text unchanged",
    "section unchanged",
    "stays the same",
    "remains the same",
    "remain the same",
    "same as before",
    "same as above",
    "unchanged",
    "omitted",
    "no changes",
    "for brevity",
    "sisanya tetap",
    "tidak berubah",
    "sisanya sama",
];
/// Phrases that count only beside an ellipsis or in brackets.
const LIKELY: &[&str] = &[
    "rest of",
    "the rest",
    "existing",
    "previous content",
    "previous text",
    "original content",
    "original text",
    "remaining",
    "content continues",
    "continues as",
    "as before",
    "keep as is",
    "sisa dari",
];
/// Comment markers at the beginning of a line.
const COMMENTS: &[&str] = &["//", "#", "--", "/*", "*", "<!--", ";", "%"];

/// Returns the numbers, from 1, of the new text's lines that are placeholders for omitted text and were not in the old text.
#[must_use]
pub fn left_out(old: &str, new: &str) -> Vec<u32> {
    let known: HashSet<&str> = old.lines().map(str::trim).collect();
    let stands_for_more = |line: &str| !known.contains(line.trim()) && is_placeholder(line.trim());
    (1_u32..).zip(new.lines()).filter(|(_, line)| stands_for_more(line)).map(|(number, _)| number).collect()
}

fn is_placeholder(line: &str) -> bool {
    let lower = line.to_lowercase();
    let bare = COMMENTS.iter().find_map(|mark| lower.strip_prefix(mark)).unwrap_or(&lower).trim();
    let commented = bare.len() < lower.len();
    let bare = bare.trim_end_matches("-->").trim_end_matches("*/").trim();
    let dots = |text: &str| text.starts_with("...") || text.starts_with('…');
    let dotted = dots(bare) || bare.ends_with("...") || bare.ends_with('…');
    let bracketed = bare.starts_with(['[', '(', '<', '{']) && bare.ends_with([']', ')', '>', '}', '.']);
    let words: Vec<&str> = bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if !(commented || dotted || bracketed) || words.is_empty() || words.len() > PLACEHOLDER_WORDS {
        return false;
    }
    let said = format!(" {} ", words.join(" "));
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(&format!(" {phrase} ")));
    // A heading or an item of a list may say that something is unchanged.
    let in_a_frame = dotted || bracketed;
    (in_a_frame && (says(SURE) || says(LIKELY))) || (commented && says(&["rest"]) && says(SURE))
}

/// Whether a replacement is less than half as long as the old text, and the old text was at least 2 KiB long.
#[must_use]
pub fn shrinks(old: &str, new: &str) -> bool {
    old.len() >= GUARDED_BYTES && new.len() * 2 < old.len()
}

/// The part of a new text that must be checked for forbidden content: the changes, extended to whole lines with some text around
/// them, because two writes together may form a secret or an order.
#[derive(Debug, PartialEq, Eq)]
pub struct Window {
    /// Bytes of the new text; extended to line ends where there are any.
    pub range: Range<usize>,
    /// Number of lines before it.
    pub lines_before: u32,
    /// Bytes that differ, relative to the start of `range`; they may begin or end inside a character. Empty if text was only
    /// removed.
    pub changed: Range<usize>,
}

/// Bytes of context on either side of a change, extended to the end of the line.
const AROUND_BYTES: usize = 1_024;

impl Window {
    /// `None`: nothing was added or changed.
    #[must_use]
    pub fn of(old: &str, new: &str) -> Option<Self> {
        let same = |(a, b): &(u8, u8)| a == b;
        let first = old.bytes().zip(new.bytes()).take_while(same).count();
        let most = old.len().min(new.len()) - first;
        let last = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(same).count();
        if first == new.len() && first == old.len() {
            return None;
        }
        let start = new.floor_char_boundary(first.saturating_sub(AROUND_BYTES));
        let end = new.ceil_char_boundary((new.len() - last).saturating_add(AROUND_BYTES).min(new.len()));
        let start = new[..start].rfind('\n').map_or(0, |at| at + 1);
        let end = new[end..].find('\n').map_or(new.len(), |at| end + at + 1);
        let lines_before = u32::try_from(new[..start].matches('\n').count()).unwrap_or(u32::MAX);
        Some(Self { range: start..end, lines_before, changed: first - start..new.len() - last - start })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_that_stand_for_more_are_told_from_text() {
        for line in [
            "[rest unchanged]",
            "… rest of the file …",
            "... (rest of the file remains the same) ...",
            "// ... existing code ...",
            "<!-- rest of the document unchanged -->",
            "(remaining lines unchanged)",
            "# ... rest of file ...",
            "[... the rest ...]",
            "// rest of the code remains the same",
            "/* ... previous content ... */",
            "[content omitted for brevity]",
            "...rest of content stays the same...",
            "{existing content}",
            "[sisanya tetap]",
        ] {
            assert_eq!(left_out("", &format!("first\n{line}\nlast")), [2], "{line}");
        }
        for line in [
            "The rest of the file is about birds.",
            "Prices are unchanged since May.",
            "- The plan remains the same",
            "# Existing customers",
            "...and then we left.",
            "(see the notes)",
            "[ ] call Anna",
            "[x] remove the rest of the boxes from the cellar before we move out of it on Monday, as before",
            "rest",
            "",
            "...",
            "#unchanged",
            "* unchanged prices",
            "2. The remaining budget",
        ] {
            assert_eq!(left_out("", line), Vec::<u32>::new(), "{line}");
        }
        assert!(left_out("a\n[rest unchanged]", "[rest unchanged]\nb").is_empty(), "it was there before");
    }

    #[test]
    fn less_than_half_of_a_long_text_is_suspicious() {
        let text = |bytes| "x".repeat(bytes);
        for (old, new, suspicious) in
            [(2_048, 1_023, true), (2_048, 1_024, false), (2_047, 0, false), (4_000, 0, true), (0, 0, false)]
        {
            assert_eq!(shrinks(&text(old), &text(new)), suspicious, "{old} {new}");
        }
    }

    #[test]
    fn a_window_has_the_change_and_its_neighbours() {
        let long: String = (0..1_000).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
        let changed = long.replace("line 500\n", "line 500 or so\n");
        let window = Window::of(&long, &changed).expect("a change");
        assert!(changed[window.range.clone()].starts_with("line 3") && window.range.len() < 3_000);
        let first = changed[window.range.clone()].lines().next().expect("a line");
        assert_eq!(first, format!("line {}", window.lines_before));
        assert!(changed[window.range.clone()].contains("line 500 or so"));
        assert_eq!(changed[window.range][window.changed], *" or so");
        assert_eq!(Window::of("same", "same"), None);
        assert_eq!(Window::of("", "new"), Some(Window { range: 0..3, lines_before: 0, changed: 0..3 }));
        assert_eq!(Window::of("abc", ""), Some(Window { range: 0..0, lines_before: 0, changed: 0..0 }));
    }

    proptest! {
        #[test]
        fn a_window_never_misses_a_change(old in "[aé\n]{0,30}", new in "[aé\n]{0,30}") {
            match Window::of(&old, &new) {
                None => prop_assert_eq!(old, new),
                Some(window) => {
                    prop_assert!(new.is_char_boundary(window.range.start) && new.is_char_boundary(window.range.end));
                    prop_assert!(old.starts_with(&new[..window.range.start]));
                    prop_assert!(old.ends_with(&new[window.range.end..]));
                }
            }
        }
    }
}
