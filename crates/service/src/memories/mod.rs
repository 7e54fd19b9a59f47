//! A user's memories: list, read with history, edit, undo the last change, and delete; by a program, or by an operator who has
//! the record open.
//!
//! A change names the version that it is based on, so of two concurrent changes one is refused and overwrites nothing. The former
//! wording is kept in the memory's history until it is restored by an undo or the memory is deleted.

pub mod audited;
pub(super) mod claims;
pub mod ending;
pub mod forget;
pub mod remember;

use std::sync::Arc;

use std::collections::HashSet;

use super::Result;
use crate::erasure::epoch::Epochs;
use crate::learning::echo_marks::EchoMarks;
use crate::memories::claims::{held, nearness};
use crate::people::People;
use crate::people::users::RecordChange;
use crate::reading::TextReader;
use crate::settings::current::CurrentSettings;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use access::digest::Digester;
use access::operators::{Manager, Viewer};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::claim::{Choice, Claim, Takes, choose};
use domain::memory::tags::{Labels, TagFilter, Tags, check_end};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::merging::similarity::cosine;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use domain::settings::Settings;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::embedder::Vector;
use ports::store::Store;
use ports::store::WriteTx;
use ports::store::custody::Custody;
use ports::store::memories::{Memory, MemoryFilter, MemoryMerge, MergeCause, NewMemory, Page, Place, Wording};

/// The audit log's actions of an operator.
const EDITED: &str = "user.memory_edited";
const UNDONE: &str = "user.memory_undone";
pub(super) const SHOWN: &str = "user.text_shown";

/// Changes to a memory; absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct MemoryEdit {
    pub content: Option<Content>,
    pub kind: Option<MemoryKind>,
    pub importance: Option<Importance>,
    pub tags: Option<Tags>,
    /// `Some(None)`: removes the expiry.
    pub expires_at: Option<Option<Moment>>,
}

/// The version of a memory that a change is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BasedOn {
    Any,
    /// One of these.
    Versions(Vec<i64>),
}

impl BasedOn {
    fn admits(&self, version: i64) -> std::result::Result<(), Problem> {
        match self {
            Self::Versions(seen) if !seen.contains(&version) => Err(Problem::Stale { version }),
            Self::Any | Self::Versions(_) => Ok(()),
        }
    }
}

/// The origin of a wording of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Created,
    /// A statement that says the same was saved.
    Merged,
    /// A correction, or a change mentioned in conversation, replaced the former wording.
    Corrected,
    Edited,
    /// A later change was undone.
    Undone,
}

impl How {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Merged => "merged",
            Self::Corrected => "corrected",
            Self::Edited => "edited",
            Self::Undone => "undone",
        }
    }
}

impl From<MergeCause> for How {
    fn from(cause: MergeCause) -> Self {
        match cause {
            MergeCause::Merge => Self::Merged,
            MergeCause::Correction | MergeCause::Change => Self::Corrected,
            MergeCause::Edit => Self::Edited,
        }
    }
}

/// A wording of a memory, and when it began to apply.
#[derive(Clone)]
pub struct Version {
    pub kind: MemoryKind,
    pub content: String,
    pub importance: Importance,
    pub labels: Labels,
    pub at: Moment,
    pub how: How,
}

/// A memory and its wordings, newest first; the first is the current one.
#[derive(Clone)]
pub struct MemoryPast {
    pub memory: Memory,
    pub versions: Vec<Version>,
}

impl MemoryPast {
    fn of(memory: Memory, merges: &[MemoryMerge]) -> Self {
        let mut came = merges.iter().map(|merge| How::from(merge.cause)).chain([How::Created]);
        let first = came.next().unwrap_or(How::Created);
        let (how, at) = memory.undone_at.map_or((first, memory.updated_at), |at| (How::Undone, at));
        let now = Version {
            kind: memory.kind,
            content: memory.content.clone(),
            importance: memory.importance,
            labels: memory.labels.clone(),
            at,
            how,
        };
        let before: Vec<Version> = merges
            .iter()
            .zip(came)
            .map(|(merge, how)| Version {
                kind: merge.before.kind,
                content: merge.before.content.clone(),
                importance: merge.before.importance,
                labels: merge.before.labels.clone(),
                at: merge.before_updated_at,
                how,
            })
            .collect();
        Self { memory, versions: [now].into_iter().chain(before).collect() }
    }

