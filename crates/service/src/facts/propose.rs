//! Takes a candidate through the gate into the quarantine, and out of it when enough people agree.

use std::sync::Arc;

use crate::Result;
use crate::audit::{self, Actor, Entry};
use crate::erasure::epoch::Epochs;
use crate::facts::batch::ArrivalBatch;
use crate::notify::webhooks;
use crate::people::key_uses::KeyUses;
use crate::reading::TextReader;
use crate::reading::{Budget, Reader};
use crate::settings::current::CurrentSettings;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use access::digest::Digester;
use domain::erasure::people::UserId;
use domain::facts::fact::{Candidate, FactStatus};
use domain::facts::promotion::{PENDING_OF_A_DAY, PENDING_OF_NOBODY, corroborates, promotes, told_at_most};
use domain::facts::provenance::{Origin, Surface};
use domain::insight::stats;
use domain::merging::similarity::hundredth;
use domain::merging::{Placement, place_fact};
use domain::moment::{MINUTE_MS, Moment};
use domain::settings::{LOWEST_SIMILARITY, Settings};
use domain::webhook::Event;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::embedder::Vector;
use ports::store::Store;
use ports::store::facts::{Fact, FactMerge, FactSearch, NearFact, NewFact, StatementDigests, StatusChange};
use ports::store::operate::settings::Measure;
use ports::store::{StoreError, WriteTx};

/// Number of rows below every threshold that are also compared, to record near misses.
pub(super) const NEAR_MISSES: usize = 8;
/// Maximum number of neighbours that are compared word by word with a candidate.
const NEIGHBOURS: usize = 50;

/// The outcome of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalOutcome {
    Pending(String),
    Merged(String),
    Promoted(String),
    /// It waits for the next batch.
    Held,
    /// The gate refused it; nothing was stored.
    Refused(Vec<String>),
    /// Too many new facts on this day; nothing was stored.
    Beyond,
}

/// The source of a statement: the user, the place and the time.
pub(crate) struct FactSource<'a> {
    pub user: Option<&'a UserId>,
    /// The key of a proposal, or `inbox`; the daily limit of proposals without a user applies to each.
    pub through: &'a str,
    pub surface: &'a Surface,
    /// The thread or the import in which it was said.
    pub source: Option<&'a str>,
    pub at: Moment,
    pub digester: &'a Digester,
}

/// The same words of two people count once if they are said within this time.
const ECHO_MS: i64 = 10 * MINUTE_MS;

impl FactSource<'_> {
    /// Digests that recognise the same words about this fact, said at nearly the same time or in the same source.
    fn heard(&self, fact_id: &str, candidate: &Candidate) -> StatementDigests {
        let words = candidate.content.as_str().to_lowercase();
        let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let (words, minutes) = (words.join(" "), self.at.0.div_euclid(ECHO_MS));
        StatementDigests {
            near: [minutes - 1, minutes, minutes + 1].map(|at| self.digester.heard(fact_id, &words, &at.to_string())),
            source: self.source.map(|source| self.digester.heard(fact_id, &words, &format!("in {source}"))),
        }
    }
}

/// A candidate with its vector, and the rules by which the gate refuses it.
pub(crate) struct Vetted {
    pub candidate: Candidate,
    pub vector: Vector,
    pub refused: Vec<String>,
}

impl Vetted {
    /// Applies the gate.
    pub(crate) fn by(reader: &Reader, candidate: Candidate, vector: Vector) -> Self {
        Self { refused: reader.refusals(candidate.content.as_str(), &vector), candidate, vector }
    }
}

/// Statements for the team, on their way into the quarantine.
pub struct Proposals {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub settings: CurrentSettings,
    pub epochs: Epochs,
    pub batch: Arc<ArrivalBatch>,
    pub key_uses: Arc<KeyUses>,
}

impl Proposals {
    /// Proposes one fact on request. It waits for contributors like any other.
    pub async fn propose(
        &self,
        caller: &Caller,
        user: Option<&UserId>,
        surface: &Surface,
        candidate: &Candidate,
    ) -> Result<ProposalOutcome> {
        caller.needs(Scope::Write)?;
        let fence = match user {
            Some(user) => Some(self.epochs.fence(user).await?),
            None => None,
        };
        let vector = self.embedder.embed_one(candidate.content.as_str()).await?;
        let candidate = candidate.clone();
        let vetted = self.reader.read(Budget::Requests, move |reader| Vetted::by(reader, candidate, vector)).await?;
        let settings = self.settings.get();
        let contribution =
            FactSource { user, through: caller.line(), surface, source: None, at: self.clock.now(), digester: &self.digester };
        atomically!(self.store.as_ref(), [settings, vetted, clock = self.clock.as_ref(), contribution, fence], |tx| {
            if let Some(fence) = fence {
                fence.holds(tx).await?;
            }
            // Without a user, the time of a proposal reveals no one.
            Ok(match contribution.user {
                Some(_) => self.take_in(tx, settings, contribution, vetted).await?,
                None => place(tx, clock, settings, contribution, vetted).await?,
            })
        })
        .await
    }

