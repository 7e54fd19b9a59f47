//! Cuts a long text into pieces that are read like single statements.

use std::ops::Range;

/// Most characters of a piece: what reads single statements takes a longer one for something else.
const PIECE_CHARS: usize = 400;
/// Fewest characters of a sentence.
const SENTENCE_CHARS: usize = 4;
/// So many characters of a long line are read twice, so that nothing stands astride.
const OVERLAP_CHARS: usize = 120;

/// The pieces of a text, as ranges of bytes: neighbouring lines together, but never over an empty line; a line that is too long in
/// overlapping parts.
#[must_use]
pub fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (own, chars) = (start..start + line.len(), line.chars().count());
        start = own.end;
        if line.trim().is_empty() || chars > PIECE_CHARS {
            found.extend(open.take().map(|(piece, _)| piece));
            if !line.trim().is_empty() {
                found.extend(parts(line).map(|part| own.start + part.start..own.start + part.end));
            }
            continue;
        }
        open = match open {
            Some((piece, so_far)) if so_far + chars <= PIECE_CHARS => Some((piece.start..own.end, so_far + chars)),
            full => {
                found.extend(full.map(|(piece, _)| piece));
                Some((own, chars))
            }
        };
    }
    found.extend(open.map(|(piece, _)| piece));
    found
}

/// The sentences of a text, as ranges of bytes: each within a line. What is too short to say anything is left out, and what is too long
/// is cut into overlapping parts.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, c) in text.char_indices().chain([(text.len(), '\n')]) {
        if c == '\n' || (ended && c.is_whitespace()) {
            let sentence = &text[start..at];
            if sentence.trim().chars().count() >= SENTENCE_CHARS {
                found.extend(parts(sentence).map(|part| start + part.start..start + part.end));
            }
            start = at;
        }
        ended = matches!(c, '.' | '!' | '?' | ':' | '|');
    }
    found
}

/// A long line in overlapping parts.
fn parts(line: &str) -> impl Iterator<Item = Range<usize>> {
    let at: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
    let chars = at.len() - 1;
    let starts =
        (0..chars).step_by(PIECE_CHARS - OVERLAP_CHARS).take_while(move |start| *start == 0 || start + OVERLAP_CHARS < chars);
    starts.map(move |start| at[start]..at[(start + PIECE_CHARS).min(chars)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn neighbouring_lines_are_read_together_up_to_an_empty_one() {
        let text = "a\nb\n\nc\n";
        let read: Vec<&str> = pieces(text).into_iter().map(|piece| &text[piece]).collect();
        assert_eq!(read, ["a\nb\n", "c\n"]);
        assert!(pieces("").is_empty() && pieces(" \n\n").is_empty());
    }

    #[test]
    fn a_long_line_is_read_in_parts_that_overlap() {
        let line = "é".repeat(1_000);
        let read = pieces(&line);
        assert_eq!((read.len(), read[0].clone()), (4, 0..800));
        assert!(read.windows(2).all(|pair| pair[1].start < pair[0].end));
        assert_eq!(read.last().map(|last| last.end), Some(line.len()));
    }

    #[test]
    fn a_sentence_ends_with_its_mark_or_its_line() {
        let text = "One two. Three four!\nfive | six\nno\n";
        let read: Vec<&str> = sentences(text).into_iter().map(|sentence| text[sentence].trim()).collect();
        assert_eq!(read, ["One two.", "Three four!", "five |"]);
        assert_eq!(sentences(&"x".repeat(1_000)).len(), 4);
    }

    proptest! {
        #[test]
        fn everything_that_shows_is_in_a_piece(text in "([a-é ]{0,300}\n){0,6}[a-z]{0,900}") {
            let read = pieces(&text);
            for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
                prop_assert!(read.iter().any(|piece| piece.contains(&at)), "{c:?} at {at}");
            }
            prop_assert!(read.iter().all(|piece| text[piece.clone()].chars().count() <= PIECE_CHARS));
        }
    }
}
