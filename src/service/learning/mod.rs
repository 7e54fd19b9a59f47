//! Accepts exchanges and learns from them.

pub mod dry_run;
pub(crate) mod echo_marks;
mod echoes;
mod extraction;
pub(crate) mod in_flight;
pub mod inbox;
pub(super) mod keep;
pub mod learn;
pub(crate) mod lesson;
pub(crate) mod provider;
mod retry;
mod unread;
pub mod usage;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::extractor::Extractor;
use crate::ports::store::Store;
use crate::service::chat::Chat;
use crate::service::facts::propose::Proposals;
use crate::service::learning::in_flight::TextsInFlight;
use crate::service::learning::in_flight::Unfinished;
use crate::service::learning::lesson::Lessons;
use crate::service::learning::provider::ProviderPresence;
use crate::service::learning::usage::ModelBudget;
use crate::service::reading::TextReader;
use crate::service::settings::current::CurrentSettings;

/// Learns from exchanges of the inbox.
pub struct Learning {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) extractor: Arc<dyn Extractor>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    pub(crate) reader: TextReader,
    pub(crate) settings: CurrentSettings,
    pub(crate) chat: Arc<Chat>,
    pub(crate) in_flight: Arc<TextsInFlight>,
    pub(crate) model_budget: Arc<ModelBudget>,
    pub(crate) proposals: Arc<Proposals>,
    pub(crate) lessons: Arc<Lessons>,
    pub(crate) provider: Arc<ProviderPresence>,
    pub(crate) unfinished: Unfinished,
}
