//! The results of forms that were posted without script, until the next page shows them.
//!
//! They are kept in this process only, and for minutes: the input may be a reason, a note or a text about a person, and must not
//! be stored in the database. The session holds a ticket.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tower_sessions::Session;
use tower_sessions::session::Error;

use crate::notice::Flash;

/// The session's key for the ticket.
const TICKET: &str = "flash";
/// Maximum wait of a result for its page, which a browser requests at once.
const KEPT: Duration = Duration::from_mins(2);
/// Maximum number of waiting results, a few MB at the worst; beyond it, the oldest are dropped.
const MOST: usize = 64;

/// The waiting results by ticket.
#[derive(Default)]
pub struct Flashes(Mutex<HashMap<String, (Instant, Flash)>>);

impl Flashes {
    /// Keeps a result for the next page of this session. The ticket must be secret.
    pub async fn keep(&self, session: &Session, ticket: String, flash: Flash) -> Result<(), Error> {
        session.insert(TICKET, &ticket).await?;
        let now = Instant::now();
        let mut waiting = self.waiting();
        waiting.retain(|_, (since, _)| now.duration_since(*since) < KEPT);
        if waiting.len() >= MOST
            && let Some(oldest) = waiting.iter().min_by_key(|(_, (since, _))| *since).map(|(ticket, _)| ticket.clone())
        {
            waiting.remove(&oldest);
        }
        waiting.insert(ticket, (now, flash));
        Ok(())
    }

    /// Takes the result that waits for a page of this session; it is returned only once.
    pub async fn take(&self, session: &Session) -> Option<Flash> {
        let ticket = session.remove::<String>(TICKET).await.ok().flatten()?;
        let (since, flash) = self.waiting().remove(&ticket)?;
        (since.elapsed() < KEPT).then_some(flash)
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, (Instant, Flash)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
