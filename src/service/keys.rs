//! Callers' keys: made, replaced, revoked and listed; and when they are used. The functions that need only the store are for
//! commands, which work before there is an embedder.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::audit::{self, Actor, Entry};
use super::{Error, Keepsake, Result};
use crate::access::callers::{self, Caller, CallerKind};
use crate::access::operators::{Manager, Viewer};
use crate::domain::key::{KeyLife, Overlap};
use crate::domain::moment::{MINUTE_MS, Moment};
use crate::domain::people::UserId;
use crate::domain::problem::Problem;
use crate::ports::clock::Clock;
use crate::ports::store::{Store, WriteTx, atomically, if_free};

pub use crate::access::callers::{NewKey, Wanted};
pub use crate::ports::store::keys::{Key, KeyFilter};

/// How long uses are collected before they are written.
const WRITE_EVERY_MS: i64 = MINUTE_MS;

/// Makes a key and stores a hash of it. If the id that the form named is taken, the form was sent twice.
pub async fn add_key(store: &dyn Store, clock: &dyn Clock, actor: &Actor, wanted: Wanted) -> Result<NewKey> {
    let (new, key) = callers::make_key(clock, wanted, actor.id())?;
    atomically::<_, Error, _>(store, |tx| {
        let key = &key;
        Box::pin(async move {
            if !tx.insert_key(key).await? {
                return Err(Problem::ShownOnce.into());
            }
            record(tx, key.created_at, actor, "key.added", &key.id, None).await
        })
    })
    .await?;
    Ok(new)
}

/// Makes the key that replaces another one; that one works until the overlap ends. Of two at once, one is refused.
pub async fn rotate_key(
    store: &dyn Store,
    clock: &dyn Clock,
    actor: &Actor,
    id: &str,
    new_id: Option<String>,
    overlap: Overlap,
) -> Result<NewKey> {
    atomically::<_, Error, _>(store, |tx| {
        let new_id = new_id.clone();
        Box::pin(async move {
            if let Some(new_id) = &new_id
                && tx.known_key(new_id).await?.is_some()
            {
                return Err(Problem::ShownOnce.into());
            }
            let old = known(tx, id).await?;
            let (new, key, left) = callers::make_successor(clock, &old, new_id, overlap, actor.id())?;
            tx.set_key_life(id, &left).await?;
            tx.insert_key(&key).await?;
            record(tx, key.created_at, actor, "key.rotated", id, Some(format!("overlap={}", overlap.as_str()))).await?;
            record(tx, key.created_at, actor, "key.added", &key.id, None).await?;
            Ok(new)
        })
    })
    .await
}

/// Revokes a key: from now on no process answers a request with it. What it asked for before goes on. Repeating it is no error.
pub async fn revoke_key(store: &dyn Store, clock: &dyn Clock, actor: &Actor, id: &str) -> Result<()> {
    let now = clock.now();
    atomically::<_, Error, _>(store, |tx| {
        Box::pin(async move {
            let mut life = known(tx, id).await?.life;
            if life.revoked_at.is_some() {
                return Ok(());
            }
            life.revoked_at = Some(now);
            tx.set_key_life(id, &life).await?;
            record(tx, now, actor, "key.revoked", id, None).await
        })
    })
    .await
}

/// Every key, newest first.
pub async fn all_keys(store: &dyn Store, clock: &dyn Clock) -> Result<Vec<Key>> {
    let filter = KeyFilter { limit: u32::MAX, ..KeyFilter::default() };
    Ok(store.keys(&filter, clock.now()).await?)
}

/// After a restore: keys are as they were in the database that was replaced, so that none that was revoked works again. Without
/// that database (`before` is `None`) they are those of the backup; how many of them work is returned.
pub async fn carry_keys_over(store: &dyn Store, clock: &dyn Clock, before: Option<&[Key]>) -> Result<usize> {
    let (now, restored) = (clock.now(), all_keys(store, clock).await?);
    let Some(before) = before else { return Ok(restored.iter().filter(|key| key.life.state(now).works()).count()) };
    atomically::<_, Error, _>(store, |tx| {
        let restored = &restored;
        Box::pin(async move {
            for key in restored {
                let life = match before.iter().find(|newer| newer.id == key.id) {
                    Some(newer) => newer.life.clone(),
                    // It was deleted with its user.
                    None => KeyLife { revoked_at: Some(now), ..key.life.clone() },
                };
                tx.set_key_life(&key.id, &life).await?;
            }
            for added in before.iter().filter(|added| restored.iter().all(|key| key.id != added.id)) {
                tx.insert_key(added).await?;
            }
            Ok(())
        })
    })
    .await?;
    Ok(0)
}

async fn known(tx: &mut dyn WriteTx, id: &str) -> Result<Key> {
    Ok(tx.known_key(id).await?.ok_or_else(|| Problem::not_found("key"))?)
}

async fn record(
    tx: &mut dyn WriteTx,
    now: Moment,
    actor: &Actor,
    action: &'static str,
    target: &str,
    detail: Option<String>,
) -> Result<()> {
    let entry = Entry { actor: actor.clone(), action, target: Some(target.to_owned()), user_digest: None, detail };
    Ok(audit::append(tx, now, entry).await?)
}

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
    /// Notes that a key was used; `call` is the method and the route. Written later, so that no answer waits for it.
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

    pub async fn keys(&self, _viewer: &Viewer, filter: &KeyFilter) -> Result<Vec<Key>> {
        Ok(self.store.keys(filter, self.clock.now()).await?)
    }

    /// How many keys each list has, in the order of [`KeysShown::ALL`](crate::domain::key::KeysShown::ALL).
    pub async fn count_keys(&self, _viewer: &Viewer) -> Result<[i64; 5]> {
        Ok(self.store.count_keys(self.clock.now()).await?)
    }

    pub async fn key(&self, _viewer: &Viewer, id: &str) -> Result<Key> {
        Ok(self.store.key(id).await?.ok_or_else(|| Problem::not_found("key"))?)
    }

    pub async fn make_key(&self, manager: &Manager, wanted: Wanted) -> Result<NewKey> {
        add_key(self.store.as_ref(), self.clock.as_ref(), &manager.into(), wanted).await
    }

    pub async fn replace_key(&self, manager: &Manager, id: &str, new_id: &str, overlap: Overlap) -> Result<NewKey> {
        let new_id = Some(new_id.to_owned());
        rotate_key(self.store.as_ref(), self.clock.as_ref(), &manager.into(), id, new_id, overlap).await
    }

    pub async fn revoke(&self, manager: &Manager, id: &str) -> Result<()> {
        revoke_key(self.store.as_ref(), self.clock.as_ref(), &manager.into(), id).await
    }

    /// The user that a key speaks for. Looking is on record with the user.
    pub async fn user_of_key(&self, manager: &Manager, id: &str) -> Result<UserId> {
        let now = self.clock.now();
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move {
                let user = known(tx, id).await?.user.ok_or_else(|| Problem::not_found("user of this key"))?;
                let entry = Entry {
                    actor: manager.into(),
                    action: "key.user_shown",
                    target: Some(id.to_owned()),
                    user_digest: Some(self.digester.user(&user)),
                    detail: None,
                };
                audit::append(tx, now, entry).await?;
                Ok(user)
            })
        })
        .await
    }
}
