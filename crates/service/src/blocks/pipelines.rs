//! The memory blocks of pipelines: write, read, search, delete and append records in a store that a `memory_id` names, and handle
//! chat commands.
//!
//! An instance of a pipeline is a user with the id `instances/<uid>`. Errors that a pipeline can fix are answers, not failures.

use crate::blocks::records::Pipelines;
use crate::blocks::{Appended, Basis, Block, BlockFilter, BlockOrder, BlockPage, BlockRef, Hand, NewBlock, Removed, StoreRef};
use crate::{Error, Result};
use access::callers::{Caller, Scope};
use domain::blocks::BlockFields;
use domain::blocks::guid;
use domain::blocks::limits::RECORDS;
use domain::blocks::pipeline::{Filled, KIND, MemoryId, PipelineVerb, command, fill};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::tags::Tags;
use domain::problem::Problem;

/// Surface of a key that is bound to none.
const SURFACE: &str = "pipeline";

/// Type of the pipeline block that calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PipelineHook {
    Write,
    Read,
    Search,
    Delete,
    Append,
    Dispatch,
}

/// Request of a pipeline. Empty texts count as absent.
#[derive(Clone, Default)]
pub struct PipelineMessage {
    /// `args[0].text`.
    pub text: String,
    pub memory_id: String,
    pub guid: String,
    pub scope: String,
    pub kind: String,
    pub source: String,
    pub tags: Vec<String>,
    pub output_template: String,
    pub allow_shrink: bool,
    /// The name of the agent that sent the message.
    pub agent: String,
}

