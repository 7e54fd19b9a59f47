//! Counts refused writes by user, day and rule, so that an operator notices problems. No text is kept.

use crate::domain::blocks::care::{REFUSED_DAYS, refusing_rules};
use crate::domain::erasure::people::UserId;
use crate::ports::store::atomically;
use crate::service::error::chain;
use crate::service::{Error, Keepsake, Result};

impl Keepsake {
    /// Counts the rules that refused a write, and returns its outcome unchanged. A failed count does not change the answer.
    pub(super) async fn counting_refusals<T>(&self, user: &UserId, outcome: Result<T>) -> Result<T> {
        let Err(Error::Refused(problem)) = &outcome else { return outcome };
        let rules = refusing_rules(problem);
        if !rules.is_empty()
            && let Err(error) = self.count_refusals(user, &rules).await
        {
            tracing::debug!(cause = chain(&error), "a refused write was not counted");
        }
        outcome
    }

    async fn count_refusals(&self, user: &UserId, rules: &[String]) -> Result<()> {
        let (fence, day) = (self.epochs.fence(user).await?, self.clock.now().day());
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let fence = &fence;
            Box::pin(async move {
                fence.holds(tx).await?;
                Ok(tx.count_block_refusals(user, day, rules).await?)
            })
        })
        .await
    }

    /// Deletes counts that are too old.
    pub async fn purge_block_refusals(&self) -> Result<()> {
        let before = self.clock.now().day() - (REFUSED_DAYS - 1);
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move { Ok(tx.purge_block_refusals(before).await.map(drop)?) })
        })
        .await
    }
}
