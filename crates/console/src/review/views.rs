//! Saved views of the review queue.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};

/// Saves the query string under a name, or changes the view with this id.
#[server(prefix = "/calls", endpoint = "views/save")]
pub async fn save_view(
    #[server(default)] name: String,
    #[server(default)] query: String,
    #[server(default)] id: Option<String>,
    #[server(default)] shared: Option<String>,
) -> Result<Notice, Refused> {
    crate::review::work::save_view(&crate::server::SignedIn::take()?, id.as_deref(), &name, &query, shared.is_some()).await
}

#[server(prefix = "/calls", endpoint = "views/delete")]
pub async fn delete_view(id: String) -> Result<Notice, Refused> {
    crate::review::work::delete_view(&crate::server::SignedIn::take()?, &id).await
}
