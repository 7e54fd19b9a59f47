//! Operators, users and callers' keys.

pub mod key_uses;
pub mod keys;
pub mod operators;
pub mod users;

use std::sync::Arc;

use crate::reading::TextReader;
use access::digest::Digester;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::custody::Custody;

/// Operators, users and callers' keys.
pub struct People {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
}
