//! Tracks the texts in flight: they are in memory while they are learned, and an extractor may send them to a provider. An
//! erasure stops this for its user at once, and its verification waits until no such text is left.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::Result;
use access::digest::Digester;
use domain::memory::exchange::Exchange;
use ports::store::Store;

/// Limit and interval of the wait of a verification for stopped texts.
const LET_GO_WITHIN: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A text in flight. Lives as long as any thread has the text.
#[derive(Clone, Default)]
pub(super) struct Hold {
    of: Arc<Of>,
    stop: CancellationToken,
}

/// User of a text in flight; `None`: no user, so no erasure stops it.
#[derive(Default)]
struct Of {
    user_digest: Option<String>,
    /// The epoch of the user when the text arrived.
    epoch: i64,
}

impl Hold {
    /// Returns when the text must no longer be used.
    pub(crate) async fn stopped(&self) {
        self.stop.cancelled().await;
    }
}

/// A text that may still be in flight, and the token that stops it.
type HeldText = (Weak<Of>, CancellationToken);

/// All texts in flight.
#[derive(Clone, Default)]
pub struct HeldTexts(Arc<Mutex<Vec<HeldText>>>);

impl HeldTexts {
    fn list(&self) -> MutexGuard<'_, Vec<HeldText>> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(of, _)| of.strong_count() > 0);
        list
    }

    fn take(&self, user_digest: Option<String>, epoch: i64) -> Hold {
        let hold = Hold { of: Arc::new(Of { user_digest, epoch }), stop: CancellationToken::new() };
        self.list().push((Arc::downgrade(&hold.of), hold.stop.clone()));
        hold
    }

    /// Stops this user's texts up to this epoch.
    fn stop(&self, user_digest: &str, epoch: i64) {
        for (of, stop) in self.list().iter() {
            let its = |of: Arc<Of>| of.user_digest.as_deref() == Some(user_digest) && of.epoch <= epoch;
            if of.upgrade().is_some_and(its) {
                stop.cancel();
            }
        }
    }

    fn count(&self, user_digest: &str) -> usize {
        let list = self.list();
        let its = |(of, stop): &&HeldText| {
            stop.is_cancelled() && of.upgrade().is_some_and(|of| of.user_digest.as_deref() == Some(user_digest))
        };
        list.iter().filter(its).count()
    }

    /// Returns the users with texts in flight, with the lowest epoch of each.
    fn users(&self) -> HashMap<String, i64> {
        let mut users = HashMap::new();
        for of in self.list().iter().filter_map(|(of, _)| of.upgrade()) {
            if let Some(digest) = &of.user_digest {
                let lowest = users.entry(digest.clone()).or_insert(of.epoch);
                *lowest = of.epoch.min(*lowest);
            }
        }
        users
    }
}

/// Held while the text of an exchange is read.
pub(super) type ReadToken = Arc<()>;

/// Exchanges that are being read, by id, including those whose caller no longer waits.
#[derive(Clone, Default)]
pub struct Unfinished(Arc<Mutex<HashMap<String, Weak<()>>>>);

impl Unfinished {
    /// Begins a reading and returns its token; `None`: an earlier one has not ended.
    pub(crate) fn begin(&self, id: &str) -> Option<ReadToken> {
        let mut unfinished = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.retain(|_, token| token.strong_count() > 0);
        if unfinished.contains_key(id) {
            return None;
        }
        let token = ReadToken::default();
        unfinished.insert(id.to_owned(), Arc::downgrade(&token));
        Some(token)
    }
}

/// Texts that are being learned.
pub struct TextsInFlight {
    pub store: Arc<dyn Store>,
    pub digester: Digester,
    pub texts: HeldTexts,
}

impl TextsInFlight {
    /// Registers this exchange as in flight, until the result is dropped.
    pub(super) fn hold(&self, exchange: &Exchange, epoch: i64) -> Hold {
        self.texts.take(exchange.user.as_ref().map(|user| self.digester.user(user)), epoch)
    }

    /// Whether the user was erased, or an erasure was confirmed, since the text arrived.
    pub(super) async fn must_let_go(&self, hold: &Hold) -> Result<bool> {
        let Some(digest) = &hold.of.user_digest else { return Ok(false) };
        let (epoch, running) = self.store.fence(digest).await?;
        Ok(running || epoch > hold.of.epoch)
    }

    /// Stops texts of users that have been erased, or are about to be, here or by another process.
    pub(crate) async fn let_go_of_the_erased(&self) -> Result<()> {
        for (digest, lowest) in self.texts.users() {
            let (epoch, running) = self.store.fence(&digest).await?;
            if running || epoch > lowest {
                self.texts.stop(&digest, if running { epoch } else { epoch - 1 });
            }
        }
        Ok(())
    }

    /// Counts the texts of an erased user that are still in memory, after waiting a moment for them to go.
    pub(crate) async fn texts_not_let_go(&self, user_digest: &str) -> Result<usize> {
        self.let_go_of_the_erased().await?;
        let until = Instant::now() + LET_GO_WITHIN;
        loop {
            match self.texts.count(user_digest) {
                0 => return Ok(0),
                count if Instant::now() >= until => return Ok(count),
                _ => sleep(LOOK_EVERY).await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_before_an_erasure_is_let_go_and_what_came_after_stays() {
        let held_texts = HeldTexts::default();
        let (before, after) = (held_texts.take(Some("a".to_owned()), 0), held_texts.take(Some("a".to_owned()), 1));
        let (other, nobody) = (held_texts.take(Some("b".to_owned()), 0), held_texts.take(None, 0));
        assert_eq!(held_texts.users(), HashMap::from([("a".to_owned(), 0), ("b".to_owned(), 0)]));
        held_texts.stop("a", 0);
        let stopped = [&before, &after, &other, &nobody].map(|hold| hold.stop.is_cancelled());
        assert_eq!(stopped, [true, false, false, false]);
        let in_a_thread = before.clone();
        drop(before);
        assert_eq!(held_texts.count("a"), 1, "a thread has it");
        drop(in_a_thread);
        assert_eq!((held_texts.count("a"), held_texts.users().len()), (0, 2));
    }
}
