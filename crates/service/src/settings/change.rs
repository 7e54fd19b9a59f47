//! Live settings: read, changed with a version and a history, effective on the next request.
//!
//! A change names the versions that it was based on; if a setting has been changed meanwhile, the change is refused and
//! overwrites nothing. Lowering the number of contributors promotes nothing unless that is requested, and then in the same
//! transaction.

use std::sync::Arc;

use crate::audit::{self, Actor, Entry};
use crate::facts::propose::promote_all_due;
use crate::settings::current::{CurrentSettings, load};
use crate::transactions::atomically;
use crate::{Error, Result};
use access::operators::{Manager, Reviewer, Viewer};
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use domain::settings::{SPECS, Settings, Spec, Value};
use ports::clock::Clock;
use ports::embedder::EmbedderFamily;
use ports::store::Store;
use ports::store::custody::Custody;
use ports::store::operate::settings::SettingChange;
use ports::store::operate::settings::StoredSetting;

/// Lines of history on one page.
pub const HISTORY_PAGE: u32 = 60;
/// Lowering this setting may promote facts that already qualify.
pub const PROMOTE: &str = "promote.contributors";

/// Parses a JSON value.
pub fn parse(text: &str) -> std::result::Result<Value, Problem> {
    let text = text.trim();
    // A word may lack the quotes that JSON asks for: a shell removes them.
    let word = || serde_json::from_value(text.into());
    serde_json::from_str(text)
        .or_else(|_| word())
        .map_err(|_| Problem::invalid(Field::Value, "must be true, false, a number, a word that the setting knows, or null"))
}

/// Live settings: read, previewed and changed.
pub struct LiveSettings {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub clock: Arc<dyn Clock>,
    /// The embedder family whose thresholds are the defaults.
    pub family: EmbedderFamily,
    pub current: CurrentSettings,
}

/// A requested value.
#[derive(Debug, Clone)]
pub struct SettingRequest {
    pub key: String,
    pub value: Value,
    /// The version it was based on; `None`: any.
    pub seen: Option<i64>,
}

/// The result.
#[derive(Debug, Clone, Default)]
pub struct Applied {
    pub changes: Vec<ChangedSetting>,
    /// Pending facts that were promoted with it.
    pub promoted: u32,
}

/// One setting that changed.
#[derive(Debug, Clone)]
pub struct ChangedSetting {
    pub spec: &'static Spec,
    pub from: Value,
    pub to: Value,
    pub version: i64,
}

/// The current state of a setting, with its version and who changed it last.
#[derive(Debug, Clone)]
pub struct SettingState {
    pub spec: &'static Spec,
    pub value: Value,
    /// 0: never changed.
    pub version: i64,
    pub last: Option<LastChange>,
}

/// The last change of a setting: the operator, the former value and the time.
#[derive(Debug, Clone)]
pub struct LastChange {
    pub by: String,
    /// Changed by the operator who asks.
    pub own: bool,
    pub from: Value,
    pub at: Moment,
}

/// Settings that were changed together.
#[derive(Debug, Clone)]
pub struct ChangeSet {
    /// Sequence number of its oldest line, where the next page starts.
    pub seq: i64,
    pub by: String,
    pub at: Moment,
    /// Setting, old value, new value.
    pub lines: Vec<(&'static Spec, Value, Value)>,
}

impl LiveSettings {
    /// The settings in force.
    #[must_use]
    pub fn current(&self) -> Settings {
        self.current.get()
    }

    /// Every setting with its current value.
    #[must_use]
    pub fn all_settings(&self) -> Vec<(&'static Spec, Value)> {
        let settings = self.current();
        SPECS.iter().map(|spec| (spec, settings.get(spec))).collect()
    }

    /// The current state of every setting in the database, in display order.
    pub async fn states(&self, viewer: &Viewer) -> Result<Vec<SettingState>> {
        let settings = load(self.store.as_ref(), self.family).await?;
        let stored = self.store.stored_settings().await?;
        let last = self.store.last_changes().await?;
        let mut states = Vec::with_capacity(SPECS.len());
        for spec in &SPECS {
            let last = match last.iter().find(|change| change.key == spec.key) {
                Some(change) => Some(LastChange {
                    by: self.actor_name(&change.by).await?,
                    own: change.by == viewer.id(),
                    from: before(spec, change),
                    at: change.at,
                }),
                None => None,
            };
            let version = stored.iter().find(|setting| setting.key == spec.key).map_or(0, |setting| setting.version);
            states.push(SettingState { spec, value: settings.get(spec), version, last });
        }
        Ok(states)
    }

    /// Changes one setting, whatever its current value.
    pub async fn set(&self, actor: &Actor, key: &str, value: Value) -> Result<()> {
        self.change_settings(actor, &[SettingRequest { key: key.to_owned(), value, seen: None }], false).await.map(|_| ())
    }

    /// Changes settings as an operator. If a reviewer is given, facts that already qualify under the new number of contributors
    /// are promoted in the same transaction.
    pub async fn tune(&self, manager: &Manager, requests: &[SettingRequest], promote: Option<&Reviewer>) -> Result<Applied> {
        self.change_settings(&manager.into(), requests, promote.is_some()).await
    }

