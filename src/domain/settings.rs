//! Settings that operators change while the server runs: one typed struct, and one table of specs from which the form, the
//! labels, the validation and the README table are made.

use serde::{Deserialize, Serialize};

use super::memory::MemoryKind;
use super::problem::{Field, Problem};
use super::promotion::PromoteAt;
use super::provenance::Surface;
use super::surfaces;
use super::usage::OverBudget;

/// The current value of every live setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own in the console")]
pub struct Settings {
    pub learn_personal: bool,
    pub learn_global: bool,
    pub learn_daily_tokens: u32,
    pub learn_over_budget: OverBudget,
    /// Most exchanges of one user that a model reads together; 1: each is read alone.
    pub learn_batch_exchanges: u32,
    /// In seconds: nothing came from the user for so long, so no more are waited for.
    pub learn_batch_idle: u32,
    pub recall_web: bool,
    pub recall_telegram: bool,
    pub recall_mcp: bool,
    pub recall_other: bool,
    pub recall_anonymous: bool,
    pub promote_contributors: PromoteAt,
    pub merge_personal: f64,
    pub merge_global: f64,
    pub merge_correction: f64,
    pub merge_change: f64,
    pub merge_related: f64,
    pub recall_min_confidence: f64,
    /// Below this similarity, meaning alone recalls nothing.
    pub recall_min_similarity: f64,
    pub recall_personal_k: u32,
    pub recall_global_k: u32,
    /// For so many days after its last change a memory of this kind is kept; `None`: for good.
    pub keep_fact: KeepDays,
    pub keep_preference: KeepDays,
    pub keep_correction: KeepDays,
    pub keep_episode: KeepDays,
    pub preferences_max: u32,
    pub history_archive_days: u32,
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
    /// Lower than the others: somebody said that something changed, and may name it by a single word or its topic.
    pub change: f64,
    /// Below it, meaning alone recalls nothing.
    pub recall: f64,
}

/// For all-MiniLM-L6-v2, from the labelled pairs (`make bench`).
pub const MINILM_THRESHOLDS: Thresholds =
    Thresholds { personal: 0.78, global: 0.80, correction: 0.65, related: 0.75, change: 0.30, recall: 0.10 };
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

/// The highest budget of a day.
pub const MOST_TOKENS: u32 = 1_000_000_000;

/// The allowed values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    Switch,
    /// A whole number, bounds included.
    Whole(u32, u32),
    /// A whole number, bounds included, or `null` for never.
    WholeOrOff(u32, u32),
    /// A whole number of days, bounds included, or `null` for good.
    Days(u32, u32),
    /// A decimal, bounds included, in steps of 0.01.
    Decimal(f64, f64),
    /// One of the words of [`OverBudget`].
    OverBudget,
}

/// The group in which a setting is shown and saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    SelfTraining,
    ModelUse,
    Recall,
    RecallSize,
    AutoPromote,
    Thresholds,
    Keeping,
    Chat,
}

impl Section {
    /// Its place on the page of settings.
    #[must_use]
    pub fn anchor(self) -> &'static str {
        match self {
            Self::SelfTraining => "self-training",
            Self::ModelUse => "model-use",
            Self::Recall => "recall",
            Self::RecallSize => "recall-size",
            Self::AutoPromote => "auto-promote",
            Self::Thresholds => "thresholds",
            Self::Keeping => "keeping",
            Self::Chat => "chat",
        }
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Spec {
    pub key: &'static str,
    pub label: &'static str,
    pub help: &'static str,
    /// `similarity`, `people`, `items` … empty for switches.
    pub unit: &'static str,
    pub section: Section,
    pub range: Range,
    /// The effect at either end of its slider.
    pub ends: Option<(&'static str, &'static str)>,
    get: fn(&Settings) -> Value,
    set: fn(&mut Settings, Value),
}

/// The form value of a switch that is on.
const ON: &str = "on";
const OFF: &str = "off";
const NEVER: &str = "never";
/// The longest time for which memories can be kept, in days, short of for good: ten years.
const LONGEST_DAYS: u32 = 3650;
/// Hundredths in 1, the step of decimals.
const HUNDREDTHS: f64 = 100.0;

/// The value of a setting, as in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    Switch(bool),
    Whole(u32),
    Decimal(f64),
    OverBudget(OverBudget),
    Off(()),
}

impl Value {
    fn on(self) -> bool {
        matches!(self, Self::Switch(true))
    }

    /// As sent by forms: `on`, `off`, `never`, or a number.
    #[must_use]
    pub fn form(self) -> String {
        match self {
            Self::Switch(true) => ON.to_owned(),
            Self::Switch(false) => OFF.to_owned(),
            Self::Off(()) => NEVER.to_owned(),
            Self::OverBudget(choice) => choice.as_str().to_owned(),
            number => number.to_string(),
        }
    }

