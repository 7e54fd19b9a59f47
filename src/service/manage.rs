//! The facts as a whole: found, sorted, exported, and one of them with all that happened to it.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::audit::{self, Entry};
use super::decide::Seen;
use super::{Error, Keepsake, Result};
use crate::access::digest::sha256_hex;
use crate::access::operators::Viewer;
use crate::domain::confidence::confidence;
use crate::domain::days::days_before;
use crate::domain::fact::FactStatus;
use crate::domain::moment::Moment;
use crate::domain::problem::{Field, Problem};
use crate::ports::store::atomically;
use crate::ports::store::facts::Fact;
use crate::ports::store::manage::Slice;

pub use crate::ports::store::manage::{FactQuery, FactSort, Search, SortKey};

/// Days over which the recalls of a fact are told.
pub const RECALL_DAYS: i64 = 30;
/// Recalls on a surface below this number are not told: few recalls could be one person's.
pub const RECALLS_TOLD_FROM: i64 = 5;
/// Most facts that can be chosen at once by what they match.
pub const CHOSEN_MAX: u64 = 1_000;
/// Lines of a fact's history.
const HISTORY_LINES: u32 = 100;

/// What a list of facts shows.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub query: FactQuery,
    /// Only facts below the floor, or only those at or above it.
    pub below_floor: Option<bool>,
    pub order: Order,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Confidence { descending: bool },
    Stored(FactSort),
}

impl Default for Order {
    fn default() -> Self {
        Self::Confidence { descending: true }
    }
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Found {
    pub facts: Vec<Fact>,
    /// How many there are in all.
    pub total: u64,
    /// Stands for exactly these facts at these versions, when there are few enough to choose all of them.
    pub token: Option<String>,
}

/// How often a fact was recalled on a surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalls {
    pub surface: String,
    /// None: fewer than are told.
    pub times: Option<i64>,
}

/// Something that happened to a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub action: String,
    pub at: Moment,
    /// The operator's name; none: no operator did it.
    pub by: Option<String>,
    pub detail: Option<String>,
}

impl Keepsake {
    /// A page of facts, `skip` of them left out before it.
    pub async fn find(&self, _viewer: &Viewer, wanted: &Wanted, skip: u64, limit: u64) -> Result<Found> {
        let (ids, total) = if self.in_memory(wanted) {
            let ids = self.ranked(wanted).await?;
            let total = ids.len() as u64;
            let start = usize::try_from(skip).unwrap_or(usize::MAX);
            (ids.into_iter().skip(start).take(usize::try_from(limit).unwrap_or(usize::MAX)).collect(), total)
        } else {
            let ids = self.store.find_facts(&wanted.query, stored(wanted.order), Slice { skip, limit }).await?;
            (ids, self.store.count_found(&wanted.query).await?)
        };
        let token = if total <= CHOSEN_MAX { Some(token(&self.chosen(wanted).await?)) } else { None };
        Ok(Found { facts: self.in_order(&ids).await?, total, token })
    }

    /// Everything that a list shows, at the versions it has now, and the token that stands for it.
    pub async fn found_versions(&self, _viewer: &Viewer, wanted: &Wanted) -> Result<(Vec<Seen>, String)> {
        let mut on = self.chosen(wanted).await?;
        let token = token(&on);
        if on.len() as u64 > CHOSEN_MAX {
            return Err(Problem::invalid(Field::Id, format!("must be {CHOSEN_MAX} facts or fewer at once")).into());
        }
        on.sort_by(|a, b| a.id.cmp(&b.id));
        Ok((on, token))
    }

