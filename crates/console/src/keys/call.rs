//! The calls of `keys` from the browser.

use leptos::prelude::*;

use crate::keys::shapes::{KeyList, KeyPage, KeyQuery};
use crate::notice::{Notice, Refused};

#[server(prefix = "/calls", endpoint = "keys/list", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_keys(query: KeyQuery) -> Result<KeyList, Refused> {
    crate::keys::work::keys(&crate::server::SignedIn::take()?, query).await
}

#[server(prefix = "/calls", endpoint = "keys/open", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_key(id: String) -> Result<KeyPage, Refused> {
    crate::keys::work::key_page(&crate::server::SignedIn::take()?, id).await
}

#[server(prefix = "/calls", endpoint = "keys/revoke")]
pub async fn revoke_key(key: String, #[server(default)] with_replaced: Option<String>) -> Result<Notice, Refused> {
    crate::keys::work::revoke_key(&crate::server::SignedIn::take()?, &key, with_replaced.is_some()).await
}
