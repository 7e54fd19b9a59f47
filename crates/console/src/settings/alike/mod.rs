//! Examples beside similarity thresholds.

pub mod call;
#[cfg(feature = "ssr")]
pub(crate) mod work;
