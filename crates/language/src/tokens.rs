//! The tokens of folded text: runs of letters, runs of digits, and single marks.

/// A run of letters, a run of digits, or one mark.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub shape: Shape,
    /// Whether it is the first word of a sentence.
    pub starts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A run of this many digits.
    Digits(u8),
    Mark,
    /// One letter: `a`, `A`.
    Small,
    Initial,
    /// `word`, `Word`, `WORD`, `woRd`.
    Lower,
    Capital,
    Upper,
    Mixed,
}

impl Token {
    #[must_use]
    pub fn is_word(&self) -> bool {
        !matches!(self.shape, Shape::Digits(_) | Shape::Mark)
    }

    #[must_use]
    pub fn is_mark(&self) -> bool {
        self.shape == Shape::Mark
    }
}

impl Shape {
    fn of(token: &[u8]) -> Self {
        let upper = token.iter().filter(|b| b.is_ascii_uppercase()).count();
        match (token[0], token.len(), upper) {
            (b'0'..=b'9', length, _) => Self::Digits(u8::try_from(length).unwrap_or(u8::MAX)),
            (first, ..) if !is_letter(first) => Self::Mark,
            (_, 1, 0) => Self::Small,
            (_, 1, _) => Self::Initial,
            (_, _, 0) => Self::Lower,
            (_, length, upper) if length == upper => Self::Upper,
            (first, _, 1) if first.is_ascii_uppercase() => Self::Capital,
            _ => Self::Mixed,
        }
    }

    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Digits(length) => ["0", "0", "00", "000", "0000", "00000"][usize::from(length.min(5))],
            Self::Mark => ".",
            Self::Small => "a",
            Self::Initial => "A",
            Self::Lower => "aa",
            Self::Capital => "Aa",
            Self::Upper => "AA",
            Self::Mixed => "aA",
        }
    }
}

/// A letter of another script stands as one byte in folded text.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == 1
}

/// The tokens of a folded text, in order.
#[must_use]
pub fn tokens(folded: &str) -> Vec<Token> {
    let bytes = folded.as_bytes();
    let kind = |byte: u8| (is_letter(byte), byte.is_ascii_digit());
    let (mut tokens, mut at, mut starts) = (Vec::with_capacity(bytes.len() / 4), 0, true);
    while at < bytes.len() {
        let start = at;
        let mark = kind(bytes[at]) == (false, false);
        at += if mark { 1 } else { bytes[at..].iter().take_while(|byte| kind(**byte) == kind(bytes[start])).count() };
        if bytes[start].is_ascii_whitespace() {
            continue;
        }
        let mut token = Token { start, end: at, shape: Shape::of(&bytes[start..at]), starts: false };
        token.starts = starts && token.is_word();
        let ends = matches!(bytes[start], b'.' | b'!' | b'?' | b':' | b';') && bytes.get(at).is_none_or(u8::is_ascii_whitespace);
        starts = !token.is_word() && (starts || ends);
        tokens.push(token);
    }
    tokens
}
