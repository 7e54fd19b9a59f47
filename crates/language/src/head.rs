//! A head decides one question about a text. It objects if any part of the text gives it enough reason.
//!
//! Each part has a score, the sum of its features' weights; the score of the text is the logarithm of the sum of their
//! exponentials, and its logistic function is the probability. So one clear word is enough, and many harmless ones do not hide
//! it. This is multiple-instance learning with a smooth maximum (Ray and Craven 2005, doi:10.1145/1102351.1102439).

use std::borrow::Cow;

use crate::candidates;
use crate::features::{BUCKETS, Kind, Part, Text};
use crate::fold::Folded;

/// The bytes before the weights: the value of one step of a weight, as a little-endian `f32`.
pub(crate) const SCALE_BYTES: usize = 4;
/// Score (a probability of one in eight) from which a part is a better reason than the whole text, because people can see it.
const SUSPICIOUS: f32 = -2.0;
/// Number of words that explain an objection to a whole text.
const EXPLAINING_WORDS: usize = 3;

/// The parts of a text that a head reads besides the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// Words, numbers and addresses.
    Candidates,
    Sentences,
    /// None: the text is one sentence.
    Whole,
}

#[derive(Debug)]
pub struct Head {
    /// The scale, then a signed byte for each bucket.
    packed: Cow<'static, [u8]>,
    parts: Parts,
}

/// The judgement of a head about a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The logarithm of the odds.
    pub score: f32,
    pub probability: f32,
    /// The strongest reasons: suspicious parts, or else the words of the whole text that weighed most.
    pub reasons: Vec<Reason>,
}

/// A place in the folded text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

impl Head {
    /// # Panics
    ///
    /// If the weights are for another number of buckets; for a constant, the build fails.
    #[must_use]
    pub const fn embedded(packed: &'static [u8], parts: Parts) -> Self {
        assert!(packed.len() == SCALE_BYTES + BUCKETS as usize);
        Self { packed: Cow::Borrowed(packed), parts }
    }

    pub(crate) fn of(packed: Vec<u8>, parts: Parts) -> Self {
        assert_eq!(packed.len(), SCALE_BYTES + BUCKETS as usize);
        Self { packed: Cow::Owned(packed), parts }
    }

    #[must_use]
    pub fn judge(&self, folded: &Folded) -> Judgement {
        let text = Text::new(folded);
        let parts = self.parts.of(&text);
        let scores: Vec<f32> = parts.iter().map(|part| self.score(part)).collect();
        let total = soft_maximum(&scores);
        let strongest = scores.iter().skip(1).copied().fold(f32::MIN, f32::max);
        let reasons = if strongest >= SUSPICIOUS {
            let suspicious = |score: f32| score >= strongest.min(0.0);
            let parts = parts.iter().zip(&scores).skip(1).filter(|(_, score)| suspicious(**score));
            parts.map(|(part, _)| Reason { kind: part.kind, start: part.span.0, end: part.span.1 }).collect()
        } else {
            self.heaviest(&text, &parts[0])
        };
        Judgement { score: total, probability: logistic(total), reasons }
    }

    fn weight(&self, bucket: u32) -> f32 {
        f32::from(self.packed[SCALE_BYTES + bucket as usize].cast_signed())
    }

    fn scale(&self) -> f32 {
        f32::from_le_bytes([self.packed[0], self.packed[1], self.packed[2], self.packed[3]])
    }

    fn score(&self, part: &Part) -> f32 {
        self.scale() * part.features.iter().map(|feature| self.weight(feature.bucket) * feature.share).sum::<f32>()
    }

    /// The words of a part that weighed most, in their order.
    fn heaviest(&self, text: &Text<'_>, part: &Part) -> Vec<Reason> {
        let mut weights = vec![0.0; text.tokens.len()];
        for feature in &part.features {
            if let Some(weight) = weights.get_mut(feature.token as usize) {
                *weight += self.weight(feature.bucket) * feature.share;
            }
        }
        let mut order: Vec<usize> = (0..weights.len()).filter(|at| weights[*at] > 0.0).collect();
        order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]));
        order.truncate(EXPLAINING_WORDS);
        order.sort_unstable();
        let reason = |at: usize| Reason { kind: part.kind, start: text.tokens[at].start, end: text.tokens[at].end };
        order.into_iter().map(reason).collect()
    }
}

impl Parts {
    pub(crate) fn of(self, text: &Text<'_>) -> Vec<Part> {
        match self {
            Self::Candidates => candidates::parts(text),
            Self::Sentences => text.sentences(),
            Self::Whole => vec![text.whole()],
        }
    }
}

/// The logarithm of the sum of exponentials: a little above the highest score.
pub(crate) fn soft_maximum(scores: &[f32]) -> f32 {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    highest + libm::logf(scores.iter().map(|score| libm::expf(score - highest)).sum())
}

#[must_use]
pub fn logistic(score: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-score))
}
