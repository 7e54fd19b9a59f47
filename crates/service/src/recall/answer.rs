//! Answers a question, and counts later what was recalled.

use super::{Item, Query, QuestionRules, Recall, RecallResult, check};
use crate::Result;
use crate::recall::counts::RecallRecord;
use access::callers::{Caller, Scope};

impl Recall {
    /// Recalls the K best memories and the K best facts. Counting happens later.
    pub async fn recall(&self, caller: &Caller, query: Query) -> Result<RecallResult> {
        caller.needs(Scope::Read)?;
        let now = self.clock.now();
        check(&query, now)?;
        let (settings, scoped) = (self.settings.get(), query.scoped());
        let rules = QuestionRules::new(&query, &scoped, &settings, now);
        let vector = self.embedder.embed_one(rules.text).await?;
        let (answer, by_meaning, blocks) = if query.explain {
            (self.explain_to_caller(&query, &vector, &rules).await?, Vec::new(), Vec::new())
        } else {
            let (answer, weighed) = self.answer(&query, &vector, &rules).await?;
            (answer, weighed.by_meaning, weighed.blocks)
        };
        if let Some(user) = &query.user {
            self.echoes.note_told(user, answer.ids());
        }
        if query.as_of.is_none() && !query.explain {
            if let Some(user) = &query.user {
                self.blocks.note_blocks_read_later(user, &blocks);
            }
            let ids = |items: &[Item]| items.iter().map(|item| item.id.clone()).collect();
            let recalled = RecallRecord {
                memories: ids(&answer.personal),
                facts: ids(&answer.global),
                user: query.user,
                by_meaning,
                surface: query.surface,
                at: now,
            };
            self.counts.count_later(recalled);
        }
        Ok(answer)
    }
}
