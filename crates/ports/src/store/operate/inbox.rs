//! The durable inbox of exchanges, and stored answers for repeated requests.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::erasure::people::UserId;
use domain::facts::fact::Candidate;
use domain::facts::provenance::Surface;
use domain::memory::exchange::{Exchange, ExchangeStatus, Gathering};
use domain::moment::Moment;

/// An incoming exchange, from which known secrets are already removed.
#[derive(Debug, Clone)]
pub struct NewExchange {
    pub id: String,
    /// Keyed digest of the host's id, if it gave one.
    pub external_digest: Option<String>,
    pub exchange: Exchange,
    /// The user's current epoch; if it has risen by the time of learning, the exchange is not learned.
    pub epoch: i64,
    pub received_at: Moment,
    /// It comes from an import.
    pub imported: bool,
    /// It asks the memory to keep or forget something, so it does not wait long for other exchanges.
    pub asks: bool,
}

/// A moment of a conversation. It identifies one message if the host gives each message its own time.
#[derive(Debug, Clone, Copy)]
pub struct SaidAt<'a> {
    pub user: &'a UserId,
    pub surface: &'a Surface,
    pub thread: &'a str,
    pub at: Moment,
}

impl SaidAt<'_> {
    /// Source id of statements for the team in this conversation.
    #[must_use]
    pub fn source(&self) -> String {
        source_in(self.surface, self.thread)
    }
}

/// Source id of a conversation, for statements for the team.
#[must_use]
pub fn source_in(surface: &Surface, thread: &str) -> String {
    format!("{} {thread}", surface.as_str())
}

/// A queued exchange.
#[derive(Debug, Clone)]
pub struct QueuedExchange {
    pub id: String,
    pub exchange: Exchange,
    pub epoch: i64,
    /// Attempts so far.
    pub tries: i64,
    pub received_at: Moment,
    pub imported: bool,
}

/// The status of an exchange, and its user, so that only that user's key may read it.
#[derive(Debug, Clone)]
pub struct InboxState {
    pub status: ExchangeStatus,
    pub reason: Option<String>,
    /// Ids of the memories that the user should confirm, if the reason says so.
    pub memories: Vec<String>,
    pub user: Option<UserId>,
}

/// A statement for the team that waits for the next batch.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub no: i64,
    pub user: Option<UserId>,
    pub surface: Surface,
    /// The thread or the import in which it was said.
    pub source: Option<String>,
    pub at: Moment,
    pub candidate: Candidate,
}

/// Number of waiting exchanges.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    pub queued: i64,
    pub parked: i64,
}

/// A stored answer.
#[derive(Debug, Clone)]
pub struct StoredAnswer {
    pub body_digest: String,
    pub answer: String,
}

#[async_trait]
pub trait InboxReads: Send + Sync {
    /// Exchanges that are due. Users take turns; a turn has as many exchanges as are read together, and every user's first turn
    /// comes before any second. A user gets at most four exchanges, or one turn if that is more, in the order of arrival. Each
    /// exchange without a user is a turn of its own.
    ///
    /// A user's exchanges wait until there are enough of them ([`Gathering`]). They do not wait if one was tried before or comes
    /// from an import.
    async fn due_exchanges(&self, now: Moment, limit: u32, gathering: Gathering) -> Result<Vec<QueuedExchange>, StoreError>;

    async fn exchange_state(&self, id: &str) -> Result<Option<InboxState>, StoreError>;

    async fn backlog(&self) -> Result<Backlog, StoreError>;

    /// Statements that wait for the next batch, oldest first.
    async fn arrivals(&self, limit: u32) -> Result<Vec<Arrival>, StoreError>;
}

#[async_trait]
pub trait InboxWrites: Send {
    /// Stores an exchange. Returns its id: the given one, or that of the exchange already stored under the host's id.
    async fn enqueue(&mut self, exchange: &NewExchange) -> Result<String, StoreError>;

    /// Counts an attempt before it begins, so that a text that crashes the process is not retried for ever. `false`: it is no
    /// longer queued.
    async fn begin_exchange(&mut self, id: &str) -> Result<bool, StoreError>;

    /// Marks a queued exchange as learned and deletes its text. `false`: it is no longer queued.
    async fn settle_exchange(&mut self, id: &str, at: Moment) -> Result<bool, StoreError>;

    /// Ids of the queued exchanges that were said at exactly this moment of a conversation.
    async fn waiting_since(&mut self, said: &SaidAt<'_>) -> Result<Vec<String>, StoreError>;

    /// Deletes the statements that were said at exactly this moment of a conversation and still wait for the next batch. Returns
    /// how many.
    async fn withdraw_arrivals(&mut self, said: &SaidAt<'_>) -> Result<u64, StoreError>;

    /// Adds a note about what was left undone to a learned exchange, and the memories that it concerns.
    async fn note_exchange(&mut self, id: &str, note: &str, memories: &[String]) -> Result<(), StoreError>;

    /// Puts every parked exchange back into the queue. Returns how many.
    async fn requeue_parked(&mut self, now: Moment) -> Result<u64, StoreError>;

    /// Puts a queued exchange back for later.
    async fn postpone_exchange(&mut self, id: &str, tries: i64, due_at: Moment) -> Result<(), StoreError>;

    /// Parks a queued exchange; its text is kept for inspection until [`InboxWrites::purge_inbox`].
    async fn park_exchange(&mut self, id: &str, reason: &str, at: Moment) -> Result<(), StoreError>;

    /// Deletes learned rows and stored answers older than `learned_before`, and the text of rows parked before `parked_before`.
    async fn purge_inbox(&mut self, learned_before: Moment, parked_before: Moment) -> Result<(), StoreError>;

    /// The current epoch of an exchange, and whether its team part may still be learned. `None`: there is no such exchange.
    async fn exchange_terms(&mut self, id: &str) -> Result<Option<(i64, bool)>, StoreError>;

    /// Stores a statement for the next batch.
    async fn hold_arrival(
        &mut self,
        user: Option<&UserId>,
        surface: &Surface,
        source: Option<&str>,
        at: Moment,
        candidate: &Candidate,
    ) -> Result<(), StoreError>;

    /// Removes a statement from the batch, to process it. `false`: it is gone.
    async fn take_arrival(&mut self, no: i64) -> Result<bool, StoreError>;

    async fn kept_answer(&mut self, digest: &str) -> Result<Option<StoredAnswer>, StoreError>;

    async fn keep_answer(
        &mut self,
        digest: &str,
        answer: &StoredAnswer,
        user: Option<&UserId>,
        at: Moment,
    ) -> Result<(), StoreError>;
}
