//! Examples beside similarity thresholds.

pub mod shapes;
#[cfg(feature = "ssr")]
pub(crate) mod work;