/// Answer to the pipeline.
pub enum PipelineOutcome {
    /// The guid of a new record.
    Written(String),
    AppendedTo(String),
    AppendedNew(String),
    Deleted(u64),
    Records(Vec<Block>),
    /// Records filled into a template.
    Text(String),
    /// There was nothing to do, with the reason.
    Skipped(&'static str),
    /// Description of the problem.
    Error(String),
}

/// User, store and memory id of a request.
struct HookPlace {
    user: UserId,
    store: StoreRef,
    memory_id: String,
}

/// Returns a text, unless it is empty.
fn set(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn wrong(text: &str) -> PipelineOutcome {
    PipelineOutcome::Error(text.to_owned())
}

impl Pipelines {
    /// Carries out the request of a pipeline block. Returns an error only if another message would not help: the problem lies in
    /// the key, or the server failed.
    pub async fn pipeline(&self, caller: &Caller, hook: PipelineHook, message: PipelineMessage) -> Result<PipelineOutcome> {
        let (hook, message) = match hook {
            PipelineHook::Dispatch => match command(&message.text) {
                None => return Ok(PipelineOutcome::Skipped("no command")),
                Some((verb, rest)) => (hook_of(verb), PipelineMessage { text: rest.to_owned(), ..message.clone() }),
            },
            hook => (hook, message),
        };
        let done = match hook {
            PipelineHook::Read => self.read_records(caller, &message).await,
            PipelineHook::Search => self.find_records(caller, &message).await,
            PipelineHook::Delete => self.remove_records(caller, &message).await,
            PipelineHook::Append => self.append_to_record(caller, &message).await,
            PipelineHook::Write | PipelineHook::Dispatch => self.write_record(caller, &message).await,
        };
        match done {
            Err(Error::Refused(problem)) if !is_of_the_key(&problem) => Ok(PipelineOutcome::Error(words(&problem))),
            done => done,
        }
    }

    async fn write_record(&self, caller: &Caller, message: &PipelineMessage) -> Result<PipelineOutcome> {
        caller.needs(Scope::Write)?;
        if message.text.trim().is_empty() {
            return Ok(wrong("no content"));
        }
        let Some(place) = place(caller, message) else { return Ok(bad_memory_id()) };
        let new = record(&place, message)?;
        let surface = surface(caller)?;
        let block = self.blocks.add_block(&Hand { caller, user: &place.user, surface: &surface }, &place.store, new).await?;
        Ok(PipelineOutcome::Written(guid_of(&block.id)))
    }

    async fn read_records(&self, caller: &Caller, message: &PipelineMessage) -> Result<PipelineOutcome> {
        caller.needs(Scope::Read)?;
        let Some(place) = place(caller, message) else { return Ok(bad_memory_id()) };
        let filter = BlockFilter {
            kind: set(&message.kind),
            scope: set(&message.scope),
            source: set(&message.source),
            ..BlockFilter::default()
        };
        let page = BlockPage { order: BlockOrder::Written { after: None }, limit: every_record(), texts: true };
        let found = self.blocks.blocks(caller, &place.user, &place.store, &filter, &page).await?;
        shown(found, &message.output_template)
    }

    async fn find_records(&self, caller: &Caller, message: &PipelineMessage) -> Result<PipelineOutcome> {
        caller.needs(Scope::Read)?;
        if message.text.trim().is_empty() {
            return Ok(PipelineOutcome::Records(Vec::new()));
        }
        let Some(place) = place(caller, message) else { return Ok(bad_memory_id()) };
        let filter = BlockFilter {
            kind: set(&message.kind),
            scope: set(&message.scope),
            tags: Tags::new(&message.tags)?.into_vec(),
            ..BlockFilter::default()
        };
        let found = self.blocks.search_blocks(caller, &place.user, &place.store, &message.text, &filter, every_record()).await?;
        shown(found, &message.output_template)
    }

    async fn remove_records(&self, caller: &Caller, message: &PipelineMessage) -> Result<PipelineOutcome> {
        caller.needs(Scope::Write)?;
        let Some(place) = place(caller, message) else { return Ok(bad_memory_id()) };
        let surface = surface(caller)?;
        let hand = Hand { caller, user: &place.user, surface: &surface };
        let guid = [&message.guid, &message.text].into_iter().map(|guid| guid.trim()).find(|guid| !guid.is_empty());
        match (guid, set(&message.kind)) {
            (Some(guid), _) => {
                let block = BlockRef::Id(id_of(guid));
                match self.blocks.delete_block(&hand, &place.store, &block, &Basis::Newest, false).await {
                    Ok(Removed::Gone) => Ok(PipelineOutcome::Deleted(1)),
                    Ok(Removed::Stale(_)) | Err(Error::Refused(Problem::NotFound { .. })) => Ok(PipelineOutcome::Deleted(0)),
                    Err(error) => Err(error),
                }
            }
            (None, Some(kind)) => {
                let filter = BlockFilter { kind: Some(kind), ..BlockFilter::default() };
                Ok(PipelineOutcome::Deleted(self.delete_records(&hand, &place.store, &filter, false).await?))
            }
            (None, None) => Ok(PipelineOutcome::Skipped("no query")),
        }
    }

    async fn append_to_record(&self, caller: &Caller, message: &PipelineMessage) -> Result<PipelineOutcome> {
        caller.needs(Scope::Write)?;
        if message.text.trim().is_empty() {
            return Ok(wrong("no content"));
        }
        let Some(place) = place(caller, message) else { return Ok(bad_memory_id()) };
        let new = record(&place, message)?;
        let is_named = !message.scope.is_empty() || !message.kind.is_empty();
        let filter = is_named.then(|| BlockFilter {
            scope: Some(new.fields.scope.clone()),
            kind: Some(new.fields.kind.clone()),
            source: set(&message.source),
            ..BlockFilter::default()
        });
        let (id, surface) = (set(message.guid.trim()).map(|guid| id_of(&guid)), surface(caller)?);
        let hand = Hand { caller, user: &place.user, surface: &surface };
        let appended = self.append_record(&hand, &place.store, id.as_deref(), filter.as_ref(), new).await?;
        let guid = guid_of(appended.id());
        Ok(match appended {
            Appended::To(_) => PipelineOutcome::AppendedTo(guid),
            Appended::New(_) => PipelineOutcome::AppendedNew(guid),
        })
    }
}

/// Returns the guid that pipelines use for a record.
#[must_use]
pub fn guid_of(id: &str) -> String {
    guid::of_id(id).unwrap_or_else(|| id.to_owned())
}

/// Returns the id of the record that a pipeline names by its guid, or by the id itself, which was once the guid.
fn id_of(named: &str) -> String {
    guid::id_of(named).unwrap_or_else(|| named.to_owned())
}

fn hook_of(verb: PipelineVerb) -> PipelineHook {
    match verb {
        PipelineVerb::Write => PipelineHook::Write,
        PipelineVerb::Read => PipelineHook::Read,
        PipelineVerb::Search => PipelineHook::Search,
        PipelineVerb::Delete => PipelineHook::Delete,
    }
}

/// Whether a problem lies in the key. The pipeline gets such a problem as an HTTP status.
fn is_of_the_key(problem: &Problem) -> bool {
    matches!(problem.status(), 401 | 403 | 429)
}

/// Describes a problem, with the rules that refused a text.
fn words(problem: &Problem) -> String {
    match problem {
        Problem::Refused { rules, .. } => format!("{problem} ({})", rules.join(", ")),
        _ => problem.to_string(),
    }
}

fn bad_memory_id() -> PipelineOutcome {
    wrong("bad memory_id")
}

fn place(caller: &Caller, message: &PipelineMessage) -> Option<HookPlace> {
    let MemoryId { user, alias, whole } = MemoryId::read(&message.memory_id, caller.bound_to())?;
    Some(HookPlace { user, store: StoreRef::Named(alias), memory_id: whole })
}

fn surface(caller: &Caller) -> std::result::Result<Surface, Problem> {
    caller.speaks_on(None)?.map_or_else(|| Surface::new(SURFACE), Ok)
}

/// The most records that a store holds.
fn every_record() -> u32 {
    u32::try_from(RECORDS.max).unwrap_or(u32::MAX)
}

fn record(place: &HookPlace, message: &PipelineMessage) -> std::result::Result<NewBlock, Problem> {
    let or = |text: &str, usual: &str| if text.is_empty() { usual.to_owned() } else { text.to_owned() };
    Ok(NewBlock {
        path: None,
        content: message.text.clone(),
        fields: BlockFields {
            kind: or(&message.kind, KIND),
            scope: or(&message.scope, &place.memory_id),
            source: or(&message.source, &message.agent),
            tags: Tags::new(&message.tags)?,
            ..BlockFields::default()
        },
        allow_shrink: message.allow_shrink,
    })
}

fn shown(records: Vec<Block>, template: &str) -> Result<PipelineOutcome> {
    if template.is_empty() {
        return Ok(PipelineOutcome::Records(records));
    }
    let mut output = String::new();
    for record in &records {
        let Block { id, content, fields, .. } = record;
        let filled = Filled {
            guid: &guid_of(id),
            scope: &fields.scope,
            kind: &fields.kind,
            content: content.as_deref().unwrap_or_default(),
            source: &fields.source,
            tags: &fields.tags.as_slice().join(","),
        };
        fill(&mut output, template, &filled)?;
    }
    Ok(PipelineOutcome::Text(output))
}
