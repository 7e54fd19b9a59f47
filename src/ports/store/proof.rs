//! Looking for what must be gone. The engine knows where anything can lie, so it says what it searched; none of it uses the
//! statements that erase.

use std::sync::Arc;

use async_trait::async_trait;

use super::StoreError;
use crate::domain::erasure::Scope;
use crate::domain::fingerprint::Search;
use crate::domain::receipt::{Facts, Result as Verdict};

/// What must be gone.
pub struct LookedFor {
    /// The entry of the ledger; with it goes what the engine itself noted when it erased.
    pub erasure_id: String,
    pub scope: Scope,
    /// What the receipt says of team facts.
    pub facts: Facts,
    /// Fingerprints; `None` once they went with a proof.
    pub search: Option<Arc<Search>>,
}

/// One thing that was searched: what, how much, and what was found. Numbers and names of tables and files, never what was
/// looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// As the receipt has it: `rows`, `facts`, `text` on every engine, and more of its own.
    pub name: &'static str,
    pub result: Verdict,
    pub detail: String,
}

impl Check {
    /// Passed when nothing was found; then it says how much was read.
    #[must_use]
    pub fn found(name: &'static str, found: &[String], read: String) -> Self {
        match found {
            [] => Self { name, result: Verdict::Passed, detail: read },
            found => Self { name, result: Verdict::Failed, detail: found.join(", ") },
        }
    }

    /// It could not be made now.
    #[must_use]
    pub fn impossible(name: &'static str, why: &str) -> Self {
        Self { name, result: Verdict::Impossible, detail: why.to_owned() }
    }
}

#[async_trait]
pub trait ProofReads: Send + Sync {
    /// Clears what deleted rows leave behind, then looks through everything that this engine keeps anywhere.
    async fn look_for(&self, gone: &LookedFor) -> Result<Vec<Check>, StoreError>;

    /// What a check of this engine's own means, in words for people; `None`: it has no such check.
    fn check_words(&self, name: &str) -> Option<&'static str>;

    /// Lets go of what connections keep in memory.
    async fn drop_caches(&self) -> Result<(), StoreError>;
}
