//! The review queue: pending facts, found by filters, with what an operator needs to decide.

use std::collections::HashMap;

use super::Seen;
use super::decide::decider;
use crate::Result;
use crate::facts::Facts;
use crate::reading::{Budget, Reader};
use access::operators::{Reviewer, Viewer};
use domain::facts::admission::clears_floor;
use domain::facts::confidence::confidence;
use domain::facts::decision::UNDO_DEPTH;
use domain::facts::fact::FactStatus;
use domain::facts::promotion::told_at_most;
use domain::memory::Content;
use domain::merging::similarity::cosine;
use domain::moment::Moment;
use domain::problem::Problem;
use domain::recall::asked::{self, SEARCH_MAX_CHARS};
use domain::recall::search::Legs;
use ports::store::facts::decisions::DecidedSince;
use ports::store::facts::{Fact, FactFilter, FactSearch, Slice, StatusCounts, TextFilter};
use ports::store::memories::Page;

pub use ports::store::facts::{Matching, NearFact};

/// Number of neighbours shown with a fact.
const NEAREST: usize = 5;
/// Minimum similarity of a neighbour that is shown.
const NEAR: f64 = 0.45;

/// A fact as shown to an operator before a decision.
#[derive(Debug, Clone)]
pub struct Inspected {
    pub fact: Fact,
    /// 0 to 1.
    pub confidence: f64,
    pub nearest: Vec<NearFact>,
    /// The other sides of its open contradictions, most similar first.
    pub against: Vec<NearFact>,
    pub decided_by: Option<String>,
    /// When its oldest open contradiction was flagged.
    pub flagged_at: Option<Moment>,
    /// When it was edited last, and the operator's name.
    pub edited: Option<(Moment, String)>,
}

/// An approved fact that is not recalled.
#[derive(Debug, Clone, PartialEq)]
pub struct Unrecalled {
    pub id: String,
    pub confidence: f64,
    /// A fact that contradicts it; `None`: its confidence is low for another reason.
    pub disputed_by: Option<String>,
}

/// A decision that can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undoable {
    pub seq: i64,
    pub verb: String,
    /// How many facts it was made on.
    pub count: usize,
    /// The text of the fact, if it was one.
    pub text: Option<String>,
}

impl Facts {
    /// The highest number of contributors that is shown to operators.
    pub(crate) fn told_at_most(&self) -> u32 {
        told_at_most(self.settings.get().promote_contributors)
    }

    /// Limits a filter so that its order and confidence reveal no more than the facts that operators see; refuses an invalid
    /// search.
    pub(super) fn as_told(&self, filter: &FactFilter) -> Result<FactFilter> {
        check_search(filter)?;
        Ok(FactFilter { told_at_most: Some(self.told_at_most()), ..filter.clone() })
    }

    pub async fn list(&self, _viewer: &Viewer, filter: &FactFilter, page: &Page) -> Result<Vec<Fact>> {
        let most = self.told_at_most();
        let facts = self.store.list_facts(&self.as_told(filter)?, page).await?;
        Ok(facts.into_iter().map(|fact| fact.told(most)).collect())
    }

    pub async fn count(&self, _viewer: &Viewer, filter: &FactFilter) -> Result<u64> {
        Ok(self.store.count_matching(&self.as_told(filter)?).await?)
    }

    pub async fn fact_counts(&self, _viewer: &Viewer) -> Result<StatusCounts> {
        Ok(self.store.count_facts().await?)
    }

    /// One fact, whatever its status.
    pub async fn fact(&self, _viewer: &Viewer, id: &str) -> Result<Fact> {
        let fact = self.store.fact(id).await?.ok_or_else(|| Problem::not_found("fact"))?;
        Ok(fact.told(self.told_at_most()))
    }

    /// By id, the status of each fact that contradicts one of these.
    pub async fn against(&self, _viewer: &Viewer, facts: &[Fact]) -> Result<HashMap<String, Vec<FactStatus>>> {
        let ids: Vec<String> = facts.iter().filter(|fact| fact.contradicted).map(|fact| fact.id.clone()).collect();
        let mut against: HashMap<String, Vec<FactStatus>> = HashMap::new();
        if !ids.is_empty() {
            for (id, status) in self.store.statuses_against(&ids).await? {
                against.entry(id).or_default().push(status);
            }
        }
        Ok(against)
    }

    /// Returns the decision that this operator would undo in this session.
    pub async fn undoable(&self, viewer: &Viewer, session: &str) -> Result<Option<Undoable>> {
        let Some(decision) = self.store.undoable(viewer.id(), session, UNDO_DEPTH).await? else { return Ok(None) };
        let text = match decision.facts.as_slice() {
            [one] => self.store.fact(&one.fact_id).await?.map(|fact| fact.content),
            _ => None,
        };
        Ok(Some(Undoable { seq: decision.seq, verb: decision.verb, count: decision.facts.len(), text }))
    }

    /// Counts the facts that a filter matches, with a token that identifies exactly these.
    pub async fn matching(&self, _viewer: &Viewer, filter: &FactFilter) -> Result<Matching> {
        Ok(self.store.mark_matching(&self.as_told(filter)?).await?)
    }

    /// Returns everything that a filter matches, at the current versions, and the token that identifies it.
    pub async fn chosen(&self, _viewer: &Viewer, filter: &FactFilter) -> Result<(Vec<Seen>, String)> {
        let filter = &self.as_told(filter)?;
        let token = self.store.mark_matching(filter).await?.mark;
        let mut on: Vec<Seen> =
            self.store.find_facts(filter, Slice::ALL).await?.into_iter().map(|(id, version)| Seen { id, version }).collect();
        on.sort_by(|a, b| a.id.cmp(&b.id));
        Ok((on, token))
    }

