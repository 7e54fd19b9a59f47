//! Signing in and out, the own account, and preferences of one browser.

#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod account;
pub mod call;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod login;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod own;
pub mod shapes;
#[cfg(feature = "ssr")]
pub mod work;
