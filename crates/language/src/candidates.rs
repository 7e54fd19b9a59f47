//! Parts of a text that may point at a person or hold a secret: possible names, possible pronouns, and *chunks*: runs between
//! spaces that are more than a word (numbers, addresses, identifiers).
//!
//! The features of a part say how the lists know it, how it is written, and what its neighbours are. They do not say what any of
//! it means; the head has learned that.

use crate::features::{Feature, Hash, Kind, Part, Text, letters, share};
use crate::lexicon::{self, Known};
use crate::tokens::Shape;

/// Weights of all letters of a name or a chunk, and of the words near it, relative to the other features.
const LETTERS_OF_NAME: f32 = 0.7;
const LETTERS_OF_CHUNK: f32 = 0.5;
const NEAR: f32 = 0.7;
/// Number of tokens before and after a part that are near.
const BEFORE: usize = 6;
const AFTER: usize = 5;
/// Marks around a chunk that are not part of it.
const OPENING: &str = "\"'([{<`*";
const CLOSING: &str = ".,;:!?)]}>\"'`*";

/// Every part of a text: the whole, names, chunks, pronouns.
#[must_use]
pub fn parts(text: &Text<'_>) -> Vec<Part> {
    let reader = Reader::new(text);
    let all = 0..text.tokens.len();
    let mut parts = vec![text.whole()];
    parts.extend(all.clone().filter(|at| reader.candidate[*at]).map(|at| reader.name(at)));
    parts.extend(chunks(text).into_iter().chain(spoken_numbers(text)).map(|(from, to)| reader.chunk(from, to)));
    parts.extend(
        all.filter(|at| !lexicon::pronouns(text.lower(*at)).is_empty() || clitic(text.lower(*at)).is_some())
            .map(|at| reader.pronoun(at)),
    );
    parts
}

/// Runs of tokens without spaces between them, unless they are one word; without the marks around them. Numbers may have spaces.
#[must_use]
pub fn chunks(text: &Text<'_>) -> Vec<(usize, usize)> {
    let is_one_of = |at: usize, marks: &str| text.tokens[at].is_mark() && marks.contains(text.lower(at));
    let (mut chunks, mut start) = (Vec::new(), 0);
    while start < text.tokens.len() {
        let mut end = glued_end(text, start);
        let mut goes_on = is_numeric(text, start, end);
        while goes_on && end < text.tokens.len() {
            let (piece, next) = (end, glued_end(text, end));
            let last = (piece..next).rev().find(|at| !is_one_of(*at, CLOSING)).map_or(piece, |at| at + 1);
            let numeric = is_numeric(text, piece, last);
            end = if numeric { next } else { end };
            goes_on = numeric && last == next;
        }
        let (mut from, mut to) = (start, end);
        while from < to && is_one_of(from, OPENING) {
            from += 1;
        }
        while to > from && is_one_of(to - 1, CLOSING) {
            to -= 1;
        }
        // `Dana's`, `don't`
        if to > from + 2 && text.lower(to - 2) == "'" && text.lower(to - 1).len() <= 2 {
            to -= 2;
        }
        if is_date(text, from, to) {
            start = end;
            continue;
        }
        if to > from + 1 || to == from + 1 && !text.tokens[from].is_word() && !text.tokens[from].is_mark() {
            chunks.push((from, to));
        }
        start = end;
    }
    chunks
}

/// Whether it is a date, such as `2025-01-31`. A day points at no one; dates of birth have a form of their own.
fn is_date(text: &Text<'_>, from: usize, to: usize) -> bool {
    let pieces: Vec<&str> = (from..to).map(|at| text.lower(at)).collect();
    let [year, "-", month, "-", day] = pieces[..] else { return false };
    let within =
        |piece: &str, digits: usize, most: u32| piece.len() == digits && piece.parse().is_ok_and(|n: u32| n >= 1 && n <= most);
    within(year, 4, 9999) && within(month, 2, 12) && within(day, 2, 31)
}

