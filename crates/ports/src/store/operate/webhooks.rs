//! Webhooks: addresses, deliveries, and the outcomes of attempts.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::store::StoreError;
use domain::moment::Moment;

/// An address that receives events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    /// Names of events, separated by blanks.
    pub events: String,
    pub created_at: Moment,
    /// When the current series of failures began; `None`: the last attempt succeeded.
    pub failing_since: Option<Moment>,
    pub disabled_at: Option<Moment>,
    /// `gone`: the receiver wants no more messages; `failing`: attempts failed for days.
    pub disabled_why: Option<String>,
}

/// A message in delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub id: String,
    pub webhook_id: String,
    pub url: String,
    pub event: String,
    /// Id of the object of the event.
    pub subject: String,
    pub status: Option<String>,
    pub occurred_at: Moment,
    /// The number of this attempt, from 1.
    pub attempt: i64,
}

/// Capacity for further messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Room {
    pub at_once: u32,
    /// Limit per address, in flight included.
    pub of_one: u32,
    /// Messages in flight, by id of the address.
    pub under_way: BTreeMap<String, u32>,
}

/// A message with its newest attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub id: String,
    pub event: String,
    pub occurred_at: Moment,
    /// `waiting`, `delivered` or `given_up`
    pub state: String,
    pub attempts: i64,
    pub next_at: Moment,
    pub last_at: Option<Moment>,
    pub status_code: Option<i64>,
    pub duration_ms: Option<i64>,
    pub error: Option<String>,
}

/// Outcome of an attempt, and the message's next state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRecord {
    pub attempt: i64,
    pub at: Moment,
    pub status_code: Option<u16>,
    pub duration_ms: i64,
    pub error: Option<String>,
    /// `waiting`, `delivered` or `given_up`
    pub state: &'static str,
    pub next_at: Moment,
}

#[async_trait]
pub trait WebhookReads: Send + Sync {
    /// Oldest first.
    async fn webhooks(&self) -> Result<Vec<Webhook>, StoreError>;

    /// The newest messages of an address.
    async fn deliveries(&self, webhook_id: &str, limit: u32) -> Result<Vec<Delivery>, StoreError>;

    /// Returns whether a message can be delivered now.
    async fn is_delivery_due(&self, now: Moment) -> Result<bool, StoreError>;
}

#[async_trait]
pub trait WebhookWrites: Send {
    async fn insert_webhook(&mut self, webhook: &Webhook) -> Result<(), StoreError>;

    async fn known_webhook(&mut self, id: &str) -> Result<Option<Webhook>, StoreError>;

    /// Deletes a webhook with all its messages. `false`: there is no such webhook.
    async fn delete_webhook(&mut self, id: &str) -> Result<bool, StoreError>;

    /// Enables a webhook; its waiting messages are due at once. `false`: there is no such webhook.
    async fn enable_webhook(&mut self, id: &str, at: Moment) -> Result<bool, StoreError>;

    async fn disable_webhook(&mut self, id: &str, at: Moment, why: &str) -> Result<(), StoreError>;

    /// Sets since when an address fails; `None`: it does not.
    async fn set_failing(&mut self, id: &str, since: Option<Moment>) -> Result<(), StoreError>;

    /// Queues a message for each enabled address that subscribes to this event. Returns how many.
    async fn queue_event(&mut self, event: &str, subject: &str, status: Option<&str>, at: Moment) -> Result<u64, StoreError>;

    /// Queues a message for one address, whatever its subscriptions. Returns the message's id.
    async fn queue_for(&mut self, webhook_id: &str, event: &str, subject: &str, at: Moment) -> Result<String, StoreError>;

    /// Leases due messages until `until`, within the given capacity; no other process takes them before. Addresses take turns.
    async fn take_due(&mut self, now: Moment, until: Moment, room: &Room) -> Result<Vec<Due>, StoreError>;

    /// Records an attempt. `false`: a later attempt was made since, or the message is gone.
    async fn note_attempt(&mut self, delivery_id: &str, record: &AttemptRecord) -> Result<bool, StoreError>;

    /// Makes a message due at once. `false`: this address has no such message.
    async fn resend(&mut self, webhook_id: &str, delivery_id: &str, at: Moment) -> Result<bool, StoreError>;

    /// Deletes messages whose last attempt was before this moment. Waiting messages stay.
    async fn purge_deliveries(&mut self, before: Moment) -> Result<u64, StoreError>;
}
