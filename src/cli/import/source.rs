//! The file of an import: as it is, or an entry of a zip archive.
//!
//! Nothing is unpacked to the disk, and nothing is believed: an archive with a name that leads out of it is refused, and what an
//! entry yields is bounded by what it holds, so that a small file cannot become an endless one. Of a JSON list one element at a
//! time is in memory, and an element has a largest size.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use zip::ZipArchive;

use crate::cli::Failure;

/// The largest element of a list, a conversation for example, in bytes of JSON.
const ELEMENT_MAX: u64 = 64 << 20;
/// The most entries of an archive.
const ENTRIES_MAX: usize = 200_000;
/// How many times larger than packed an entry may be. JSON that people wrote is packed five- to twentyfold.
const RATIO_MAX: u64 = 150;
/// What an entry may always hold, because tiny ones pack better.
const ALWAYS: u64 = 1 << 20;
/// How a zip archive begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// Where the data is.
pub enum Source {
    Plain(PathBuf),
    Zip(PathBuf, ZipArchive<BufReader<File>>),
}

impl Source {
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let said = |error: io::Error| Failure::Said(format!("{}: {error}", path.display()));
        let mut start = Vec::new();
        File::open(path).map_err(said)?.take(ZIP.len() as u64).read_to_end(&mut start).map_err(said)?;
        if start != ZIP {
            return Ok(Self::Plain(path.to_owned()));
        }
        let refused = |why: &str| Failure::Said(format!("{}: {why}; nothing was stored", path.display()));
        let archive = ZipArchive::new(BufReader::new(File::open(path).map_err(said)?))
            .map_err(|error| refused(&format!("the archive cannot be read ({error})")))?;
        if archive.len() > ENTRIES_MAX {
            return Err(refused(&format!("the archive holds more than {ENTRIES_MAX} files")));
        }
        if archive.file_names().any(|name| name.map_or(true, |name| leads_out(&name))) {
            return Err(refused("the archive holds a name that leads out of it"));
        }
        Ok(Self::Zip(path.to_owned(), archive))
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Plain(path) | Self::Zip(path, _) => path,
        }
    }

    /// The names of an archive's files, in order; none for a plain file.
    pub fn names(&self) -> Vec<String> {
        let Self::Zip(_, archive) = self else { return Vec::new() };
        let names = archive.file_names().filter_map(Result::ok).map(std::borrow::Cow::into_owned);
        let mut names: Vec<String> = names.filter(|name| !name.ends_with('/')).collect();
        names.sort_unstable();
        names
    }

    /// Gives each element of a JSON list, which may stand in an object under one of these names. `name`: of an archive's file.
    /// Stops when `take` says so.
    pub fn each(
        &mut self,
        name: &str,
        under: &[&str],
        take: &mut dyn FnMut(Value) -> Result<Next, Failure>,
    ) -> Result<(), Failure> {
        let shown = if name.is_empty() { self.path().display().to_string() } else { name.to_owned() };
        match self {
            Self::Plain(path) => {
                let file = File::open(&*path).map_err(|error| Failure::Said(format!("{shown}: {error}")))?;
                elements(file, &shown, under, take)
            }
            Self::Zip(_, archive) => {
                let entry = archive.by_name(name).map_err(|error| Failure::Said(format!("{shown}: cannot be read ({error})")))?;
                let limit = entry.compressed_size().saturating_mul(RATIO_MAX).max(ALWAYS);
                elements(Bounded { inner: entry, left: limit, why: TOO_PACKED }, &shown, under, take)
            }
        }
    }
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    More,
    Stop,
}

const TOO_PACKED: &str = "it unpacks to far more than such a file can hold";
const TOO_LARGE: &str = "one conversation or list is larger than 64 MiB";

fn leads_out(name: &str) -> bool {
    name.starts_with(['/', '\\']) || name.contains('\0') || name.contains(':') || name.split(['/', '\\']).any(|part| part == "..")
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
struct Measured<R> {
    inner: R,
    since: Rc<Cell<u64>>,
}

impl<R: Read> Read for Measured<R> {
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
    take: &mut dyn FnMut(Value) -> Result<Next, Failure>,
) -> Result<(), Failure> {
    let since = Rc::new(Cell::new(0));
    let reader = BufReader::new(Measured { inner: from, since: since.clone() });
    let mut parser = serde_json::Deserializer::from_reader(reader);
    let mut ended = None;
    let list = List { under, since: &since, take, ended: &mut ended };
    let read = list.deserialize(&mut parser).and_then(|()| parser.end());
    match (ended, read) {
        (Some(Ok(())), _) | (None, Ok(())) => Ok(()),
        (Some(Err(failure)), _) => Err(failure),
        (None, Err(error)) => Err(Failure::Said(format!("{shown}: not a list that can be read ({error})"))),
    }
}

/// A list, or an object that holds one.
struct List<'a> {
    under: &'a [&'a str],
    since: &'a Cell<u64>,
    take: &'a mut dyn FnMut(Value) -> Result<Next, Failure>,
    /// Why the reading ended before the end of the list.
    ended: &'a mut Option<Result<(), Failure>>,
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<Value>()? {
            self.since.set(0);
            match (self.take)(element) {
                Ok(Next::More) => {}
                Ok(Next::Stop) => {
                    *self.ended = Some(Ok(()));
                    return Err(de::Error::custom("stopped"));
                }
                Err(failure) => {
                    *self.ended = Some(Err(failure));
                    return Err(de::Error::custom("stopped"));
                }
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Self { under, since, take, ended } = self;
        while let Some(name) = object.next_key::<String>()? {
            if under.contains(&name.as_str()) {
                object.next_value_seed(List { under: &[], since, take: &mut *take, ended: &mut *ended })?;
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, under: &[&str]) -> Result<Vec<Value>, String> {
        let mut found = Vec::new();
        let read = elements(text.as_bytes(), "x.json", under, &mut |value| {
            found.push(value);
            Ok(Next::More)
        });
        read.map(|()| found).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_list_is_read_by_itself_or_under_its_name() {
        for text in ["[1,2]", r#"{"results":[1,2]}"#, r#"{"count":9,"other":{"a":[7]},"results":[1,2],"next":null}"#] {
            assert_eq!(read(text, &["results"]), Ok(vec![1.into(), 2.into()]), "{text}");
        }
        assert_eq!(read(r#"{"other":[1]}"#, &["results"]), Ok(vec![]));
        for text in ["", "[1,", "[1] 2", "7", r#"{"results":7}"#] {
            assert!(read(text, &["results"]).is_err(), "{text}");
        }
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
        // A hundred megabytes of one text fail; two hundred elements of a megabyte each do not.
        let mut count = 0;
        let mut take = |_: Value| {
            count += 1;
            Ok(if count == 200 { Next::Stop } else { Next::More })
        };
        let failed = elements(Letters(0, 1 << 40), "x.json", &[], &mut take).expect_err("endless");
        assert!(failed.to_string().contains("64 MiB"), "{failed}");
        elements(Letters(0, 1 << 20), "x.json", &[], &mut take).expect("each is small");
        assert_eq!(count, 200);
    }

    #[test]
    fn names_that_lead_out_of_an_archive_are_known() {
        for name in ["../x", "a/../../x", "/etc/x", "\\x", "a\\..\\x", "C:x", "a\0b"] {
            assert!(leads_out(name), "{name:?}");
        }
        for name in ["conversations.json", "general/2026-11-01.json", "a..b/x", "..."] {
            assert!(!leads_out(name), "{name:?}");
        }
    }
}
