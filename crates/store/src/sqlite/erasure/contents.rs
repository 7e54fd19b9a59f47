//! Searches a file for fingerprints: its bytes, and its content if it is compressed or in UTF-16. Only operators put such files
//! into the data folder: an export, a log, a copy.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;

use domain::erasure::fingerprint::{Finder, Finding};

/// Bytes read at once.
const PORTION: usize = 1 << 20;
/// Bytes from the beginning of a file that determine its type.
const BEGINNING: u64 = 4096;
/// Maximum depth of nested archives that are opened.
const DEPTH_MAX: u32 = 3;
/// Limit of the unpacked size of an archive. A larger one is searched up to here and reported as closed.
const UNPACKED_MAX: u64 = 16 << 30;
/// Magic numbers of archives that are not opened: zip, Zstandard, xz, bzip2, 7z.
const CLOSED: [&[u8]; 5] = [b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh", b"7z\xbc\xaf\x27\x1c"];
const GZIP: &[u8] = b"\x1f\x8b\x08";
/// Text without a byte order mark counts as UTF-16 if this share of its byte pairs has a zero in the same position.
const ZEROS_OF_UTF16: f64 = 0.4;

/// Findings in a file.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Size of the file itself.
    pub bytes: u64,
    pub hits: BTreeMap<Finding, u64>,
    /// Part of it could not be opened: an archive of an unsupported kind, or a damaged one.
    pub closed: bool,
}

/// Searches the file at this path, and its decoded content.
pub(super) fn of_path(path: &Path, search: &Finder) -> io::Result<Contents> {
    let mut contents = Contents::default();
    contents.bytes = contents.take(&|| Ok(Box::new(File::open(path)?)), search, 0)?;
    Ok(contents)
}

/// Searches the bytes of a file of the database, through a handle that stays open.
pub(super) fn of_handle(file: &File, search: &Finder) -> io::Result<Contents> {
    let mut contents = Contents::default();
    contents.bytes = contents.look_through(&mut FromStart { file, at: 0 }, search)?;
    Ok(contents)
}

/// Reads a file without moving the position of its handle.
struct FromStart<'a> {
    file: &'a File,
    at: u64,
}

impl Read for FromStart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Opens a reader of the same bytes from the beginning.
type Open<'a> = &'a dyn Fn() -> io::Result<Box<dyn Read + 'a>>;

impl Contents {
    fn take(&mut self, open: Open<'_>, search: &Finder, depth: u32) -> io::Result<u64> {
        let mut beginning = Vec::new();
        open()?.take(BEGINNING).read_to_end(&mut beginning)?;
        let bytes = self.look_through(&mut *open()?, search)?;
        if let Some(encoding) = utf16(&beginning) {
            let mut text = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).build(open()?);
            self.look_through(&mut text, search)?;
        }
        if CLOSED.iter().any(|magic| beginning.starts_with(magic)) || (depth == DEPTH_MAX && beginning.starts_with(GZIP)) {
            self.closed = true;
        } else if beginning.starts_with(GZIP) {
            let unpacked = || Ok(Box::new(MultiGzDecoder::new(open()?).take(UNPACKED_MAX)) as Box<dyn Read>);
            match self.take(&unpacked, search, depth + 1) {
                Ok(unpacked) => self.closed |= unpacked == UNPACKED_MAX,
                // A damaged archive, or one that is still being written.
                Err(_) => self.closed = true,
            }
        }
        Ok(bytes)
    }

    fn look_through(&mut self, reader: &mut dyn Read, search: &Finder) -> io::Result<u64> {
        let overlap = search.overlap();
        let mut buffer = vec![0; PORTION + overlap];
        let (mut all, mut kept) = (0_u64, 0_usize);
        loop {
            let read = fill(reader, &mut buffer[kept..kept + PORTION])?;
            let (first, last) = (all == 0, read < PORTION);
            all += read as u64;
            let filled = kept + read;
            for (hit, times) in search.hits_of_portion(&buffer[..filled], first, last) {
                *self.hits.entry(hit).or_default() += times;
            }
            if last {
                return Ok(all);
            }
            kept = overlap.min(filled);
            buffer.copy_within(filled - kept..filled, 0);
        }
    }
}

