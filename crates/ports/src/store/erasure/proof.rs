//! Verification that erased data is gone. Only the engine knows everywhere data can lie, so the engine reports what it searched.
//! No check uses the statements that erase.

use std::sync::Arc;

use async_trait::async_trait;

use crate::store::StoreError;
use crate::store::erasure::FactIds;
use domain::erasure::ErasureScope;
use domain::erasure::fingerprint::Finder;
use domain::erasure::receipt::CheckResult;

/// Data that a verification searches for.
pub struct LookedFor {
    /// Id of the ledger entry; the engine's own notes about the erased rows are stored with it.
    pub erasure_id: String,
    pub scope: ErasureScope,
    /// The team facts that the erasure touched; `None` once it is verified.
    pub facts: Option<FactIds>,
    /// Fingerprints; `None` once a verification has deleted them.
    pub search: Option<Arc<Finder>>,
    /// It repeats or rehearses an erasure: databases that a restore replaced never held the user or no longer do, so they are
    /// kept unless something is found in them.
    pub again: bool,
}

/// One check: what was searched, how much, and what was found. Holds numbers and names of tables and files, never the text that
/// was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofCheck {
    /// Name on the receipt: every engine has `rows`, `facts` and `text`, and may have more.
    pub name: &'static str,
    pub result: CheckResult,
    pub detail: String,
}

impl ProofCheck {
    /// Passes if nothing was found; the detail is then `read`, the amount that was read.
    #[must_use]
    pub fn found(name: &'static str, found: &[String], read: String) -> Self {
        match found {
            [] => Self { name, result: CheckResult::Passed, detail: read },
            found => Self { name, result: CheckResult::Failed, detail: found.join(", ") },
        }
    }

    /// A check that is impossible now.
    #[must_use]
    pub fn impossible(name: &'static str, why: &str) -> Self {
        Self { name, result: CheckResult::Impossible, detail: why.to_owned() }
    }
}

#[async_trait]
pub trait ProofReads: Send + Sync {
    /// Clears the remains of deleted rows, then searches everything that this engine stores.
    async fn look_for(&self, gone: &LookedFor) -> Result<Vec<ProofCheck>, StoreError>;

    /// Explains one of this engine's own checks to people; `None`: unknown name.
    fn check_words(&self, name: &str) -> Option<&'static str>;

    /// Drops the connections' caches in memory.
    async fn drop_caches(&self) -> Result<(), StoreError>;
}
