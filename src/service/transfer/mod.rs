//! Imports: of other products, of Keepsake's own exports, and the sample.

pub mod import_foreign;
pub mod import_own;
pub mod sample;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::store::Store;
use crate::service::erasure::Erasures;
use crate::service::erasure::epoch::Epochs;
use crate::service::learning::inbox::Inbox;
use crate::service::reading::TextReader;
use crate::service::settings::current::CurrentSettings;

/// Imports.
pub struct Transfer {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    pub(crate) reader: TextReader,
    pub(crate) settings: CurrentSettings,
    pub(crate) epochs: Epochs,
    pub(crate) erasure: Arc<Erasures>,
    pub(crate) inbox: Arc<Inbox>,
}