/// Reads until the buffer is full or the reader is at its end.
fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// Returns the form of UTF-16 in which a text begins, if it is UTF-16.
fn utf16(beginning: &[u8]) -> Option<&'static Encoding> {
    match beginning {
        [0xff, 0xfe, ..] => return Some(UTF_16LE),
        [0xfe, 0xff, ..] => return Some(UTF_16BE),
        _ => {}
    }
    let (pairs, _) = beginning.as_chunks::<2>();
    #[allow(clippy::cast_precision_loss, reason = "at most 2,048")]
    let share = |zero: fn(&[u8; 2]) -> bool| pairs.iter().filter(|pair| zero(pair)).count() as f64 / pairs.len().max(1) as f64;
    if share(|[first, second]| *first != 0 && *second == 0) >= ZEROS_OF_UTF16 {
        Some(UTF_16LE)
    } else if share(|[first, second]| *first == 0 && *second != 0) >= ZEROS_OF_UTF16 {
        Some(UTF_16BE)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use domain::erasure::fingerprint::Needles;

    const BASE: u64 = 0x0123_4567_89ab_cdef;
    const TEXT: &str = "kept beside it: usr_7f3a91, with the crimson velocipede of Zoë";

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut out = GzEncoder::new(Vec::new(), Compression::default());
        out.write_all(bytes).expect("packed");
        out.finish().expect("packed")
    }

    fn wide(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn an_id_and_a_text_are_found_in_every_form_of_a_file() {
        let mut needles = Needles::of_id(BASE, "usr_7f3a91");
        needles.take(BASE, b"the crimson velocipede of Zo\xc3\xab");
        let search = Finder::new(needles, BASE);
        let folder = tempfile::tempdir().expect("a folder");
        let marked = [&b"\xff\xfe"[..], &wide(TEXT, false)].concat();
        let far = format!("{}{TEXT}", "- ".repeat(PORTION - 11));
        for (form, bytes, closed) in [
            ("plain", TEXT.as_bytes().to_vec(), false),
            ("over the end of a portion", far.clone().into_bytes(), false),
            ("UTF-16 with a mark", marked.clone(), false),
            ("UTF-16, little end first", wide(TEXT, false), false),
            ("UTF-16, big end first, and long", wide(&far, true), false),
            ("gzip", packed(far.as_bytes()), false),
            ("gzip of gzip of UTF-16", packed(&packed(&marked)), false),
            ("two gzips in one file", [packed(b"first"), packed(TEXT.as_bytes())].concat(), false),
            (
                "a gzip that breaks off",
                {
                    let all = packed(TEXT.as_bytes());
                    [&all[..all.len() - 4], &[]].concat()
                },
                true,
            ),
            ("an archive that is not opened", [b"PK\x03\x04", TEXT.as_bytes()].concat(), true),
        ] {
            let file = folder.path().join("found");
            std::fs::write(&file, &bytes).expect("written");
            let contents = of_path(&file, &search).expect("read");
            assert_eq!((contents.bytes, contents.closed), (bytes.len() as u64, closed), "{form}");
            assert!(contents.hits.contains_key(&Finding::Word), "the id in {form}");
            assert!(contents.hits.keys().any(|hit| matches!(hit, Finding::Piece(_))), "the text in {form}");
        }
    }

    #[test]
    fn an_id_at_the_edge_of_a_portion_is_judged_by_what_stands_beside_it() {
        let search = Finder::new(Needles::of_id(BASE, "usr_7f3a91"), BASE);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("long");
        for before in PORTION - 24..PORTION + 2 {
            for (after, hit) in [("2 and more", Finding::Inside), (" and more", Finding::Word), ("", Finding::Word)] {
                std::fs::write(&file, format!("{}usr_7f3a91{after}", " ".repeat(before))).expect("written");
                let found: Vec<Finding> = of_path(&file, &search).expect("read").hits.into_keys().collect();
                assert_eq!(found, [hit], "{before} {after}");
            }
        }
    }

    #[test]
    fn an_empty_file_and_one_of_zeros_hold_nothing() {
        let search = Finder::new(Needles::of_id(BASE, "usr_7f3a91"), BASE);
        let folder = tempfile::tempdir().expect("a folder");
        for bytes in [Vec::new(), vec![0; 10_000], packed(b"")] {
            let file = folder.path().join("empty");
            std::fs::write(&file, &bytes).expect("written");
            let contents = of_path(&file, &search).expect("read");
            assert!(contents.hits.is_empty() && !contents.closed);
        }
    }
}
