//! Statistics, and trying the gate.

pub mod gate_panel;
pub mod stats;

use std::sync::Arc;

use crate::reading::TextReader;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::store::Store;

/// Statistics, and trying the gate.
pub struct Insight {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub reader: TextReader,
}