    /// As shown to people: `On`, `Off`, `Never`, or a number.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Switch(true) => "On".to_owned(),
            Self::Switch(false) => "Off".to_owned(),
            Self::Off(()) => "Never".to_owned(),
            Self::OverBudget(choice) => choice.label().to_owned(),
            number => number.to_string(),
        }
    }

    fn whole(self) -> u32 {
        if let Self::Whole(n) = self { n } else { 0 }
    }

    fn over_budget(self) -> OverBudget {
        if let Self::OverBudget(choice) = self { choice } else { OverBudget::default() }
    }

    fn decimal(self) -> f64 {
        match self {
            Self::Decimal(x) => x,
            Self::Whole(n) => f64::from(n),
            _ => 0.0,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Switch(on) => write!(f, "{on}"),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Decimal(x) => write!(f, "{x:.2}"),
            Self::OverBudget(choice) => write!(f, "\"{}\"", choice.as_str()),
            Self::Off(()) => f.write_str("null"),
        }
    }
}

macro_rules! spec {
    ($field:ident, $key:expr, $label:expr, $unit:literal, $section:ident, $range:expr, $ends:expr, $get:expr, $set:expr, $help:expr) => {
        Spec {
            key: $key,
            label: $label,
            help: $help,
            unit: $unit,
            section: Section::$section,
            range: $range,
            ends: $ends,
            get: |s| $get(s.$field),
            set: |s, v| s.$field = $set(v),
        }
    };
    (switch $field:ident, $key:literal, $label:literal, $section:ident, $help:literal) => {
        spec!($field, $key, $label, "", $section, Range::Switch, None, Value::Switch, Value::on, $help)
    };
    (surface $field:ident, $row:expr) => {
        spec!($field, $row.setting, $row.label, "", Recall, Range::Switch, None, Value::Switch, Value::on, $row.help)
    };
    (similarity $field:ident, $key:literal, $label:literal, $verb:literal, $help:literal) => {
        spec!(similarity $field, $key, $label, $verb, LOWEST_SIMILARITY, $help)
    };
    (similarity $field:ident, $key:literal, $label:literal, $verb:literal, $lowest:expr, $help:literal) => {
        spec!(
            $field,
            $key,
            $label,
            "similarity",
            Thresholds,
            Range::Decimal($lowest, 0.99),
            Some((concat!($verb, " more"), concat!($verb, " less"))),
            Value::Decimal,
            Value::decimal,
            $help
        )
    };
    (items $field:ident, $key:literal, $label:literal, $help:literal) => {
        spec!($field, $key, $label, "items", RecallSize, Range::Whole(0, 50), None, Value::Whole, Value::whole, $help)
    };
    (days $field:ident, $key:literal, $label:literal, $help:literal) => {
        spec!(
            $field,
            $key,
            $label,
            "days",
            Keeping,
            Range::Days(1, LONGEST_DAYS),
            None,
            promote_value,
            promote_setting,
            $help
        )
    };
}

fn promote_value(at: PromoteAt) -> Value {
    at.map_or(Value::Off(()), Value::Whole)
}

fn promote_setting(value: Value) -> PromoteAt {
    if let Value::Whole(n) = value { Some(n) } else { None }
}

