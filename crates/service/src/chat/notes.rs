//! Notes: texts that a user asks an assistant to remember, or says about its answers, word for word. Personal memories are
//! learned and merged; a note keeps its wording until the user removes it or fifty newer ones displace it. A note about answers
//! is also deleted with its memory.

use crate::Result;
use crate::chat::Chat;
use crate::reading::Budget;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use domain::chat::notes::{NOTES_KEPT, Stale, is_pasted_instruction};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::Content;
use domain::memory::exchange::Exchange;
use domain::merging::similarity::cosine;
use domain::merging::{ComparedStatement, holds};
use domain::problem::Problem;
use ports::store::chat::notes::NewNote;
use ports::store::{StoreError, WriteTx};

pub use ports::store::chat::notes::Note;

/// Rule that refuses a pasted instruction.
pub(crate) const PASTED: &str = "pasted_instruction";

/// Result of saving a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteOutcome {
    Saved(String),
    /// The user has the same text already.
    Known(String),
}

impl NoteOutcome {
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Saved(id) | Self::Known(id) => id,
        }
    }
}

/// Notes that should be looked at again.
#[derive(Clone)]
pub struct NotesReport {
    pub notes: usize,
    pub stale: Vec<(Note, Stale)>,
    /// A note, and the id of an older one with the same meaning.
    pub redundant: Vec<(Note, String)>,
    /// A note that would be refused today, and the rules that refuse it.
    pub suspicious: Vec<(Note, Vec<String>)>,
}

impl Chat {
    /// Saves a note. Beyond the limit the oldest is dropped.
    pub async fn add_note(&self, caller: &Caller, user: &UserId, surface: &Surface, content: &Content) -> Result<NoteOutcome> {
        caller.needs(Scope::Write)?;
        self.reader.refuse_unsafe(vec![content.as_str().to_owned()]).await?;
        if is_pasted_instruction(content.as_str()) {
            return Err(Problem::refused(vec![PASTED.to_owned()]).into());
        }
        let fence = self.epochs.fence(user).await?;
        let (now, id) = (self.clock.now(), self.clock.id("note"));
        atomically!(self.store.as_ref(), [fence, id], |tx| {
            fence.holds(tx).await?;
            let (content, surface) = (content.as_str().to_owned(), surface.clone());
            Ok(put(tx, user, NewNote { id: id.clone(), content, surface, at: now, memory: None }).await?)
        })
        .await
    }

    /// Adds a note on how to answer, linked to the memory that was learned from it.
    pub(crate) async fn note_learned(
        &self,
        tx: &mut dyn WriteTx,
        user: &UserId,
        exchange: &Exchange,
        memory: &str,
        content: &Content,
    ) -> std::result::Result<(), StoreError> {
        let new = NewNote {
            id: self.clock.id("note"),
            content: content.as_str().to_owned(),
            surface: exchange.surface.clone(),
            at: exchange.at,
            memory: Some(memory.to_owned()),
        };
        put(tx, user, new).await?;
        Ok(())
    }

    /// Returns a user's notes, oldest first.
    pub async fn notes(&self, caller: &Caller, user: &UserId) -> Result<Vec<Note>> {
        caller.needs(Scope::Read)?;
        Ok(self.store.notes(user).await?)
    }

    /// Deletes one note. Another user's note is reported as unknown.
    pub async fn delete_note(&self, caller: &Caller, user: &UserId, id: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let ids = [id.to_owned()];
        let gone = atomically!(self.store.as_ref(), [ids], |tx| { Ok(tx.delete_notes(user, ids).await?) }).await?;
        if gone == 0 { Err(Problem::not_found("note").into()) } else { Ok(()) }
    }

    /// Returns the notes that are stale, repeat another note, or would be refused today.
    pub async fn notes_report(&self, caller: &Caller, user: &UserId) -> Result<NotesReport> {
        let notes = self.notes(caller, user).await?;
        self.audited(&notes).await
    }

    /// Finds the notes that should be looked at again.
    pub(super) async fn audited(&self, notes: &[Note]) -> Result<NotesReport> {
        let texts: Vec<String> = notes.iter().map(|note| note.content.clone()).collect();
        let vectors = if texts.is_empty() { Vec::new() } else { self.embedder.embed(&texts).await? };
        let refused = self
            .reader
            .read(Budget::Requests, move |reader| {
                let rules = |text: &String| {
                    let mut rules = match reader.refuse_unsafe(text) {
                        Err(Problem::Refused { rules, .. }) => rules,
                        _ => Vec::new(),
                    };
                    rules.extend(is_pasted_instruction(text).then(|| PASTED.to_owned()));
                    rules
                };
                texts.iter().map(rules).collect::<Vec<_>>()
            })
            .await?;
        let (now, threshold) = (self.clock.now(), self.settings.get().merge_personal);
        let mut report = NotesReport { notes: notes.len(), stale: Vec::new(), redundant: Vec::new(), suspicious: Vec::new() };
        for (n, note) in notes.iter().enumerate() {
            if let Some(stale) = Stale::of(note.created_at, note.last_used_at, now) {
                report.stale.push((note.clone(), stale));
            }
            let compared = ComparedStatement::new(&note.content);
            let same = notes[..n]
                .iter()
                .zip(&vectors)
                .find(|(older, vector)| cosine(vector, &vectors[n]) >= threshold && holds(&older.content, &compared));
            if let Some((older, _)) = same {
                report.redundant.push((note.clone(), older.id.clone()));
            }
            if !refused[n].is_empty() {
                report.suspicious.push((note.clone(), refused[n].clone()));
            }
        }
        Ok(report)
    }
}

/// Adds a note, unless the user has the same text already. Beyond the limit the oldest is dropped.
async fn put(tx: &mut dyn WriteTx, user: &UserId, new: NewNote) -> std::result::Result<NoteOutcome, StoreError> {
    let notes = tx.known_notes(user).await?;
    if let Some(same) = notes.iter().find(|note| note.content == new.content) {
        return Ok(NoteOutcome::Known(same.id.clone()));
    }
    tx.insert_note(user, &new).await?;
    let beyond = (notes.len() + 1).saturating_sub(NOTES_KEPT);
    let oldest: Vec<String> = notes.into_iter().take(beyond).map(|note| note.id).collect();
    tx.delete_notes(user, &oldest).await?;
    Ok(NoteOutcome::Saved(new.id))
}
