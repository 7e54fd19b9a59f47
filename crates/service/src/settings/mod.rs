//! Live settings: read, previewed and changed.

pub mod change;
pub mod current;
pub mod examples;
pub mod preview;
