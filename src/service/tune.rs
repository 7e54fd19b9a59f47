//! Live settings: read, changed with a version and a history, in force on the next request.

use super::audit::{self, Actor, Entry};
use super::{Error, Keepsake, Result};
use crate::domain::problem::{Field, Problem};
use crate::domain::settings::{CROWDED_THRESHOLDS, LEXICAL_THRESHOLDS, MINILM_THRESHOLDS, SPECS, Settings, Spec, Value};
use crate::ports::embedder::EmbedderFamily;
use crate::ports::store::desk::StoredSetting;
use crate::ports::store::{Store, atomically};

/// The settings of a database: the defaults for the embedder, overridden by what operators set.
pub(super) async fn load(store: &dyn Store, family: EmbedderFamily) -> Result<Settings> {
    let thresholds = match family {
        EmbedderFamily::MiniLm => MINILM_THRESHOLDS,
        EmbedderFamily::Crowded => CROWDED_THRESHOLDS,
        EmbedderFamily::Lexical => LEXICAL_THRESHOLDS,
    };
    let mut settings = Settings::defaults(thresholds);
    for stored in store.stored_settings().await? {
        if let (Ok(spec), Ok(value)) = (Spec::find(&stored.key), serde_json::from_str::<Value>(&stored.value)) {
            settings.set(spec, value)?;
        }
    }
    Ok(settings)
}

/// Reads a value as JSON has it.
pub fn parse(text: &str) -> std::result::Result<Value, Problem> {
    serde_json::from_str(text.trim()).map_err(|_| Problem::invalid(Field::Value, "must be true, false, a number or null"))
}

impl Keepsake {
    /// Every setting with the value in force.
    #[must_use]
    pub fn all_settings(&self) -> Vec<(&'static Spec, Value)> {
        let settings = self.settings();
        SPECS.iter().map(|spec| (spec, settings.get(spec))).collect()
    }

    /// Changes one setting: checked, versioned, recorded, and in force when this returns.
    pub async fn set(&self, actor: &Actor, key: &str, value: Value) -> Result<()> {
        let spec = Spec::find(key)?;
        let value = spec.check(value)?;
        let old = self.settings().get(spec).to_string();
        let now = self.clock.now();
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let old = &old;
            Box::pin(async move {
                let stored = tx.setting(spec.key).await?;
                let old = stored.as_ref().map_or(old, |stored| &stored.value);
                let new = StoredSetting {
                    key: spec.key.to_owned(),
                    value: value.to_string(),
                    version: stored.as_ref().map_or(1, |stored| stored.version + 1),
                };
                tx.write_setting(&new, Some(old), actor.id(), now).await?;
                let entry = Entry {
                    actor: actor.clone(),
                    action: "setting.changed",
                    target: Some(spec.key.to_owned()),
                    user_digest: None,
                    detail: Some(format!("{old} → {value}")),
                };
                Ok(audit::append(tx, now, entry).await?)
            })
        })
        .await?;
        self.reload_settings().await
    }

    /// Puts in force what the database says, after another process changed it.
    pub async fn reload_settings(&self) -> Result<()> {
        let settings = load(self.store.as_ref(), self.embedder.family()).await?;
        self.settings.send_if_modified(|current| {
            let changed = *current != settings;
            *current = settings;
            changed
        });
        Ok(())
    }
}
