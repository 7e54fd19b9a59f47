//! Checks that erased data is gone. Only the engine knows everywhere data can lie, so the engine reports what it searched. No
//! check uses the statements that erase.

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::erasure::ErasureScope;
use crate::domain::erasure::fingerprint::Finder;
use crate::domain::erasure::receipt::Result as Verdict;
use crate::ports::store::StoreError;
use crate::ports::store::erasure::FactIds;

/// What must be gone.
pub struct LookedFor {
    /// The ledger entry; the engine's own notes about the erased rows are stored with it.
    pub erasure_id: String,
    pub scope: ErasureScope,
    /// The team facts that it touched; `None` once it is proved.
    pub facts: Option<FactIds>,
    /// Fingerprints; `None` once a proof has deleted them.
    pub search: Option<Arc<Finder>>,
    /// It repeats an erasure, or rehearses one: a database that a restore has replaced never had the user, or no longer has
    /// the user. It is kept unless something is found in it.
    pub again: bool,
}

/// One check: what was searched, how much, and what was found. It holds numbers and names of tables and files, never the text
/// that was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofCheck {
    /// As on the receipt: every engine has `rows`, `facts` and `text`, and may have more.
    pub name: &'static str,
    pub result: Verdict,
    pub detail: String,
}

impl ProofCheck {
    /// Passed if nothing was found; the detail then says how much was read.
    #[must_use]
    pub fn found(name: &'static str, found: &[String], read: String) -> Self {
        match found {
            [] => Self { name, result: Verdict::Passed, detail: read },
            found => Self { name, result: Verdict::Failed, detail: found.join(", ") },
        }
    }

    /// The check could not be made now.
    #[must_use]
    pub fn impossible(name: &'static str, why: &str) -> Self {
        Self { name, result: Verdict::Impossible, detail: why.to_owned() }
    }
}

#[async_trait]
pub trait ProofReads: Send + Sync {
    /// Clears the remains of deleted rows, then searches everything that this engine stores.
    async fn look_for(&self, gone: &LookedFor) -> Result<Vec<ProofCheck>, StoreError>;

    /// Explains one of this engine's own checks to people; `None`: it has no such check.
    fn check_words(&self, name: &str) -> Option<&'static str>;

    /// Drops what connections cache in memory.
    async fn drop_caches(&self) -> Result<(), StoreError>;
}
