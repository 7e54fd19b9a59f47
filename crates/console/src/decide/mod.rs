//! Operators' decisions on facts, on every screen that shows them: verbs, edits, merges, undo.

pub mod call;
pub mod shapes;
#[cfg(feature = "ssr")]
pub(crate) mod work;
