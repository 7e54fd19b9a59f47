//! SQL: one folder per engine with the same file names in the same order, the conformance suite that both must pass, and
//! the in-memory matrix of facts.

#[cfg(test)]
mod conformance;
mod matrix;
pub mod sqlite;
