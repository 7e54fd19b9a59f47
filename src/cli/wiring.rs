//! Puts the areas of the product together.

use std::sync::Arc;
use std::time::Duration;

use access::digest::Digester;
use ports::clock::Clock;
use ports::embedder::Embedder;
use ports::extractor::Extractor;
use ports::store::Store;
use ports::store::custody::Custody;
use service::audit::Audit;
use service::blocks::{BlockVersions, Blocks, MemoryTool, Pipelines, Turns, UserBlocks};
use service::chat::Chat;
use service::chat::commands::ChatCommands;
use service::chat::links::ChatLinks;
use service::database::Database;
use service::erasure::Erasures;
use service::erasure::epoch::Epochs;
use service::erasure::export::Exports;
use service::erasure::pending::Orders;
use service::facts::Facts;
use service::facts::batch::ArrivalBatch;
use service::facts::propose::Proposals;
use service::insight::Insight;
use service::learning::Learning;
use service::learning::echo_marks::{EchoMarks, Marks};
use service::learning::in_flight::{HeldTexts, TextsInFlight, Unfinished};
use service::learning::inbox::Inbox;
use service::learning::lesson::Lessons;
use service::learning::provider::ProviderPresence;
use service::learning::usage::ModelBudget;
use service::memories::Memories;
use service::notify::Notify;
use service::people::People;
use service::people::key_uses::{Collected, KeyUses};
use service::reading::TextReader;
use service::recall::Recall;
use service::recall::counts::{Pending, RecallCounts};
use service::settings::change::LiveSettings;
use service::settings::current::{self, CurrentSettings};
use service::transfer::Transfer;
use service::{self, Keepsake};

/// What the areas are made of.
#[derive(Clone)]
pub struct Ports {
    /// For serving requests.
    pub store: Arc<dyn Store>,
    /// The same database, for work on all of it.
    pub custody: Arc<dyn Custody>,
    pub embedder: Arc<dyn Embedder>,
    pub extractor: Arc<dyn Extractor>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
}

/// Times of a process.
#[derive(Clone, Copy, Default)]
pub struct Timing {
    /// The interval for batching arrivals, and live updates about learned items; zero: nothing waits.
    pub arrival_batch: Duration,
    /// How long a text may take to be read; `None`: the default.
    pub reading_within: Option<Duration>,
}

/// An area with clones of these parts, and its own state.
macro_rules! area {
    ($area:ident { $($part:ident),* } $(with { $($field:ident: $value:expr),* })?) => {
        Arc::new($area { $($part: $part.clone(),)* $($($field: $value,)*)? })
    };
}

/// Puts the areas together. Settings come from the database, or else from the defaults for this embedder.
pub async fn compose(ports: Ports, timing: Timing) -> service::Result<Keepsake> {
    let Ports { store, custody, embedder, extractor, clock, digester } = ports;
    let settings = CurrentSettings::new(current::load(store.as_ref(), embedder.family()).await?);
    let reader = TextReader::new(extractor.clone(), embedder.clone(), settings.clone());
    let reader = timing.reading_within.into_iter().fold(reader, TextReader::within);
    let epochs = Epochs { store: store.clone(), digester: digester.clone() };
    let batch = Arc::new(ArrivalBatch::new(timing.arrival_batch));
    let provider = Arc::<ProviderPresence>::default();
    let turns = Turns::default();
    let key_uses = area!(KeyUses { store, clock, batch } with { collected: Collected::default() });
    let people = area!(People { store, custody, clock, digester, reader });
    let live_settings =
        area!(LiveSettings { store, custody, clock } with { family: embedder.family(), current: settings.clone() });
    let audit = area!(Audit { store, clock });
    let database = area!(Database { store, custody, clock, digester } with { damage: Arc::default() });
    let insight = area!(Insight { store, embedder, clock, reader });
    let notify = area!(Notify { store, clock, digester, settings, batch } with { live: Arc::default() });
    let echoes = area!(EchoMarks { clock, digester } with { marks: Marks::default() });
    let counts = area!(RecallCounts { store } with { waiting: Pending::default() });
    let in_flight = area!(TextsInFlight { store, digester } with { texts: HeldTexts::default() });
    let model_budget = area!(ModelBudget { store, extractor, clock, settings });
    let blocks = area!(Blocks { store, custody, clock, digester, reader, settings, epochs, turns });
    let versions = area!(BlockVersions { store, custody, clock, digester, blocks });
    let pipelines = area!(Pipelines { store, custody, clock, digester, settings, epochs, turns, blocks });
    let memory_tool = area!(MemoryTool { store, turns, blocks });
    let user_blocks = area!(UserBlocks { store, clock, settings, people, blocks, versions });
    let chat = area!(Chat { store, embedder, clock, digester, reader, settings, epochs, people, blocks });
    let links = area!(ChatLinks { store, clock, digester, epochs });
    let memories = area!(Memories { store, custody, embedder, clock, digester, reader, settings, epochs, people, echoes });
    let facts = area!(Facts { store, embedder, clock, digester, reader, settings, echoes });
    let proposals = area!(Proposals { store, embedder, clock, digester, reader, settings, epochs, batch, key_uses });
    let recall = area!(Recall { store, embedder, clock, digester, settings, blocks, echoes, counts });
    let inbox =
        area!(Inbox { store, clock, digester, reader, memories, model_budget } with { arrived: tokio::sync::Notify::new() });
    let lessons = area!(Lessons { store, embedder, extractor, clock, reader, echoes, in_flight, model_budget, recall, provider });
    let learning = area!(Learning {
        store, embedder, extractor, clock, digester, reader, settings, chat, in_flight, model_budget, proposals, lessons, provider
    } with { unfinished: Unfinished::default() });
    let exports = area!(Exports { store, clock, digester, people, blocks, memories });
    let erasure = area!(Erasures {
        store, custody, embedder, clock, digester, reader, people, exports, in_flight, counts
    } with { pending: Orders::default() });
    let commands = area!(ChatCommands { store, clock, digester, reader, epochs, chat, memories, erasure });
    let transfer = area!(Transfer { store, embedder, clock, digester, reader, settings, epochs, erasure, inbox });
    Ok(Keepsake {
        store,
        embedder,
        clock,
        digester,
        reader,
        settings: live_settings,
        audit,
        blocks,
        chat,
        commands,
        counts,
        database,
        erasure,
        exports,
        facts,
        in_flight,
        inbox,
        key_uses,
        insight,
        learning,
        links,
        memories,
        memory_tool,
        model_budget,
        notify,
        people,
        pipelines,
        proposals,
        recall,
        transfer,
        user_blocks,
        versions,
    })
}
