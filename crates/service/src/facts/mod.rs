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

use crate::Result;
use crate::audit::{self, Entry};
use crate::learning::echo_marks::EchoMarks;
use crate::reading::TextReader;
use crate::settings::current::CurrentSettings;
use access::digest::Digester;
use access::operators::Reviewer;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::store::facts::Fact;
use ports::store::{Store, WriteTx};

/// Facts of the team: reviewed, decided and searched.
pub struct Facts {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub settings: CurrentSettings,
    pub echoes: Arc<EchoMarks>,
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
