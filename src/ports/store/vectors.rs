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

/// A place on a shelf, in the engine's own order. It means nothing outside of one re-embedding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached(pub i64);

#[async_trait]
pub trait VectorReads: Send + Sync {
    /// How many vectors there are in all.
    async fn count_vectors(&self) -> Result<u64, StoreError>;

    /// Rows of a shelf beyond the place that was reached, in order, each with its place and the text of its vector.
    async fn texts_beyond(&self, shelf: Shelf, limit: u32) -> Result<Vec<(Reached, String)>, StoreError>;
}

#[async_trait]
pub trait VectorWrites: Send {
    async fn replace_vector(&mut self, shelf: Shelf, row: Reached, vector: &Vector) -> Result<(), StoreError>;

    /// Notes that every row up to this one is done; the default: none.
    async fn set_reached(&mut self, shelf: Shelf, row: Reached) -> Result<(), StoreError>;
}
