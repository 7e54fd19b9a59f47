//! Data that users give an assistant in chats.

pub mod links;
pub mod notes;
pub mod preferences;
pub mod profile;
pub mod turns;
