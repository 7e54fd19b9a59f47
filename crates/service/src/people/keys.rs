//! Callers' keys: made, replaced, revoked and listed. The functions that need no Keepsake are for commands, which work before
//! there is an embedder.

use crate::Result;
use crate::audit::{self, Actor, Entry};
use crate::people::People;
use crate::reading::refuse_secret_in;
use crate::transactions::atomically;
use access::callers;
use access::digest::Digester;
use access::operators::{Manager, Viewer};
use domain::access::key::{KeyLife, Overlap};
use domain::erasure::people::UserId;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::store::{Store, WriteTx};

pub use access::callers::{KeyRequest, NewKey};
pub use ports::store::people::keys::{Key, KeyFilter};

/// Makes a key and stores a hash of it. If the id that the form gave is taken, the form was sent twice.
pub async fn add_key(
    store: &dyn Store,
    clock: &dyn Clock,
    digester: &Digester,
    actor: &Actor,
    wanted: KeyRequest,
) -> Result<NewKey> {
    let (new, key) = callers::make_key(clock, wanted, actor.id())?;
    refuse_secret_in(&key.name).await?;
    atomically!(store, [key], |tx| {
        if !tx.insert_key(key).await? {
            return Err(Problem::ShownOnce.into());
        }
        Ok(audit::append(tx, key.created_at, about(digester, actor, "key.added", key).saying(rights(key))).await?)
    })
    .await?;
    Ok(new)
}

/// Makes the key that replaces another one; that one works until the overlap ends. Of two concurrent replacements, one is
/// refused.
pub async fn rotate_key(
    store: &dyn Store,
    clock: &dyn Clock,
    digester: &Digester,
    actor: &Actor,
    id: &str,
    new_id: Option<String>,
    overlap: Overlap,
) -> Result<NewKey> {
    atomically!(store, [new_id = new_id.clone()], |tx| {
        if let Some(new_id) = &new_id
            && tx.known_key(new_id).await?.is_some()
        {
            return Err(Problem::ShownOnce.into());
        }
        let old = known(tx, id).await?;
        let (new, key, left) = callers::make_successor(clock, &old, new_id, overlap, actor.id())?;
        tx.set_key_life(id, &left).await?;
        tx.insert_key(&key).await?;
        let rotated = about(digester, actor, "key.rotated", &old).saying(format!("overlap={}", overlap.as_str()));
        audit::append(tx, key.created_at, rotated).await?;
        audit::append(tx, key.created_at, about(digester, actor, "key.added", &key).saying(rights(&key))).await?;
        Ok(new)
    })
    .await
}

/// The keys that a revocation covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevocationReach {
    /// This key; those that it replaced work until their overlap ends.
    Key,
    /// Also those that it replaced.
    WithReplaced,
}

/// Revokes a key: from now on no process answers a request with it. Work that it requested before continues. Repeating it is not
/// an error. Returns the keys that it replaced and that still work.
pub async fn revoke_key(
    store: &dyn Store,
    clock: &dyn Clock,
    actor: &Actor,
    id: &str,
    reach: RevocationReach,
) -> Result<Vec<Key>> {
    let now = clock.now();
    atomically!(store, |tx| {
        let mut going = vec![known(tx, id).await?];
        let before = replaced(tx, &going[0], now).await?;
        let left = match reach {
            RevocationReach::Key => before,
            RevocationReach::WithReplaced => {
                going.extend(before);
                Vec::new()
            }
        };
        for key in going.into_iter().filter(|key| key.life.revoked_at.is_none()) {
            let life = KeyLife { revoked_at: Some(now), ..key.life };
            tx.set_key_life(&key.id, &life).await?;
            audit::append(tx, now, Entry::of(actor, "key.revoked").on(&key.id)).await?;
        }
        Ok(left)
    })
    .await
}

