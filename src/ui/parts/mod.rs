//! Pieces that two screens share.

pub mod decide;
pub mod field;
pub mod icon;
pub mod log;
pub mod meta;
pub mod note;
pub mod problem;
pub mod prose;
