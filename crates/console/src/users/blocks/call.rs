//! The calls of `users::blocks` from the browser.

use leptos::prelude::*;

use crate::notice::Refused;
use crate::users::blocks::shapes::{BlocksPage, OneBlock};

#[server(prefix = "/calls", endpoint = "users/blocks", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_blocks(
    user: String,
    #[server(default)] store: Option<String>,
    #[server(default)] after: Option<String>,
) -> Result<BlocksPage, Refused> {
    crate::users::blocks::work::blocks(&crate::server::SignedIn::take()?, &user, store, after).await
}

#[server(prefix = "/calls", endpoint = "users/block", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_block(user: String, id: String, #[server(default)] version: Option<i64>) -> Result<OneBlock, Refused> {
    crate::users::blocks::work::block(&crate::server::SignedIn::take()?, &user, &id, version).await
}
