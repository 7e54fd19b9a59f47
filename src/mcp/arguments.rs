//! Reading the arguments of a tool call.
//!
//! Models often write the obvious name instead of the right one: `text` for `content`, `q` for `query`. Such names are accepted
//! by one table. Any other name is an error that tells the right ones, because an argument that is silently ignored looks as if it
//! had been obeyed.

use serde_json::{Map, Value};

use domain::loose::Whole;
use domain::problem::{Field, Problem};

/// An argument with the other names that are understood.
const ALIASES: &[(&str, &[&str])] = &[
    ("content", &["text", "memory", "fact", "statement", "note", "data", "value"]),
    ("query", &["q", "question", "search", "prompt", "text", "content", "memory"]),
    ("kind", &["type", "category"]),
    ("limit", &["k", "top_k", "n", "count", "max_results"]),
    ("cursor", &["next_cursor", "page", "after"]),
    ("origin", &["origins", "only_origin", "only", "author", "source"]),
    ("exclude_origin", &["exclude_origins", "exclude", "without", "not_origin"]),
    ("all", &["everything", "forget_all", "delete_all"]),
    ("ids", &["id", "memory_id", "memory_ids", "memories"]),
    ("importance", &["priority", "weight"]),
];

/// Names that would say whose memories are meant.
const OF_USERS: &[&str] = &["user", "user_id", "userid", "username", "owner", "account", "on_behalf_of"];

/// The arguments of one call under their right names.
#[derive(Debug)]
pub struct Arguments {
    values: Map<String, Value>,
}

impl Arguments {
    /// Sorts what was sent by the names that the tool has.
    pub fn new(tool: &str, names: &[&'static str], sent: Option<Map<String, Value>>) -> Result<Self, Problem> {
        let mut values = Map::new();
        for (name, value) in sent.unwrap_or_default() {
            let right = right_name(names, &name).ok_or_else(|| unknown(tool, names, &name))?;
            // A model writes null for what it leaves out.
            if value.is_null() {
                continue;
            }
            if values.insert(right.to_owned(), value).is_some() {
                return Err(malformed(format!("`{right}` was sent twice, once as `{name}`; send it once")));
            }
        }
        Ok(Self { values })
    }

    pub fn text(&self, name: &'static str) -> Result<Option<String>, Problem> {
        match self.values.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(malformed(format!("`{name}` must be a string"))),
        }
    }

    /// All of them.
    #[must_use]
    pub fn object(&self) -> Value {
        Value::Object(self.values.clone())
    }

    /// A text that must be there.
    pub fn needed(&self, name: &'static str, field: Field) -> Result<String, Problem> {
        self.text(name)?.ok_or_else(|| Problem::invalid(field, format!("Send `{name}`: this tool needs it")))
    }

    /// A whole number, in any way that models write one.
    pub fn number(&self, name: &'static str) -> Result<Option<i64>, Problem> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let read = serde_json::from_value(value.clone());
        read.map(|Whole(number)| Some(number)).map_err(|_| malformed(format!("`{name}` must be a whole number")))
    }

    /// A number of items. What does not fit becomes the largest number, which every limit refuses.
    pub fn count(&self, name: &'static str) -> Result<Option<u32>, Problem> {
        Ok(self.number(name)?.map(|number| u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// Exactly `true`; nothing else may delete everything.
    pub fn flag(&self, name: &'static str) -> Result<bool, Problem> {
        match self.values.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(malformed(format!("`{name}` must be true or false"))),
        }
    }

    /// One text or a list of them, which may be written as a text: `["a", "b"]` or `a, b`. Empty if it was not sent.
    pub fn list(&self, name: &'static str) -> Result<Vec<String>, Problem> {
        let wrong = || malformed(format!("`{name}` must be a string or a list of strings"));
        let texts = match self.values.get(name) {
            None => return Ok(Vec::new()),
            Some(Value::String(text)) if text.trim_start().starts_with('[') => serde_json::from_str(text).ok(),
            Some(Value::String(text)) => Some(text.split(',').map(|part| part.trim().to_owned()).collect()),
            Some(list) => serde_json::from_value::<Vec<String>>(list.clone()).ok(),
        };
        texts.filter(|texts| !texts.is_empty() && texts.iter().all(|text| !text.trim().is_empty())).ok_or_else(wrong)
    }
}

fn right_name<'a>(names: &[&'a str], sent: &str) -> Option<&'a str> {
    let sent = sent.trim().to_ascii_lowercase().replace('-', "_");
    let means = |name: &str| ALIASES.iter().any(|(right, others)| *right == name && others.contains(&sent.as_str()));
    names.iter().find(|name| **name == sent).or_else(|| names.iter().find(|name| means(name))).copied()
}

