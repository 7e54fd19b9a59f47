//! Operational data of a server: audit log, settings, counters, webhooks and the inbox.

pub(super) mod audit;
pub(super) mod inbox;
pub(super) mod settings;
pub(super) mod stats;
pub(super) mod usage;
pub(super) mod webhooks;
