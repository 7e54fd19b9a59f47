//! Which product wrote a file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use clap::ValueEnum;
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::names::{UNDER, base, is_json};
use super::source::{Continuation, Source};
use super::{memories, slack, text};
use crate::cli::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Looks into the file.
    Auto,
    /// Exchanges, a JSON object per line.
    Exchanges,
    /// What `keepsake export` wrote.
    Export,
    Chatgpt,
    Claude,
    Slack,
    /// A list of memories.
    Mem0,
}

impl Format {
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exchanges => "exchanges",
            Self::Export => "export",
            Self::Chatgpt => "chatgpt",
            Self::Claude => "claude",
            Self::Slack => "slack",
            Self::Mem0 => "mem0",
        }
    }
}

/// How much of a file's first object is looked at, in bytes.
const LOOKED_AT: u64 = 64 << 20;
/// The files that hold conversations; a plain file has no name.
pub fn conversations(source: &Source) -> Vec<String> {
    let is_one = |name: &String| is_json(name) && name.split('/').any(|part| part.to_lowercase().starts_with("conversations"));
    if source.is_plain() { vec![String::new()] } else { source.names().into_iter().filter(is_one).collect() }
}

/// The files that hold memories.
pub fn memories(source: &Source) -> Vec<String> {
    if source.is_plain() { vec![String::new()] } else { memory_files(source).into_iter().filter(|name| is_json(name)).collect() }
}

/// The files of an archive or a folder that are named after memories, whatever is in them.
pub fn memory_files(source: &Source) -> Vec<String> {
    source
        .names()
        .into_iter()
        .filter(|name| base(name).to_lowercase().contains("memor") && !base(name).starts_with('.'))
        .collect()
}

/// The files that hold either.
pub fn lists(source: &Source) -> Vec<String> {
    let mut names = conversations(source);
    let others: Vec<String> = memories(source).into_iter().filter(|name| !names.contains(name)).collect();
    names.extend(others);
    names
}

/// Looks into a file.
pub fn detect(source: &mut Source) -> Result<Format, Failure> {
    if source.is_plain() {
        match begins_as(source.path())? {
            Beginning::List => {}
            Beginning::Of(format) => return Ok(format),
            Beginning::Unknown => return Err(source.unknown()),
        }
    }
    for name in lists(source) {
        let mut first = None;
        source.each(&name, &UNDER, &mut |value| {
            first = of_element(&value);
            Ok(if first.is_some() { Continuation::Stop } else { Continuation::More })
        })?;
        if let Some(format) = first {
            return Ok(format);
        }
    }
    if slack::is_export(&source.names()) {
        return Ok(Format::Slack);
    }
    Err(source.unknown())
}

fn of_element(value: &Value) -> Option<Format> {
    if value["mapping"].is_object() {
        Some(Format::Chatgpt)
    } else if value["chat_messages"].is_array() {
        Some(Format::Claude)
    } else {
        memories::is_one(value).then_some(Format::Mem0)
    }
}

/// What a file begins with.
enum Beginning {
    /// A list, or an object that may hold one.
    List,
    /// An object that says what it is.
    Of(Format),
    Unknown,
}

fn begins_as(path: &Path) -> Result<Beginning, Failure> {
    let said = |error: io::Error| Failure::Said(format!("{}: {error}", path.display()));
    let open = || File::open(path).and_then(text::json).map(BufReader::new).map_err(said);
    let first = open()?.bytes().find(|byte| byte.as_ref().map_or(true, |byte| !byte.is_ascii_whitespace()));
    match first.transpose().map_err(said)? {
        Some(b'[') => return Ok(Beginning::List),
        Some(b'{') => {}
        _ => return Ok(Beginning::Unknown),
    }
    let mut names = Vec::new();
    let whole = serde_json::Deserializer::from_reader(open()?.take(LOOKED_AT)).deserialize_map(FieldNames(&mut names)).is_ok();
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    let is_record = has(&["user", "assistant"]);
    Ok(if has(&["surface"]) {
        Beginning::Of(Format::Exchanges)
    } else if has(&["held"]) {
        Beginning::Of(Format::Export)
    } else if has(&["mapping", "chat_messages"]) || has(&UNDER) || !is_record && has(&memories::TEXTS) {
        Beginning::List
    } else if is_record || !whole {
        // Whatever cannot be read is told line by line.
        Beginning::Of(Format::Exchanges)
    } else {
        Beginning::Unknown
    })
}

/// The names in the first object of a file, as far as it can be read.
struct FieldNames<'a>(&'a mut Vec<String>);

impl<'de> Visitor<'de> for FieldNames<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<String>()? {
            self.0.push(name);
            object.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
