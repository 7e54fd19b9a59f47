//! Entries of the audit log as sentences: the action, its target and the change. The log stores keys, enums and numbers; people
//! read words.

use serde::{Deserialize, Serialize};

use crate::access::rights::Rights;
use crate::audit::{Action, BULK};
use crate::erasure::ErasureScope;
use crate::numbers::several;
use crate::settings::{Section, SettingRange, Spec, Value};

/// Number of letters of a digest that are shown.
const DIGEST_LETTERS: usize = 10;

/// An entry in words: `Changed` *Personal memories per message* `from 8 to 10`, and more about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryWords {
    pub words: String,
    /// The name of what was changed, set apart in the sentence.
    pub named: Option<String>,
    /// The rest of the sentence after the name.
    pub rest: Option<String>,
    /// Details beside the sentence.
    pub detail: Option<String>,
}

impl EntryWords {
    /// Joins the parts into one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let parts = [Some(&self.words), self.named.as_ref(), self.rest.as_ref()];
        parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// Describes an entry. `target` and `detail` are as stored.
#[must_use]
pub fn told(action: &str, target: Option<&str>, detail: Option<&str>) -> EntryWords {
    let words = Action::find(action).map_or_else(|| action.to_owned(), |action| action.words.to_owned());
    if let ("setting.changed", Some(key), Some(detail)) = (action, target, detail)
        && let Some(told) = setting(key, detail)
    {
        return told;
    }
    EntryWords { words, detail: detail.map(|detail| in_words(action, detail)), ..EntryWords::default() }
}

/// Describes a bulk decision on this many facts; `None`: the action is not one of [`BULK`].
#[must_use]
pub fn bulk_words(action: &str, count: u64) -> Option<String> {
    BULK.iter().find(|(name, _)| *name == action).map(|(_, words)| words(count))
}

fn in_words(action: &str, detail: &str) -> String {
    let value =
        |name: &str| detail.split(' ').filter_map(|part| part.split_once('=')).find(|(key, _)| *key == name).map(|(_, v)| v);
    let number = |name: &str| value(name).and_then(|value| value.parse::<u64>().ok());
    let words = match action {
        "fact.importance_set" => detail.split_once(" → ").map(|(from, to)| format!("from {from} to {to}")),
        "fact.undone" => undone(detail).map(str::to_owned),
        "fact.merged" => value("into").map(|id| format!("into {id}")),
        "fact.split" => value("into").map(|id| format!("as {id}")),
        "fact.deleted" => value("text")
            .map(|digest| format!("digest of its text: {}…", digest.chars().take(DIGEST_LETTERS).collect::<String>())),
        "fact.promoted" => number("contributors").map(|n| several(n, "contributor", "contributors")),
        "fact.list_exported" => file(number("rows"), value("format"), ("fact", "facts")),
        "audit.exported" => file(number("rows"), value("format"), ("entry", "entries")),
        "user.asked_as" => value("surface").map(|surface| format!("as from {surface}")),
        "user.erasure_previewed" | "user.erasure_asked" => ErasureScope::parse(detail).ok().map(|scope| scope.label().to_owned()),
        "user.erased" | "user.erasure_replayed" => number("rows").map(|rows| {
            let facts = number("facts").unwrap_or_default();
            let kept = number("kept").unwrap_or_default();
            let only = value("scope").and_then(|scope| ErasureScope::parse(scope).ok());
            let only = only.filter(|scope| *scope != ErasureScope::Everything).map(|scope| format!("{} · ", scope.label()));
            format!(
                "{}{} removed · {} deleted, {} kept",
                only.unwrap_or_default(),
                several(rows, "row", "rows"),
                several(facts, "team fact", "team facts"),
                kept
            )
        }),
        "user.erasure_verified" | "user.erasure_partial" => number("checks")
            .zip(number("passed"))
            .map(|(checks, passed)| format!("{passed} of {} passed", several(checks, "check", "checks"))),
        "erasure.rehearsed" => number("residue").map(|left| match left {
            0 => "nothing was left".to_owned(),
            left => format!("{} failed", several(left, "check", "checks")),
        }),
        "database.behind" => number("commits").map(|n| format!("{} missing", several(n, "change", "changes"))),
        "inbox.resent" => number("exchanges").map(|n| several(n, "message", "messages")),
        "operator.rights_changed" => detail.split_once(" → ").and_then(|(from, to)| {
            Some(format!("from {} to {}", Rights::parse(from).ok()?.role(), Rights::parse(to).ok()?.role()))
        }),
        "key.rotated" => value("overlap").map(|overlap| match overlap {
            "none" => "the old key ended at once".to_owned(),
            "1h" => "the old key works for 1 more hour".to_owned(),
            "24h" => "the old key works for 24 more hours".to_owned(),
            "7d" => "the old key works for 7 more days".to_owned(),
            other => format!("the old key works for {other}"),
        }),
        _ => None,
    };
    words.or_else(|| settled(detail)).unwrap_or_else(|| pairs(detail))
}

fn undone(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "approve" => "an approval",
        "reject" => "a rejection",
        "reopen" => "a re-opening",
        "importance" => "a change of importance",
        "edit" => "an edit",
        "edit_approve" => "an edit and its approval",
        "settle" => "the end of a conflict",
        _ => return None,
    })
}

