//! Parses a provider's answer strictly: anything that does not have exactly the requested shape is refused.
//!
//! One bad item invalidates the whole answer, because a model that lost the format has probably lost more than that. Reasons name
//! a position and a rule and never quote, because they are logged, and answers consist of what people said.

use serde::Deserialize;
use serde_json::Value;

use super::prompt::{self, EXCHANGE};
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::Origin;
use domain::memory::claim::{Claim, Takes};
use domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use ports::extractor::Known;

/// An exchange is never worth more items: the model is copying.
const ITEMS_MAX: usize = 20;

/// Why an answer cannot be used, without quoting it.
pub(super) type ReplyFault = String;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryReplyItem {
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
    forget: ForgetReplyItem,
}

/// The thing to forget: words to search for, as plain text or as `{"term":"…"}`; or `{"id":"k1"}`.
#[derive(Deserialize)]
#[serde(untagged)]
enum ForgetReplyItem {
    Bare(String),
    Named(TakesItem),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactReplyItem {
    content: String,
    kind: String,
    importance: i64,
}

/// Items of an answer, each with the number of its exchange.
pub(super) type Attributed<T> = Vec<(usize, T)>;

/// Parses the statements about the user. An id that was not shown, or that is not one of the user's own memories, is dropped: a
/// statement to remember is then added as a new one, and nothing is forgotten.
pub(super) fn personal(answer: &str, known: &[Known]) -> Result<Vec<Claim>, ReplyFault> {
    let mut claims = Vec::new();
    for (place, item) in items(answer, ITEMS_MAX)?.into_iter().enumerate() {
        claims.extend(remembered(place, item, known)?);
    }
    Ok(claims)
}

/// Like [`personal`], for an answer about several exchanges; `shown` are their numbers.
pub(super) fn personal_of_several(answer: &str, known: &[Known], shown: &[usize]) -> Result<Attributed<Claim>, ReplyFault> {
    let mut claims = Vec::new();
    for (place, (number, item)) in attributed(answer, shown)?.into_iter().enumerate() {
        claims.extend(remembered(place, item, known)?.map(|claim| (number, claim)));
    }
    Ok(claims)
}

/// Parses the candidates for the team.
pub(super) fn global(answer: &str) -> Result<Vec<Candidate>, ReplyFault> {
    items(answer, ITEMS_MAX)?.into_iter().enumerate().map(|(place, item)| candidate(place, &shaped(place, item)?)).collect()
}

/// Like [`global`], for an answer about several exchanges; `shown` are their numbers.
pub(super) fn global_of_several(answer: &str, shown: &[usize]) -> Result<Attributed<Candidate>, ReplyFault> {
    let items = attributed(answer, shown)?.into_iter().enumerate();
    items.map(|(place, (number, item))| Ok((number, candidate(place, &shaped(place, item)?)?))).collect()
}

/// Takes the number of its exchange from each item. A missing number, or one that was not shown, makes the whole answer useless:
/// a statement must not be stored with another exchange.
fn attributed(answer: &str, shown: &[usize]) -> Result<Attributed<Value>, ReplyFault> {
    let mut attributed = Vec::new();
    for (place, mut item) in items(answer, ITEMS_MAX * shown.len())?.into_iter().enumerate() {
        let named = item.as_object_mut().and_then(|fields| fields.remove(EXCHANGE));
        let number = named.and_then(|number| usize::try_from(number.as_u64()?).ok()).filter(|number| shown.contains(number));
        attributed.push((number.ok_or_else(|| at(place, "names no exchange that was shown"))?, item));
    }
    let of = |number: usize| attributed.iter().filter(|(named, _)| *named == number).count();
    match shown.iter().find(|number| of(**number) > ITEMS_MAX) {
        Some(number) => Err(format!("more than {ITEMS_MAX} items of exchange {number}")),
        None => Ok(attributed),
    }
}

/// Parses an item about the user; `None`: it names a memory that was not shown.
fn remembered(place: usize, item: Value, known: &[Known]) -> Result<Option<Claim>, ReplyFault> {
    if item.get("forget").is_some() {
        forgotten(place, shaped(place, item)?, known)
    } else {
        claim(place, shaped(place, item)?, known).map(Some)
    }
}

fn claim(place: usize, item: MemoryReplyItem, known: &[Known]) -> Result<Claim, ReplyFault> {
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

fn forgotten(place: usize, item: ForgetItem, known: &[Known]) -> Result<Option<Claim>, ReplyFault> {
    match item.forget {
        ForgetReplyItem::Bare(term) | ForgetReplyItem::Named(TakesItem::Term(term)) => {
            Ok(Some(Claim::forget_that(content(place, &term)?.as_str())))
        }
        ForgetReplyItem::Named(TakesItem::Id(id)) => Ok(prompt::shown_as(&id, known).map(|id| Claim::forget(Takes::Id(id)))),
        ForgetReplyItem::Named(TakesItem::Nearest) => Err(at(place, "nothing to look for")),
    }
}

fn candidate(place: usize, item: &FactReplyItem) -> Result<Candidate, ReplyFault> {
    Ok(Candidate {
        origin: Origin::Assistant,
        kind: FactKind::parse(&item.kind).map_err(|_| at(place, "unknown kind"))?,
        content: content(place, &item.content)?,
        importance: importance(place, item.importance)?,
    })
}

/// The items of a bare array or of `{"items":[…]}`.
fn items(answer: &str, most: usize) -> Result<Vec<Value>, ReplyFault> {
    let parsed: Value = serde_json::from_str(unfenced(answer)).map_err(|_| "not JSON".to_owned())?;
    let items = match parsed {
        Value::Array(items) => items,
        Value::Object(mut fields) if fields.len() == 1 => match fields.remove("items") {
            Some(Value::Array(items)) => items,
            _ => return Err("no array under `items`".to_owned()),
        },
        _ => return Err("neither an array nor an object with only `items`".to_owned()),
    };
    if items.len() > most { Err(format!("more than {most} items")) } else { Ok(items) }
}

/// The text inside a Markdown fence that encloses everything, or the text itself.
fn unfenced(answer: &str) -> &str {
    let answer = answer.trim();
    let inside = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.map_or(answer, |inside| inside.strip_prefix("json").unwrap_or(inside))
}

fn shaped<T: for<'de> Deserialize<'de>>(place: usize, item: Value) -> Result<T, ReplyFault> {
    serde_json::from_value(item).map_err(|_| at(place, "a field is missing, unknown or of another type"))
}

fn content(place: usize, text: &str) -> Result<Content, ReplyFault> {
    Content::new(text).map_err(|_| at(place, &format!("blank, or longer than {CONTENT_MAX_CHARS} characters")))
}

fn importance(place: usize, value: i64) -> Result<Importance, ReplyFault> {
    Importance::new(value).map_err(|_| at(place, "importance is not 1 to 5"))
}

fn at(place: usize, rule: &str) -> ReplyFault {
    format!("item {}: {rule}", place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ports::extractor::StatementOwner;

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
        [known("gf_1", StatementOwner::Team), known("mem_1", StatementOwner::User)]
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
    fn each_item_about_several_exchanges_is_from_one_that_was_shown() {
        let tea = |number: &str| format!(r#"{{{number}"content":"Likes tea","kind":"preference","importance":2}}"#);
        let fact = |number: &str| format!(r#"{{{number}"content":"Deploys run on Fridays","kind":"fact","importance":3}}"#);
        let answer = format!(
            r#"[{},{{"exchange":1,"forget":{{"id":"k2"}}}},{{"exchange":3,"forget":{{"id":"k9"}}}}]"#,
            tea(r#""exchange":3,"#)
        );
        let claims = personal_of_several(&answer, &known(), &[1, 3]).expect("readable");
        let likes = Claim::plain(statement("Likes tea", MemoryKind::Preference, 2));
        assert_eq!(claims, [(3, likes), (1, Claim::forget(Takes::Id("mem_1".to_owned())))]);
        let facts = global_of_several(&format!("[{}]", fact(r#""exchange":1,"#)), &[1, 3]).expect("readable");
        assert_eq!((facts.len(), facts[0].0), (1, 1));
        for wrong in [
            "",
            r#""exchange":2,"#,
            r#""exchange":0,"#,
            r#""exchange":-1,"#,
            r#""exchange":"1","#,
            r#""exchange":1.5,"#,
            r#""exchange":null,"#,
        ] {
            assert!(personal_of_several(&format!("[{}]", tea(wrong)), &known(), &[1, 3]).is_err(), "{wrong}");
            assert!(global_of_several(&format!("[{}]", fact(wrong)), &[1, 3]).is_err(), "{wrong}");
        }
        let many = |number: usize| vec![tea(&format!(r#""exchange":{number},"#)); ITEMS_MAX].join(",");
        assert_eq!(
            personal_of_several(&format!("[{},{}]", many(1), many(3)), &[], &[1, 3]).expect("readable").len(),
            2 * ITEMS_MAX
        );
        assert!(
            personal_of_several(&format!("[{},{}]", many(1), tea(r#""exchange":1,"#)), &[], &[1, 3]).is_err(),
            "too many of one"
        );
        // Items about a single exchange have no number.
        assert!(personal(&format!("[{}]", tea(r#""exchange":1,"#)), &[]).is_err());
    }

    #[test]
    fn reasons_do_not_quote_the_answer() {
        for bad in [r#"[{"content":"Hidden","kind":"Hidden","importance":3}]"#, r#"[{"Hidden":1}]"#, "Hidden"] {
            assert!(!personal(bad, &[]).expect_err("refused").contains("Hidden"));
        }
    }
}
