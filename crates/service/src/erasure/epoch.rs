//! Prevents work that began before an erasure from writing after it.

use std::sync::Arc;

use crate::Result;
use access::digest::Digester;
use domain::erasure::people::UserId;
use domain::problem::Problem;
use ports::store::{Store, WriteTx};

/// Seconds after which a retry makes sense for a write refused by a running erasure.
const RETRY_S: u32 = 5;

/// The user's epoch when a write began.
pub(crate) struct Fence {
    digest: String,
    epoch: i64,
}

/// Erasure epochs of users. Clones share the database.
#[derive(Clone)]
pub struct Epochs {
    pub store: Arc<dyn Store>,
    pub digester: Digester,
}

impl Epochs {
    /// Reads the user's epoch before slow work begins; refuses while the user is being erased.
    pub(crate) async fn fence(&self, user: &UserId) -> Result<Fence> {
        let digest = self.digester.user(user);
        let (epoch, running) = self.store.fence(&digest).await?;
        if running { Err(Problem::ErasureRunning { retry_after_s: RETRY_S }.into()) } else { Ok(Fence { digest, epoch }) }
    }
}

impl Fence {
    /// Refuses if an erasure of the user has begun since the epoch was read.
    pub(crate) async fn holds(&self, tx: &mut dyn WriteTx) -> Result<()> {
        if open(tx, &self.digest).await? > self.epoch {
            return Err(Problem::ErasureRunning { retry_after_s: RETRY_S }.into());
        }
        Ok(())
    }
}

/// Returns the user's epoch; refuses while the user is being erased.
pub(crate) async fn open(tx: &mut dyn WriteTx, user_digest: &str) -> Result<i64> {
    let (epoch, running) = tx.known_fence(user_digest).await?;
    if running { Err(Problem::ErasureRunning { retry_after_s: RETRY_S }.into()) } else { Ok(epoch) }
}
