//! Carries access over a restore: the operators, keys and linked chats that had access to the replaced database have access to
//! the restored one, and no others do. Webhooks go to the same addresses as before.
//!
//! A backup is older than the database that it replaces. Unchanged, it would grant access that was revoked since.

use crate::Result;
use crate::people::keys::all_keys;
use crate::transactions::atomically;
use domain::access::key::KeyLife;
use domain::moment::Moment;
use ports::clock::Clock;
use ports::store::chat::links::LinkedChat;
use ports::store::operate::webhooks::Webhook;
use ports::store::people::keys::Key;
use ports::store::people::operators::Operator;
use ports::store::{Store, WriteTx};

/// Operators, keys and chats with access to a database, and its webhooks.
#[derive(Debug, Default)]
pub struct Admitted {
    pub operators: Vec<Operator>,
    pub keys: Vec<Key>,
    pub chats: Vec<LinkedChat>,
    pub webhooks: Vec<Webhook>,
}

impl Admitted {
    pub async fn of(store: &dyn Store, clock: &dyn Clock) -> Result<Self> {
        Ok(Self {
            operators: store.operators().await?,
            keys: all_keys(store, clock).await?,
            chats: store.linked_chats().await?,
            webhooks: store.webhooks().await?,
        })
    }
}

/// Access that could not be compared with the database that was replaced.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Emails of operators with the passwords and rights of the backup.
    pub operators: Vec<String>,
    /// Number of keys that work as in the backup.
    pub keys: usize,
    /// Number of chats that were linked in the backup. They are unlinked, because some may have been unlinked since.
    pub chats: usize,
    /// Number of webhooks that are active as in the backup.
    pub webhooks: usize,
}

/// Gives a restored database the access and the webhooks of the replaced one, in one transaction. Ends all sessions and deletes
/// all codes that link a chat. Without the replaced database (`before` is `None`), operators, keys and webhooks are those of the
/// backup, and no chat is linked. Returns what could not be compared.
pub async fn carry_over(store: &dyn Store, clock: &dyn Clock, before: Option<&Admitted>) -> Result<Unknown> {
    let (now, restored) = (clock.now(), Admitted::of(store, clock).await?);
    atomically!(store, [restored], |tx| {
        for operator in &restored.operators {
            tx.end_sessions(&operator.id, None).await?;
        }
        tx.purge_link_codes(Moment(i64::MAX)).await?;
        let Some(before) = before else { return unlink(tx, restored.chats.iter()).await };
        operators(tx, now, &restored.operators, &before.operators).await?;
        keys(tx, now, &restored.keys, &before.keys).await?;
        chats(tx, &restored.chats, &before.chats).await?;
        webhooks(tx, now, &restored.webhooks, &before.webhooks).await
    })
    .await?;
    let operators = restored.operators.into_iter().filter(|operator| {
        !operator.disabled && before.is_none_or(|before| before.operators.iter().all(|known| known.id != operator.id))
    });
    let mut unknown = Unknown { operators: operators.map(|operator| operator.email).collect(), ..Unknown::default() };
    if before.is_none() {
        unknown.keys = restored.keys.iter().filter(|key| key.life.state(now).works()).count();
        unknown.chats = restored.chats.len();
        unknown.webhooks = restored.webhooks.iter().filter(|webhook| webhook.disabled_at.is_none()).count();
    }
    Ok(unknown)
}

async fn operators(tx: &mut dyn WriteTx, now: Moment, restored: &[Operator], before: &[Operator]) -> Result<()> {
    for operator in restored {
        let Some(newer) = before.iter().find(|newer| newer.id == operator.id) else { continue };
        tx.set_password(&operator.id, &newer.password_hash).await?;
        tx.set_rights(&operator.id, newer.rights).await?;
        if newer.disabled && !operator.disabled {
            tx.disable_operator(&operator.id, now).await?;
        }
    }
    for added in before.iter().filter(|added| restored.iter().all(|one| one.id != added.id)) {
        if tx.insert_operator(added, now).await? && added.disabled {
            tx.disable_operator(&added.id, now).await?;
        }
    }
    Ok(())
}

async fn keys(tx: &mut dyn WriteTx, now: Moment, restored: &[Key], before: &[Key]) -> Result<()> {
    let newer = |id: &str| before.iter().find(|newer| newer.id == id);
    for key in restored {
        let life = match newer(&key.id) {
            Some(newer) => newer.life.clone(),
            // It was deleted with its user, or made in a database that no longer exists.
            None => KeyLife { revoked_at: Some(now), ..key.life.clone() },
        };
        tx.set_key_life(&key.id, &life).await?;
        // Since the backup, the key that it replaced may have been replaced by another one. Only one may be its successor.
        tx.set_replaced_key(&key.id, None).await?;
    }
    for key in restored {
        if let Some(replaced) = newer(&key.id).and_then(|newer| newer.replaces.as_deref()) {
            tx.set_replaced_key(&key.id, Some(replaced)).await?;
        }
    }
    for added in before.iter().filter(|added| restored.iter().all(|key| key.id != added.id)) {
        tx.insert_key(added).await?;
    }
    Ok(())
}

async fn chats(tx: &mut dyn WriteTx, restored: &[LinkedChat], before: &[LinkedChat]) -> Result<()> {
    unlink(tx, restored.iter().filter(|chat| !before.contains(chat))).await?;
    for chat in before.iter().filter(|chat| !restored.contains(chat)) {
        tx.link_chat(&chat.user, &chat.surface, &chat.chat, chat.linked_at).await?;
    }
    Ok(())
}

async fn unlink<'a>(tx: &mut dyn WriteTx, chats: impl Iterator<Item = &'a LinkedChat> + Send) -> Result<()> {
    for chat in chats {
        tx.unlink_chat(&chat.surface, &chat.chat).await?;
    }
    Ok(())
}

async fn webhooks(tx: &mut dyn WriteTx, now: Moment, restored: &[Webhook], before: &[Webhook]) -> Result<()> {
    for webhook in restored {
        match before.iter().find(|newer| newer.id == webhook.id) {
            None => drop(tx.delete_webhook(&webhook.id).await?),
            Some(newer) if newer.disabled_at == webhook.disabled_at => {}
            Some(newer) => {
                tx.enable_webhook(&webhook.id, now).await?;
                disable(tx, newer).await?;
            }
        }
    }
    for added in before.iter().filter(|added| restored.iter().all(|webhook| webhook.id != added.id)) {
        tx.insert_webhook(added).await?;
        disable(tx, added).await?;
    }
    Ok(())
}

/// Disables a webhook that was disabled in the replaced database.
async fn disable(tx: &mut dyn WriteTx, webhook: &Webhook) -> Result<()> {
    if let (Some(at), Some(why)) = (webhook.disabled_at, &webhook.disabled_why) {
        tx.disable_webhook(&webhook.id, at, why).await?;
    }
    Ok(())
}
