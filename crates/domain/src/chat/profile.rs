//! Fields of a user's profile: allowed values and limits.

use serde_json::Value;

use crate::moment::Moment;
use crate::problem::{Field, Problem};

/// Maximum number of fields in a profile, and of characters in a name and in a text.
pub const FIELDS_MAX: usize = 50;
pub const FIELD_NAME_MAX_CHARS: usize = 64;
pub const FIELD_VALUE_MAX_CHARS: usize = 500;
/// Maximum size of a value as compact JSON, in bytes: every prompt of its user contains it.
pub const FIELD_VALUE_MAX_BYTES: usize = 2_048;
/// Maximum nesting of lists and objects, including the outermost one.
pub const FIELD_VALUE_MAX_DEPTH: usize = 4;
/// Maximum number of elements and members of all lists and objects of a value together.
pub const FIELD_VALUE_MAX_ENTRIES: usize = 64;
/// Field for the language in which an assistant answers commands.
pub const LANGUAGE_FIELD: &str = "preferred_language";

/// The value of a field.
#[derive(Clone, PartialEq, Eq)]
pub enum FieldValue {
    Text(String),
    /// A number, true or false, a list, or an object.
    Json(Value),
}

/// One field of a profile.
#[derive(Clone, PartialEq, Eq)]
pub struct ProfileField {
    pub name: String,
    pub value: FieldValue,
    pub updated_at: Moment,
}

/// Omits the value, which is private.
impl std::fmt::Debug for FieldValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self, Self::Text(_)) { "Text" } else { "Json" })
    }
}

/// Checks the name of a field.
pub fn check_field_name(name: &str) -> Result<(), Problem> {
    let fits = (1..=FIELD_NAME_MAX_CHARS).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if fits { Ok(()) } else { Err(Problem::invalid(Field::Key, "must match [a-z0-9_]{1,64}")) }
}

impl FieldValue {
    /// Validates a sent value: a text is trimmed and must not be blank, anything else is kept as it was sent, within the limits.
    pub fn new(sent: Value) -> Result<Self, Problem> {
        match sent {
            Value::String(text) => Self::text(&text),
            Value::Null => Err(must("must be a text, a number, true, false, a list or an object; delete the field to empty it")),
            sent => {
                check(&sent)?;
                Ok(Self::Json(sent))
            }
        }
    }

    /// A text: trimmed, not blank, at most 500 characters.
    pub fn text(sent: &str) -> Result<Self, Problem> {
        let text = sent.trim();
        if text.is_empty() {
            return Err(must("must not be blank"));
        }
        check_text(text)?;
        Ok(Self::Text(text.to_owned()))
    }

    /// The text itself, or compact JSON: on one line.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Json(value) => value.to_string(),
        }
    }

    /// The value as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Text(text) => Value::String(text.clone()),
            Self::Json(value) => value.clone(),
        }
    }

    /// Every text, number and other scalar in it, each with the keys that lead to it.
    #[must_use]
    pub fn leaves(&self) -> Vec<(Vec<&str>, String)> {
        match self {
            Self::Text(text) => vec![(Vec::new(), text.clone())],
            Self::Json(value) => leaves(value, &[]),
        }
    }
}

fn leaves<'a>(value: &'a Value, keys: &[&'a str]) -> Vec<(Vec<&'a str>, String)> {
    match value {
        Value::Array(list) => list.iter().flat_map(|one| leaves(one, keys)).collect(),
        Value::Object(members) => {
            let below = |(key, one): (&'a String, &'a Value)| leaves(one, &[keys, &[key.as_str()]].concat());
            members.iter().flat_map(below).collect()
        }
        Value::String(text) => vec![(keys.to_vec(), text.clone())],
        other => vec![(keys.to_vec(), other.to_string())],
    }
}

fn must(must: impl Into<String>) -> Problem {
    Problem::invalid(Field::Value, must)
}