    /// Whether there is a change to undo.
    #[must_use]
    pub fn may_undo(&self) -> bool {
        self.versions.len() > 1
    }
}

/// Memories of users.
pub struct Memories {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub settings: CurrentSettings,
    pub epochs: Epochs,
    pub people: Arc<People>,
    pub echoes: Arc<EchoMarks>,
}

impl Memories {
    /// Returns one memory. Another user's memory is reported as unknown, and so is an expired one.
    pub async fn memory(&self, caller: &Caller, user: &UserId, id: &str) -> Result<Memory> {
        caller.needs(Scope::Read)?;
        Ok(self.past_of(user, id).await?.memory)
    }

    /// Returns a memory with its wordings, newest first.
    pub async fn memory_history(&self, caller: &Caller, user: &UserId, id: &str) -> Result<MemoryPast> {
        caller.needs(Scope::Read)?;
        self.past_of(user, id).await
    }

    /// Changes a memory, if its version is as expected.
    pub async fn edit_memory(
        &self,
        caller: &Caller,
        user: &UserId,
        id: &str,
        base: &BasedOn,
        edit: &MemoryEdit,
    ) -> Result<Memory> {
        caller.needs(Scope::Write)?;
        self.change_memory(user, id, base, edit, None).await
    }

    /// Undoes the last change of a memory: an edit, a merge, or a correction. After a merge, the merged statement becomes a
    /// memory of its own again.
    pub async fn undo_memory(&self, caller: &Caller, user: &UserId, id: &str, base: &BasedOn) -> Result<Memory> {
        caller.needs(Scope::Write)?;
        self.take_memory_back(user, id, base, None).await
    }

    /// Like [`Self::undo_memory`], with an entry in the audit log.
    pub(super) async fn undo_and_log(
        &self,
        caller: &Caller,
        user: &UserId,
        id: &str,
        base: &BasedOn,
        change: &RecordChange,
    ) -> Result<Memory> {
        caller.needs(Scope::Write)?;
        self.take_memory_back(user, id, base, Some(change)).await
    }

    /// Returns a user's own memories with these tags, newest first, and records that they were shown to the user.
    pub async fn memories(&self, caller: &Caller, user: &UserId, tags: TagFilter, page: &Page<Place>) -> Result<Vec<Memory>> {
        caller.needs(Scope::Read)?;
        let filter = MemoryFilter { tags, now: self.clock.now() };
        let memories = self.store.list_memories(user, &filter, page).await?;
        self.echoes.note_told(user, memories.iter().map(|memory| memory.id.as_str()));
        Ok(memories)
    }

    /// Deletes one memory. Another user's memory is reported as unknown.
    pub async fn delete_memory(&self, caller: &Caller, user: &UserId, id: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let deleted = atomically!(self.store.as_ref(), |tx| { Ok(tx.delete_memory(user, id).await?) }).await?;
        if deleted { Ok(()) } else { Err(Problem::not_found("memory").into()) }
    }

    /// Returns one memory of an opened record with its history. The caller masks the text; only [`Self::reveal_memory`]
    /// returns it for display.
    pub async fn masked_memory(&self, viewer: &Viewer, user: &UserId, id: &str) -> Result<MemoryPast> {
        self.people.opened(viewer, user).await?;
        self.past_of(user, id).await
    }

    /// Like [`Self::masked_memory`], for display with its text; the number of wordings is logged first.
    pub async fn reveal_memory(&self, viewer: &Viewer, manager: &Manager, user: &UserId, id: &str) -> Result<MemoryPast> {
        let change = self.people.record_change(viewer, manager, user).await?;
        let past = self.past_of(user, id).await?;
        let (now, detail) = (self.clock.now(), format!("rows={}", past.versions.len()));
        atomically!(self.store.as_ref(), [change, detail = detail.clone()], |tx| {
            change.log(tx, now, SHOWN, Some(detail)).await
        })
        .await?;
        Ok(past)
    }

