//! Live updates for open pages. They never say who contributed and never contain text.

use serde::{Deserialize, Serialize};

use crate::facts::fact::FactStatus;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub enum LiveEvent {
    /// A fact was changed or deleted.
    #[serde(rename = "fact.changed")]
    Fact {
        id: String,
        version: i64,
        /// `None`: it is deleted.
        status: Option<FactStatus>,
        contributors: u32,
        /// The operator who decided.
        by: Option<String>,
        /// If it was deleted by a merge, the fact it was merged into.
        into: Option<String>,
    },
    #[serde(rename = "queue.counts")]
    Queue { pending: i64 },
    #[serde(rename = "settings.changed")]
    Settings,
    /// A key was added, replaced or revoked, or called for the first time.
    #[serde(rename = "keys.changed")]
    Keys,
    /// An erasure made progress.
    #[serde(rename = "erasure.step")]
    Erasure {
        id: String,
        /// 1 to [`STEPS`](crate::erasure::STEPS): the current step, or the last one.
        step: usize,
        done: bool,
    },
    /// Updates may have been missed: reload.
    #[serde(rename = "reload")]
    Reload,
}