/// Describes how a contradiction between two facts was resolved; `None`: the detail is something else.
fn settled(detail: &str) -> Option<String> {
    let words = match detail.strip_prefix("duel=")? {
        "keep_a" => "the first of two conflicting facts was kept",
        "keep_b" => "the second of two conflicting facts was kept",
        "both_dated" => "both conflicting facts were kept, each with its date",
        "neither" => "neither of two conflicting facts was kept",
        _ => return None,
    };
    Some(words.to_owned())
}

fn file(rows: Option<u64>, format: Option<&str>, (one, many): (&str, &str)) -> Option<String> {
    Some(format!("{} as {}", several(rows?, one, many), format?.to_uppercase()))
}

/// Other details: `memories=3 facts=1` is `3 memories · 1 fact`.
fn pairs(detail: &str) -> String {
    if !detail.split(' ').all(|part| part.contains('=')) {
        return detail.to_owned();
    }
    let parts = detail.split(' ').filter_map(|part| part.split_once('=')).map(|(name, value)| {
        let name = name.replace('_', " ");
        match value.parse::<i64>() {
            Ok(1) => {
                let one = name.strip_suffix("ies").map(|stem| format!("{stem}y"));
                format!("1 {}", one.unwrap_or_else(|| name.trim_end_matches('s').to_owned()))
            }
            Ok(count) => format!("{count} {name}"),
            Err(_) => format!("{name} {value}"),
        }
    });
    parts.collect::<Vec<_>>().join(" · ")
}

/// Describes a changed setting: `Changed` *Personal memories per message* `from 8 to 10`, `Turned off` *Anonymous calls*. `None`:
/// there is no such setting now.
fn setting(key: &str, detail: &str) -> Option<EntryWords> {
    let spec = Spec::find(key).ok()?;
    let (from, to) = detail.split_once(" → ")?;
    let (from, to) = (stored(spec, from)?, stored(spec, to)?);
    let named = Some(setting_name(spec));
    Some(match to {
        Value::Switch(on) => {
            EntryWords { words: if on { "Turned on" } else { "Turned off" }.to_owned(), named, ..EntryWords::default() }
        }
        to => EntryWords {
            words: "Changed".to_owned(),
            named,
            rest: Some(format!("from {} to {}", setting_value(spec, from), setting_value(spec, to))),
            ..EntryWords::default()
        },
    })
}

/// Parses a value from the log, which stores JSON.
fn stored(spec: &Spec, text: &str) -> Option<Value> {
    let value = match text {
        "true" => Value::Switch(true),
        "false" => Value::Switch(false),
        "null" => Value::Off(()),
        word if word.starts_with('"') => Value::of_word(word.trim_matches('"'))?,
        number => match number.parse() {
            Ok(whole) => Value::Whole(whole),
            Err(_) => Value::Decimal(number.parse().ok()?),
        },
    };
    // A value that the setting no longer allows is shown as it is.
    Some(spec.check(value).unwrap_or(value))
}

