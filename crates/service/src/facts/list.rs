//! The list of all facts: searching, sorting, exporting, and the history of one fact.

use std::collections::HashMap;

use super::Seen;
use super::decide::decider;
use crate::Result;
use crate::audit::{self, Entry};
use crate::facts::Facts;
use crate::facts::review::check_search;
use crate::transactions::atomically;
use access::callers::Caller;
use access::callers::Scope;
use access::operators::Viewer;
use domain::erasure::people::UserId;
use domain::facts::fact::FactStatus;
use domain::insight::days::days_before;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use ports::store::facts::{Fact, FactFilter, Matching, Slice};
use ports::store::memories::Page;

/// Number of days for which a fact's recalls are shown.
pub const RECALL_DAYS: i64 = 30;
/// Smaller numbers of recalls on a surface are not shown: they could be one person's.
pub const RECALLS_TOLD_FROM: i64 = 5;
/// Maximum number of facts that can be selected at once through a filter.
pub const CHOSEN_MAX: u64 = 1_000;
/// Maximum number of lines in a fact's history.
const HISTORY_LINES: u32 = 100;

/// One page of a list.
#[derive(Debug, Clone)]
pub struct FactListPage {
    pub facts: Vec<Fact>,
    /// Number of matching facts in all.
    pub total: u64,
    /// Identifies exactly these facts at these versions, if there are few enough to select all of them.
    pub token: Option<String>,
}

/// How often a fact was recalled on a surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalls {
    pub surface: String,
    /// `None`: too few to be shown.
    pub times: Option<i64>,
}

/// How often a fact was recalled on a day; days are counted from 1 January 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecallDay {
    pub day: i64,
    /// `None`: too few to be shown, or none at all.
    pub times: Option<i64>,
}

/// An event in the history of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactEvent {
    pub action: String,
    pub at: Moment,
    /// The operator's name; `None`: not done by an operator.
    pub by: Option<String>,
    pub detail: Option<String>,
}

impl Facts {
    /// Returns approved facts, oldest first, and records that they were shown to this user.
    pub async fn approved_facts(
        &self,
        caller: &Caller,
        user: Option<&UserId>,
        mut filter: FactFilter,
        page: &Page,
    ) -> Result<Vec<Fact>> {
        caller.needs(Scope::Read)?;
        check_search(&filter)?;
        filter.status = Some(FactStatus::Approved);
        let facts = self.store.list_facts(&filter, page).await?;
        if let Some(user) = user {
            self.echoes.note_told(user, facts.iter().map(|fact| fact.id.as_str()));
        }
        Ok(facts)
    }

    /// A page of facts, after skipping `skip`.
    pub async fn find(&self, _viewer: &Viewer, filter: &FactFilter, skip: u64, limit: u64) -> Result<FactListPage> {
        let filter = &self.as_told(filter)?;
        let ids = self.store.find_facts(filter, Slice { skip, limit }).await?;
        let ids: Vec<String> = ids.into_iter().map(|(id, _)| id).collect();
        let Matching { count, mark } = self.store.mark_matching(filter).await?;
        Ok(FactListPage { facts: self.in_order(&ids).await?, total: count, token: (count <= CHOSEN_MAX).then_some(mark) })
    }

    /// Like [`Self::chosen`], for a list that can be selected as a whole only if it is short.
    pub async fn found_versions(&self, viewer: &Viewer, filter: &FactFilter) -> Result<(Vec<Seen>, String)> {
        let (on, token) = self.chosen(viewer, filter).await?;
        if on.len() as u64 > CHOSEN_MAX {
            return Err(Problem::invalid(Field::Id, format!("must be {CHOSEN_MAX} facts or fewer at once")).into());
        }
        Ok((on, token))
    }

    /// Ids of everything in a list, in its order; logged as an export.
    pub async fn export(&self, viewer: &Viewer, filter: &FactFilter, format: &'static str) -> Result<Vec<String>> {
        let ids: Vec<String> =
            self.store.find_facts(&self.as_told(filter)?, Slice::ALL).await?.into_iter().map(|(id, _)| id).collect();
        let now = self.clock.now();
        let entry = Entry::of(viewer, "fact.list_exported").saying(format!("format={format} rows={}", ids.len()));
        atomically!(self.store.as_ref(), [entry = entry.clone()], |tx| { Ok(audit::append(tx, now, entry).await?) }).await?;
        Ok(ids)
    }

    /// These facts in this order, as far as they still exist.
    pub async fn facts_in_order(&self, _viewer: &Viewer, ids: &[String]) -> Result<Vec<Fact>> {
        self.in_order(ids).await
    }

    /// How often a fact was recalled in the last days, by surface.
    pub async fn recalls(&self, _viewer: &Viewer, id: &str) -> Result<Vec<Recalls>> {
        let since = days_before(self.clock.now(), RECALL_DAYS - 1);
        let rows = self.store.recalls_by_surface(id, since).await?;
        let told = rows.into_iter().map(|(surface, n)| Recalls { surface, times: (n >= RECALLS_TOLD_FROM).then_some(n) });
        Ok(told.collect())
    }

    /// How often a fact was recalled on each of the last days, oldest first and including today. A day with few recalls is shown
    /// like one without any: on a single day, few could be one person's.
    pub async fn recall_days(&self, _viewer: &Viewer, id: &str) -> Result<Vec<RecallDay>> {
        let since = days_before(self.clock.now(), RECALL_DAYS - 1);
        let counted: HashMap<i64, i64> = self.store.recalls_by_day(id, since).await?.into_iter().collect();
        let times = |day: i64| counted.get(&day).copied().filter(|n| *n >= RECALLS_TOLD_FROM);
        Ok((since.day()..since.day() + RECALL_DAYS).map(|day| RecallDay { day, times: times(day) }).collect())
    }

    /// The history of a fact, newest first: operators' actions, and what the system did.
    pub async fn fact_history(&self, _viewer: &Viewer, id: &str) -> Result<Vec<FactEvent>> {
        let mut events = Vec::new();
        for row in self.store.audit_of(id, HISTORY_LINES).await? {
            let by =
                if row.actor_kind == "operator" { Some(decider(self.store.as_ref(), Some(&row.actor_id)).await?) } else { None };
            events.push(FactEvent { action: row.action, at: row.at, by, detail: row.detail });
        }
        Ok(events)
    }

    async fn in_order(&self, ids: &[String]) -> Result<Vec<Fact>> {
        let most = self.told_at_most();
        let facts = self.store.facts_by_id(ids).await?.into_iter();
        let mut facts: HashMap<String, Fact> = facts.map(|fact| (fact.id.clone(), fact.told(most))).collect();
        Ok(ids.iter().filter_map(|id| facts.remove(id)).collect())
    }
}
