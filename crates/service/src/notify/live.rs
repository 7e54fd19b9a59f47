//! Sends live updates to open pages, whichever process made the change.
//!
//! Changes not made by an operator are sent in batches, like the arrivals themselves, so that their moment does not reveal who
//! spoke or who was erased. Operators' decisions are sent at once.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::Result;
use crate::facts::decide::{decider, merged_into};
use crate::notify::Notify;
use domain::erasure::STEPS;
use domain::facts::fact::FactStatus;
use domain::facts::promotion::told_at_most;
use domain::insight::live::LiveEvent;
use ports::store::ChangeReport;
use ports::store::facts::Fact;

/// Events that a slow page may lag behind before it must reload.
const BACKLOG: usize = 512;

/// A fact that no page has seen yet and that was written within this time, in milliseconds, counts as just decided.
const FRESH_MS: i64 = 5_000;

/// The properties of a fact that pages show; other changes, such as recalls, are not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Face {
    version: i64,
    contributors: u32,
    contradicted: bool,
    status: FactStatus,
}

impl Face {
    fn of(fact: &Fact, most: u32) -> Self {
        let Fact { version, contributors, contradicted, status, .. } = *fact;
        Self { version, contributors: contributors.min(most), contradicted, status }
    }
}

/// The channel to open pages.
pub struct Live {
    channel: broadcast::Sender<LiveEvent>,
    /// The last state of every fact that pages have seen.
    known_faces: Mutex<HashMap<String, Face>>,
    /// Changes that wait for the next batch.
    waiting: Mutex<Vec<LiveEvent>>,
    closed: CancellationToken,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            channel: broadcast::Sender::new(BACKLOG),
            known_faces: Mutex::default(),
            waiting: Mutex::default(),
            closed: CancellationToken::new(),
        }
    }
}

impl Live {
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<LiveEvent> {
        self.channel.subscribe()
    }

    /// Ends every stream, so that the server can stop.
    pub fn close(&self) {
        self.closed.cancel();
    }

    #[must_use]
    pub fn closed(&self) -> CancellationToken {
        self.closed.clone()
    }

    fn send(&self, event: LiveEvent) {
        // It is fine if no one is listening.
        let _ = self.channel.send(event);
    }
}

/// Whether an operator made this change. False for new facts and promotions by count.
fn by_operator(fact: &Fact) -> bool {
    fact.version > 1 && (fact.decided_by.is_some() || fact.status != FactStatus::Approved)
}

impl Notify {
    /// Sends open pages the changes that the store found.
    pub async fn tell(&self, changed: &ChangeReport) -> Result<()> {
        if changed.settings {
            self.live.send(LiveEvent::Settings);
        }
        if changed.keys {
            self.live.send(LiveEvent::Keys);
        }
        for id in &changed.erasure_ids {
            let Some(erasure) = self.store.erasure(id).await? else { continue };
            let done = erasure.status.steps_done();
            let step = (done + 1).min(STEPS.len());
            self.live.send(LiveEvent::Erasure { id: id.clone(), step, done: done == STEPS.len() });
        }
        let facts = self.store.facts_by_id(&changed.fact_ids).await?;
        let gone: Vec<&String> = changed.fact_ids.iter().filter(|id| facts.iter().all(|fact| fact.id != **id)).collect();
        let mut taken_away = HashSet::new();
        for id in gone {
            // Facts that an erasure deleted wait for the batch: next to the event of the erasure they would reveal what the user
            // had said.
            let last = self.store.audit_of(id, 1).await?.pop();
            if last.is_some_and(|row| ["fact.deleted", "fact.merged"].contains(&row.action.as_str())) {
                taken_away.insert(id.as_str());
            }
        }
        let fresh = self.clock.now().plus_ms(-FRESH_MS);
        let most = told_at_most(self.settings.get().promote_contributors);
        let (mut at_once, mut later) = (Vec::new(), Vec::new());
        {
            let mut known_faces = self.live.known_faces.lock().unwrap_or_else(PoisonError::into_inner);
            for id in &changed.fact_ids {
                let fact = facts.iter().find(|fact| fact.id == *id);
                let seen = fact.map(|fact| Face::of(fact, most));
                let known = known_faces.get(id);
                if seen.as_ref() == known && seen.is_some() {
                    continue;
                }
                let decided = match (known, fact) {
                    (Some(known), Some(fact)) => fact.version != known.version,
                    (None, Some(fact)) => fact.updated_at >= fresh,
                    (_, None) => true,
                };
                let by = fact.and_then(|fact| fact.decided_by.clone());
                let event = LiveEvent::Fact {
                    id: id.clone(),
                    version: seen.as_ref().map_or(i64::MAX, |seen| seen.version),
                    status: seen.as_ref().map(|seen| seen.status),
                    contributors: seen.as_ref().map_or(0, |seen| seen.contributors),
                    by: by.clone(),
                    into: None,
                };
                if taken_away.contains(id.as_str()) || (decided && fact.is_some_and(by_operator)) {
                    at_once.push(event);
                } else {
                    later.push(event);
                }
                match seen {
                    Some(seen) => drop(known_faces.insert(id.clone(), seen)),
                    None => drop(known_faces.remove(id)),
                }
            }
        }
        let told = !at_once.is_empty();
        for event in at_once {
            self.announce(event).await?;
        }
        // A page that is opened later shows these changes; a process without pages would keep them for ever.
        if self.live.channel.receiver_count() > 0 {
            self.live.waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(later);
        }
        let released = self.release().await?;
        if told || released {
            self.live.send(LiveEvent::Queue { pending: self.store.count_facts().await?.pending });
        }
        Ok(())
    }

    /// Sends the waiting changes once the batch is over.
    async fn release(&self) -> Result<bool> {
        if !self.batch.is_released() {
            return Ok(false);
        }
        let events = std::mem::take(&mut *self.live.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        let some = !events.is_empty();
        for event in events {
            self.announce(event).await?;
        }
        Ok(some)
    }

    /// Replaces the operator's id with the name, and sends the event.
    async fn announce(&self, event: LiveEvent) -> Result<()> {
        let LiveEvent::Fact { id, version, status, contributors, by, .. } = event else { return Ok(()) };
        let by = match by {
            Some(id) => Some(decider(self.store.as_ref(), Some(&id)).await?),
            None => None,
        };
        let into = if status.is_none() { merged_into(self.store.as_ref(), &id).await? } else { None };
        self.live.send(LiveEvent::Fact { id, version, status, contributors, by, into });
        Ok(())
    }
}
