//! The features of a text, which a head reads: each is a bucket of a hash with a share (the hashing trick of Weinberger et al.
//! 2009, arXiv:0902.2206). A text has several *parts*, and a head may object to any of them.
//!
//! The first part is the whole text: runs of words, letters and word shapes. For a head about persons, `candidates` adds parts
//! for single words. For a head about orders, each sentence of a longer text is a part.

use crate::fold::Folded;
use crate::tokens::{Shape, Token, tokens};

/// Number of hash buckets.
pub const BUCKETS: u32 = 1 << 17;
/// The longest run of words, and of word shapes, in one feature.
const WORDS: usize = 3;
const SHAPES: usize = 4;
/// Numbers of letters in a feature of letters.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=4;
/// Marks that are read like words.
const MARKS: &str = "?!.,:;\"`@/_'-";

/// One feature of a part.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    pub bucket: u32,
    pub share: f32,
    /// The token that it begins at.
    pub token: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Whole,
    Sentence,
    /// A word that could be a name.
    Name,
    /// A run between spaces that is more than a word: a number, an address, an identifier.
    Chunk,
    /// A word that could be a pronoun.
    Pronoun,
}

/// Something in a text that a head may object to.
#[derive(Debug)]
pub struct Part {
    pub kind: Kind,
    /// Bytes of the folded text.
    pub span: (usize, usize),
    pub features: Vec<Feature>,
}

/// A text and the tokens that its features are made of.
#[derive(Debug)]
pub struct Text<'a> {
    folded: &'a str,
    lower: &'a str,
    pub tokens: Vec<Token>,
}

impl<'a> Text<'a> {
    #[must_use]
    pub fn new(folded: &'a Folded) -> Self {
        Self { folded: &folded.text, lower: &folded.lower, tokens: tokens(&folded.text) }
    }

    /// A token in lower case.
    #[must_use]
    pub fn lower(&self, at: usize) -> &'a str {
        let token = &self.tokens[at];
        &self.lower[token.start..token.end]
    }

    /// Whether no space stands between this token and the next.
    #[must_use]
    pub fn is_glued(&self, at: usize) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| next.start == self.tokens[at].end)
    }

    /// The whole text and, if it has several, its sentences.
    #[must_use]
    pub fn sentences(&self) -> Vec<Part> {
        let mut starts = vec![0];
        starts.extend((1..self.tokens.len()).filter(|at| self.ends_sentence(*at - 1)));
        let ends = starts.iter().skip(1).copied().chain([self.tokens.len()]);
        let sentences = starts.iter().copied().zip(ends).filter(|_| starts.len() > 1);
        let sentences = sentences.map(|(from, to)| self.run(Kind::Sentence, from, to));
        std::iter::once(self.whole()).chain(sentences).collect()
    }

    fn ends_sentence(&self, at: usize) -> bool {
        let gap = &self.folded[self.tokens[at].end..self.tokens[at + 1].start];
        gap.contains('\n') || self.lower(at) == ";" || matches!(self.lower(at), "." | "!" | "?" | ":") && !gap.is_empty()
    }

    #[must_use]
    pub fn whole(&self) -> Part {
        self.run(Kind::Whole, 0, self.tokens.len())
    }

    /// Runs of words, letters and shapes of the tokens `from..to`.
    fn run(&self, kind: Kind, from: usize, to: usize) -> Part {
        let mut features = Vec::new();
        share(&mut features, self.runs_of_words(from, to), 1.0);
        let mut of_letters = Vec::new();
        for at in (from..to).filter(|at| self.is_read(*at)) {
            letters(self.as_word(at), |piece| of_letters.push((Hash::of("letters").and(piece), at)));
        }
        share(&mut features, of_letters, 1.0);
        let mut of_shapes = Vec::new();
        for run in (1..=SHAPES).flat_map(|length| (from..(to + 1).saturating_sub(length)).map(move |at| at..at + length)) {
            let edges = Hash::of("shapes").code(u8::from(run.start == from)).code(u8::from(run.end == to));
            of_shapes.push((run.clone().fold(edges, |hash, at| hash.and(self.as_shape(at))), run.start));
        }
        share(&mut features, of_shapes, 1.0);
        features.push(Feature { bucket: Hash::of("whole").bucket(), share: 1.0, token: 0 });
        let span = if from < to { (self.tokens[from].start, self.tokens[to - 1].end) } else { (0, 0) };
        Part { kind, span, features }
    }

    fn runs_of_words(&self, from: usize, to: usize) -> Vec<(Hash, usize)> {
        let read = (from..to).filter(|at| self.is_read(*at)).map(|at| (at, self.as_word(at)));
        let words: Vec<(usize, &str)> = std::iter::once((from, "^")).chain(read).chain([(to, "$")]).collect();
        let runs = (1..=WORDS).flat_map(|length| words.windows(length));
        runs.map(|run| (run.iter().fold(Hash::of("words"), |hash, (_, word)| hash.and(word)), run[0].0)).collect()
    }

    fn is_read(&self, at: usize) -> bool {
        !self.tokens[at].is_mark() || MARKS.contains(self.lower(at))
    }

    /// Returns the word of a token; all numbers are the same word.
    fn as_word(&self, at: usize) -> &'a str {
        if matches!(self.tokens[at].shape, Shape::Digits(_)) { "0" } else { self.lower(at) }
    }

    fn as_shape(&self, at: usize) -> &'a str {
        if self.tokens[at].is_mark() { self.lower(at) } else { self.tokens[at].shape.code() }
    }
}

