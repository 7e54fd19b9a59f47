//! Imports what a user said from an export of Keepsake: memories, notes, preferences and the fields of the profile, with their
//! dates.
//!
//! What the team learned from the user is not imported: it belongs to the team and goes through the quarantine. Messages,
//! counters and logs are not imported either. The result counts the rows left out, by table.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Result;
use crate::audit::{self, Entry};
use crate::chat::notes::PASTED;
use crate::chat::preferences::Preference;
use crate::chat::profile::told;
use crate::erasure::export::SCHEMA;
use crate::transactions::atomically;
use crate::transfer::Transfer;
use access::callers::{Caller, Scope};
use domain::chat::notes::{NOTES_KEPT, is_pasted_instruction};
use domain::chat::profile::{FIELDS_MAX, FieldValue, ProfileField, check_field_name};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::tags::{Labels, Tags};
use domain::memory::{Content, Importance, MemoryKind};
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use ports::store::chat::notes::NewNote;
use ports::store::memories::{NewMemory, Wording};
use ports::store::{StoreError, WriteTx};

/// Texts embedded at a time.
const AT_A_TIME: usize = 64;
/// The tables that are imported.
const TAKEN: [&str; 4] = ["memories", "notes", "preferences", "profile_fields"];

/// An export; of other tables only the number of rows is read.
#[derive(Deserialize)]
struct Exported {
    schema: u32,
    user_id: String,
    held: Map<String, Value>,
}

#[derive(Deserialize)]
struct ExportedMemory {
    kind: String,
    content: String,
    importance: i64,
    surface: String,
    #[serde(default)]
    source_thread: Option<String>,
    created_at: String,
    updated_at: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    expires_at: Option<String>,
}

#[derive(Deserialize)]
struct ExportedNote {
    surface: String,
    content: String,
    created_at: String,
    #[serde(default)]
    last_used_at: Option<String>,
}

#[derive(Deserialize)]
struct ExportedPreference {
    #[serde(default)]
    platform: Option<String>,
    content: String,
    created_at: String,
}

#[derive(Deserialize)]
struct ExportedField {
    name: String,
    value: Value,
    updated_at: String,
}

/// A memory that passed validation.
struct CheckedMemory {
    wording: Wording,
    surface: Surface,
    thread: Option<String>,
    created_at: Moment,
    updated_at: Moment,
}

struct CheckedNote {
    note: NewNote,
    last_used_at: Option<Moment>,
}

/// Everything that passed validation, in the order of the export.
struct CheckedImport {
    memories: Vec<CheckedMemory>,
    notes: Vec<CheckedNote>,
    preferences: Vec<Preference>,
    fields: Vec<ProfileField>,
}

/// The result of an import.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    pub memories: usize,
    pub notes: usize,
    pub preferences: usize,
    pub fields: usize,
    /// Entries that the user has already. A field of the same name is one, whatever its value.
    pub known: usize,
    /// Notes, preferences and fields beyond the limit for one user.
    pub no_room: usize,
    /// Rows of other tables, which are not imported.
    pub left: BTreeMap<String, usize>,
}

