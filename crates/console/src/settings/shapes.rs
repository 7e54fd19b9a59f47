//! Live settings. Values are sent as in forms: `on`, `off`, `never`, or a number.

use serde::{Deserialize, Serialize};

use crate::settings::alike::shapes::Near;

/// The current state of a setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingEntry {
    pub key: String,
    pub value: String,
    /// 0: never changed.
    pub version: i64,
    pub last: Option<Last>,
}

/// The last change of a setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Last {
    pub by: String,
    /// Whether the operator who asks made it.
    pub own: bool,
    pub from: String,
}

/// All settings, with what this operator may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingsPage {
    pub rows: Vec<SettingEntry>,
    /// Spreads of the thresholds that judged something.
    pub spreads: Vec<ThresholdSpread>,
    /// Examples for the thresholds that compare two statements.
    pub near: Vec<Near>,
    pub may_manage: bool,
}

/// The similarities that a threshold judged, drawn over its slider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThresholdSpread {
    pub key: String,
    /// `90 days: 12 merged, 53 stayed apart`
    pub sentence: String,
    pub bars: Vec<SpreadBar>,
}

/// A bar of one hundredth, in percent of the box: similarities that passed stand on the bottom, the others on top of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SpreadBar {
    pub x: f64,
    pub width: f64,
    pub passed: f64,
    pub others: f64,
}

/// A value in a form, and the version that the form was based on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    pub key: String,
    pub text: String,
    #[serde(default)]
    pub seen: Option<i64>,
}

/// The effect of values before they are applied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reviewed {
    pub proposals: Vec<SettingProposal>,
    /// Pending facts that already qualify, if the number of contributors is lowered and this operator may promote them.
    pub qualifying: Option<u32>,
    pub may_manage: bool,
}

/// One setting that would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingProposal {
    pub key: String,
    pub now: String,
    /// As typed; a valid value is written as in forms.
    pub text: String,
    pub valid: bool,
    pub version: i64,
    pub effect: Option<String>,
    /// If another operator changed it after this one saw it: the name, and the value before.
    pub overtaken: Option<(String, String)>,
    /// Some of the affected facts.
    pub examples: Vec<String>,
    /// Examples around the new value of a threshold.
    pub near: Option<Near>,
}

/// A value to set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub key: String,
    pub value: String,
    pub version: i64,
}

/// A setting that was just changed, with what undo needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuned {
    pub key: String,
    pub from: String,
    pub to: String,
    pub version: i64,
}

/// One page of the history, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct History {
    pub sets: Vec<ChangeSetEntry>,
    /// Start of the next page.
    pub next: Option<i64>,
    pub may_manage: bool,
}

/// Settings that were changed together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeSetEntry {
    pub by: String,
    /// `21 Nov 2025, 14:03:40 UTC`
    pub when: String,
    /// The same for machines.
    pub at: String,
    pub lines: Vec<SettingLine>,
    /// At least one setting now has another value than before.
    pub restorable: bool,
}

/// One setting, before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingLine {
    pub key: String,
    pub from: String,
    pub to: String,
}
