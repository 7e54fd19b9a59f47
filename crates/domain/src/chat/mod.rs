//! Messages of users to an assistant in a chat: commands with their replies, notes, profile and turns.

pub mod commands;
pub mod notes;
#[cfg(not(target_arch = "wasm32"))]
pub mod profile;
pub mod replies;
pub mod talk;
