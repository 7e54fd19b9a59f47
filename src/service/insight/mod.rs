//! Statistics, and trying the gate.

pub mod gate_panel;
pub mod stats;

use std::sync::Arc;

use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::store::Store;
use crate::service::reading::TextReader;

/// Statistics, and trying the gate.
pub struct Insight {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) reader: TextReader,
}