    /// Places a statement, or keeps it for the next batch.
    pub(crate) async fn take_in(
        &self,
        tx: &mut dyn WriteTx,
        settings: &Settings,
        contribution: &FactSource<'_>,
        vetted: &Vetted,
    ) -> std::result::Result<ProposalOutcome, StoreError> {
        if self.batch.length_ms().is_none() || !vetted.refused.is_empty() {
            return place(tx, self.clock.as_ref(), settings, contribution, vetted).await;
        }
        let day = contribution.at.day();
        if let Some(user) = contribution.user
            && tx.pending_of_day(user, day).await? >= PENDING_OF_A_DAY
        {
            tx.count(day, stats::BEYOND, 1).await?;
            return Ok(ProposalOutcome::Beyond);
        }
        let FactSource { user, surface, source, at, .. } = *contribution;
        tx.hold_arrival(user, surface, source, at, &vetted.candidate).await?;
        Ok(ProposalOutcome::Held)
    }
}

/// Places a candidate among the facts. The only function that decides between refusing, merging and inserting.
pub(crate) async fn place(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    settings: &Settings,
    contribution: &FactSource<'_>,
    Vetted { candidate, vector, refused }: &Vetted,
) -> std::result::Result<ProposalOutcome, StoreError> {
    let day = contribution.at.day();
    tx.count(day, "candidates.proposed", 1).await?;
    if !refused.is_empty() {
        tx.count(day, "candidates.refused", 1).await?;
        return Ok(ProposalOutcome::Refused(refused.clone()));
    }
    let Neighbours { same, against, missed } = neighbours(tx, settings, candidate.content.as_str(), vector, "").await?;
    let merged = same.is_some();
    if !merged && beyond(tx, contribution, day).await? {
        tx.count(day, stats::BEYOND, 1).await?;
        return Ok(ProposalOutcome::Beyond);
    }
    tx.count(day, if merged { "candidates.merged" } else { "candidates.new" }, 1).await?;
    let id = if let Some((fact, similarity)) = same {
        confirm(tx, clock, contribution, candidate, vector, &fact, similarity).await?
    } else {
        tx.count_near_miss(Measure::Global, contribution.at, hundredth(missed.merge), 1).await?;
        if against.is_empty() {
            tx.count_near_miss(Measure::Related, contribution.at, hundredth(missed.related), 1).await?;
        }
        insert(tx, clock, contribution, candidate, vector, &against).await?
    };
    if let Some(user) = contribution.user.filter(|_| candidate.origin != Origin::Agent) {
        tx.add_contribution(&id, user, contribution.surface, contribution.at).await?;
        tx.hear(&id, user, &contribution.heard(&id, candidate)).await?;
    }
    // A statement said long ago becomes known to the team only now.
    if promote_if_due(tx, settings, &id, &Actor::System, clock.now()).await? {
        return Ok(ProposalOutcome::Promoted(id));
    }
    Ok(if merged { ProposalOutcome::Merged(id) } else { ProposalOutcome::Pending(id) })
}

/// Whether the daily limit of new facts is reached, for this user or for proposals without a user.
async fn beyond(tx: &mut dyn WriteTx, contribution: &FactSource<'_>, day: i64) -> std::result::Result<bool, StoreError> {
    if let Some(user) = contribution.user {
        return Ok(tx.pending_of_day(user, day).await? >= PENDING_OF_A_DAY);
    }
    let counter = format!("{}.{}", stats::NEW_OF_NOBODY, contribution.through);
    tx.count(day, &counter, 1).await?;
    Ok(tx.counted(day, &counter).await? > PENDING_OF_NOBODY)
}

/// The facts near a text.
#[derive(Default)]
pub(super) struct Neighbours {
    /// The fact that says the same.
    pub same: Option<(Fact, f64)>,
    /// Facts that seem to contradict it.
    pub against: Vec<(Fact, f64)>,
    missed: NearMiss,
}

/// The similarity of the nearest facts that a lower threshold would have matched; 0: none.
#[derive(Default)]
struct NearMiss {
    merge: f64,
    related: f64,
}

