//! Operators, users and callers' keys.

mod insider;
pub(super) mod keys;
pub(super) mod operators;
pub(super) mod users;
