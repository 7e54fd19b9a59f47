//! An in-memory table of all facts in SQLite. One pass over it filters, counts and sorts, and one more finds the nearest. Text
//! and exact vectors stay in the file.
//!
//! It caches committed rows only. It is updated from the change sequence, in commit order, and knows the change up to which it is
//! current.

mod near;
mod word_leg;

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use sha2::{Digest, Sha256};
use simsimd::SpatialSimilarity;

pub use self::near::Likely;

use self::near::Code;
use self::word_leg::Words;
use crate::domain::confidence::{Evidence, confidence, standing, standing_at};
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::memory::Importance;
use crate::domain::moment::Moment;
use crate::domain::provenance::Origin;
use crate::domain::words::Term;
use crate::ports::store::facts::{ConfidenceRange, FactFilter, FactOrder, Slice, SortKey, Sources};

/// Standings that differ by less than this are compared by the exact formula.
const STANDING_ERROR: f64 = 1e-9;
/// Bytes of the digest that identifies a fact at a version.
const MARK_BYTES: usize = 16;

/// Cosine similarity of two L2-normalised vectors.
pub fn similarity(a: &[f32], b: &[f32]) -> f64 {
    f32::dot(a, b).unwrap_or_default()
}

/// Everything about a fact except its words and its vector.
#[derive(Debug, Clone)]
pub struct FactMeta {
    pub id: Arc<str>,
    pub version: i64,
    pub status: FactStatus,
    pub kind: FactKind,
    pub origin: Origin,
    pub importance: Importance,
    pub recalls: i64,
    /// Proposed again since it was rejected.
    pub resubmitted: bool,
    /// Time of the last recall, else of the last update.
    pub touched: Moment,
    pub created_at: Moment,
    pub evidence: Evidence,
}

/// What most filters use, small enough that a full pass costs almost nothing.
#[derive(Clone, Copy)]
struct Facets {
    status: FactStatus,
    kind: FactKind,
    origin: Origin,
    importance: Importance,
    contradicted: bool,
    resubmitted: bool,
    contributors: u32,
}

impl Facets {
    fn of(meta: &FactMeta) -> Self {
        let &FactMeta { status, kind, origin, importance, resubmitted, .. } = meta;
        let Evidence { contradicted, contributors, .. } = meta.evidence;
        Self { status, kind, origin, importance, contradicted, resubmitted, contributors }
    }

    fn fits(&self, filter: &FactFilter) -> bool {
        filter.status.is_none_or(|status| status == self.status)
            && (filter.origins.is_empty() || filter.origins.contains(&self.origin))
            && (filter.kinds.is_empty() || filter.kinds.contains(&self.kind))
            && filter.min_importance.is_none_or(|least| self.importance >= least)
            && filter.contradicted.is_none_or(|wanted| wanted == self.contradicted)
            && (!filter.resubmitted || self.resubmitted && self.status == FactStatus::Rejected)
            && match filter.sources {
                None => true,
                Some(Sources::Single) => self.contributors <= 1,
                Some(Sources::Multi) => self.contributors > 1,
                Some(Sources::Exactly(n)) => self.contributors == n,
                Some(Sources::AtLeast(n)) => self.contributors >= n,
            }
    }
}

/// A fact's row without its facets and its vector.
struct Row {
    meta: FactMeta,
    /// Orders as confidence does.
    standing: f64,
    /// Identifies this fact at this version.
    mark: u128,
}

impl Row {
    fn within(&self, range: &ConfidenceRange) -> bool {
        self.clears(range.from, range.at) && !self.clears(range.below, range.at)
    }

    /// Whether the confidence at that moment is at least this floor.
    fn clears(&self, floor: f64, at: Moment) -> bool {
        let over = self.standing - standing_at(floor, at);
        if over.abs() > STANDING_ERROR { over > 0.0 } else { confidence(&self.meta.evidence, at) >= floor }
    }
}

