//! Operational data of a server: audit log, settings, counters, webhooks and the inbox.

pub mod audit;
pub mod inbox;
pub mod settings;
pub mod stats;
pub mod usage;
pub mod webhooks;
