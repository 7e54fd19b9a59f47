//! The calls of `inspect` from the browser.

use leptos::prelude::*;

use crate::inspect::shapes::Inspector;
use crate::notice::Refused;

#[server(prefix = "/calls", endpoint = "recall/page", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_inspector(#[server(default)] fact: String) -> Result<Inspector, Refused> {
    crate::inspect::work::inspector(&crate::server::SignedIn::take()?, fact).await
}