impl Transfer {
    /// Imports an export: all or nothing. Entries that the user has already are left alone. With `dry_run`, only reports what it
    /// would do.
    pub async fn import_export(&self, caller: &Caller, export: &str, dry_run: bool) -> Result<TakenBack> {
        caller.needs(Scope::Write)?;
        let malformed = |error: serde_json::Error| Problem::Malformed { detail: error.to_string() };
        let export: Exported = serde_json::from_str(export).map_err(malformed)?;
        if export.schema != SCHEMA {
            return Err(Problem::invalid(Field::Version, format!("must be {SCHEMA}")).into());
        }
        let (user, now) = (UserId::new(export.user_id)?, self.clock.now());
        let mut checked = self.check_export(&export.held, now)?;
        self.reader.refuse_unsafe(checked.texts()).await?;
        if checked.notes.iter().any(|note| is_pasted_instruction(&note.note.content)) {
            return Err(Problem::refused(vec![PASTED.to_owned()]).into());
        }
        let fence = self.epochs.fence(&user).await?;
        for part in checked.memories.chunks_mut(AT_A_TIME) {
            let texts: Vec<String> = part.iter().map(|memory| memory.wording.content.clone()).collect();
            for (memory, vector) in part.iter_mut().zip(self.embedder.embed(&texts).await?) {
                memory.wording.vector = vector;
            }
        }
        let (digest, max) = (self.digester.user(&user), self.settings.get().preferences_max as usize);
        let left = export.held.iter().filter(|(table, _)| !TAKEN.contains(&table.as_str()));
        let left = left.filter_map(|(table, rows)| Some((table.clone(), rows.as_array()?.len()))).filter(|(_, rows)| *rows > 0);
        let left: BTreeMap<String, usize> = left.collect();
        let mut taken = atomically!(self.store.as_ref(), [user, fence, checked, digest], |tx| {
            fence.holds(tx).await?;
            let mut taken = TakenBack::default();
            self.take_memories(tx, user, &checked.memories, now, dry_run, &mut taken).await?;
            take_notes(tx, user, &checked.notes, dry_run, &mut taken).await?;
            take_preferences(tx, user, &checked.preferences, max, dry_run, &mut taken).await?;
            take_fields(tx, user, &checked.fields, dry_run, &mut taken).await?;
            if dry_run {
                return Ok(taken);
            }
            let TakenBack { memories, notes, preferences, fields, .. } = taken;
            let counts = [("memories", memories), ("notes", notes), ("preferences", preferences), ("fields", fields)];
            let counts = counts.into_iter().filter(|(name, count)| *count > 0 || *name == "memories");
            let counts: Vec<String> = counts.map(|(name, count)| format!("{name}={count}")).collect();
            let entry = Entry::of(caller, "user.imported").about(digest.clone()).saying(counts.join(" "));
            audit::append(tx, now, entry).await?;
            Ok(taken)
        })
        .await?;
        taken.left = left;
        Ok(taken)
    }

    fn check_export(&self, held: &Map<String, Value>, now: Moment) -> std::result::Result<CheckedImport, Problem> {
        let mut memories =
            rows(held, TAKEN[0])?.into_iter().map(|row| memory(row, now)).collect::<std::result::Result<Vec<_>, _>>()?;
        // Memories that have expired since then are not imported.
        memories.retain(|memory| memory.wording.labels.live_at(now));
        let note = |row: ExportedNote| {
            let at = past(&row.created_at, now)?;
            let content = Content::new(&row.content)?.as_str().to_owned();
            let last_used_at = row.last_used_at.as_deref().map(|at| past(at, now)).transpose()?;
            let note = NewNote { id: self.clock.id("note"), content, surface: Surface::new(row.surface)?, at, memory: None };
            Ok(CheckedNote { note, last_used_at })
        };
        let preference = |row: ExportedPreference| {
            Ok(Preference {
                id: self.clock.id("pref"),
                platform: row.platform.map(Surface::new).transpose()?,
                content: Content::new(&row.content)?.as_str().to_owned(),
                created_at: past(&row.created_at, now)?,
            })
        };
        let field = |row: ExportedField| {
            check_field_name(&row.name)?;
            Ok(ProfileField { value: FieldValue::new(row.value)?, updated_at: past(&row.updated_at, now)?, name: row.name })
        };
        Ok(CheckedImport {
            memories,
            notes: rows(held, TAKEN[1])?.into_iter().map(note).collect::<std::result::Result<_, Problem>>()?,
            preferences: rows(held, TAKEN[2])?.into_iter().map(preference).collect::<std::result::Result<_, Problem>>()?,
            fields: rows(held, TAKEN[3])?.into_iter().map(field).collect::<std::result::Result<_, Problem>>()?,
        })
    }

    async fn take_memories(
        &self,
        tx: &mut dyn WriteTx,
        user: &UserId,
        memories: &[CheckedMemory],
        now: Moment,
        dry_run: bool,
        taken: &mut TakenBack,
    ) -> std::result::Result<(), StoreError> {
        let texts: Vec<String> = memories.iter().map(|memory| memory.wording.content.clone()).collect();
        let own = tx.texts_held(user, &texts, now).await?;
        for memory in memories {
            if own.contains(&memory.wording.content) {
                taken.known += 1;
                continue;
            }
            taken.memories += 1;
            if dry_run {
                continue;
            }
            let id = self.clock.id("mem");
            let inserted = NewMemory {
                id: id.clone(),
                wording: memory.wording.clone(),
                surface: memory.surface.clone(),
                thread: memory.thread.clone(),
                at: memory.created_at,
            };
            tx.insert_memory(user, &inserted).await?;
            tx.reword_memory(user, &id, &memory.wording, memory.updated_at).await?;
        }
        Ok(())
    }
}

