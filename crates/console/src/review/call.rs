//! The calls of `review` from the browser.

use leptos::prelude::*;

use crate::notice::Refused;
use crate::review::shapes::{OpenedCandidate, Queue};

/// One page of the queue, for the query string of the URL.
#[server(prefix = "/calls", endpoint = "review/queue", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_queue(#[server(default)] query: String) -> Result<Queue, Refused> {
    crate::review::work::queue(&crate::server::SignedIn::take()?, &query).await
}

#[server(prefix = "/calls", endpoint = "review/candidate", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_candidate(id: String, #[server(default)] merge: Option<String>) -> Result<OpenedCandidate, Refused> {
    crate::review::work::candidate(&crate::server::SignedIn::take()?, &id, merge.as_deref()).await
}
