//! Live settings: read, previewed and changed.

pub mod change;
pub mod examples;
pub mod preview;
