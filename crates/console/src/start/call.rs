//! The calls of `start` from the browser.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::start::shapes::FirstSteps;

#[server(prefix = "/calls", endpoint = "start", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_first_steps() -> Result<FirstSteps, Refused> {
    crate::start::work::first_steps(&crate::server::SignedIn::take()?).await
}

/// Returns the page that `/` leads to, where there is work for this operator.
#[server(prefix = "/calls", endpoint = "start/home", input = leptos::server_fn::codec::GetUrl)]
pub async fn home() -> Result<String, Refused> {
    crate::start::work::home(&crate::server::SignedIn::take()?).await
}

#[server(prefix = "/calls", endpoint = "start/load-sample")]
pub async fn load_sample() -> Result<Notice, Refused> {
    crate::start::work::load_sample(&crate::server::SignedIn::take()?).await
}

#[server(prefix = "/calls", endpoint = "start/remove-sample")]
pub async fn remove_sample() -> Result<Notice, Refused> {
    crate::start::work::remove_sample(&crate::server::SignedIn::take()?).await
}
