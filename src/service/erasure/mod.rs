//! Erasing a person, verifying it, and the person's own export.

pub(super) mod carry_out;
pub(crate) mod epoch;
pub mod erase;
pub mod export;
pub mod ledger;
pub(crate) mod pending;
pub mod receipts;
pub mod rehearse;
pub mod replay;
pub mod verify;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::store::Store;
use crate::ports::store::custody::Custody;
use crate::service::erasure::export::Exports;
use crate::service::erasure::pending::Orders;
use crate::service::learning::in_flight::TextsInFlight;
use crate::service::people::People;
use crate::service::reading::TextReader;
use crate::service::recall::counts::RecallCounts;

/// Erasing a person, verifying it, and receipts.
pub struct Erasures {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) custody: Arc<dyn Custody>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    pub(crate) reader: TextReader,
    pub(crate) people: Arc<People>,
    pub(crate) exports: Arc<Exports>,
    pub(crate) in_flight: Arc<TextsInFlight>,
    pub(crate) counts: Arc<RecallCounts>,
    pub(crate) pending: Orders,
}
