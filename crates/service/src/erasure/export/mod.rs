//! Exports everything held about one user, as the inventory defines it: as JSON for programs, or as a document for the person.
//!
//! An export is written in pieces while tables are read page by page, so memory use does not grow with the user's data. Tables
//! come in the order of the inventory, rows in an order of their own; each page is read at its own moment, and no transaction
//! waits for a slow reader. If the user's data is erased meanwhile, or a page cannot be read, the export ends with an error
//! before its last piece: JSON is then not closed, and the document lacks its last line.

mod document;
mod json;

use std::sync::Arc;

use std::collections::VecDeque;
use std::io;

use futures::stream::{self, Stream};

use crate::Result;
use crate::audit::{self, Actor, Entry};
use crate::blocks::Blocks;
use crate::memories::Memories;
use crate::people::People;
use crate::transactions::atomically;
use access::callers::{self, Caller};
use access::digest::Digester;
use access::operators::Viewer;
use domain::erasure::inventory::Table;
use domain::erasure::people::UserId;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::erasure::Subject;
use ports::store::operate::audit::AuditLine;
use ports::store::people::{Cell, HeldPage, Withheld};

/// Version of the JSON.
pub(crate) const SCHEMA: u32 = 1;
/// Rows read at once.
const ROWS: u32 = 500;
/// A piece has at least this many bytes, unless it is the last.
const PIECE_BYTES: usize = 32 << 10;
/// Seconds after which an export that an erasure interrupted may be requested again.
const ASK_AGAIN_S: u32 = 1;

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// For programs: every exported column.
    Json,
    /// For the person: sentences and dates, as a page of HTML without script and without other files.
    Document,
}

impl ExportForm {
    /// Its media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Document => "text/html; charset=utf-8",
        }
    }
}

/// Contents of an export's head and end.
struct Cover<'a> {
    user: &'a UserId,
    at: Moment,
    /// The tables that are exported, each with its number of rows.
    counts: &'a [(&'static str, u64)],
    /// Columns that the engine keeps outside the inventory.
    beside: &'a [Withheld],
}

/// A part of an export.
enum Part {
    Text(String),
    /// The rows of a table.
    Rows(&'static Table),
    /// The entries of the audit log about the user, newest first.
    Log,
    /// The end of a list.
    Close,
}

/// Writes rows in one of the forms.
trait Writes: Send {
    fn rows(&mut self, table: &Table, page: &HeldPage) -> String;
    fn log(&mut self, lines: &[AuditLine]) -> String;
    fn close(&mut self) -> String;
}

/// An export in progress.
pub struct ExportStream {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    subject: Subject,
    /// The user's epoch when the export began; an erasure raises it.
    epoch: i64,
    parts: VecDeque<Part>,
    writer: Box<dyn Writes>,
    /// Start of the next page of the current table.
    after: Option<Cell>,
    /// Sequence number of the oldest log entry so far, if there are more.
    before: Option<i64>,
}

/// Exports of everything that is held about a person.
pub struct Exports {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub people: Arc<People>,
    pub blocks: Arc<Blocks>,
    pub memories: Arc<Memories>,
}

impl Exports {
    /// Exports everything held about a user, for a program: needs the scope, or the user's own key.
    pub async fn export_user(&self, caller: &Caller, user: &UserId, form: ExportForm) -> Result<ExportStream> {
        if caller.bound_to() != Some(user) {
            caller.needs(callers::Scope::Export)?;
        }
        self.begin_export(caller.into(), user, form).await
    }

    /// Exports everything held about a user, for an operator who has the record open.
    pub async fn export_user_in_console(&self, viewer: &Viewer, user: &UserId, form: ExportForm) -> Result<ExportStream> {
        self.people.opened(viewer, user).await?;
        let manager = viewer.manager()?;
        self.begin_export(manager.into(), user, form).await
    }

    /// Logs the export before any data is returned.
    async fn begin_export(&self, by: Actor, user: &UserId, form: ExportForm) -> Result<ExportStream> {
        self.memories.end_memories_of(user).await?;
        self.blocks.empty_bins_of(user).await?;
        let (at, subject) = (self.clock.now(), self.subject(user));
        let entry = Entry::of(by, "user.exported").about(&subject.digest);
        atomically!(self.store.as_ref(), [entry = entry.clone()], |tx| { Ok(audit::append(tx, at, entry).await?) }).await?;
        let (epoch, _) = self.store.fence(&subject.digest).await?;
        let counts = self.store.count_exported(&subject).await?;
        let cover = Cover { user, at, counts: &counts, beside: &self.store.beside() };
        let (parts, writer): (_, Box<dyn Writes>) = match form {
            ExportForm::Json => (json::parts(&cover), Box::new(json::Writer::default())),
            ExportForm::Document => (document::parts(&cover), Box::new(document::Writer::default())),
        };
        let parts = parts.into();
        Ok(ExportStream {
            store: self.store.clone(),
            clock: self.clock.clone(),
            subject,
            epoch,
            parts,
            writer,
            after: None,
            before: None,
        })
    }

    pub(super) fn subject(&self, user: &UserId) -> Subject {
        Subject { user: user.clone(), digest: self.digester.user(user) }
    }

    /// Whether an export would contain a row of a table that `of` accepts.
    pub(super) async fn holds_any(&self, user: &UserId, of: impl Fn(&Table) -> bool) -> Result<bool> {
        let counts = self.store.count_exported(&self.subject(user)).await?;
        let counted = |name: &str| domain::erasure::inventory::table(name).is_some_and(&of);
        Ok(counts.into_iter().any(|(name, rows)| rows > 0 && counted(name)))
    }
}

impl ExportStream {
    /// The next piece; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<String>> {
        let mut piece = String::new();
        while piece.len() < PIECE_BYTES {
            let Some(part) = self.parts.pop_front() else { break };
            match part {
                Part::Text(text) => piece.push_str(&text),
                Part::Close => piece.push_str(&self.writer.close()),
                Part::Rows(table) => {
                    let page = self.store.held_page(&self.subject, table, self.after.as_ref(), ROWS).await?;
                    piece.push_str(&self.writer.rows(table, &page));
                    self.after = page.next;
                    if self.after.is_some() {
                        self.parts.push_front(part);
                    }
                }
                Part::Log => {
                    let lines = self.store.audit_about(&self.subject.digest, self.before, ROWS).await?;
                    piece.push_str(&self.writer.log(&lines));
                    self.before = lines.last().filter(|_| lines.len() == ROWS as usize).map(|line| line.row.seq);
                    if self.before.is_some() {
                        self.parts.push_front(part);
                    }
                }
            }
        }
        if piece.is_empty() {
            return Ok(None);
        }
        let (epoch, _) = self.store.fence(&self.subject.digest).await?;
        if epoch != self.epoch {
            // The user is being erased, and the rest is gone: a partial export must not look complete.
            return Err(Problem::ErasureRunning { retry_after_s: ASK_AGAIN_S }.into());
        }
        Ok(Some(piece))
    }

    /// Streams the pieces as a response body. Once the response has begun, only cutting it off can show that it is incomplete;
    /// the cause is in the log.
    pub fn pieces(self) -> impl Stream<Item = io::Result<String>> + Send {
        stream::try_unfold(self, |mut export| async move {
            match export.next().await {
                Ok(piece) => Ok(piece.map(|piece| (piece, export))),
                Err(error) => Err(io::Error::other(error.outward(export.clock.as_ref()).to_string())),
            }
        })
    }
}
