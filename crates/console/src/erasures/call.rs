//! The calls of `erasures` from the browser.

use leptos::prelude::*;

use crate::erasures::shapes::{Ledger, OfUser, OpenedReceipt, Plan};
use crate::notice::{Notice, Refused};

#[server(prefix = "/calls", endpoint = "erasures/plan", input = leptos::server_fn::codec::GetUrl)]
pub async fn plan_erasure(user: String, #[server(default)] mode: String) -> Result<Plan, Refused> {
    crate::erasures::work::plan_erasure(&crate::server::SignedIn::take()?, &user, &mode).await
}

#[server(prefix = "/calls", endpoint = "erasures/open", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_erasure(id: String) -> Result<OpenedReceipt, Refused> {
    crate::erasures::work::open_erasure(&crate::server::SignedIn::take()?, &id).await
}

#[server(prefix = "/calls", endpoint = "erasures/list", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_erasures(#[server(default)] page: Option<u32>) -> Result<Ledger, Refused> {
    crate::erasures::work::list_erasures(&crate::server::SignedIn::take()?, page).await
}

#[server(prefix = "/calls", endpoint = "erasures/of_user", input = leptos::server_fn::codec::GetUrl)]
pub async fn erasures_of_user(user: String) -> Result<OfUser, Refused> {
    crate::erasures::work::erasures_of_user(&crate::server::SignedIn::take()?, &user).await
}

/// Verifies an erasure again. Given the user's id, it searches for the id as well; the id is only compared, never stored.
#[server(prefix = "/calls", endpoint = "erasures/verify")]
pub async fn verify_erasure(id: String, #[server(default)] user: String) -> Result<Notice, Refused> {
    crate::erasures::work::verify_erasure(&crate::server::SignedIn::take()?, &id, &user).await
}
