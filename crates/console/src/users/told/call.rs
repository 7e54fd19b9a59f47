//! The calls of `users::told` from the browser.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::users::told::shapes::ToldPage;

#[server(prefix = "/calls", endpoint = "users/told", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_told(user: String) -> Result<ToldPage, Refused> {
    crate::users::told::work::told(&crate::server::SignedIn::take()?, &user).await
}

#[server(prefix = "/calls", endpoint = "users/told/delete")]
pub async fn delete_told(user: String, id: String) -> Result<Notice, Refused> {
    crate::users::told::work::delete_told(&crate::server::SignedIn::take()?, &user, &id).await
}
