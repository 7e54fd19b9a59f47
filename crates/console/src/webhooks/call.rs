//! The calls of `webhooks` from the browser.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::webhooks::shapes::Hooks;

#[server(prefix = "/calls", endpoint = "webhooks/list", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_webhooks(#[server(default)] of: String) -> Result<Hooks, Refused> {
    crate::webhooks::work::webhooks(&crate::server::SignedIn::take()?, &of).await
}

#[server(prefix = "/calls", endpoint = "webhooks/remove")]
pub async fn remove_webhook(webhook: String) -> Result<Notice, Refused> {
    crate::webhooks::work::remove_webhook(&crate::server::SignedIn::take()?, &webhook).await
}

#[server(prefix = "/calls", endpoint = "webhooks/enable")]
pub async fn enable_webhook(webhook: String) -> Result<Notice, Refused> {
    crate::webhooks::work::enable_webhook(&crate::server::SignedIn::take()?, &webhook).await
}

#[server(prefix = "/calls", endpoint = "webhooks/test")]
pub async fn test_webhook(webhook: String) -> Result<Notice, Refused> {
    crate::webhooks::work::test_webhook(&crate::server::SignedIn::take()?, &webhook).await
}

#[server(prefix = "/calls", endpoint = "webhooks/resend")]
pub async fn resend_delivery(webhook: String, delivery: String) -> Result<Notice, Refused> {
    crate::webhooks::work::resend_delivery(&crate::server::SignedIn::take()?, &webhook, &delivery).await
}
