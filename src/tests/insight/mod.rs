//! Statistics, the recall inspector and the gate panel.

mod numbers;
pub(super) mod stats;
mod tools;
