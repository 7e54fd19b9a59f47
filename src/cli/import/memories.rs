//! A list of memories, as mem0 and similar stores export it: `[{"memory"|"text"|"content", "user_id"?, "created_at"?, "kind"?,
//! "importance"?, "categories"?, "metadata"?}]`, or such a list under `results`, `memories` or `data`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::conversations::{Tally, moment, text_of};
use super::source::{Next, Source};
use crate::cli::Failure;
use crate::domain::exchange::check_at;
use crate::domain::memory::{Content, Importance, MemoryKind, Statement};
use crate::domain::moment::Moment;
use crate::service::take_in::Dated;

/// The names under which a list may stand.
pub const UNDER: [&str; 3] = ["results", "memories", "data"];

/// Whether an element looks like a memory.
pub fn is_one(value: &Value) -> bool {
    content(value).is_some() && value.get("surface").is_none() && value.get("role").is_none()
}

fn content(value: &Value) -> Option<&str> {
    ["memory", "text", "content"].into_iter().find_map(|name| text_of(&value[name]))
}

/// Reads the list. `member`: only what that user of the list has.
pub fn read(
    source: &mut Source,
    name: &str,
    member: Option<&str>,
    now: Moment,
    tally: &mut Tally,
    take: &mut dyn FnMut(Dated) -> Result<Next, Failure>,
) -> Result<(), Failure> {
    let mut users = BTreeSet::new();
    source.each(name, &UNDER, &mut |value| {
        let user = value["user_id"].as_str();
        if member.is_some() && user != member {
            tally.skip("other_people");
            return Ok(Next::More);
        }
        users.extend(user.filter(|_| users.len() < 2).map(str::to_owned));
        if users.len() > 1 {
            return Err(Failure::Said(
                "the list holds memories of several users; name the one whose they are with --member".to_owned(),
            ));
        }
        match told(&value, now, tally) {
            Some(told) => take(told),
            None => Ok(Next::More),
        }
    })
}

fn told(value: &Value, now: Moment, tally: &mut Tally) -> Option<Dated> {
    let Some(text) = content(value) else {
        tally.skip(if value.is_object() { "empty" } else { "malformed" });
        return None;
    };
    let Ok(content) = Content::new(text) else {
        tally.skip("too_long");
        return None;
    };
    // Without a date it is as old as the import.
    let at = moment(&value["updated_at"]).or_else(|| moment(&value["created_at"]));
    let created = moment(&value["created_at"]).or(at).unwrap_or(now);
    if check_at(created, now).is_err() {
        tally.skip("date_in_the_future");
        return None;
    }
    let statement = Statement { kind: kind(value), content, importance: importance(value) };
    tally.messages += 1;
    tally.date(created);
    Some(Dated { statement, at: created })
}

/// The kind that is named; a category of preferences makes a preference.
fn kind(value: &Value) -> MemoryKind {
    let named = [&value["kind"], &value["metadata"]["kind"]].into_iter().find_map(text_of);
    if let Some(kind) = named.and_then(|name| MemoryKind::parse(&name.to_lowercase()).ok()) {
        return kind;
    }
    let lists = [&value["categories"], &value["metadata"]["categories"]].into_iter().filter_map(Value::as_array).flatten();
    let category = value["metadata"]["category"].as_str();
    let mut topics = lists.filter_map(Value::as_str).chain(category);
    if topics.any(|name| name.to_lowercase().contains("preference")) { MemoryKind::Preference } else { MemoryKind::Fact }
}

fn importance(value: &Value) -> Importance {
    let named = [&value["importance"], &value["metadata"]["importance"]].into_iter().find_map(Value::as_i64);
    named.and_then(|number| Importance::new(number).ok()).unwrap_or(Importance::DEFAULT)
}
