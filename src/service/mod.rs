//! The use cases, a room for each subject. Every surface calls these; only they make decisions.

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

use std::sync::{Arc, OnceLock};

use tokio::sync::{Notify, watch};

use crate::access::digest::Digester;
use crate::domain::settings::Settings;
use crate::ports::clock::Clock;
use crate::ports::embedder::{Embedder, Vector};
use crate::ports::extractor::Extractor;
use crate::ports::store::Store;
use crate::ports::store::custody::Custody;

// Types in the interfaces of use cases, so that surfaces need not name the ports.
pub use crate::ports::store::Cause;
pub use crate::ports::store::facts::{ConfidenceRange, Fact, FactFilter, FactMerge, FactOrder, SortKey, Sources, TextFilter};
pub use crate::ports::store::memories::{Memory, MemoryFilter, Page, Place};
pub use error::{Error, Result};

/// Everything that use cases need. Cheap to clone; one per process.
#[derive(Clone)]
pub struct Keepsake {
    /// For serving requests.
    pub store: Arc<dyn Store>,
    /// The same database, for work on all of it.
    pub custody: Arc<dyn Custody>,
    pub embedder: Arc<dyn Embedder>,
    pub extractor: Arc<dyn Extractor>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    settings: watch::Sender<Settings>,
    counts: Arc<recall::counts::Pending>,
    uses: Arc<people::key_uses::Uses>,
    marks: Arc<learning::echoes::Marks>,
    inbox: Arc<Notify>,
    erasing: Arc<erasure::pending::Orders>,
    provider: Arc<learning::provider::Provider>,
    readers: reading::Readers,
    unfinished: learning::in_flight::Unfinished,
    in_hand: learning::in_flight::InHand,
    block_turns: blocks::Turns,
    pub live: Arc<notify::live::Live>,
    damage: Arc<OnceLock<String>>,
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
        let settings = watch::Sender::new(settings::change::load(store.as_ref(), embedder.family()).await?);
        let live = Arc::new(notify::live::Live::new(std::time::Duration::ZERO));
        let (counts, marks, inbox, erasing, provider) = Default::default();
        let uses = Arc::default();
        let (damage, readers, unfinished) =
            (Arc::default(), reading::Readers::default(), learning::in_flight::Unfinished::default());
        Ok(Self {
            store,
            custody,
            embedder,
            extractor,
            clock,
            digester,
            settings,
            counts,
            uses,
            marks,
            inbox,
            erasing,
            provider,
            readers,
            unfinished,
            in_hand: learning::in_flight::InHand::default(),
            block_turns: blocks::Turns::default(),
            live,
            damage,
        })
    }

    /// Sets the interval for batching live updates about learned items.
    #[must_use]
    pub fn with_arrival_batch(mut self, batch: std::time::Duration) -> Self {
        self.live = Arc::new(notify::live::Live::new(batch));
        self
    }

    /// Within this time what is said for the team reaches the queue.
    #[must_use]
    pub fn arrival_batch(&self) -> std::time::Duration {
        self.live.batch_ms().map_or(std::time::Duration::ZERO, |ms| std::time::Duration::from_millis(ms.unsigned_abs()))
    }

    /// The current settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings.borrow().clone()
    }

    async fn embed_one(&self, text: &str) -> Result<Vector> {
        let mut vectors = self.embedder.embed(&[text.to_owned()]).await?;
        vectors.pop().ok_or_else(|| Error::failed("the embedder returned no vector"))
    }
}