/// The table by columns: row n of each list is the same fact.
#[derive(Default)]
pub struct Rows {
    facets: Vec<Facets>,
    others: Vec<Row>,
    codes: Vec<Code>,
    words: Vec<Words>,
    /// Every vector in 8-bit integers, one after the other.
    numbers: Vec<i8>,
    dimensions: usize,
    place: HashMap<Arc<str>, usize>,
    seq: i64,
}

/// The matrix.
#[derive(Default)]
pub struct FactMatrix(RwLock<Rows>);

impl FactMatrix {
    fn read(&self) -> RwLockReadGuard<'_, Rows> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The change up to which the matrix is current.
    pub fn seq(&self) -> i64 {
        self.read().seq
    }

    /// Replaces all rows, unless the matrix is newer.
    pub fn replace(&self, mut rows: Rows, seq: i64) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if seq >= known.seq {
            rows.seq = seq;
            *known = rows;
        }
    }

    /// Applies the changes up to `seq`; changes that the matrix already has are ignored.
    pub fn apply(&self, seq: i64, put: Vec<(FactMeta, &[Term], &[f32])>, gone: &[String]) {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if seq < rows.seq {
            return;
        }
        rows.seq = seq;
        for (meta, terms, vector) in put {
            rows.put(meta, terms, vector);
        }
        for id in gone {
            rows.remove(id);
        }
    }

    /// How many of these facts are in the matrix.
    pub fn holds(&self, ids: &[String]) -> usize {
        let rows = self.read();
        ids.iter().filter(|id| rows.place.contains_key(id.as_str())).count()
    }

    /// How many facts a filter matches. `among`: only these are considered.
    pub fn count(&self, filter: &FactFilter, among: Option<&[String]>) -> u64 {
        self.read().fitting(filter, among).map(|_| 1).sum()
    }

    /// How many facts a filter matches, and the sum of their marks.
    pub fn mark(&self, filter: &FactFilter, among: Option<&[String]>) -> (u64, u128) {
        let rows = self.read();
        rows.fitting(filter, among).fold((0, 0), |(count, mark), n| (count + 1, rows.others[n].mark.wrapping_add(mark)))
    }

    /// A slice of what a filter matches, in its order, as ids and versions. If the id `after` is not there, the slice is empty.
    pub fn select(&self, filter: &FactFilter, among: Option<&[String]>, after: Option<&str>, slice: Slice) -> Vec<(String, i64)> {
        let rows = self.read();
        let order = filter.order;
        let after = match after.map(|id| rows.place.get(id)) {
            Some(None) => return Vec::new(),
            Some(Some(&n)) => Some(&rows.others[n]),
            None => None,
        };
        let fitting = rows.fitting(filter, among).map(|n| Ranked { row: &rows.others[n], order });
        let fitting = fitting.filter(|one| after.is_none_or(|row| one.cmp(&Ranked { row, order }) == Ordering::Greater));
        let (skip, limit) = (bounded(slice.skip), bounded(slice.limit));
        let first = first(fitting, skip.saturating_add(limit));
        first.into_iter().skip(skip).map(|one| (one.row.meta.id.to_string(), one.row.meta.version)).collect()
    }
}

impl Rows {
    /// Reserves room for this many vectors of this length.
    pub fn reserve(&mut self, rows: usize, dimensions: usize) {
        self.facets.reserve_exact(rows);
        self.others.reserve_exact(rows);
        self.codes.reserve_exact(rows);
        self.words.reserve_exact(rows);
        self.numbers.reserve_exact(rows * dimensions);
        self.place.reserve(rows);
    }

