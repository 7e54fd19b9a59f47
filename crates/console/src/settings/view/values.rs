//! The current values of the settings, and how they are named.

use leptos::prelude::*;

use crate::settings::alike::shapes::Near;
use crate::settings::shapes::{SettingEntry, SettingsPage, ThresholdSpread};
use domain::settings::{Section, Spec, Value};

/// The current values, and whether the operator may change them.
#[derive(Clone, Copy)]
pub(super) struct CurrentValues {
    pub(super) rows: StoredValue<Vec<SettingEntry>>,
    pub(super) spreads: StoredValue<Vec<ThresholdSpread>>,
    pub(super) near: StoredValue<Vec<Near>>,
    pub(super) may_manage: bool,
}

impl CurrentValues {
    pub(super) fn new(page: SettingsPage) -> Self {
        Self {
            rows: StoredValue::new(page.rows),
            spreads: StoredValue::new(page.spreads),
            near: StoredValue::new(page.near),
            may_manage: page.may_manage,
        }
    }

    pub(super) fn row(self, key: &str) -> SettingEntry {
        let found = self.rows.with_value(|rows| rows.iter().find(|row| row.key == key).cloned());
        found.unwrap_or_else(|| SettingEntry { key: key.to_owned(), value: String::new(), version: 0, last: None })
    }

    pub(super) fn spread(self, key: &str) -> Option<ThresholdSpread> {
        self.spreads.with_value(|spreads| spreads.iter().find(|spread| spread.key == key).cloned())
    }

    pub(super) fn near(self, key: &str) -> Option<Near> {
        self.near.with_value(|near| near.iter().find(|near| near.key == key).cloned())
    }

    pub(super) fn rows_in(self, section: Section) -> Vec<SettingEntry> {
        self.rows.with_value(|rows| rows.iter().filter(|row| within(&row.key, section)).cloned().collect())
    }
}

/// The key of auto-promote, whose value is a number or `never`.
pub(super) const PROMOTE: &str = "promote.contributors";

/// The name of a setting within a sentence of its own card.
pub(super) fn called(key: &str, section: Section) -> String {
    if section == Section::AutoPromote { "this".to_owned() } else { label(key).to_owned() }
}

/// One change as hidden fields.
#[component]
pub(super) fn Fields(#[prop(into)] key: String, #[prop(into)] value: String, version: i64) -> impl IntoView {
    view! {
        <input type="hidden" name="changes[0][key]" value=key />
        <input type="hidden" name="changes[0][value]" value=value />
        <input type="hidden" name="changes[0][version]" value=version />
    }
}

pub(super) fn within(key: &str, section: Section) -> bool {
    Spec::find(key).is_ok_and(|spec| spec.section == section)
}

pub(super) fn label(key: &str) -> &'static str {
    Spec::find(key).map_or("", |spec| spec.label)
}

/// A value as people read it.
pub(super) fn words(key: &str, form: &str) -> String {
    let value = Spec::find(key).ok().and_then(|spec| spec.read(form));
    value.map_or_else(|| form.to_owned(), Value::words)
}
