//! Notifies other programs and open pages.

pub mod live;
pub mod webhooks;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::store::Store;
use crate::service::facts::batch::ArrivalBatch;
use crate::service::settings::change::CurrentSettings;

/// Notifies other programs and open pages of changes.
#[derive(Clone)]
pub struct Notify {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) digester: Digester,
    pub(super) settings: CurrentSettings,
    pub(super) batch: Arc<ArrivalBatch>,
    /// The channel to open pages.
    pub live: Arc<live::Live>,
}
