//! The use cases, one module for each subject. Every surface calls these; only they make decisions.

pub mod audit;
pub mod blocks;
pub mod chat;
pub mod database;
pub mod erasure;
pub mod error;
pub mod facts;
pub mod insight;
pub mod learning;
pub mod memories;
pub mod notify;
pub mod people;
mod reading;
pub mod recall;
pub mod settings;
pub mod transfer;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;

use crate::access::digest::Digester;
use crate::ports::clock::Clock;
use crate::ports::embedder::Embedder;
use crate::ports::extractor::Extractor;
use crate::ports::store::Store;
use crate::ports::store::custody::Custody;
use crate::service::erasure::epoch::Epochs;
use crate::service::facts::batch::ArrivalBatch;
use crate::service::notify::live::Live;
use crate::service::reading::TextReader;
use crate::service::settings::change::{CurrentSettings, LiveSettings};

// Types in the interfaces of use cases, so that surfaces need not name the ports.
pub use crate::ports::store::Cause;
pub use crate::ports::store::facts::{ConfidenceRange, Fact, FactFilter, FactMerge, FactOrder, SortKey, Sources, TextFilter};
pub use crate::ports::store::memories::{Memory, MemoryFilter, Page, Place};
pub use error::{Error, Result};

/// The parts of the areas: the ports, and the state that they share within a process.
#[derive(Clone)]
pub struct Parts {
    /// For serving requests.
    pub store: Arc<dyn Store>,
    /// The same database, for work on all of it.
    pub custody: Arc<dyn Custody>,
    pub embedder: Arc<dyn Embedder>,
    pub extractor: Arc<dyn Extractor>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    current: CurrentSettings,
    epochs: Epochs,
    batch: Arc<ArrivalBatch>,
    live: Arc<Live>,
    uses: Arc<people::key_uses::Uses>,
    damage: Arc<OnceLock<String>>,
    counts: Arc<recall::counts::Pending>,
    marks: Arc<learning::echoes::Marks>,
    inbox: Arc<Notify>,
    erasing: Arc<erasure::pending::Orders>,
    provider: Arc<learning::provider::ProviderPresence>,
    unfinished: learning::in_flight::Unfinished,
    in_hand: learning::in_flight::InHand,
    block_turns: blocks::Turns,
}

/// The use cases. Cheap to clone; one per process.
///
/// Audit, database, insight, notify, people and settings are areas of their own, each with the parts that it uses. The methods
/// here belong to the other modules, and use the parts themselves.
#[derive(Clone)]
pub struct Keepsake {
    parts: Arc<Parts>,
    pub audit: audit::Audit,
    pub database: database::Database,
    pub insight: insight::Insight,
    pub notify: notify::Notify,
    pub people: people::People,
    pub settings: LiveSettings,
}

impl Deref for Keepsake {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Keepsake {
    /// Creates it from its parts. Settings come from the database, or else from the defaults for this embedder.
    pub async fn new(
        store: Arc<dyn Store>,
        custody: Arc<dyn Custody>,
        embedder: Arc<dyn Embedder>,
        extractor: Arc<dyn Extractor>,
        clock: Arc<dyn Clock>,
        digester: Digester,
    ) -> Result<Self> {
        let current = CurrentSettings::new(settings::change::load(store.as_ref(), embedder.family()).await?);
        Ok(Self::assembled(Parts {
            reader: TextReader::new(extractor.clone(), embedder.clone(), current.clone()),
            epochs: Epochs { store: store.clone(), digester: digester.clone() },
            batch: Arc::new(ArrivalBatch::new(Duration::ZERO)),
            live: Arc::default(),
            uses: Arc::default(),
            damage: Arc::default(),
            counts: Arc::default(),
            marks: Arc::default(),
            inbox: Arc::default(),
            erasing: Arc::default(),
            provider: Arc::default(),
            unfinished: learning::in_flight::Unfinished::default(),
            in_hand: learning::in_flight::InHand::default(),
            block_turns: blocks::Turns::default(),
            store,
            custody,
            embedder,
            extractor,
            clock,
            digester,
            current,
        }))
    }

    fn assembled(parts: Parts) -> Self {
        let Parts { store, custody, embedder, clock, digester, reader, current, batch, live, uses, damage, .. } = &parts;
        Self {
            audit: audit::Audit { store: store.clone(), clock: clock.clone() },
            database: database::Database {
                store: store.clone(),
                custody: custody.clone(),
                clock: clock.clone(),
                digester: digester.clone(),
                damage: damage.clone(),
            },
            insight: insight::Insight {
                store: store.clone(),
                embedder: embedder.clone(),
                clock: clock.clone(),
                reader: reader.clone(),
            },
            notify: notify::Notify {
                store: store.clone(),
                clock: clock.clone(),
                digester: digester.clone(),
                settings: current.clone(),
                batch: batch.clone(),
                live: live.clone(),
            },
            people: people::People {
                store: store.clone(),
                custody: custody.clone(),
                clock: clock.clone(),
                digester: digester.clone(),
                reader: reader.clone(),
                uses: uses.clone(),
                batch: batch.clone(),
            },
            settings: LiveSettings {
                store: store.clone(),
                custody: custody.clone(),
                clock: clock.clone(),
                family: embedder.family(),
                current: current.clone(),
            },
            parts: Arc::new(parts),
        }
    }

    /// Sets the interval for batching arrivals, and live updates about learned items.
    #[must_use]
    pub fn with_arrival_batch(self, length: Duration) -> Self {
        let (batch, live) = (Arc::new(ArrivalBatch::new(length)), Arc::default());
        Self::assembled(Parts { batch, live, ..(*self.parts).clone() })
    }

    /// Sets how long a text may take to be read.
    #[must_use]
    pub fn with_reading_within(self, within: Duration) -> Self {
        let reader = self.parts.reader.clone().within(within);
        Self::assembled(Parts { reader, ..(*self.parts).clone() })
    }

    /// The time within which statements for the team reach the queue.
    #[must_use]
    pub fn arrival_batch(&self) -> Duration {
        self.batch.length()
    }
}
