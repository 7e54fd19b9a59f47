//! An in-memory table of all facts in SQLite. One pass over it filters, counts and sorts, and another finds the nearest. Text and
//! exact vectors stay in the file.
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

use self::near::VectorCode;
use self::word_leg::FactWords;
use domain::facts::confidence::{Evidence, confidence, standing, standing_at};
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::{Origin, OriginFilter};
use domain::memory::Importance;
use domain::moment::Moment;
use domain::recall::words::Term;
use ports::store::facts::{ConfidenceRange, FactFilter, FactOrder, Slice, SortKey, Sources};

/// If standings differ by less than this, confidences are compared by the exact formula.
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
    /// In an open contradiction.
    pub contradicted: bool,
    /// Time of the last recall, else of the last update.
    pub touched: Moment,
    pub created_at: Moment,
    pub evidence: Evidence,
}

/// Data for most filters: a bit for each property of a fact, and the number of its contributors. A full pass over these costs
/// almost nothing.
#[derive(Clone, Copy)]
struct Facets {
    bits: u32,
    contributors: u32,
}

/// The facets that a filter requires.
struct FacetFilter {
    /// Properties that a fact must not have.
    barred: u32,
    least_contributors: u32,
    most_contributors: u32,
}

/// Bits of [`Facets`]: the first bit of each group; the values of a group follow.
const STATUS: usize = 0;
const KIND: usize = STATUS + FactStatus::ALL.len();
const ORIGIN: usize = KIND + FactKind::ALL.len();
const IMPORTANCE: usize = ORIGIN + Origin::ALL.len();
const CONTRADICTED: usize = IMPORTANCE + IMPORTANCE_STEPS;
const RESUBMITTED: usize = CONTRADICTED + 2;
/// Importance 1 to 5.
const IMPORTANCE_STEPS: usize = 5;

/// The bit of one value in its group.
fn bit<T: PartialEq>(group: usize, all: &[T], value: &T) -> u32 {
    all.iter().zip(group..).find(|(one, _)| *one == value).map_or(0, |(_, place)| 1 << place)
}

/// The bits of all values in a group that are not wanted.
fn others<T>(group: usize, all: &[T], wanted: impl Fn(&T) -> bool) -> u32 {
    all.iter().zip(group..).filter(|(one, _)| !wanted(one)).map(|(_, place)| 1 << place).sum()
}

impl Facets {
    fn of(meta: &FactMeta) -> Self {
        let resubmitted = meta.resubmitted && meta.status == FactStatus::Rejected;
        let bits = bit(STATUS, &FactStatus::ALL, &meta.status)
            | bit(KIND, &FactKind::ALL, &meta.kind)
            | bit(ORIGIN, &Origin::ALL, &meta.origin)
            | 1 << (IMPORTANCE + usize::from(meta.importance.get()) - 1)
            | 1 << (CONTRADICTED + usize::from(meta.contradicted))
            | 1 << (RESUBMITTED + usize::from(resubmitted));
        Self { bits, contributors: meta.evidence.contributors }
    }

    fn fit(self, wanted: &FacetFilter) -> bool {
        let within = (wanted.least_contributors..=wanted.most_contributors).contains(&self.contributors);
        (self.bits & wanted.barred == 0) & within
    }

    fn importance(self) -> u32 {
        self.bits >> IMPORTANCE & ((1 << IMPORTANCE_STEPS) - 1)
    }
}

impl FacetFilter {
    fn of(filter: &FactFilter) -> Self {
        let steps: [u8; IMPORTANCE_STEPS] = [1, 2, 3, 4, 5];
        let barred = others(STATUS, &FactStatus::ALL, |status| filter.status.is_none_or(|wanted| wanted == *status))
            | others(KIND, &FactKind::ALL, |kind| filter.kinds.is_empty() || filter.kinds.contains(kind))
            | others(ORIGIN, &Origin::ALL, |origin| filter.origins.is_empty() || filter.origins.contains(origin))
            | others(IMPORTANCE, &steps, |step| filter.min_importance.is_none_or(|least| *step >= least.get()))
            | others(CONTRADICTED, &[false, true], |is| filter.contradicted.is_none_or(|wanted| wanted == *is))
            | others(RESUBMITTED, &[false, true], |is| *is || !filter.resubmitted);
        let (least_contributors, most_contributors) = match filter.sources {
            None => (0, u32::MAX),
            Some(Sources::Single) => (0, 1),
            Some(Sources::Multi) => (2, u32::MAX),
            Some(Sources::Exactly(n)) => (n, n),
            Some(Sources::AtLeast(n)) => (n, u32::MAX),
        };
        Self { barred, least_contributors, most_contributors }
    }

    /// Requires only the status and the origins.
    fn admitted(status: Option<FactStatus>, origins: &OriginFilter) -> Self {
        let barred = others(STATUS, &FactStatus::ALL, |one| status.is_none_or(|wanted| wanted == *one))
            | others(ORIGIN, &Origin::ALL, |origin| origins.admits(*origin));
        Self { barred, least_contributors: 0, most_contributors: u32::MAX }
    }
}

/// Sort keys, kept small for the same reason.
#[derive(Clone, Copy)]
struct Keys {
    created_at: Moment,
    recalls: i64,
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
    facets: Vec<Facets>,
    keys: Vec<Keys>,
    /// Digest of each fact at its version.
    marks: Vec<u128>,
    metas: Vec<FactMeta>,
    codes: Vec<VectorCode>,
    words: Vec<FactWords>,
    /// All vectors as 8-bit integers, concatenated.
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
            self.codes[n] = near::encode(vector, &mut self.numbers[at..at + self.dimensions]);
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
        self.codes.push(near::encode(vector, &mut self.numbers[at..]));
        self.place.insert(meta.id.clone(), self.metas.len());
        self.facets.push(facets);
        self.keys.push(keys);
        self.marks.push(mark);
        self.metas.push(meta);
        self.words.push(FactWords::of(terms));
    }

    /// Moves the last row into the place of the deleted one, and zeroes the freed end before it is cut off.
    fn remove(&mut self, id: &str) {
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
    fn fitting<'a>(&'a self, filter: &'a FactFilter, among: Option<&'a [String]>) -> impl Iterator<Item = usize> + 'a {
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
    fn standing(&self, n: usize, at_most: Option<u32>) -> f64 {
        self.told(n, at_most).map_or(self.keys[n].standing, |evidence| standing(&evidence))
    }

    /// Whether a row's confidence at that moment is at least this floor.
    fn clears(&self, n: usize, floor: f64, at: Moment, at_most: Option<u32>) -> bool {
        let over = self.standing(n, at_most) - standing_at(floor, at);
        let exact = || confidence(&self.told(n, at_most).unwrap_or(self.metas[n].evidence), at);
        if over.abs() > STANDING_ERROR { over > 0.0 } else { exact() >= floor }
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

fn mark(meta: &FactMeta) -> u128 {
    let digest = Sha256::new().chain_update(meta.id.as_bytes()).chain_update(meta.version.to_le_bytes()).finalize();
    let mut bytes = [0; MARK_BYTES];
    bytes.copy_from_slice(&digest[..MARK_BYTES]);
    u128::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests;