/// Returns a setting's label, worded to be understood away from its group on the settings page.
fn setting_name(spec: &Spec) -> String {
    match spec.section {
        Section::Recall => format!("Team facts in recall: {}", spec.label),
        Section::Keeping => format!("How long memories are kept: {}", spec.label),
        Section::ModelUse if spec.range == SettingRange::OverBudget => "When the tokens of a day are used up".to_owned(),
        Section::Gate => "File paths that the gate refuses".to_owned(),
        _ => spec.label.to_owned(),
    }
}

fn setting_value(spec: &Spec, value: Value) -> String {
    match (spec.range, value) {
        (SettingRange::Days(..), Value::Off(())) => "for good".to_owned(),
        (SettingRange::Days(..), Value::Whole(n)) => several(n.into(), "day", "days"),
        (SettingRange::WholeOrOff(..), Value::Whole(n)) => format!("{n} {}", spec.unit),
        (_, value) => value.words(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_read_as_words() {
        for (action, stored, words) in [
            ("user.imported", "memories=3 facts=1", "3 memories · 1 fact"),
            ("user.imported", "memories=1", "1 memory"),
            ("fact.promoted", "contributors=2", "2 contributors"),
            ("fact.importance_set", "2 → 3", "from 2 to 3"),
            ("fact.undone", "edit_approve", "an edit and its approval"),
            ("fact.undone", "unheard_of", "unheard_of"),
            ("fact.merged", "into=gf_1", "into gf_1"),
            ("fact.deleted", "text=0123456789abcdef", "digest of its text: 0123456789…"),
            ("fact.rejected", "duel=keep_b", "the second of two conflicting facts was kept"),
            ("fact.list_exported", "format=csv rows=1", "1 fact as CSV"),
            ("audit.exported", "format=jsonl rows=12", "12 entries as JSONL"),
            ("user.erasure_asked", "contributions", "Contributions only"),
            ("user.erased", "rows=12 facts=1 kept=2", "12 rows removed · 1 team fact deleted, 2 kept"),
            ("user.erased", "rows=3 facts=0 kept=1 scope=everything", "3 rows removed · 0 team facts deleted, 1 kept"),
            (
                "user.erased",
                "rows=3 facts=0 kept=1 scope=contributions",
                "Contributions only · 3 rows removed · 0 team facts deleted, 1 kept",
            ),
            ("user.erasure_verified", "checks=9 passed=9", "9 of 9 checks passed"),
            ("erasure.rehearsed", "residue=0", "nothing was left"),
            ("operator.rights_changed", "view → edit", "from View only to Editor"),
            ("key.rotated", "overlap=24h", "the old key works for 24 more hours"),
        ] {
            assert_eq!(told(action, None, Some(stored)).detail.as_deref(), Some(words), "{action}");
        }
        let plain = told("fact.approved", Some("gf_1"), None);
        assert_eq!((plain.sentence().as_str(), plain.detail), ("Approved a fact", None));
        assert_eq!(told("poem.written", None, None).words, "poem.written");
    }

    #[test]
    fn a_changed_setting_is_a_sentence_without_keys_and_booleans() {
        for (key, stored, words) in [
            ("recall.personal_k", "8 → 10", "Changed Personal memories per message from 8 to 10"),
            ("recall.anonymous", "false → true", "Turned on Team facts in recall: Anonymous calls"),
            ("learn.personal", "true → false", "Turned off Personal extractor"),
            ("promote.contributors", "2 → null", "Changed Auto-promote from 2 people to Never"),
            ("merge.global", "0.80 → 0.9", "Changed Team merge similarity from 0.80 to 0.90"),
            ("keep.episode", "null → 1", "Changed How long memories are kept: Episodes from for good to 1 day"),
            (
                "learn.over_budget",
                "\"wait\" → \"rules\"",
                "Changed When the tokens of a day are used up from Wait to Use the rules",
            ),
        ] {
            assert_eq!(told("setting.changed", Some(key), Some(stored)).sentence(), words);
        }
        let gone = told("setting.changed", Some("gone.setting"), Some("1 → 2"));
        assert_eq!((gone.sentence().as_str(), gone.detail.as_deref()), ("Changed a setting", Some("1 → 2")));
    }

    #[test]
    fn a_bulk_decision_is_counted() {
        assert_eq!(bulk_words("fact.approved", 6).as_deref(), Some("Approved 6 facts"));
        assert_eq!(bulk_words("user.opened", 6), None);
    }
}
