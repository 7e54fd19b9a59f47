//! Erasing a person, verifying it, and the person's own export.

pub(super) mod carry_out;
pub mod epoch;
pub mod erase;
pub mod export;
pub mod ledger;
pub mod pending;
pub mod receipts;
pub mod rehearse;
pub mod replay;
pub mod verify;

use std::sync::Arc;

use crate::erasure::export::Exports;
use crate::erasure::pending::Orders;
use crate::learning::in_flight::TextsInFlight;
use crate::people::People;
use crate::reading::TextReader;
use crate::recall::counts::RecallCounts;
use access::digest::Digester;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::store::Store;
use ports::store::custody::Custody;

/// Erasing a person, verifying it, and receipts.
pub struct Erasures {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub people: Arc<People>,
    pub exports: Arc<Exports>,
    pub in_flight: Arc<TextsInFlight>,
    pub counts: Arc<RecallCounts>,
    pub pending: Orders,
}
