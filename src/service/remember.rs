//! Saves a personal statement: as a memory of its own, into the memory that already says it, or in place of the one it
//! corrects.

use super::propose::{NEAR_MISSES, hundredth};
use super::{Error, Keepsake, Result};
use crate::access::callers::{Caller, Scope};
use crate::domain::exchange::{check_at, check_thread};
use crate::domain::gate;
use crate::domain::memory::{MemoryKind, Statement};
use crate::domain::merging::{corrects, holds_term, may_outdate, merges_personal, of_the_same};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::problem::Problem;
use crate::domain::provenance::{Occasion, Surface};
use crate::domain::settings::{LOWEST_SIMILARITY, Settings};
use crate::ports::clock::Clock;
use crate::ports::embedder::Vector;
use crate::ports::store::memories::{Memory, MemoryMerge, MergeCause, NewMemory, Page, Wording};
use crate::ports::store::tuning::Measure;
use crate::ports::store::{StoreError, WriteTx, atomically};

/// What became of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saved {
    Inserted(String),
    Merged(String),
    Replaced(String),
}

impl Saved {
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

/// Where and when a statement was made.
pub(super) struct Source<'a> {
    pub surface: &'a Surface,
    pub thread: Option<&'a str>,
    pub at: Moment,
}

/// Why a personal statement must not be stored: a secret, or an instruction planted for later.
pub(super) fn refuse_unsafe(text: &str) -> std::result::Result<(), Problem> {
    let mut rules = gate::rules_fired(&gate::secrets(text));
    // What is left of a sentence after its secret was taken out is not worth keeping.
    rules.extend(text.contains(gate::REDACTED).then(|| "secret".to_owned()));
    rules.extend(gate::check_note(text).into_iter().map(str::to_owned));
    if rules.is_empty() { Ok(()) } else { Err(Problem::Refused { rules }) }
}

impl Keepsake {
    /// Saves one statement on request.
    pub async fn remember(
        &self,
        caller: &Caller,
        user: &UserId,
        said: impl Into<Occasion>,
        statement: &Statement,
    ) -> Result<Saved> {
        caller.needs(Scope::Write)?;
        let Occasion { surface, thread, at } = said.into();
        let now = self.clock.now();
        let at = at.unwrap_or(now);
        check_at(at, now)?;
        check_thread(thread.as_deref())?;
        refuse_unsafe(statement.content.as_str())?;
        let fence = self.fence(user).await?;
        let vector = self.embed_one(statement.content.as_str()).await?;
        let settings = self.settings();
        atomically(self.store.as_ref(), |tx| {
            let (settings, vector, clock, fence) = (&settings, &vector, self.clock.as_ref(), &fence);
            let source = Source { surface: &surface, thread: thread.as_deref(), at };
            Box::pin(async move {
                fence.holds(tx).await?;
                Ok(save(tx, clock, settings, user, &source, statement, vector).await?)
            })
        })
        .await
    }

    /// A user's own memories, newest first.
    pub async fn memories(&self, caller: &Caller, user: &UserId, page: &Page) -> Result<Vec<Memory>> {
        caller.needs(Scope::Read)?;
        Ok(self.store.list_memories(user, page).await?)
    }

    /// Deletes one memory; somebody else's is as unknown as none.
    pub async fn delete_memory(&self, caller: &Caller, user: &UserId, id: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let deleted =
            atomically::<_, Error, _>(self.store.as_ref(), |tx| Box::pin(async move { Ok(tx.delete_memory(user, id).await?) }))
                .await?;
        if deleted { Ok(()) } else { Err(Problem::not_found("memory").into()) }
    }

    /// Takes back the newest merge of a memory: the memory is again what it was, byte for byte, and what had been merged
    /// into it stands beside it.
    pub async fn undo_merge(&self, caller: &Caller, user: &UserId, memory_id: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let separate = self.clock.id("mem");
        atomically(self.store.as_ref(), |tx| {
            let separate = separate.clone();
            Box::pin(async move {
                let memory = tx.own_memory(user, memory_id).await?.ok_or_else(|| Problem::not_found("memory"))?.0;
                let merge = tx.merges_of(user, memory_id).await?.into_iter().next().ok_or_else(|| Problem::not_found("merge"))?;
                tx.reword_memory(user, memory_id, &merge.before, merge.before_updated_at).await?;
                tx.forget_merge(user, &merge.id).await?;
                let surface = Surface::new(memory.surface)?;
                let new = NewMemory { id: separate, wording: merge.incoming, surface, thread: memory.thread, at: merge.at };
                Ok(tx.insert_memory(user, &new).await?)
            })
        })
        .await
    }
}

