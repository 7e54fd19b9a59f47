//! The calls of `stats` from the browser.

use leptos::prelude::*;

use crate::notice::{Notice, Refused};
use crate::stats::shapes::Stats;
use domain::insight::stats::StatsRange;

#[server(prefix = "/calls", endpoint = "stats", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_stats(#[server(default)] range: StatsRange) -> Result<Stats, Refused> {
    crate::stats::work::stats(&crate::server::SignedIn::take()?, range).await
}

/// Retries every message that could not be learned.
#[server(prefix = "/calls", endpoint = "stats/resend")]
pub async fn resend_parked() -> Result<Notice, Refused> {
    crate::stats::work::resend_parked(&crate::server::SignedIn::take()?).await
}

/// Stores whether the panel on how team memory works is open.
#[server(prefix = "/calls", endpoint = "stats/how")]
#[allow(clippy::unused_async, reason = "a server function is async even when its body is not")]
pub async fn keep_how(open: bool) -> Result<Notice, Refused> {
    crate::server::SignedIn::take()?;
    Ok(crate::stats::work::keep_how(open))
}
