//! The settings in force, and how they are read from a database.

use tokio::sync::watch;

use crate::Result;
use domain::settings::{CROWDED_THRESHOLDS, LEXICAL_THRESHOLDS, MINILM_THRESHOLDS, Settings, Spec, Thresholds, Value};
use ports::embedder::EmbedderFamily;
use ports::store::Store;

/// The thresholds that fit an embedder.
pub(super) fn thresholds(family: EmbedderFamily) -> Thresholds {
    match family {
        EmbedderFamily::MiniLm => MINILM_THRESHOLDS,
        EmbedderFamily::Crowded => CROWDED_THRESHOLDS,
        EmbedderFamily::Lexical => LEXICAL_THRESHOLDS,
    }
}

/// The settings of a database: the defaults for the embedder, overridden by what operators set.
pub async fn load(store: &dyn Store, family: EmbedderFamily) -> Result<Settings> {
    let mut settings = Settings::defaults(thresholds(family));
    for stored in store.stored_settings().await? {
        if let (Ok(spec), Ok(value)) = (Spec::find(&stored.key), serde_json::from_str::<Value>(&stored.value)) {
            settings.set(spec, value)?;
        }
    }
    Ok(settings)
}

/// The settings in force. Clones share them.
#[derive(Clone)]
pub struct CurrentSettings(watch::Sender<Settings>);

impl CurrentSettings {
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self(watch::Sender::new(settings))
    }

    #[must_use]
    pub fn get(&self) -> Settings {
        self.0.borrow().clone()
    }

    pub(super) fn replace(&self, settings: Settings) {
        self.0.send_if_modified(|current| {
            let changed = *current != settings;
            *current = settings;
            changed
        });
    }
}
