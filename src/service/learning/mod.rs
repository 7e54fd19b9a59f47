//! Accepts exchanges and learns from them.

pub mod dry_run;
pub(super) mod echoes;
mod extraction;
pub(super) mod in_flight;
pub mod inbox;
pub(super) mod keep;
pub mod learn;
mod lesson;
pub(super) mod provider;
mod unread;
pub mod usage;
