//! A Telegram bot for the memory: commands, questions about what is remembered, and learning from what people write.
//!
//! It has no model and holds no conversation. A chat has a memory only once it is linked to a user, and only private chats are
//! served. Updates are handled one after another and recorded when done, so a restart repeats at most the one in flight. Every
//! update is idempotent: an exchange has the update's id, and the other effects change nothing the second time.

mod bot;
mod client;
mod shapes;
mod update;
pub mod webhook;
mod words;

use std::time::Duration;

use tokio_util::sync::CancellationToken;

pub use bot::Bot;
pub use client::{Client, Failed};

use service::Error;
use service::error::chain;

/// The surface of all messages in Telegram.
pub use service::chat::links::SURFACE;
/// Attempts to handle an update.
const TRIES: u32 = 5;
/// How long the update in flight may take to finish once the bot is told to stop. If it takes longer, the next start handles it
/// again.
pub const DRAIN: Duration = Duration::from_secs(5);

impl Bot {
    /// Polls for updates until it is told to stop. Ends early only if the token is refused.
    pub async fn poll(&self, stop: &CancellationToken) -> Result<(), Failed> {
        // A bot with a webhook cannot poll.
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            gone = self.client.delete_webhook() => gone?,
        }
        while !stop.is_cancelled() {
            let asked = tokio::select! {
                () = stop.cancelled() => return Ok(()),
                asked = self.ask() => asked,
            };
            match asked {
                Ok(updates) => {
                    for (id, update) in updates {
                        if stop.is_cancelled() {
                            return Ok(());
                        }
                        tokio::select! {
                            () = self.take(id, update) => {}
                            () = drained(stop) => {
                                tracing::warn!(update = id, "an update took too long to end; it is handled again at the next start");
                                return Ok(());
                            }
                        }
                    }
                }
                Err(Failed::Token) => return Err(Failed::Token),
                Err(failed) => {
                    tracing::warn!(cause = %failed, "Telegram did not give updates; asking again");
                    self.rest(stop).await;
                }
            }
        }
        Ok(())
    }

    async fn ask(&self) -> Result<Vec<(i64, serde_json::Value)>, Failed> {
        let next = self.keepsake.links.next_update(self.client.bot()).await.map_err(|error| Failed::Own(chain(&error)))?;
        self.client.updates(next).await
    }

    async fn rest(&self, stop: &CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(self.pause) => {}
        }
    }

    /// Handles an update from the webhook, unless it was handled before.
    pub(super) async fn take_once(&self, id: i64, update: serde_json::Value) -> Result<(), Error> {
        if self.keepsake.links.next_update(self.client.bot()).await?.is_some_and(|next| id < next) {
            return Ok(());
        }
        self.handle(id, update).await?;
        self.keepsake.links.note_update(self.client.bot(), id).await
    }

    /// Makes Telegram send updates to this URL.
    pub async fn have_sent(&self, url: &str, secret: &str) -> Result<(), Failed> {
        self.client.set_webhook(url, secret).await
    }

    /// Handles an update, with retries, until it is done or has failed too often.
    async fn take(&self, id: i64, update: serde_json::Value) {
        for tried in 1..=TRIES {
            match self.handle(id, update.clone()).await {
                Ok(()) => break,
                Err(error) if tried < TRIES => {
                    tracing::warn!(update = id, cause = chain(&error), "an update could not be handled this time");
                    tokio::time::sleep(self.pause).await;
                }
                Err(error) => return self.leave_out(id, &error).await,
            }
        }
        self.note(id).await;
    }

    /// Skips an update that has failed too often, so that it does not block the others.
    pub(super) async fn leave_out(&self, id: i64, error: &Error) {
        tracing::error!(update = id, cause = chain(error), "an update is left out");
        self.note(id).await;
    }

    async fn note(&self, id: i64) {
        if let Err(error) = self.keepsake.links.note_update(self.client.bot(), id).await {
            tracing::error!(update = id, cause = chain(&error), "what was handled could not be noted");
        }
    }
}

/// Returns [`DRAIN`] after the bot is told to stop.
async fn drained(stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(DRAIN).await;
}
