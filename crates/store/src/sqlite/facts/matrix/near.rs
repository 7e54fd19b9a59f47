//! Finds the facts that may be nearest without the exact vectors: with 8-bit integers and a bound on the rounding error. The
//! remaining candidates are read from the file and computed exactly, so no correct result is lost.

use std::collections::{BinaryHeap, HashSet};

use simsimd::SpatialSimilarity;

use super::FactMatrix;
use super::codes::{VectorCode, encode};
use super::facets::{FacetFilter, FactMeta};
use super::word_leg::word_scores;
use domain::facts::confidence::confidence;
use domain::recall::ranking::{IMPORTANCE_WEIGHT, RECENCY_MAX, ScoreParts};
use domain::recall::search::{Spread, Spreads, WordScore};
use domain::recall::words::terms;
use ports::store::facts::{FactSearch, Rank};

/// Highest importance.
const IMPORTANCE_MAX: f64 = 5.0;
/// Bound on the error of 32-bit float arithmetic in the similarity of two vectors of length 1.
const ARITHMETIC: f64 = 1e-5;

/// Bounds of the exact score; lower is better.
struct Bounds<'a> {
    least: f64,
    most: f64,
    place: usize,
    meta: &'a FactMeta,
    /// The score without the distance.
    rest: f64,
}

/// The `limit` lowest upper bounds so far: a row must be able to beat the highest of them.
struct LowestBounds {
    limit: usize,
    best: BinaryHeap<Score>,
}

impl LowestBounds {
    fn height(&self) -> f64 {
        if self.best.len() < self.limit { f64::INFINITY } else { self.best.peek().map_or(f64::INFINITY, |score| score.0) }
    }

    fn lower(&mut self, score: f64) {
        if self.best.len() < self.limit {
            self.best.push(Score(score));
        } else if let Some(mut highest) = self.best.peek_mut().filter(|highest| score < highest.0) {
            *highest = Score(score);
        }
    }
}

#[derive(PartialEq)]
struct Score(f64);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Facts that may be among the best of a search.
#[derive(Default)]
pub struct Likely {
    pub ids: Vec<String>,
    pub spreads: Spreads,
    /// Only when ranking by score.
    pub words: Option<WordScore>,
}

impl Likely {
    /// The score of the words leg for this text.
    pub fn word_score(&self, content: &str) -> f64 {
        let Some(score) = &self.words else { return 0.0 };
        let own = terms(content);
        score.of(|term| own.iter().fold(0, |sum, other| sum + u32::from(*other == term)))
    }
}

impl FactMatrix {
    /// Returns every fact that may be among the best of a search. `anew` names facts for which the caller has newer data: their
    /// rows here are ignored, and they are always returned.
    pub fn may_be_best(&self, search: &FactSearch<'_>, anew: &HashSet<String>) -> Likely {
        if search.limit == 0 {
            return Likely::default();
        }
        let rows = self.read();
        let mut numbers = vec![0; search.vector.len()];
        let query = encode(search.vector, &mut numbers);
        let length = f64::from(query.length + query.error);
        // The most by which anything except the distance can lower a score.
        let help = if search.rank == Rank::Score { IMPORTANCE_WEIGHT * IMPORTANCE_MAX + RECENCY_MAX } else { 0.0 };
        let admitted = FacetFilter::admitted(search.status, &search.origins);
        let places: Vec<usize> = (0..rows.facets.len()).filter(|n| rows.facets[*n].fit(&admitted)).collect();
        let nears: Vec<f64> = places
            .iter()
            .map(|&n| {
                let vector = &rows.numbers[n * rows.dimensions..(n + 1) * rows.dimensions];
                i8::dot(vector, &numbers).unwrap_or_default() * f64::from(rows.codes[n].scale) * f64::from(query.scale)
            })
            .collect();
        let words = (search.rank == Rank::Score).then(|| word_scores(&rows.words, search.terms, &places));
        let spreads = words.as_ref().map(|(_, words, _)| Spreads { similarity: Spread::of(&nears), words: *words });
        let spreads = spreads.unwrap_or_default();
        let mut bar = LowestBounds { limit: search.limit, best: BinaryHeap::new() };
        let mut left = Vec::new();
        for (at, (&n, &near)) in places.iter().zip(&nears).enumerate() {
            let code = rows.codes[n];
            let worth = words.as_ref().map_or(0.0, |(scores, ..)| spreads.worth(scores[at]));
            let unsure = f64::from(code.error) * length + f64::from(code.length * query.error) + ARITHMETIC;
            if near + unsure < search.min_similarity || 1.0 - near - unsure - help - worth > bar.height() {
                continue;
            }
            let meta = &rows.metas[n];
            let too_uncertain = || search.min_confidence > 0.0 && !rows.clears(n, search.min_confidence, search.now, None);
            if search.but == Some(&*meta.id) || too_uncertain() {
                continue;
            }
            let rest = rest(search, meta) - worth;
            let (least, most) = (1.0 - near - unsure + rest, 1.0 - near + unsure + rest);
            if least > bar.height() || anew.contains(&*meta.id) {
                continue;
            }
            if near - unsure >= search.min_similarity {
                bar.lower(most);
            }
            left.push(Bounds { least, most, place: n, meta, rest });
        }
        left.retain(|one| one.least <= bar.height());
        narrow(&rows.numbers, &rows.codes, rows.dimensions, search, &mut left);
        let ids = left.into_iter().map(|one| one.meta.id.to_string()).chain(anew.iter().cloned()).collect();
        Likely { ids, spreads, words: words.map(|(.., score)| score) }
    }
}

/// Checks the remaining facts again, with the query unrounded, which halves the uncertainty.
fn narrow(numbers: &[i8], codes: &[VectorCode], dimensions: usize, search: &FactSearch<'_>, left: &mut Vec<Bounds<'_>>) {
    let length = f64::from(search.vector.iter().map(|x| x * x).sum::<f32>().sqrt());
    let mut bar = LowestBounds { limit: search.limit, best: BinaryHeap::new() };
    for one in left.iter_mut() {
        let (vector, code) = (&numbers[one.place * dimensions..(one.place + 1) * dimensions], codes[one.place]);
        let sum: f32 = vector.iter().zip(search.vector).map(|(number, x)| f32::from(*number) * x).sum();
        let near = f64::from(sum * code.scale);
        let unsure = f64::from(code.error) * length + ARITHMETIC;
        one.least = one.least.max(1.0 - near - unsure + one.rest);
        one.most = one.most.min(1.0 - near + unsure + one.rest);
        if near - unsure >= search.min_similarity {
            bar.lower(one.most);
        }
    }
    left.retain(|one| one.least <= bar.height());
}

/// The score without the distance.
fn rest(search: &FactSearch<'_>, meta: &FactMeta) -> f64 {
    match search.rank {
        Rank::Similarity => 0.0,
        Rank::Score => {
            let confidence = confidence(&meta.evidence, search.now);
            ScoreParts::global(1.0, meta.importance, meta.touched, search.now, confidence).score()
        }
    }
}
