//! The calls of `users` from the browser.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::users::shapes::{Access, Contributions, Glimpse, Memories, MemoryPage, Overview, UserSearch};

#[server(prefix = "/calls", endpoint = "users/search", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_user_search() -> Result<UserSearch, Refused> {
    crate::users::work::user_search(&crate::server::SignedIn::take()?).await
}

#[server(prefix = "/calls", endpoint = "users/open")]
pub async fn open_record(user: String, reason: String) -> Result<Notice, Refused> {
    crate::users::work::open_record(&crate::server::SignedIn::take()?, &user, &reason).await
}

#[server(prefix = "/calls", endpoint = "users/overview", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_overview(user: String) -> Result<Overview, Refused> {
    crate::users::work::overview(&crate::server::SignedIn::take()?, &user).await
}

#[server(prefix = "/calls", endpoint = "users/glimpse", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_glimpse(user: String) -> Result<Glimpse, Refused> {
    crate::users::work::glimpse(&crate::server::SignedIn::take()?, &user).await
}

#[server(prefix = "/calls", endpoint = "users/memories", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_memories(user: String, #[server(default)] after: Option<String>) -> Result<Memories, Refused> {
    crate::users::work::memories(&crate::server::SignedIn::take()?, &user, after).await
}

#[server(prefix = "/calls", endpoint = "users/memory", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_memory(user: String, id: String) -> Result<MemoryPage, Refused> {
    crate::users::work::memories::memory(&crate::server::SignedIn::take()?, &user, &id).await
}

#[server(prefix = "/calls", endpoint = "users/contributions", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_contributions(user: String, #[server(default)] after: Option<String>) -> Result<Contributions, Refused> {
    crate::users::work::contributions(&crate::server::SignedIn::take()?, &user, after).await
}

#[server(prefix = "/calls", endpoint = "users/access", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_access(user: String, #[server(default)] before: Option<i64>) -> Result<Access, Refused> {
    crate::users::work::access(&crate::server::SignedIn::take()?, &user, before).await
}
