//! The table of settings: their texts, ranges, fields and allowed values.

use super::value::{NEVER, OFF, ON, Value};
use super::{LOWEST_CHANGE, LOWEST_SIMILARITY, MOST_TOKENS, Settings};
use crate::access::surfaces;
use crate::facts::promotion::PromoteAt;
use crate::problem::{Field, Problem};

/// Longest finite retention of memories and of reset data, in days: ten years.
const LONGEST_DAYS: u32 = 3650;
/// Hundredths in 1, the step of decimals.
const HUNDREDTHS: f64 = 100.0;

/// The allowed values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SettingRange {
    Switch,
    /// A whole number, bounds included.
    Whole(u32, u32),
    /// A whole number, bounds included, or `null` for never.
    WholeOrOff(u32, u32),
    /// A whole number of days, bounds included, or `null` for good.
    Days(u32, u32),
    /// A decimal, bounds included, in steps of 0.01.
    Decimal(f64, f64),
    /// One of the words of [`OverBudget`](crate::insight::usage::OverBudget).
    OverBudget,
    /// One of the words of [`super::FilePaths`].
    Paths,
}

/// The group in which a setting is shown and saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    SelfTraining,
    ModelUse,
    Recall,
    RecallSize,
    AutoPromote,
    Gate,
    Thresholds,
    Keeping,
    Chat,
}

