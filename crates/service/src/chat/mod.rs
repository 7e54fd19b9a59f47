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

use crate::blocks::Blocks;
use crate::erasure::epoch::Epochs;
use crate::people::People;
use crate::reading::TextReader;
use crate::settings::current::CurrentSettings;
use access::digest::Digester;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::store::Store;

/// What users keep with their assistants: notes, preferences, profile and turns.
pub struct Chat {
    pub store: Arc<dyn Store>,
    pub embedder: Arc<dyn Embedder>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub settings: CurrentSettings,
    pub epochs: Epochs,
    pub people: Arc<People>,
    pub blocks: Arc<Blocks>,
}
