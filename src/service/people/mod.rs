//! Operators, users and callers' keys.

pub(super) mod key_uses;
pub mod keys;
pub mod operators;
pub mod users;
