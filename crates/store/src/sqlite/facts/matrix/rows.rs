//! The facts of the matrix by columns.

use std::collections::HashMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::codes::{VectorCode, encode};
use super::facets::{FacetFilter, Facets, FactMeta};
use super::word_leg::FactWords;
use domain::facts::confidence::{Evidence, confidence, standing, standing_at};
use domain::moment::Moment;
use domain::recall::words::Term;
use ports::store::facts::{ConfidenceRange, FactFilter};

/// If standings differ by less than this, confidences are compared by the exact formula.
const STANDING_ERROR: f64 = 1e-9;
/// Bytes of the digest that identifies a fact at a version.
const MARK_BYTES: usize = 16;

/// Sort keys, kept small for the same reason.
#[derive(Clone, Copy)]
pub struct Keys {
    pub created_at: Moment,
    pub recalls: i64,
    /// Sorts like confidence.
    standing: f64,
}

impl Keys {
    fn of(meta: &FactMeta) -> Self {
        Self { created_at: meta.created_at, recalls: meta.recalls, standing: standing(&meta.evidence) }
    }
}

/// The table by columns: index n of each list is the same fact.
#[derive(Default)]
pub struct Rows {
    pub(super) facets: Vec<Facets>,
    pub(super) keys: Vec<Keys>,
    /// Digest of each fact at its version.
    pub(super) marks: Vec<u128>,
    pub(super) metas: Vec<FactMeta>,
    pub(super) codes: Vec<VectorCode>,
    pub(super) words: Vec<FactWords>,
    /// All vectors as 8-bit integers, concatenated.
    pub(super) numbers: Vec<i8>,
    pub(super) dimensions: usize,
    pub(super) place: HashMap<Arc<str>, usize>,
    pub(super) seq: i64,
}

impl Rows {
    /// Reserves room for this many vectors of this length, if there are none yet.
    pub fn reserve(&mut self, rows: usize, dimensions: usize) {
        if !self.metas.is_empty() {
            return;
        }
        self.facets.reserve_exact(rows);
        self.keys.reserve_exact(rows);
        self.marks.reserve_exact(rows);
        self.metas.reserve_exact(rows);
        self.codes.reserve_exact(rows);
        self.words.reserve_exact(rows);
        self.numbers.reserve_exact(rows * dimensions);
        self.place.reserve(rows);
    }

    pub fn put(&mut self, meta: FactMeta, terms: &[Term], vector: &[f32]) {
        let (facets, keys, mark) = (Facets::of(&meta), Keys::of(&meta), mark(&meta));
        if let Some(&n) = self.place.get(&meta.id) {
            let at = n * self.dimensions;
            self.codes[n] = encode(vector, &mut self.numbers[at..at + self.dimensions]);
            self.facets[n] = facets;
            self.keys[n] = keys;
            self.marks[n] = mark;
            self.metas[n] = meta;
            self.words[n] = FactWords::of(terms);
            return;
        }
        if self.metas.is_empty() {
            self.dimensions = vector.len();
        }
        let at = self.numbers.len();
        self.numbers.resize(at + self.dimensions, 0);
        self.codes.push(encode(vector, &mut self.numbers[at..]));
        self.place.insert(meta.id.clone(), self.metas.len());
        self.facets.push(facets);
        self.keys.push(keys);
        self.marks.push(mark);
        self.metas.push(meta);
        self.words.push(FactWords::of(terms));
    }

    /// Moves the last row into the place of the deleted one, and zeroes the freed end before it is cut off.
    pub(super) fn remove(&mut self, id: &str) {
        let Some(n) = self.place.remove(id) else { return };
        let last = self.metas.len() - 1;
        self.facets.swap_remove(n);
        self.codes.swap_remove(n);
        self.words.swap_remove(n);
        self.keys.swap_remove(n);
        self.marks.swap_remove(n);
        self.metas.swap_remove(n);
        let tail = last * self.dimensions;
        if n != last {
            self.numbers.copy_within(tail.., n * self.dimensions);
            self.place.insert(self.metas[n].id.clone(), n);
        }
        self.numbers[tail..].fill(0);
        self.numbers.truncate(tail);
    }

    /// Rows that a filter matches, using memory only: matches for search words and deciders are in `among`.
    pub(super) fn fitting<'a>(&'a self, filter: &'a FactFilter, among: Option<&'a [String]>) -> impl Iterator<Item = usize> + 'a {
        let named = among.map(|ids| ids.iter().filter_map(|id| self.place.get(id.as_str()).copied()));
        let every = 0..if among.is_some() { 0 } else { self.metas.len() };
        // The newest are often wanted first.
        let last = every.end;
        let every = every.map(move |n| if filter.order.descending { last - 1 - n } else { n });
        let wanted = FacetFilter::of(filter);
        let fits = move |n: &usize| {
            self.facets[*n].fit(&wanted)
                && filter.confidence.as_ref().is_none_or(|range| self.within(*n, range, filter.told_at_most))
        };
        named.into_iter().flatten().chain(every).filter(fits)
    }

    fn within(&self, n: usize, range: &ConfidenceRange, at_most: Option<u32>) -> bool {
        self.clears(n, range.from, range.at, at_most) && !self.clears(n, range.below, range.at, at_most)
    }

    /// The evidence of a row with its contributors capped; `None`: the cap does not apply.
    fn told(&self, n: usize, at_most: Option<u32>) -> Option<Evidence> {
        let contributors = at_most.filter(|most| self.facets[n].contributors > *most)?;
        Some(Evidence { contributors, ..self.metas[n].evidence })
    }

    /// A number that sorts like confidence.
    pub(super) fn standing(&self, n: usize, at_most: Option<u32>) -> f64 {
        self.told(n, at_most).map_or(self.keys[n].standing, |evidence| standing(&evidence))
    }

    /// Whether a row's confidence at that moment is at least this floor.
    pub(super) fn clears(&self, n: usize, floor: f64, at: Moment, at_most: Option<u32>) -> bool {
        let over = self.standing(n, at_most) - standing_at(floor, at);
        let exact = || confidence(&self.told(n, at_most).unwrap_or(self.metas[n].evidence), at);
        if over.abs() > STANDING_ERROR { over > 0.0 } else { exact() >= floor }
    }
}

fn mark(meta: &FactMeta) -> u128 {
    let digest = Sha256::new().chain_update(meta.id.as_bytes()).chain_update(meta.version.to_le_bytes()).finalize();
    let mut bytes = [0; MARK_BYTES];
    bytes.copy_from_slice(&digest[..MARK_BYTES]);
    u128::from_le_bytes(bytes)
}
