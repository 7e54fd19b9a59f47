//! Turns text into a vector: similar statements get similar vectors.

use async_trait::async_trait;

/// An L2-normalised vector, as long as its embedder makes them. The dot product of two is their cosine similarity.
pub type Vector = Vec<f32>;

/// The embedder that made a database's vectors. Vectors of two embedders are never compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderId {
    /// `bert:<folder name>` or `lexical`.
    pub model: String,
    /// Hex SHA-256 of the weights and of the glossary that translates Indonesian; for `lexical`, its version.
    pub weights: String,
    /// Numbers in a vector.
    pub dimensions: usize,
}

/// Family of embedders with similar score distributions; selects the default thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedderFamily {
    /// all-MiniLM and similar models; measured on the labelled pairs.
    MiniLm,
    /// Encoders that score unrelated sentences high, such as gte-small. Also the default for models that were not measured: a
    /// threshold that is too high loses no memory.
    Crowded,
    Lexical,
}

/// Why embedding failed.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("the embedding model cannot be used: {0}")]
    Model(String),
}

#[async_trait]
pub trait Embedder: Send + Sync {
    fn id(&self) -> &EmbedderId;

    fn family(&self) -> EmbedderFamily;

    /// One vector per text, in order. Texts longer than the model's window are truncated, never refused.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError>;

    /// The vector of one text.
    async fn embed_one(&self, text: &str) -> Result<Vector, EmbedError> {
        let vector = self.embed(&[text.to_owned()]).await?.pop();
        vector.ok_or_else(|| EmbedError::Model("the embedder returned no vector".to_owned()))
    }
}
