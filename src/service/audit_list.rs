//! Searching the audit log: filtered, page by page, with names instead of ids.

use std::collections::HashMap;

use super::{Keepsake, Result, links};
use crate::access::operators::Viewer;
use crate::domain::audit::When;
use crate::ports::store::audit::{AuditFilter, Sought};

pub use super::audit::Verification;
pub use crate::ports::store::audit::AuditLine;
pub use crate::ports::store::audit::AuditRow;

/// An operator's query. Empty strings match everything.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// An id, the start of a ticket, or an operator's name or email. A user's id finds nothing: what the log says about one user is
    /// in that user's record.
    pub text: String,
    pub action: String,
    /// Id of an actor.
    pub actor: String,
    pub when: When,
    pub before: Option<i64>,
    pub limit: u32,
}

/// Names of operators and keys, by id.
pub type Names = HashMap<String, String>;

impl Keepsake {
    pub async fn log(&self, _viewer: &Viewer, asked: &AuditQuery) -> Result<Vec<AuditLine>> {
        let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let sought = match some(&asked.text) {
            Some(text) => Some(self.sought(text).await?),
            None => None,
        };
        let filter = AuditFilter {
            action: some(&asked.action),
            actor: some(&asked.actor),
            since: asked.when.since(self.clock.now()),
            before: asked.before,
            sought,
        };
        Ok(self.store.audit_page(&filter, asked.limit).await?)
    }

    /// Actions of one operator, newest first.
    pub async fn own_log(&self, viewer: &Viewer, limit: u32) -> Result<Vec<AuditLine>> {
        let filter = AuditFilter { actor: Some(viewer.id().to_owned()), ..AuditFilter::default() };
        Ok(self.store.audit_page(&filter, limit).await?)
    }

    /// Names of everybody in these rows.
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
        Ok(super::audit::verify(self.store.as_ref()).await?)
    }

    async fn sought(&self, text: String) -> Result<Sought> {
        let wanted = text.to_lowercase();
        let operators = self.store.operators().await?.into_iter();
        let named = |name: &str, email: &str| name.to_lowercase().contains(&wanted) || email.to_lowercase() == wanted;
        let mut actors: Vec<String> =
            operators.filter(|operator| named(&operator.name, &operator.email)).map(|operator| operator.id).collect();
        actors.push(text.clone());
        Ok(Sought { target: text.clone(), actors, reason: text })
    }
}
