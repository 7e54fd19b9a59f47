//! The calls of `find` from the browser.

use leptos::prelude::*;

use crate::find::shapes::Finds;
use crate::notice::Refused;

#[server(prefix = "/calls", endpoint = "find", input = leptos::server_fn::codec::GetUrl)]
pub async fn find(#[server(default)] q: String) -> Result<Finds, Refused> {
    crate::find::work::find(&crate::server::SignedIn::take()?, &q).await
}
