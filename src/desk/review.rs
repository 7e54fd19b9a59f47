//! The review queue behind the console's calls.

use super::{Desk, outward, say};
use crate::calls::review::{Candidate, Opened, Queue};
use crate::calls::{Notice, Refused};
use crate::domain::fact::Decision;
use crate::domain::moment::Moment;
use crate::service::review::Decided;
use crate::service::{Fact, Page};

/// Candidates on one page.
const PAGE: u32 = 50;

impl Desk {
    pub async fn queue(self, after: Option<String>) -> Result<Queue, Refused> {
        let keepsake = &self.console.keepsake;
        let page = Page { after: after.filter(|id| !id.is_empty()), limit: PAGE + 1 };
        let mut facts = outward(&self.console, keepsake.pending(&self.viewer, &page).await)?;
        let counts = outward(&self.console, keepsake.fact_counts(&self.viewer).await)?;
        let more = facts.len() > PAGE as usize;
        facts.truncate(PAGE as usize);
        let settings = keepsake.settings();
        let now = keepsake.clock.now();
        Ok(Queue {
            next: facts.last().filter(|_| more).map(|fact| fact.id.clone()),
            candidates: facts.into_iter().map(|fact| shown(fact, now, None)).collect(),
            pending: counts.pending,
            promote_at: settings.promote_contributors,
            may_edit: self.viewer.may_edit(),
            learning: settings.learn_global,
        })
    }

    pub async fn candidate(self, id: &str) -> Result<Opened, Refused> {
        let keepsake = &self.console.keepsake;
        let fact = outward(&self.console, keepsake.fact(&self.viewer, id).await)?;
        let decided_by = outward(&self.console, keepsake.decided_by(&fact).await)?;
        Ok(Opened {
            candidate: shown(fact, keepsake.clock.now(), decided_by),
            promote_at: keepsake.settings().promote_contributors,
        })
    }

    pub async fn approve(self, id: &str, version: i64) -> Result<Notice, Refused> {
        let Decided { already_by, .. } = self.decide(id, version, Decision::Approve).await?;
        Ok(Notice::Approved { id: id.to_owned(), already_by })
    }

    pub async fn reject(self, id: &str, version: i64) -> Result<Notice, Refused> {
        let Decided { already_by, .. } = self.decide(id, version, Decision::Reject).await?;
        Ok(Notice::Rejected { id: id.to_owned(), already_by })
    }

    async fn decide(&self, id: &str, version: i64, decision: Decision) -> Result<Decided, Refused> {
        let editor = self.viewer.editor().map_err(say)?;
        outward(&self.console, self.console.keepsake.decide(editor, id, version, decision).await)
    }
}

fn shown(fact: Fact, now: Moment, decided_by: Option<String>) -> Candidate {
    Candidate {
        age: now.age_since(fact.created_at),
        decided_by,
        id: fact.id,
        version: fact.version,
        content: fact.content,
        status: fact.status,
        kind: fact.kind,
        origin: fact.origin,
        importance: fact.importance.get(),
        contributors: fact.contributors,
        contradicted: fact.contradicted,
    }
}
