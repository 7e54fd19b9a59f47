//! Recall for a prompt: the best personal memories of one user and the best team facts, joined only in the answer.
//!
//! Candidates are taken best first: one that says the same as an item already chosen is passed over, and at the end the answer is
//! cut to the budget. An explanation runs the same code and also reports the candidates that were passed over, and why.

mod answer;
pub mod counts;
pub mod explain;

use std::sync::Arc;

use super::Result;
use super::blocks::{Block, Passage, RecalledBlocks};
use crate::blocks::Blocks;
use crate::learning::echo_marks::EchoMarks;
use crate::recall::counts::RecallCounts;
use crate::settings::current::CurrentSettings;
use access::digest::Digester;
use domain::erasure::people::UserId;
use domain::facts::admission::{Admission, LeftOut};
use domain::facts::confidence::Remedy;
use domain::facts::fact::FactStatus;
use domain::facts::provenance::{Origin, OriginFilter, Surface};
use domain::memory::exchange::CLOCK_SKEW_MS;
use domain::memory::period::dates;
use domain::memory::tags::TagFilter;
use domain::memory::{Importance, MemoryKind};
use domain::merging::similarity::cosine;
use domain::merging::{ComparedStatement, belongs_to_its_day, holds};
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use domain::recall::asked;
use domain::recall::greeting::is_greeting;
use domain::recall::prompt;
use domain::recall::ranking::ScoreParts;
use domain::recall::scoping::{Scoped, scoped};
use domain::recall::search::{Leg, Legs, RankedHit, most_relevant};
use domain::recall::words::terms;
use domain::settings::Settings;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::embedder::Vector;
use ports::store::Store;
use ports::store::facts::{Fact, FactSearch, NearFact};
use ports::store::memories::{Memory, MemorySearch};

/// Maximum value of `k`.
pub const K_MAX: u32 = 50;
/// Longest query in characters; the model reads far less of it.
pub const QUERY_MAX_CHARS: usize = 16_000;
/// Largest budget of a prompt block in tokens: more than fifty memories and fifty facts can take.
pub const BUDGET_MAX: u32 = 100_000;

/// Minimum number of hits that a search returns for each leg. It is more than any answer holds, so that an item that is average
/// in every leg but best in the sum is included.
const SEARCHED: usize = 100;

/// A question.
#[derive(Clone)]
pub struct Query {
    /// `None`: only team facts, and only if anonymous recall is on.
    pub user: Option<UserId>,
    /// Asks as any signed-in user: without personal memories, but not anonymously.
    pub signed_in: bool,
    pub surface: Surface,
    pub text: String,
    /// Maximum number of memories and of facts; absent: as in the settings.
    pub k: Option<u32>,
    /// The team facts that may be used; absent: as the text itself asks, if it does (see `domain::scoping`).
    pub origins: Option<OriginFilter>,
    /// Only personal memories of these kinds; empty: of all.
    pub kinds: Vec<MemoryKind>,
    /// Filter of personal memories by tags; team facts have none.
    pub tags: TagFilter,
    /// Maximum size of the prompt block in tokens, as [`prompt::tokens`] estimates them; absent: any.
    pub budget: Option<u32>,
    /// Asks also for passages of memory blocks.
    pub passages: bool,
    /// Asks what was known at this moment. Such a question is not counted as a use.
    pub as_of: Option<Moment>,
    /// Asks how each item was scored and what was left out. Such a question is not counted as a use.
    pub explain: bool,
    /// A fact that an operator asks about: an explanation looks for it far below the answer.
    pub about: Option<String>,
}

impl Query {
    /// A question without conditions.
    #[must_use]
    pub fn new(user: Option<UserId>, surface: Surface, text: impl Into<String>) -> Self {
        Self {
            user,
            signed_in: false,
            surface,
            text: text.into(),
            k: None,
            origins: None,
            kinds: Vec::new(),
            tags: TagFilter::default(),
            budget: None,
            passages: false,
            as_of: None,
            explain: false,
            about: None,
        }
    }

    fn is_anonymous(&self) -> bool {
        self.user.is_none() && !self.signed_in
    }

    /// Returns the text to search for, and the origins that apply: those that the caller names, else those that the text asks
    /// for.
    pub(super) fn scoped(&self) -> Scoped {
        match &self.origins {
            Some(origins) => Scoped { text: self.text.clone(), origins: origins.clone() },
            None => scoped(&self.text),
        }
    }
}

