//! Stores that hold a user's blocks.

use std::collections::BTreeMap;

use super::{BlockStore, Hand, StoreRef, no_store};
use crate::Result;
use crate::blocks::Blocks;
use crate::transactions::atomically;
use crate::transactions::in_custody;
use access::callers::{Caller, Scope};
use domain::blocks::DEFAULT_STORE;
use domain::blocks::limits::{DESCRIPTION_CHARS, METADATA_KEY_CHARS, METADATA_PAIRS, METADATA_VALUE_CHARS, NAME_CHARS, STORES};
use domain::erasure::fingerprint::Needles;
use domain::erasure::people::UserId;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use ports::clock::Clock;
use ports::store::WriteTx;

/// A store to add.
#[derive(Debug, Clone, Default)]
pub struct NewStore {
    pub name: String,
    pub description: String,
    pub metadata: BTreeMap<String, String>,
}

/// Change of a store; absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct StoreChanges {
    pub name: Option<String>,
    pub description: Option<String>,
    /// Pairs to set; `None` removes a pair.
    pub metadata: BTreeMap<String, Option<String>>,
}

fn check(name: &str, description: &str, metadata: &BTreeMap<String, String>) -> std::result::Result<(), Problem> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        return Err(Problem::invalid(Field::Name, "must have at least one character, and no control characters"));
    }
    NAME_CHARS.check(name.chars().count() as u64)?;
    DESCRIPTION_CHARS.check(description.chars().count() as u64)?;
    METADATA_PAIRS.check(metadata.len() as u64)?;
    for (key, value) in metadata {
        if key.is_empty() {
            return Err(Problem::invalid(Field::Metadata, "must have keys of at least one character"));
        }
        METADATA_KEY_CHARS.check(key.chars().count() as u64)?;
        METADATA_VALUE_CHARS.check(value.chars().count() as u64)?;
    }
    Ok(())
}

fn texts<'a>(name: &'a str, description: &'a str, metadata: &'a BTreeMap<String, String>) -> Vec<String> {
    let pairs = metadata.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
    [name, description].into_iter().chain(pairs).map(str::to_owned).collect()
}

/// Returns the store for a write. The default store, or a named one, is created by the first write.
pub(super) async fn for_writing(
    tx: &mut dyn WriteTx,
    clock: &dyn Clock,
    user: &UserId,
    store: &StoreRef,
    now: Moment,
) -> Result<BlockStore> {
    if let Some(known) = tx.known_block_store(user, store).await? {
        return if known.archived_at.is_some() { Err(Problem::Archived.into()) } else { Ok(known) };
    }
    let name = match store {
        StoreRef::Default => DEFAULT_STORE,
        StoreRef::Named(name) => name,
        StoreRef::Id(_) => return Err(no_store()),
    };
    let new = NewStore { name: name.to_owned(), ..NewStore::default() };
    check(&new.name, &new.description, &new.metadata)?;
    insert(tx, clock, user, new, now).await
}

async fn insert(tx: &mut dyn WriteTx, clock: &dyn Clock, user: &UserId, new: NewStore, now: Moment) -> Result<BlockStore> {
    STORES.check(tx.count_block_stores(user).await? + 1)?;
    let is_default = new.name == DEFAULT_STORE && tx.known_block_store(user, &StoreRef::Default).await?.is_none();
    let store = BlockStore {
        id: clock.id("memstore"),
        name: new.name,
        description: new.description,
        metadata: new.metadata,
        is_default,
        created_at: now,
        updated_at: now,
        archived_at: None,
    };
    tx.insert_block_store(user, &store).await?;
    Ok(store)
}

