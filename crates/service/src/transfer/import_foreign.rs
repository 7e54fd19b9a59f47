//! Imports memories that another product wrote down: with their dates, word for word, each once.

use crate::Result;
use crate::audit::{self, Entry};
use crate::learning::keep::{MEMORIES_MERGED, MEMORIES_NEW, MEMORIES_REPLACED};
use crate::reading::{Budget, Reader};
use crate::transactions::atomically;
use crate::transfer::Transfer;
use access::callers::{Caller, Scope};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::Statement;
use domain::memory::exchange::check_at;
use domain::memory::tags::Labels;
use domain::moment::Moment;
use ports::store::memories::{NewMemory, Wording};

/// Memories stored in one transaction.
pub const AT_A_TIME: usize = 64;

/// A statement with its date and its expiry.
#[derive(Debug, Clone)]
pub struct DatedStatement {
    pub statement: Statement,
    pub at: Moment,
    pub expires_at: Option<Moment>,
}

/// Counts of memories that were stored, were there already, and were refused because they hold a secret or an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TakenIn {
    pub memories: usize,
    pub known: usize,
    pub refused: usize,
}

/// Counts of statements from exchanges that became memories of their own, were merged into one that says the same, or replaced
/// one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatementCounts {
    pub apart: i64,
    pub merged: i64,
    pub replaced: i64,
}

impl StatementCounts {
    /// Returns the difference from an earlier count.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        let Self { apart, merged, replaced } = self;
        Self { apart: apart - before.apart, merged: merged - before.merged, replaced: replaced - before.replaced }
    }
}

impl Transfer {
    /// Counts the outcomes for all statements of exchanges so far.
    pub async fn kept_so_far(&self) -> Result<StatementCounts> {
        let mut kept = StatementCounts::default();
        for count in self.store.counters_after(i64::MIN).await? {
            match count.name.as_str() {
                MEMORIES_NEW => kept.apart += count.value,
                MEMORIES_MERGED => kept.merged += count.value,
                MEMORIES_REPLACED => kept.replaced += count.value,
                _ => {}
            }
        }
        Ok(kept)
    }

    /// Stores statements that the user does not have yet, word for word. Statements that must not be stored are left out and
    /// counted. Each part is stored whole or not at all, so that a command that was stopped can be repeated.
    pub async fn take_in_memories(
        &self,
        caller: &Caller,
        user: &UserId,
        surface: &Surface,
        told: Vec<DatedStatement>,
    ) -> Result<TakenIn> {
        caller.needs(Scope::Write)?;
        let now = self.clock.now();
        let mut taken = TakenIn::default();
        for part in told.chunks(AT_A_TIME) {
            for one in part {
                check_at(one.at, now)?;
            }
            let fence = self.epochs.fence(user).await?;
            let safe = self.safe_of(part.to_vec()).await?;
            taken.refused += part.len() - safe.len();
            if safe.is_empty() {
                continue;
            }
            let texts: Vec<String> = safe.iter().map(|told| told.statement.content.as_str().to_owned()).collect();
            let vectors = self.embedder.embed(&texts).await?;
            let memories: Vec<NewMemory> =
                safe.iter().zip(vectors).map(|(told, vector)| self.taken_in(told, surface, vector)).collect();
            let digest = self.digester.user(user);
            let new = atomically!(self.store.as_ref(), [fence, texts, memories, digest], |tx| {
                fence.holds(tx).await?;
                let mut held = tx.texts_held(user, texts, now).await?;
                let mut new = 0;
                for memory in memories {
                    if held.contains(&memory.wording.content) {
                        continue;
                    }
                    tx.insert_memory(user, memory).await?;
                    held.push(memory.wording.content.clone());
                    new += 1;
                }
                if new > 0 {
                    let entry = Entry::of(caller, "user.imported").about(digest).saying(format!("memories={new}"));
                    audit::append(tx, now, entry).await?;
                }
                Ok(new)
            })
            .await?;
            taken.memories += new;
            taken.known += safe.len() - new;
        }
        Ok(taken)
    }

    /// Returns the statements that may be stored as personal ones.
    async fn safe_of(&self, told: Vec<DatedStatement>) -> Result<Vec<DatedStatement>> {
        let judge = move |reader: &Reader| {
            let safe = |told: &DatedStatement| reader.refuse_unsafe(told.statement.content.as_str()).is_ok();
            told.into_iter().filter(safe).collect()
        };
        Ok(self.reader.read(Budget::Requests, judge).await?)
    }

    fn taken_in(&self, told: &DatedStatement, surface: &Surface, vector: ports::embedder::Vector) -> NewMemory {
        let Statement { kind, content, importance } = &told.statement;
        NewMemory {
            id: self.clock.id("mem"),
            wording: Wording {
                kind: *kind,
                content: content.as_str().to_owned(),
                importance: *importance,
                vector,
                labels: Labels { expires_at: told.expires_at, ..Labels::default() },
            },
            surface: surface.clone(),
            thread: None,
            at: told.at,
        }
    }
}
