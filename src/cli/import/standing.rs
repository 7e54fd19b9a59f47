//! Whether another product still uses what it exports, and until when. What it holds as deleted, archived, paused or ended is not
//! brought back.

use serde_json::Value;

use super::conversations::{moment, text_of};
use domain::moment::Moment;

/// What is no longer in use is counted under the first word; the others say it too, as a state, or as a flag.
const REASONS: [(&str, &[&str]); 5] = [
    ("deleted", &["deleted", "delete", "removed", "erased", "forgotten", "trashed"]),
    ("archived", &["archived", "archive"]),
    ("paused", &["paused", "inactive", "disabled", "suspended"]),
    ("ended", &["ended", "expired", "superseded", "replaced", "obsolete", "outdated", "invalid"]),
    ("do_not_remember", &["do_not_remember"]),
];
/// The names under which one of these words may stand.
const STATES: [&str; 3] = ["state", "status", "event"];
/// Flags that hold while it is in use.
const ACTIVE: [&str; 4] = ["active", "is_active", "enabled", "is_enabled"];
/// The names of an end.
const ENDS: [&str; 15] = [
    "expires_at",
    "expires_on",
    "expires",
    "expire_at",
    "expired_at",
    "expired_on",
    "expiration_date",
    "expiration",
    "expiry",
    "expiry_date",
    "ends_at",
    "ended_at",
    "valid_until",
    "valid_to",
    "invalid_at",
];

/// Until when it is in use, if it has an end; or the reason why it no longer is. An end that cannot be read is `end_not_read`.
pub fn in_use(value: &Value, now: Moment) -> Result<Option<Moment>, &'static str> {
    by(&[value, &value["metadata"]], now)
}

/// The same for a conversation or a message, which says it itself: what is noted beside it is about something else.
pub fn of_talk(value: &Value, now: Moment) -> Result<Option<Moment>, &'static str> {
    by(&[value], now)
}

fn by(places: &[&Value], now: Moment) -> Result<Option<Moment>, &'static str> {
    for place in places {
        for (reason, words) in REASONS {
            let named = |word: &str| STATES.into_iter().filter_map(|name| place[name].as_str()).any(|state| same(state, word));
            let flagged = |word: &str| {
                let by = [word.to_owned(), format!("is_{word}"), format!("{word}_by")];
                let at = [format!("{word}_at"), format!("{word}_on")];
                by.iter().any(|name| holds(&place[name]))
                    || at.iter().any(|name| !ENDS.contains(&name.as_str()) && holds(&place[name]))
            };
            if words.iter().any(|word| named(word) || flagged(word)) {
                return Err(reason);
            }
        }
        if ACTIVE.into_iter().any(|name| !place[name].is_null() && !holds(&place[name])) {
            return Err("paused");
        }
    }
    let mut first = None;
    for written in places.iter().flat_map(|place| ENDS.into_iter().map(|name| &place[name])) {
        if let Some(end) = end(written)? {
            first = Some(first.map_or(end, |first: Moment| first.min(end)));
        }
    }
    if first.is_some_and(|end| end <= now) { Err("ended") } else { Ok(first) }
}

fn same(state: &str, word: &str) -> bool {
    state.trim().eq_ignore_ascii_case(word)
}

/// A flag, or what stands only where something holds: a time, a name.
fn holds(value: &Value) -> bool {
    match value {
        Value::Bool(holds) => *holds,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(_) => {
            text_of(value).is_some_and(|text| !["false", "no", "0", "null", "none"].iter().any(|no| same(text, no)))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// The end that is written, if there is one.
fn end(written: &Value) -> Result<Option<Moment>, &'static str> {
    let never = match written {
        Value::String(_) => text_of(written).is_none_or(|text| ["never", "none", "null"].iter().any(|no| same(text, no))),
        Value::Number(number) => number.as_f64().is_none_or(|number| number <= 0.0),
        _ => true,
    };
    if never { Ok(None) } else { moment(written).map(Some).ok_or("end_not_read") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_no_longer_in_use_is_known_however_it_is_written() {
        let now = Moment::parse("2026-06-01T00:00:00Z").expect("valid");
        for (value, reason) in [
            (json!({"state": "deleted"}), "deleted"),
            (json!({"deleted_at": "2026-01-01T00:00:00Z"}), "deleted"),
            (json!({"event": "DELETE"}), "deleted"),
            (json!({"is_deleted": 1}), "deleted"),
            (json!({"metadata": {"deleted": true}}), "deleted"),
            (json!({"status": " Archived "}), "archived"),
            (json!({"is_archived": true}), "archived"),
            (json!({"archived_at": 1_760_000_000}), "archived"),
            (json!({"state": "paused"}), "paused"),
            (json!({"active": false}), "paused"),
            (json!({"is_enabled": 0}), "paused"),
            (json!({"superseded_by": "m-2"}), "ended"),
            (json!({"expiration_date": "2026-05-31"}), "ended"),
            (json!({"expires_at": 1_760_000_000}), "ended"),
            (json!({"metadata": {"valid_until": "2025-01-01T00:00:00Z"}, "expires_at": "2031-01-01"}), "ended"),
            (json!({"expires_at": "soon"}), "end_not_read"),
            (json!({"is_do_not_remember": true}), "do_not_remember"),
        ] {
            assert_eq!(in_use(&value, now), Err(reason), "{value}");
        }
    }

    #[test]
    fn what_is_in_use_has_its_end() {
        let now = Moment::parse("2026-06-01T00:00:00Z").expect("valid");
        for (value, end) in [
            (json!({}), None),
            (json!("a text"), None),
            (json!({"state": "active", "status": "finished_successfully", "metadata": null, "active": true}), None),
            (json!({"deleted": false, "is_archived": "false", "deleted_at": null, "archived_at": "", "paused": 0}), None),
            (json!({"expires_at": null, "expiry": "never", "expires": -1, "valid_to": ""}), None),
            (json!({"expiration_date": "2026-06-02"}), Some("2026-06-02T00:00:00Z")),
            (json!({"metadata": {"expires_at": "2027-01-01T12:00:00+01:00"}}), Some("2027-01-01T11:00:00Z")),
            (json!({"expired_at": "2028-01-01", "expires_at": "2027-01-01"}), Some("2027-01-01T00:00:00Z")),
        ] {
            assert_eq!(in_use(&value, now), Ok(end.and_then(Moment::parse)), "{value}");
        }
    }
}
