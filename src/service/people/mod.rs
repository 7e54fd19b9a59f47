//! Operators, users and callers' keys.

pub mod key_uses;
pub mod keys;
pub mod operators;
pub mod users;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::store::Store;
use crate::ports::store::custody::Custody;
use crate::service::reading::TextReader;

/// Operators, users and callers' keys.
pub struct People {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) custody: Arc<dyn Custody>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    pub(crate) reader: TextReader,
}
