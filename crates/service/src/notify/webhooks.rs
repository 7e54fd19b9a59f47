//! Webhooks: addresses, their events, and the deliveries.
//!
//! Transactional outbox: events are stored with the change, so none is lost on a crash and none is sent for a rollback. A message
//! holds ids and constants of this program: never a text, and never a user. It may arrive twice.

use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde_json::json;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use url::{Host, Url};

use crate::audit::{self, Actor, Entry};
use crate::error::noted;
use crate::notify::Notify;
use crate::transactions::atomically;
use crate::transactions::if_free;
use crate::{Error, Result};
use access::digest::{Digester, sha256_hex};
use access::operators::{Manager, Viewer};
use domain::moment::Moment;
use domain::problem::{Faults, Field, Problem};
use domain::webhook::{Event, FAILING_MS, KEPT_MS, URL_MAX_BYTES, chosen, pause_ms};
use ports::courier::{Attempt, Courier, Parcel};
use ports::store::operate::webhooks::{AttemptRecord, Due, Room};
use ports::store::{StoreError, WriteTx};

pub use ports::store::operate::webhooks::{Delivery, Webhook};

/// Number of messages delivered at once, in total and to one address.
const AT_ONCE: u32 = 64;
const OF_ONE_ADDRESS: u32 = 2;
/// How often new messages are looked for while others are in flight.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Lease of a message, in milliseconds: until it ends, no other process takes the message. An attempt takes 10 seconds at most.
const LEASE_MS: i64 = 60_000;
/// Deliveries in a list.
const LISTED: u32 = 100;

/// A new address. Its secret is shown only this once.
pub struct NewWebhook {
    pub id: String,
    pub secret: String,
}

/// Queues a message for every address that wants this event. `status` is the result of an erasure, or the code of the reason for
/// a rejection.
pub(crate) async fn tell(
    tx: &mut dyn WriteTx,
    event: Event,
    subject: &str,
    status: Option<&str>,
    at: Moment,
) -> std::result::Result<(), StoreError> {
    tx.queue_event(event.as_str(), subject, status, at).await.map(drop)
}

impl Notify {
    pub async fn webhooks(&self, _viewer: &Viewer) -> Result<Vec<Webhook>> {
        Ok(self.store.webhooks().await?)
    }

    /// Returns all addresses, for the command line.
    pub async fn all_webhooks(&self) -> Result<Vec<Webhook>> {
        Ok(self.store.webhooks().await?)
    }

    /// Returns the newest deliveries of an address.
    pub async fn deliveries(&self, _viewer: &Viewer, webhook_id: &str) -> Result<Vec<Delivery>> {
        Ok(self.store.deliveries(webhook_id, LISTED).await?)
    }

    pub async fn add_webhook(&self, by: &Actor, url: &str, events: &[String]) -> Result<NewWebhook> {
        let mut faults = Faults::new();
        let (url, events) = (noted(&mut faults, address(url))?, faults.note(chosen(events)));
        faults.settle()?;
        let (url, events) = (url.unwrap_or_default(), events.unwrap_or_default());
        let events = events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(" ");
        let (id, now) = (self.clock.id("wh"), self.clock.now());
        let webhook =
            Webhook { id: id.clone(), url, events, created_at: now, failing_since: None, disabled_at: None, disabled_why: None };
        atomically!(self.store.as_ref(), [webhook], |tx| {
            tx.insert_webhook(webhook).await?;
            let added = Entry::of(by, "webhook.added").on(&webhook.id).saying(&webhook.events);
            Ok(audit::append(tx, now, added).await?)
        })
        .await?;
        Ok(NewWebhook { secret: self.digester.webhook_secret(&id), id })
    }

