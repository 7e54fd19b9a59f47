//! The part of a prompt with what a user told an assistant to keep: profile, notes and preferences, and the pinned memory blocks,
//! as in a recall.

use crate::Result;
use crate::chat::Chat;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use domain::chat::notes::NOTES_IN_PROMPT;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::recall::prompt::{blocks_alone, room_for_blocks};
use domain::recall::user_prompt::{self, PromptContent};

/// Parts of the text.
#[allow(clippy::struct_excessive_bools, reason = "each is a part that is there or not")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptParts {
    pub profile: bool,
    pub notes: bool,
    pub preferences: bool,
    /// Pinned memory blocks.
    pub blocks: bool,
}

impl Chat {
    /// Returns the text; empty if there is nothing. Preferences of other platforms are left out. Notes and blocks are marked as
    /// used or read once a day.
    pub async fn prompt_of_told(&self, caller: &Caller, user: &UserId, platform: &Surface, parts: PromptParts) -> Result<String> {
        caller.needs(Scope::Read)?;
        let profile = if parts.profile { self.store.profile(user).await? } else { Vec::new() };
        let mut notes = if parts.notes { self.store.notes(user).await? } else { Vec::new() };
        notes.drain(..notes.len().saturating_sub(NOTES_IN_PROMPT));
        let mut preferences = if parts.preferences { self.store.preferences(user).await? } else { Vec::new() };
        preferences.retain(|preference| preference.holds_on(platform));
        let now = self.clock.now();
        let first_today = notes.iter().filter(|note| note.last_used_at.is_none_or(|at| at.day() < now.day()));
        let shown: Vec<String> = first_today.map(|note| note.id.clone()).collect();
        if !shown.is_empty() {
            atomically!(self.store.as_ref(), [shown], |tx| { Ok(tx.use_notes(user, shown, now).await?) }).await?;
        }
        let values: Vec<String> = profile.iter().map(|field| field.value.shown()).collect();
        let told = user_prompt::block(&PromptContent {
            profile: profile.iter().zip(&values).map(|(field, value)| (field.name.as_str(), value.as_str())).collect(),
            notes: notes.iter().map(|note| note.content.as_str()).collect(),
            preferences: preferences.iter().map(|own| (own.id.as_str(), own.content.as_str())).collect(),
        });
        if !parts.blocks {
            return Ok(told);
        }
        let blocks = self.blocks.recalled_blocks(user, "", None, room_for_blocks(None)).await?;
        self.blocks.note_blocks_read_later(user, &blocks.read);
        let parts = [told.as_str(), blocks_alone(&blocks.section)];
        Ok(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"))
    }
}
