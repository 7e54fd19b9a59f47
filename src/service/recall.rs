//! What a prompt gets: the best personal memories of one user and the best team facts, joined in the answer only.

use super::counts::Recalled;
use super::{Keepsake, Result};
use crate::access::callers::{Caller, Scope};
use crate::domain::confidence::confidence;
use crate::domain::fact::FactStatus;
use crate::domain::memory::Importance;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::domain::prompt;
use crate::domain::provenance::{Origin, OriginFilter, Surface};
use crate::domain::ranking::{Parts, best};
use crate::domain::settings::Settings;
use crate::ports::store::facts::Fact;

/// Most that `k` may ask for.
pub const K_MAX: u32 = 50;
/// Longest query in characters; the model reads far less of it.
pub const QUERY_MAX_CHARS: usize = 16_000;

/// A question.
pub struct Query {
    /// Nobody: only team facts, and only where anonymous recall is on.
    pub user: Option<UserId>,
    pub surface: Surface,
    pub text: String,
    /// At most so many of each store; the settings say, when absent.
    pub k: Option<u32>,
    pub origins: OriginFilter,
}

/// One remembered thing.
pub struct Item {
    pub id: String,
    pub kind: &'static str,
    pub content: String,
    pub importance: Importance,
    pub parts: Parts,
    /// Of facts only.
    pub origin: Option<Origin>,
}

/// The answer.
pub struct Answer {
    pub personal: Vec<Item>,
    pub global: Vec<Item>,
    /// The block for the prompt; empty when nothing was recalled.
    pub prompt: String,
}

impl Keepsake {
    /// Recalls the K best of each store. Counting happens later.
    pub async fn recall(&self, caller: &Caller, query: Query) -> Result<Answer> {
        caller.needs(Scope::Read)?;
        check(&query)?;
        let settings = self.settings();
        let now = self.clock.now();
        let vector = self.embed_one(&query.text).await?;
        let personal = match &query.user {
            Some(user) => self.personal(user, &vector, query.k.unwrap_or(settings.recall_personal_k), now).await?,
            None => Vec::new(),
        };
        let global = if settings.team_recall(&query.surface, query.user.is_none()) {
            self.global(&query.origins, &vector, query.k.unwrap_or(settings.recall_global_k), &settings, now).await?
        } else {
            Vec::new()
        };
        self.count_later(Recalled {
            memories: personal.iter().map(|item| item.id.clone()).collect(),
            facts: global.iter().map(|item| item.id.clone()).collect(),
            user: query.user,
            surface: query.surface,
            at: now,
        });
        let prompt =
            prompt::block(personal.iter().map(|item| item.content.as_str()), global.iter().map(|item| item.content.as_str()));
        Ok(Answer { personal, global, prompt })
    }

    async fn personal(&self, user: &UserId, vector: &[f32], k: u32, now: Moment) -> Result<Vec<Item>> {
        let scanned = self.store.scan_memories(user, vector).await?;
        let scored =
            scanned.into_iter().map(|row| (Parts::personal(row.similarity, row.importance, row.touched, now), row.id)).collect();
        let ranked = best(scored, k as usize, |id| id);
        let ids: Vec<String> = ranked.iter().map(|(_, id)| id.clone()).collect();
        let mut rows = self.store.memories_by_id(user, &ids).await?;
        Ok(ranked
            .into_iter()
            .filter_map(|(parts, id)| {
                let row = rows.swap_remove(rows.iter().position(|row| row.id == id)?);
                Some(Item { id, kind: row.kind.as_str(), content: row.content, importance: row.importance, parts, origin: None })
            })
            .collect())
    }

    async fn global(
        &self,
        origins: &OriginFilter,
        vector: &[f32],
        k: u32,
        settings: &Settings,
        now: Moment,
    ) -> Result<Vec<Item>> {
        let mut scored = Vec::new();
        self.store.scan_facts(vector, &mut |fact, similarity| {
            let confidence = confidence(&fact.evidence, now);
            if fact.status == FactStatus::Approved && origins.admits(fact.origin) && confidence >= settings.recall_min_confidence
            {
                scored.push((Parts::global(similarity, fact.importance, fact.touched, now, confidence), fact.id.clone()));
            }
        });
        let ranked = best(scored, k as usize, |id| id);
        let ids: Vec<String> = ranked.iter().map(|(_, id)| id.clone()).collect();
        let mut rows = self.store.facts_by_id(&ids).await?;
        // The row is read after the scan: what lost its approval in between is not recalled.
        rows.retain(|row| row.status == FactStatus::Approved);
        Ok(ranked
            .into_iter()
            .filter_map(|(parts, id)| {
                let row = rows.swap_remove(rows.iter().position(|row| row.id == id)?);
                let Fact { kind, content, importance, origin, .. } = row;
                Some(Item { id, kind: kind.as_str(), content, importance, parts, origin: Some(origin) })
            })
            .collect())
    }
}

fn check(query: &Query) -> std::result::Result<(), Problem> {
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
