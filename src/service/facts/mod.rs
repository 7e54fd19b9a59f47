//! Facts of the team: proposed, reviewed, decided and searched.

mod arrivals;
pub mod batch;
pub mod decide;
pub mod duel;
pub mod list;
pub mod propose;
pub mod review;
pub mod saved_filters;
pub mod split;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::access::operators::Reviewer;
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::store::facts::Fact;
use crate::ports::store::{Store, WriteTx};
use crate::service::Result;
use crate::service::audit::{self, Entry};
use crate::service::learning::echo_marks::EchoMarks;
use crate::service::reading::TextReader;
use crate::service::settings::current::CurrentSettings;

/// Facts of the team: reviewed, decided and searched.
pub struct Facts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    pub(crate) reader: TextReader,
    pub(crate) settings: CurrentSettings,
    pub(crate) echoes: Arc<EchoMarks>,
}

/// A reviewer in one session; undo reaches no further back than the session.
#[derive(Debug, Clone, Copy)]
pub struct Sitting<'a> {
    pub reviewer: &'a Reviewer,
    /// Digest of the session.
    pub session: &'a str,
}

/// A fact and the version that the operator saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub id: String,
    pub version: i64,
}

async fn known(tx: &mut dyn WriteTx, id: &str) -> Result<Fact> {
    Ok(tx.known_fact(id).await?.ok_or_else(|| Problem::not_found("fact"))?)
}

async fn record(
    tx: &mut dyn WriteTx,
    reviewer: &Reviewer,
    action: &'static str,
    id: &str,
    detail: Option<String>,
    now: Moment,
) -> Result<()> {
    let entry = Entry { detail, ..Entry::of(reviewer, action).on(id) };
    audit::append(tx, now, entry).await?;
    Ok(tx.count(now.day(), action, 1).await?)
}
