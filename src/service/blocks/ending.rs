//! Empties bins: blocks that have been in one for the days in the settings are deleted for good, and the traces that they left in
//! files are cleared with those of other deleted rows.

use crate::domain::erasure::fingerprint::Needles;
use crate::domain::erasure::people::UserId;
use crate::domain::moment::{DAY_MS, Moment};
use crate::ports::store::in_custody;
use crate::service::{Error, Keepsake, Result};

/// Blocks deleted in one transaction: other writers get their turn in between.
const AT_ONCE: u32 = 50;

impl Keepsake {
    /// Deletes blocks that have been in a bin for too long. Returns how many.
    pub async fn empty_bins(&self) -> Result<u64> {
        self.empty(None).await
    }

    /// Like [`Keepsake::empty_bins`] for one user, before an export.
    pub(in crate::service) async fn empty_bins_of(&self, user: &UserId) -> Result<u64> {
        self.empty(Some(user)).await
    }

    /// Returns the moment before which a block in the bin has expired.
    pub(super) fn bin_over(&self) -> Moment {
        self.clock.now().plus_ms(-i64::from(self.settings.current().blocks_bin_days) * DAY_MS)
    }

    async fn empty(&self, of: Option<&UserId>) -> Result<u64> {
        let (over, base) = (self.bin_over(), self.digester.fingerprint_base());
        let mut emptied = 0;
        loop {
            let gone = in_custody::<_, Error, _>(self.custody.as_ref(), |tx| {
                Box::pin(async move {
                    let mut needles = Needles::default();
                    let gone = tx.delete_binned(over, of, AT_ONCE, &mut |value| needles.take(base, value)).await?;
                    if gone > 0 {
                        tx.note_remains(&needles.to_bytes()).await?;
                    }
                    Ok(gone)
                })
            })
            .await?;
            emptied += gone;
            if gone < u64::from(AT_ONCE) {
                return Ok(emptied);
            }
        }
    }
}
