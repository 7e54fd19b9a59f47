//! The calls of `settings` from the browser.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::settings::shapes::{Change, History, Reviewed, SettingsPage, Wanted};

#[server(prefix = "/calls", endpoint = "settings/list", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_settings() -> Result<SettingsPage, Refused> {
    crate::settings::work::settings(&crate::server::SignedIn::take()?).await
}

#[server(prefix = "/calls", endpoint = "settings/review", input = leptos::server_fn::codec::GetUrl)]
pub async fn review_settings(#[server(default)] wanted: Vec<Wanted>) -> Result<Reviewed, Refused> {
    crate::settings::work::review_settings(&crate::server::SignedIn::take()?, wanted).await
}

#[server(prefix = "/calls", endpoint = "settings/history", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_setting_changes(#[server(default)] before: Option<i64>) -> Result<History, Refused> {
    crate::settings::work::setting_changes(&crate::server::SignedIn::take()?, before).await
}

/// Sets values. `promote` also promotes facts that already qualify; `leave` returns to Settings afterwards.
#[server(prefix = "/calls", endpoint = "settings/apply")]
pub async fn apply_settings(
    #[server(default)] changes: Vec<Change>,
    #[server(default)] promote: bool,
    #[server(default)] leave: bool,
) -> Result<Notice, Refused> {
    crate::settings::work::apply_settings(&crate::server::SignedIn::take()?, changes, promote, leave).await
}
