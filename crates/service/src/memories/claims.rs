//! Applies claims to a user's own memories: the only way in which memories are saved, merged, replaced and forgotten, for every
//! caller. `domain::claim` decides which memory a claim means; this file reads what it needs and writes the result.

use std::collections::HashSet;

use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::claim::MOST_FORGOTTEN;
use domain::memory::claim::{Choice, Claim, Meant, NearMemory, Nearness, Takes, about, choose, forgets};
use domain::memory::exchange::CLOCK_SKEW_MS;
use domain::memory::tags::Labels;
use domain::memory::{Content, MemoryKind, Statement};
use domain::merging::Extent;
use domain::merging::similarity::{cosine, hundredth};
use domain::moment::{MINUTE_MS, Moment};
use domain::settings::{LOWEST_CHANGE, LOWEST_SIMILARITY, Settings};
use ports::clock::Clock;
use ports::embedder::Vector;
use ports::store::memories::{LastSaid, Memory, MemoryMerge, MergeCause, NewMemory, Wording};
use ports::store::operate::settings::Measure;
use ports::store::{StoreError, WriteTx};

/// Maximum number of memories that a claim is compared with, by similarity and by the words it names.
const NEAREST: usize = 50;
const HOLDING: usize = 16;
/// Like `NEAREST`, for a wish to forget everything about a topic.
const NEAREST_OF_MANY: usize = 1_000;
/// Maximum age of a statement that "scratch that" may mean.
const JUST_MS: i64 = 10 * MINUTE_MS;

/// A claim with the vectors of its texts.
pub(crate) struct Directed {
    pub claim: Claim,
    /// Vector of the statement; without one, of the words that the claim names.
    pub vector: Vector,
    /// Tags and expiry of the statement.
    pub labels: Labels,
    /// The user's wish for how to answer, which is also kept as a note.
    pub note: Option<Content>,
}

/// The outcome of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveOutcome {
    Inserted(String),
    Merged(String),
    Replaced(String),
}

impl SaveOutcome {
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Inserted(id) | Self::Merged(id) | Self::Replaced(id) => id,
        }
    }

    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::Inserted(_) => "inserted",
            Self::Merged(_) => "merged",
            Self::Replaced(_) => "replaced",
        }
    }
}

/// The source of a claim: the user, the place, the time and the occasion.
pub(crate) struct StatementSource<'a> {
    pub user: &'a UserId,
    pub surface: &'a Surface,
    pub thread: Option<&'a str>,
    pub at: Moment,
    pub occasion: Occasion,
}

/// The occasion of a claim, which decides how similar the memory must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// Mentioned to the assistant in passing: what changed is often named only by its topic.
    Talk,
    /// Asked for explicitly, in words like those of the memory.
    Request,
}

/// Whether a statement replaces a memory or is stored beside the others.
enum Destination {
    Instead(NearMemory),
    /// As a new memory, or merged into one that says the same. For a change that found no memory, it holds the similarity of the
    /// nearest.
    Beside(Option<f64>),
}

/// The outcome of the claims of one occasion.
#[derive(Default)]
pub(crate) struct Settled {
    /// Saved statements, in their final wording.
    pub saved: Vec<(SaveOutcome, Statement)>,
    /// Notes, each with the id of its memory.
    pub notes: Vec<(String, Content)>,
    /// Number of wishes to forget that meant no memory.
    pub missed: usize,
    /// Ids of the memories to forget once the user confirms.
    pub to_confirm: Vec<String>,
}

/// The outcome of a wish to forget.
pub(crate) enum ForgetOutcome {
    Deleted(NearMemory),
    /// No memory is meant.
    Nothing,
    /// All of these are meant, or perhaps one of them: nothing was deleted, the user must confirm first.
    ToConfirm(Vec<NearMemory>),
}

