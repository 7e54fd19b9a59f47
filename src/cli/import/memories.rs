//! A list of memories, as mem0 and similar stores export it: `[{"memory"|"text"|"content", "user_id"?, "created_at"?, "kind"?,
//! "importance"?, "categories"?, "metadata"?, "expiration_date"?, "state"?}]`; and what Claude wrote down about a person, and about
//! each project: a text in paragraphs.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::conversations::{Tally, moment, text_of};
use super::names::UNDER;
use super::source::{Continuation, Source};
use super::standing;
use crate::cli::Failure;
use domain::memory::exchange::check_at;
use domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use domain::moment::Moment;
use service::transfer::import_foreign::DatedStatement;

/// The names under which the text of a memory stands, and those under which Claude's texts stand.
pub const TEXTS: [&str; 5] = ["memory", "text", "content", ABOUT_PERSON, ABOUT_PROJECTS];
const ABOUT_PERSON: &str = "conversations_memory";
const ABOUT_PROJECTS: &str = "project_memories";

/// Whether an element looks like a memory.
pub fn is_one(value: &Value) -> bool {
    let is_summary = !summaries(value).is_empty();
    is_summary || content(value).is_some() && value.get("surface").is_none() && value.get("role").is_none()
}

fn content(value: &Value) -> Option<&str> {
    TEXTS[..3].iter().find_map(|name| text_of(&value[*name]))
}

/// What Claude wrote down about a person, and about each project.
fn summaries(value: &Value) -> Vec<&str> {
    let projects = value[ABOUT_PROJECTS].as_object().into_iter().flat_map(Map::values);
    [&value[ABOUT_PERSON]].into_iter().chain(projects).filter_map(text_of).collect()
}

/// Which memories of a list.
pub struct MemorySelection<'a> {
    /// Only what that user of the list has.
    pub member: Option<&'a str>,
    pub now: Moment,
    /// What is left out is counted under this name if it is no memory.
    pub unknown: Option<&'a str>,
}

/// Reads the list.
pub fn read(
    source: &mut Source,
    name: &str,
    which: &MemorySelection<'_>,
    tally: &mut Tally,
    take: &mut dyn FnMut(DatedStatement) -> Result<Continuation, Failure>,
) -> Result<(), Failure> {
    let mut users = BTreeSet::new();
    source.each(name, &UNDER, &mut |value| {
        let user = value["user_id"].as_str();
        if which.member.is_some() && user != which.member {
            tally.skip("other_people");
            return Ok(Continuation::More);
        }
        users.extend(user.filter(|_| users.len() < 2).map(str::to_owned));
        if users.len() > 1 {
            return Err(Failure::Said(
                "the list holds memories of several users; name the one whose they are with --member".to_owned(),
            ));
        }
        for told in told(&value, which, tally) {
            if take(told)? == Continuation::Stop {
                return Ok(Continuation::Stop);
            }
        }
        Ok(Continuation::More)
    })
}

/// What an element says. What is left out of it is counted.
fn told(value: &Value, which: &MemorySelection<'_>, tally: &mut Tally) -> Vec<DatedStatement> {
    let texts: Vec<String> = match (content(value), summaries(value)) {
        (Some(text), _) => vec![text.to_owned()],
        (None, texts) => texts.into_iter().flat_map(paragraphs).collect(),
    };
    if texts.is_empty() {
        tally.skip(which.unknown.unwrap_or(if value.is_object() { "empty" } else { "malformed" }));
    }
    let expires_at = match standing::in_use(value, which.now) {
        Ok(end) => end,
        Err(reason) => {
            tally.skip_all(reason, texts.len());
            return Vec::new();
        }
    };
    // Without a date it is as old as the import.
    let at = moment(&value["created_at"]).or_else(|| moment(&value["updated_at"])).unwrap_or(which.now);
    if check_at(at, which.now).is_err() {
        tally.skip_all("date_in_the_future", texts.len());
        return Vec::new();
    }
    let mut told = Vec::new();
    for text in texts {
        let Ok(content) = Content::new(&text) else {
            tally.skip("too_long");
            continue;
        };
        let statement = Statement { kind: kind(value), content, importance: importance(value) };
        tally.memories += 1;
        tally.date(at);
        told.push(DatedStatement { statement, at, expires_at });
    }
    told
}

/// A text in Markdown as statements: its paragraphs and the entries of its lists, without headings. A longer one is parted between
/// sentences.
fn paragraphs(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !is_heading(line))
        .map(without_marks)
        .filter(|line| !line.is_empty())
        .flat_map(|line| parts(&line))
        .collect()
}

fn is_heading(line: &str) -> bool {
    let line = line.trim().trim_end_matches(':');
    line.starts_with('#') || line.starts_with("**") && line.ends_with("**") && line.matches("**").count() == 2
}

fn without_marks(line: &str) -> String {
    let line = line.trim();
    let entry = ["- ", "* ", "+ ", "• ", "> "].into_iter().find_map(|mark| line.strip_prefix(mark));
    entry.unwrap_or(line).replace("**", "").trim().to_owned()
}

fn parts(line: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for sentence in line.split_inclusive(". ") {
        match parts.last_mut() {
            Some(part) if part.chars().count() + sentence.trim_end().chars().count() <= CONTENT_MAX_CHARS => {
                part.push_str(sentence);
            }
            _ => parts.push(sentence.to_owned()),
        }
    }
    parts
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_summary_is_taken_apart_where_people_would() {
        let long = "She sails every week. ".repeat(30);
        let text = format!(
            "**Work**\n\nKim runs a bakery. It has **two** ovens.\n\n## At home\n- Keeps bees\n* **Pets**: a cat\n\n{long}"
        );
        let parts = paragraphs(&text);
        assert_eq!(parts[..3], ["Kim runs a bakery. It has two ovens.", "Keeps bees", "Pets: a cat"]);
        assert!(
            parts.len() == 5 && parts.iter().all(|part| Content::new(part).is_ok() && part.trim_end().ends_with(['.', 's', 't']))
        );
    }
}