/// One recalled memory or fact.
#[derive(Clone)]
pub struct Item {
    pub id: String,
    pub kind: &'static str,
    pub content: String,
    /// When it was said, for memories only: a time could tell who contributed to a fact.
    pub at: Option<Moment>,
    pub importance: Importance,
    pub parts: ScoreParts,
    /// The legs that found it.
    pub legs: Vec<Leg>,
    /// The share of each leg, in standard deviations above the mean.
    pub shares: Legs,
    /// Rank among everything that may be recalled from its store, from 1.
    pub place: usize,
    /// For facts only.
    pub origin: Option<Origin>,
    /// For facts only: how sure it is, from 0 to 1.
    pub confidence: Option<f64>,
}

/// The result of a recall.
pub struct RecallResult {
    pub personal: Vec<Item>,
    pub global: Vec<Item>,
    /// The block for the prompt; empty when nothing was recalled.
    pub prompt: String,
    /// The estimated number of tokens of the block.
    pub prompt_tokens: u32,
    /// The team facts that could be used, as the caller or the text asked.
    pub origins: OriginFilter,
    /// Passages of memory blocks, if the question asks for them.
    pub passages: Option<Vec<Passage>>,
    /// Items left out, if the question asks for an explanation.
    pub left_out: Option<RecallOmissions>,
}

impl RecallResult {
    /// The ids of all its items, including those left out.
    fn ids(&self) -> impl Iterator<Item = &str> {
        let items = self.personal.iter().chain(&self.global);
        let left_out = self.left_out.iter().flat_map(|missed| {
            let personal = missed.personal.iter().map(|missed| &missed.item);
            personal.chain(missed.global.iter().map(|missed| &missed.item))
        });
        items.chain(left_out).map(|item| item.id.as_str())
    }
}

/// Items left out of an answer.
pub struct RecallOmissions {
    pub personal: Vec<MissedMemory>,
    pub global: Vec<MissedFact>,
}

/// A personal memory that was left out.
pub struct MissedMemory {
    /// Its `place` is the rank among everything that may be recalled.
    pub item: Item,
    pub why: LeftOut,
    /// Id of the item in the answer that says the same.
    pub twin: Option<String>,
}

/// A team fact that was left out.
#[derive(Clone)]
pub struct MissedFact {
    pub item: Item,
    pub status: FactStatus,
    pub contributors: u32,
    pub contradicted: bool,
    /// Changes that would raise its confidence to the floor.
    pub remedies: Vec<Remedy>,
    /// An operator's approval would raise its confidence to the floor, or it is there already.
    pub approval_is_enough: bool,
    pub confidence: f64,
    pub why: LeftOut,
    /// Rank among everything that may be recalled, from 1; only for facts that could be in the answer.
    pub place: Option<usize>,
    /// Id of the item in the answer that says the same.
    pub twin: Option<String>,
}

/// A candidate that ranked high enough and was passed over.
pub(super) struct Passed {
    pub item: Item,
    pub why: LeftOut,
    /// Id of the item that says the same.
    pub twin: Option<String>,
}

/// By-products of choosing the candidates, for counting and for explanations.
#[derive(Default)]
pub(super) struct Weighed {
    pub passed_memories: Vec<Passed>,
    pub passed_facts: Vec<Passed>,
    /// Memory blocks that were read for the answer.
    pub blocks: Vec<Block>,
    /// Memories ranked below those examined, with their ranks.
    pub further_memories: Vec<(usize, RankedHit)>,
    /// Similarities of items found by meaning alone, before the cut-off.
    pub by_meaning: Vec<f64>,
}

/// Items in the order in which they were chosen, with their vectors, to recognise near duplicates.
#[derive(Default)]
struct Chosen(Vec<(Item, Vector)>);

impl Chosen {
    /// Returns the id of a chosen item that says everything this one says.
    fn twin(&self, next: &Item, vector: &[f32], threshold: f64) -> Option<String> {
        let incoming = ComparedStatement::new(&next.content);
        let says_the_same = |(item, held): &&(Item, Vector)| {
            (item.content == next.content || (cosine(held, vector) >= threshold && holds(&item.content, &incoming)))
                && !are_of_two_days(item, next)
        };
        self.0.iter().find(says_the_same).map(|(item, _)| item.id.clone())
    }
}