    /// Like [`Self::edit_memory`], by an operator who has the record open. It is logged, without the text.
    pub async fn edit_memory_in_console(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        id: &str,
        base: &BasedOn,
        edit: &MemoryEdit,
    ) -> Result<Memory> {
        let change = self.people.record_change(viewer, manager, user).await?;
        self.change_memory(user, id, base, edit, Some(&change)).await
    }

    /// Like [`Self::undo_memory`], by an operator who has the record open. It is logged, without the text.
    pub async fn undo_memory_in_console(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        id: &str,
        base: &BasedOn,
    ) -> Result<Memory> {
        let change = self.people.record_change(viewer, manager, user).await?;
        self.take_memory_back(user, id, base, Some(&change)).await
    }

    async fn past_of(&self, user: &UserId, id: &str) -> Result<MemoryPast> {
        let now = self.clock.now();
        let found = self.store.memory_with_past(user, id).await?.filter(|(memory, _)| memory.labels.live_at(now));
        let (memory, merges) = found.ok_or_else(|| Problem::not_found("memory"))?;
        Ok(MemoryPast::of(memory, &merges))
    }

    async fn change_memory(
        &self,
        user: &UserId,
        id: &str,
        base: &BasedOn,
        edit: &MemoryEdit,
        change: Option<&RecordChange>,
    ) -> Result<Memory> {
        let now = self.clock.now();
        let MemoryEdit { content, kind, importance, tags, expires_at } = edit;
        if content.is_none() && kind.is_none() && importance.is_none() && tags.is_none() && expires_at.is_none() {
            return Err(Problem::invalid(Field::Body, "must name something to change").into());
        }
        check_end(expires_at.flatten(), now)?;
        let said = content.iter().map(|content| content.as_str().to_owned());
        self.reader.refuse_unsafe(said.chain(tags.iter().flat_map(|tags| tags.as_slice().iter().cloned())).collect()).await?;
        let fence = self.epochs.fence(user).await?;
        let vector = match content {
            Some(content) => Some(self.embedder.embed_one(content.as_str()).await?),
            None => None,
        };
        let settings = self.settings.get();
        atomically!(self.store.as_ref(), [fence, vector, settings], |tx| {
            fence.holds(tx).await?;
            let (memory, before) = own(tx, user, id, now).await?;
            base.admits(memory.version)?;
            let after = edited(edit, &before, vector.as_ref());
            if after == before {
                return Ok(memory);
            }
            if after.content != before.content {
                refuse_duplicate(tx, settings, user, id, &after, now).await?;
            }
            let merge = MemoryMerge {
                id: self.clock.id("mrg"),
                memory_id: id.to_owned(),
                cause: MergeCause::Edit,
                similarity: cosine(&before.vector, &after.vector),
                at: now,
                before,
                before_updated_at: memory.updated_at,
                incoming: after,
            };
            tx.record_merge(user, &merge).await?;
            tx.reword_memory(user, id, &merge.incoming, now.max(memory.updated_at)).await?;
            if let Some(change) = change {
                change.log(tx, now, EDITED, None).await?;
            }
            Ok(own(tx, user, id, now).await?.0)
        })
        .await
    }

