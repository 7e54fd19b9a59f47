//! Puts the areas of the product together.

use std::sync::Arc;
use std::time::Duration;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::extractor::Extractor;
use crate::ports::store::Store;
use crate::ports::store::custody::Custody;
use crate::service::erasure::epoch::Epochs;
use crate::service::facts::batch::ArrivalBatch;
use crate::service::reading::TextReader;
use crate::service::settings::current::{self, CurrentSettings};
use crate::service::{self, Keepsake};

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

/// Puts the areas together. Settings come from the database, or else from the defaults for this embedder.
pub async fn compose(ports: Ports, timing: Timing) -> service::Result<Keepsake> {
    let Ports { store, custody, embedder, extractor, clock, digester } = ports;
    let settings = CurrentSettings::new(current::load(store.as_ref(), embedder.family()).await?);
    let reader = TextReader::new(extractor.clone(), embedder.clone(), settings.clone());
    let reader = timing.reading_within.into_iter().fold(reader, TextReader::within);
    let epochs = Epochs { store: store.clone(), digester: digester.clone() };
    let batch = Arc::new(ArrivalBatch::new(timing.arrival_batch));
    let key_uses = Arc::new(service::people::key_uses::KeyUses {
        store: store.clone(),
        clock: clock.clone(),
        batch: batch.clone(),
        collected: service::people::key_uses::Collected::default(),
    });
    let provider = Arc::<service::learning::provider::ProviderPresence>::default();
    let turns = service::blocks::Turns::default();
    let people = Arc::new(service::people::People {
        store: store.clone(),
        custody: custody.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
    });
    let live_settings = Arc::new(service::settings::change::LiveSettings {
        store: store.clone(),
        custody: custody.clone(),
        clock: clock.clone(),
        family: embedder.family(),
        current: settings.clone(),
    });
    let audit = Arc::new(service::audit::Audit { store: store.clone(), clock: clock.clone() });
    let database = Arc::new(service::database::Database {
        store: store.clone(),
        custody: custody.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        damage: Arc::default(),
    });
    let insight = Arc::new(service::insight::Insight {
        store: store.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        reader: reader.clone(),
    });
    let notify = Arc::new(service::notify::Notify {
        store: store.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        settings: settings.clone(),
        batch: batch.clone(),
        live: Arc::default(),
    });
    let echoes = Arc::new(service::learning::echo_marks::EchoMarks {
        clock: clock.clone(),
        digester: digester.clone(),
        marks: service::learning::echo_marks::Marks::default(),
    });
    let counts = Arc::new(service::recall::counts::RecallCounts {
        store: store.clone(),
        waiting: service::recall::counts::Pending::default(),
    });
    let in_flight = Arc::new(service::learning::in_flight::InFlight {
        store: store.clone(),
        digester: digester.clone(),
        texts: service::learning::in_flight::InHand::default(),
    });
    let model_budget = Arc::new(service::learning::usage::ModelBudget {
        store: store.clone(),
        extractor: extractor.clone(),
        clock: clock.clone(),
        settings: settings.clone(),
    });
    let blocks = Arc::new(service::blocks::Blocks {
        store: store.clone(),
        custody: custody.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        settings: settings.clone(),
        epochs: epochs.clone(),
        turns: turns.clone(),
    });
    let versions = Arc::new(service::blocks::BlockVersions {
        store: store.clone(),
        custody: custody.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        blocks: blocks.clone(),
    });
    let pipelines = Arc::new(service::blocks::Pipelines {
        store: store.clone(),
        custody: custody.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        settings: settings.clone(),
        epochs: epochs.clone(),
        turns: turns.clone(),
        blocks: blocks.clone(),
    });
    let memory_tool =
        Arc::new(service::blocks::MemoryTool { store: store.clone(), turns: turns.clone(), blocks: blocks.clone() });
    let user_blocks = Arc::new(service::blocks::UserBlocks {
        store: store.clone(),
        clock: clock.clone(),
        settings: settings.clone(),
        people: people.clone(),
        blocks: blocks.clone(),
        versions: versions.clone(),
    });
    let chat = Arc::new(service::chat::Chat {
        store: store.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        settings: settings.clone(),
        epochs: epochs.clone(),
        people: people.clone(),
        blocks: blocks.clone(),
    });
    let links = Arc::new(service::chat::links::ChatLinks {
        store: store.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        epochs: epochs.clone(),
    });
    let memories = Arc::new(service::memories::Memories {
        store: store.clone(),
        custody: custody.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        settings: settings.clone(),
        epochs: epochs.clone(),
        people: people.clone(),
        echoes: echoes.clone(),
    });
    let facts = Arc::new(service::facts::Facts {
        store: store.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        settings: settings.clone(),
        echoes: echoes.clone(),
    });
    let proposals = Arc::new(service::facts::propose::Proposals {
        store: store.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        settings: settings.clone(),
        epochs: epochs.clone(),
        batch: batch.clone(),
        key_uses: key_uses.clone(),
    });
    let recall = Arc::new(service::recall::Recall {
        store: store.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        settings: settings.clone(),
        blocks: blocks.clone(),
        echoes: echoes.clone(),
        counts: counts.clone(),
    });
    let inbox = Arc::new(service::learning::inbox::Inbox {
        store: store.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        memories: memories.clone(),
        arrived: tokio::sync::Notify::new(),
        model_budget: model_budget.clone(),
    });
    let lessons = Arc::new(service::learning::lesson::Lessons {
        store: store.clone(),
        embedder: embedder.clone(),
        extractor: extractor.clone(),
        clock: clock.clone(),
        reader: reader.clone(),
        echoes: echoes.clone(),
        in_flight: in_flight.clone(),
        model_budget: model_budget.clone(),
        recall: recall.clone(),
        provider: provider.clone(),
    });
    let learning = Arc::new(service::learning::Learning {
        store: store.clone(),
        embedder: embedder.clone(),
        extractor: extractor.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        settings: settings.clone(),
        chat: chat.clone(),
        in_flight: in_flight.clone(),
        model_budget: model_budget.clone(),
        proposals: proposals.clone(),
        lessons: lessons.clone(),
        provider: provider.clone(),
        unfinished: service::learning::in_flight::Unfinished::default(),
    });
    let exports = Arc::new(service::erasure::export::Exports {
        store: store.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        people: people.clone(),
        blocks: blocks.clone(),
        memories: memories.clone(),
    });
    let erasure = Arc::new(service::erasure::Erasures {
        store: store.clone(),
        custody: custody.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        people: people.clone(),
        exports: exports.clone(),
        in_flight: in_flight.clone(),
        counts: counts.clone(),
        pending: service::erasure::pending::Orders::default(),
    });
    let commands = Arc::new(service::chat::commands::ChatCommands {
        store: store.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        epochs: epochs.clone(),
        chat: chat.clone(),
        memories: memories.clone(),
        erasure: erasure.clone(),
    });
    let transfer = Arc::new(service::transfer::Transfer {
        store: store.clone(),
        embedder: embedder.clone(),
        clock: clock.clone(),
        digester: digester.clone(),
        reader: reader.clone(),
        settings: settings.clone(),
        epochs: epochs.clone(),
        erasure: erasure.clone(),
        inbox: inbox.clone(),
    });
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