/// The rules for one question: how many memories and facts, and which facts are admitted.
pub(super) struct QuestionRules<'a> {
    /// The text to search for.
    pub text: &'a str,
    pub personal_k: u32,
    pub global_k: u32,
    pub admission: Admission<'a>,
    /// The moment for which the question is answered.
    pub now: Moment,
    /// Minimum similarity of two items that may say the same.
    pub same: f64,
    /// Minimum similarity of an item that was found by meaning alone.
    pub min_similarity: f64,
    /// The question is only a greeting or thanks, and recalls nothing.
    pub greets: bool,
    /// Maximum number of contributors that count in the parts of a score, in an explanation.
    pub told_at_most: Option<u32>,
}

impl<'a> QuestionRules<'a> {
    pub fn new(query: &Query, scoped: &'a Scoped, settings: &Settings, now: Moment) -> Self {
        let greets = is_greeting(&scoped.text);
        let most = |usual: u32| if greets { 0 } else { query.k.unwrap_or(usual) };
        Self {
            text: &scoped.text,
            personal_k: most(settings.recall_personal_k),
            global_k: most(settings.recall_global_k),
            greets,
            admission: Admission::new(settings, &query.surface, query.is_anonymous(), &scoped.origins),
            now: query.as_of.unwrap_or(now),
            same: settings.merge_personal,
            min_similarity: settings.recall_min_similarity,
            told_at_most: None,
        }
    }

    /// Whether this may be recalled: it is similar enough, or was not found by meaning alone.
    fn is_relevant(&self, item: &Item) -> bool {
        // At 0 nothing is cut off, although a similarity may be negative.
        self.min_similarity <= 0.0 || !item.shares.by_meaning_alone() || similarity(item) >= self.min_similarity
    }

    /// The reason why items ranked below the answer are not in it.
    pub fn below(&self) -> LeftOut {
        if self.greets { LeftOut::Greeting } else { LeftOut::BeyondK }
    }

    /// Returns a fact limited to what may be explained of it.
    pub fn told(&self, near: NearFact) -> NearFact {
        near.told(self.told_at_most.unwrap_or(u32::MAX))
    }
}

/// Recall for a prompt.
pub struct Recall {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub settings: CurrentSettings,
    pub blocks: Arc<Blocks>,
    pub echoes: Arc<EchoMarks>,
    pub counts: Arc<RecallCounts>,
}

impl Recall {
    /// Returns the answer for a prompt, and what was passed over. Recall and its explanation both use this.
    pub(super) async fn answer(
        &self,
        query: &Query,
        vector: &[f32],
        rules: &QuestionRules<'_>,
    ) -> Result<(RecallResult, Weighed)> {
        let mut weighed = Weighed::default();
        let personal = match &query.user {
            Some(user) => self.personal(user, query, vector, rules, &mut weighed).await?,
            None => Chosen::default(),
        };
        let global = match rules.admission.shut {
            None => self.global(query, vector, rules, &personal, &mut weighed).await?,
            Some(_) => Chosen::default(),
        };
        let items = |chosen: Chosen| chosen.0.into_iter().map(|(item, _)| item).collect::<Vec<Item>>();
        let (mut personal, mut global) = (items(personal), items(global));
        weighed.by_meaning =
            personal.iter().chain(&global).filter(|item| item.shares.by_meaning_alone()).map(similarity).collect();
        let relevant = |items: &[Item]| items.iter().map(|item| rules.is_relevant(item)).collect::<Vec<bool>>();
        let (memories, facts) = (relevant(&personal), relevant(&global));
        weighed.passed_memories.extend(keep(&mut personal, &memories, LeftOut::Relevance));
        weighed.passed_facts.extend(keep(&mut global, &facts, LeftOut::Relevance));
        let blocks = match &query.user {
            // `as_of` excludes blocks: an assistant edits them, so they are no statements.
            Some(user) if query.as_of.is_none() => {
                let k = query.passages.then_some(rules.personal_k);
                self.blocks.recalled_blocks(user, rules.text, k, prompt::room_for_blocks(query.budget)).await?
            }
            _ => RecalledBlocks::default(),
        };
        weighed.blocks = blocks.read;
        if let Some(budget) = query.budget {
            let budget = budget.saturating_sub(prompt::tokens(&blocks.section));
            let fit = prompt::fit(budget, &said(&personal), &contents(&global));
            weighed.passed_memories.extend(keep(&mut personal, &fit.personal, LeftOut::Budget));
            weighed.passed_facts.extend(keep(&mut global, &fit.global, LeftOut::Budget));
        }
        let prompt = prompt::block(&blocks.section, said(&personal), contents(&global));
        let prompt_tokens = prompt::tokens(&prompt);
        let origins = rules.admission.origins.clone();
        let passages = query.passages.then_some(blocks.passages);
        Ok((RecallResult { personal, global, prompt, prompt_tokens, origins, passages, left_out: None }, weighed))
    }

