//! Saved views: named query strings of the review queue, own and shared.

use crate::Result;
use crate::facts::Facts;
use crate::transactions::atomically;
use access::operators::Viewer;
use domain::problem::{Field, Problem};
use ports::store::facts::decisions::SavedView;

/// Maximum length of a name and a query in characters; the database table has the same limits.
const NAME_MAX_CHARS: usize = 60;
const QUERY_MAX_CHARS: usize = 500;
/// Maximum number of views per operator.
const VIEWS_MAX: usize = 30;

impl Facts {
    pub async fn views(&self, viewer: &Viewer) -> Result<Vec<SavedView>> {
        Ok(self.store.views(viewer.id()).await?)
    }

    /// Saves a view, or changes the one with this id, and returns its id.
    pub async fn save_view(&self, viewer: &Viewer, id: Option<&str>, name: &str, query: &str, shared: bool) -> Result<String> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > NAME_MAX_CHARS || name.chars().any(char::is_control) {
            return Err(Problem::invalid(Field::Name, format!("must be 1 to {NAME_MAX_CHARS} characters")).into());
        }
        if query.chars().count() > QUERY_MAX_CHARS {
            return Err(Problem::invalid(Field::Query, format!("must be {QUERY_MAX_CHARS} characters or fewer")).into());
        }
        self.reader.refuse_secrets(vec![name.to_owned(), query.to_owned()]).await?;
        let own = self.store.views(viewer.id()).await?.iter().filter(|view| view.operator_id == viewer.id()).count();
        if id.is_none() && own >= VIEWS_MAX {
            return Err(
                Problem::invalid(Field::Name, format!("cannot be saved: you have {VIEWS_MAX} views; delete one first")).into()
            );
        }
        let view = SavedView {
            id: id.map_or_else(|| self.clock.id("vw"), str::to_owned),
            operator_id: viewer.id().to_owned(),
            name: name.to_owned(),
            query: query.trim_start_matches('?').to_owned(),
            shared,
        };
        let now = self.clock.now();
        atomically!(self.store.as_ref(), [view], |tx| {
            if id.is_none() {
                return Ok(tx.insert_view(view, now).await?);
            }
            if tx.change_view(view).await? { Ok(()) } else { Err(Problem::not_found("view of yours").into()) }
        })
        .await?;
        Ok(view.id)
    }

    pub async fn delete_view(&self, viewer: &Viewer, id: &str) -> Result<()> {
        atomically!(self.store.as_ref(), |tx| {
            if tx.delete_view(viewer.id(), id).await? { Ok(()) } else { Err(Problem::not_found("view of yours").into()) }
        })
        .await
    }
}
