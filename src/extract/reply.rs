//! Reads a provider's answer, strictly: what is not exactly the shape that was asked for is no answer.
//!
//! One bad item spoils the whole answer, because a model that lost the shape has likely lost the thread too. Reasons name a
//! place and a rule and never quote, because they are logged and answers are made of what people said.

use serde::Deserialize;
use serde_json::Value;

use crate::domain::fact::{Candidate, FactKind};
use crate::domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use crate::domain::provenance::Origin;

/// More items than one exchange can be worth: the model is copying.
const ITEMS_MAX: usize = 20;

/// Why an answer cannot be used, without a word of it.
pub(super) type Reason = String;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryItem {
    content: String,
    kind: String,
    importance: i64,
    #[serde(default)]
    negates: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForgetItem {
    forget: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactItem {
    content: String,
    kind: String,
    importance: i64,
}

/// What to remember about the user, and what to look for to forget.
pub(super) fn personal(answer: &str) -> Result<(Vec<Statement>, Vec<String>), Reason> {
    let (mut statements, mut forget) = (Vec::new(), Vec::new());
    for (place, item) in items(answer)?.into_iter().enumerate() {
        if item.get("forget").is_some() {
            let item: ForgetItem = shaped(place, item)?;
            forget.push(content(place, &item.forget)?.as_str().to_owned());
        } else {
            statements.push(statement(place, shaped(place, item)?)?);
        }
    }
    Ok((statements, forget))
}

/// What to propose to the team.
pub(super) fn global(answer: &str) -> Result<Vec<Candidate>, Reason> {
    items(answer)?.into_iter().enumerate().map(|(place, item)| candidate(place, &shaped(place, item)?)).collect()
}

fn statement(place: usize, item: MemoryItem) -> Result<Statement, Reason> {
    let negates = item.negates.filter(|term| !term.trim().is_empty());
    let negates = negates.map(|term| content(place, &term)).transpose()?;
    Ok(Statement {
        kind: MemoryKind::parse(&item.kind).map_err(|_| at(place, "unknown kind"))?,
        content: content(place, &item.content)?,
        importance: importance(place, item.importance)?,
        negates: negates.map(|term| term.as_str().to_owned()),
    })
}

fn candidate(place: usize, item: &FactItem) -> Result<Candidate, Reason> {
    Ok(Candidate {
        origin: Origin::Assistant,
        kind: FactKind::parse(&item.kind).map_err(|_| at(place, "unknown kind"))?,
        content: content(place, &item.content)?,
        importance: importance(place, item.importance)?,
    })
}

/// The items of a bare array or of `{"items":[…]}`.
fn items(answer: &str) -> Result<Vec<Value>, Reason> {
    let parsed: Value = serde_json::from_str(unfenced(answer)).map_err(|_| "not JSON".to_owned())?;
    let items = match parsed {
        Value::Array(items) => items,
        Value::Object(mut fields) if fields.len() == 1 => match fields.remove("items") {
            Some(Value::Array(items)) => items,
            _ => return Err("no array under `items`".to_owned()),
        },
        _ => return Err("neither an array nor an object with only `items`".to_owned()),
    };
    if items.len() > ITEMS_MAX { Err(format!("more than {ITEMS_MAX} items")) } else { Ok(items) }
}

/// The text inside one Markdown fence around everything, or the text itself.
fn unfenced(answer: &str) -> &str {
    let answer = answer.trim();
    let inside = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.map_or(answer, |inside| inside.strip_prefix("json").unwrap_or(inside))
}

fn shaped<T: for<'de> Deserialize<'de>>(place: usize, item: Value) -> Result<T, Reason> {
    serde_json::from_value(item).map_err(|_| at(place, "a field is missing, unknown or of another type"))
}

fn content(place: usize, text: &str) -> Result<Content, Reason> {
    Content::new(text).map_err(|_| at(place, &format!("blank, or longer than {CONTENT_MAX_CHARS} characters")))
}

fn importance(place: usize, value: i64) -> Result<Importance, Reason> {
    Importance::new(value).map_err(|_| at(place, "importance is not 1 to 5"))
}

fn at(place: usize, rule: &str) -> Reason {
    format!("item {}: {rule}", place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEA: &str = r#"{"content":"Likes tea","kind":"preference","importance":2}"#;

    #[test]
    fn an_array_an_object_and_a_fence_read_the_same() {
        for answer in [
            format!("[{TEA}]"),
            format!(r#" {{"items":[{TEA}]}} "#),
            format!("```json\n[{TEA}]\n```"),
            format!("```\n{{\"items\":[{TEA}]}}\n```\n"),
        ] {
            let (statements, forget) = personal(&answer).expect("readable");
            assert_eq!(statements.len(), 1, "{answer}");
            assert_eq!((statements[0].kind, statements[0].content.as_str()), (MemoryKind::Preference, "Likes tea"));
            assert!(forget.is_empty());
        }
        assert!(personal("[]").expect("readable").0.is_empty());
        assert!(global(r#"{"items":[]}"#).expect("readable").is_empty());
    }

    #[test]
    fn corrections_name_what_they_negate_and_forgetting_is_its_own_item() {
        let answer = r#"[{"content":"Works on the proxy pool","kind":"correction","importance":4,"negates":" iOS app "},
            {"content":"Likes tea","kind":"fact","importance":1,"negates":null},
            {"content":"Likes milk","kind":"fact","importance":1,"negates":""},
            {"forget":"lives in Kyoto"}]"#;
        let (statements, forget) = personal(answer).expect("readable");
        let negated: Vec<Option<&str>> = statements.iter().map(|s| s.negates.as_deref()).collect();
        assert_eq!(negated, [Some("iOS app"), None, None]);
        assert_eq!(forget, ["lives in Kyoto"]);
    }

    #[test]
    fn candidates_are_the_assistants_own() {
        let facts = global(r#"[{"content":"Deploys run on Fridays","kind":"howto","importance":3}]"#).expect("readable");
        assert_eq!((facts[0].origin, facts[0].kind), (Origin::Assistant, FactKind::Howto));
        assert_eq!(facts[0].importance, Importance::DEFAULT);
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!(r#"[{{"content":"{}","kind":"fact","importance":3}}]"#, "x".repeat(501));
        let many = format!("[{}]", vec![TEA; ITEMS_MAX + 1].join(","));
        for bad in [
            "",
            "Nothing to remember.",
            "null",
            "{}",
            r#"{"items":{}}"#,
            r#"{"items":[],"note":"x"}"#,
            "[] and that is all",
            "Here you are: ```json [] ```",
            r#"["Likes tea"]"#,
            r#"[{"content":"Likes tea"}]"#,
            r#"[{"content":"Likes tea","kind":"mood","importance":3}]"#,
            r#"[{"content":"Likes tea","kind":"fact","importance":6}]"#,
            r#"[{"content":"Likes tea","kind":"fact","importance":"3"}]"#,
            r#"[{"content":"Likes tea","kind":"fact","importance":2.5}]"#,
            r#"[{"content":" ","kind":"fact","importance":3}]"#,
            r#"[{"content":"Likes tea","kind":"fact","importance":3,"user_id":"u2"}]"#,
            r#"[{"forget":""}]"#,
            r#"[{"forget":"tea","content":"x"}]"#,
            &long,
            &many,
        ] {
            assert!(personal(bad).is_err(), "{bad:.80}");
        }
        for bad in [
            TEA,
            r#"[{"content":"Likes tea","kind":"preference","importance":3}]"#,
            r#"[{"content":"x","kind":"fact","importance":3,"negates":null}]"#,
            r#"[{"forget":"tea"}]"#,
        ] {
            assert!(global(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn reasons_do_not_quote_the_answer() {
        for bad in [r#"[{"content":"Hidden","kind":"Hidden","importance":3}]"#, r#"[{"Hidden":1}]"#, "Hidden"] {
            assert!(!personal(bad).expect_err("refused").contains("Hidden"));
        }
    }
}
