//! Every column that stores the vector of a text, for re-embedding.

use async_trait::async_trait;

use crate::embedder::Vector;
use crate::store::StoreError;

/// A column of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorColumn {
    Memories,
    MergesBefore,
    MergesIncoming,
    Facts,
    FactMerges,
}

impl VectorColumn {
    pub const ALL: [Self; 5] = [Self::Memories, Self::MergesBefore, Self::MergesIncoming, Self::Facts, Self::FactMerges];
}

/// A position in such a column, in the engine's own order. Valid only within one re-embedding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached(pub i64);

#[async_trait]
pub trait VectorReads: Send + Sync {
    /// Total number of vectors.
    async fn count_vectors(&self) -> Result<u64, StoreError>;

    /// The rows after the last position reached, in order, each with its position and text.
    async fn texts_beyond(&self, column: VectorColumn, limit: u32) -> Result<Vec<(Reached, String)>, StoreError>;
}

#[async_trait]
pub trait VectorWrites: Send {
    async fn replace_vector(&mut self, column: VectorColumn, row: Reached, vector: &Vector) -> Result<(), StoreError>;

    /// Records that every row up to this one is done.
    async fn set_reached(&mut self, column: VectorColumn, row: Reached) -> Result<(), StoreError>;
}
