//! The words leg of a fact search: the words of every fact, as numbers, and their score for a question.

use domain::recall::search::{Spread, WordScore};
use domain::recall::words::Term;

/// The words of one fact.
pub struct FactWords {
    /// Each word sets one of 64 bits. Most facts share no word with a question, which comparing these bits shows quickly.
    bits: u64,
    terms: Box<[Term]>,
}

impl FactWords {
    pub fn of(terms: &[Term]) -> Self {
        Self { bits: bits(terms), terms: terms.into() }
    }
}

fn bits(terms: &[Term]) -> u64 {
    terms.iter().fold(0, |bits, term| bits | 1 << (term % u64::BITS))
}

/// The score of each of these rows, the spread of the scores, and the formula with its weights.
pub fn word_scores(all: &[FactWords], question: &[Term], places: &[usize]) -> (Vec<f64>, Spread, WordScore) {
    let wanted = bits(question);
    let mut held = vec![0; question.len()];
    // Rows that share a word: their index in `places`, and how often each word of the question occurs in them.
    let (mut sharing, mut counts) = (Vec::new(), Vec::new());
    for (n, place) in places.iter().enumerate() {
        let words = &all[*place];
        if words.bits & wanted == 0 {
            continue;
        }
        let before = counts.len();
        counts.extend(question.iter().map(|term| words.terms.iter().fold(0_u32, |sum, own| sum + u32::from(own == term))));
        if counts[before..].iter().all(|times| *times == 0) {
            counts.truncate(before);
            continue;
        }
        sharing.push(n);
        held.iter_mut().zip(&counts[before..]).for_each(|(held, times)| *held += usize::from(*times > 0));
    }
    let at = |term: Term| question.iter().position(|other| *other == term).unwrap_or_default();
    let score = WordScore::new(question, places.len(), |term| held[at(term)]);
    let mut scores = vec![0.0; places.len()];
    for (n, counts) in sharing.into_iter().zip(counts.chunks_exact(question.len().max(1))) {
        scores[n] = score.of(|term| counts[at(term)]);
    }
    let spread = Spread::of(&scores);
    (scores, spread, score)
}
