//! Judges a text by an encoder's vector in addition to its words.
//!
//! The head's score and the numbers of the vector go into a second logistic regression (stacked generalization, Wolpert 1992,
//! doi:10.1016/S0893-6080(05)80023-1). Vectors of another encoder mean other things, so it works with one encoder only; with any
//! other, and without one, the words decide alone.

use std::sync::LazyLock;

use language::head::logistic;

/// The vector of a text, and the encoder that made it.
#[derive(Debug, Clone, Copy)]
pub struct Meaning<'a> {
    /// Hex digest of the encoder.
    pub encoder: &'a str,
    pub vector: &'a [f32],
}

/// `weights/meaning.txt`.
#[derive(Debug)]
pub struct Weights {
    pub encoder: &'static str,
    /// Hex SHA-256 of `weights/identities.weights`, which gave the scores.
    pub words: &'static str,
    inputs: Vec<f32>,
}

/// Factor for the numbers of a vector: with length 1 they are small, and would hardly count beside a score while the weights are
/// small.
const VECTOR_SHARE: f32 = 4.0;

pub static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut lines = include_str!("../weights/meaning.txt").lines();
    let mut named = |name| lines.next().and_then(|line| line.strip_prefix(name)).unwrap_or_default();
    let (encoder, words) = (named("encoder "), named("words "));
    Weights { encoder, words, inputs: lines.filter_map(|line| line.parse().ok()).collect() }
});

impl Meaning<'_> {
    /// The probability that the text points at a person; `None`: the weights are for another encoder.
    pub(crate) fn judge(&self, score: f32) -> Option<f32> {
        let weights = &*WEIGHTS;
        let inputs = inputs(score, self.vector);
        let fits = self.encoder == weights.encoder && inputs.len() == weights.inputs.len();
        fits.then(|| logistic(inputs.iter().zip(&weights.inputs).map(|(input, weight)| input * weight).sum()))
    }
}

/// Whether vectors of this encoder are read.
#[must_use]
pub fn reads(encoder: &str) -> bool {
    encoder == WEIGHTS.encoder
}

/// Inputs of the regression: the score, the vector, and a constant.
pub(crate) fn inputs(score: f32, vector: &[f32]) -> Vec<f32> {
    let numbers = vector.iter().map(|number| number * VECTOR_SHARE);
    std::iter::once(score).chain(numbers).chain([1.0]).collect()
}
