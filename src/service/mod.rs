//! The use cases, one file for each business action. Every surface calls these; only they make decisions.

mod arrivals;
pub mod audit;
pub mod audit_list;
pub mod backup;
pub mod blocks;
pub mod by_command;
pub mod carry_over;
pub mod chat_record;
mod claims;
pub mod commands;
pub mod counts;
pub mod decide;
pub mod dry_run;
pub mod duel;
mod echoes;
pub mod ending;
pub mod erase;
pub mod error;
pub mod explain;
pub mod export;
mod extraction;
pub mod fact_list;
mod fence;
pub mod forget;
pub mod gate_panel;
pub mod impact;
mod in_hand;
pub mod inbox;
mod keep;
mod key_uses;
pub mod keys;
pub mod learn;
pub mod ledger;
mod lesson;
pub mod likeness;
pub mod links;
pub mod live;
pub mod memories;
pub mod notes;
pub mod operators;
mod orders;
pub mod pipelines;
pub mod preferences;
pub mod profile;
pub mod proof;
pub mod propose;
mod provider;
mod reading;
pub mod recall;
pub mod receipts;
pub mod reembed;
pub mod rehearse;
pub mod remember;
pub mod replay;
pub mod review;
pub mod sample;
pub mod split;
pub mod start;
pub mod stats;
pub mod take_back;
pub mod take_in;
pub mod tools;
pub mod tune;
pub mod turns;
mod unread;
pub mod usage;
pub mod user_prompt;
pub mod users;
pub mod views;
pub mod webhooks;
pub mod workload;

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
    counts: Arc<counts::Pending>,
    uses: Arc<key_uses::Uses>,
    marks: Arc<echoes::Marks>,
    inbox: Arc<Notify>,
    erasing: Arc<orders::Orders>,
    provider: Arc<provider::Provider>,
    readers: reading::Readers,
    unfinished: in_hand::Unfinished,
    in_hand: in_hand::InHand,
    block_turns: blocks::Turns,
    pub live: Arc<live::Live>,
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
        let settings = watch::Sender::new(tune::load(store.as_ref(), embedder.family()).await?);
        let live = Arc::new(live::Live::new(std::time::Duration::ZERO));
        let (counts, marks, inbox, erasing, provider) = Default::default();
        let uses = Arc::default();
        let (damage, readers, unfinished) = (Arc::default(), reading::Readers::default(), in_hand::Unfinished::default());
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
            in_hand: in_hand::InHand::default(),
            block_turns: blocks::Turns::default(),
            live,
            damage,
        })
    }

    /// Sets the interval for batching live updates about learned items.
    #[must_use]
    pub fn with_arrival_batch(mut self, batch: std::time::Duration) -> Self {
        self.live = Arc::new(live::Live::new(batch));
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
