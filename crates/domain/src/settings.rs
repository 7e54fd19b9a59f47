//! Settings that operators change while the server runs: one typed struct, and one table of specs from which the form, the
//! labels, the validation and the README table are made.

mod paths;
mod specs;
mod value;

pub use paths::FilePaths;
pub use specs::{SPECS, Section, SettingRange, Spec};
pub use value::Value;

use serde::{Deserialize, Serialize};

use super::memory::MemoryKind;
use super::problem::Problem;
use crate::access::surfaces::{self, SurfaceRow};
use crate::facts::promotion::PromoteAt;
use crate::facts::provenance::Surface;
use crate::insight::usage::OverBudget;

/// The current value of every live setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own in the console")]
pub struct Settings {
    pub learn_personal: bool,
    pub learn_global: bool,
    pub learn_daily_tokens: u32,
    pub learn_over_budget: OverBudget,
    /// Maximum number of one user's exchanges in a batch that a model reads; 1: each is read alone.
    pub learn_batch_exchanges: u32,
    /// Seconds without a message from the user after which a batch waits for no more.
    pub learn_batch_idle: u32,
    pub recall_web: bool,
    pub recall_telegram: bool,
    pub recall_mcp: bool,
    pub recall_other: bool,
    pub recall_anonymous: bool,
    pub promote_contributors: PromoteAt,
    /// File paths that the gate refuses in team facts.
    #[serde(default)]
    pub gate_paths: FilePaths,
    pub merge_personal: f64,
    pub merge_global: f64,
    pub merge_correction: f64,
    pub merge_change: f64,
    pub merge_related: f64,
    pub recall_min_confidence: f64,
    /// Minimum similarity for recall by meaning alone.
    pub recall_min_similarity: f64,
    pub recall_personal_k: u32,
    pub recall_global_k: u32,
    /// Days for which a memory of this kind is kept after its last change; `None`: for good.
    pub keep_fact: KeepDays,
    pub keep_preference: KeepDays,
    pub keep_correction: KeepDays,
    pub keep_episode: KeepDays,
    pub preferences_max: u32,
    /// Days for which reset conversations are kept; `None`: for good.
    pub history_archive_days: KeepDays,
    pub blocks_bin_days: u32,
}

/// A number of days; `None`: for good.
pub type KeepDays = Option<u32>;

/// Similarity thresholds for one family of embedders. The numbers come from labelled pairs and dialogues (`make bench`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    pub personal: f64,
    pub global: f64,
    pub correction: f64,
    pub related: f64,
    /// Lower than the others: the user says that something changed, and may name it by a single word or its topic.
    pub change: f64,
    /// Minimum similarity for recall by meaning alone.
    pub recall: f64,
}

/// For all-MiniLM-L6-v2, from the labelled pairs (`make bench`).
pub const MINILM_THRESHOLDS: Thresholds =
    Thresholds { personal: 0.78, global: 0.80, correction: 0.65, related: 0.75, change: 0.35, recall: 0.10 };
/// For encoders that were not measured here; the merge values are those that Keepsake's predecessor used with gte-small.
pub const CROWDED_THRESHOLDS: Thresholds =
    Thresholds { personal: 0.90, global: 0.93, correction: 0.86, related: 0.90, change: 0.86, recall: 0.0 };
/// For the embedder without a model, which scores the same words lower; from the labelled pairs.
pub const LEXICAL_THRESHOLDS: Thresholds =
    Thresholds { personal: 0.50, global: 0.52, correction: 0.50, related: 0.50, change: 0.50, recall: 0.0 };

/// The lowest allowed similarity threshold.
pub const LOWEST_SIMILARITY: f64 = 0.50;
/// The lowest allowed threshold for changes told in conversation; below it, texts are unrelated.
pub const LOWEST_CHANGE: f64 = 0.20;

/// Maximum daily budget in tokens.
pub const MOST_TOKENS: u32 = 1_000_000_000;

impl Settings {
    /// The initial values of a new system, given the embedder's thresholds.
    #[must_use]
    pub fn defaults(thresholds: Thresholds) -> Self {
        Self {
            learn_personal: true,
            learn_global: true,
            learn_daily_tokens: 0,
            learn_over_budget: OverBudget::Wait,
            learn_batch_exchanges: 4,
            learn_batch_idle: 20,
            recall_web: true,
            recall_telegram: true,
            recall_mcp: true,
            recall_other: true,
            recall_anonymous: false,
            promote_contributors: Some(2),
            gate_paths: FilePaths::All,
            merge_personal: thresholds.personal,
            merge_global: thresholds.global,
            merge_correction: thresholds.correction,
            merge_change: thresholds.change,
            merge_related: thresholds.related,
            recall_min_confidence: 0.40,
            recall_min_similarity: thresholds.recall,
            recall_personal_k: 8,
            recall_global_k: 5,
            keep_fact: None,
            keep_preference: None,
            keep_correction: None,
            keep_episode: None,
            preferences_max: 25,
            history_archive_days: Some(30),
            blocks_bin_days: 7,
        }
    }

    /// Returns the days for which memories of this kind are kept; `None`: for good.
    #[must_use]
    pub fn kept_days(&self, kind: MemoryKind) -> KeepDays {
        match kind {
            MemoryKind::Fact => self.keep_fact,
            MemoryKind::Preference => self.keep_preference,
            MemoryKind::Correction => self.keep_correction,
            MemoryKind::Episode => self.keep_episode,
        }
    }

