//! Notifies other programs and open pages.

pub mod live;
pub mod webhooks;

use std::sync::Arc;

use crate::facts::batch::ArrivalBatch;
use crate::settings::current::CurrentSettings;
use access::digest::Digester;
use ports::clock::Clock;
use ports::store::Store;

/// Notifies other programs and open pages of changes.
pub struct Notify {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub settings: CurrentSettings,
    pub batch: Arc<ArrivalBatch>,
    /// The channel to open pages.
    pub live: Arc<live::Live>,
}