/// Every setting, in display order.
pub const SPECS: [Spec; 28] = [
    spec!(switch learn_personal, "learn.personal", "Personal extractor", SelfTraining, "Distils durable facts and preferences into each user’s own store."),
    spec!(switch learn_global, "learn.global", "Team-candidate extractor", SelfTraining, "Proposes facts that name no one. Every new one waits in the review queue."),
    spec!(
        learn_daily_tokens,
        "learn.daily_tokens",
        "Tokens a day",
        "tokens",
        ModelUse,
        Range::Whole(0, MOST_TOKENS),
        None,
        Value::Whole,
        Value::whole,
        "The most that the model may read and write in one day, UTC. 0: no limit."
    ),
    spec!(
        learn_over_budget,
        "learn.over_budget",
        "When they are used up",
        "",
        ModelUse,
        Range::OverBudget,
        None,
        Value::OverBudget,
        Value::over_budget,
        "Messages wait for the next day and nothing is lost, or the built-in rules read them."
    ),
    spec!(
        learn_batch_exchanges,
        "learn.batch_exchanges",
        "Messages read together",
        "messages",
        ModelUse,
        Range::Whole(1, 16),
        None,
        Value::Whole,
        Value::whole,
        "The model reads up to so many messages of one user at once, which costs fewer tokens. 1: it reads each alone."
    ),
    spec!(
        learn_batch_idle,
        "learn.batch_idle",
        "Wait for more, in seconds",
        "seconds",
        ModelUse,
        Range::Whole(0, 600),
        None,
        Value::Whole,
        Value::whole,
        "Fewer messages are read once their user has sent nothing for so long. A request to remember or forget never waits longer."
    ),
    spec!(surface recall_web, surfaces::WEB),
    spec!(surface recall_telegram, surfaces::TELEGRAM),
    spec!(surface recall_mcp, surfaces::MCP),
    spec!(surface recall_other, surfaces::OTHER),
    spec!(surface recall_anonymous, surfaces::ANONYMOUS),
    spec!(items recall_personal_k, "recall.personal_k", "Personal memories per message", "Most personal memories in one answer."),
    spec!(items recall_global_k, "recall.global_k", "Team facts per message", "Most team facts in one answer."),
    spec!(
        promote_contributors,
        "promote.contributors",
        "Auto-promote",
        "people",
        AutoPromote,
        Range::WholeOrOff(2, 20),
        None,
        promote_value,
        promote_setting,
        "Distinct contributors that promote a pending fact; null: never."
    ),
    spec!(similarity merge_global, "merge.global", "Team merge similarity", "Merge", "A candidate this close confirms the fact instead of adding one."),
    spec!(similarity merge_personal, "merge.personal", "Personal merge similarity", "Merge", "A memory this close to one of the same user updates it."),
    spec!(similarity merge_correction, "merge.correction", "Correction similarity", "Replace", "A correction that is saved replaces the nearest memory from here on, and a wish to forget deletes it."),
    spec!(similarity merge_change, "merge.change", "Change similarity", "Replace", LOWEST_CHANGE, "In a conversation, what somebody says has changed replaces the nearest memory from here on."),
    spec!(similarity merge_related, "merge.related", "Contradiction similarity", "Flag", "From here on a fact that differs in a number, a name or a negation is flagged as a contradiction."),
    spec!(
        recall_min_confidence,
        "recall.min_confidence",
        "Recall confidence floor",
        "confidence",
        Thresholds,
        Range::Decimal(0.0, 1.0),
        Some(("Recall more", "Recall less")),
        Value::Decimal,
        Value::decimal,
        "Approved facts below this are kept but not recalled."
    ),
    spec!(
        recall_min_similarity,
        "recall.min_similarity",
        "Relevance cut-off",
        "similarity",
        Thresholds,
        Range::Decimal(0.0, 0.90),
        Some(("Recall more", "Recall less")),
        Value::Decimal,
        Value::decimal,
        "What is less similar to the question is not recalled, unless its words, its thread or its date found it. 0: no cut-off."
    ),
    spec!(days keep_fact, "keep.fact", "Facts", "A personal memory of this kind is deleted so many days after it was last said or changed."),
    spec!(days keep_preference, "keep.preference", "Preferences", "The same for what somebody likes or wants."),
    spec!(days keep_correction, "keep.correction", "Corrections", "The same for what replaced another memory."),
    spec!(days keep_episode, "keep.episode", "Episodes", "The same for what happened once."),
    spec!(
        preferences_max,
        "preferences.max",
        "Preferences per user",
        "preferences",
        Chat,
        Range::Whole(1, 200),
        None,
        Value::Whole,
        Value::whole,
        "Most preferences of one user. One more is refused until the user forgets one."
    ),
    spec!(
        history_archive_days,
        "history.archive_days",
        "Days in the archive",
        "days",
        Chat,
        Range::Whole(0, 365),
        None,
        Value::Whole,
        Value::whole,
        "How long the messages of a chat are kept after a reset."
    ),
    spec!(
        blocks_bin_days,
        "blocks.bin_days",
        "Days in the bin",
        "days",
        Chat,
        Range::Whole(0, 365),
        None,
        Value::Whole,
        Value::whole,
        "How long a deleted memory block can be restored. 0: it is deleted at once."
    ),
];

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
            history_archive_days: 30,
            blocks_bin_days: 7,
        }
    }

    /// For how many days memories of this kind are kept; `None`: for good.
    #[must_use]
    pub fn kept_days(&self, kind: MemoryKind) -> KeepDays {
        match kind {
            MemoryKind::Fact => self.keep_fact,
            MemoryKind::Preference => self.keep_preference,
            MemoryKind::Correction => self.keep_correction,
            MemoryKind::Episode => self.keep_episode,
        }
    }

    /// Whether a call from this surface gets team facts, with or without a user.
    #[must_use]
    pub fn team_recall(&self, surface: &Surface, anonymous: bool) -> bool {
        let surface_on = (surfaces::of(surface.as_str()).on)(self);
        surface_on && (!anonymous || self.recall_anonymous)
    }

    #[must_use]
    pub fn get(&self, spec: &Spec) -> Value {
        (spec.get)(self)
    }

    /// Sets a value that was checked.
    pub fn set(&mut self, spec: &Spec, value: Value) -> Result<(), Problem> {
        (spec.set)(self, spec.check(value)?);
        Ok(())
    }
}

