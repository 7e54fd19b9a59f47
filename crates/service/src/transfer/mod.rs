//! Imports: of other products, of Keepsake's own exports, and the sample.

pub mod import_foreign;
pub mod import_own;
pub mod sample;

use std::sync::Arc;

use crate::erasure::Erasures;
use crate::erasure::epoch::Epochs;
use crate::learning::inbox::Inbox;
use crate::reading::TextReader;
use crate::settings::current::CurrentSettings;
use access::digest::Digester;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::store::Store;

/// Imports.
pub struct Transfer {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub settings: CurrentSettings,
    pub epochs: Epochs,
    pub erasure: Arc<Erasures>,
    pub inbox: Arc<Inbox>,
}
