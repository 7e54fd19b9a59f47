//! Delivers webhooks over HTTP. It follows no redirect, uses no proxy, and resolves names itself, so that it connects to the
//! address that was checked.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Url};

use crate::outgoing;
use domain::webhook::Reach;
use ports::courier::{Attempt, Courier, DELIVERY_MAX_MS, Parcel};

const UNREACHABLE: &str = "unreachable";
const REFUSED: &str = "refused_address";

/// Posts parcels to addresses within its reach.
pub struct Post {
    client: Client,
    reach: Reach,
}

impl Post {
    /// Fails only if TLS cannot be set up.
    pub fn new(reach: Reach) -> Result<Self, reqwest::Error> {
        let client = outgoing::client()
            .no_proxy()
            .timeout(Duration::from_millis(DELIVERY_MAX_MS))
            .dns_resolver(ReachResolver(reach))
            // An address may be moved to another machine; the next attempt asks again.
            .pool_max_idle_per_host(0)
            .user_agent(concat!("keepsake/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client, reach })
    }

    async fn send(&self, parcel: &Parcel) -> Result<u16, &'static str> {
        let url = Url::parse(&parcel.url).map_err(|_| "bad_address")?;
        let host = url.host_str().ok_or("bad_address")?.trim_matches(['[', ']']);
        let is_number = host.parse::<IpAddr>().ok();
        if is_number.is_some_and(|address| !self.reach.admits(address)) {
            return Err(REFUSED);
        }
        // Without TLS a message can be read on its way, so it may only go to this machine.
        if url.scheme() != "https" && !(host == "localhost" || is_number.is_some_and(|address| address.is_loopback())) {
            return Err(REFUSED);
        }
        let request = self.client.post(url).header(CONTENT_TYPE, "application/json");
        let request = request.header("webhook-id", &parcel.id).header("webhook-timestamp", parcel.timestamp_s.to_string());
        let answer = request.header("webhook-signature", &parcel.signature).body(parcel.body.clone()).send().await;
        answer.map(|answer| answer.status().as_u16()).map_err(|error| why(&error))
    }
}

#[async_trait]
impl Courier for Post {
    async fn deliver(&self, parcel: &Parcel) -> Attempt {
        let started = Instant::now();
        let sent = self.send(parcel).await;
        let duration_ms = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
        Attempt { status: sent.ok(), error: sent.err(), duration_ms }
    }
}

fn why(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        return "timeout";
    }
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<OutOfReach>() {
            return REFUSED;
        }
        cause = error.source();
    }
    UNREACHABLE
}

#[derive(Debug, thiserror::Error)]
#[error("the name leads to no address that is allowed")]
struct OutOfReach;

/// Resolves names, and leaves out addresses that are out of reach.
struct ReachResolver(Reach);

impl Resolve for ReachResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| reach.admits(address.ip())).collect();
            if allowed.is_empty() { Err(OutOfReach.into()) } else { Ok(Box::new(allowed.into_iter()) as Addrs) }
        })
    }
}
