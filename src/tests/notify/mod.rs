//! Webhooks.

pub(super) mod webhooks;
