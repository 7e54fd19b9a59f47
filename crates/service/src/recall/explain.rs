//! Explains a recall: the answer that a prompt would get, the parts of each score, and near misses with the reason why they were
//! left out. Nothing is counted as a recall.

use crate::Result;
use crate::audit::{self, Entry, Why};
use crate::recall::Recall;
use crate::recall::{
    Item, MissedFact, MissedMemory, Passed, Query, QuestionRules, RecallOmissions, RecallResult, Weighed, check, fact_item,
    known_by,
};
use crate::transactions::atomically;
use access::operators::{Manager, Viewer};
use domain::erasure::people::UserId;
use domain::erasure::reason::Reason;
use domain::facts::admission::{LeftOut, clears_floor};
use domain::facts::confidence::{Evidence, confidence, remedies};
use domain::facts::fact::FactStatus;
use domain::facts::promotion::told_at_most;
use domain::memory::period::dates;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use domain::recall::words::terms;
use ports::embedder::Vector;
use ports::store::facts::{Fact, FactSearch};
use ports::store::memories::MemorySearch;

/// Number of near misses shown for memories and for facts: to an operator, and to a program.
const NEAR: usize = 10;
const NEAR_FOR_CALLERS: usize = 25;
/// Number of nearest facts searched for a fact that an operator asks about.
pub const FAR: usize = 200;

/// The items that a question recalls, and its near misses.
pub struct Explained {
    /// Exactly what a prompt would get.
    pub answer: RecallResult,
    pub personal_k: u32,
    pub global_k: u32,
    pub missed_personal: Vec<MissedMemory>,
    pub missed_global: Vec<MissedFact>,
    /// The fact that was asked about, if it was left out and is among the nearest [`FAR`].
    pub about: Option<MissedFact>,
}

/// The recipient of an explanation.
#[derive(Clone, Copy)]
struct Audience {
    /// Number of near misses of each kind.
    near: usize,
    /// Includes facts that recall never returns: pending and rejected ones.
    every_status: bool,
}

const OPERATOR: Audience = Audience { near: NEAR, every_status: true };
const CALLER: Audience = Audience { near: NEAR_FOR_CALLERS, every_status: false };

impl Recall {
    /// Explains a question without personal memories, as an anonymous caller or any signed-in user would ask it.
    pub async fn explain(&self, _viewer: &Viewer, query: &Query) -> Result<Explained> {
        if query.user.is_some() {
            return Err(Problem::invalid(Field::UserId, "needs a reason and users:edit").into());
        }
        check(query, self.clock.now())?;
        self.look(query).await
    }

    /// Explains a question as this user would ask it. This shows personal data, so it needs a reason, and is logged with the
    /// user's digest before anything is shown. The question itself is not stored.
    pub async fn explain_as_user(&self, manager: &Manager, user: &UserId, reason: &Reason, query: &Query) -> Result<Explained> {
        let now = self.clock.now();
        check(query, now)?;
        let entry = Entry::of(manager, "user.asked_as")
            .about(self.digester.user(user))
            .saying(format!("surface={}", query.surface.as_str()));
        let why = Why { text: reason.as_str().to_owned(), digest: self.digester.reason(reason.as_str()) };
        atomically!(self.store.as_ref(), [entry = entry.clone(), why], |tx| {
            Ok(audit::append_with_reason(tx, now, entry, why).await?)
        })
        .await?;
        self.look(&Query { user: Some(user.clone()), ..query.clone() }).await
    }

    async fn look(&self, query: &Query) -> Result<Explained> {
        let (settings, scoped) = (self.settings.get(), query.scoped());
        let told_at_most = Some(told_at_most(self.settings.get().promote_contributors));
        let rules = QuestionRules { told_at_most, ..QuestionRules::new(query, &scoped, &settings, self.clock.now()) };
        let vector = self.embedder.embed_one(rules.text).await?;
        let audience = if query.about.is_some() { Audience { near: FAR, ..OPERATOR } } else { OPERATOR };
        let (answer, RecallOmissions { mut personal, mut global }) = self.explained(query, &vector, &rules, audience).await?;
        let about = query.about.as_ref().and_then(|id| global.iter().find(|missed| missed.item.id == *id).cloned());
        personal.truncate(NEAR);
        global.truncate(NEAR);
        let (personal_k, global_k) = (rules.personal_k, rules.global_k);
        Ok(Explained { answer, personal_k, global_k, missed_personal: personal, missed_global: global, about })
    }

    /// Explains a recall to the program that asks: the memories of its user, and facts that recall may return.
    pub(super) async fn explain_to_caller(
        &self,
        query: &Query,
        vector: &Vector,
        rules: &QuestionRules<'_>,
    ) -> Result<RecallResult> {
        let (answer, missed) = self.explained(query, vector, rules, CALLER).await?;
        Ok(RecallResult { left_out: Some(missed), ..answer })
    }