impl Blocks {
    /// Returns a user's stores, newest first, after the one with this id.
    pub async fn block_stores(
        &self,
        caller: &Caller,
        user: &UserId,
        archived: bool,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<BlockStore>> {
        caller.needs(Scope::Read)?;
        Ok(self.store.block_stores(user, archived, after, limit).await?)
    }

    pub async fn block_store(&self, caller: &Caller, user: &UserId, store: &StoreRef) -> Result<BlockStore> {
        caller.needs(Scope::Read)?;
        self.store.block_store(user, store).await?.ok_or_else(no_store)
    }

    pub async fn add_block_store(&self, hand: &Hand<'_>, new: NewStore) -> Result<BlockStore> {
        hand.caller.needs(Scope::Write)?;
        check(&new.name, &new.description, &new.metadata)?;
        self.refuse_unsafe_labels(texts(&new.name, &new.description, &new.metadata)).await?;
        let (fence, now, user) = (self.epochs.fence(hand.user).await?, self.clock.now(), hand.user);
        atomically!(self.store.as_ref(), [fence, new = new.clone()], |tx| {
            fence.holds(tx).await?;
            insert(tx, self.clock.as_ref(), user, new, now).await
        })
        .await
    }

    pub async fn change_block_store(&self, hand: &Hand<'_>, store: &StoreRef, changes: &StoreChanges) -> Result<BlockStore> {
        hand.caller.needs(Scope::Write)?;
        let set: BTreeMap<String, String> =
            changes.metadata.iter().filter_map(|(key, value)| Some((key.clone(), value.clone()?))).collect();
        let (name, description) = (changes.name.as_deref().unwrap_or("x"), changes.description.as_deref().unwrap_or_default());
        check(name, description, &set)?;
        self.refuse_unsafe_labels(texts(name, description, &set)).await?;
        let (fence, now, user) = (self.epochs.fence(hand.user).await?, self.clock.now(), hand.user);
        atomically!(self.store.as_ref(), [fence], |tx| {
            fence.holds(tx).await?;
            let mut known = tx.known_block_store(user, store).await?.ok_or_else(no_store)?;
            if known.archived_at.is_some() {
                return Err(Problem::Archived.into());
            }
            known.name = changes.name.clone().unwrap_or(known.name);
            known.description = changes.description.clone().unwrap_or(known.description);
            for (key, value) in &changes.metadata {
                match value {
                    Some(value) => known.metadata.insert(key.clone(), value.clone()),
                    None => known.metadata.remove(key),
                };
            }
            METADATA_PAIRS.check(known.metadata.len() as u64)?;
            known.updated_at = now;
            tx.change_block_store(user, &known).await?;
            Ok(known)
        })
        .await
    }

    /// Archives a store for good: its blocks can only be read and deleted. An archived store stays as it is.
    pub async fn archive_block_store(&self, hand: &Hand<'_>, store: &StoreRef) -> Result<BlockStore> {
        hand.caller.needs(Scope::Write)?;
        let (fence, now, user) = (self.epochs.fence(hand.user).await?, self.clock.now(), hand.user);
        atomically!(self.store.as_ref(), [fence], |tx| {
            fence.holds(tx).await?;
            let mut known = tx.known_block_store(user, store).await?.ok_or_else(no_store)?;
            if known.archived_at.is_none() {
                known.archived_at = Some(now);
                known.updated_at = now;
                tx.change_block_store(user, &known).await?;
            }
            Ok(known)
        })
        .await
    }

    /// Deletes a store with its blocks, their versions and its bin, for good. Returns its id.
    pub async fn delete_block_store(&self, hand: &Hand<'_>, store: &StoreRef) -> Result<String> {
        hand.caller.needs(Scope::Write)?;
        let (base, user) = (self.digester.fingerprint_base(), hand.user);
        in_custody!(self.custody.as_ref(), |tx| {
            let known = tx.known_block_store(user, store).await?.ok_or_else(no_store)?;
            let mut needles = Needles::default();
            tx.delete_block_store(user, &known.id, &mut |value| needles.take(base, value)).await?;
            tx.note_remains(&needles.to_bytes()).await?;
            Ok(known.id)
        })
        .await
    }
}