/// Places a statement among the user's own memories. The one function that decides between inserting, merging and
/// replacing.
pub(super) async fn save(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    settings: &Settings,
    user: &UserId,
    source: &Source<'_>,
    statement: &Statement,
    vector: &Vector,
) -> std::result::Result<Saved, StoreError> {
    let incoming = Wording {
        kind: statement.kind,
        content: statement.content.as_str().to_owned(),
        importance: statement.importance,
        vector: vector.clone(),
    };
    let (target, missed, measure) = if statement.kind == MemoryKind::Correction {
        let (target, missed) = corrected(tx, settings, user, statement, vector).await?;
        (target, missed, Measure::Correction)
    } else {
        let (target, missed) = said_before(tx, settings, user, statement, vector).await?;
        (target, missed, Measure::Personal)
    };
    let Some((id, similarity, cause)) = target else {
        tx.count_near_miss(measure, source.at, hundredth(missed)).await?;
        let id = clock.id("mem");
        let new = NewMemory {
            id: id.clone(),
            wording: incoming,
            surface: source.surface.clone(),
            thread: source.thread.map(str::to_owned),
            at: source.at,
        };
        tx.insert_memory(user, &new).await?;
        return Ok(Saved::Inserted(id));
    };
    if let Some((memory, before_vector)) = tx.own_memory(user, &id).await? {
        let before = Wording { kind: memory.kind, content: memory.content, importance: memory.importance, vector: before_vector };
        let at = source.at.max(memory.updated_at);
        let merge = MemoryMerge {
            id: clock.id("mrg"),
            memory_id: id.clone(),
            cause,
            similarity,
            at,
            before,
            before_updated_at: memory.updated_at,
            incoming: incoming.clone(),
        };
        tx.record_merge(user, &merge).await?;
        tx.reword_memory(user, &id, &incoming, at).await?;
    }
    Ok(match cause {
        MergeCause::Merge => Saved::Merged(id),
        MergeCause::Correction => Saved::Replaced(id),
    })
}

type Target = Option<(String, f64, MergeCause)>;

/// The nearest own memory that says the same, past the merge guard; else the similarity of the nearest that a lower
/// threshold would have found, 0 for none.
async fn said_before(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    user: &UserId,
    statement: &Statement,
    vector: &[f32],
) -> std::result::Result<(Target, f64), StoreError> {
    let mut near = tx.scan_own_memories(user, vector).await?;
    near.retain(|row| row.similarity >= LOWEST_SIMILARITY);
    near.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| a.id.cmp(&b.id)));
    let within = near.iter().filter(|row| row.similarity >= settings.merge_personal).count();
    for row in near.into_iter().take(within + NEAR_MISSES) {
        let Some((memory, _)) = tx.own_memory(user, &row.id).await? else { continue };
        if merges_personal(row.similarity, LOWEST_SIMILARITY, &memory.content, statement.content.as_str()) {
            return Ok(if row.similarity >= settings.merge_personal {
                (Some((row.id, row.similarity, MergeCause::Merge)), 0.0)
            } else {
                (None, row.similarity)
            });
        }
    }
    Ok((None, 0.0))
}

/// The memory that a correction replaces: the nearest that holds the term it takes back, else the nearest that is near
/// enough and about the same one; else the similarity of such a one that a lower threshold would have found, 0 for none.
async fn corrected(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    user: &UserId,
    statement: &Statement,
    vector: &[f32],
) -> std::result::Result<(Target, f64), StoreError> {
    let mut near = tx.scan_own_memories(user, vector).await?;
    near.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| a.id.cmp(&b.id)));
    if let Some(term) = &statement.negates {
        let contents = tx.own_contents(user).await?;
        let meant = |content: &str| holds_term(content, term) && may_outdate(statement.content.as_str(), content);
        let holder = near.iter().find(|row| contents.iter().any(|(id, content)| *id == row.id && meant(content)));
        if let Some(row) = holder {
            return Ok((Some((row.id.clone(), row.similarity, MergeCause::Correction)), 0.0));
        }
    }
    let within = near.iter().filter(|row| corrects(row.similarity, settings.merge_correction, "", None)).count();
    for row in near.into_iter().take(within + NEAR_MISSES) {
        let Some((memory, _)) = tx.own_memory(user, &row.id).await? else { continue };
        if of_the_same(&memory.content, statement.content.as_str()) {
            return Ok(if corrects(row.similarity, settings.merge_correction, "", None) {
                (Some((row.id, row.similarity, MergeCause::Correction)), 0.0)
            } else {
                (None, row.similarity)
            });
        }
    }
    Ok((None, 0.0))
}
