//! Checks that every write of blocks passes before anything is stored.

use crate::domain::blocks::{BlockFields, LEFT_OUT, SHRINKS, Window, left_out, shrinks};
use crate::domain::problem::{Problem, RuleLine};
use crate::service::reading::Budget;
use crate::service::{Keepsake, Result};

/// Refuses a text that seems to have lost a part of the text that it replaces.
pub(super) fn refuse_loss(old: &str, new: &str) -> std::result::Result<(), Problem> {
    if shrinks(old, new) {
        return Err(Problem::refused(vec![SHRINKS.to_owned()]));
    }
    let lines: Vec<RuleLine> = left_out(old, new).into_iter().map(|line| RuleLine { rule: LEFT_OUT.to_owned(), line }).collect();
    if lines.is_empty() { Ok(()) } else { Err(Problem::Refused { rules: vec![LEFT_OUT.to_owned()], lines }) }
}

impl Keepsake {
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
}
