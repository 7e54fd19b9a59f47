//! The use cases, one module for each subject. Every surface calls these; only they make decisions.

pub mod audit;
pub mod blocks;
pub mod chat;
pub mod database;
pub mod erasure;
pub mod error;
pub mod facts;
pub mod insight;
mod keepsake;
pub mod learning;
pub mod memories;
pub mod notify;
pub mod people;
pub mod reading;
pub mod recall;
pub mod settings;
mod transactions;
pub mod transfer;

// Types in the interfaces of use cases, so that surfaces need not name the ports.
pub use error::{Error, Result};
pub use keepsake::Keepsake;
pub use ports::store::Cause;
pub use ports::store::facts::{ConfidenceRange, Fact, FactFilter, FactMerge, FactOrder, SortKey, Sources, TextFilter};
pub use ports::store::memories::{Memory, MemoryFilter, Page, Place};
