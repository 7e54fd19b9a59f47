//! Telling other programs and open pages what happened.

pub mod live;
pub mod webhooks;