/// Rows of at least four number words, with what people say between them: `zero four one six, double two`.
fn spoken_numbers(text: &Text<'_>) -> Vec<(usize, usize)> {
    const LEAST: usize = 4;
    let is_number = |at: usize| lexicon::number(text.lower(at)).is_some();
    let goes_on =
        |at: usize| is_number(at) || matches!(text.lower(at), "," | "-" | "+") || lexicon::is_between_digits(text.lower(at));
    let (mut rows, mut at) = (Vec::new(), 0);
    while at < text.tokens.len() {
        if !is_number(at) {
            at += 1;
            continue;
        }
        let end = (at..text.tokens.len()).find(|at| !goes_on(*at)).unwrap_or(text.tokens.len());
        if (at..end).filter(|at| is_number(*at)).count() >= LEAST {
            rows.push((at, end));
        }
        at = end.max(at + 1);
    }
    rows
}

fn glued_end(text: &Text<'_>, start: usize) -> usize {
    (start..text.tokens.len()).find(|at| !text.is_glued(*at)).map_or(text.tokens.len(), |last| last + 1)
}

/// Whether it has only digits and marks of numbers. Numbers with spaces between them are one: `+62 812 3456`.
fn is_numeric(text: &Text<'_>, from: usize, to: usize) -> bool {
    let numeric = |at: usize| match text.tokens[at].shape {
        Shape::Digits(_) => true,
        Shape::Mark => "+()-/".contains(text.lower(at)),
        _ => false,
    };
    (from..to).all(numeric) && (from..to).any(|at| !text.tokens[at].is_mark())
}

/// The stem of a word that ends or begins like an Indonesian pronoun: `laptopku`, `timmu`, `kukirim`.
#[must_use]
pub fn clitic(word: &str) -> Option<&str> {
    const SHORTEST: usize = 5;
    let stem = word.strip_suffix("ku").or_else(|| word.strip_suffix("mu")).or_else(|| word.strip_prefix("ku"));
    stem.filter(|_| word.len() >= SHORTEST)
}

/// A text with what the lists know about its words.
struct Reader<'a> {
    text: &'a Text<'a>,
    known: Vec<Known>,
    /// Whether each word could be a name.
    candidate: Vec<bool>,
    /// Whether it is written in capitals throughout, or without any.
    shouted: bool,
    small: bool,
    language: u8,
    /// Share of the words on no list, in quarters.
    unknown: u8,
}