    async fn take_memory_back(&self, user: &UserId, id: &str, base: &BasedOn, change: Option<&RecordChange>) -> Result<Memory> {
        let now = self.clock.now();
        let found = self.store.memory_with_past(user, id).await?.filter(|(memory, _)| memory.labels.live_at(now));
        let (memory, merges) = found.ok_or_else(|| Problem::not_found("memory"))?;
        base.admits(memory.version)?;
        let seen = merges.into_iter().next().ok_or(Problem::NothingToUndo)?;
        // The restored text must pass the current rules, which may be stricter than those it was saved under.
        self.reader.refuse_unsafe(brought_back(&seen)).await?;
        let (fence, settings, separate) = (self.epochs.fence(user).await?, self.settings.get(), self.clock.id("mem"));
        atomically!(self.store.as_ref(), [fence, settings, seen, separate = separate.clone()], |tx| {
            fence.holds(tx).await?;
            let (memory, after) = own(tx, user, id, now).await?;
            base.admits(memory.version)?;
            let newest = tx.merges_of(user, id).await?.into_iter().next();
            let Some(merge) = newest.filter(|newest| newest.id == seen.id) else {
                // It was changed or undone since it was read.
                return Err(Problem::Stale { version: memory.version }.into());
            };
            let mut before = merge.before;
            if !before.labels.live_at(now) {
                // Its former expiry has passed, and an undo must not delete it.
                before.labels.expires_at = after.labels.expires_at;
            }
            if before.content != after.content {
                refuse_duplicate(tx, settings, user, id, &before, now).await?;
            }
            tx.restore_memory(user, id, &before, merge.before_updated_at, now).await?;
            tx.forget_merge(user, &merge.id).await?;
            let comes_apart = merge.cause == MergeCause::Merge
                && merge.incoming.content != before.content
                && merge.incoming.labels.live_at(now);
            if comes_apart {
                let surface = Surface::new(memory.surface)?;
                let new = NewMemory { id: separate, wording: merge.incoming, surface, thread: memory.thread, at: merge.at };
                tx.insert_memory(user, &new).await?;
                // It was said when the two were merged, and its retention begins now.
                tx.restore_memory(user, &new.id, &new.wording, new.at, now).await?;
            }
            if let Some(change) = change {
                change.log(tx, now, UNDONE, None).await?;
            }
            Ok(own(tx, user, id, now).await?.0)
        })
        .await
    }
}

/// The texts that undoing this change stores.
fn brought_back(merge: &MemoryMerge) -> Vec<String> {
    let incoming = (merge.cause == MergeCause::Merge).then_some(&merge.incoming);
    let texts = |wording: &Wording| {
        let tags = wording.labels.tags.as_slice().iter().cloned();
        [wording.content.clone()].into_iter().chain(tags).collect::<Vec<_>>()
    };
    [&merge.before].into_iter().chain(incoming).flat_map(texts).collect()
}

/// Returns the user's memory and its wording, if it has not expired.
async fn own(tx: &mut dyn WriteTx, user: &UserId, id: &str, now: Moment) -> Result<(Memory, Wording)> {
    let found = tx.own_memory(user, id).await?.filter(|(memory, _)| memory.labels.live_at(now));
    let (memory, vector) = found.ok_or_else(|| Problem::not_found("memory"))?;
    let wording = memory.wording(vector);
    Ok((memory, wording))
}

/// The wording after an edit; `vector` is that of the new text.
fn edited(edit: &MemoryEdit, before: &Wording, vector: Option<&Vector>) -> Wording {
    let mut after = before.clone();
    if let Some((content, vector)) = edit.content.as_ref().zip(vector)
        && content.as_str() != before.content
    {
        content.as_str().clone_into(&mut after.content);
        after.vector.clone_from(vector);
    }
    after.kind = edit.kind.unwrap_or(before.kind);
    after.importance = edit.importance.unwrap_or(before.importance);
    if let Some(tags) = &edit.tags {
        after.labels.tags.clone_from(tags);
    }
    after.labels.expires_at = edit.expires_at.unwrap_or(before.labels.expires_at);
    after
}

/// Refuses an edit after which two memories say the same: saving that text would merge it with the other one.
async fn refuse_duplicate(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    user: &UserId,
    id: &str,
    after: &Wording,
    now: Moment,
) -> Result<()> {
    let others: Vec<_> =
        held(tx, user, &Takes::Nothing, &after.vector, now).await?.into_iter().filter(|other| other.id != id).collect();
    let says = Statement { kind: after.kind, content: Content::new(&after.content)?, importance: after.importance };
    let at = nearness(settings, settings.merge_personal);
    match choose(&Claim::plain(says), &others, &HashSet::new(), at, now) {
        Choice::Joins(other, _) => Err(Problem::Duplicate { id: other.id.clone() }.into()),
        Choice::Takes(_) | Choice::Stands | Choice::Lapses => Ok(()),
    }
}
