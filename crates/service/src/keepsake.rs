//! The product as one value, for its surfaces.

use std::sync::Arc;

use crate as service;
use crate::reading::TextReader;
use access::digest::Digester;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::store::Store;

/// The areas of the product, and the ports that surfaces use themselves. Cheap to clone; one per process. `cli::wiring` puts it
/// together.
#[derive(Clone)]
pub struct Keepsake {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub audit: Arc<service::audit::Audit>,
    pub blocks: Arc<service::blocks::Blocks>,
    pub chat: Arc<service::chat::Chat>,
    pub commands: Arc<service::chat::commands::ChatCommands>,
    pub counts: Arc<service::recall::counts::RecallCounts>,
    pub database: Arc<service::database::Database>,
    pub erasure: Arc<service::erasure::Erasures>,
    pub exports: Arc<service::erasure::export::Exports>,
    pub facts: Arc<service::facts::Facts>,
    pub in_flight: Arc<service::learning::in_flight::TextsInFlight>,
    pub inbox: Arc<service::learning::inbox::Inbox>,
    pub insight: Arc<service::insight::Insight>,
    pub key_uses: Arc<service::people::key_uses::KeyUses>,
    pub learning: Arc<service::learning::Learning>,
    pub links: Arc<service::chat::links::ChatLinks>,
    pub memories: Arc<service::memories::Memories>,
    pub memory_tool: Arc<service::blocks::MemoryTool>,
    pub model_budget: Arc<service::learning::usage::ModelBudget>,
    pub notify: Arc<service::notify::Notify>,
    pub people: Arc<service::people::People>,
    pub pipelines: Arc<service::blocks::Pipelines>,
    pub proposals: Arc<service::facts::propose::Proposals>,
    pub recall: Arc<service::recall::Recall>,
    pub settings: Arc<service::settings::change::LiveSettings>,
    pub transfer: Arc<service::transfer::Transfer>,
    pub user_blocks: Arc<service::blocks::UserBlocks>,
    pub versions: Arc<service::blocks::BlockVersions>,
}
