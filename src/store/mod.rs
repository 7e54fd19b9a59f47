//! SQL: one folder per engine with the same file names in the same order, and the conformance suite that all must pass.

#[cfg(test)]
mod conformance;
pub mod sqlite;
