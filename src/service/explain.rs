//! Why a question recalls what it recalls: the answer that a prompt would get, the parts of each score, and what came near
//! with the reason it was left out. Nothing is counted: looking is not using.

use super::audit::{self, Entry, Why};
use super::recall::{Answer, Query, QuestionRules, check};
use super::{Error, Keepsake, Result};
use crate::access::operators::{Editor, Viewer};
use crate::domain::admission::LeftOut;
use crate::domain::confidence::confidence;
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

/// Near misses that are shown, of each store.
const NEAR: usize = 10;

/// What a question recalls, and what it nearly does.
pub struct Explained {
    /// Exactly what a prompt would get.
    pub answer: Answer,
    pub personal_k: u32,
    pub global_k: u32,
    pub missed_personal: Vec<MissedMemory>,
    pub missed_global: Vec<MissedFact>,
}

/// A personal memory that others pushed out.
pub struct MissedMemory {
    pub id: String,
    pub content: String,
    pub parts: Parts,
    /// Counted from 1 among all that may be recalled.
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
    pub confidence: f64,
    pub parts: Parts,
    pub why: LeftOut,
    /// Counted from 1 among all that may be recalled; of facts that others pushed out.
    pub place: Option<usize>,
}

impl Keepsake {
    /// Explains a question that nobody asks: team facts only.
    pub async fn explain(&self, _viewer: &Viewer, query: &Query) -> Result<Explained> {
        if query.user.is_some() {
            return Err(Problem::invalid(Field::UserId, "needs a reason and users:edit").into());
        }
        check(query)?;
        let vector = self.embed_one(&query.text).await?;
        self.look(query, &vector).await
    }

    /// Explains a question as this user would ask it. What was looked at is somebody's own: it takes a reason, and is
    /// recorded with the user's digest before anything is shown. The question itself is not kept.
    pub async fn explain_as_user(&self, editor: &Editor, user: &UserId, reason: &Reason, query: &Query) -> Result<Explained> {
        check(query)?;
        let vector = self.embed_one(&query.text).await?;
        let now = self.clock.now();
        let entry = Entry {
            actor: editor.into(),
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
        };
        self.look(&asked, &vector).await
    }

    async fn look(&self, query: &Query, vector: &Vector) -> Result<Explained> {
        let settings = self.settings();
        let rules = QuestionRules::new(query, &settings, self.clock.now());
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
        let ranked = self.relevant_memories(user, &query.text, vector, k + NEAR, rules.now).await?;
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

    /// The best facts that are not in the answer, whether others pushed them out or they may not be in it.
    async fn missed_facts(
        &self,
        answer: &Answer,
        query: &Query,
        vector: &Vector,
        rules: &QuestionRules<'_>,
    ) -> Result<Vec<MissedFact>> {
        let k = rules.global_k as usize;
        let mut place = answer.global.len();
        let terms = terms(&query.text);
        let search = FactSearch::best(vector, &terms, rules.now, k + NEAR);
        let mut near = self.store.nearest_facts(&search).await?;
        if rules.admission.shut.is_none() {
            // Those that may be in the answer stand in recall's own order, before those that may not.
            let next = self.relevant_facts(&query.text, vector, k + NEAR, rules).await?;
            near.retain(|one| next.iter().all(|other| other.fact.id != one.fact.id));
            near.splice(0..0, next);
        }
        let mut missed = Vec::with_capacity(NEAR);
        for near in near {
            if answer.global.iter().any(|item| item.id == near.fact.id) {
                continue;
            }
            let (parts, confidence) = (near.parts(rules.now), confidence(&near.fact.evidence(), rules.now));
            let why = rules.admission.refuses(near.fact.status, near.fact.origin, confidence);
            place += usize::from(why.is_none());
            let Fact { id, content, status, origin, contributors, contradicted, .. } = near.fact;
            missed.push(MissedFact {
                place: why.is_none().then_some(place),
                why: why.unwrap_or(LeftOut::BeyondK),
                id,
                content,
                status,
                origin,
                contributors,
                contradicted,
                confidence,
                parts,
            });
        }
        missed.truncate(NEAR);
        Ok(missed)
    }
}
