//! Pieces that two screens share.

pub mod decide;
pub mod icon;
pub mod meta;
pub mod note;
pub mod problem;
pub mod prose;
pub mod top;
