//! When keys are used. Written later and together, so that no answer waits for it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Error, Keepsake, Result};
use crate::access::callers::{Caller, CallerKind};
use crate::domain::moment::{MINUTE_MS, Moment};
use crate::ports::store::if_free;

/// How long uses are collected before they are written.
const WRITE_EVERY_MS: i64 = MINUTE_MS;

/// Uses of keys that are not written yet.
#[derive(Default)]
pub struct Uses(Mutex<Collected>);

#[derive(Default)]
struct Collected {
    by_key: HashMap<String, Used>,
    /// When they were last written.
    written: Option<Moment>,
}

#[derive(Clone)]
struct Used {
    minute: Moment,
    /// When the first call came, and what it was, if none is on record.
    first: Option<(Moment, String)>,
}

impl Keepsake {
    /// Notes that a key was used; `call` is the method and the route.
    pub fn note_use(&self, caller: &Caller, call: &str) {
        if caller.kind() != CallerKind::Key {
            return;
        }
        let now = self.clock.now();
        let minute = Moment(now.0.div_euclid(MINUTE_MS) * MINUTE_MS);
        let mut collected = self.collected_uses();
        if let Some(before) = collected.by_key.get_mut(caller.id()) {
            before.minute = before.minute.max(minute);
        } else {
            let first = caller.is_new().then(|| (now, call.to_owned()));
            collected.by_key.insert(caller.id().to_owned(), Used { minute, first });
        }
    }

    /// Writes the collected uses if there is a first call among them, or if it is time.
    pub async fn flush_uses(&self) -> Result<()> {
        let now = self.clock.now();
        let due = {
            let mut collected = self.collected_uses();
            let over = collected.written.get_or_insert(now).plus_ms(WRITE_EVERY_MS) <= now;
            over || collected.by_key.values().any(|used| used.first.is_some())
        };
        if due { self.write_uses().await } else { Ok(()) }
    }

    /// Writes the collected uses in one transaction. If that fails, they are written with the next ones.
    pub async fn write_uses(&self) -> Result<()> {
        let waiting = {
            let mut collected = self.collected_uses();
            collected.written = Some(self.clock.now());
            std::mem::take(&mut collected.by_key)
        };
        if waiting.is_empty() {
            return Ok(());
        }
        let written = if_free::<_, Error, _>(self.store.as_ref(), |tx| {
            let waiting = &waiting;
            Box::pin(async move {
                for (id, Used { minute, first }) in waiting {
                    if let Some((at, call)) = first {
                        tx.note_first_call(id, *at, call).await?;
                    }
                    tx.note_key_use(id, *minute).await?;
                }
                Ok(())
            })
        })
        .await;
        if written.is_err() {
            let mut collected = self.collected_uses();
            for (id, before) in waiting {
                let now = collected.by_key.entry(id).or_insert_with(|| before.clone());
                *now = Used { minute: now.minute.max(before.minute), first: before.first.or(now.first.take()) };
            }
        }
        written
    }

    fn collected_uses(&self) -> MutexGuard<'_, Collected> {
        self.uses.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
