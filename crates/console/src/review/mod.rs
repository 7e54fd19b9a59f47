//! The review queue: the list, its saved views, one candidate.

pub mod call;
#[cfg(feature = "ssr")]
pub(crate) mod queue_query;
pub mod shapes;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod view;
pub mod views;
#[cfg(feature = "ssr")]
pub(crate) mod work;
