//! A text read word by word: the shape and the neighbours of each word, and the probable language.
//!
//! Rules use this instead of searching the text again. It knows no names and makes no decisions.

use super::gazetteer;
use super::language_words as list;
use super::normalise::Folded;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Lower,
    /// One capital, then lower case.
    Capital,
    Upper,
    /// Capitals inside, as in `MacBook`.
    Camel,
    Number,
}

/// One run of letters and digits of the folded text.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts about one word")]
pub(super) struct Word {
    pub start: usize,
    pub end: usize,
    pub shape: Shape,
    /// Not part of an identifier, path, host or address.
    pub alone: bool,
    pub sentence_start: bool,
    pub in_code: bool,
    pub in_quotes: bool,
}

/// The languages whose short words must not be mistaken for English.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Languages {
    pub english: usize,
    pub indonesian: usize,
    pub german: usize,
    pub french: usize,
    pub spanish: usize,
}

pub(super) struct Reading {
    pub folded: Folded,
    pub words: Vec<Word>,
    pub languages: Languages,
    /// Quoted text here is what a screen shows.
    pub shows_screen_text: bool,
    /// Written in capitals throughout.
    pub shouted: bool,
}

impl Reading {
    pub fn new(original: &str) -> Self {
        let folded = Folded::new(original);
        let words = split(&folded.text);
        let mut reading = Self { folded, words, languages: Languages::default(), shows_screen_text: false, shouted: false };
        reading.note_languages();
        reading
    }

    fn note_languages(&mut self) {
        let mut seen = Languages::default();
        let (mut screen, mut upper, mut lower) = (false, 0, 0);
        for word in &self.words {
            let text = &self.folded.lower[word.start..word.end];
            seen.english += usize::from(list::ENGLISH.contains(&text));
            seen.indonesian += usize::from(
                list::INDONESIAN.contains(&text) || gazetteer::is_indonesian(text) && gazetteer::name(text).is_none(),
            );
            seen.german += usize::from(list::GERMAN.contains(&text));
            seen.french += usize::from(list::FRENCH.contains(&text));
            seen.spanish += usize::from(list::SPANISH.contains(&text));
            screen |= !word.in_quotes && list::SCREEN_WORDS.contains(&text);
            upper += usize::from(word.shape == Shape::Upper && text.len() > 1);
            lower += usize::from(word.shape == Shape::Lower || word.shape == Shape::Capital);
        }
        self.languages = seen;
        self.shows_screen_text = screen;
        self.shouted = upper >= 3 && upper > lower * 2;
    }

    pub fn text(&self) -> &str {
        &self.folded.text
    }

    pub fn lower(&self) -> &str {
        &self.folded.lower
    }

    pub fn word(&self, at: usize) -> &str {
        let word = &self.words[at];
        &self.folded.lower[word.start..word.end]
    }

    pub fn as_written(&self, at: usize) -> &str {
        let word = &self.words[at];
        &self.folded.text[word.start..word.end]
    }

    /// The shape; in a text all in capitals, as if only the first letters were.
    pub fn shape(&self, at: usize) -> Shape {
        match self.words[at].shape {
            Shape::Upper if self.shouted => Shape::Capital,
            shape => shape,
        }
    }

    /// The text between a word and the next one.
    pub fn gap(&self, at: usize) -> &str {
        let next = self.words.get(at + 1).map_or(self.folded.text.len(), |word| word.start);
        &self.folded.text[self.words[at].end..next]
    }

    /// The word before, if there are only spaces, quotes or emphasis between.
    pub fn before(&self, at: usize) -> &str {
        if at > 0 && plain_gap(self.gap(at - 1)) { self.word(at - 1) } else { "" }
    }

    /// The word after, if there are only spaces, quotes or emphasis between.
    pub fn after(&self, at: usize) -> &str {
        if at + 1 < self.words.len() && plain_gap(self.gap(at)) { self.word(at + 1) } else { "" }
    }

    /// The index of the word after a possessive `'s`, if there is one.
    pub fn possessed(&self, at: usize) -> Option<usize> {
        let s = at + 1;
        if self.words.get(s).is_some() && self.gap(at) == "'" && self.word(s) == "s" {
            return (s + 1 < self.words.len() && plain_gap(self.gap(s))).then_some(s + 1);
        }
        let plural = self.word(at).ends_with('s') && self.gap(at).starts_with("' ");
        (plural && s < self.words.len()).then_some(s)
    }

