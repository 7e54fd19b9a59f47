//! An in-memory table of all facts in SQLite. One pass over it filters, counts and sorts, and another finds the nearest. Text and
//! exact vectors stay in the file.
//!
//! It caches committed rows only. It is updated from the change sequence, in commit order, and knows the change up to which it is
//! current.

mod codes;
mod facets;
pub mod near;
mod rows;
mod word_leg;

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use simsimd::SpatialSimilarity;

pub use self::facets::FactMeta;
pub use self::rows::Rows;

use self::facets::FacetFilter;
use self::rows::Keys;
use domain::recall::words::Term;
use ports::store::facts::{FactFilter, FactOrder, Slice, SortKey};

/// Cosine similarity of two L2-normalised vectors.
pub fn similarity(a: &[f32], b: &[f32]) -> f64 {
    f32::dot(a, b).unwrap_or_default()
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

    /// Whether the matrix was loaded and nothing has changed since.
    pub fn is_at(&self, seq: i64) -> bool {
        let known = self.seq();
        known > 0 && known == seq
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

    /// Number of these facts in the matrix.
    pub fn holds(&self, ids: &[String]) -> usize {
        let rows = self.read();
        ids.iter().filter(|id| rows.place.contains_key(id.as_str())).count()
    }

    /// Number of facts that a filter matches. `among`: only these are considered.
    pub fn count(&self, filter: &FactFilter, among: Option<&[String]>) -> u64 {
        let rows = self.read();
        if among.is_none() && filter.confidence.is_none() {
            // Written so that the compiler compares many facets at once.
            let wanted = FacetFilter::of(filter);
            return rows.facets.iter().map(|facets| u64::from(facets.fit(&wanted))).sum();
        }
        rows.fitting(filter, among).map(|_| 1).sum()
    }

    /// Number of facts that a filter matches, and the sum of their marks.
    pub fn mark(&self, filter: &FactFilter, among: Option<&[String]>) -> (u64, u128) {
        let rows = self.read();
        rows.fitting(filter, among).fold((0, 0), |(count, mark), n| (count + 1, rows.marks[n].wrapping_add(mark)))
    }

    /// A slice of the matching facts in the filter's order, as ids and versions. If the id `after` is missing, the slice is
    /// empty.
    pub fn select(&self, filter: &FactFilter, among: Option<&[String]>, after: Option<&str>, slice: Slice) -> Vec<(String, i64)> {
        let rows = self.read();
        let after = match after.map(|id| rows.place.get(id)) {
            Some(None) => return Vec::new(),
            Some(Some(&n)) => Some(RankedRow::of(&rows, n, filter)),
            None => None,
        };
        let fitting = rows.fitting(filter, among).map(|n| RankedRow::of(&rows, n, filter));
        let fitting = fitting.filter(|one| after.as_ref().is_none_or(|after| one > after));
        let (skip, limit) = (bounded(slice.skip), bounded(slice.limit));
        let first = first(fitting, skip.saturating_add(limit));
        let named = |one: RankedRow<'_>| (rows.metas[one.n].id.to_string(), rows.metas[one.n].version);
        first.into_iter().skip(skip).map(named).collect()
    }
}

/// A row and its position in an order.
struct RankedRow<'a> {
    /// The primary sort key as a number; lower comes first.
    key: u64,
    rows: &'a Rows,
    n: usize,
    order: FactOrder,
}

impl<'a> RankedRow<'a> {
    fn of(rows: &'a Rows, n: usize, filter: &FactFilter) -> Self {
        let (order, at_most) = (filter.order, filter.told_at_most);
        let Keys { created_at, recalls, .. } = rows.keys[n];
        let key = match order.key {
            SortKey::Created => ordered(created_at.0),
            SortKey::Contributors => rows.facets[n].contributors.min(at_most.unwrap_or(u32::MAX)).into(),
            SortKey::Recalls => ordered(recalls),
            SortKey::Importance => rows.facets[n].importance().into(),
            SortKey::Confidence => {
                // For negative numbers, a higher bit pattern is a lower number.
                let bits = rows.standing(n, at_most).to_bits().cast_signed();
                ordered(if bits < 0 { bits ^ i64::MAX } else { bits })
            }
        };
        Self { key: if order.descending { !key } else { key }, rows, n, order }
    }
}

/// Maps to an unsigned number that sorts the same.
fn ordered(n: i64) -> u64 {
    (n ^ i64::MIN).cast_unsigned()
}

impl Ord for RankedRow<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let turned = |order: Ordering| if self.order.descending { order.reverse() } else { order };
        let by_age = || self.rows.keys[self.n].created_at.cmp(&other.rows.keys[other.n].created_at);
        // Ids lie elsewhere in memory, so they are compared last.
        let by_id = || self.rows.metas[self.n].id.cmp(&other.rows.metas[other.n].id);
        self.key.cmp(&other.key).then_with(|| match self.order.key {
            SortKey::Created => turned(by_id()),
            SortKey::Confidence => by_id(),
            SortKey::Contributors | SortKey::Recalls | SortKey::Importance => by_age().then_with(by_id),
        })
    }
}

impl PartialOrd for RankedRow<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RankedRow<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RankedRow<'_> {}

/// The first `wanted` items in order; holds never more than these in memory.
fn first<T: Ord>(all: impl Iterator<Item = T>, wanted: usize) -> Vec<T> {
    let mut least = BinaryHeap::new();
    all.for_each(|one| {
        if least.len() < wanted {
            least.push(one);
        } else if let Some(mut greatest) = least.peek_mut().filter(|greatest| one < **greatest) {
            *greatest = one;
        }
    });
    least.into_sorted_vec()
}

fn bounded(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