/// Applies all claims of one occasion. Deletions come first, so that "forget X, remember Y" keeps Y. All others are judged
/// against what was stored before any of them is saved, and replacements are saved before statements that may merge.
pub(crate) async fn settle(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    settings: &Settings,
    source: &StatementSource<'_>,
    claims: &[Directed],
) -> Result<Settled, StoreError> {
    let (now, mut settled) = (clock.now(), Settled::default());
    for Directed { claim, vector, .. } in claims.iter().filter(|directed| directed.claim.says.is_none()) {
        match forget(tx, settings, source, claim, vector, now).await? {
            ForgetOutcome::Deleted(_) => {}
            ForgetOutcome::Nothing => settled.missed += 1,
            ForgetOutcome::ToConfirm(all) => add_new(&mut settled.to_confirm, all),
        }
    }
    let (mut instead, mut beside, mut taken) = (Vec::new(), Vec::new(), HashSet::new());
    for directed in claims {
        match place(tx, settings, source, directed, now, &mut taken).await? {
            Some((says, Destination::Instead(held))) => instead.push((directed, says, held)),
            Some((says, Destination::Beside(missed))) => beside.push((directed, says, missed)),
            None => {}
        }
    }
    let cause = if source.occasion == Occasion::Talk { MergeCause::Change } else { MergeCause::Correction };
    for (directed, says, held) in instead {
        let statement = Statement { kind: MemoryKind::Correction, ..says.clone() };
        let change = Change { cause, keeps_text: false };
        reword(tx, clock, source, &held, change, wording(&statement, directed)).await?;
        settled.notes.extend(directed.note.clone().map(|note| (held.id.clone(), note)));
        settled.saved.push((SaveOutcome::Replaced(held.id), statement));
    }
    for (directed, says, missed) in beside {
        let mut statement = says.clone();
        if source.occasion == Occasion::Talk && statement.kind == MemoryKind::Correction {
            // It corrected nothing, so it is an ordinary fact.
            statement.kind = MemoryKind::Fact;
        }
        let what = save(tx, clock, settings, source, &statement, directed, missed).await?;
        settled.notes.extend(directed.note.clone().map(|note| (what.id().to_owned(), note)));
        settled.saved.push((what, statement));
    }
    Ok(settled)
}

/// Adds the ids that are not there yet.
pub(super) fn add_new(ids: &mut Vec<String>, held: Vec<NearMemory>) {
    for NearMemory { id, .. } in held {
        if !ids.contains(&id) && ids.len() < MOST_FORGOTTEN {
            ids.push(id);
        }
    }
}

/// Deletes the memory that a claim without a statement surely means, if there is exactly one.
pub(crate) async fn forget(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    source: &StatementSource<'_>,
    claim: &Claim,
    vector: &[f32],
    now: Moment,
) -> Result<ForgetOutcome, StoreError> {
    if let Takes::Every(words) = &claim.takes {
        let all = every(tx, settings, source.user, words, vector, now).await?;
        if all.len() > 1 {
            return Ok(ForgetOutcome::ToConfirm(all));
        }
    }
    let held = match claim.takes {
        Takes::Last { just } => last(tx, source, just).await?,
        _ => held(tx, source.user, &claim.takes, vector, now).await?,
    };
    let at = nearness(settings, settings.merge_correction);
    match forgets(claim, &held, at) {
        Meant::Surely(found) => {
            tx.delete_memory(source.user, &found.id).await?;
            Ok(ForgetOutcome::Deleted(found.clone()))
        }
        Meant::Perhaps(all) => Ok(ForgetOutcome::ToConfirm(all.into_iter().take(MOST_FORGOTTEN).cloned().collect())),
        Meant::Nothing => Ok(ForgetOutcome::Nothing),
    }
}

/// Returns all memories of a user that are about these words, nearest first, at most [`MOST_FORGOTTEN`].
pub(crate) async fn every(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    user: &UserId,
    words: &str,
    vector: &[f32],
    now: Moment,
) -> Result<Vec<NearMemory>, StoreError> {
    let near = tx.near_memories(user, vector, now, NEAREST_OF_MANY).await?;
    let held = with(near, tx.memories_holding(user, words, vector, now, MOST_FORGOTTEN).await?);
    let all = about(&held, words, nearness(settings, settings.merge_correction));
    Ok(all.into_iter().take(MOST_FORGOTTEN).cloned().collect())
}

