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
pub struct Database {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) custody: Arc<dyn Custody>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    /// The damage, if a check found any.
    pub(crate) damage: Arc<OnceLock<String>>,
}