    pub fn put(&mut self, meta: FactMeta, terms: &[Term], vector: &[f32]) {
        let facets = Facets::of(&meta);
        let row = Row { standing: standing(&meta.evidence), mark: mark(&meta), meta };
        if let Some(&n) = self.place.get(&row.meta.id) {
            let at = n * self.dimensions;
            self.codes[n] = near::encode(vector, &mut self.numbers[at..at + self.dimensions]);
            self.facets[n] = facets;
            self.others[n] = row;
            self.words[n] = Words::of(terms);
            return;
        }
        if self.others.is_empty() {
            self.dimensions = vector.len();
        }
        let at = self.numbers.len();
        self.numbers.resize(at + self.dimensions, 0);
        self.codes.push(near::encode(vector, &mut self.numbers[at..]));
        self.place.insert(row.meta.id.clone(), self.others.len());
        self.facets.push(facets);
        self.others.push(row);
        self.words.push(Words::of(terms));
    }

    /// Moves the last row into the place of the deleted one; the freed end is zeroed before it is cut off.
    fn remove(&mut self, id: &str) {
        let Some(n) = self.place.remove(id) else { return };
        let last = self.others.len() - 1;
        self.facets.swap_remove(n);
        self.codes.swap_remove(n);
        self.words.swap_remove(n);
        self.others.swap_remove(n);
        let tail = last * self.dimensions;
        if n != last {
            self.numbers.copy_within(tail.., n * self.dimensions);
            self.place.insert(self.others[n].meta.id.clone(), n);
        }
        self.numbers[tail..].fill(0);
        self.numbers.truncate(tail);
    }

    /// Rows that a filter matches, as far as memory can tell: matches for search words and deciders are in `among`.
    fn fitting<'a>(&'a self, filter: &'a FactFilter, among: Option<&'a [String]>) -> Box<dyn Iterator<Item = usize> + 'a> {
        let fits = move |n: &usize| {
            self.facets[*n].fits(filter) && filter.confidence.as_ref().is_none_or(|range| self.others[*n].within(range))
        };
        match among {
            Some(ids) => Box::new(ids.iter().filter_map(|id| self.place.get(id.as_str()).copied()).filter(fits)),
            // The newest are often wanted first.
            None if filter.order.descending => Box::new((0..self.others.len()).rev().filter(fits)),
            None => Box::new((0..self.others.len()).filter(fits)),
        }
    }
}

/// A row and its position in an order.
struct Ranked<'a> {
    row: &'a Row,
    order: FactOrder,
}

impl Ord for Ranked<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.row.meta, &other.row.meta);
        let by_id = a.id.cmp(&b.id);
        let by_age = a.created_at.cmp(&b.created_at).then(by_id);
        let turned = |order: Ordering| if self.order.descending { order.reverse() } else { order };
        match self.order.key {
            SortKey::Created => turned(by_age),
            SortKey::Contributors => turned(a.evidence.contributors.cmp(&b.evidence.contributors)).then(by_age),
            SortKey::Recalls => turned(a.recalls.cmp(&b.recalls)).then(by_age),
            SortKey::Importance => turned(a.importance.cmp(&b.importance)).then(by_age),
            SortKey::Confidence => turned(self.row.standing.total_cmp(&other.row.standing)).then(by_id),
        }
    }
}

impl PartialOrd for Ranked<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked<'_> {}

/// The first `wanted` items in order, with never more than these in memory.
fn first<T: Ord>(all: impl Iterator<Item = T>, wanted: usize) -> Vec<T> {
    let mut least = BinaryHeap::new();
    for one in all {
        if least.len() < wanted {
            least.push(one);
        } else if let Some(mut greatest) = least.peek_mut().filter(|greatest| one < **greatest) {
            *greatest = one;
        }
    }
    least.into_sorted_vec()
}

fn bounded(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn mark(meta: &FactMeta) -> u128 {
    let digest = Sha256::new().chain_update(meta.id.as_bytes()).chain_update(meta.version.to_le_bytes()).finalize();
    let mut bytes = [0; MARK_BYTES];
    bytes.copy_from_slice(&digest[..MARK_BYTES]);
    u128::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests;
