//! Expiry of memories: those with an expiry of their own, and those of a kind that has a retention in days. A memory is not
//! readable after its own expiry; this module deletes it with its history, and clears its remains in files.
//!
//! The deletion stores fingerprints of the deleted values in the same transaction, so that the next process can do the clearing
//! if this one stops in between.

use std::sync::Arc;

use crate::Result;
use crate::memories::Memories;
use crate::transactions::in_custody;
use domain::erasure::fingerprint::{Finder, Needles};
use domain::erasure::people::UserId;
use domain::memory::MemoryKind;
use domain::moment::DAY_MS;
use domain::settings::Settings;
use ports::store::memories::Over;

/// Memories deleted in one transaction: other writers get their turn in between.
const AT_ONCE: u32 = 200;

impl Memories {
    /// Deletes every expired memory. Returns how many.
    pub async fn end_memories(&self) -> Result<u64> {
        self.end(None).await
    }

    /// Like [`Self::end_memories`], for one user, before all data about them is read.
    pub(crate) async fn end_memories_of(&self, user: &UserId) -> Result<u64> {
        self.end(Some(user)).await
    }

    /// Clears the remains of deleted memories in files. Does nothing if there are none, or if a reader is in the way; the rest is
    /// cleared the next time.
    pub async fn clear_ended(&self) -> Result<()> {
        let remains = self.custody.remains().await?;
        let Some((last, _)) = remains.last() else { return Ok(()) };
        let last = *last;
        let mut needles = Needles::default();
        for (_, bytes) in &remains {
            needles.pieces.extend(Needles::from_bytes(bytes).pieces);
        }
        let search = Arc::new(Finder::new(needles, self.digester.fingerprint_base()));
        if !self.custody.clear_remains(&search).await? {
            return Ok(());
        }
        in_custody!(self.custody.as_ref(), |tx| { Ok(tx.forget_remains(last).await?) }).await
    }

    /// The limits by which memories are expired now under these settings.
    pub(crate) fn over(&self, settings: &Settings) -> Over {
        let now = self.clock.now();
        let kept = |kind: MemoryKind| Some((kind, now.plus_ms(-i64::from(settings.kept_days(kind)?) * DAY_MS)));
        Over { now, kept_since: MemoryKind::ALL.into_iter().filter_map(kept).collect() }
    }

    async fn end(&self, of: Option<&UserId>) -> Result<u64> {
        let over = self.over(&self.settings.get());
        let base = self.digester.fingerprint_base();
        let mut ended = 0;
        loop {
            let gone = in_custody!(self.custody.as_ref(), [over], |tx| {
                let mut needles = Needles::default();
                let gone = tx.delete_over(over, of, AT_ONCE, &mut |value| needles.take(base, value)).await?;
                if gone > 0 {
                    tx.note_remains(&needles.to_bytes()).await?;
                }
                Ok(gone)
            })
            .await?;
            ended += gone;
            if gone < u64::from(AT_ONCE) {
                return Ok(ended);
            }
        }
    }
}
