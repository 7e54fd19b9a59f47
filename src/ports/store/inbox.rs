//! The durable inbox of exchanges, and the answers that must be given twice.

use async_trait::async_trait;

use super::StoreError;
use crate::domain::exchange::{Exchange, ExchangeStatus};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;

/// An exchange on its way in, already free of known secrets.
#[derive(Debug, Clone)]
pub struct NewExchange {
    pub id: String,
    /// Keyed digest of the host's id, if it gave one.
    pub external_digest: Option<String>,
    pub exchange: Exchange,
    /// The user's epoch now; learning is refused if it has risen by then.
    pub epoch: i64,
    pub received_at: Moment,
}

/// An exchange that waits to be learned.
#[derive(Debug, Clone)]
pub struct QueuedExchange {
    pub id: String,
    pub exchange: Exchange,
    pub epoch: i64,
    /// Tries so far.
    pub tries: i64,
}

/// Where an exchange stands, and whose it is, so that only its owner's key is told.
#[derive(Debug, Clone)]
pub struct ExchangeState {
    pub status: ExchangeStatus,
    pub reason: Option<String>,
    pub user: Option<UserId>,
}

/// How much waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    pub queued: i64,
    pub parked: i64,
}

/// A kept answer.
#[derive(Debug, Clone)]
pub struct KeptAnswer {
    pub body_digest: String,
    pub answer: String,
}

#[async_trait]
pub trait InboxReads: Send + Sync {
    /// Exchanges whose time has come, in the order of arrival.
    async fn due_exchanges(&self, now: Moment, limit: u32) -> Result<Vec<QueuedExchange>, StoreError>;

    async fn exchange_state(&self, id: &str) -> Result<Option<ExchangeState>, StoreError>;

    async fn backlog(&self) -> Result<Backlog, StoreError>;
}

#[async_trait]
pub trait InboxWrites: Send {
    /// Stores an exchange. Returns its id: the one given, or that of the exchange already known under the host's id.
    async fn enqueue(&mut self, exchange: &NewExchange) -> Result<String, StoreError>;

    /// Marks a queued exchange learned and drops its text. `false`: it is not queued any more.
    async fn settle_exchange(&mut self, id: &str, at: Moment) -> Result<bool, StoreError>;

    /// Puts a queued exchange back for later.
    async fn postpone_exchange(&mut self, id: &str, tries: i64, due_at: Moment) -> Result<(), StoreError>;

    /// Takes an exchange out of the queue; its text stays for people to look at until [`InboxWrites::purge_inbox`].
    async fn park_exchange(&mut self, id: &str, reason: &str, at: Moment) -> Result<(), StoreError>;

    /// Deletes learned rows and kept answers from before `learned_before`, and the text of rows parked before
    /// `parked_before`.
    async fn purge_inbox(&mut self, learned_before: Moment, parked_before: Moment) -> Result<(), StoreError>;

    /// Whether the team's half of a waiting exchange was withdrawn, and its epoch now. `None`: it is not there.
    async fn exchange_terms(&mut self, id: &str) -> Result<Option<(i64, bool)>, StoreError>;

    async fn kept_answer(&mut self, digest: &str) -> Result<Option<KeptAnswer>, StoreError>;

    async fn keep_answer(
        &mut self,
        digest: &str,
        answer: &KeptAnswer,
        user: Option<&UserId>,
        at: Moment,
    ) -> Result<(), StoreError>;
}
