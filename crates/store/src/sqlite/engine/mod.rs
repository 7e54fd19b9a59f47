//! SQLite's files: migrations, copies, and changes by other processes.

pub(super) mod copies;
pub(super) mod mark;
pub(super) mod migrations;
pub(super) mod sync;