pub(crate) fn nearness(settings: &Settings, meant: f64) -> Nearness {
    Nearness { meant, same: settings.merge_personal, hint: settings.merge_change, asked: false }
}

/// Returns the user's last statement: in this conversation, or in any if the source has no thread.
async fn last(tx: &mut dyn WriteTx, source: &StatementSource<'_>, just: bool) -> Result<Vec<NearMemory>, StoreError> {
    let moment_ago = source.at.plus_ms(-JUST_MS);
    let said = LastSaid {
        surface: source.surface,
        thread: source.thread,
        since: if just { moment_ago } else { Moment(0) },
        // The clocks of hosts differ.
        until: source.at.plus_ms(CLOCK_SKEW_MS),
        reworded_since: moment_ago,
    };
    Ok(tx.last_said(source.user, &said).await?.into_iter().collect())
}

/// Decides how the claim's statement is stored; `None`: it has no effect.
async fn place<'a>(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    source: &StatementSource<'_>,
    directed: &'a Directed,
    now: Moment,
    taken: &mut HashSet<String>,
) -> Result<Option<(&'a Statement, Destination)>, StoreError> {
    let Directed { claim, vector, .. } = directed;
    let Some(says) = &claim.says else { return Ok(None) };
    if claim.takes == Takes::Nothing {
        return Ok(claim.lasting.then_some((says, Destination::Beside(None))));
    }
    let held = held(tx, source.user, &claim.takes, vector, now).await?;
    let (meant, lowest, asked) = match source.occasion {
        Occasion::Talk => (settings.merge_change, LOWEST_CHANGE, false),
        Occasion::Request => (settings.merge_correction, LOWEST_SIMILARITY, true),
    };
    let at = Nearness { asked, ..nearness(settings, meant) };
    Ok(match choose(claim, &held, taken, at, source.at) {
        Choice::Takes(found) => {
            taken.insert(found.id.clone());
            Some((says, Destination::Instead(found.clone())))
        }
        Choice::Joins(..) => Some((says, Destination::Beside(None))),
        Choice::Stands => {
            let missed = match choose(claim, &held, taken, Nearness { meant: lowest, ..at }, source.at) {
                Choice::Takes(found) => found.similarity,
                Choice::Joins(..) | Choice::Stands | Choice::Lapses => 0.0,
            };
            Some((says, Destination::Beside(Some(missed))))
        }
        Choice::Lapses => None,
    })
}

/// Returns the memories that a claim may mean, nearest first.
pub(crate) async fn held(
    tx: &mut dyn WriteTx,
    user: &UserId,
    takes: &Takes,
    vector: &[f32],
    now: Moment,
) -> Result<Vec<NearMemory>, StoreError> {
    let near = tx.near_memories(user, vector, now, NEAREST).await?;
    let named = match takes {
        Takes::Term(term) | Takes::Every(term) => tx.memories_holding(user, term, vector, now, HOLDING).await?,
        Takes::Id(id) => tx
            .own_memory(user, id)
            .await?
            .into_iter()
            .filter(|(memory, _)| memory.labels.live_at(now))
            .map(|(memory, own)| pointed_at(memory, &own, vector))
            .collect(),
        Takes::Nearest | Takes::Last { .. } | Takes::Nothing => Vec::new(),
    };
    Ok(with(near, named))
}

/// Each memory once, nearest first.
fn with(mut held: Vec<NearMemory>, named: Vec<NearMemory>) -> Vec<NearMemory> {
    for found in named {
        if held.iter().all(|held| held.id != found.id) {
            held.push(found);
        }
    }
    held.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| a.id.cmp(&b.id)));
    held
}