/// The neighbour of a part: an edge of the text, a word that could be a name, or any other token.
enum Neighbour<'a> {
    Edge(&'static str),
    Candidate(u8, u8),
    Token(&'a str),
}

impl Hash {
    fn next(self, neighbour: &Neighbour<'_>) -> Self {
        match neighbour {
            Neighbour::Edge(edge) => self.and(edge).code(1),
            Neighbour::Candidate(known, written) => self.code(*known).code(*written).code(2),
            Neighbour::Token(token) => self.and(token),
        }
    }
}

impl<'a> Reader<'a> {
    fn new(text: &'a Text<'a>) -> Self {
        let tokens = &text.tokens;
        let known: Vec<Known> = (0..tokens.len())
            .map(|at| if tokens[at].is_word() { lexicon::known(text.lower(at)) } else { Known::default() })
            .collect();
        let possible = |at: usize| {
            let (token, known) = (&tokens[at], &known[at]);
            let capital_inside = !matches!(token.shape, Shape::Lower | Shape::Small) && !token.starts;
            token.is_word()
                && text.lower(at).len() > 1
                && (known.name.is_some() || known.is_unknown() && !lexicon::is_common_anywhere(text.lower(at)) || capital_inside)
        };
        let candidate = (0..tokens.len()).map(possible).collect();
        let count = |wanted: &[Shape]| tokens.iter().filter(|token| wanted.contains(&token.shape)).count();
        let upper = count(&[Shape::Upper]);
        let shouted = upper >= 3 && upper > 2 * count(&[Shape::Lower, Shape::Capital]);
        let small = count(&[Shape::Initial, Shape::Capital, Shape::Upper, Shape::Mixed]) == 0;
        let language = lexicon::language((0..tokens.len()).map(|at| text.lower(at))) as u8;
        let words = tokens.iter().filter(|token| token.is_word()).count();
        let unknown = (0..tokens.len()).filter(|at| tokens[*at].is_word() && known[*at].is_unknown()).count();
        let unknown = u8::try_from(4 * unknown / words.max(1)).unwrap_or(0);
        Self { text, known, candidate, shouted, small, language, unknown }
    }

    /// Code for the capitals of a word, in a text that may have capitals everywhere or nowhere.
    fn written(&self, at: usize) -> u8 {
        match self.text.tokens[at].shape {
            Shape::Capital | Shape::Initial => b'C',
            Shape::Upper if self.shouted => b'C',
            Shape::Upper => b'U',
            Shape::Mixed => b'M',
            _ if self.small => b's',
            _ => b'l',
        }
    }

    fn neighbour(&self, at: Option<usize>) -> Neighbour<'a> {
        let Some(at) = at else { return Neighbour::Edge("^") };
        let Some(token) = self.text.tokens.get(at) else { return Neighbour::Edge("$") };
        match token.shape {
            _ if self.candidate[at] => Neighbour::Candidate(self.known[at].code(), self.written(at)),
            Shape::Digits(_) => Neighbour::Token(token.shape.code()),
            _ => Neighbour::Token(self.text.lower(at)),
        }
    }

    /// The tokens that stand next to a word without a space, before and after.
    fn glue(&self, at: usize) -> [&'a str; 2] {
        let before = at.checked_sub(1).filter(|before| self.text.is_glued(*before));
        let after = Some(at + 1).filter(|_| self.text.is_glued(at));
        [before, after].map(|at| at.map_or(" ", |at| self.text.lower(at)))
    }

    /// The last letters of a word, or another token.
    fn ending(&self, at: usize) -> &'a str {
        const LETTERS: usize = 2;
        let Some(token) = self.text.tokens.get(at) else { return "$" };
        let word = self.text.lower(at);
        if token.is_word() { &word[word.len().saturating_sub(LETTERS)..] } else { word }
    }

    fn name(&self, at: usize) -> Part {
        let (word, known, written) = (self.text.lower(at), self.known[at], self.written(at));
        let (code, name, starts) = (known.code(), known.name_code(), u8::from(self.text.tokens[at].starts));
        let [before, before2] = [at.checked_sub(1), at.checked_sub(2)].map(|at| self.neighbour(at));
        let [after, after2, after3] = [at + 1, at + 2, at + 3].map(|at| self.neighbour(Some(at)));
        let glue = self.glue(at);
        let mut found = vec![
            Hash::of("known").code(code).code(written).code(starts),
            Hash::of("list").code(code),
            Hash::of("written").code(written),
            Hash::of("before").next(&before),
            Hash::of("after").next(&after),
            Hash::of("known before").code(name).code(written).next(&before),
            Hash::of("known after").code(name).code(written).next(&after),
            Hash::of("between").next(&before).next(&after),
            Hash::of("two before").next(&before2).next(&before),
            Hash::of("two after").next(&after).next(&after2),
            Hash::of("second before").next(&before2),
            Hash::of("second after").next(&after2),
            Hash::of("ending after").code(name).code(written).code(starts).and(self.ending(at + 1)),
            Hash::of("ending before").code(name).code(written).and(at.checked_sub(1).map_or("^", |at| self.ending(at))),
            Hash::of("in").code(code).code(written).code(self.language).code(self.unknown),
            Hash::of("glue").and(glue[0]).and(glue[1]),
            Hash::of("known glue").code(name).code(written).and(glue[0]).and(glue[1]),
            Hash::of("word").and(word),
            Hash::of("written word").and(word).code(written),
        ];
        for (place, at) in [
            ("second beside before", at.checked_sub(2)),
            ("beside before", at.checked_sub(1)),
            ("beside after", Some(at + 1)),
            ("second beside", Some(at + 2)),
        ] {
            let beside = at.filter(|at| *at < self.text.tokens.len()).map_or(0, |at| lexicon::beside(self.text.lower(at)));
            for bit in (0..16).filter(|bit| beside >> bit & 1 == 1) {
                let hash = Hash::of(place).code(bit);
                found.extend([hash, hash.code(name).code(written).code(starts)]);
            }
        }
        if matches!((&after, &after2), (Neighbour::Token("'"), Neighbour::Token("s"))) {
            found.extend([Hash::of("owns").next(&after3), Hash::of("known owns").code(name)]);
        }
        let mut part = self.part(Kind::Name, at, at + 1, "name");
        share(&mut part.features, found.into_iter().map(|hash| (hash, at)).collect(), 1.0);
        let mut of_letters = Vec::new();
        letters(word, |piece| of_letters.push((Hash::of("letters of name").and(piece), at)));
        share(&mut part.features, of_letters, LETTERS_OF_NAME);
        let near = (at.saturating_sub(BEFORE)..at).chain(at + 1..(at + 1 + AFTER).min(self.text.tokens.len()));
        let near = near.filter(|near| self.text.tokens[*near].is_word()).flat_map(|near| {
            let word = self.text.lower(near);
            [
                (Hash::of("near name").code(u8::from(near > at)).and(word), near),
                (Hash::of("near known").code(name).and(word), near),
            ]
        });
        share(&mut part.features, near.collect(), NEAR);
        part
    }

    fn pronoun(&self, at: usize) -> Part {
        let (word, written) = (self.text.lower(at), self.written(at));
        let [before, before2] = [at.checked_sub(1), at.checked_sub(2)].map(|at| self.neighbour(at));
        let [after, after2] = [at + 1, at + 2].map(|at| self.neighbour(Some(at)));
        let glue = self.glue(at);
        let of = |kind: &str| Hash::of(kind).and(word);
        let mut found = vec![
            of("pronoun"),
            of("pronoun written").code(written).code(u8::from(self.text.tokens[at].starts)),
            of("pronoun before").next(&before),
            of("pronoun after").next(&after),
            of("pronoun between").next(&before).next(&after),
            of("pronoun two after").next(&after).next(&after2),
            of("pronoun two before").next(&before2).next(&before),
            of("pronoun glue").and(glue[0]).and(glue[1]),
            Hash::of("any pronoun glue").and(glue[0]).and(glue[1]),
            Hash::of("any pronoun before").next(&before),
            Hash::of("any pronoun after").next(&after),
        ];
        if let Some(stem) = clitic(word) {
            let known = lexicon::known(stem);
            let ending = Hash::of("clitic").code(known.code()).code(self.known[at].code());
            found.extend([ending, ending.code(u8::from(word.starts_with("ku")))]);
        }
        let mut part = self.part(Kind::Pronoun, at, at + 1, "any pronoun");
        share(&mut part.features, found.into_iter().map(|hash| (hash, at)).collect(), 1.0);
        part
    }

    fn chunk(&self, from: usize, to: usize) -> Part {
        let (form, coarse, mut found) = self.form(from, to);
        let neighbours = [from.checked_sub(2), from.checked_sub(1), Some(to)].map(|at| self.neighbour(at));
        let [before2, before, after] = &neighbours;
        found.extend([
            form,
            Hash::of("before chunk").next(before),
            Hash::of("after chunk").next(after),
            Hash::of("two before chunk").next(before2).next(before),
            coarse.and("before").next(before),
            coarse.and("after").next(after),
            Hash::of("first of chunk").and(self.text.lower(from)),
            Hash::of("last of chunk").and(self.text.lower(to - 1)),
            coarse.and("first").and(self.text.lower(from)),
            coarse.and("last").and(self.text.lower(to - 1)),
        ]);
        let mut part = self.part(Kind::Chunk, from, to, "chunk");
        share(&mut part.features, found.into_iter().map(|hash| (hash, from)).collect(), 1.0);
        let mut of_letters = Vec::new();
        for at in (from..to).filter(|at| self.text.tokens[*at].is_word()) {
            letters(self.text.lower(at), |piece| of_letters.push((Hash::of("letters of chunk").and(piece), at)));
        }
        share(&mut part.features, of_letters, LETTERS_OF_CHUNK);
        let near = (from.saturating_sub(BEFORE)..from).chain(to..(to + AFTER).min(self.text.tokens.len()));
        let near = near.filter(|at| self.text.tokens[*at].is_word()).flat_map(|at| {
            let word = self.text.lower(at);
            [(Hash::of("near chunk").and(word), at), (coarse.and("near").and(word), at)]
        });
        share(&mut part.features, near.collect(), NEAR);
        part
    }

    /// The exact form of a chunk, its coarse form, and features of its pieces.
    fn form(&self, from: usize, to: usize) -> (Hash, Hash, Vec<Hash>) {
        let (mut form, mut coarse, mut found) = (Hash::of("form"), Hash::of("coarse form"), Vec::new());
        let spoken = (from..to).filter(|at| lexicon::number(self.text.lower(*at)).is_some()).count();
        let (mut digits, mut upper, mut lower, mut marks, mut last) = (0_u8, false, false, false, 0);
        for at in from..to {
            let (token, piece) = (&self.text.tokens[at], self.text.lower(at));
            form = form.and(if token.is_mark() { piece } else { token.shape.code() });
            let class = match token.shape {
                Shape::Digits(length) => {
                    digits = digits.saturating_add(length);
                    b'0'
                }
                Shape::Mark => {
                    marks = true;
                    found.push(Hash::of("mark").and(piece));
                    piece.as_bytes()[0]
                }
                shape => {
                    upper |= !matches!(shape, Shape::Lower | Shape::Small);
                    lower |= !matches!(shape, Shape::Upper | Shape::Initial);
                    self.piece(from, to, at, &mut found);
                    b'a'
                }
            };
            if class != last {
                coarse = coarse.code(class);
            }
            last = class;
        }
        let mixed = [upper, lower, marks]
            .into_iter()
            .fold(Hash::of("mixed").code(digits.min(24) / 2), |hash, has| hash.code(u8::from(has)));
        found.push(Hash::of("spoken").code(u8::try_from(spoken.min(12)).unwrap_or(u8::MAX)));
        let length = u8::try_from((to - from).min(12)).unwrap_or(u8::MAX);
        found.extend([coarse, mixed, Hash::of("pieces").code(length), Hash::of("digits").code(digits.min(12))]);
        (form, coarse, found)
    }

    /// A run of letters in a chunk.
    fn piece(&self, from: usize, to: usize, at: usize, found: &mut Vec<Hash>) {
        const FAR: usize = 3;
        let (piece, known) = (self.text.lower(at), self.known[at]);
        let place = [at - from, to - 1 - at].map(|steps| u8::try_from(steps.min(FAR)).unwrap_or(0));
        found.extend([
            Hash::of("piece").and(piece),
            Hash::of("known piece").code(known.code()).code(self.written(at)),
            Hash::of("piece at").code(known.name_code()).code(u8::from(known.is_unknown())).code(place[0]).code(place[1]),
        ]);
        if at > from {
            found.push(Hash::of("piece after").and(piece).and(self.text.lower(at - 1)));
        }
        if at + 1 < to {
            found.push(Hash::of("piece before").and(piece).and(self.text.lower(at + 1)));
        }
    }

    /// A part whose only feature is that of its kind.
    fn part(&self, kind: Kind, from: usize, to: usize, name: &str) -> Part {
        let token = u32::try_from(from).unwrap_or(0);
        let features = vec![Feature { bucket: Hash::of(name).bucket(), share: 1.0, token }];
        Part { kind, span: (self.text.tokens[from].start, self.text.tokens[to - 1].end), features }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::Folded;

    fn spans(text: &str, kind: Kind) -> Vec<String> {
        let folded = Folded::new(text);
        let parts = parts(&Text::new(&folded));
        parts.iter().filter(|part| part.kind == kind).map(|part| folded.text[part.span.0..part.span.1].to_owned()).collect()
    }

    #[test]
    fn words_that_could_be_names_are_parts() {
        assert_eq!(spans("The build failed. Ask Priya about Zorvex.", Kind::Name), ["Priya", "Zorvex"]);
        assert_eq!(spans("ping budi", Kind::Name), ["budi"]);
        assert_eq!(parts(&Text::new(&Folded::new(""))).len(), 1);
    }

    #[test]
    fn chunks_are_more_than_a_word() {
        let text = "Mail (dana@example.org), see `main.rs`: Dana's port is 8080.";
        assert_eq!(spans(text, Kind::Chunk), ["dana@example.org", "main.rs", "8080"]);
        assert_eq!(spans("On 2025-01-31 call +62 812 3456 7890.", Kind::Chunk), ["+62 812 3456 7890"]);
        assert!(spans("\"'()' . *", Kind::Chunk).is_empty());
    }

    #[test]
    fn words_that_could_be_pronouns_are_parts() {
        assert_eq!(spans("My build is on laptopku", Kind::Pronoun), ["My", "laptopku"]);
    }
}
