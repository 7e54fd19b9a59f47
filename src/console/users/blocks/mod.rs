//! The memory blocks of a user: the list, one block with its versions, and what is done to them.

pub mod call;
#[cfg(feature = "ssr")]
pub(crate) mod work;