/// Refuses a value that is too large, too deep, or has too many entries.
fn check(value: &Value) -> Result<(), Problem> {
    // Depth first: the other checks recurse as deep as the value is.
    if depth(value) > FIELD_VALUE_MAX_DEPTH {
        return Err(must(format!("must have at most {FIELD_VALUE_MAX_DEPTH} lists and objects inside each other")));
    }
    let entries = entries(value);
    if entries > FIELD_VALUE_MAX_ENTRIES {
        return Err(must(format!("must have at most {FIELD_VALUE_MAX_ENTRIES} elements and members; it has {entries}")));
    }
    check_texts(value)?;
    let bytes = value.to_string().len();
    if bytes > FIELD_VALUE_MAX_BYTES {
        return Err(must(format!("must be {FIELD_VALUE_MAX_BYTES} bytes or fewer as compact JSON; it is {bytes}")));
    }
    Ok(())
}

fn below(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(list) => list.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}

fn depth(value: &Value) -> usize {
    let deepest = below(value).into_iter().map(depth).max().unwrap_or_default();
    deepest + usize::from(value.is_array() || value.is_object())
}

fn entries(value: &Value) -> usize {
    below(value).into_iter().map(|one| 1 + entries(one)).sum()
}

fn check_texts(value: &Value) -> Result<(), Problem> {
    match value {
        Value::String(text) => check_text(text),
        Value::Object(members) => {
            let bad = members.keys().any(|key| !(1..=FIELD_NAME_MAX_CHARS).contains(&key.chars().count()));
            if bad {
                return Err(must(format!("must have keys of 1 to {FIELD_NAME_MAX_CHARS} characters")));
            }
            members.values().try_for_each(check_texts)
        }
        other => below(other).into_iter().try_for_each(check_texts),
    }
}

fn check_text(text: &str) -> Result<(), Problem> {
    match text.chars().count() {
        0..=FIELD_VALUE_MAX_CHARS => Ok(()),
        chars => Err(must(format!("must be {FIELD_VALUE_MAX_CHARS} characters or fewer in each text; it is {chars}"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_have_plain_names_and_short_texts() {
        assert!(["user_name", "a", "0", &"x".repeat(64)].iter().all(|name| check_field_name(name).is_ok()));
        assert!(["", "User", "a-b", "a b", "é", &"x".repeat(65)].iter().all(|name| check_field_name(name).is_err()));
        let of = |text: &str| FieldValue::new(json!(text));
        assert_eq!(of("  id "), Ok(FieldValue::Text("id".to_owned())));
        assert!(of(&"é".repeat(500)).is_ok() && of(&"é".repeat(501)).is_err() && of(" \n").is_err());
    }

    #[test]
    fn a_value_may_be_a_list_or_an_object_within_its_limits() {
        let list = |n: usize| Value::Array(vec![json!(1); n]);
        let deep = |n: usize| (0..n).fold(json!(1), |inner, _| json!([inner]));
        let object = |key: &str| json!({ key: true });
        for fits in [json!(7), json!(-1.5), json!(false), json!([]), json!({}), json!(["id", "en"]), list(64), deep(4)] {
            assert_eq!(FieldValue::new(fits.clone()), Ok(FieldValue::Json(fits)));
        }
        assert!(FieldValue::new(object(&"k".repeat(64))).is_ok());
        for (wrong, word) in [
            (Value::Null, "delete the field"),
            (list(65), "64 elements"),
            (json!([list(32), list(32)]), "64 elements"),
            (deep(5), "inside each other"),
            (object(""), "keys"),
            (object(&"k".repeat(65)), "keys"),
            (json!([["x".repeat(501)]]), "501"),
            (Value::Array(vec![json!("x".repeat(490)); 5]), "2048 bytes"),
        ] {
            let told = FieldValue::new(wrong).expect_err("too much").to_string();
            assert!(told.contains(word), "{told}");
        }
    }

    #[test]
    fn every_text_of_a_value_is_found_with_the_keys_that_lead_to_it() {
        let value = FieldValue::new(json!({ "bot": { "pins": ["a", 7] }, "on": true })).expect("fits");
        let found: Vec<String> = value.leaves().into_iter().map(|(keys, text)| format!("{}={text}", keys.join("."))).collect();
        assert_eq!(found, ["bot.pins=a", "bot.pins=7", "on=true"]);
        assert_eq!(value.shown(), r#"{"bot":{"pins":["a",7]},"on":true}"#);
    }
}
