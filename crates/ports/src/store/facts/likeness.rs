//! Similarity of team facts, for operators who set a threshold. No method reaches a personal memory or a user.

use async_trait::async_trait;

use crate::store::StoreError;

/// Two facts that are not rejected, and their cosine similarity.
#[derive(Debug, Clone, PartialEq)]
pub struct AlikePair {
    pub a: String,
    pub b: String,
    pub similarity: f64,
}

/// Pairs around a value, nearest to it first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AlikeSides {
    /// At the value or above.
    pub from: Vec<AlikePair>,
    /// Below the value.
    pub below: Vec<AlikePair>,
}

/// The text of a statement that was merged into a fact. Reveals neither the contributor nor the time.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedText {
    pub fact_id: String,
    pub content: String,
    pub similarity: f64,
}

#[async_trait]
pub trait LikenessReads: Send + Sync {
    /// For each of these values, up to `each` pairs on either side of it, from among the `newest` facts that are not rejected.
    async fn alike_facts(&self, newest: u32, values: &[f64], each: usize) -> Result<Vec<AlikeSides>, StoreError>;

    /// Statements that were merged into a fact that is not rejected, at this similarity or above; least alike first.
    async fn merged_from(&self, similarity: f64, limit: u32) -> Result<Vec<MergedText>, StoreError>;

    /// Open contradictions of facts that are not rejected, at this similarity or above; least alike first.
    async fn flagged_from(&self, similarity: f64, limit: u32) -> Result<Vec<AlikePair>, StoreError>;
}