    /// Ids of everything that a list shows, in its order; recorded as an export.
    pub async fn export(&self, viewer: &Viewer, wanted: &Wanted, format: &'static str) -> Result<Vec<String>> {
        let ids = self.every_id(wanted).await?;
        let now = self.clock.now();
        let entry = Entry {
            actor: viewer.into(),
            action: "fact.list_exported",
            target: None,
            user_digest: None,
            detail: Some(format!("format={format} rows={}", ids.len())),
        };
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let entry = entry.clone();
            Box::pin(async move { Ok(audit::append(tx, now, entry).await?) })
        })
        .await?;
        Ok(ids)
    }

    /// These facts in this order, as far as they are still there.
    pub async fn facts_in_order(&self, _viewer: &Viewer, ids: &[String]) -> Result<Vec<Fact>> {
        self.in_order(ids).await
    }

    /// How often a fact was recalled in the last days, by surface.
    pub async fn recalls(&self, _viewer: &Viewer, id: &str) -> Result<Vec<Recalls>> {
        let since = days_before(self.clock.now(), RECALL_DAYS);
        let rows = self.store.recalls_by_surface(id, since).await?;
        let told = rows.into_iter().map(|(surface, n)| Recalls { surface, times: (n >= RECALLS_TOLD_FROM).then_some(n) });
        Ok(told.collect())
    }

    /// What happened to a fact, newest first: what operators did, and what it came to by itself.
    pub async fn fact_history(&self, _viewer: &Viewer, id: &str) -> Result<Vec<Event>> {
        let mut events = Vec::new();
        for row in self.store.audit_of(id, HISTORY_LINES).await? {
            let by = if row.actor_kind == "operator" { Some(self.decider(Some(&row.actor_id)).await?) } else { None };
            events.push(Event { action: row.action, at: row.at, by, detail: row.detail });
        }
        Ok(events)
    }

    /// Confidence is computed and not stored, so what asks for it is answered from memory.
    #[allow(clippy::unused_self, reason = "reads beside its callers")]
    fn in_memory(&self, wanted: &Wanted) -> bool {
        wanted.below_floor.is_some() || matches!(wanted.order, Order::Confidence { .. })
    }

    async fn every_id(&self, wanted: &Wanted) -> Result<Vec<String>> {
        if self.in_memory(wanted) {
            return self.ranked(wanted).await;
        }
        Ok(self.store.find_facts(&wanted.query, stored(wanted.order), Slice::ALL).await?)
    }

    async fn chosen(&self, wanted: &Wanted) -> Result<Vec<Seen>> {
        let ids = self.every_id(wanted).await?;
        let facts = self.store.facts_by_id(&ids).await?;
        Ok(facts.into_iter().map(|fact| Seen { id: fact.id, version: fact.version }).collect())
    }

    /// Ids by confidence, or those of a confidence in another order.
    async fn ranked(&self, wanted: &Wanted) -> Result<Vec<String>> {
        let query = &wanted.query;
        // What memory does not know is asked of the database.
        let within: Option<HashSet<String>> = if query.search.is_some() || !query.kinds.is_empty() || query.among.is_some() {
            Some(self.store.find_facts(query, FactSort::default(), Slice::ALL).await?.into_iter().collect())
        } else {
            None
        };
        let (now, floor) = (self.clock.now(), self.settings().recall_min_confidence);
        let mut scored: Vec<(f64, String)> = Vec::new();
        self.store.each_fact(&mut |meta| {
            let fits = query.status.is_none_or(|status| status == meta.status)
                && (query.origins.is_empty() || query.origins.contains(&meta.origin))
                && query.min_importance.is_none_or(|least| meta.importance.get() >= least.get())
                && (!query.contradicted || meta.evidence.contradicted)
                && within.as_ref().is_none_or(|within| within.contains(&meta.id));
            if fits {
                let confidence = confidence(&meta.evidence, now);
                if wanted.below_floor.is_none_or(|below| below == (confidence < floor)) {
                    scored.push((confidence, meta.id.clone()));
                }
            }
        });
        if let Order::Stored(sort) = wanted.order {
            let among = scored.into_iter().map(|(_, id)| id).collect();
            let query = FactQuery { among: Some(among), ..FactQuery::default() };
            return Ok(self.store.find_facts(&query, sort, Slice::ALL).await?);
        }
        let descending = wanted.order == Order::Confidence { descending: true };
        scored.sort_by(|a, b| by_confidence(a, b, descending));
        Ok(scored.into_iter().map(|(_, id)| id).collect())
    }

    async fn in_order(&self, ids: &[String]) -> Result<Vec<Fact>> {
        let mut facts: HashMap<String, Fact> =
            self.store.facts_by_id(ids).await?.into_iter().map(|fact| (fact.id.clone(), fact)).collect();
        Ok(ids.iter().filter_map(|id| facts.remove(id)).collect())
    }

    /// What speaks against a fact, in words for its row.
    pub async fn against_states(&self, _viewer: &Viewer, id: &str) -> Result<Vec<FactStatus>> {
        let ids: Vec<String> = self.store.contradictions_of(id).await?.into_iter().map(|(id, ..)| id).collect();
        Ok(self.store.facts_by_id(&ids).await?.into_iter().map(|fact| fact.status).collect())
    }
}

fn by_confidence(a: &(f64, String), b: &(f64, String), descending: bool) -> Ordering {
    let order = a.0.total_cmp(&b.0);
    (if descending { order.reverse() } else { order }).then_with(|| a.1.cmp(&b.1))
}

fn stored(order: Order) -> FactSort {
    match order {
        Order::Stored(sort) => sort,
        Order::Confidence { .. } => FactSort::default(),
    }
}

/// Stands for exactly these facts at these versions.
fn token(on: &[Seen]) -> String {
    let mut text: Vec<String> = on.iter().map(|seen| format!("{}:{}", seen.id, seen.version)).collect();
    text.sort();
    sha256_hex(text.join("\n").as_bytes())
}