    /// Removes an address and its undelivered messages.
    pub async fn remove_webhook(&self, by: &Actor, id: &str) -> Result<()> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            if !tx.delete_webhook(id).await? {
                return Err(Problem::not_found("webhook").into());
            }
            Ok(audit::append(tx, now, Entry::of(by, "webhook.removed").on(id)).await?)
        })
        .await
    }

    /// Enables a disabled address again, and delivers its waiting messages.
    pub async fn enable_webhook(&self, by: &Actor, id: &str) -> Result<()> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            if !tx.enable_webhook(id, now).await? {
                return Err(Problem::not_found("webhook").into());
            }
            Ok(audit::append(tx, now, Entry::of(by, "webhook.enabled").on(id)).await?)
        })
        .await
    }

    /// Queues a test message for an address. Returns the id of the message.
    pub async fn test_webhook(&self, by: &Actor, id: &str) -> Result<String> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            if tx.known_webhook(id).await?.is_none() {
                return Err(Problem::not_found("webhook").into());
            }
            let message = tx.queue_for(id, Event::Test.as_str(), id, now).await?;
            audit::append(tx, now, Entry::of(by, "webhook.tested").on(id)).await?;
            Ok(message)
        })
        .await
    }

    /// Delivers a message again.
    pub async fn resend_delivery(&self, manager: &Manager, webhook_id: &str, delivery_id: &str) -> Result<()> {
        let (now, by) = (self.clock.now(), Actor::from(manager));
        atomically!(self.store.as_ref(), [by], |tx| {
            if !tx.resend(webhook_id, delivery_id, now).await? {
                return Err(Problem::not_found("delivery").into());
            }
            Ok(audit::append(tx, now, Entry::of(by, "webhook.resent").on(webhook_id)).await?)
        })
        .await
    }

    /// Delivers all due messages. Returns how many attempts were made.
    pub async fn deliver_due(&self, courier: &dyn Courier) -> Result<usize> {
        self.deliver_until(courier, &CancellationToken::new()).await
    }

    /// Delivers until nothing is due or it is told to stop; attempts in flight are then completed. Returns how many attempts were
    /// made. An address that does not answer delays only its own messages.
    pub async fn deliver_until(&self, courier: &dyn Courier, stop: &CancellationToken) -> Result<usize> {
        let (mut under_way, mut room) = (FuturesUnordered::new(), Room { of_one: OF_ONE_ADDRESS, ..Room::default() });
        let (mut made, mut failed) = (0, None);
        loop {
            if failed.is_none() && !stop.is_cancelled() {
                room.at_once = AT_ONCE.saturating_sub(room.under_way.values().sum());
                match self.take_due(&room).await {
                    Ok(taken) => {
                        for due in taken {
                            *room.under_way.entry(due.webhook_id.clone()).or_default() += 1;
                            let parcel = parcel(&self.digester, &due, self.clock.now());
                            under_way.push(async move { (due, courier.deliver(&parcel).await) });
                        }
                    }
                    Err(error) => failed = Some(error),
                }
            }
            let ended = tokio::select! {
                ended = under_way.next() => ended,
                () = sleep(LOOK_EVERY), if !under_way.is_empty() => continue,
            };
            let Some((due, attempt)) = ended else { return failed.map_or(Ok(made), Err) };
            made += 1;
            if let Some(of_one) = room.under_way.get_mut(&due.webhook_id) {
                *of_one -= 1;
            }
            if let Err(error) = self.note_attempt(&due, &attempt).await {
                failed.get_or_insert(error);
            }
        }
    }

    async fn take_due(&self, room: &Room) -> Result<Vec<Due>> {
        let now = self.clock.now();
        if room.at_once == 0 || !self.store.is_delivery_due(now).await? {
            return Ok(Vec::new());
        }
        if_free!(self.store.as_ref(), |tx| { Ok(tx.take_due(now, now.plus_ms(LEASE_MS), room).await?) }).await
    }

    async fn note_attempt(&self, due: &Due, attempt: &Attempt) -> Result<()> {
        let now = self.clock.now();
        let pause = pause_ms(due.attempt, chance(&due.id, due.attempt));
        let state = match pause {
            _ if attempt.is_delivered() => "delivered",
            Some(_) => "waiting",
            None => "given_up",
        };
        let record = AttemptRecord {
            attempt: due.attempt,
            at: now,
            status_code: attempt.status,
            duration_ms: attempt.duration_ms,
            error: attempt.error.map(str::to_owned),
            state,
            next_at: now.plus_ms(pause.unwrap_or(0)),
        };
        atomically!(self.store.as_ref(), [record], |tx| {
            if !tx.note_attempt(&due.id, record).await? {
                return Ok(());
            }
            if attempt.is_delivered() {
                return Ok(tx.set_failing(&due.webhook_id, None).await?);
            }
            let Some(webhook) = tx.known_webhook(&due.webhook_id).await? else { return Ok(()) };
            let since = webhook.failing_since.unwrap_or(now);
            tx.set_failing(&webhook.id, Some(since)).await?;
            let why = match attempt.is_gone() {
                true => "gone",
                false if now.0 - since.0 >= FAILING_MS => "failing",
                false => return Ok(()),
            };
            tx.disable_webhook(&webhook.id, now, why).await?;
            let disabled = Entry::of(Actor::System, "webhook.disabled").on(&webhook.id).saying(why);
            Ok(audit::append(tx, now, disabled).await?)
        })
        .await
    }

    /// Deletes old deliveries.
    pub async fn purge_deliveries(&self) -> Result<u64> {
        let before = self.clock.now().plus_ms(-KEPT_MS);
        atomically!(self.store.as_ref(), |tx| { Ok(tx.purge_deliveries(before).await?) }).await
    }
}

/// Returns the signed message as it is sent.
fn parcel(digester: &Digester, due: &Due, now: Moment) -> Parcel {
    let mut data = json!({ "id": due.subject });
    if let Some(status) = &due.status {
        let name = if due.event == Event::FactRejected.as_str() { "reason" } else { "status" };
        data[name] = status.clone().into();
    }
    let body = json!({ "type": due.event, "timestamp": due.occurred_at.rfc3339(), "data": data }).to_string();
    let timestamp_s = now.0.div_euclid(1000);
    let signature = digester.webhook_signature(&due.webhook_id, &format!("{}.{timestamp_s}.{body}", due.id));
    Parcel { url: due.url.clone(), id: due.id.clone(), timestamp_s, signature, body }
}

/// Returns a number from 0 to 1 that is the same for the same attempt, to spread retries.
fn chance(delivery_id: &str, attempt: i64) -> f64 {
    let digest = sha256_hex(format!("{delivery_id} {attempt}").as_bytes());
    f64::from(u16::from_str_radix(&digest[..4], 16).unwrap_or_default()) / f64::from(u16::MAX)
}

/// Validates an address. The host that its name resolves to is checked at each delivery, because that can change.
fn address(url: &str) -> Result<String> {
    let must = |must: &str| Error::from(Problem::invalid(Field::Url, must));
    let url = url.trim();
    if url.len() > URL_MAX_BYTES || url.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(must("must be 2,048 bytes or fewer, without spaces"));
    }
    let parsed = Url::parse(url).map_err(|_| must("must be a URL such as https://example.org/hooks"))?;
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(must("must not hold a password; check the signature instead"));
    }
    let here = match parsed.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return Err(must("must name a host")),
    };
    match parsed.scheme() {
        "https" => Ok(url.to_owned()),
        "http" if here => Ok(url.to_owned()),
        _ => Err(must("must start with https://, unless it leads to this machine")),
    }
}
