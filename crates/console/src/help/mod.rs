//! Help that needs no data: the keys, and what is stored about people.

#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod keys;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod stored;
