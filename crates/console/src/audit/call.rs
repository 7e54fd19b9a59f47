//! The calls of `audit` from the browser.

use leptos::prelude::*;

use crate::audit::shapes::Log;
use crate::notice::Refused;

/// A page of the log, by the query string of its URL.
#[server(prefix = "/calls", endpoint = "audit/log", input = leptos::server_fn::codec::GetUrl)]
pub async fn read_log(#[server(default)] search: String) -> Result<Log, Refused> {
    crate::audit::work::log(&crate::server::SignedIn::take()?, &search).await
}
