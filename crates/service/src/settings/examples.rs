//! Examples for a similarity threshold: team facts that are about as alike as the value says.
//!
//! Memories are never shown here: thresholds of personal memories are illustrated with team facts as well. Rejected facts are
//! left out, because some are rejected for what they reveal. Only reviewers see statements merged into a fact, as on the fact's
//! page.

use std::collections::HashMap;

use crate::Result;
use crate::settings::change::LiveSettings;
use crate::settings::preview::Measure;
use access::operators::Viewer;
use domain::facts::fact::FactStatus;
use ports::store::facts::likeness::{AlikePair, AlikeSides, MergedText};

/// Examples on each side of a value.
pub const EACH_SIDE: usize = 2;
/// Number of the newest facts among which pairs are searched.
const NEWEST: u32 = 500;

/// A statement: a fact, or words that were merged into one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleStatement {
    pub content: String,
    /// Absent for merged words.
    pub fact: Option<(String, FactStatus)>,
}

/// The outcome for a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairOutcome {
    Apart,
    Merged,
    Flagged,
}

/// Two statements that are this alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Cosine similarity.
    pub similarity: f64,
    pub one: ExampleStatement,
    pub other: ExampleStatement,
    pub outcome: PairOutcome,
}

/// The examples around a value.
#[derive(Debug, Clone)]
pub struct Examples {
    pub measure: Measure,
    pub value: f64,
    /// Pairs at least as similar as the value, nearest to it first; merged and flagged pairs come before separate ones.
    pub from: Vec<Example>,
    /// Less similar pairs, nearest to the value first.
    pub below: Vec<Example>,
}

/// Pairs that the store found around a value.
struct ThresholdFindings {
    sides: AlikeSides,
    merged: Vec<MergedText>,
    flagged: Vec<AlikePair>,
}

impl LiveSettings {
    /// Examples for each of these values. A threshold that compares a question with a text has none.
    pub async fn examples(&self, viewer: &Viewer, wanted: &[(Measure, f64)]) -> Result<Vec<Examples>> {
        let wanted: Vec<(Measure, f64)> = wanted.iter().copied().filter(|(measure, _)| *measure != Measure::Recall).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let values: Vec<f64> = wanted.iter().map(|(_, value)| *value).collect();
        let pairs = self.store.alike_facts(NEWEST, &values, EACH_SIDE).await?;
        let limit = u32::try_from(EACH_SIDE).unwrap_or_default();
        let mut all = Vec::with_capacity(wanted.len());
        for ((measure, value), sides) in wanted.iter().zip(pairs) {
            let merged = match measure {
                Measure::Global if viewer.reviewer().is_ok() => self.store.merged_from(*value, limit).await?,
                _ => Vec::new(),
            };
            let flagged = match measure {
                Measure::Related => self.store.flagged_from(*value, limit).await?,
                _ => Vec::new(),
            };
            all.push(ThresholdFindings { sides, merged, flagged });
        }
        let facts = self.facts_of(&all).await?;
        Ok(wanted.iter().zip(all).map(|((measure, value), found)| found.told(*measure, *value, &facts)).collect())
    }

    /// The facts of these pairs, by id.
    async fn facts_of(&self, all: &[ThresholdFindings]) -> Result<HashMap<String, ExampleStatement>> {
        let pairs = all.iter().flat_map(|found| found.sides.from.iter().chain(&found.sides.below).chain(&found.flagged));
        let ids = pairs.flat_map(|pair| [&pair.a, &pair.b]);
        let mut ids: Vec<String> =
            ids.chain(all.iter().flat_map(|found| found.merged.iter().map(|one| &one.fact_id))).cloned().collect();
        ids.sort();
        ids.dedup();
        let facts = self.store.facts_by_id(&ids).await?.into_iter();
        Ok(facts
            .map(|fact| (fact.id.clone(), ExampleStatement { content: fact.content, fact: Some((fact.id, fact.status)) }))
            .collect())
    }
}

impl ThresholdFindings {
    fn told(self, measure: Measure, value: f64, facts: &HashMap<String, ExampleStatement>) -> Examples {
        let Self { sides, merged, flagged } = self;
        let pair = |pair: &AlikePair, outcome| {
            let (one, other) = (facts.get(&pair.a)?.clone(), facts.get(&pair.b)?.clone());
            Some(Example { similarity: pair.similarity, one, other, outcome })
        };
        let words = |text: MergedText| {
            let (one, other) = (ExampleStatement { content: text.content, fact: None }, facts.get(&text.fact_id)?.clone());
            Some(Example { similarity: text.similarity, one, other, outcome: PairOutcome::Merged })
        };
        let mut from: Vec<Example> = merged.into_iter().filter_map(words).collect();
        from.extend(flagged.iter().filter_map(|one| pair(one, PairOutcome::Flagged)));
        let told =
            |one: &AlikePair| flagged.iter().any(|other| [&one.a, &one.b].into_iter().all(|id| *id == other.a || *id == other.b));
        from.extend(sides.from.iter().filter(|one| !told(one)).filter_map(|one| pair(one, PairOutcome::Apart)));
        from.truncate(EACH_SIDE);
        let below = sides.below.iter().filter_map(|one| pair(one, PairOutcome::Apart)).collect();
        Examples { measure, value, from, below }
    }
}