    /// Changes settings, all or nothing: validated, versioned, logged, and in effect when this returns.
    async fn change_settings(&self, actor: &Actor, requests: &[SettingRequest], promote: bool) -> Result<Applied> {
        let requests: Vec<(&'static Spec, Value, Option<i64>)> = requests
            .iter()
            .map(|request| {
                let spec = Spec::find(&request.key)?;
                Ok((spec, spec.check(request.value)?, request.seen))
            })
            .collect::<std::result::Result<_, Problem>>()?;
        let (now, change_id, settings) = (self.clock.now(), self.clock.id("set"), self.current());
        let outcome = atomically!(self.store.as_ref(), [requests, change_id, after = settings.clone()], |tx| {
            let mut after = after;
            let mut applied = Applied::default();
            for (spec, value, seen) in requests {
                let stored = tx.setting(spec.key).await?;
                let version = stored.as_ref().map_or(0, |stored| stored.version);
                let old = stored.and_then(|stored| serde_json::from_str(&stored.value).ok());
                let old: Value = old.and_then(|old| spec.check(old).ok()).unwrap_or_else(|| after.get(spec));
                after.set(spec, *value)?;
                if seen.is_some() && old.to_string() == value.to_string() {
                    continue;
                }
                if seen.is_some_and(|seen| seen != version) {
                    return Err(lost(spec, old, version).into());
                }
                let new = StoredSetting { key: spec.key.to_owned(), value: value.to_string(), version: version + 1 };
                tx.write_setting(&new, Some(&old.to_string()), actor.id(), change_id, now).await?;
                let entry = Entry::of(actor, "setting.changed").on(spec.key).saying(format!("{old} → {value}"));
                audit::append(tx, now, entry).await?;
                applied.changes.push(ChangedSetting { spec, from: old, to: *value, version: new.version });
            }
            if promote && requests.iter().any(|(spec, ..)| spec.key == PROMOTE) {
                applied.promoted = promote_all_due(tx, &after, actor, now).await?;
            }
            Ok(applied)
        })
        .await;
        match outcome {
            Ok(applied) => {
                self.reload_settings().await?;
                Ok(applied)
            }
            Err(Error::Refused(problem)) => Err(self.told(problem, &requests).await?.into()),
            Err(error) => Err(error),
        }
    }

    /// Adds the author of the other change to a conflict, and the value before it.
    async fn told(&self, problem: Problem, requests: &[(&'static Spec, Value, Option<i64>)]) -> Result<Problem> {
        let Problem::SettingChanged { key, to, version, .. } = problem else { return Ok(problem) };
        let seen = requests.iter().find(|(spec, ..)| spec.key == key).and_then(|(.., seen)| *seen);
        let (by, from) = self.changed_since(Spec::find(&key)?, seen.unwrap_or_default(), version).await?;
        Ok(Problem::SettingChanged { key, by, from: from.words(), to, version })
    }

    /// Returns who made this version of a setting, and its value at the version that the operator saw.
    pub(crate) async fn changed_since(&self, spec: &'static Spec, seen: i64, version: i64) -> Result<(String, Value)> {
        let made = self.store.setting_version(spec.key, version).await?;
        let by = self.actor_name(made.as_ref().map_or("", |change| &change.by)).await?;
        let next = self.store.setting_version(spec.key, seen + 1).await?;
        let from = next.as_ref().map_or_else(|| self.current().get(spec), |change| before(spec, change));
        Ok((by, from))
    }

    /// Returns the changes, newest first; settings changed together are one entry. `before_seq` is the seq of the last entry of
    /// the previous page. The second value starts the next page, if there is one.
    pub async fn change_history(&self, _viewer: &Viewer, before_seq: Option<i64>) -> Result<(Vec<ChangeSet>, Option<i64>)> {
        let rows = self.store.settings_history(before_seq, HISTORY_PAGE + 1).await?;
        let more = rows.len() > HISTORY_PAGE as usize;
        let mut sets: Vec<(Option<String>, ChangeSet)> = Vec::new();
        for row in &rows {
            let Ok(spec) = Spec::find(&row.key) else { continue };
            let line = (spec, before(spec, row), read(spec, &row.new));
            match sets.last_mut() {
                Some((id, set)) if id.is_some() && *id == row.change_id => {
                    set.lines.insert(0, line);
                    set.seq = row.seq;
                }
                _ => {
                    let by = self.actor_name(&row.by).await?;
                    sets.push((row.change_id.clone(), ChangeSet { seq: row.seq, by, at: row.at, lines: vec![line] }));
                }
            }
        }
        if more {
            // The last set may continue beyond what was read, so it goes to the next page.
            sets.pop();
        }
        let sets: Vec<ChangeSet> = sets.into_iter().map(|(_, set)| set).collect();
        let next = sets.last().filter(|_| more).map(|set| set.seq);
        Ok((sets, next))
    }

    /// The name of an actor in the settings history.
    async fn actor_name(&self, id: &str) -> Result<String> {
        Ok(match id {
            "cli" => "The command line".to_owned(),
            "system" => "The system".to_owned(),
            id => self.store.operator(id).await?.map_or_else(|| "A former operator".to_owned(), |operator| operator.name),
        })
    }

    /// Loads the settings from the database after another process changed them.
    pub async fn reload_settings(&self) -> Result<()> {
        let settings = load(self.store.as_ref(), self.family).await?;
        self.current.replace(settings);
        Ok(())
    }
}

/// Builds the conflict. The author of the other change is looked up outside the transaction.
fn lost(spec: &Spec, now: Value, version: i64) -> Problem {
    Problem::SettingChanged { key: spec.key.to_owned(), by: String::new(), from: String::new(), to: now.words(), version }
}

fn before(spec: &Spec, change: &SettingChange) -> Value {
    read(spec, change.old.as_deref().unwrap_or(&change.new))
}

/// A value from the history; one that its setting no longer allows is shown as it is.
fn read(spec: &Spec, text: &str) -> Value {
    let value = serde_json::from_str(text).unwrap_or(Value::Off(()));
    spec.check(value).unwrap_or(value)
}
