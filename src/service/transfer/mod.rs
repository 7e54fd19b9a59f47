//! Imports: of other products, of Keepsake's own exports, and the sample.

pub mod import_foreign;
pub mod import_own;
pub mod sample;
