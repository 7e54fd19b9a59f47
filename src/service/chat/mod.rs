//! Chat data of a user: commands, notes, preferences, profile and turns.

pub mod chat_record;
pub mod commands;
pub mod links;
pub mod notes;
pub mod preferences;
pub mod profile;
pub mod tools;
pub mod turns;
pub mod user_prompt;

use std::sync::Arc;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::store::Store;
use crate::service::blocks::Blocks;
use crate::service::erasure::epoch::Epochs;
use crate::service::people::People;
use crate::service::reading::TextReader;
use crate::service::settings::current::CurrentSettings;

/// What users keep with their assistants: notes, preferences, profile and turns.
pub struct Chat {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) digester: Digester,
    pub(crate) reader: TextReader,
    pub(crate) settings: CurrentSettings,
    pub(crate) epochs: Epochs,
    pub(crate) people: Arc<People>,
    pub(crate) blocks: Arc<Blocks>,
}