    /// A fact with its neighbours and contradictions.
    pub async fn inspect(&self, viewer: &Viewer, id: &str) -> Result<Inspected> {
        let fact = self.fact(viewer, id).await?;
        let now = self.clock.now();
        let vector = self.store.fact_vector(id).await?.ok_or_else(|| Problem::not_found("fact"))?;
        let search = FactSearch { min_similarity: NEAR, but: Some(id), ..FactSearch::nearest(&vector, NEAREST) };
        let most = self.told_at_most();
        let nearest = self.store.nearest_facts(&search).await?.into_iter().map(|near| near.told(most)).collect();
        let pairs = self.store.contradictions_of(id).await?;
        let flagged_at = pairs.iter().map(|(.., at)| *at).min();
        let ids: Vec<String> = pairs.iter().map(|(id, ..)| id.clone()).collect();
        let facts = self.store.facts_by_id(&ids).await?;
        let against = pairs.into_iter().filter_map(|(id, similarity, _)| {
            let fact = facts.iter().find(|fact| fact.id == id)?.clone();
            let (legs, vector) = (Legs::default(), Vec::new());
            Some(NearFact { fact, similarity, legs, vector }.told(most))
        });
        let decided_by = self.decided_by(&fact).await?;
        let edited = match self.store.last_edit(id).await? {
            Some((at, by)) => Some((at, decider(self.store.as_ref(), Some(&by)).await?)),
            None => None,
        };
        Ok(Inspected {
            confidence: confidence(&fact.evidence(), now),
            nearest,
            against: against.collect(),
            decided_by,
            flagged_at,
            edited,
            fact,
        })
    }

    /// Returns another fact with its similarity to this one, however low; `None`: the vector of one of them is gone.
    pub async fn beside(&self, viewer: &Viewer, id: &str, other: &str) -> Result<Option<NearFact>> {
        let (own, theirs) = (self.store.fact_vector(id).await?, self.store.fact_vector(other).await?);
        let (Some(own), Some(vector)) = (own, theirs) else { return Ok(None) };
        let (fact, similarity) = (self.fact(viewer, other).await?, cosine(&own, &vector));
        Ok(Some(NearFact { fact, similarity, legs: Legs::default(), vector: Vec::new() }.told(self.told_at_most())))
    }

    /// Returns the facts among these that are approved, but whose confidence is too low for recall.
    pub async fn unrecalled(&self, _viewer: &Viewer, ids: &[String]) -> Result<Vec<Unrecalled>> {
        let (now, floor) = (self.clock.now(), self.settings.get().recall_min_confidence);
        let mut found = Vec::new();
        for fact in self.store.facts_by_id(ids).await? {
            let confidence = confidence(&fact.evidence(), now);
            if fact.status != FactStatus::Approved || clears_floor(confidence, floor) {
                continue;
            }
            let against = if fact.disputed { self.store.contradictions_of(&fact.id).await? } else { Vec::new() };
            let disputed_by = against.into_iter().next().map(|(other, ..)| other);
            let fact = fact.told(self.told_at_most());
            found.push(Unrecalled { confidence: self::confidence(&fact.evidence(), now), id: fact.id, disputed_by });
        }
        Ok(found)
    }

    /// Runs the gate on a text being typed. Returns rules, and the words that they fire on; nothing is stored.
    pub async fn gate_findings(&self, _reviewer: &Reviewer, text: &str) -> Result<Vec<(String, String)>> {
        let content = Content::new(text)?;
        let vector = self.embedder.embed_one(content.as_str()).await?;
        let judge = move |reader: &Reader| {
            let text = content.as_str();
            let (findings, refusals) = (reader.gate(text, &vector), reader.refusals(text, &vector));
            (content, findings, refusals)
        };
        let (content, findings, refusals) = self.reader.read(Budget::Requests, judge).await?;
        let text = content.as_str();
        let mut found: Vec<(String, String)> = Vec::new();
        for finding in findings {
            let words = text.get(finding.start..finding.end).unwrap_or_default().to_owned();
            if !found.contains(&(finding.rule.to_owned(), words.clone())) {
                found.push((finding.rule.to_owned(), words));
            }
        }
        for rule in refusals {
            if !found.iter().any(|(known, _)| *known == rule) {
                found.push((rule, String::new()));
            }
        }
        Ok(found)
    }

    /// Today's decisions, in UTC.
    pub async fn decided_today(&self, viewer: &Viewer) -> Result<DecidedSince> {
        Ok(self.store.decided_since(viewer.id(), self.clock.today()).await?)
    }

    /// When the oldest pending fact was created.
    pub async fn oldest_pending(&self, viewer: &Viewer) -> Result<Option<Moment>> {
        let filter = FactFilter { status: Some(FactStatus::Pending), ..FactFilter::default() };
        let oldest = self.list(viewer, &filter, &Page { after: None, limit: 1 }).await?;
        Ok(oldest.first().map(|fact| fact.created_at))
    }
}

/// Refuses an invalid search.
pub(super) fn check_search(filter: &FactFilter) -> std::result::Result<(), Problem> {
    match &filter.search {
        Some(TextFilter::Words(text) | TextFilter::Id(text)) => asked::check(text, SEARCH_MAX_CHARS),
        None => Ok(()),
    }
}
