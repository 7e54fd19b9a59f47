//! Which product wrote a file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use clap::ValueEnum;
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::source::{Next, Source};
use super::{memories, slack};
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

/// The files of an archive that hold conversations or memories; a plain file has no name.
pub fn lists(source: &Source) -> Vec<String> {
    match source {
        Source::Plain(_) => vec![String::new()],
        Source::Zip(..) => {
            let is_list = |name: &String| {
                let base = name.rsplit('/').next().unwrap_or(name);
                base.strip_suffix(".json").is_some_and(|stem| stem.starts_with("conversations") || stem.starts_with("memories"))
            };
            source.names().into_iter().filter(is_list).collect()
        }
    }
}

/// Looks into a file.
pub fn detect(source: &mut Source) -> Result<Format, Failure> {
    if let Source::Plain(path) = source
        && let Some(format) = of_object(path)?
    {
        return Ok(format);
    }
    for name in lists(source) {
        let mut first = None;
        source.each(&name, &memories::UNDER, &mut |value| {
            first = Some(of_element(&value));
            Ok(Next::Stop)
        })?;
        if let Some(format) = first.flatten() {
            return Ok(format);
        }
    }
    if slack::is_export(&source.names()) {
        return Ok(Format::Slack);
    }
    Err(Failure::Said(format!(
        "{}: this is no export that is known here; name what it is with --format",
        source.path().display()
    )))
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

/// What a file is that does not begin with a list; `None`: it does.
fn of_object(path: &Path) -> Result<Option<Format>, Failure> {
    let said = |error: io::Error| Failure::Said(format!("{}: {error}", path.display()));
    let open = || File::open(path).map(BufReader::new).map_err(said);
    let first = open()?.bytes().find(|byte| byte.as_ref().map_or(true, |byte| !byte.is_ascii_whitespace()));
    if first.transpose().map_err(said)? == Some(b'[') {
        return Ok(None);
    }
    let mut parser = serde_json::Deserializer::from_reader(open()?);
    // Whatever cannot be read is told line by line, as exchanges are.
    Ok(Some(match parser.deserialize_map(Names) {
        Ok(names) if names.iter().any(|name| name == "surface") => Format::Exchanges,
        Ok(names) if names.iter().any(|name| name == "held") => Format::Export,
        Ok(names) if names.iter().any(|name| memories::UNDER.contains(&name.as_str())) => Format::Mem0,
        Ok(_) | Err(_) => Format::Exchanges,
    }))
}

/// The names in the first object of a file.
struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = object.next_key::<String>()? {
            object.next_value::<IgnoredAny>()?;
            names.push(name);
        }
        Ok(names)
    }
}
