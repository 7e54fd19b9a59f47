//! What open pages are told while they are looked at. Never who contributed, never a text.

use serde::{Deserialize, Serialize};

use super::fact::FactStatus;

/// One thing that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub enum LiveEvent {
    /// A fact changed, or is gone.
    #[serde(rename = "fact.changed")]
    Fact {
        id: String,
        version: i64,
        /// None: it is gone.
        status: Option<FactStatus>,
        contributors: u32,
        /// The operator who decided.
        by: Option<String>,
        /// The fact that it is a part of now, when it is gone because it was merged.
        into: Option<String>,
    },
    #[serde(rename = "queue.counts")]
    Queue { pending: i64 },
    #[serde(rename = "settings.changed")]
    Settings,
    /// An erasure went a step further.
    #[serde(rename = "erasure.step")]
    Erasure {
        id: String,
        /// 1 to [`STEPS`](super::erasure::STEPS): the step at work, or the last one.
        step: usize,
        done: bool,
    },
    /// Something may have been missed: look again.
    #[serde(rename = "reload")]
    Reload,
}
