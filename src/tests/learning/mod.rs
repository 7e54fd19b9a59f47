//! Learning: from an exchange to what is kept, queued, replaced and forgotten.

mod budget;
mod claims;
mod dialogues;
mod languages;
mod merging;
pub(super) mod pairs;
pub(super) mod pipeline;
mod requests;
pub(super) mod together;
