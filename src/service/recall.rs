//! What a prompt gets: the best personal memories of one user and the best team facts, joined only in the answer.

use super::counts::Recalled;
use super::{Keepsake, Result};
use crate::access::callers::{Caller, Scope};
use crate::domain::admission::Admission;
use crate::domain::fact::FactStatus;
use crate::domain::memory::Importance;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::period::dates;
use crate::domain::problem::{Field, Problem};
use crate::domain::prompt;
use crate::domain::provenance::{Origin, OriginFilter, Surface};
use crate::domain::ranking::Parts;
use crate::domain::search::{Leg, Ranked, most_relevant};
use crate::domain::settings::Settings;
use crate::domain::tags::TagFilter;
use crate::domain::words::terms;
use crate::ports::store::facts::{Fact, FactSearch, NearFact};
use crate::ports::store::memories::{Memory, MemorySearch};

/// Maximum value of `k`.
pub const K_MAX: u32 = 50;
/// Longest query in characters; the model reads far less of it.
pub const QUERY_MAX_CHARS: usize = 16_000;

/// Minimum number of hits that a search returns for each leg. It is more than any answer holds, so that an item that is average
/// in every leg but best in the sum is included.
const SEARCHED: usize = 100;

/// A question.
pub struct Query {
    /// `None`: only team facts, and only if anonymous recall is on.
    pub user: Option<UserId>,
    pub surface: Surface,
    pub text: String,
    /// Maximum number of memories and of facts; absent: as in the settings.
    pub k: Option<u32>,
    pub origins: OriginFilter,
    /// Which personal memories may be in the answer, by their tags; team facts have none.
    pub tags: TagFilter,
}

/// One recalled memory or fact.
pub struct Item {
    pub id: String,
    pub kind: &'static str,
    pub content: String,
    pub importance: Importance,
    pub parts: Parts,
    /// The legs that found it.
    pub legs: Vec<Leg>,
    /// For facts only.
    pub origin: Option<Origin>,
}

/// The answer.
pub struct Answer {
    pub personal: Vec<Item>,
    pub global: Vec<Item>,
    /// The block for the prompt; empty when nothing was recalled.
    pub prompt: String,
}

/// The rules for one question: how many memories and facts, and which facts are admitted.
pub(super) struct QuestionRules<'a> {
    pub personal_k: u32,
    pub global_k: u32,
    pub admission: Admission<'a>,
    pub now: Moment,
    /// In an explanation, no more contributors than this count in the parts of a score.
    pub told_at_most: Option<u32>,
}

impl<'a> QuestionRules<'a> {
    pub fn new(query: &'a Query, settings: &Settings, now: Moment) -> Self {
        Self {
            personal_k: query.k.unwrap_or(settings.recall_personal_k),
            global_k: query.k.unwrap_or(settings.recall_global_k),
            admission: Admission::new(settings, &query.surface, query.user.is_none(), &query.origins),
            now,
            told_at_most: None,
        }
    }

    /// A fact as it may be explained.
    pub fn told(&self, near: NearFact) -> NearFact {
        near.told(self.told_at_most.unwrap_or(u32::MAX))
    }
}

impl Keepsake {
    /// Recalls the K best memories and the K best facts. Counting happens later.
    pub async fn recall(&self, caller: &Caller, query: Query) -> Result<Answer> {
        caller.needs(Scope::Read)?;
        check(&query)?;
        let settings = self.settings();
        let rules = QuestionRules::new(&query, &settings, self.clock.now());
        let vector = self.embed_one(&query.text).await?;
        let answer = self.answer(&query, &vector, &rules).await?;
        let at = rules.now;
        self.count_later(Recalled {
            memories: answer.personal.iter().map(|item| item.id.clone()).collect(),
            facts: answer.global.iter().map(|item| item.id.clone()).collect(),
            user: query.user,
            surface: query.surface,
            at,
        });
        Ok(answer)
    }

