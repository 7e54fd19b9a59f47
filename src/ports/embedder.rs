//! Turns text into a direction: similar statements point the same way.

use async_trait::async_trait;

/// Numbers in a vector.
pub const DIMENSIONS: usize = 384;

/// An L2-normalised vector of [`DIMENSIONS`] numbers. The dot product of two is their cosine similarity.
pub type Vector = Vec<f32>;

/// Who made a database's vectors. Vectors of two embedders are never compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderId {
    /// `bert:<folder name>` or `lexical`.
    pub model: String,
    /// Hex SHA-256 of the weights, and of the words that Indonesian is read through; for `lexical` its version.
    pub weights: String,
}

/// Which defaults fit the similarity scores of this embedder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedderFamily {
    /// all-MiniLM and its kin, measured on the labelled pairs.
    MiniLm,
    /// Encoders whose unrelated sentences score high, such as gte-small; also every model that was not measured, because
    /// high thresholds lose no memory.
    Crowded,
    Lexical,
}

/// Why no vector came out.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("the embedding model cannot be used: {0}")]
    Model(String),
}

#[async_trait]
pub trait Embedder: Send + Sync {
    fn id(&self) -> &EmbedderId;

    fn family(&self) -> EmbedderFamily;

    /// One vector per text, in order. Texts longer than the model's window are cut, never refused.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError>;
}
