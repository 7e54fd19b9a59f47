//! Decisions, edits and undo, for the console's calls.

use super::list_query::ListQuery;
use super::{SignedIn, outward, say};
use crate::access::sessions::stored_id;
use crate::calls::decide::{FACT_LIST, Order, Thing, Undoable, Verdict};
use crate::calls::{Acted, Notice, Refused, Unrecalled};
use crate::domain::decision::{BULK_UNASKED, Verb};
use crate::domain::fact::FactKind;
use crate::domain::memory::{Content, Importance};
use crate::domain::problem::{Field, Problem};
use crate::service::decide::{FactEdit, Seen, Sitting};
use crate::service::review;

impl SignedIn {
    /// Identifies this session in stored decisions.
    pub(super) fn session_digest(&self) -> String {
        self.session.id().as_ref().map(stored_id).unwrap_or_default()
    }

    pub async fn act(self, order: Order) -> Result<Notice, Refused> {
        let reviewer = self.viewer.reviewer().map_err(say)?;
        let verb = Verb::parse(&order.action, order.importance)
            .ok_or_else(|| say(Problem::invalid(Field::Value, "must be approve, reject, reopen, delete or importance")))?;
        let on = self.chosen(&order).await?;
        if on.is_empty() {
            return Err(say(Problem::invalid(Field::Id, "must name at least one fact")));
        }
        let bulk = order.bulk || order.all.is_some() || on.len() > 1;
        if on.len() > BULK_UNASKED && !order.confirmed {
            return Err(say(Problem::ConfirmBulk { verb: verb.as_str().to_owned(), count: on.len() as u64 }));
        }
        let session = self.session_digest();
        let by = Sitting { reviewer, session: &session };
        let mut acted = outward(&self.console, self.console.keepsake.act(by, verb, &on, bulk).await)?;
        let one = (on.len() == 1).then(|| on[0].id.clone());
        if one.is_some()
            && let Some((_, problem)) = acted.lost.pop()
        {
            return Err(say(problem));
        }
        let approved: Vec<String> = acted.done.iter().filter(|_| verb == Verb::Approve).map(|seen| seen.id.clone()).collect();
        Ok(Notice::Acted(Acted {
            verb,
            one,
            done: acted.done.into_iter().map(|seen| (seen.id, seen.version)).collect(),
            already: acted.already,
            lost: acted.lost,
            left: acted.left,
            unrecalled: self.unrecalled(&approved).await?,
            undoable: self.undoable().await?,
        }))
    }

    /// The facts that an order names, or everything that its query matches if that is still what was chosen.
    async fn chosen(&self, order: &Order) -> Result<Vec<Seen>, Refused> {
        let Some(query) = &order.all else {
            return order.ids.iter().map(|id| seen(id).map_err(say)).collect();
        };
        let keepsake = &self.console.keepsake;
        let chosen = match query.strip_prefix(FACT_LIST) {
            Some(query) => keepsake.found_versions(&self.viewer, &ListQuery::read(query).filter(keepsake)).await,
            None => keepsake.chosen(&self.viewer, &self.filter(&super::review::QueueQuery::read(query))).await,
        };
        let (on, token) = outward(&self.console, chosen)?;
        if order.token.as_ref() != Some(&token) {
            return Err(say(Problem::CountDiffers { now: on.len() as u64, chosen: order.count.unwrap_or_default() }));
        }
        Ok(on)
    }

    pub async fn edit(
        self,
        id: &str,
        version: i64,
        content: &str,
        kind: &str,
        importance: u8,
        approve: bool,
    ) -> Result<Notice, Refused> {
        let reviewer = self.viewer.reviewer().map_err(say)?;
        let edit = FactEdit {
            content: Content::new(content).map_err(say)?,
            kind: FactKind::parse(kind).map_err(say)?,
            importance: Importance::new(importance.into()).map_err(say)?,
        };
        let session = self.session_digest();
        let by = Sitting { reviewer, session: &session };
        let seen = Seen { id: id.to_owned(), version };
        let fact = outward(&self.console, self.console.keepsake.edit(by, &seen, &edit, approve).await)?;
        let unrecalled = self.unrecalled(std::slice::from_ref(&fact.id)).await?.pop();
        Ok(Notice::Edited { id: fact.id, approved: approve, unrecalled, undoable: self.undoable().await? })
    }

    /// Those of these facts that are approved and yet not recalled.
    async fn unrecalled(&self, ids: &[String]) -> Result<Vec<Unrecalled>, Refused> {
        let found = outward(&self.console, self.console.keepsake.unrecalled(&self.viewer, ids).await)?;
        let floor = format!("{:.2}", self.console.keepsake.settings().recall_min_confidence);
        let told = |one: crate::service::review::Unrecalled| Unrecalled {
            id: one.id,
            confidence: format!("{:.2}", one.confidence),
            floor: floor.clone(),
            disputed_by: one.disputed_by,
        };
        Ok(found.into_iter().map(told).collect())
    }

    pub async fn merge(self, from: &str, into: &str) -> Result<Notice, Refused> {
        let reviewer = self.viewer.reviewer().map_err(say)?;
        let (from, into) = (seen(from).map_err(say)?, seen(into).map_err(say)?);
        let session = self.session_digest();
        let by = Sitting { reviewer, session: &session };
        let fact = outward(&self.console, self.console.keepsake.merge(by, &from, &into).await)?;
        Ok(Notice::Merged { into: fact.id, undoable: self.undoable().await? })
    }

    pub async fn check(self, text: &str) -> Result<Verdict, Refused> {
        let reviewer = self.viewer.reviewer().map_err(say)?;
        let found = outward(&self.console, self.console.keepsake.gate_findings(reviewer, text).await)?;
        Ok(Verdict { things: found.into_iter().map(|(rule, words)| Thing { rule, words }).collect() })
    }

    /// The decision that undo would take back.
    pub(super) async fn undoable(&self) -> Result<Option<Undoable>, Refused> {
        let undoable = self.console.keepsake.undoable(&self.viewer, &self.session_digest()).await;
        let told = |decision: review::Undoable| Undoable {
            seq: decision.seq,
            verb: decision.verb,
            count: decision.count,
            text: decision.text,
        };
        Ok(outward(&self.console, undoable)?.map(told))
    }

    pub async fn undo(self, seq: i64) -> Result<Notice, Refused> {
        let reviewer = self.viewer.reviewer().map_err(say)?;
        let session = self.session_digest();
        let undone = outward(&self.console, self.console.keepsake.undo(Sitting { reviewer, session: &session }, seq).await)?;
        let one = undone.restored.first().filter(|_| undone.restored.len() == 1).map(|seen| seen.id.clone());
        // It is undone, also if the fact is gone by now.
        let fact = match &one {
            Some(id) => self.console.keepsake.fact(&self.viewer, id).await.ok(),
            None => None,
        };
        Ok(Notice::Undone {
            verb: undone.verb,
            id: one,
            status: fact.as_ref().map(|fact| fact.status),
            text: fact.map(|fact| fact.content),
            undoable: self.undoable().await?,
            restored: u32::try_from(undone.restored.len()).unwrap_or(u32::MAX),
            changed_since: u32::try_from(undone.changed_since.len()).unwrap_or(u32::MAX),
        })
    }
}

/// Parses `id:version`.
pub(super) fn seen(text: &str) -> Result<Seen, Problem> {
    let read = text.rsplit_once(':').and_then(|(id, version)| Some(Seen { id: id.to_owned(), version: version.parse().ok()? }));
    read.ok_or_else(|| Problem::invalid(Field::Id, "must be an id and a version, as in gf_1:2"))
}
