//! Imports: of other products, of our own exports, and the sample.

pub mod import_foreign;
pub mod import_own;
pub mod sample;
