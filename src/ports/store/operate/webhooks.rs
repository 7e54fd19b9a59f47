//! Webhooks: the addresses, what is to be delivered, and how the attempts ended.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::domain::moment::Moment;
use crate::ports::store::StoreError;

/// An address that is told what happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    /// Names of events, separated by blanks.
    pub events: String,
    pub created_at: Moment,
    /// Since when no attempt has succeeded; `None`: the last one did.
    pub failing_since: Option<Moment>,
    pub disabled_at: Option<Moment>,
    /// `gone`: it asked for no more; `failing`: it failed for days.
    pub disabled_why: Option<String>,
}

/// A message that is being delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub id: String,
    pub webhook_id: String,
    pub url: String,
    pub event: String,
    /// The id of what it is about.
    pub subject: String,
    pub status: Option<String>,
    pub occurred_at: Moment,
    /// The number of this attempt, from 1.
    pub attempt: i64,
}

/// How many messages may be taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Room {
    pub at_once: u32,
    /// Of one address, with those that are under way.
    pub of_one: u32,
    /// How many are under way, by the id of the address.
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

/// How an attempt ended, and what follows.
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

    /// Whether something can be delivered now.
    async fn is_delivery_due(&self, now: Moment) -> Result<bool, StoreError>;
}

#[async_trait]
pub trait WebhookWrites: Send {
    async fn insert_webhook(&mut self, webhook: &Webhook) -> Result<(), StoreError>;

    async fn known_webhook(&mut self, id: &str) -> Result<Option<Webhook>, StoreError>;

    /// With everything that was to be delivered to it.
    async fn delete_webhook(&mut self, id: &str) -> Result<bool, StoreError>;

    /// It is tried again, and what waits for it too.
    async fn enable_webhook(&mut self, id: &str, at: Moment) -> Result<bool, StoreError>;

    async fn disable_webhook(&mut self, id: &str, at: Moment, why: &str) -> Result<(), StoreError>;

    /// Notes since when an address fails; `None`: it does not.
    async fn set_failing(&mut self, id: &str, since: Option<Moment>) -> Result<(), StoreError>;

    /// One message for each enabled address that wants this event.
    async fn queue_event(&mut self, event: &str, subject: &str, status: Option<&str>, at: Moment) -> Result<u64, StoreError>;

    /// One message for one address, whatever it wants; returns its id.
    async fn queue_for(&mut self, webhook_id: &str, event: &str, subject: &str, at: Moment) -> Result<String, StoreError>;

    /// Takes messages that are due as far as there is room, and no other process takes them until `until`. Every address has its turn
    /// before one has its second.
    async fn take_due(&mut self, now: Moment, until: Moment, room: &Room) -> Result<Vec<Due>, StoreError>;

    /// `false`: somebody else has made another attempt since, or the message is gone.
    async fn note_attempt(&mut self, delivery_id: &str, record: &AttemptRecord) -> Result<bool, StoreError>;

    /// The message is due at once; `false`: this address has no such message.
    async fn resend(&mut self, webhook_id: &str, delivery_id: &str, at: Moment) -> Result<bool, StoreError>;

    /// Deletes messages whose last attempt was before this moment. What still waits stays.
    async fn purge_deliveries(&mut self, before: Moment) -> Result<u64, StoreError>;
}
