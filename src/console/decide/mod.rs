//! What operators do to facts, on every screen that shows them: decisions, edits, merges, undo.

pub mod call;
#[cfg(feature = "ssr")]
pub(crate) mod work;