/// Imports notes; of more than there is room for, only the newest.
async fn take_notes(
    tx: &mut dyn WriteTx,
    user: &UserId,
    notes: &[CheckedNote],
    dry_run: bool,
    taken: &mut TakenBack,
) -> std::result::Result<(), StoreError> {
    let own = tx.known_notes(user).await?;
    let mut held: HashSet<&str> = own.iter().map(|note| note.content.as_str()).collect();
    let new: Vec<&CheckedNote> = notes.iter().filter(|note| held.insert(&note.note.content)).collect();
    taken.known += notes.len() - new.len();
    let beyond = new.len().saturating_sub(NOTES_KEPT.saturating_sub(own.len()));
    taken.no_room += beyond;
    taken.notes = new.len() - beyond;
    for CheckedNote { note, last_used_at } in new.into_iter().skip(beyond).filter(|_| !dry_run) {
        tx.insert_note(user, note).await?;
        if let Some(at) = last_used_at {
            tx.use_notes(user, std::slice::from_ref(&note.id), *at).await?;
        }
    }
    Ok(())
}

async fn take_preferences(
    tx: &mut dyn WriteTx,
    user: &UserId,
    preferences: &[Preference],
    max: usize,
    dry_run: bool,
    taken: &mut TakenBack,
) -> std::result::Result<(), StoreError> {
    let mut held = tx.known_preferences(user).await?;
    for new in preferences {
        let covers = |own: &Preference| own.content == new.content && (own.platform.is_none() || own.platform == new.platform);
        if held.iter().any(covers) {
            taken.known += 1;
        } else if held.len() >= max {
            taken.no_room += 1;
        } else {
            taken.preferences += 1;
            held.push(new.clone());
            if !dry_run {
                tx.insert_preference(user, new).await?;
            }
        }
    }
    Ok(())
}

async fn take_fields(
    tx: &mut dyn WriteTx,
    user: &UserId,
    fields: &[ProfileField],
    dry_run: bool,
    taken: &mut TakenBack,
) -> std::result::Result<(), StoreError> {
    let mut held: HashSet<String> = tx.known_profile(user).await?.into_iter().map(|field| field.name).collect();
    for field in fields {
        if held.contains(&field.name) {
            taken.known += 1;
        } else if held.len() >= FIELDS_MAX {
            taken.no_room += 1;
        } else {
            taken.fields += 1;
            held.insert(field.name.clone());
            if !dry_run {
                tx.set_profile_field(user, field).await?;
            }
        }
    }
    Ok(())
}

impl CheckedImport {
    /// Every text that must hold no secret and no order.
    fn texts(&self) -> Vec<String> {
        let memories = self.memories.iter().flat_map(|memory| {
            let tags = memory.wording.labels.tags.as_slice().iter().cloned();
            [memory.wording.content.clone()].into_iter().chain(memory.thread.clone()).chain(tags)
        });
        let notes = self.notes.iter().map(|note| note.note.content.clone());
        let preferences = self.preferences.iter().map(|preference| preference.content.clone());
        let fields = self.fields.iter().flat_map(told);
        memories.chain(notes).chain(preferences).chain(fields).collect()
    }
}

/// The rows of a table of the export; none if it has no such table.
fn rows<T: for<'de> Deserialize<'de>>(held: &Map<String, Value>, table: &str) -> std::result::Result<Vec<T>, Problem> {
    let rows = held.get(table).cloned().unwrap_or_else(|| Value::Array(Vec::new()));
    serde_json::from_value(rows).map_err(|error| Problem::Malformed { detail: error.to_string() })
}

fn past(text: &str, now: Moment) -> std::result::Result<Moment, Problem> {
    let at = Moment::parse(text).filter(|at| *at <= now);
    at.ok_or_else(|| Problem::invalid(Field::At, "must be a time that is not in the future"))
}

fn memory(memory: ExportedMemory, now: Moment) -> std::result::Result<CheckedMemory, Problem> {
    let end = |text: &str| Moment::parse(text).ok_or_else(|| Problem::invalid(Field::ExpiresAt, "must be an RFC 3339 timestamp"));
    let content = Content::new(&memory.content)?;
    Ok(CheckedMemory {
        wording: Wording {
            kind: MemoryKind::parse(&memory.kind)?,
            content: content.as_str().to_owned(),
            importance: Importance::new(memory.importance)?,
            vector: Vec::new(),
            labels: Labels { tags: Tags::new(&memory.tags)?, expires_at: memory.expires_at.as_deref().map(end).transpose()? },
        },
        surface: Surface::new(memory.surface)?,
        thread: memory.source_thread,
        created_at: past(&memory.created_at, now)?,
        updated_at: past(&memory.updated_at, now)?,
    })
}