/// Finds the fact that says the same, or those that seem to contradict the text. The fact `but` is left out. A few rows below
/// every threshold are compared too, so that near misses are recorded.
pub(super) async fn neighbours(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    text: &str,
    vector: &[f32],
    but: &str,
) -> std::result::Result<Neighbours, StoreError> {
    let search = FactSearch { min_similarity: LOWEST_SIMILARITY, but: Some(but), ..FactSearch::nearest(vector, NEIGHBOURS) };
    let near = tx.nearest_known_facts(&search).await?;
    let floor = settings.merge_global.min(settings.merge_related);
    let within = near.iter().filter(|near| near.similarity >= floor).count();
    let mut found = Neighbours::default();
    for NearFact { fact, similarity, .. } in near.into_iter().take(within + NEAR_MISSES) {
        match place_fact(similarity, settings.merge_global, settings.merge_related, &fact.content, text) {
            Placement::Merge => return Ok(Neighbours { same: Some((fact, similarity)), ..Neighbours::default() }),
            Placement::Contradicts if fact.status != FactStatus::Rejected => found.against.push((fact, similarity)),
            Placement::Contradicts => {}
            Placement::New => match place_fact(similarity, LOWEST_SIMILARITY, LOWEST_SIMILARITY, &fact.content, text) {
                Placement::Merge => found.missed.merge = found.missed.merge.max(similarity),
                Placement::Contradicts if fact.status != FactStatus::Rejected => {
                    found.missed.related = found.missed.related.max(similarity);
                }
                Placement::Contradicts | Placement::New => {}
            },
        }
    }
    Ok(found)
}

/// Records that the fact was said again. This never changes its text. A rejected fact stays rejected and is counted.
async fn confirm(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    contribution: &FactSource<'_>,
    candidate: &Candidate,
    vector: &Vector,
    fact: &Fact,
    similarity: f64,
) -> std::result::Result<String, StoreError> {
    let merge = FactMerge {
        id: clock.id("mrg"),
        fact_id: fact.id.clone(),
        content: candidate.content.as_str().to_owned(),
        vector: vector.clone(),
        similarity,
        at: contribution.at,
    };
    tx.record_fact_merge(&merge, contribution.user).await?;
    if fact.status == FactStatus::Rejected {
        tx.count_resubmission(&fact.id).await?;
    } else {
        tx.confirm_fact(&fact.id, contribution.at).await?;
    }
    Ok(fact.id.clone())
}

async fn insert(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    contribution: &FactSource<'_>,
    candidate: &Candidate,
    vector: &Vector,
    contradicting: &[(Fact, f64)],
) -> std::result::Result<String, StoreError> {
    let new = NewFact {
        id: clock.id("gf"),
        kind: candidate.kind,
        content: candidate.content.as_str().to_owned(),
        origin: candidate.origin,
        importance: candidate.importance,
        vector: vector.clone(),
        at: contribution.at,
    };
    tx.insert_fact(&new).await?;
    webhooks::tell(tx, Event::PendingCreated, &new.id, None, clock.now()).await?;
    for (other, similarity) in contradicting {
        tx.flag_contradiction(&new.id, &other.id, *similarity, contribution.at).await?;
    }
    Ok(new.id)
}

/// Promotes everything that qualifies under these settings, each with a row in the audit log. Returns how many.
pub(crate) async fn promote_all_due(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    actor: &Actor,
    at: Moment,
) -> std::result::Result<u32, StoreError> {
    let Some(contributors) = settings.promote_contributors else { return Ok(0) };
    let due = tx.due_for_promotion(contributors).await?;
    let mut promoted = 0;
    for id in &due {
        promoted += u32::from(promote_if_due(tx, settings, id, actor, at).await?);
    }
    Ok(promoted)
}

/// Promotes a pending fact that has enough distinct contributors. The only way out of the quarantine without an operator.
pub(super) async fn promote_if_due(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    id: &str,
    actor: &Actor,
    at: Moment,
) -> std::result::Result<bool, StoreError> {
    let Some(fact) = tx.known_fact(id).await? else { return Ok(false) };
    if corroborates(fact.contributors, settings.promote_contributors) {
        tx.corroborate(id).await?;
    }
    if !promotes(fact.status, fact.contributors, fact.contradicted, settings.promote_contributors) {
        return Ok(false);
    }
    let change = StatusChange {
        from: FactStatus::Pending,
        to: FactStatus::Approved,
        seen_version: fact.version,
        by: None,
        rejection: None,
        at,
    };
    if !tx.change_status(id, &change).await? {
        return Ok(false);
    }
    webhooks::tell(tx, Event::FactApproved, id, None, at).await?;
    tx.count(at.day(), "facts.promoted", 1).await?;
    let entry = Entry::of(actor, "fact.promoted")
        .on(id)
        .saying(format!("contributors={}", fact.contributors.min(told_at_most(settings.promote_contributors))));
    audit::append(tx, at, entry).await?;
    Ok(true)
}