    pub fn char_before(&self, at: usize) -> char {
        let start = self.words[at].start;
        start.checked_sub(1).map_or(' ', |i| char::from(self.folded.text.as_bytes()[i]))
    }

    pub fn char_after(&self, at: usize) -> char {
        self.folded.text.as_bytes().get(self.words[at].end).map_or(' ', |b| char::from(*b))
    }

    /// Indonesian words and hardly any English ones.
    pub fn is_indonesian(&self) -> bool {
        self.languages.indonesian > self.languages.english
    }

    pub fn is_german(&self) -> bool {
        self.languages.german > self.languages.english
    }

    pub fn is_french(&self) -> bool {
        self.languages.french > self.languages.english && self.languages.french > self.languages.spanish
    }

    pub fn is_spanish(&self) -> bool {
        self.languages.spanish > self.languages.english
    }
}

fn plain_gap(gap: &str) -> bool {
    !gap.is_empty() && gap.bytes().all(|b| matches!(b, b' ' | b'\t' | b'"' | b'`' | b'*' | b'_' | b'\''))
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == 1
}

fn split(text: &str) -> Vec<Word> {
    let bytes = text.as_bytes();
    let mut words = Vec::with_capacity(bytes.len() / 5);
    let (mut at, mut in_code, mut in_quotes, mut in_single, mut sentence_start) = (0, false, false, false, true);
    while at < bytes.len() {
        let b = bytes[at];
        if !is_word_byte(b) {
            let next = bytes.get(at + 1).copied().unwrap_or(b' ');
            match b {
                b'`' => in_code = !in_code,
                b'"' => in_quotes = !in_quotes,
                // An apostrophe is between letters.
                b'\'' if at == 0 || matches!(bytes[at - 1], b' ' | b'(') => {
                    in_single = next.is_ascii_alphanumeric() && closes(&bytes[at + 1..]);
                }
                b'\'' if !next.is_ascii_alphanumeric() => in_single = false,
                b'.' | b'!' | b'?' | b'\n' | b':' | b';' if b == b'\n' || next.is_ascii_whitespace() => sentence_start = true,
                _ => {}
            }
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_word_byte(bytes[at]) {
            at += 1;
        }
        let alone = !glued_before(bytes, start) && !glued_after(bytes, at);
        let (shape, in_quotes) = (shape_of(&bytes[start..at]), in_quotes || in_single);
        words.push(Word { start, end: at, shape, alone, sentence_start, in_code, in_quotes });
        sentence_start = false;
    }
    words
}

/// Whether a single quotation mark is closed before its sentence ends.
fn closes(bytes: &[u8]) -> bool {
    const FAR: usize = 200;
    let bytes = &bytes[..bytes.len().min(FAR)];
    let ends = |at: &usize| bytes[*at] == b'\'' && !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    let stops = |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_whitespace);
    (0..bytes.len()).find(|at| ends(at) || stops(at)).is_some_and(|at| bytes[at] == b'\'')
}

fn glued_before(bytes: &[u8], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).map(|i| bytes[i]) else { return false };
    let further = start.checked_sub(2).map_or(b' ', |i| bytes[i]);
    match before {
        b'_' | b'-' | b'.' | b':' => {
            is_word_byte(further) || further == before && before != b'-' || before == b'.' && further == b' '
        }
        b'/' | b'\\' | b'@' | b'#' | b'$' | b'&' | b'=' | b'%' | b'~' => true,
        _ => false,
    }
}

fn glued_after(bytes: &[u8], end: usize) -> bool {
    let Some(&after) = bytes.get(end) else { return false };
    let further = bytes.get(end + 1).copied().unwrap_or(b' ');
    match after {
        b'_' => true,
        b'-' | b'.' | b'/' | b'@' | b'\\' | b'+' | b'=' => {
            is_word_byte(further) || further == after && after != b'-' && after != b'.'
        }
        b':' => further == b':' || further == b'/',
        b'(' => further == b')',
        _ => false,
    }
}

fn shape_of(word: &[u8]) -> Shape {
    let letters = word.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let upper = word.iter().filter(|b| b.is_ascii_uppercase()).count();
    match (letters, upper) {
        (0, _) => Shape::Number,
        (_, 0) => Shape::Lower,
        (1, 1) => Shape::Capital,
        (all, up) if all == up => Shape::Upper,
        (_, 1) if word[0].is_ascii_uppercase() => Shape::Capital,
        _ => Shape::Camel,
    }
}
