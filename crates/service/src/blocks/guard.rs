//! Checks that every write of blocks passes before anything is stored. Refused writes are counted by user, day and rule, so that an
//! operator notices problems; no text is kept.

use crate::blocks::Blocks;
use crate::error::chain;
use crate::reading::Budget;
use crate::transactions::atomically;
use crate::{Error, Result};
use domain::blocks::care::{REFUSED_DAYS, refusing_rules};
use domain::blocks::{BlockFields, LEFT_OUT, SHRINKS, Window, left_out, shrinks};
use domain::erasure::people::UserId;
use domain::problem::{Problem, RuleLine};

/// Refuses a text that seems to have lost a part of the text that it replaces.
pub(super) fn refuse_loss(old: &str, new: &str) -> std::result::Result<(), Problem> {
    if shrinks(old, new) {
        return Err(Problem::refused(vec![SHRINKS.to_owned()]));
    }
    let lines: Vec<RuleLine> = left_out(old, new).into_iter().map(|line| RuleLine { rule: LEFT_OUT.to_owned(), line }).collect();
    if lines.is_empty() { Ok(()) } else { Err(Problem::Refused { rules: vec![LEFT_OUT.to_owned()], lines }) }
}

impl Blocks {
    /// Refuses a text with a secret near the part that differs from `old`, or a planted instruction in that part.
    pub(super) async fn refuse_unsafe_text(&self, old: &str, new: &str) -> Result<()> {
        let Some(Window { range, lines_before, changed }) = Window::of(old, new) else { return Ok(()) };
        let part = new[range].to_owned();
        if part.is_empty() {
            return Ok(());
        }
        Ok(self.reader.read(Budget::Requests, move |reader| reader.refuse_document(&part, lines_before, &changed)).await??)
    }

    /// Applies the same checks to the path and the fields of a block.
    pub(super) async fn refuse_unsafe_fields(&self, path: &str, fields: &BlockFields) -> Result<()> {
        let texts: Vec<String> = fields.texts().chain([path]).map(str::to_owned).collect();
        self.refuse_unsafe_labels(texts).await
    }

    /// Applies the same checks to short texts. The error does not say which one failed.
    pub(super) async fn refuse_unsafe_labels(&self, texts: Vec<String>) -> Result<()> {
        let judged = self.reader.read(Budget::Requests, move |reader| {
            texts.iter().try_for_each(|text| reader.refuse_document(text, 0, &(0..text.len())))
        });
        match judged.await? {
            Err(Problem::Refused { rules, .. }) => Err(Problem::refused(rules).into()),
            judged => Ok(judged?),
        }
    }

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
        atomically!(self.store.as_ref(), [fence], |tx| {
            fence.holds(tx).await?;
            Ok(tx.count_block_refusals(user, day, rules).await?)
        })
        .await
    }

    /// Deletes counts that are too old.
    pub async fn purge_block_refusals(&self) -> Result<()> {
        let before = self.clock.now().day() - (REFUSED_DAYS - 1);
        atomically!(self.store.as_ref(), |tx| { Ok(tx.purge_block_refusals(before).await.map(drop)?) }).await
    }
}
