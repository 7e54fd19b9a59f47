//! The file of an import: as it is, or a file in a zip archive or in the folder that was one.
//!
//! Nothing is unpacked to the disk, and nothing is believed: an archive with a name that leads out of it is refused, and what an
//! entry yields is bounded by what it holds, so that a small file cannot become an endless one. Of a JSON list one element at a
//! time is in memory, and an element has a largest size.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::de::{self, Deserialize as _, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use zip::ZipArchive;

use super::names::is_archive;
use super::text;
use crate::cli::Failure;

/// The largest element of a list, a conversation for example, in bytes of JSON.
const ELEMENT_MAX: u64 = 64 << 20;
/// The most files of an archive or a folder.
const ENTRIES_MAX: usize = 200_000;
/// How many times larger than packed an entry may be. JSON that people wrote is packed five- to twentyfold.
const RATIO_MAX: u64 = 150;
/// What an entry may always hold, because tiny ones pack better.
const ALWAYS: u64 = 1 << 20;
/// How a zip archive begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// Where the data is.
pub struct Source {
    path: PathBuf,
    files: Files,
}

enum Files {
    /// The file itself.
    Plain,
    /// Each name with its place in the archive.
    Zip(ZipArchive<BufReader<File>>, Vec<(String, usize)>),
    /// Each name with its path.
    Folder(Vec<(String, PathBuf)>),
}

impl Source {
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let said = |error: io::Error| Failure::Said(format!("{}: {error}", path.display()));
        let files = if fs::metadata(path).map_err(said)?.is_dir() {
            let mut files = Vec::new();
            walk(path, "", &mut files)?;
            Files::Folder(files)
        } else {
            let mut start = Vec::new();
            File::open(path).map_err(said)?.take(ZIP.len() as u64).read_to_end(&mut start).map_err(said)?;
            if start == ZIP { archive(path)? } else { Files::Plain }
        };
        Ok(Self { path: path.to_owned(), files })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is one file, not several.
    pub fn is_plain(&self) -> bool {
        matches!(self.files, Files::Plain)
    }

    /// The names of the files of an archive or a folder, in order, with `/` between the parts; none for a plain file.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = match &self.files {
            Files::Plain => Vec::new(),
            Files::Zip(_, files) => files.iter().map(|(name, _)| name.clone()).collect(),
            Files::Folder(files) => files.iter().map(|(name, _)| name.clone()).collect(),
        };
        names.sort_unstable();
        names
    }

    /// What is said of a source in which nothing was found.
    pub fn unknown(&self) -> Failure {
        let path = self.path.display();
        Failure::Said(match self.names().into_iter().find(|name| is_archive(name)) {
            Some(inner) => format!("{path}: it holds another archive, {inner}; unpack it and import that one"),
            None => format!(
                "{path}: this is no export that is known here; give the archive as it was exported, its folder, or the JSON file in it, \
                 and name what it is with --format"
            ),
        })
    }

    /// The text of a file of an archive or a folder; `None`: there is no such file, or it is longer than this.
    pub fn text(&mut self, name: &str, max: u64) -> io::Result<Option<String>> {
        match &mut self.files {
            Files::Plain => Ok(None),
            Files::Folder(files) => match files.iter().find(|(own, _)| own == name) {
                Some((_, path)) => whole(File::open(path)?, max),
                None => Ok(None),
            },
            Files::Zip(archive, files) => match files.iter().find(|(own, _)| own == name) {
                Some((_, place)) => whole(archive.by_index(*place).map_err(io::Error::other)?, max),
                None => Ok(None),
            },
        }
    }

    /// Gives each element of the file's lists. A list may stand in an object under one of these names, and any other object is an
    /// element itself: one conversation, or one of several that follow each other. `name`: of a file of an archive or a folder.
    /// Stops when `take` says so.
    pub fn each(
        &mut self,
        name: &str,
        under: &[&str],
        take: &mut dyn FnMut(Value) -> Result<Continuation, Failure>,
    ) -> Result<(), Failure> {
        let shown = if name.is_empty() { self.path.display().to_string() } else { name.to_owned() };
        let file = |path: &Path| File::open(path).map_err(|error| Failure::Said(format!("{shown}: {error}")));
        let missing = || Failure::Said(format!("{shown}: there is no such file"));
        match &mut self.files {
            Files::Plain => elements(file(&self.path)?, &shown, under, take),
            Files::Folder(files) => {
                let (_, path) = files.iter().find(|(own, _)| own == name).ok_or_else(missing)?;
                elements(file(path)?, &shown, under, take)
            }
            Files::Zip(archive, files) => {
                let (_, place) = files.iter().find(|(own, _)| own == name).ok_or_else(missing)?;
                let entry =
                    archive.by_index(*place).map_err(|error| Failure::Said(format!("{shown}: cannot be read ({error})")))?;
                let limit = entry.compressed_size().saturating_mul(RATIO_MAX).max(ALWAYS);
                elements(Bounded { inner: entry, left: limit, why: TOO_PACKED }, &shown, under, take)
            }
        }
    }
}

