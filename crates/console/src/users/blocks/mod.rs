//! The memory blocks of a user: the list, one block with its versions, and the actions on them.

pub mod call;
pub mod shapes;
#[cfg(feature = "ssr")]
pub(crate) mod work;
