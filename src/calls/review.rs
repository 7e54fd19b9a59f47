//! The review queue.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Notice, Refused};
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::provenance::Origin;

/// A candidate as the queue shows it. Contributors are a number; ages are coarse.
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
    pub contradicted: bool,
    /// `under 1 h`, `3 hours`, `2 days`
    pub age: String,
    /// The operator who decided, once somebody has.
    pub decided_by: Option<String>,
}

/// One page of the queue, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    pub candidates: Vec<Candidate>,
    /// How many wait in all.
    pub pending: i64,
    /// Contributors that promote by themselves; none: an operator decides every time.
    pub promote_at: Option<u32>,
    /// Start of the next page.
    pub next: Option<String>,
    pub may_edit: bool,
    /// The extractor of team facts is on.
    pub learning: bool,
}

/// One candidate on a page of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    pub candidate: Candidate,
    /// As in the queue.
    pub promote_at: Option<u32>,
}

#[server(prefix = "/calls", endpoint = "review/queue", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_queue(#[server(default)] after: Option<String>) -> Result<Queue, Refused> {
    crate::desk::Desk::take()?.queue(after).await
}

#[server(prefix = "/calls", endpoint = "review/candidate", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_candidate(id: String) -> Result<Opened, Refused> {
    crate::desk::Desk::take()?.candidate(&id).await
}

#[server(prefix = "/calls", endpoint = "review/approve")]
pub async fn approve(id: String, version: i64) -> Result<Notice, Refused> {
    crate::desk::Desk::take()?.approve(&id, version).await
}

#[server(prefix = "/calls", endpoint = "review/reject")]
pub async fn reject(id: String, version: i64) -> Result<Notice, Refused> {
    crate::desk::Desk::take()?.reject(&id, version).await
}