    /// Returns the `k` memories of this user that are most relevant to a text, best first.
    pub(super) async fn relevant_memories(
        &self,
        user: &UserId,
        text: &str,
        vector: &[f32],
        k: usize,
        now: Moment,
    ) -> Result<Vec<RankedHit>> {
        let (terms, dates) = (terms(text), dates(text, now));
        let mut ranked = self.ranked_memories(user, &MemorySearch::new(vector, &terms, &dates, now), k, now).await?;
        ranked.truncate(k);
        Ok(ranked)
    }

    /// Returns the memories that a search finds, best first: at least the best `k`.
    pub(super) async fn ranked_memories(
        &self,
        user: &UserId,
        search: &MemorySearch<'_>,
        k: usize,
        now: Moment,
    ) -> Result<Vec<RankedHit>> {
        let found = self.store.search_memories(user, search, k.max(SEARCHED)).await?;
        Ok(most_relevant(found, usize::MAX, |hit| ScoreParts::personal(hit.similarity, hit.importance, hit.touched, now)))
    }

    async fn personal(
        &self,
        user: &UserId,
        query: &Query,
        vector: &[f32],
        rules: &QuestionRules<'_>,
        weighed: &mut Weighed,
    ) -> Result<Chosen> {
        let (k, terms, dates) = (rules.personal_k as usize, terms(rules.text), dates(rules.text, rules.now));
        // Every condition on personal memories belongs here, so that the store applies it before it takes the best.
        let (kinds, tags, as_of) = (&query.kinds, &query.tags, query.as_of);
        let search = MemorySearch { kinds, tags, as_of, ..MemorySearch::new(vector, &terms, &dates, rules.now) };
        let mut ranked = (1..).zip(self.ranked_memories(user, &search, k, rules.now).await?);
        let mut chosen = Chosen::default();
        while chosen.0.len() < k {
            let next: Vec<(usize, RankedHit)> = ranked.by_ref().take(k - chosen.0.len()).collect();
            if next.is_empty() {
                break;
            }
            for (item, vector) in self.memory_items(user, next, query.as_of).await? {
                match chosen.twin(&item, &vector, rules.same) {
                    Some(twin) => {
                        weighed.passed_memories.push(Passed { item, why: LeftOut::NearDuplicate, twin: Some(twin) });
                    }
                    None => chosen.0.push((item, vector)),
                }
            }
        }
        weighed.further_memories.extend(ranked);
        Ok(chosen)
    }

    /// Returns these memories with their texts; those that have been deleted meanwhile are absent.
    pub(super) async fn memory_items(
        &self,
        user: &UserId,
        ranked: Vec<(usize, RankedHit)>,
        as_of: Option<Moment>,
    ) -> Result<Vec<(Item, Vector)>> {
        let ids: Vec<String> = ranked.iter().map(|(_, ranked)| ranked.id.clone()).collect();
        let mut rows = self.store.memories_as_of(user, &ids, as_of).await?;
        // A memory that has expired since is not returned for an earlier time either.
        let now = self.clock.now();
        rows.retain(|(row, _)| row.labels.live_at(now));
        Ok(ranked
            .into_iter()
            .filter_map(|(place, RankedHit { id, parts, legs, .. })| {
                let (row, vector) = rows.swap_remove(rows.iter().position(|(row, _)| row.id == id)?);
                let Memory { kind, content, importance, said_at, .. } = row;
                let (kind, at, shares, legs) = (kind.as_str(), Some(said_at), legs, legs.found_by());
                let (origin, confidence) = (None, None);
                Some((Item { id, kind, content, at, importance, parts, legs, shares, place, origin, confidence }, vector))
            })
            .collect())
    }

    /// Returns the `k` approved facts that may be in the answer and are most relevant to a text, best first.
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

