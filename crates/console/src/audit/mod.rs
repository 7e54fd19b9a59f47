//! The audit log: its filters, its entries, its integrity.

pub mod call;
pub mod shapes;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub mod work;
