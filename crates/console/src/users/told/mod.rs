//! Data that a user told an assistant outside of memories: notes, preferences, profile, conversation turns.

pub mod call;
pub mod shapes;
#[cfg(feature = "ssr")]
pub(crate) mod work;
