//! The facts as a whole: found, sorted, exported, and one of them with all that happened to it.

use std::collections::HashMap;

use super::audit::{self, Entry};
use super::decide::Seen;
use super::{Error, Keepsake, Result};
use crate::access::operators::Viewer;
use crate::domain::days::days_before;
use crate::domain::fact::FactStatus;
use crate::domain::moment::Moment;
use crate::domain::problem::{Field, Problem};
use crate::ports::store::atomically;
use crate::ports::store::facts::{Fact, FactFilter, Matching, Slice};

/// Days over which the recalls of a fact are told.
pub const RECALL_DAYS: i64 = 30;
/// Recalls on a surface below this number are not told: few recalls could be one person's.
pub const RECALLS_TOLD_FROM: i64 = 5;
/// Most facts that can be chosen at once by what they match.
pub const CHOSEN_MAX: u64 = 1_000;
/// Lines of a fact's history.
const HISTORY_LINES: u32 = 100;

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
    pub async fn find(&self, _viewer: &Viewer, filter: &FactFilter, skip: u64, limit: u64) -> Result<Found> {
        let ids = self.store.find_facts(filter, Slice { skip, limit }).await?;
        let ids: Vec<String> = ids.into_iter().map(|(id, _)| id).collect();
        let Matching { count, mark } = self.store.mark_matching(filter).await?;
        Ok(Found { facts: self.in_order(&ids).await?, total: count, token: (count <= CHOSEN_MAX).then_some(mark) })
    }

    /// As [`Keepsake::chosen`], of a list that is chosen whole only when it is short.
    pub async fn found_versions(&self, viewer: &Viewer, filter: &FactFilter) -> Result<(Vec<Seen>, String)> {
        let (on, token) = self.chosen(viewer, filter).await?;
        if on.len() as u64 > CHOSEN_MAX {
            return Err(Problem::invalid(Field::Id, format!("must be {CHOSEN_MAX} facts or fewer at once")).into());
        }
        Ok((on, token))
    }

    /// Ids of everything that a list shows, in its order; recorded as an export.
    pub async fn export(&self, viewer: &Viewer, filter: &FactFilter, format: &'static str) -> Result<Vec<String>> {
        let ids: Vec<String> = self.store.find_facts(filter, Slice::ALL).await?.into_iter().map(|(id, _)| id).collect();
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
