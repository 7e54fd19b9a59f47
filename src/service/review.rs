//! The review queue: what waits for a decision, and the decision.

use super::audit::{self, Entry};
use super::propose::refusals;
use super::{Error, Keepsake, Result};
use crate::access::operators::{Editor, Viewer};
use crate::domain::fact::{Decision, FactStatus, Verdict, judge};
use crate::domain::problem::Problem;
use crate::ports::store::atomically;
use crate::ports::store::facts::{Fact, FactFilter, StatusChange, StatusCounts};
use crate::ports::store::memories::Page;

/// A decision that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    pub status: FactStatus,
    pub version: i64,
    pub content: String,
    /// Who had taken the same decision before, if somebody had.
    pub already_by: Option<String>,
}

impl Keepsake {
    /// Pending facts, oldest first.
    pub async fn pending(&self, _viewer: &Viewer, page: &Page) -> Result<Vec<Fact>> {
        let filter = FactFilter { status: Some(FactStatus::Pending), ..FactFilter::default() };
        Ok(self.store.list_facts(&filter, page).await?)
    }

    pub async fn fact_counts(&self, _viewer: &Viewer) -> Result<StatusCounts> {
        Ok(self.store.count_facts().await?)
    }

    /// One fact, whatever its state.
    pub async fn fact(&self, _viewer: &Viewer, id: &str) -> Result<Fact> {
        Ok(self.store.fact(id).await?.ok_or_else(|| Problem::not_found("fact"))?)
    }

    /// Decides about the fact as it was at version `seen`. One of many at once wins; the same decision twice is no error.
    pub async fn decide(&self, editor: &Editor, id: &str, seen: i64, decision: Decision) -> Result<Decided> {
        let now = self.clock.now();
        let outcome = atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move {
                let fact = tx.known_fact(id).await?.ok_or_else(|| Problem::not_found("fact"))?;
                match judge(decision, seen, fact.status, fact.version) {
                    Verdict::Apply => {}
                    Verdict::Already => return Ok((fact, false)),
                    Verdict::Conflict => return Err(conflict(&fact).into()),
                    Verdict::Stale => return Err(Problem::Stale { version: fact.version }.into()),
                }
                if decision == Decision::Approve {
                    let rules = refusals(&fact.content);
                    if !rules.is_empty() {
                        return Err(Problem::Refused { rules }.into());
                    }
                }
                let change = StatusChange {
                    from: fact.status,
                    to: decision.outcome(),
                    seen_version: seen,
                    by: Some(editor.id().to_owned()),
                    at: now,
                };
                if !tx.change_status(id, &change).await? {
                    return Err(Problem::Stale { version: fact.version }.into());
                }
                if decision == Decision::Reject {
                    tx.resolve_contradictions(id, now).await?;
                }
                let action = match decision {
                    Decision::Approve => "fact.approved",
                    Decision::Reject => "fact.rejected",
                };
                let entry = Entry { actor: editor.into(), action, target: Some(id.to_owned()), user_digest: None, detail: None };
                audit::append(tx, now, entry).await?;
                tx.count(now.day(), action, 1).await?;
                let after = tx.known_fact(id).await?.ok_or_else(|| Problem::not_found("fact"))?;
                Ok((after, true))
            })
        })
        .await;
        match outcome {
            Ok((fact, true)) => {
                Ok(Decided { status: fact.status, version: fact.version, content: fact.content, already_by: None })
            }
            Ok((fact, false)) => {
                let by = self.decider(fact.decided_by.as_deref()).await?;
                Ok(Decided { status: fact.status, version: fact.version, content: fact.content, already_by: Some(by) })
            }
            Err(Error::Refused(Problem::AlreadyDecided { status, by, version })) => {
                let by = self.decider(Some(&by).filter(|by| !by.is_empty()).map(String::as_str)).await?;
                Err(Problem::AlreadyDecided { status, by, version }.into())
            }
            Err(error) => Err(error),
        }
    }

    /// The name of who decided about this fact, once somebody has.
    pub async fn decided_by(&self, fact: &Fact) -> Result<Option<String>> {
        if fact.status == FactStatus::Pending { Ok(None) } else { self.decider(fact.decided_by.as_deref()).await.map(Some) }
    }

    /// The name of who decided; a promotion by count is nobody's.
    async fn decider(&self, operator_id: Option<&str>) -> Result<String> {
        let Some(id) = operator_id else { return Ok("auto-promote".to_owned()) };
        Ok(self.store.operator(id).await?.map_or_else(|| "a former operator".to_owned(), |operator| operator.name))
    }
}

fn conflict(fact: &Fact) -> Problem {
    let by = fact.decided_by.clone().unwrap_or_default();
    Problem::AlreadyDecided { status: fact.status.as_str().to_owned(), by, version: fact.version }
}
