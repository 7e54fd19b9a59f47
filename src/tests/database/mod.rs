//! Work on the whole database.

pub(super) mod restore;
