//! Operators, users and callers' keys.

pub(super) mod key_uses;
pub mod keys;
pub mod operators;
pub mod users;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::store::Store;
use crate::ports::store::custody::Custody;
use crate::service::facts::batch::ArrivalBatch;
use crate::service::reading::TextReader;

/// Operators, users and callers' keys.
#[derive(Clone)]
pub struct People {
    pub(super) store: Arc<dyn Store>,
    pub(super) custody: Arc<dyn Custody>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) digester: Digester,
    pub(super) reader: TextReader,
    pub(super) uses: Arc<key_uses::Uses>,
    pub(super) batch: Arc<ArrivalBatch>,
}
