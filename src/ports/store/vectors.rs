//! Every place in the database where a vector lies beside the text it was made from, for making them again.

use async_trait::async_trait;

use super::StoreError;
use crate::ports::embedder::Vector;

/// A column of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    Memories,
    MergesBefore,
    MergesIncoming,
    Facts,
    FactMerges,
}

impl Shelf {
    pub const ALL: [Self; 5] = [Self::Memories, Self::MergesBefore, Self::MergesIncoming, Self::Facts, Self::FactMerges];
}

#[async_trait]
pub trait VectorReads: Send + Sync {
    /// How many vectors there are in all.
    async fn count_vectors(&self) -> Result<u64, StoreError>;

    /// Rows of a shelf beyond the place that was reached, in order, with the text of each vector.
    async fn texts_beyond(&self, shelf: Shelf, limit: u32) -> Result<Vec<(i64, String)>, StoreError>;
}

#[async_trait]
pub trait VectorWrites: Send {
    async fn replace_vector(&mut self, shelf: Shelf, row: i64, vector: &Vector) -> Result<(), StoreError>;

    /// Notes that every row up to this one is done.
    async fn set_reached(&mut self, shelf: Shelf, row: i64) -> Result<(), StoreError>;
}
