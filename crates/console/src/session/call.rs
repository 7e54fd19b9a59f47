//! The calls of `session` from the browser.

#![allow(clippy::unused_async, reason = "a server function is async even when its body is not")]

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::session::shapes::Welcome;

#[server(prefix = "/calls", endpoint = "welcome", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_welcome() -> Result<Welcome, Refused> {
    crate::session::work::welcome()
}

#[server(prefix = "/calls", endpoint = "sign_in")]
pub async fn sign_in(email: String, password: String, #[server(default)] next: String) -> Result<Notice, Refused> {
    crate::session::work::sign_in(&email, password, &next).await
}

#[server(prefix = "/calls", endpoint = "sign_out")]
pub async fn sign_out() -> Result<Notice, Refused> {
    crate::session::work::sign_out(&crate::server::SignedIn::take()?).await
}

/// Whether the operator is still signed in: a form asks before it is sent.
#[server(prefix = "/calls", endpoint = "session/here", input = leptos::server_fn::codec::GetUrl)]
pub async fn still_here() -> Result<Notice, Refused> {
    crate::server::SignedIn::take().map(|_| Notice::Done)
}

#[server(prefix = "/calls", endpoint = "theme")]
pub async fn set_theme(theme: String) -> Result<Notice, Refused> {
    crate::session::work::set_theme(crate::session::shapes::Theme::parse(&theme))
}

/// Sets one preference: `density` to `compact` or `comfortable`, `keys` to `on` or `off`.
#[server(prefix = "/calls", endpoint = "prefer")]
pub async fn prefer(habit: String, value: String) -> Result<Notice, Refused> {
    crate::session::work::prefer(&habit, &value)
}

/// The page for an unknown URL: a problem and its status.
#[server(prefix = "/calls", endpoint = "missing", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_missing() -> Result<Notice, Refused> {
    crate::server::missing()
}
