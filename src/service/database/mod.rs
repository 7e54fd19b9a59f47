//! Work on the whole database.

pub mod backup;
pub mod reembed;
pub mod restore;
pub mod start;
