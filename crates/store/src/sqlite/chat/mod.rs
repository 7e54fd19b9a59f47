//! Data that users give an assistant in chats.

pub(super) mod links;
pub(super) mod notes;
pub(super) mod preferences;
pub(super) mod profile;
pub(super) mod turns;