    /// Whether a call from this surface gets team facts. Calls without a user have a switch of their own.
    #[must_use]
    pub fn team_recall(&self, surface: &Surface, anonymous: bool) -> bool {
        if anonymous { self.recall_anonymous } else { self.recalls(surfaces::of(surface.as_str())) }
    }

    /// Whether the switch of this row is on.
    #[must_use]
    pub fn recalls(&self, row: &SurfaceRow) -> bool {
        Spec::find(row.setting).is_ok_and(|spec| self.get(spec).on())
    }

    #[must_use]
    pub fn get(&self, spec: &Spec) -> Value {
        (spec.get)(self)
    }

    /// Checks a value and sets it.
    pub fn set(&mut self, spec: &Spec, value: Value) -> Result<(), Problem> {
        (spec.set)(self, spec.check(value)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spec_reads_and_writes_its_own_field() {
        let mut settings = Settings::defaults(MINILM_THRESHOLDS);
        for spec in &SPECS {
            let other = match (spec.range, settings.get(spec)) {
                (SettingRange::Switch, Value::Switch(on)) => Value::Switch(!on),
                (SettingRange::Whole(..) | SettingRange::WholeOrOff(..) | SettingRange::Days(..), _) => Value::Whole(13),
                (SettingRange::OverBudget, _) => Value::OverBudget(OverBudget::Rules),
                (SettingRange::Paths, _) => Value::Paths(FilePaths::Personal),
                _ => Value::Decimal(0.61),
            };
            let before = settings.clone();
            settings.set(spec, other).expect("in range");
            assert_eq!(settings.get(spec), other, "{}", spec.key);
            let changed = SPECS.iter().filter(|s| before.get(s) != settings.get(s)).count();
            assert_eq!(changed, 1, "{}", spec.key);
        }
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for (key, value) in [
            ("promote.contributors", Value::Whole(1)),
            ("promote.contributors", Value::Whole(21)),
            ("promote.contributors", Value::Decimal(2.5)),
            ("merge.global", Value::Decimal(0.49)),
            ("merge.global", Value::Decimal(f64::NAN)),
            ("learn.personal", Value::Whole(1)),
            ("gate.paths", Value::OverBudget(OverBudget::Wait)),
            ("learn.over_budget", Value::Paths(FilePaths::All)),
            ("recall.global_k", Value::Whole(51)),
            ("recall.global_k", Value::Off(())),
            ("keep.fact", Value::Whole(0)),
            ("keep.fact", Value::Whole(3651)),
            ("history.archive_days", Value::Whole(3651)),
            ("blocks.bin_days", Value::Off(())),
        ] {
            let spec = Spec::find(key).expect("known");
            assert!(spec.check(value).is_err(), "{key} {value:?}");
        }
        let n = Spec::find("promote.contributors").expect("known");
        assert!(n.check(Value::Off(())).is_ok());
    }

    #[test]
    fn forms_are_read_back_as_they_were_written_and_nonsense_is_not_read() {
        let settings = Settings::defaults(MINILM_THRESHOLDS);
        for spec in &SPECS {
            let value = settings.get(spec);
            assert_eq!(spec.read(&value.form()), Some(value), "{}", spec.key);
        }
        let read = |key: &str, text: &str| Spec::find(key).expect("known").read(text);
        assert_eq!(read("promote.contributors", "never"), Some(Value::Off(())));
        for text in ["never", "", " 0 "] {
            assert_eq!(read("keep.episode", text), Some(Value::Off(())), "{text:?}");
        }
        assert_eq!(read("keep.episode", "30"), Some(Value::Whole(30)));
        // If 0 days are allowed, 0 means that, and not for good.
        for (text, value) in [("0", Value::Whole(0)), ("never", Value::Off(())), ("", Value::Off(())), ("365", Value::Whole(365))]
        {
            assert_eq!(read("history.archive_days", text), Some(value), "{text:?}");
        }
        assert_eq!(read("merge.global", " 0,9 "), Some(Value::Decimal(0.9)));
        assert_eq!(read("merge.global", "0.904"), Some(Value::Decimal(0.9)));
        for (key, text) in [
            ("promote.contributors", "1"),
            ("promote.contributors", "2.5"),
            ("merge.global", "NaN"),
            ("merge.global", "1"),
            ("recall.web", "true"),
            ("recall.global_k", "never"),
            ("promote.contributors", ""),
            ("keep.fact", "a month"),
            ("keep.fact", "4000"),
        ] {
            assert_eq!(read(key, text), None, "{key} {text}");
        }
    }

    #[test]
    fn anonymous_recall_has_a_switch_of_its_own() {
        let web = Surface::new("web").expect("valid");
        let mut settings = Settings::defaults(MINILM_THRESHOLDS);
        assert!(settings.team_recall(&web, false) && !settings.team_recall(&web, true));
        settings.recall_anonymous = true;
        assert!(settings.team_recall(&web, true));
        settings.recall_web = false;
        assert!(settings.team_recall(&web, true) && !settings.team_recall(&web, false));
        settings.recall_anonymous = false;
        assert!(!settings.team_recall(&web, true));
        assert!(settings.team_recall(&Surface::new("slack").expect("valid"), false));
    }
}