impl Spec {
    pub fn find(key: &str) -> Result<&'static Self, Problem> {
        SPECS.iter().find(|spec| spec.key == key).ok_or_else(|| Problem::not_found("setting"))
    }

    /// The value, if this setting allows it; 1 becomes 1.0 where a decimal is expected.
    pub fn check(&self, value: Value) -> Result<Value, Problem> {
        let (fits, must) = match (self.range, value) {
            (Range::Switch, v) => (matches!(v, Value::Switch(_)), "must be true or false".to_owned()),
            (Range::Whole(low, high), v) => (
                matches!(v, Value::Whole(n) if (low..=high).contains(&n)),
                format!("must be a whole number from {low} to {high}"),
            ),
            (Range::WholeOrOff(low, high), v) => (
                matches!(v, Value::Off(())) || matches!(v, Value::Whole(n) if (low..=high).contains(&n)),
                format!("must be a whole number from {low} to {high}, or null for never"),
            ),
            (Range::Days(low, high), v) => (
                matches!(v, Value::Off(())) || matches!(v, Value::Whole(n) if (low..=high).contains(&n)),
                format!("must be a whole number of days from {low} to {high}, or null for good"),
            ),
            (Range::OverBudget, v) => (matches!(v, Value::OverBudget(_)), "must be \"wait\" or \"rules\"".to_owned()),
            (Range::Decimal(low, high), v) => {
                let number = match v {
                    Value::Decimal(x) => Some(x),
                    Value::Whole(n) => Some(f64::from(n)),
                    _ => None,
                };
                (number.is_some_and(|x| (low..=high).contains(&x)), format!("must be a number from {low:.2} to {high:.2}"))
            }
        };
        if !fits {
            return Err(Problem::invalid(Field::Value, must));
        }
        Ok(match (self.range, value) {
            (Range::Decimal(..), Value::Whole(n)) => Value::Decimal(f64::from(n)),
            (_, value) => value,
        })
    }

    /// Parses a form value: `on`, `off`, `never`, or a number. `None`: this setting does not allow it.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        let value = match (self.range, text) {
            (Range::Switch, ON) => Value::Switch(true),
            (Range::Switch, OFF) => Value::Switch(false),
            (Range::WholeOrOff(..) | Range::Days(..), NEVER) | (Range::Days(..), "" | "0") => Value::Off(()),
            (Range::Whole(..) | Range::WholeOrOff(..) | Range::Days(..), _) => Value::Whole(text.parse().ok()?),
            (Range::Decimal(..), _) => {
                let number: f64 = text.replace(',', ".").parse().ok()?;
                Value::Decimal((number * HUNDREDTHS).round() / HUNDREDTHS)
            }
            (Range::OverBudget, word) => Value::OverBudget(OverBudget::ALL.into_iter().find(|one| one.as_str() == word)?),
            (Range::Switch, _) => return None,
        };
        self.check(value).ok()
    }

    /// The message shown for a value that is not allowed.
    #[must_use]
    pub fn asks(&self) -> String {
        match self.range {
            Range::Switch => "Choose on or off".to_owned(),
            Range::Whole(low, high) => format!("Enter a whole number from {low} to {high}"),
            Range::WholeOrOff(low, high) => format!("Enter a whole number from {low} to {high}, or choose Never"),
            Range::Days(low, high) => format!("Enter a whole number of days from {low} to {high}, or never"),
            Range::OverBudget => "Choose to wait or to use the rules".to_owned(),
            Range::Decimal(low, high) => format!("Enter a number from {low:.2} to {high:.2}"),
        }
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
                (Range::Switch, Value::Switch(on)) => Value::Switch(!on),
                (Range::Whole(..) | Range::WholeOrOff(..) | Range::Days(..), _) => Value::Whole(13),
                (Range::OverBudget, _) => Value::OverBudget(OverBudget::Rules),
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
            ("recall.global_k", Value::Whole(51)),
            ("recall.global_k", Value::Off(())),
            ("keep.fact", Value::Whole(0)),
            ("keep.fact", Value::Whole(3651)),
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
    fn anonymous_recall_needs_its_surface_and_its_own_switch() {
        let web = Surface::new("web").expect("valid");
        let mut settings = Settings::defaults(MINILM_THRESHOLDS);
        assert!(settings.team_recall(&web, false) && !settings.team_recall(&web, true));
        settings.recall_anonymous = true;
        assert!(settings.team_recall(&web, true));
        settings.recall_web = false;
        assert!(!settings.team_recall(&web, true) && !settings.team_recall(&web, false));
        assert!(settings.team_recall(&Surface::new("slack").expect("valid"), false));
    }
}