/// The text of a file up to this many bytes; `None`: it is longer.
fn whole(from: impl Read, max: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    from.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Ok(None);
    }
    let mut text = String::new();
    text::decoded(bytes.as_slice())?.read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Nothing is written under the names of an archive, so a sign that some system does not allow in a name does no harm.
fn archive(path: &Path) -> Result<Files, Failure> {
    let refused = |why: &str| Failure::Said(format!("{}: {why}; nothing was stored", path.display()));
    let file = File::open(path).map_err(|error| Failure::Said(format!("{}: {error}", path.display())))?;
    let archive =
        ZipArchive::new(BufReader::new(file)).map_err(|error| refused(&format!("the archive cannot be read ({error})")))?;
    if archive.len() > ENTRIES_MAX {
        return Err(refused(&format!("the archive holds more than {ENTRIES_MAX} files")));
    }
    let mut files = Vec::new();
    for (place, (name, bytes)) in archive.file_names().zip(archive.file_names_raw()).enumerate() {
        let name = name.map_or_else(|_| String::from_utf8_lossy(bytes).into_owned(), std::borrow::Cow::into_owned);
        let name = name.replace('\\', "/").replace('\0', "\u{fffd}");
        if leads_out(&name) {
            return Err(refused("the archive holds a name that leads out of it"));
        }
        if !name.ends_with('/') {
            files.push((name, place));
        }
    }
    Ok(Files::Zip(archive, files))
}

/// The files below a folder. Links are not followed.
fn walk(folder: &Path, above: &str, files: &mut Vec<(String, PathBuf)>) -> Result<(), Failure> {
    let said = |error: io::Error| Failure::Said(format!("{}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(said)? {
        let entry = entry.map_err(said)?;
        let kind = entry.file_type().map_err(said)?;
        let name = format!("{above}{}", entry.file_name().to_string_lossy());
        if kind.is_dir() {
            walk(&entry.path(), &format!("{name}/"), files)?;
        } else if kind.is_file() {
            files.push((name, entry.path()));
        }
        if files.len() > ENTRIES_MAX {
            return Err(Failure::Said(format!("{}: the folder holds more than {ENTRIES_MAX} files", folder.display())));
        }
    }
    Ok(())
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Continuation {
    More,
    Stop,
}

const TOO_PACKED: &str = "it unpacks to far more than such a file can hold";
const TOO_LARGE: &str = "one conversation or list is larger than 64 MiB";

fn leads_out(name: &str) -> bool {
    name.starts_with('/') || name.split('/').any(|part| part == "..")
}

/// Yields no more than this, then fails.
struct Bounded<R> {
    inner: R,
    left: u64,
    why: &'static str,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| io::Error::other(self.why))?;
        Ok(read)
    }
}

/// Fails when too much was read since the last element.
struct ElementReader<R> {
    inner: R,
    since: Rc<Cell<u64>>,
}

impl<R: Read> Read for ElementReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.since.set(self.since.get() + read as u64);
        if self.since.get() > ELEMENT_MAX { Err(io::Error::other(TOO_LARGE)) } else { Ok(read) }
    }
}

fn elements(
    from: impl Read,
    shown: &str,
    under: &[&str],
    take: &mut dyn FnMut(Value) -> Result<Continuation, Failure>,
) -> Result<(), Failure> {
    let since = Rc::new(Cell::new(0));
    let failed = |error: &dyn std::fmt::Display| Failure::Said(format!("{shown}: not a list that can be read ({error})"));
    let text = text::json(from).map_err(|error| failed(&error))?;
    let reader = BufReader::new(ElementReader { inner: text, since: since.clone() });
    let mut parser = serde_json::Deserializer::from_reader(reader);
    let mut ended = None;
    loop {
        let list = ElementList { under, since: &since, take: &mut *take, ended: &mut ended };
        let read = list.deserialize(&mut parser);
        if let Some(ended) = ended.take() {
            return ended;
        }
        read.map_err(|error| failed(&error))?;
        match parser.end() {
            Ok(()) => return Ok(()),
            Err(error) if error.is_io() => return Err(failed(&error)),
            // Something follows.
            Err(_) => {}
        }
    }
}

/// A list, an object that holds one, or an object that is an element.
struct ElementList<'a> {
    under: &'a [&'a str],
    since: &'a Cell<u64>,
    take: &'a mut dyn FnMut(Value) -> Result<Continuation, Failure>,
    /// Why the reading ended before the end of the list.
    ended: &'a mut Option<Result<(), Failure>>,
}

