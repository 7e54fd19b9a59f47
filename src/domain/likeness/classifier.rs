//! Says to which of a few classes a short text belongs, learned from labelled lines.
//!
//! Multinomial logistic regression over hashed n-grams of words, of letters and of the shapes of words. The hashing trick is
//! that of Weinberger et al. 2009 (arXiv:0902.2206), the step size that of AdaGrad (Duchi et al. 2011), and the weights are
//! the mean over the epochs (Polyak and Juditsky 1992). The lines are the data that people read and mend; the weights are
//! made from them when they are first asked for, always the same ones. Time is linear in the length of the text, which is
//! read up to a limit.

use std::hash::{DefaultHasher, Hasher};

/// Buckets of the hash: two megabytes of weights at the most.
const BUCKETS: usize = 1 << 17;
const EPOCHS: u16 = 6;
const STEP: f32 = 0.5;
/// Longest run of words, of shapes, and of letters, that is one feature.
const WORDS: usize = 3;
const SHAPES: usize = 4;
const LETTERS: std::ops::RangeInclusive<usize> = 2..=4;
/// A text is read up to here.
const READ_MAX_CHARS: usize = 2_000;

/// A linear classifier of short texts into `N` classes.
#[derive(Debug)]
pub struct Classifier<const N: usize> {
    /// A row a bucket.
    weights: Vec<[f32; N]>,
}

/// What a text consists of: buckets with their share.
type Features = Vec<(usize, f32)>;

impl<const N: usize> Classifier<N> {
    /// Learns from lines and their classes, each below `N`.
    #[must_use]
    pub fn learn<'a>(lines: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let lines: Vec<(usize, Features)> = lines.into_iter().map(|(class, text)| (class, features(text))).collect();
        let mut model = Self { weights: vec![[0.0; N]; BUCKETS] };
        let mut seen: Vec<[f32; N]> = std::iter::repeat_n([0.0; N], BUCKETS).collect();
        let mut mean = seen.clone();
        for epoch in 0..EPOCHS {
            for at in shuffled(lines.len(), usize::from(epoch)) {
                let (class, features) = &lines[at];
                let mut miss = model.probabilities(features);
                miss[*class] -= 1.0;
                for &(bucket, share) in features {
                    let (weights, seen) = (&mut model.weights[bucket], &mut seen[bucket]);
                    for class in 0..N {
                        let slope = miss[class] * share;
                        seen[class] += slope * slope;
                        if slope != 0.0 {
                            weights[class] -= STEP * slope / seen[class].sqrt();
                        }
                    }
                }
            }
            for (mean, weights) in mean.iter_mut().zip(&model.weights) {
                for class in 0..N {
                    mean[class] += weights[class] / f32::from(EPOCHS);
                }
            }
        }
        Self { weights: mean }
    }

    /// How likely each class is; the shares sum to one.
    #[must_use]
    pub fn classify(&self, text: &str) -> [f32; N] {
        self.probabilities(&features(text))
    }

    fn probabilities(&self, features: &Features) -> [f32; N] {
        let mut scores = [0.0; N];
        for &(bucket, share) in features {
            for (score, weight) in scores.iter_mut().zip(&self.weights[bucket]) {
                *score += weight * share;
            }
        }
        let highest = scores.iter().copied().fold(f32::MIN, f32::max);
        let raised = scores.map(|score| (score - highest).exp());
        let sum: f32 = raised.iter().sum();
        raised.map(|score| score / sum)
    }
}

/// Every place once, in an order of the epoch's own.
fn shuffled(len: usize, epoch: usize) -> impl Iterator<Item = usize> {
    // A prime that does not divide the length visits all.
    const PRIMES: [usize; 5] = [7_919, 10_007, 104_729, 611_953, 1_299_709];
    let fitting = PRIMES.iter().filter(|prime| !len.is_multiple_of(**prime));
    let step = fitting.copied().cycle().nth(epoch).unwrap_or(1);
    (0..len).map(move |at| (at * step + epoch) % len)
}

fn features(text: &str) -> Features {
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

/// What stands between the edges of a text.
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

/// A token as a word: numbers are all alike, and few marks count.
fn word(token: &str) -> Option<&str> {
    let first = token.chars().next()?;
    if first.is_numeric() {
        return Some("0");
    }
    (first.is_alphabetic() || "?!.,:;\"`".contains(first)).then_some(token)
}

/// How a token looks: how many digits, where its capitals are, which mark.
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

fn bucket<'a>(parts: impl IntoIterator<Item = &'a str>) -> usize {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    #[allow(clippy::cast_possible_truncation)]
    let hash = hasher.finish() as usize;
    hash % BUCKETS
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &[(usize, &str)] = &[
        (0, "Can you tidy this table?"),
        (0, "Thanks, that helped."),
        (0, "What is a closure?"),
        (1, "Our invoices go out on the 3rd."),
        (1, "Releases are cut on Tuesdays."),
        (1, "Every order above 500 needs two signatures."),
    ];

    #[test]
    fn it_knows_what_it_has_read_and_what_is_alike() {
        let model = Classifier::<2>::learn(LINES.iter().copied());
        for (class, text) in LINES.iter().copied().chain([(0, "Can you tidy that list?"), (1, "Invoices go out on the 7th.")]) {
            assert!(model.classify(text)[class] > 0.5, "{text}");
        }
    }

    #[test]
    fn the_same_lines_make_the_same_weights() {
        let [once, twice] = [(); 2].map(|()| Classifier::<2>::learn(LINES.iter().copied()).weights);
        assert_eq!(once, twice);
    }

    #[test]
    fn any_text_has_shares_that_sum_to_one() {
        let model = Classifier::<2>::learn(LINES.iter().copied());
        for text in ["", " ", "🦀", "’", "a".repeat(100_000).as_str(), "1 2 3", "日本語"] {
            let sum: f32 = model.classify(text).iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{text}");
        }
    }

    #[test]
    fn every_line_is_visited_once_an_epoch() {
        for len in [1, 2, 7, 100, 7_919 * 2] {
            let mut seen: Vec<usize> = shuffled(len, 0).collect();
            seen.sort_unstable();
            assert!(seen.iter().copied().eq(0..len), "{len}");
        }
    }
}