/// Returns the keys that this one replaced, directly or through others, and that still work.
async fn replaced(tx: &mut dyn WriteTx, key: &Key, now: Moment) -> Result<Vec<Key>> {
    let (mut working, mut before) = (Vec::new(), key.replaces.clone());
    while let Some(id) = before.take() {
        let Some(old) = tx.known_key(&id).await? else { break };
        before.clone_from(&old.replaces);
        if old.life.state(now).works() {
            working.push(old);
        }
    }
    Ok(working)
}

/// Every key, newest first.
pub async fn all_keys(store: &dyn Store, clock: &dyn Clock) -> Result<Vec<Key>> {
    let filter = KeyFilter { limit: u32::MAX, ..KeyFilter::default() };
    Ok(store.keys(&filter, clock.now()).await?)
}

async fn known(tx: &mut dyn WriteTx, id: &str) -> Result<Key> {
    Ok(tx.known_key(id).await?.ok_or_else(|| Problem::not_found("key"))?)
}

/// An entry about a key. If the key is bound to one user, the entry is on record with that user.
fn about(digester: &Digester, actor: &Actor, action: &'static str, key: &Key) -> Entry {
    let entry = Entry::of(actor, action).on(&key.id);
    match &key.user {
        Some(user) => entry.about(digester.user(user)),
        None => entry,
    }
}

/// The scopes of a key, and whether it is bound to one user.
fn rights(key: &Key) -> String {
    let user = if key.user.is_some() { "bound" } else { "unbound" };
    format!("scopes={} user={user}", key.scopes.replace(' ', ","))
}

impl People {
    pub async fn keys(&self, _viewer: &Viewer, filter: &KeyFilter) -> Result<Vec<Key>> {
        Ok(self.store.keys(filter, self.clock.now()).await?)
    }

    /// Number of keys in each list, in the order of [`KeysShown::ALL`](domain::access::key::KeysShown::ALL).
    pub async fn count_keys(&self, _viewer: &Viewer) -> Result<[i64; 5]> {
        Ok(self.store.count_keys(self.clock.now()).await?)
    }

    pub async fn key(&self, _viewer: &Viewer, id: &str) -> Result<Key> {
        Ok(self.store.key(id).await?.ok_or_else(|| Problem::not_found("key"))?)
    }

    pub async fn make_key(&self, manager: &Manager, wanted: KeyRequest) -> Result<NewKey> {
        add_key(self.store.as_ref(), self.clock.as_ref(), &self.digester, &manager.into(), wanted).await
    }

    pub async fn replace_key(&self, manager: &Manager, id: &str, new_id: &str, overlap: Overlap) -> Result<NewKey> {
        let new_id = Some(new_id.to_owned());
        rotate_key(self.store.as_ref(), self.clock.as_ref(), &self.digester, &manager.into(), id, new_id, overlap).await
    }

    pub async fn revoke(&self, manager: &Manager, id: &str, reach: RevocationReach) -> Result<Vec<Key>> {
        revoke_key(self.store.as_ref(), self.clock.as_ref(), &manager.into(), id, reach).await
    }

    /// The keys that this one replaced and that still work.
    pub async fn replaced_by_key(&self, _viewer: &Viewer, key: &Key) -> Result<Vec<Key>> {
        let now = self.clock.now();
        let (mut working, mut before) = (Vec::new(), key.replaces.clone());
        while let Some(id) = before.take() {
            let Some(old) = self.store.key(&id).await? else { break };
            before.clone_from(&old.replaces);
            if old.life.state(now).works() {
                working.push(old);
            }
        }
        Ok(working)
    }

    /// Returns the user that a key is bound to. The look-up is on record with the user.
    pub async fn user_of_key(&self, manager: &Manager, id: &str) -> Result<UserId> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            let user = known(tx, id).await?.user.ok_or_else(|| Problem::not_found("user of this key"))?;
            let shown = Entry::of(manager, "key.user_shown").on(id).about(self.digester.user(&user));
            audit::append(tx, now, shown).await?;
            Ok(user)
        })
        .await
    }
}
