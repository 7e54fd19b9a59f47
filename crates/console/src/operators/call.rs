//! The calls of `operators` from the browser.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::operators::shapes::{Account, Staff};

#[server(prefix = "/calls", endpoint = "staff/list", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_staff() -> Result<Staff, Refused> {
    crate::operators::work::staff(&crate::server::SignedIn::take()?).await
}

#[server(prefix = "/calls", endpoint = "staff/disable")]
pub async fn disable(operator: String, #[server(default)] present: String) -> Result<Notice, Refused> {
    crate::operators::work::disable(&crate::server::SignedIn::take()?, &operator, present).await
}

#[server(prefix = "/calls", endpoint = "staff/rights")]
pub async fn set_rights(
    operator: String,
    seen: String,
    #[server(default)] rights: String,
    #[server(default)] present: String,
) -> Result<Notice, Refused> {
    crate::operators::work::set_rights(&crate::server::SignedIn::take()?, &operator, &seen, &rights, present).await
}

#[server(prefix = "/calls", endpoint = "account/open", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_account() -> Result<Account, Refused> {
    crate::operators::work::account(&crate::server::SignedIn::take()?).await
}

#[server(prefix = "/calls", endpoint = "account/password")]
pub async fn change_password(present: String, password: String) -> Result<Notice, Refused> {
    crate::operators::work::change_password(&crate::server::SignedIn::take()?, present, password).await
}
