//! Work on the whole database.

pub mod backup;
pub mod reembed;
pub mod restore;
pub mod start;

use std::sync::{Arc, OnceLock};

use access::digest::Digester;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::custody::Custody;

/// Checks and copies of the whole database.
pub struct Database {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    /// The damage, if a check found any.
    pub damage: Arc<OnceLock<String>>,
}