/// Adds each feature once; together they count as much as `weight`, however many there are.
pub(crate) fn share(features: &mut Vec<Feature>, found: Vec<(Hash, usize)>, weight: f32) {
    let mut found: Vec<(u32, usize)> = found.into_iter().map(|(hash, token)| (hash.bucket(), token)).collect();
    found.sort_unstable();
    found.dedup_by_key(|(bucket, _)| *bucket);
    #[expect(clippy::cast_precision_loss, reason = "a text has far fewer than 2^23 features")]
    let share = weight / (found.len().max(1) as f32).sqrt();
    features.extend(found.into_iter().map(|(bucket, token)| Feature { bucket, share, token: u32::try_from(token).unwrap_or(0) }));
}

/// Every run of a few letters of a word and the spaces around it.
pub(crate) fn letters(word: &str, mut each: impl FnMut(&str)) {
    let padded = format!(" {word} ");
    for length in LETTERS {
        for start in 0..(padded.len() + 1).saturating_sub(length) {
            each(&padded[start..start + length]);
        }
    }
}

/// FNV-1a: the same on every platform and with every compiler.
#[derive(Clone, Copy)]
pub(crate) struct Hash(u64);

impl Hash {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;

    pub fn of(kind: &str) -> Self {
        Self(Self::BASIS).and(kind)
    }

    pub fn code(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(Self::PRIME))
    }

    /// Adds a separate part: `a`, `b` is not `ab`.
    pub fn and(self, text: &str) -> Self {
        text.bytes().fold(self, Self::code).code(0)
    }

    pub fn bucket(self) -> u32 {
        // The low bits depend on few bits of the text, so the high bits are folded in.
        let folded = (self.0 ^ (self.0 >> 32)).to_le_bytes();
        u32::from_le_bytes([folded[0], folded[1], folded[2], folded[3]]) % BUCKETS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_a_longer_text_are_parts() {
        let folded = Folded::new("One. Two 1.5 three\nFour");
        let parts = Text::new(&folded).sentences();
        let spans: Vec<&str> = parts[1..].iter().map(|part| &folded.text[part.span.0..part.span.1]).collect();
        assert_eq!(spans, ["One.", "Two 1.5 three", "Four"]);
        assert_eq!(Text::new(&Folded::new("One")).sentences().len(), 1);
        assert_eq!(Text::new(&Folded::new("")).sentences().len(), 1);
    }

    #[test]
    fn a_part_of_a_hash_has_its_own_end() {
        assert_ne!(Hash::of("a").and("b").bucket(), Hash::of("ab").bucket());
    }
}