impl ElementList<'_> {
    fn give<E: de::Error>(&mut self, element: Value) -> Result<(), E> {
        self.since.set(0);
        *self.ended = match (self.take)(element) {
            Ok(Continuation::More) => return Ok(()),
            Ok(Continuation::Stop) => Some(Ok(())),
            Err(failure) => Some(Err(failure)),
        };
        Err(E::custom("stopped"))
    }
}

impl<'de> DeserializeSeed<'de> for ElementList<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ElementList<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<Value>()? {
            self.give(element)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<(), A::Error> {
        let (mut others, mut holds_a_list) = (Map::new(), false);
        while let Some(name) = object.next_key::<String>()? {
            let value = if self.under.contains(&name.as_str()) {
                object.next_value_seed(ListOrValue(&mut self))?
            } else {
                Some(object.next_value::<Value>()?)
            };
            match value {
                Some(value) => {
                    others.insert(name, value);
                }
                None => holds_a_list = true,
            }
        }
        if holds_a_list { Ok(()) } else { self.give(Value::Object(others)) }
    }
}

/// What stands under a name of a list: a list, which is given, or an object or nothing.
struct ListOrValue<'a, 'l>(&'a mut ElementList<'l>);

impl<'de> DeserializeSeed<'de> for ListOrValue<'_, '_> {
    type Value = Option<Value>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ListOrValue<'_, '_> {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<Value>, A::Error> {
        while let Some(element) = list.next_element::<Value>()? {
            self.0.give(element)?;
        }
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Option<Value>, A::Error> {
        Value::deserialize(de::value::MapAccessDeserializer::new(object)).map(Some)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<Value>, E> {
        Ok(Some(Value::Null))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, under: &[&str]) -> Result<Vec<Value>, String> {
        let mut found = Vec::new();
        let read = elements(text.as_bytes(), "x.json", under, &mut |value| {
            found.push(value);
            Ok(Continuation::More)
        });
        read.map(|()| found).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_list_is_read_by_itself_or_under_its_name() {
        for text in [
            "[1,2]",
            "[1]\n[2]",
            r#"{"results":[1,2]}"#,
            r#"{"count":9,"other":{"a":[7]},"results":[1,2],"next":null}"#,
            r#"{"results":[1]}{"results":[2]}"#,
        ] {
            assert_eq!(read(text, &["results"]), Ok(vec![1.into(), 2.into()]), "{text}");
        }
        for text in ["", "[1,", "[1] 2", "7", r#"{"results":7}"#] {
            assert!(read(text, &["results"]).is_err(), "{text}");
        }
    }

    #[test]
    fn an_object_without_such_a_list_is_an_element() {
        for text in [r#"{"other":[1]}"#, r#"{"results":null}"#, r#"{"results":{"a":[1]}}"#, "{}"] {
            let expected = serde_json::from_str(text).expect("valid");
            assert_eq!(read(text, &["results"]), Ok(vec![expected]), "{text}");
        }
        let lines = read("{\"a\":1}\n{\"a\":2}\n", &["results"]);
        assert_eq!(lines, Ok(vec![serde_json::json!({"a": 1}), serde_json::json!({"a": 2})]));
    }

    #[test]
    fn one_element_has_a_largest_size_and_a_file_has_none() {
        struct Letters(u64, u64);
        impl Read for Letters {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let Self(at, every) = self;
                for byte in buffer.iter_mut() {
                    *byte = match (*at, *at % *every) {
                        (0, _) => b'[',
                        (_, 0) => b',',
                        (_, 1) => b'"',
                        (_, place) if place == *every - 1 => b'"',
                        _ => b'x',
                    };
                    *at += 1;
                }
                Ok(buffer.len())
            }
        }
        // A hundred megabytes of one text fail; a hundred elements of a megabyte each do not.
        let mut count = 0;
        let mut take = |_: Value| {
            count += 1;
            Ok(if count == 100 { Continuation::Stop } else { Continuation::More })
        };
        let failed = elements(Letters(0, 1 << 40), "x.json", &[], &mut take).expect_err("endless");
        assert!(failed.to_string().contains("64 MiB"), "{failed}");
        elements(Letters(0, 1 << 20), "x.json", &[], &mut take).expect("each is small");
        assert_eq!(count, 100);
    }

    #[test]
    fn names_that_lead_out_of_an_archive_are_known() {
        for name in ["../x", "a/../../x", "/etc/x", "x/.."] {
            assert!(leads_out(name), "{name:?}");
        }
        for name in ["conversations.json", "general/2026-11-01.json", "a..b/x", "...", "film at 10:22.mov", "C:x"] {
            assert!(!leads_out(name), "{name:?}");
        }
    }
}