    /// What a prompt gets. Recall and its explanation both use this.
    pub(super) async fn answer(&self, query: &Query, vector: &[f32], rules: &QuestionRules<'_>) -> Result<Answer> {
        let personal = match &query.user {
            Some(user) => self.personal(user, query, vector, rules).await?,
            None => Vec::new(),
        };
        let global = if rules.admission.shut.is_none() { self.global(&query.text, vector, rules).await? } else { Vec::new() };
        let prompt =
            prompt::block(personal.iter().map(|item| item.content.as_str()), global.iter().map(|item| item.content.as_str()));
        Ok(Answer { personal, global, prompt })
    }

    /// The `k` memories of this user that are most relevant to a text, best first.
    pub(super) async fn relevant_memories(
        &self,
        user: &UserId,
        text: &str,
        vector: &[f32],
        tags: &TagFilter,
        k: usize,
        now: Moment,
    ) -> Result<Vec<Ranked>> {
        let question = MemorySearch { vector, terms: &terms(text), dates: &dates(text, now), tags, now };
        let found = self.store.search_memories(user, &question, k.max(SEARCHED)).await?;
        Ok(most_relevant(found, k, |hit| Parts::personal(hit.similarity, hit.importance, hit.touched, now)))
    }

    async fn personal(&self, user: &UserId, query: &Query, vector: &[f32], rules: &QuestionRules<'_>) -> Result<Vec<Item>> {
        let ranked = self.relevant_memories(user, &query.text, vector, &query.tags, rules.personal_k as usize, rules.now).await?;
        let ids: Vec<String> = ranked.iter().map(|ranked| ranked.id.clone()).collect();
        let mut rows = self.store.memories_by_id(user, &ids).await?;
        Ok(ranked
            .into_iter()
            .filter_map(|Ranked { id, parts, legs, .. }| {
                let row = rows.swap_remove(rows.iter().position(|row| row.id == id)?);
                let Memory { kind, content, importance, .. } = row;
                Some(Item { id, kind: kind.as_str(), content, importance, parts, legs: legs.found_by(), origin: None })
            })
            .collect())
    }

    /// The `k` approved facts that may be in the answer and are most relevant to a text, best first.
    pub(super) async fn relevant_facts(
        &self,
        text: &str,
        vector: &[f32],
        k: usize,
        rules: &QuestionRules<'_>,
    ) -> Result<Vec<NearFact>> {
        let terms = terms(text);
        let search = FactSearch {
            status: Some(FactStatus::Approved),
            origins: rules.admission.origins.clone(),
            min_confidence: rules.admission.min_confidence,
            ..FactSearch::best(vector, &terms, rules.now, k)
        };
        Ok(self.store.nearest_facts(&search).await?)
    }

    async fn global(&self, text: &str, vector: &[f32], rules: &QuestionRules<'_>) -> Result<Vec<Item>> {
        let item = |near: NearFact| {
            let near = rules.told(near);
            let (parts, legs) = (near.parts(rules.now), near.legs.found_by());
            let Fact { id, kind, content, importance, origin, .. } = near.fact;
            Item { id, kind: kind.as_str(), content, importance, parts, legs, origin: Some(origin) }
        };
        let found = self.relevant_facts(text, vector, rules.global_k as usize, rules).await?;
        Ok(found.into_iter().map(item).collect())
    }
}

pub(super) fn check(query: &Query) -> std::result::Result<(), Problem> {
    if query.text.trim().is_empty() {
        return Err(Problem::invalid(Field::Query, "must not be blank"));
    }
    if query.text.chars().count() > QUERY_MAX_CHARS {
        return Err(Problem::invalid(Field::Query, format!("must be {QUERY_MAX_CHARS} characters or fewer")));
    }
    if query.k.is_some_and(|k| k > K_MAX) {
        return Err(Problem::invalid(Field::K, format!("must be a whole number from 0 to {K_MAX}")));
    }
    Ok(())
}
