//! Links chats to users: a code is made for a user, and the chat that sends it is linked to that user.
//!
//! The host knows its user, the chat does not; both have seen the code. It is valid once and for ten minutes, and only its hash
//! is stored.

use std::sync::Arc;

use crate::Result;
use crate::audit::{self, Actor, Entry};
use crate::erasure::epoch;
use crate::erasure::epoch::Epochs;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use access::digest::Digester;
use access::digest::sha256_hex;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::{DAY_MS, MINUTE_MS, Moment};
use ports::clock::Clock;
use ports::store::Store;

/// Surface of the linked chats.
pub const SURFACE: &str = "telegram";
/// Name of the bot of these chats in records.
pub const BOT_NAME: &str = "Telegram bot";
/// Validity of a code, in milliseconds.
pub const CODE_MS: i64 = 10 * MINUTE_MS;
/// Letters of a code: 50 bits, far too many to guess in ten minutes.
const CODE_LETTERS: usize = 10;
/// Update ids start anywhere after a week without an update. Six days leave a day to spare.
const IDS_GROW_FOR_MS: i64 = 6 * DAY_MS;

/// A code that links a chat. It is shown only this once.
pub struct LinkCode {
    pub code: String,
    pub expires_at: Moment,
}

/// Linked chats.
pub struct ChatLinks {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub epochs: Epochs,
}

impl ChatLinks {
    /// Makes a code for a user and invalidates an earlier one. The chat that sends it can read, add and erase memories on its
    /// surface, so the caller needs all of these scopes.
    pub async fn make_link_code(&self, caller: &Caller, user: &UserId) -> Result<LinkCode> {
        for scope in [Scope::Write, Scope::Read, Scope::Erase] {
            caller.needs(scope)?;
        }
        caller.speaks_on(Some(SURFACE.to_owned()))?;
        let (now, fence) = (self.clock.now(), self.epochs.fence(user).await?);
        let code: String = self.clock.id("").trim_start_matches('_').chars().take(CODE_LETTERS).collect();
        let expires_at = now.plus_ms(CODE_MS);
        let hash = sha256_hex(code.as_bytes());
        atomically!(self.store.as_ref(), [hash, fence], |tx| {
            fence.holds(tx).await?;
            tx.purge_link_codes(now).await?;
            Ok(tx.put_link_code(user, hash, now, expires_at).await?)
        })
        .await?;
        Ok(LinkCode { code, expires_at })
    }

    /// Links a chat to the user of a code, and unlinks it from any other. `false`: the code is wrong, used or expired.
    pub async fn link_chat(&self, surface: &Surface, chat: &str, code: &str) -> Result<bool> {
        let (now, hash) = (self.clock.now(), sha256_hex(code.trim().to_ascii_lowercase().as_bytes()));
        atomically!(self.store.as_ref(), [hash], |tx| {
            let Some((user, until)) = tx.take_link_code(hash).await? else { return Ok(false) };
            if until < now {
                return Ok(false);
            }
            let digest = self.digester.user(&user);
            epoch::open(tx, &digest).await?;
            if let Some(former) = tx.unlink_chat(surface, chat).await?.filter(|former| *former != user) {
                audit::append(tx, now, linked("user.chat_unlinked", &Actor::System, self.digester.user(&former))).await?;
            }
            tx.link_chat(&user, surface, chat, now).await?;
            audit::append(tx, now, linked("user.chat_linked", &Actor::System, digest)).await?;
            Ok(true)
        })
        .await
    }

    /// Returns the user of a chat; `None`: it is not linked and has no memory.
    pub async fn user_of_chat(&self, surface: &Surface, chat: &str) -> Result<Option<UserId>> {
        Ok(self.store.user_of_chat(surface, chat).await?)
    }

    /// Unlinks one chat. `false`: it was not linked.
    pub async fn unlink_chat(&self, surface: &Surface, chat: &str) -> Result<bool> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            let Some(user) = tx.unlink_chat(surface, chat).await? else { return Ok(false) };
            audit::append(tx, now, linked("user.chat_unlinked", &Actor::System, self.digester.user(&user))).await?;
            Ok(true)
        })
        .await
    }

    /// Unlinks all chats of a user, and invalidates an open code. Returns how many chats were linked.
    pub async fn unlink_chats(&self, caller: &Caller, user: &UserId) -> Result<u64> {
        caller.needs(Scope::Write)?;
        let (now, actor) = (self.clock.now(), Actor::from(caller));
        atomically!(self.store.as_ref(), [actor], |tx| {
            let gone = tx.unlink_chats(user).await?;
            if gone > 0 {
                audit::append(tx, now, linked("user.chat_unlinked", actor, self.digester.user(user))).await?;
            }
            Ok(gone)
        })
        .await
    }

    /// Returns the id of the first update that a bot has not handled; `None`: any update is new.
    pub async fn next_update(&self, bot: &str) -> Result<Option<i64>> {
        let Some(read) = self.store.next_update(bot).await? else { return Ok(None) };
        if self.clock.now().0 - read.took_at.0 < IDS_GROW_FOR_MS {
            return Ok(Some(read.next));
        }
        atomically!(self.store.as_ref(), |tx| { Ok(tx.forget_updates(bot).await?) }).await?;
        Ok(None)
    }

    /// Notes that an update was handled.
    pub async fn note_update(&self, bot: &str, id: i64) -> Result<()> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| { Ok(tx.note_update(bot, id + 1, now).await?) }).await
    }
}

fn linked(action: &'static str, actor: &Actor, user_digest: String) -> Entry {
    Entry::of(actor, action).about(user_digest)
}
