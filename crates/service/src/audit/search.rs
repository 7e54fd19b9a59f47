//! Searching the audit log: filtered, page by page, with names instead of ids; and the same rows as a file.

use std::collections::HashMap;

use crate::Result;
use crate::audit::Audit;
use crate::audit::{self, Entry};
use crate::chat::links;
use crate::transactions::atomically;
use access::operators::Viewer;
use domain::audit::bulk_actions;
use domain::moment::Moment;
use domain::recall::asked as typed;
use ports::store::operate::audit::{AuditFilter, AuditSearch};

pub use super::Verification;
pub use ports::store::operate::audit::AuditLine;
pub use ports::store::operate::audit::AuditRow;

/// Rows of a bulk decision that its entry shows when it is opened.
pub const MEMBERS_SHOWN: u32 = 100;

/// An operator's query. Empty fields and `None` match everything.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// An id, the start of a ticket, or an operator's name or email. A user's id finds nothing: the log entries about one user
    /// are in that user's record.
    pub text: String,
    /// Any of these actions.
    pub actions: Vec<String>,
    /// Ids of actors.
    pub actors: Vec<String>,
    /// Exactly this target.
    pub target: String,
    /// A full hour.
    pub since: Option<Moment>,
    pub until: Option<Moment>,
}

/// One page of entries, newest first, and its position in the whole list.
pub struct LogPage {
    pub lines: Vec<AuditLine>,
    /// Number of matching entries.
    pub total: u64,
    /// Number of matching entries newer than this page.
    pub newer: u64,
    /// Sequence number before which the next page begins; `None`: this is the last page.
    pub next: Option<i64>,
}

/// A logged export: the matching rows, up to the newest at that time.
#[derive(Debug, Clone)]
pub struct LogExport {
    filter: AuditFilter,
}

/// Names of operators and keys, by id.
pub type Names = HashMap<String, String>;

impl Audit {
    /// Returns a page of the log. A bulk decision is one entry, unless the query has a text or a target.
    pub async fn log(&self, _viewer: &Viewer, asked: &AuditQuery, before: Option<i64>, limit: u32) -> Result<LogPage> {
        let mut filter = self.audit_filter(asked).await?;
        if filter.sought.is_none() && filter.target.is_none() {
            filter.bulk = bulk_actions().map(str::to_owned).collect();
        }
        let total = self.store.count_audit(&filter).await?;
        filter.before = before;
        let newer = if before.is_some() { total.saturating_sub(self.store.count_audit(&filter).await?) } else { 0 };
        let mut lines = self.store.audit_page(&filter, limit + 1).await?;
        let more = lines.len() > limit as usize;
        lines.truncate(limit as usize);
        let next = lines.last().filter(|_| more).map(|line| line.first);
        Ok(LogPage { lines, total, newer, next })
    }

    /// Returns the first rows of a bulk decision, oldest first.
    pub async fn bulk_rows(&self, _viewer: &Viewer, line: &AuditLine) -> Result<Vec<AuditRow>> {
        let mut rows = self.store.audit_after(line.first - 1, MEMBERS_SHOWN).await?;
        rows.retain(|row| row.seq <= line.row.seq);
        Ok(rows)
    }

    /// Whether the ledger still has the receipt of this erasure.
    pub async fn has_receipt(&self, _viewer: &Viewer, id: &str) -> Result<bool> {
        Ok(self.store.erasure(id).await?.is_some())
    }

    /// Begins an export of all rows that match; it is logged before the first row leaves.
    pub async fn export_log(&self, viewer: &Viewer, asked: &AuditQuery, format: &'static str) -> Result<LogExport> {
        let mut filter = self.audit_filter(asked).await?;
        let newest = self.store.audit_page(&AuditFilter::default(), 1).await?;
        filter.before = Some(newest.first().map_or(0, |line| line.row.seq) + 1);
        let rows = self.store.count_audit(&filter).await?;
        let entry = Entry::of(viewer, "audit.exported").saying(format!("format={format} rows={rows}"));
        let now = self.clock.now();
        atomically!(self.store.as_ref(), [entry = entry.clone()], |tx| { Ok(audit::append(tx, now, entry).await?) }).await?;
        Ok(LogExport { filter })
    }

    /// Returns the next rows of an export, newest first; empty: the export is complete.
    pub async fn exported_rows(&self, _viewer: &Viewer, export: &mut LogExport, limit: u32) -> Result<Vec<AuditLine>> {
        let lines = self.store.audit_page(&export.filter, limit).await?;
        if let Some(last) = lines.last() {
            export.filter.before = Some(last.row.seq);
        }
        Ok(lines)
    }

    async fn audit_filter(&self, asked: &AuditQuery) -> Result<AuditFilter> {
        typed::check(&asked.text, typed::SEARCH_MAX_CHARS)?;
        let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let sought = match some(&asked.text) {
            Some(text) => Some(self.sought(text).await?),
            None => None,
        };
        Ok(AuditFilter {
            actions: asked.actions.clone(),
            actors: asked.actors.clone(),
            target: some(&asked.target),
            since: asked.since,
            until: asked.until,
            sought,
            ..AuditFilter::default()
        })
    }

    /// Returns the actions of one operator, newest first.
    pub async fn own_log(&self, viewer: &Viewer, limit: u32) -> Result<Vec<AuditLine>> {
        let bulk = bulk_actions().map(str::to_owned).collect();
        let filter = AuditFilter { actors: vec![viewer.id().to_owned()], bulk, ..AuditFilter::default() };
        Ok(self.store.audit_page(&filter, limit).await?)
    }

    /// Returns the names of all operators, of the bot, and of the keys in these rows, by id.
    pub async fn names(&self, _viewer: &Viewer, rows: &[AuditLine]) -> Result<Names> {
        let operators = self.store.operators().await?;
        let mut names: Names = operators.into_iter().map(|operator| (operator.id, operator.name)).collect();
        names.insert(links::SURFACE.to_owned(), links::BOT_NAME.to_owned());
        let mut keys: Vec<String> =
            rows.iter().flat_map(|row| [Some(row.row.actor_id.clone()), row.row.target.clone()]).flatten().collect();
        keys.retain(|id| id.starts_with("key_"));
        keys.sort_unstable();
        keys.dedup();
        if !keys.is_empty() {
            names.extend(self.store.key_names(&keys).await?);
        }
        Ok(names)
    }

    /// Reads the whole log and recomputes its chain.
    pub async fn verify_log(&self, _viewer: &Viewer) -> Result<Verification> {
        Ok(super::verify(self.store.as_ref()).await?)
    }

    async fn sought(&self, text: String) -> Result<AuditSearch> {
        let wanted = text.to_lowercase();
        let operators = self.store.operators().await?.into_iter();
        let named = |name: &str, email: &str| name.to_lowercase().contains(&wanted) || email.to_lowercase() == wanted;
        let mut actors: Vec<String> =
            operators.filter(|operator| named(&operator.name, &operator.email)).map(|operator| operator.id).collect();
        actors.push(text.clone());
        Ok(AuditSearch { target: text.clone(), actors, reason: text })
    }
}
