//! Work on the whole database.

pub mod backup;
pub mod reembed;
pub mod restore;
pub mod start;

use std::sync::{Arc, OnceLock};

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::store::Store;
use crate::ports::store::custody::Custody;

/// Checks and copies of the whole database.
#[derive(Clone)]
pub struct Database {
    pub(super) store: Arc<dyn Store>,
    pub(super) custody: Arc<dyn Custody>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) digester: Digester,
    /// The damage, if a check found any.
    pub(super) damage: Arc<OnceLock<String>>,
}