impl Section {
    /// The anchor on the page of settings.
    #[must_use]
    pub fn anchor(self) -> &'static str {
        match self {
            Self::SelfTraining => "self-training",
            Self::ModelUse => "model-use",
            Self::Recall => "recall",
            Self::RecallSize => "recall-size",
            Self::AutoPromote => "auto-promote",
            Self::Gate => "gate",
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
    pub range: SettingRange,
    /// The effect at either end of its slider.
    pub ends: Option<(&'static str, &'static str)>,
    pub(super) get: fn(&Settings) -> Value,
    pub(super) set: fn(&mut Settings, Value),
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
        spec!($field, $key, $label, "", $section, SettingRange::Switch, None, Value::Switch, Value::on, $help)
    };
    (surface $field:ident, $row:expr) => {
        spec!($field, $row.setting, $row.label, "", Recall, SettingRange::Switch, None, Value::Switch, Value::on, $row.help)
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
            SettingRange::Decimal($lowest, 0.99),
            Some((concat!($verb, " more"), concat!($verb, " less"))),
            Value::Decimal,
            Value::decimal,
            $help
        )
    };
    (items $field:ident, $key:literal, $label:literal, $help:literal) => {
        spec!($field, $key, $label, "items", RecallSize, SettingRange::Whole(0, 50), None, Value::Whole, Value::whole, $help)
    };
    (days $field:ident, $key:literal, $label:literal, $help:literal) => {
        spec!(
            $field,
            $key,
            $label,
            "days",
            Keeping,
            SettingRange::Days(1, LONGEST_DAYS),
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
pub const SPECS: [Spec; 29] = [
    spec!(switch learn_personal, "learn.personal", "Personal extractor", SelfTraining, "Distils durable facts and preferences into each user’s own store."),
    spec!(switch learn_global, "learn.global", "Team-candidate extractor", SelfTraining, "Proposes facts that name no one. Every new one waits in the review queue."),
    spec!(
        learn_daily_tokens,
        "learn.daily_tokens",
        "Tokens a day",
        "tokens",
        ModelUse,
        SettingRange::Whole(0, MOST_TOKENS),
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
        SettingRange::OverBudget,
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
        SettingRange::Whole(1, 16),
        None,
        Value::Whole,
        Value::whole,
        "The model reads up to this many messages from one user at once, which costs fewer tokens. 1: it reads each alone."
    ),
    spec!(
        learn_batch_idle,
        "learn.batch_idle",
        "Wait for more, in seconds",
        "seconds",
        ModelUse,
        SettingRange::Whole(0, 600),
        None,
        Value::Whole,
        Value::whole,
        "Fewer messages are read once their user has been silent for this long. A request to remember or forget never waits longer."
    ),
    spec!(surface recall_web, surfaces::WEB),
    spec!(surface recall_telegram, surfaces::TELEGRAM),
    spec!(surface recall_mcp, surfaces::MCP),
    spec!(surface recall_other, surfaces::OTHER),
    spec!(surface recall_anonymous, surfaces::ANONYMOUS),
    spec!(items recall_personal_k, "recall.personal_k", "Personal memories per message", "Maximum personal memories per answer."),
    spec!(items recall_global_k, "recall.global_k", "Team facts per message", "Maximum team facts per answer."),
    spec!(
        promote_contributors,
        "promote.contributors",
        "Auto-promote",
        "people",
        AutoPromote,
        SettingRange::WholeOrOff(2, 20),
        None,
        promote_value,
        promote_setting,
        "Distinct contributors that promote a pending fact; null: never."
    ),
    spec!(
        gate_paths,
        "gate.paths",
        "File paths that are refused",
        "",
        Gate,
        SettingRange::Paths,
        None,
        Value::Paths,
        Value::paths,
        "All paths from the root of a disk, or only those through somebody's home."
    ),
    spec!(similarity merge_global, "merge.global", "Team merge similarity", "Merge", "At this similarity or above, a candidate merges into the fact."),
    spec!(similarity merge_personal, "merge.personal", "Personal merge similarity", "Merge", "At this similarity or above, a new memory updates the user’s closest one."),
    spec!(similarity merge_correction, "merge.correction", "Correction similarity", "Replace", "At this similarity or above, a saved correction replaces the closest memory, and a request to forget deletes it."),
    spec!(similarity merge_change, "merge.change", "Change similarity", "Replace", LOWEST_CHANGE, "At this similarity or above, a change mentioned in conversation replaces the closest memory."),
    spec!(similarity merge_related, "merge.related", "Contradiction similarity", "Flag", "At this similarity or above, a fact that differs in a number, a name or a negation is flagged as a contradiction."),
    spec!(
        recall_min_confidence,
        "recall.min_confidence",
        "Recall confidence floor",
        "confidence",
        Thresholds,
        SettingRange::Decimal(0.0, 1.0),
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
        SettingRange::Decimal(0.0, 0.90),
        Some(("Recall more", "Recall less")),
        Value::Decimal,
        Value::decimal,
        "What is less similar to the question is not recalled, unless its words, its thread or its date found it. 0: no cut-off."
    ),
    spec!(days keep_fact, "keep.fact", "Facts", "A personal memory of this kind is deleted this many days after it was last stated or changed."),
    spec!(days keep_preference, "keep.preference", "Preferences", "The same for what somebody likes or wants."),
    spec!(days keep_correction, "keep.correction", "Corrections", "The same for what replaced another memory."),
    spec!(days keep_episode, "keep.episode", "Episodes", "The same for what happened once."),
    spec!(
        preferences_max,
        "preferences.max",
        "Preferences per user",
        "preferences",
        Chat,
        SettingRange::Whole(1, 200),
        None,
        Value::Whole,
        Value::whole,
        "Maximum preferences per user. Beyond that, new ones are refused until one is deleted."
    ),
    spec!(
        history_archive_days,
        "history.archive_days",
        "Days in the archive",
        "days",
        Chat,
        SettingRange::Days(0, LONGEST_DAYS),
        None,
        promote_value,
        promote_setting,
        "How long the messages of a chat are kept after a reset. 0: they are deleted at once; never: they are not deleted."
    ),
    spec!(
        blocks_bin_days,
        "blocks.bin_days",
        "Days in the bin",
        "days",
        Chat,
        SettingRange::Whole(0, 365),
        None,
        Value::Whole,
        Value::whole,
        "How long a deleted memory block can be restored. 0: it is deleted at once."
    ),
];

impl Spec {
    pub fn find(key: &str) -> Result<&'static Self, Problem> {
        SPECS.iter().find(|spec| spec.key == key).ok_or_else(|| Problem::not_found("setting"))
    }

    /// The value, if this setting allows it; 1 becomes 1.0 where a decimal is expected.
    pub fn check(&self, value: Value) -> Result<Value, Problem> {
        let (fits, must) = match (self.range, value) {
            (SettingRange::Switch, v) => (matches!(v, Value::Switch(_)), "must be true or false".to_owned()),
            (SettingRange::Whole(low, high), v) => (
                matches!(v, Value::Whole(n) if (low..=high).contains(&n)),
                format!("must be a whole number from {low} to {high}"),
            ),
            (SettingRange::WholeOrOff(low, high), v) => (
                matches!(v, Value::Off(())) || matches!(v, Value::Whole(n) if (low..=high).contains(&n)),
                format!("must be a whole number from {low} to {high}, or null for never"),
            ),
            (SettingRange::Days(low, high), v) => (
                matches!(v, Value::Off(())) || matches!(v, Value::Whole(n) if (low..=high).contains(&n)),
                format!("must be a whole number of days from {low} to {high}, or null for good"),
            ),
            (SettingRange::OverBudget, v) => (matches!(v, Value::OverBudget(_)), "must be \"wait\" or \"rules\"".to_owned()),
            (SettingRange::Paths, v) => (matches!(v, Value::Paths(_)), "must be \"all\" or \"personal\"".to_owned()),
            (SettingRange::Decimal(low, high), v) => {
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
            (SettingRange::Decimal(..), Value::Whole(n)) => Value::Decimal(f64::from(n)),
            (_, value) => value,
        })
    }

    /// Parses a form value: `on`, `off`, `never`, or a number. `None`: this setting does not allow it.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        let value = match (self.range, text) {
            (SettingRange::Switch, ON) => Value::Switch(true),
            (SettingRange::Switch, OFF) => Value::Switch(false),
            (SettingRange::WholeOrOff(..) | SettingRange::Days(..), NEVER)
            | (SettingRange::Days(..), "")
            | (SettingRange::Days(1.., _), "0") => Value::Off(()),
            (SettingRange::Whole(..) | SettingRange::WholeOrOff(..) | SettingRange::Days(..), _) => {
                Value::Whole(text.parse().ok()?)
            }
            (SettingRange::Decimal(..), _) => {
                let number: f64 = text.replace(',', ".").parse().ok()?;
                Value::Decimal((number * HUNDREDTHS).round() / HUNDREDTHS)
            }
            (SettingRange::OverBudget | SettingRange::Paths, word) => Value::of_word(word)?,
            (SettingRange::Switch, _) => return None,
        };
        self.check(value).ok()
    }

    /// The message shown for a value that is not allowed.
    #[must_use]
    pub fn asks(&self) -> String {
        match self.range {
            SettingRange::Switch => "Choose on or off".to_owned(),
            SettingRange::Whole(low, high) => format!("Enter a whole number from {low} to {high}"),
            SettingRange::WholeOrOff(low, high) => format!("Enter a whole number from {low} to {high}, or choose Never"),
            SettingRange::Days(low, high) => format!("Enter a whole number of days from {low} to {high}, or never"),
            SettingRange::OverBudget => "Choose to wait or to use the rules".to_owned(),
            SettingRange::Paths => "Choose all or personal".to_owned(),
            SettingRange::Decimal(low, high) => format!("Enter a number from {low:.2} to {high:.2}"),
        }
    }
}