fn unknown(tool: &str, names: &[&str], sent: &str) -> Problem {
    let plain = sent.trim().to_ascii_lowercase().replace(['-', '_'], "");
    if OF_USERS.iter().any(|name| name.replace('_', "") == plain) {
        return malformed("leave out the user: whose memories these are is fixed by the connection");
    }
    let takes: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    // The name is a model's own words and may be long.
    let sent: String = sent.chars().take(40).collect();
    malformed(format!("`{tool}` has no argument `{sent}`; it takes {}", takes.join(", ")))
}

fn malformed(detail: impl Into<String>) -> Problem {
    Problem::Malformed { detail: detail.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(names: &[&'static str], sent: Value) -> Result<Arguments, Problem> {
        let Value::Object(sent) = sent else { panic!("an object") };
        Arguments::new("remember", names, Some(sent))
    }

    #[test]
    fn every_alias_leads_to_its_argument_and_to_no_other() {
        for (right, others) in ALIASES {
            for other in *others {
                let arguments = read(&[right], json!({ *other: "x" })).expect("understood");
                assert_eq!(arguments.text(right).expect("a string").as_deref(), Some("x"), "{other}");
            }
        }
        let arguments = read(&["content", "query"], json!({"content": "a", "query": "b"})).expect("read");
        assert_eq!(arguments.text("query").expect("a string").as_deref(), Some("b"), "a right name is never an alias");
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_right_ones() {
        let problem = read(&["content", "kind"], json!({"content": "a", "colour": "b"})).expect_err("unknown");
        let said = problem.to_string();
        assert!(said.contains("`colour`") && said.contains("`content`, `kind`"), "{said}");
        for name in OF_USERS.iter().copied().chain(["userId", "User-ID"]) {
            let said = read(&["content"], json!({ name: "eve" })).expect_err("refused").to_string();
            assert!(said.contains("fixed by the connection"), "{name}: {said}");
        }
    }

    #[test]
    fn one_argument_under_two_names_is_refused() {
        assert!(read(&["content"], json!({"content": "a", "text": "b"})).is_err());
        assert!(read(&["content"], json!({"content": "a", "text": null})).is_ok());
    }

    #[test]
    fn types_are_read_kindly_but_never_guessed() {
        let names = &["limit", "all", "origin"];
        let read = |sent: Value| read(names, sent).expect("read");
        assert_eq!(read(json!({"limit": 5})).count("limit"), Ok(Some(5)));
        assert_eq!(read(json!({"limit": "5"})).count("limit"), Ok(Some(5)));
        assert_eq!(read(json!({"limit": -1})).count("limit"), Ok(Some(u32::MAX)));
        assert_eq!(read(json!({"limit": 5.0})).count("limit"), Ok(Some(5)));
        assert!(read(json!({"limit": 1.5})).count("limit").is_err());
        assert!(read(json!({"all": "true"})).flag("all").is_err());
        assert_eq!(read(json!({"origin": "agent"})).list("origin"), Ok(vec!["agent".to_owned()]));
        assert!(read(json!({"origin": []})).list("origin").is_err(), "a filter that admits nothing is a mistake");
        assert!(read(json!({"origin": [1]})).list("origin").is_err());
        for written in ["[\"agent\", \"user\"]", " [\"agent\",\"user\"] ", "agent, user", "agent,user"] {
            assert_eq!(read(json!({"origin": written})).list("origin").expect("a list"), ["agent", "user"], "{written}");
        }
        for wrong in ["[]", "[1]", "[\"agent\"", "", "agent,,user"] {
            assert!(read(json!({"origin": wrong})).list("origin").is_err(), "{wrong}");
        }
    }
}
