//! Parses a provider's answer strictly: anything that does not have exactly the requested shape is refused.
//!
//! One bad item invalidates the whole answer, because a model that lost the format has probably lost more than that. Reasons name
//! a position and a rule and never quote, because they are logged, and answers consist of what people said.

use serde::Deserialize;
use serde_json::Value;

use super::prompt;
use crate::domain::claim::{Claim, Takes};
use crate::domain::fact::{Candidate, FactKind};
use crate::domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use crate::domain::provenance::Origin;
use crate::ports::extractor::Known;

/// An exchange is never worth more items: the model is copying.
const ITEMS_MAX: usize = 20;

/// Why an answer cannot be used, without quoting it.
pub(super) type Reason = String;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryItem {
    content: String,
    kind: String,
    importance: i64,
    #[serde(default)]
    takes: Option<TakesItem>,
    #[serde(default)]
    only_instead: bool,
}

/// `"nearest"`, `{"id":"k1"}` or `{"term":"iOS app"}`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum TakesItem {
    Nearest,
    Id(String),
    Term(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForgetItem {
    forget: ForgottenItem,
}

/// What to search for, as plain text or as `{"term":"…"}`; or `{"id":"k1"}`.
#[derive(Deserialize)]
#[serde(untagged)]
enum ForgottenItem {
    Bare(String),
    Named(TakesItem),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactItem {
    content: String,
    kind: String,
    importance: i64,
}

/// What users state about themselves. An id that was not shown, or that is not one of the user's own memories, is dropped: a
/// statement to remember is then added as a new one, and nothing is forgotten.
pub(super) fn personal(answer: &str, known: &[Known]) -> Result<Vec<Claim>, Reason> {
    let mut claims = Vec::new();
    for (place, item) in items(answer)?.into_iter().enumerate() {
        if item.get("forget").is_some() {
            claims.extend(forgotten(place, shaped(place, item)?, known)?);
        } else {
            claims.push(claim(place, shaped(place, item)?, known)?);
        }
    }
    Ok(claims)
}

/// What to propose to the team.
pub(super) fn global(answer: &str) -> Result<Vec<Candidate>, Reason> {
    items(answer)?.into_iter().enumerate().map(|(place, item)| candidate(place, &shaped(place, item)?)).collect()
}

fn claim(place: usize, item: MemoryItem, known: &[Known]) -> Result<Claim, Reason> {
    let says = Statement {
        kind: MemoryKind::parse(&item.kind).map_err(|_| at(place, "unknown kind"))?,
        content: content(place, &item.content)?,
        importance: importance(place, item.importance)?,
    };
    let unnamed = if says.kind == MemoryKind::Correction { Takes::Nearest } else { Takes::Nothing };
    let takes = match item.takes {
        None => unnamed,
        Some(TakesItem::Nearest) => Takes::Nearest,
        Some(TakesItem::Id(id)) => prompt::shown_as(&id, known).map_or(Takes::Nothing, Takes::Id),
        Some(TakesItem::Term(term)) if term.trim().is_empty() => unnamed,
        Some(TakesItem::Term(term)) => Takes::Term(content(place, &term)?.as_str().to_owned()),
    };
    Ok(Claim { lasting: !item.only_instead, ..Claim::of(says, takes) })
}

fn forgotten(place: usize, item: ForgetItem, known: &[Known]) -> Result<Option<Claim>, Reason> {
    match item.forget {
        ForgottenItem::Bare(term) | ForgottenItem::Named(TakesItem::Term(term)) => {
            Ok(Some(Claim::forget_that(content(place, &term)?.as_str())))
        }
        ForgottenItem::Named(TakesItem::Id(id)) => Ok(prompt::shown_as(&id, known).map(|id| Claim::forget(Takes::Id(id)))),
        ForgottenItem::Named(TakesItem::Nearest) => Err(at(place, "nothing to look for")),
    }
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

/// The text inside a Markdown fence that encloses everything, or the text itself.
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
    use crate::ports::extractor::Owner;

    const TEA: &str = r#"{"content":"Likes tea","kind":"preference","importance":2}"#;

    #[test]
    fn an_array_an_object_and_a_fence_read_the_same() {
        for answer in [
            format!("[{TEA}]"),
            format!(r#" {{"items":[{TEA}]}} "#),
            format!("```json\n[{TEA}]\n```"),
            format!("```\n{{\"items\":[{TEA}]}}\n```\n"),
        ] {
            let claims = personal(&answer, &[]).expect("readable");
            assert_eq!(claims, [Claim::plain(statement("Likes tea", MemoryKind::Preference, 2))], "{answer}");
        }
        assert!(personal("[]", &[]).expect("readable").is_empty());
        assert!(global(r#"{"items":[]}"#).expect("readable").is_empty());
    }

    fn statement(text: &str, kind: MemoryKind, importance: i64) -> Statement {
        Statement { kind, content: Content::new(text).expect("fits"), importance: Importance::new(importance).expect("1 to 5") }
    }

    fn known() -> [Known; 2] {
        let known = |id: &str, owner| Known { id: id.to_owned(), text: "Drinks espresso".to_owned(), owner };
        [known("gf_1", Owner::Team), known("mem_1", Owner::User)]
    }

    #[test]
    fn everything_that_a_claim_can_take_can_be_said() {
        let one = |takes: &str| {
            let answer = format!(r#"[{{"content":"Drinks decaf","kind":"fact","importance":3,"takes":{takes}}}]"#);
            personal(&answer, &known()).expect("readable").remove(0)
        };
        let of = |takes| Claim::of(statement("Drinks decaf", MemoryKind::Fact, 3), takes);
        for (said, takes) in [
            ("null", Takes::Nothing),
            (r#""nearest""#, Takes::Nearest),
            (r#"{"id":"k2"}"#, Takes::Id("mem_1".to_owned())),
            (r#"{"term":" iOS app "}"#, Takes::Term("iOS app".to_owned())),
            (r#"{"term":" "}"#, Takes::Nothing),
            // An id that was not shown; a team fact; the store's own id.
            (r#"{"id":"k3"}"#, Takes::Nothing),
            (r#"{"id":"k1"}"#, Takes::Nothing),
            (r#"{"id":"mem_1"}"#, Takes::Nothing),
        ] {
            assert_eq!(one(said), of(takes), "{said}");
        }
        let answer = r#"[{"content":"Drinks decaf","kind":"fact","importance":3,"takes":"nearest","only_instead":true},
            {"content":"Drinks decaf","kind":"correction","importance":3}]"#;
        let claims = personal(answer, &known()).expect("readable");
        assert!(!claims[0].lasting && claims[1].lasting && claims[1].takes == Takes::Nearest);
    }

    #[test]
    fn forgetting_is_its_own_item() {
        let answer = r#"[{"forget":"lives in Kyoto"},{"forget":{"term":"espresso"}},{"forget":{"id":"k2"}},{"forget":{"id":"k1"}},
            {"forget":{"id":"k9"}}]"#;
        let expected =
            [Claim::forget_that("lives in Kyoto"), Claim::forget_that("espresso"), Claim::forget(Takes::Id("mem_1".to_owned()))];
        assert_eq!(personal(answer, &known()).expect("readable"), expected);
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
            r#"[{"forget":{"nearest":null}}]"#,
            r#"[{"forget":{"id":"k1","term":"tea"}}]"#,
            r#"[{"content":"Likes tea","kind":"fact","importance":3,"takes":"tea"}]"#,
            r#"[{"content":"Likes tea","kind":"fact","importance":3,"takes":{"id":1}}]"#,
            r#"[{"content":"Likes tea","kind":"fact","importance":3,"negates":"milk"}]"#,
            &long,
            &many,
        ] {
            assert!(personal(bad, &known()).is_err(), "{bad:.80}");
        }
        for bad in [
            TEA,
            r#"[{"content":"Likes tea","kind":"preference","importance":3}]"#,
            r#"[{"content":"x","kind":"fact","importance":3,"takes":null}]"#,
            r#"[{"forget":"tea"}]"#,
        ] {
            assert!(global(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn reasons_do_not_quote_the_answer() {
        for bad in [r#"[{"content":"Hidden","kind":"Hidden","importance":3}]"#, r#"[{"Hidden":1}]"#, "Hidden"] {
            assert!(!personal(bad, &[]).expect_err("refused").contains("Hidden"));
        }
    }
}