    async fn global(
        &self,
        query: &Query,
        vector: &[f32],
        rules: &QuestionRules<'_>,
        personal: &Chosen,
        weighed: &mut Weighed,
    ) -> Result<Chosen> {
        let k = rules.global_k as usize;
        let mut wanted = k;
        loop {
            let found = self.relevant_facts(rules.text, vector, wanted, rules).await?;
            let none_left = found.len() < wanted;
            let (mut chosen, mut passed) = (Chosen::default(), Vec::new());
            for (place, near) in (1..).zip(found) {
                if chosen.0.len() == k {
                    break;
                }
                let known = query.as_of.is_none_or(|then| known_by(&near.fact, then));
                let (item, vector) = fact_item(rules.told(near), place, rules.now);
                let twin = personal.twin(&item, &vector, rules.same);
                match (known, twin) {
                    (false, _) => passed.push(Passed { item, why: LeftOut::AsOf, twin: None }),
                    (true, Some(twin)) => passed.push(Passed { item, why: LeftOut::NearDuplicate, twin: Some(twin) }),
                    (true, None) => chosen.0.push((item, vector)),
                }
            }
            if none_left || chosen.0.len() == k {
                weighed.passed_facts = passed;
                return Ok(chosen);
            }
            wanted *= 2;
        }
    }
}

/// Whether two memories are about different days, whatever they say.
fn are_of_two_days(one: &Item, other: &Item) -> bool {
    let of_its_day = |item: &Item| MemoryKind::parse(item.kind).is_ok_and(|kind| belongs_to_its_day(kind, &item.content));
    let apart = one.at.zip(other.at).is_some_and(|(one, other)| one.day() != other.day());
    apart && (of_its_day(one) || of_its_day(other))
}

/// Whether the team knew a fact on the day of this moment. Its current approval counts. Only whole days are compared: by the
/// hour, the answer would reveal when a contribution promoted it.
pub(super) fn known_by(fact: &Fact, then: Moment) -> bool {
    fact.decided_at.unwrap_or(fact.created_at).day() <= then.day()
}

pub(super) fn fact_item(near: NearFact, place: usize, now: Moment) -> (Item, Vector) {
    let (parts, shares, confidence) = (near.parts(now), near.legs, Some(near.confidence(now)));
    let NearFact { fact: Fact { id, kind, content, importance, origin, .. }, vector, .. } = near;
    let (kind, legs, origin) = (kind.as_str(), shares.found_by(), Some(origin));
    (Item { id, kind, content, at: None, importance, parts, legs, shares, place, origin, confidence }, vector)
}

/// Cosine similarity to the question.
fn similarity(item: &Item) -> f64 {
    1.0 - item.parts.distance
}

fn said(memories: &[Item]) -> Vec<prompt::PromptMemory<'_>> {
    memories.iter().filter_map(|item| Some(prompt::PromptMemory { at: item.at?, content: &item.content })).collect()
}

fn contents(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.content.as_str()).collect()
}

/// Keeps the items that were taken, and returns the others.
fn keep(items: &mut Vec<Item>, taken: &[bool], why: LeftOut) -> Vec<Passed> {
    let mut taken = taken.iter();
    let (kept, passed): (Vec<Item>, Vec<Item>) = std::mem::take(items).into_iter().partition(|_| taken.next() == Some(&true));
    *items = kept;
    passed.into_iter().map(|item| Passed { item, why, twin: None }).collect()
}

pub(super) fn check(query: &Query, now: Moment) -> std::result::Result<(), Problem> {
    faults(query, now).into_iter().next().map_or(Ok(()), Err)
}

/// Returns everything that is wrong with a question.
#[must_use]
pub fn faults(query: &Query, now: Moment) -> Vec<Problem> {
    let mut faults = Vec::new();
    if query.text.trim().is_empty() {
        faults.push(Problem::invalid(Field::Query, "must not be blank"));
    } else if let Err(problem) = asked::check(&query.text, QUERY_MAX_CHARS) {
        faults.push(problem);
    }
    if query.k.is_some_and(|k| k > K_MAX) {
        faults.push(Problem::invalid(Field::K, format!("must be a whole number from 0 to {K_MAX}")));
    }
    if query.budget.is_some_and(|budget| budget > BUDGET_MAX) {
        faults.push(Problem::invalid(Field::Budget, format!("must be a whole number of tokens from 0 to {BUDGET_MAX}")));
    }
    if query.as_of.is_some_and(|then| then > now.plus_ms(CLOCK_SKEW_MS)) {
        faults.push(Problem::invalid(Field::AsOf, "must not lie in the future"));
    }
    faults
}
