//! Chat data of a user: commands, notes, preferences, profile and turns.

pub mod chat_record;
pub mod commands;
pub mod links;
pub mod notes;
pub mod preferences;
pub mod profile;
pub mod tools;
pub mod turns;
pub mod user_prompt;
