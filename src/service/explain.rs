//! Explains a recall: the answer that a prompt would get, the parts of each score, and near misses with the reason why they were
//! left out. Nothing is counted as a recall.

use super::audit::{self, Entry, Why};
use super::recall::{Answer, Query, QuestionRules, check};
use super::{Error, Keepsake, Result};
use crate::access::operators::{Manager, Viewer};
use crate::domain::admission::LeftOut;
use crate::domain::confidence::{Remedy, confidence, remedies};
use crate::domain::fact::FactStatus;
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::domain::provenance::Origin;
use crate::domain::ranking::Parts;
use crate::domain::reason::Reason;
use crate::domain::words::terms;
use crate::ports::embedder::Vector;
use crate::ports::store::atomically;
use crate::ports::store::facts::{Fact, FactSearch};

/// Number of near misses shown for memories and for facts.
const NEAR: usize = 10;

/// What a question recalls, and what it nearly recalls.
pub struct Explained {
    /// Exactly what a prompt would get.
    pub answer: Answer,
    pub personal_k: u32,
    pub global_k: u32,
    pub missed_personal: Vec<MissedMemory>,
    pub missed_global: Vec<MissedFact>,
}

/// A personal memory that ranked too low.
pub struct MissedMemory {
    pub id: String,
    pub content: String,
    pub parts: Parts,
    /// Rank among everything that may be recalled, from 1.
    pub place: usize,
}

/// A team fact that was left out.
pub struct MissedFact {
    pub id: String,
    pub content: String,
    pub status: FactStatus,
    pub origin: Origin,
    pub contributors: u32,
    pub contradicted: bool,
    /// What would lift its confidence to the floor.
    pub remedies: Vec<Remedy>,
    pub confidence: f64,
    pub parts: Parts,
    pub why: LeftOut,
    /// Rank among everything that may be recalled, from 1; only for facts that ranked too low.
    pub place: Option<usize>,
}

impl Keepsake {
    /// Explains a question without a user: team facts only.
    pub async fn explain(&self, _viewer: &Viewer, query: &Query) -> Result<Explained> {
        if query.user.is_some() {
            return Err(Problem::invalid(Field::UserId, "needs a reason and users:edit").into());
        }
        check(query)?;
        let vector = self.embed_one(&query.text).await?;
        self.look(query, &vector).await
    }

    /// Explains a question as this user would ask it. This shows personal data, so it needs a reason, and is logged with the
    /// user's digest before anything is shown. The question itself is not stored.
    pub async fn explain_as_user(&self, manager: &Manager, user: &UserId, reason: &Reason, query: &Query) -> Result<Explained> {
        check(query)?;
        let vector = self.embed_one(&query.text).await?;
        let now = self.clock.now();
        let entry = Entry {
            actor: manager.into(),
            action: "user.asked_as",
            target: None,
            user_digest: Some(self.digester.user(user)),
            detail: Some(format!("surface={}", query.surface.as_str())),
        };
        let why = Why { text: reason.as_str().to_owned(), digest: self.digester.reason(reason.as_str()) };
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (entry, why) = (entry.clone(), &why);
            Box::pin(async move { Ok(audit::append_with_reason(tx, now, entry, why).await?) })
        })
        .await?;
        let asked = Query {
            user: Some(user.clone()),
            surface: query.surface.clone(),
            text: query.text.clone(),
            k: query.k,
            origins: query.origins.clone(),
            tags: query.tags.clone(),
        };
        self.look(&asked, &vector).await
    }

    async fn look(&self, query: &Query, vector: &Vector) -> Result<Explained> {
        let settings = self.settings();
        let told_at_most = Some(self.told_at_most());
        let rules = QuestionRules { told_at_most, ..QuestionRules::new(query, &settings, self.clock.now()) };
        let answer = self.answer(query, vector, &rules).await?;
        let missed_personal = match &query.user {
            Some(user) => self.missed_memories(user, query, vector, &rules).await?,
            None => Vec::new(),
        };
        let missed_global = self.missed_facts(&answer, query, vector, &rules).await?;
        Ok(Explained { answer, personal_k: rules.personal_k, global_k: rules.global_k, missed_personal, missed_global })
    }

    async fn missed_memories(
        &self,
        user: &UserId,
        query: &Query,
        vector: &Vector,
        rules: &QuestionRules<'_>,
    ) -> Result<Vec<MissedMemory>> {
        let k = rules.personal_k as usize;
        let ranked = self.relevant_memories(user, &query.text, vector, &query.tags, k + NEAR, rules.now).await?;
        let missed: Vec<(usize, Parts, String)> =
            ranked.into_iter().enumerate().skip(k).map(|(place, ranked)| (place + 1, ranked.parts, ranked.id)).collect();
        let ids: Vec<String> = missed.iter().map(|(.., id)| id.clone()).collect();
        let mut rows = self.store.memories_by_id(user, &ids).await?;
        Ok(missed
            .into_iter()
            .filter_map(|(place, parts, id)| {
                let row = rows.swap_remove(rows.iter().position(|row| row.id == id)?);
                Some(MissedMemory { id, content: row.content, parts, place })
            })
            .collect())
    }

    /// The best facts that are not in the answer, because they ranked too low or are not admitted.
    async fn missed_facts(
        &self,
        answer: &Answer,
        query: &Query,
        vector: &Vector,
        rules: &QuestionRules<'_>,
    ) -> Result<Vec<MissedFact>> {
        let wanted = rules.global_k as usize + NEAR;
        // Recall's own order, for the place of those that may be in the answer.
        let admitted = match rules.admission.shut {
            Some(_) => Vec::new(),
            None => self.relevant_facts(&query.text, vector, wanted, rules).await?,
        };
        let terms = terms(&query.text);
        let search = FactSearch::best(vector, &terms, rules.now, wanted);
        let mut missed = Vec::with_capacity(NEAR);
        for near in self.store.nearest_facts(&search).await? {
            if answer.global.iter().any(|item| item.id == near.fact.id) {
                continue;
            }
            let evidence = near.fact.evidence();
            let why = rules.admission.refuses(near.fact.status, near.fact.origin, confidence(&evidence, rules.now));
            let near = rules.told(near);
            let (parts, confidence) = (near.parts(rules.now), confidence(&near.fact.evidence(), rules.now));
            let place = admitted.iter().position(|other| other.fact.id == near.fact.id).map(|n| n + 1);
            if why.is_none() && place.is_none() {
                continue;
            }
            let remedies = remedies(&evidence, rules.admission.min_confidence, rules.now);
            let Fact { id, content, status, origin, contributors, contradicted, .. } = near.fact;
            missed.push(MissedFact {
                place: place.filter(|_| why.is_none()),
                why: why.unwrap_or(LeftOut::BeyondK),
                id,
                content,
                status,
                origin,
                contributors,
                contradicted,
                remedies,
                confidence,
                parts,
            });
        }
        missed.truncate(NEAR);
        Ok(missed)
    }
}
