//! Learns the weights beside this file from labelled lines.
//!
//! The step size is that of AdaGrad (Duchi et al. 2011), and the weights are the mean over the epochs (Polyak and Juditsky 1992).
//! It uses only sums, products, quotients and square roots in a fixed order, and the exponential of `libm`, so that the result
//! has the same bits on every machine. None of this is part of the program.

use super::classifier::{BUCKETS, Classifier, Features, features, shares};

const EPOCHS: u16 = 6;
const STEP: f32 = 0.5;
/// Weights are clamped to this many steps.
const STEPS_MAX: f32 = 127.0;

/// The packed weights learned from labelled texts.
pub(super) fn learned<const N: usize>(lines: impl IntoIterator<Item = (usize, impl AsRef<str>)>) -> Vec<u8> {
    let lines: Vec<_> = lines.into_iter().map(|(class, text)| (class, features(text.as_ref()))).collect();
    packed(&weights::<N>(&lines))
}

fn weights<const N: usize>(lines: &[(usize, Features)]) -> Vec<[f32; N]> {
    let mut weights = vec![[0.0; N]; BUCKETS];
    let mut mean = weights.clone();
    let mut seen: Vec<[f32; N]> = std::iter::repeat_n([0.0; N], BUCKETS).collect();
    for epoch in 0..EPOCHS {
        for at in shuffled(lines.len(), usize::from(epoch)) {
            let (class, features) = &lines[at];
            let mut scores = [0.0; N];
            for &(bucket, share) in features {
                for (score, weight) in scores.iter_mut().zip(&weights[bucket]) {
                    *score += weight * share;
                }
            }
            let mut miss: [f32; N] = shares(scores);
            miss[*class] -= 1.0;
            for &(bucket, share) in features {
                let (weights, seen) = (&mut weights[bucket], &mut seen[bucket]);
                for class in 0..N {
                    let slope = miss[class] * share;
                    seen[class] += slope * slope;
                    if slope != 0.0 {
                        weights[class] -= STEP * slope / seen[class].sqrt();
                    }
                }
            }
        }
        for (mean, weights) in mean.iter_mut().zip(&weights) {
            for class in 0..N {
                mean[class] += weights[class] / f32::from(EPOCHS);
            }
        }
    }
    mean
}

/// The weights as a `Classifier` reads them: one byte each, minus those of the first class.
fn packed<const N: usize>(weights: &[[f32; N]]) -> Vec<u8> {
    let above = || weights.iter().flat_map(|row| row[1..].iter().map(|weight| weight - row[0]));
    let scale = above().fold(0.0, |most: f32, weight| most.max(weight.abs())) / STEPS_MAX;
    #[allow(clippy::cast_possible_truncation)]
    let steps = above().map(|weight| ((weight / scale.max(f32::MIN_POSITIVE)).round() as i8).cast_unsigned());
    scale.to_le_bytes().into_iter().chain(steps).collect()
}

/// Every index once, in an order that depends on the epoch.
fn shuffled(len: usize, epoch: usize) -> impl Iterator<Item = usize> {
    // Steps by a prime that does not divide the length reach every index.
    const PRIMES: [usize; 5] = [7_919, 10_007, 104_729, 611_953, 1_299_709];
    let fitting = PRIMES.iter().filter(|prime| !len.is_multiple_of(**prime));
    let step = fitting.copied().cycle().nth(epoch).unwrap_or(1);
    (0..len).map(move |at| (at * step + epoch) % len)
}

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
    let model = Classifier::<2>::of(learned::<2>(LINES.iter().copied()));
    for (class, text) in LINES.iter().copied().chain([(0, "Can you tidy that list?"), (1, "Invoices go out on the 7th.")]) {
        assert!(model.classify(text)[class] > 0.5, "{text}");
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
