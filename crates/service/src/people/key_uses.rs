//! Times of key uses. They are written later and together, so that no reply waits for them.
//!
//! A use of a key bound to one user reveals when that person was active. It is written with the next batch of arrivals, so that
//! watching the keys reveals no more than watching the facts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Result;
use crate::facts::batch::ArrivalBatch;
use crate::transactions::if_free;
use access::callers::{Caller, CallerKind};
use domain::moment::{MINUTE_MS, Moment};
use ports::clock::Clock;
use ports::store::Store;

/// How long uses are collected before they are written.
const WRITE_EVERY_MS: i64 = MINUTE_MS;

/// Uses of keys that are not written yet.
#[derive(Default)]
pub struct Collected(Mutex<Uses>);

#[derive(Default)]
struct Uses {
    by_key: HashMap<String, Used>,
    /// Uses of keys bound to one user, until the batch ends.
    held: HashMap<String, Used>,
    /// The batch has ended: the uses are written soon.
    released: bool,
    /// When uses were last written, by the steady clock.
    written: Option<Moment>,
}

impl Uses {
    fn release(&mut self) {
        self.released |= !self.held.is_empty();
        let held = std::mem::take(&mut self.held);
        self.take_in(held);
    }

    /// Adds uses that were collected earlier than the present ones.
    fn take_in(&mut self, earlier: HashMap<String, Used>) {
        for (id, before) in earlier {
            let now = self.by_key.entry(id).or_insert_with(|| before.clone());
            *now = Used { minute: now.minute.max(before.minute), first: before.first.or(now.first.take()) };
        }
    }
}

#[derive(Clone)]
struct Used {
    minute: Moment,
    /// The time, method and route of the first call, if none is on record.
    first: Option<(Moment, String)>,
}

/// Uses of keys, until they are written.
pub struct KeyUses {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub batch: Arc<ArrivalBatch>,
    pub collected: Collected,
}

impl KeyUses {
    /// Allows the uses that waited for the end of the batch to be written.
    pub(crate) fn release(&self) {
        self.collected().release();
    }

    fn collected(&self) -> MutexGuard<'_, Uses> {
        self.collected.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a key was used; `call` is the method and the route.
    pub fn note_use(&self, caller: &Caller, call: &str) {
        if caller.kind() != CallerKind::Key {
            return;
        }
        let now = self.clock.now();
        let minute = Moment(now.0.div_euclid(MINUTE_MS) * MINUTE_MS);
        let waits = caller.bound_to().is_some() && self.batch.length_ms().is_some();
        let mut collected = self.collected();
        let uses = if waits { &mut collected.held } else { &mut collected.by_key };
        if let Some(before) = uses.get_mut(caller.id()) {
            before.minute = before.minute.max(minute);
        } else {
            let first = caller.is_new().then(|| (now, call.to_owned()));
            uses.insert(caller.id().to_owned(), Used { minute, first });
        }
    }

    /// Writes the collected uses if there is a first call among them, or if they are due.
    pub async fn flush_uses(&self) -> Result<()> {
        let now = self.clock.steady();
        let due = {
            let mut collected = self.collected();
            let over = collected.written.get_or_insert(now).plus_ms(WRITE_EVERY_MS) <= now;
            over || collected.released || collected.by_key.values().any(|used| used.first.is_some())
        };
        if due { self.write_released_uses().await } else { Ok(()) }
    }

    /// Writes all collected uses when the process stops, including those that wait for the end of a batch.
    pub async fn write_uses(&self) -> Result<()> {
        self.release();
        self.write_released_uses().await
    }

    /// Writes the uses that do not wait, in one transaction. If that fails, they are written with the next ones.
    async fn write_released_uses(&self) -> Result<()> {
        let waiting = {
            let mut collected = self.collected();
            collected.written = Some(self.clock.steady());
            collected.released = false;
            std::mem::take(&mut collected.by_key)
        };
        if waiting.is_empty() {
            return Ok(());
        }
        let written = if_free!(self.store.as_ref(), [waiting], |tx| {
            for (id, Used { minute, first }) in waiting {
                if let Some((at, call)) = first {
                    tx.note_first_call(id, *at, call).await?;
                }
                tx.note_key_use(id, *minute).await?;
            }
            Ok(())
        })
        .await;
        if written.is_err() {
            let mut collected = self.collected();
            collected.take_in(waiting);
        }
        written
    }
}
