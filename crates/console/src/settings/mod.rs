//! Live settings: numbers with their read-out, switches, history.

pub mod alike;
pub mod call;
pub mod shapes;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod work;
