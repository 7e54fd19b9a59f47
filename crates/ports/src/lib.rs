//! Interfaces that the rules need from the outside, as traits. Adapters live in `store`, `embed` and `extract`.

pub mod clock;
pub mod courier;
pub mod embedder;
mod extract_error;
pub mod extractor;
pub mod meter;
pub mod sessions;
pub mod store;
