//! Users: the search, and the record of one with its memories, chats and blocks.

pub mod blocks;
pub mod call;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod record;
pub mod shapes;
pub mod told;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod work;
