//! SQL: one folder per engine with the same file names in the same order, the conformance suite that both must pass, the
//! in-memory matrix of facts, and the inventory of every column.

#[cfg(test)]
mod conformance;
pub mod inventory;
mod matrix;
pub mod sqlite;
