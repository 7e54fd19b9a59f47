//! The first steps: from an empty installation to the first fact that is recalled, and the sample.

use serde::{Deserialize, Serialize};

/// The steps, each done or not, and the sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstSteps {
    /// Completed steps: a key was made, a message was learned, a fact was approved, a fact was recalled.
    pub ticks: [bool; Self::ALL],
    /// Team facts that wait for a decision.
    pub pending: i64,
    /// Commands to paste for the second step and the last.
    pub send: String,
    pub ask: String,
    /// Maximum number of seconds until a statement for the team is in the queue.
    pub batch_s: u64,
    pub sample: Sample,
}

impl FirstSteps {
    /// Number of steps.
    pub const ALL: usize = 4;

    #[must_use]
    pub fn done(&self) -> usize {
        self.ticks.into_iter().filter(|done| *done).count()
    }
}

/// The sample, with what this operator may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Number of its users with stored data.
    pub users: usize,
    /// Messages that wait to be learned.
    pub waiting: i64,
    pub may_load: bool,
    pub may_remove: bool,
}

/// A completed action on the sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SampleChange {
    Loaded { messages: u32 },
    Removed { users: u32 },
}
