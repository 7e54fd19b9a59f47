//! The review queue.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::Refused;
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::provenance::Origin;

/// A fact as lists show it. Contributors are a number; ages are coarse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub id: String,
    pub version: i64,
    pub content: String,
    pub status: FactStatus,
    pub kind: FactKind,
    pub origin: Origin,
    pub importance: u8,
    pub contributors: u32,
    pub flag: Option<Flag>,
    /// `under 1 h`, `3 hours`, `2 days`
    pub age: String,
    /// The operator who decided, once somebody has.
    pub decided_by: Option<String>,
}

/// What an operator should know before deciding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Flag {
    ContradictsApproved,
    ContradictsPending,
    Resubmitted,
}

impl Flag {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::ContradictsApproved => "Contradicts an approved fact",
            Self::ContradictsPending => "Contradicts a pending fact",
            Self::Resubmitted => "Confirmed again since rejected",
        }
    }
}

/// What the URL asks for, read and made whole by the server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Filters {
    pub q: String,
    pub single: bool,
    pub kinds: Vec<FactKind>,
    pub origins: Vec<Origin>,
    pub sort: String,
    /// `mine`: what this operator decided today.
    pub mine: bool,
    /// In words, for the empty state; none: nothing is filtered.
    pub words: Option<String>,
    /// The canonical query string without paging.
    pub query: String,
}

/// A saved view: a tab over the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tab {
    /// None: built in.
    pub id: Option<String>,
    pub name: String,
    pub query: String,
    pub count: i64,
    pub shared: bool,
    /// It may be renamed and deleted by this operator.
    pub own: bool,
}

/// One page of the queue.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    pub candidates: Vec<Candidate>,
    /// How many wait in all.
    pub pending: i64,
    /// How many match the filters, and a token that stands for exactly these.
    pub matching: i64,
    pub token: String,
    /// Age of the one that waits longest.
    pub oldest: Option<String>,
    /// Contributors that promote by themselves; none: an operator decides every time.
    pub promote_at: Option<u32>,
    /// Start of the next page.
    pub next: Option<String>,
    pub may_edit: bool,
    /// The extractor of team facts is on.
    pub learning: bool,
    pub filters: Filters,
    pub tabs: Vec<Tab>,
    pub today: Today,
    /// Something can be taken back.
    pub undoable: bool,
}

/// Decisions of this day, in UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Today {
    pub own: i64,
    pub all: i64,
    /// Other operators who decided something.
    pub others: i64,
}

/// A fact beside another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    pub id: String,
    pub version: i64,
    pub content: String,
    pub status: FactStatus,
    /// `0.89`
    pub similarity: String,
    pub contributors: u32,
    /// `0.83`
    pub confidence: String,
    pub age: String,
}

/// One candidate with what stands near and against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenedCandidate {
    pub candidate: Candidate,
    /// As in the queue.
    pub promote_at: Option<u32>,
    /// 0 to 1.
    pub confidence: f64,
    pub floor: f64,
    /// `0.93`
    pub merges_at: String,
    pub nearest: Vec<Beside>,
    pub against: Vec<Beside>,
    pub history: Vec<Past>,
}

/// One line of a fact's history, at the precision of a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Past {
    pub what: String,
    pub when: String,
}

/// One page of the queue, as the query string of the URL asks for it.
#[server(prefix = "/calls", endpoint = "review/queue", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_queue(#[server(default)] query: String) -> Result<Queue, Refused> {
    crate::console::SignedIn::take()?.queue(&query).await
}

#[server(prefix = "/calls", endpoint = "review/candidate", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_candidate(id: String) -> Result<OpenedCandidate, Refused> {
    crate::console::SignedIn::take()?.candidate(&id).await
}
