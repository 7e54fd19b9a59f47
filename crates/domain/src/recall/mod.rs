//! Recall: search, ranking, and the blocks of a prompt.

pub mod asked;
#[cfg(not(target_arch = "wasm32"))]
pub mod greeting;
pub mod prompt;
pub mod ranking;
pub mod scoping;
#[cfg(not(target_arch = "wasm32"))]
pub mod search;
pub mod user_prompt;
#[cfg(not(target_arch = "wasm32"))]
pub mod words;
