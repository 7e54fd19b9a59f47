//! Splits a long text into pieces that are read like single statements.

use std::ops::Range;

/// Maximum number of characters in a piece: readers of single statements misjudge a longer one.
const PIECE_CHARS: usize = 400;
/// Minimum number of characters in a sentence.
const SENTENCE_CHARS: usize = 4;
/// Overlap of the parts of a long line in characters, so that nothing is missed where they meet.
const OVERLAP_CHARS: usize = 120;
/// Characters that begin a list item, a table row, a quotation or a heading.
const BEGIN: [char; 6] = ['-', '*', '+', '|', '>', '#'];

/// Splits a text into pieces, as byte ranges: neighbouring lines together, but never across an empty line; a line that is too
/// long in overlapping parts.
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

/// Returns the text around every place where two pieces meet: half a piece before it and half a piece after it. Pieces that
/// overlap need none.
#[must_use]
pub fn seams(text: &str, pieces: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for run in pieces.chunk_by(|one, next| one.end >= next.start) {
        let (start, end) = (run[0].start, run[run.len() - 1].end);
        for at in run.windows(2).filter(|pair| pair[0].end == pair[1].start).map(|pair| pair[1].start) {
            let before = text[start..at].char_indices().rev().nth(PIECE_CHARS / 2 - 1);
            let after = text[at..end].char_indices().nth(PIECE_CHARS / 2);
            found.push(before.map_or(start, |(first, _)| start + first)..after.map_or(end, |(next, _)| at + next));
        }
    }
    found
}

/// Splits a text into sentences, as byte ranges: first those within a line, then those that continue on the next line. Sentences
/// that are too short are left out, and those that are too long are split into overlapping parts.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = sentences_within(text, 0..text.len(), true);
    for paragraph in paragraphs(text) {
        let longer = |sentence: &Range<usize>| text[sentence.clone()].trim().contains('\n');
        found.extend(sentences_within(text, paragraph, false).into_iter().filter(longer));
    }
    found
}

fn sentences_within(text: &str, range: Range<usize>, lines_end: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = range.start;
    let mut ended = false;
    for (at, c) in text[range.clone()].char_indices().chain([(range.len(), '\n')]) {
        let at = range.start + at;
        if (c == '\n' && lines_end) || (c.is_whitespace() && ended) || at == range.end {
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

/// Groups lines into paragraphs, which end at an empty line and before a list item, a table row, a quotation or a heading.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let own = start..start + line.len();
        start = own.end;
        let bare = line.trim_start();
        let number = bare.split_once(['.', ')']).map_or("", |(number, _)| number);
        let numbered = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        match found.last_mut().filter(|_| open && !bare.starts_with(BEGIN) && !numbered && !bare.is_empty()) {
            Some(paragraph) => paragraph.end = own.end,
            None => found.push(own),
        }
        open = !bare.is_empty() && !bare.starts_with('#');
    }
    found
}

/// Splits a long line into overlapping parts.
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
    fn a_seam_has_half_a_piece_on_either_side_but_no_empty_line() {
        let text = format!("{}\n{}\n\n{}\n", "é".repeat(250), "b".repeat(250), "c".repeat(10));
        let read = pieces(&text);
        let astride: Vec<&str> = seams(&text, &read).into_iter().map(|seam| &text[seam]).collect();
        assert_eq!((read.len(), astride), (3, vec![&*format!("{}\n{}", "é".repeat(199), "b".repeat(200))]));
        assert!(seams("a\nb\n", &pieces("a\nb\n")).is_empty());
    }

    #[test]
    fn a_sentence_ends_with_its_mark_or_its_line() {
        let text = "One two. Three four!\nfive | six\nno\n";
        let read: Vec<&str> = sentences(text).into_iter().map(|sentence| text[sentence].trim()).collect();
        assert_eq!(read, ["One two.", "Three four!", "five |", "six\nno"]);
        assert_eq!(sentences(&"x".repeat(1_000)).len(), 4);
    }

    #[test]
    fn a_sentence_goes_on_in_the_next_line_of_its_paragraph() {
        let text = "# Notes\nThe ferry\nleaves at nine. It is\nwhite.\n- Milk and\n  bread\n2. Olive oil\n\nmore\n";
        let read: Vec<&str> = sentences(text).into_iter().map(|sentence| text[sentence].trim()).collect();
        let lines = ["# Notes", "The ferry", "leaves at nine.", "It is", "white.", "- Milk and", "bread", "Olive oil", "more"];
        assert_eq!(read[..9], lines);
        assert_eq!(read[9..], ["The ferry\nleaves at nine.", "It is\nwhite.", "- Milk and\n  bread"]);
    }

    proptest! {
        #[test]
        fn whatever_is_short_is_read_in_one_go_unless_an_empty_line_is_in_it(text in "([a-é ]{0,300}\n){0,6}[a-z]{0,900}") {
            let pieces = pieces(&text);
            let all: Vec<Range<usize>> = seams(&text, &pieces).into_iter().chain(pieces).collect();
            prop_assert!(all.iter().all(|piece| text[piece.clone()].chars().count() <= PIECE_CHARS));
            for (at, _) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
                let short = text[at..].char_indices().nth(OVERLAP_CHARS).map_or(&text[at..], |(end, _)| &text[at..at + end]).trim_end();
                if short.lines().all(|line| !line.trim().is_empty()) {
                    let whole = |piece: &Range<usize>| piece.start <= at && piece.end >= at + short.len();
                    prop_assert!(all.iter().any(whole), "{short:?} at {at}");
                }
            }
        }
    }
}
