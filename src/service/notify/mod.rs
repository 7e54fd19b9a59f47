//! Notifies other programs and open pages.

pub mod live;
pub mod webhooks;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::store::Store;
use crate::service::facts::batch::ArrivalBatch;
use crate::service::settings::current::CurrentSettings;

/// Notifies other programs and open pages of changes.
pub struct Notify {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    pub(crate) settings: CurrentSettings,
    pub(crate) batch: Arc<ArrivalBatch>,
    /// The channel to open pages.
    pub live: Arc<live::Live>,
}