fn pointed_at(memory: Memory, own: &[f32], vector: &[f32]) -> NearMemory {
    let said = if memory.kind == MemoryKind::Episode { memory.created_at } else { memory.updated_at };
    NearMemory { id: memory.id, text: memory.content, similarity: cosine(own, vector), kind: memory.kind, said }
}

fn wording(statement: &Statement, Directed { vector, labels, .. }: &Directed) -> Wording {
    Wording {
        kind: statement.kind,
        content: statement.content.as_str().to_owned(),
        importance: statement.importance,
        vector: vector.clone(),
        labels: labels.clone(),
    }
}

/// Saves a statement that replaces no memory: merged into one that says the same, or as a new one.
async fn save(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    settings: &Settings,
    source: &StatementSource<'_>,
    statement: &Statement,
    directed: &Directed,
    missed: Option<f64>,
) -> Result<SaveOutcome, StoreError> {
    let held = held(tx, source.user, &Takes::Nothing, &directed.vector, clock.now()).await?;
    let claim = Claim::plain(statement.clone());
    // The nearest that says the same, even below the threshold: its similarity shows what another threshold would do.
    let same = settings.merge_personal.min(LOWEST_SIMILARITY);
    let joins = match choose(&claim, &held, &HashSet::new(), Nearness { meant: same, same, hint: same, asked: false }, source.at)
    {
        Choice::Joins(found, extent) => Some((found, extent)),
        Choice::Takes(_) | Choice::Stands | Choice::Lapses => None,
    };
    let incoming = wording(statement, directed);
    if let Some((found, extent)) = joins.filter(|(found, _)| found.similarity >= settings.merge_personal) {
        let change = Change { cause: MergeCause::Merge, keeps_text: extent == Extent::More };
        reword(tx, clock, source, found, change, incoming).await?;
        return Ok(SaveOutcome::Merged(found.id.clone()));
    }
    let (measure, missed) = match (missed, source.occasion) {
        (Some(missed), Occasion::Talk) => (Measure::Change, missed),
        (Some(missed), Occasion::Request) => (Measure::Correction, missed),
        (None, _) => (Measure::Personal, joins.map_or(0.0, |(held, _)| held.similarity)),
    };
    tx.count_near_miss(measure, source.at, hundredth(missed), 1).await?;
    let id = clock.id("mem");
    let new = NewMemory {
        id: id.clone(),
        wording: incoming,
        surface: source.surface.clone(),
        thread: source.thread.map(str::to_owned),
        at: source.at,
    };
    tx.insert_memory(source.user, &new).await?;
    Ok(SaveOutcome::Inserted(id))
}

/// A change of a memory.
#[derive(Clone, Copy)]
struct Change {
    cause: MergeCause,
    /// The memory says everything that the new statement says, and more, so its text stays.
    keeps_text: bool,
}

/// Changes the text of a memory and stores the old text in its history. The memory keeps the tags of both; a merge keeps the
/// later expiry, a replacement brings its own.
async fn reword(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    source: &StatementSource<'_>,
    held: &NearMemory,
    Change { cause, keeps_text }: Change,
    incoming: Wording,
) -> Result<(), StoreError> {
    let Some((memory, vector)) = tx.own_memory(source.user, &held.id).await? else { return Ok(()) };
    let before = memory.wording(vector);
    let stays = if keeps_text { &before } else { &incoming };
    let mut after = Wording { labels: before.labels.joined(&incoming.labels), ..stays.clone() };
    if cause != MergeCause::Merge {
        after.labels.expires_at = incoming.labels.expires_at;
    }
    let at = source.at.max(memory.updated_at);
    let merge = MemoryMerge {
        id: clock.id("mrg"),
        memory_id: held.id.clone(),
        cause,
        similarity: held.similarity,
        at,
        before,
        before_updated_at: memory.updated_at,
        incoming,
    };
    tx.record_merge(source.user, &merge).await?;
    tx.reword_memory(source.user, &held.id, &after, at).await?;
    Ok(())
}
