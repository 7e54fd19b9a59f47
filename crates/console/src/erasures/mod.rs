//! Erasing a user: the plan, the progress, the receipts.

pub mod call;
#[cfg(feature = "ssr")]
pub(crate) mod entries;
pub mod ledger_entry;
pub mod shapes;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod work;
