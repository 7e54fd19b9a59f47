//! Classifies a short text into one of a few classes.
//!
//! Multinomial logistic regression over hashed n-grams of words, letters and word shapes; the hashing trick is that of Weinberger
//! et al. 2009 (arXiv:0902.2206). The weights are bytes that `learning` made from labelled lines; here they are only read. Time
//! is linear in the length of the text, which is read up to a limit.

use std::borrow::Cow;

/// Number of hash buckets.
pub(super) const BUCKETS: usize = 1 << 17;
/// Longest n-gram of words, of shapes, and of letters.
const WORDS: usize = 3;
const SHAPES: usize = 4;
const LETTERS: std::ops::RangeInclusive<usize> = 2..=4;
/// Only this many characters of a text are read.
const READ_MAX_CHARS: usize = 2_000;
/// The bytes before the weights: the value of one step of a weight, as a little-endian `f32`.
pub(super) const SCALE_BYTES: usize = 4;

/// A linear classifier of short texts into `N` classes.
#[derive(Debug)]
pub struct Classifier<const N: usize> {
    /// The scale, then a row for each bucket: for every class except the first, a signed byte with its weight minus that of the
    /// first.
    packed: Cow<'static, [u8]>,
}

/// The features of a text: buckets with their share.
pub(super) type Features = Vec<(usize, f32)>;

impl<const N: usize> Classifier<N> {
    /// Uses weights as `learning` packs them.
    ///
    /// # Panics
    ///
    /// If they are for another number of classes; for a constant, the build fails.
    #[must_use]
    pub const fn embedded(packed: &'static [u8]) -> Self {
        assert!(packed.len() == SCALE_BYTES + BUCKETS * (N - 1));
        Self { packed: Cow::Borrowed(packed) }
    }

    #[cfg(test)]
    pub(super) fn of(packed: Vec<u8>) -> Self {
        assert_eq!(packed.len(), SCALE_BYTES + BUCKETS * (N - 1));
        Self { packed: Cow::Owned(packed) }
    }

    /// The probability of each class; they sum to one.
    #[must_use]
    pub fn classify(&self, text: &str) -> [f32; N] {
        self.judge(&features(text))
    }

    /// The same for a text whose features are known.
    pub(super) fn judge(&self, features: &Features) -> [f32; N] {
        let mut scores = [0.0; N];
        for &(bucket, share) in features {
            let row = &self.packed[SCALE_BYTES + bucket * (N - 1)..][..N - 1];
            for (score, &weight) in scores[1..].iter_mut().zip(row) {
                *score += f32::from(weight.cast_signed()) * share;
            }
        }
        let scale = f32::from_le_bytes([self.packed[0], self.packed[1], self.packed[2], self.packed[3]]);
        shares(scores.map(|score| score * scale))
    }
}

/// The softmax: probabilities of classes with these scores. It uses `libm`, because a platform's exponential function may differ
/// in the last bit, and learned weights must be the same everywhere.
pub(super) fn shares<const N: usize>(scores: [f32; N]) -> [f32; N] {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let raised = scores.map(|score| libm::expf(score - highest));
    let sum: f32 = raised.iter().sum();
    raised.map(|score| score / sum)
}

pub(super) fn features(text: &str) -> Features {
    let written: String = text.chars().take(READ_MAX_CHARS).collect();
    let lower = written.to_lowercase();
    let words: Vec<&str> = ends(tokens(&lower).filter_map(word));
    let shapes: Vec<String> = ends(tokens(&written)).into_iter().map(shape).collect();
    let runs = |of: &[&str], longest: usize, mark: &'static str| -> Vec<usize> {
        (1..=longest).flat_map(|run| of.windows(run)).map(|run| bucket([mark].into_iter().chain(run.iter().copied()))).collect()
    };
    let mut of_letters = Vec::new();
    for word in &words[1..words.len() - 1] {
        let padded = format!(" {word} ");
        let starts: Vec<usize> = padded.char_indices().map(|(at, _)| at).chain([padded.len()]).collect();
        for run in LETTERS {
            of_letters.extend(starts.windows(run + 1).map(|ends| bucket(["/", &padded[ends[0]..ends[run]]])));
        }
    }
    let shapes: Vec<&str> = shapes.iter().map(String::as_str).collect();
    let mut features = Vec::new();
    for mut block in [runs(&words, WORDS, "_"), of_letters, runs(&shapes, SHAPES, "#")] {
        block.sort_unstable();
        block.dedup();
        #[allow(clippy::cast_precision_loss)]
        let share = 1.0 / (block.len().max(1) as f32).sqrt();
        features.extend(block.into_iter().map(|bucket| (bucket, share)));
    }
    features
}

/// The parts of a text, between markers for its start and end.
fn ends<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    ["^"].into_iter().chain(parts).chain(["$"]).collect()
}

/// Runs of letters, runs of digits, and single marks.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let kind = |c: char| (c.is_alphabetic() || c == '\'' || c == '’', c.is_numeric());
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = match kind(first) {
            (false, false) => first.len_utf8(),
            kind_of_first => rest.find(|c| kind(c) != kind_of_first).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

/// A token as a word: all numbers are treated as the same, and only a few marks count.
fn word(token: &str) -> Option<&str> {
    let first = token.chars().next()?;
    if first.is_numeric() {
        return Some("0");
    }
    (first.is_alphabetic() || "?!.,:;\"`".contains(first)).then_some(token)
}

/// The shape of a token: how many digits it has, where its capitals are, or which mark it is.
fn shape(token: &str) -> String {
    const LONG: usize = 5;
    let (length, capitals) = (token.chars().count(), token.chars().filter(|c| c.is_uppercase()).count());
    match token.chars().next() {
        Some(first) if first.is_numeric() => "0".repeat(length.min(LONG)),
        Some(first) if first.is_alphabetic() => match (length, capitals) {
            (1, 0) => "a",
            (1, _) => "A",
            (_, 0) => "aa",
            (_, all) if all == length => "AA",
            (_, 1) if first.is_uppercase() => "Aa",
            _ => "aA",
        }
        .to_owned(),
        _ => token.to_owned(),
    }
}

/// The bucket of a feature made of these parts, by FNV-1a: the same on every platform and with every compiler.
fn bucket<'a>(parts: impl IntoIterator<Item = &'a str>) -> usize {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = parts.into_iter().flat_map(|part| part.bytes().chain([0]));
    let hash = bytes.fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    // The low bits of this hash depend on few bits of the text, so the high bits are folded in.
    let folded = (hash ^ (hash >> 32)).to_le_bytes();
    u32::from_le_bytes([folded[0], folded[1], folded[2], folded[3]]) as usize % BUCKETS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_has_shares_that_sum_to_one() {
        let model = Classifier::<3>::of(
            (0..SCALE_BYTES + 2 * BUCKETS).map(|at| if at < SCALE_BYTES { 60 } else { at.to_le_bytes()[0] }).collect(),
        );
        for text in ["", " ", "🦀", "’", "a".repeat(100_000).as_str(), "1 2 3", "日本語"] {
            let sum: f32 = model.classify(text).iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{text}");
        }
    }

    #[test]
    fn a_part_has_its_own_end() {
        assert_ne!(bucket(["_", "a", "b"]), bucket(["_", "ab"]));
    }
}
