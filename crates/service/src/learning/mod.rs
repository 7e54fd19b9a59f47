//! Accepts exchanges and learns from them.

pub mod dry_run;
pub mod echo_marks;
mod echoes;
mod extraction;
pub mod in_flight;
pub mod inbox;
pub(super) mod keep;
pub mod learn;
pub mod lesson;
pub mod provider;
mod retry;
mod unread;
pub mod usage;

use std::sync::Arc;

use crate::chat::Chat;
use crate::facts::propose::Proposals;
use crate::learning::in_flight::TextsInFlight;
use crate::learning::in_flight::Unfinished;
use crate::learning::lesson::Lessons;
use crate::learning::provider::ProviderPresence;
use crate::learning::usage::ModelBudget;
use crate::reading::TextReader;
use crate::settings::current::CurrentSettings;
use access::digest::Digester;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::extractor::Extractor;
use ports::store::Store;

/// Learns from exchanges of the inbox.
pub struct Learning {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub extractor: Arc<dyn Extractor>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub settings: CurrentSettings,
    pub chat: Arc<Chat>,
    pub in_flight: Arc<TextsInFlight>,
    pub model_budget: Arc<ModelBudget>,
    pub proposals: Arc<Proposals>,
    pub lessons: Arc<Lessons>,
    pub provider: Arc<ProviderPresence>,
    pub unfinished: Unfinished,
}