    async fn explained(
        &self,
        query: &Query,
        vector: &Vector,
        rules: &QuestionRules<'_>,
        audience: Audience,
    ) -> Result<(RecallResult, RecallOmissions)> {
        let (answer, weighed) = self.answer(query, vector, rules).await?;
        let Weighed { passed_memories, passed_facts, further_memories, .. } = weighed;
        let mut personal: Vec<MissedMemory> =
            passed_memories.into_iter().map(|Passed { item, why, twin }| MissedMemory { item, why, twin }).collect();
        if let Some(user) = &query.user {
            let further = further_memories.into_iter().take(audience.near).collect();
            let further = self.memory_items(user, further, query.as_of).await?.into_iter();
            personal.extend(further.map(|(item, _)| MissedMemory { item, why: rules.below(), twin: None }));
            personal.extend(self.not_asked_for(user, query, vector, rules, audience.near).await?);
        }
        personal.truncate(audience.near);
        let global = self.missed_facts(&answer, passed_facts, query, vector, rules, audience).await?;
        Ok((answer, RecallOmissions { personal, global }))
    }

    /// Returns the best memories that the question's own conditions leave out.
    async fn not_asked_for(
        &self,
        user: &UserId,
        query: &Query,
        vector: &Vector,
        rules: &QuestionRules<'_>,
        near: usize,
    ) -> Result<Vec<MissedMemory>> {
        if query.kinds.is_empty() && query.tags.is_empty() && query.as_of.is_none() {
            return Ok(Vec::new());
        }
        let (terms, dates) = (terms(rules.text), dates(rules.text, rules.now));
        let ranked = self.ranked_memories(user, &MemorySearch::new(vector, &terms, &dates, rules.now), near, rules.now).await?;
        let items = self.memory_items(user, (1..).zip(ranked).collect(), None).await?;
        let ids: Vec<String> = items.iter().map(|(item, _)| item.id.clone()).collect();
        let then = self.store.memories_as_of(user, &ids, query.as_of).await?;
        let why = |item: &Item| match then.iter().find(|(row, _)| row.id == item.id) {
            None => Some(LeftOut::AsOf),
            Some((row, _)) if !query.kinds.is_empty() && !query.kinds.contains(&row.kind) => Some(LeftOut::Kind),
            Some((row, _)) => (!query.tags.admits(row.labels.tags.as_slice())).then_some(LeftOut::Tags),
        };
        let missed = items.into_iter().filter_map(|(item, _)| Some(MissedMemory { why: why(&item)?, item, twin: None }));
        Ok(missed.take(near).collect())
    }

    /// Returns the best facts that are not in the answer: passed over, ranked too low, or not admitted.
    async fn missed_facts(
        &self,
        answer: &RecallResult,
        passed: Vec<Passed>,
        query: &Query,
        vector: &Vector,
        rules: &QuestionRules<'_>,
        audience: Audience,
    ) -> Result<Vec<MissedFact>> {
        if rules.admission.shut.is_some() && !audience.every_status {
            return Ok(Vec::new());
        }
        let wanted = rules.global_k as usize + passed.len() + audience.near;
        // Recall's own order gives the rank of facts that may be in the answer.
        let admitted = match rules.admission.shut {
            Some(_) => Vec::new(),
            None => self.relevant_facts(rules.text, vector, wanted, rules).await?,
        };
        let terms = terms(rules.text);
        let status = (!audience.every_status).then_some(FactStatus::Approved);
        let search = FactSearch { status, ..FactSearch::best(vector, &terms, rules.now, wanted) };
        let mut missed = Vec::with_capacity(audience.near);
        for near in self.store.nearest_facts(&search).await? {
            if answer.global.iter().any(|item| item.id == near.fact.id) {
                continue;
            }
            let place = admitted.iter().position(|other| other.fact.id == near.fact.id).map(|n| n + 1);
            let refused = refused(&near.fact, rules, query.as_of);
            let known = passed.iter().find(|passed| passed.item.id == near.fact.id);
            let (why, twin) = match (known, refused, place) {
                (Some(passed), ..) => (passed.why, passed.twin.clone()),
                (None, Some(why), _) => (why, None),
                (None, None, Some(_)) => (rules.below(), None),
                (None, None, None) => continue,
            };
            let evidence = near.fact.evidence();
            let near = rules.told(near);
            let (status, contributors, contradicted) = (near.fact.status, near.fact.contributors, near.fact.contradicted);
            missed.push(MissedFact {
                confidence: confidence(&near.fact.evidence(), rules.now),
                remedies: remedies(&evidence, rules.admission.min_confidence, rules.now),
                approval_is_enough: {
                    let approved = Evidence { approved_by_operator: true, ..evidence };
                    clears_floor(confidence(&approved, rules.now), rules.admission.min_confidence)
                },
                item: fact_item(near, place.unwrap_or_default(), rules.now).0,
                place: place.filter(|_| refused.is_none()),
                status,
                contributors,
                contradicted,
                why,
                twin,
            });
        }
        missed.truncate(audience.near);
        Ok(missed)
    }
}

/// Returns why a fact may not be in the answer at all; `None`: it may.
fn refused(fact: &Fact, rules: &QuestionRules<'_>, as_of: Option<Moment>) -> Option<LeftOut> {
    let refused = rules.admission.refuses(fact.status, fact.origin, confidence(&fact.evidence(), rules.now));
    refused.or_else(|| as_of.filter(|then| !known_by(fact, *then)).map(|_| LeftOut::AsOf))
}
