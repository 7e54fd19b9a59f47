//! What filters and orders need to know of a fact.

use std::sync::Arc;

use domain::facts::confidence::Evidence;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::{Origin, OriginFilter};
use domain::memory::Importance;
use domain::moment::Moment;
use ports::store::facts::{FactFilter, Sources};

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
pub struct Facets {
    bits: u32,
    pub contributors: u32,
}

/// The facets that a filter requires.
pub struct FacetFilter {
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
    pub fn of(meta: &FactMeta) -> Self {
        let resubmitted = meta.resubmitted && meta.status == FactStatus::Rejected;
        let bits = bit(STATUS, &FactStatus::ALL, &meta.status)
            | bit(KIND, &FactKind::ALL, &meta.kind)
            | bit(ORIGIN, &Origin::ALL, &meta.origin)
            | 1 << (IMPORTANCE + usize::from(meta.importance.get()) - 1)
            | 1 << (CONTRADICTED + usize::from(meta.contradicted))
            | 1 << (RESUBMITTED + usize::from(resubmitted));
        Self { bits, contributors: meta.evidence.contributors }
    }

    pub fn fit(self, wanted: &FacetFilter) -> bool {
        let within = (wanted.least_contributors..=wanted.most_contributors).contains(&self.contributors);
        (self.bits & wanted.barred == 0) & within
    }

    pub fn importance(self) -> u32 {
        self.bits >> IMPORTANCE & ((1 << IMPORTANCE_STEPS) - 1)
    }
}

impl FacetFilter {
    pub fn of(filter: &FactFilter) -> Self {
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
    pub fn admitted(status: Option<FactStatus>, origins: &OriginFilter) -> Self {
        let barred = others(STATUS, &FactStatus::ALL, |one| status.is_none_or(|wanted| wanted == *one))
            | others(ORIGIN, &Origin::ALL, |origin| origins.admits(*origin));
        Self { barred, least_contributors: 0, most_contributors: u32::MAX }
    }
}
