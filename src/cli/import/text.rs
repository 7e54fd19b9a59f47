//! The text of a file, whatever wrote it: a damaged letter costs that letter, not the file.
//!
//! First the bytes become UTF-8: with or without a byte order mark, from UTF-16 too, and what is no text becomes U+FFFD. Then what
//! other products write into JSON although it is none is put right: half a surrogate pair, control characters, numbers that are
//! none, and lists within lists without end. What is no JSON at all passes as it is, for the parser to refuse.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;

/// The longest line of a format that has a record on each, in bytes.
pub const LINE_MAX: usize = 1 << 20;
/// How deep lists and objects may stand in each other; deeper ones are read as null. The parser refuses more than 127.
const DEEPEST: usize = 100;
/// The longest number or word outside of strings that is looked at.
const WORD_MAX: usize = 512;

/// The bytes as UTF-8.
pub fn decoded<'a>(mut from: impl Read + 'a) -> io::Result<impl Read + 'a> {
    let mut start = Vec::new();
    from.by_ref().take(2).read_to_end(&mut start)?;
    // JSON begins with a letter of ASCII, which shows the order of the bytes where no mark does.
    let encoding = match start[..] {
        [0, other] if other != 0 => UTF_16BE,
        [other, 0] if other != 0 => UTF_16LE,
        _ => UTF_8,
    };
    let bytes = Cursor::new(start).chain(from);
    Ok(DecodeReaderBytesBuilder::new().encoding(Some(encoding)).bom_override(true).build(bytes))
}

/// The bytes as JSON that a parser reads.
pub fn json<'a>(from: impl Read + 'a) -> io::Result<impl Read + 'a> {
    Ok(Repaired { inner: decoded(from)?, repair: Repair::default(), read: 0, ended: false })
}

/// One record of a line as JSON that a parser reads.
pub fn json_line(line: &[u8]) -> Vec<u8> {
    let mut repair = Repair::default();
    repair.take_all(line);
    repair.end();
    repair.out
}

/// Gives each line with its number, from 1; `None`: it is longer than a line may be, and the rest of it was not read yet.
pub fn lines(from: impl Read, mut take: impl FnMut(usize, Option<&[u8]>) -> io::Result<()>) -> io::Result<()> {
    let mut reader = BufReader::new(decoded(from)?);
    let mut line = Vec::new();
    for n in 1.. {
        line.clear();
        let most = LINE_MAX as u64 + 1;
        if reader.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() > LINE_MAX && !line.ends_with(b"\n") {
            take(n, None)?;
            reader.skip_until(b'\n')?;
        } else {
            take(n, Some(&line))?;
        }
    }
    Ok(())
}

/// A reader whose bytes are put right on the way.
struct Repaired<R> {
    inner: R,
    repair: Repair,
    /// How much of what was put right is read.
    read: usize,
    ended: bool,
}

impl<R: Read> Read for Repaired<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.repair.out.len() && !self.ended {
            self.read = 0;
            self.repair.out.clear();
            let mut bytes = [0; 8 << 10];
            let count = self.inner.read(&mut bytes)?;
            self.repair.take_all(&bytes[..count]);
            if count == 0 {
                self.repair.end();
                self.ended = true;
            }
        }
        let count = (&self.repair.out[self.read..]).read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

/// Where in JSON a byte stands.
#[derive(Default)]
enum At {
    #[default]
    Outside,
    String,
    /// After a backslash.
    Escape,
    /// In the four digits after `\u`.
    Digits,
}

#[derive(Default)]
struct Repair {
    at: At,
    /// A number or a word outside of strings, or the digits of an escape, as far as it was read.
    word: Vec<u8>,
    /// The first half of a surrogate pair.
    half: Option<u16>,
    depth: usize,
    /// How many lists and objects are open below the deepest that is read.
    below: usize,
    out: Vec<u8>,
}

impl Repair {
    fn put(&mut self, bytes: &[u8]) {
        if self.below == 0 {
            self.out.extend_from_slice(bytes);
        }
    }

    fn take_all(&mut self, mut bytes: &[u8]) {
        while let Some((first, rest)) = bytes.split_first() {
            let plain = match self.at {
                At::String if self.half.is_none() => {
                    let odd = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
                    odd.unwrap_or(bytes.len())
                }
                _ => 0,
            };
            if plain > 0 {
                self.put(&bytes[..plain]);
                bytes = &bytes[plain..];
            } else {
                self.take(*first);
                bytes = rest;
            }
        }
    }

    fn take(&mut self, byte: u8) {
        match self.at {
            At::Outside => self.outside(byte),
            At::String => self.in_string(byte),
            At::Escape => self.escaped(byte),
            At::Digits if byte.is_ascii_hexdigit() => {
                self.word.push(byte);
                if self.word.len() == 4 {
                    self.unit();
                }
            }
            At::Digits => {
                self.word.clear();
                self.lone_half();
                self.replaced();
                self.at = At::String;
                self.in_string(byte);
            }
        }
    }

    fn outside(&mut self, byte: u8) {
        if !matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':') && !byte.is_ascii_whitespace() {
            self.word.push(byte);
            if self.word.len() > WORD_MAX {
                let word = std::mem::take(&mut self.word);
                self.put(&word);
            }
            return;
        }
        self.end_word();
        match byte {
            b'{' | b'[' if self.below > 0 || self.depth == DEEPEST => {
                if self.below == 0 {
                    self.put(b"null");
                }
                self.below += 1;
                return;
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.below > 0 => {
                self.below -= 1;
                return;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b'"' => self.at = At::String,
            _ => {}
        }
        self.put(&[byte]);
    }

    /// A number that is none becomes null, and a byte order mark nothing.
    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        let text = String::from_utf8_lossy(&word);
        let text = text.trim_matches('\u{feff}');
        let is_none = text.parse::<f64>().is_ok_and(|number| !number.is_finite());
        self.put(if is_none { b"null" } else { text.as_bytes() });
    }

    fn in_string(&mut self, byte: u8) {
        match byte {
            b'\\' => {
                self.at = At::Escape;
                return;
            }
            b'"' => self.at = At::Outside,
            _ => {}
        }
        self.lone_half();
        match byte {
            0 => self.replaced(),
            1..0x20 => self.put(format!("\\u{byte:04x}").as_bytes()),
            _ => self.put(&[byte]),
        }
    }

    fn escaped(&mut self, byte: u8) {
        self.at = At::String;
        match byte {
            b'u' => self.at = At::Digits,
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                self.lone_half();
                self.put(&[b'\\', byte]);
            }
            // It escapes nothing, so it is a backslash.
            _ => {
                self.lone_half();
                self.put(b"\\\\");
                self.in_string(byte);
            }
        }
    }

    /// After four digits: half of a pair waits for the other half.
    fn unit(&mut self) {
        self.at = At::String;
        let digits = std::mem::take(&mut self.word);
        let unit = std::str::from_utf8(&digits).ok().and_then(|digits| u16::from_str_radix(digits, 16).ok()).unwrap_or_default();
        match (unit, self.half) {
            (0xdc00..=0xdfff, Some(first)) => {
                self.half = None;
                self.put(format!("\\u{first:04x}\\u{unit:04x}").as_bytes());
            }
            (0xd800..=0xdbff, _) => {
                self.lone_half();
                self.half = Some(unit);
            }
            (0 | 0xdc00..=0xdfff, _) => {
                self.lone_half();
                self.replaced();
            }
            _ => {
                self.lone_half();
                self.put(format!("\\u{unit:04x}").as_bytes());
            }
        }
    }

    fn lone_half(&mut self) {
        if self.half.take().is_some() {
            self.replaced();
        }
    }

    fn replaced(&mut self) {
        self.put("\u{fffd}".as_bytes());
    }

    fn end(&mut self) {
        self.end_word();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Option<serde_json::Value> {
        let mut text = Vec::new();
        json(bytes).and_then(|mut from| from.read_to_end(&mut text)).expect("no file fails here");
        serde_json::from_slice(&text).ok()
    }

    #[test]
    fn a_damaged_letter_costs_that_letter() {
        for (written, read_as) in [
            (&br#"["a \ud83d"]"#[..], "a \u{fffd}"),
            (br#"["\ud83dx"]"#, "\u{fffd}x"),
            (br#"["\ude42\ud83d\ude42\ud83d\ud83d\ude42"]"#, "\u{fffd}🙂\u{fffd}🙂"),
            (br#"["\ud83d\n\u0041\u00e9"]"#, "\u{fffd}\nAé"),
            (b"[\"tab\there, line\nthere\"]", "tab\there, line\nthere"),
            (b"[\"\\u00zz \\u12\"]", "\u{fffd}zz \u{fffd}"),
            (br#"["C:\Users\x, \\, \", \/"]"#, "C:\\Users\\x, \\, \", /"),
            (b"[\"nul \\u0000 and \0\"]", "nul \u{fffd} and \u{fffd}"),
            (b"[\"caf\xe9 \xe2\x82\"]", "caf\u{fffd} \u{fffd}"),
            ("[\"{[NaN,é\u{feff}\"]".as_bytes(), "{[NaN,é\u{feff}"),
        ] {
            assert_eq!(read(written), Some(serde_json::json!([read_as])), "{}", String::from_utf8_lossy(written));
        }
        // A pair that was written as two characters of three bytes each.
        let halves = read(b"[\"\xed\xa0\xbd\xed\xb8\x82 laughs\"]").expect("read");
        assert!(halves[0].as_str().is_some_and(|text| text.ends_with(" laughs")), "{halves}");
    }

    #[test]
    fn marks_and_both_orders_of_utf_16_are_read() {
        let text = "{\"said\": [\"Zoë 🙂\", 7]}";
        let wide = |mark: bool, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            let mark = mark.then_some(0xfeff);
            mark.into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        let expected: serde_json::Value = serde_json::from_str(text).expect("valid");
        for bytes in [
            text.as_bytes().to_vec(),
            format!("\u{feff}{text}").into_bytes(),
            format!("\u{feff}\u{feff} {text}").into_bytes(),
            wide(true, u16::to_le_bytes),
            wide(true, u16::to_be_bytes),
            wide(false, u16::to_le_bytes),
            wide(false, u16::to_be_bytes),
        ] {
            assert_eq!(read(&bytes).as_ref(), Some(&expected), "{bytes:x?}");
        }
    }

    #[test]
    fn numbers_that_are_none_are_null_and_what_is_no_json_stays_so() {
        let odd = read(b"{\"a\": NaN, \"b\": [-Infinity,Infinity,1e999], \"c\": -1.5e3, \"d\": true}");
        assert_eq!(odd, Some(serde_json::json!({"a": null, "b": [null, null, null], "c": -1500.0, "d": true})));
        for wrong in ["", "<html><p>inf</p></html>", "[1,", "[yes]", "PK"] {
            assert_eq!(read(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_nested_without_end_is_left_out() {
        let deep = format!("[7,{}\"x]\"{},8]", "[".repeat(100_000), "]".repeat(100_000));
        let read = read(deep.as_bytes()).expect("read");
        assert_eq!((&read[0], &read[2]), (&7.into(), &8.into()));
    }

    #[test]
    fn a_line_has_a_largest_size_and_is_not_kept_beyond_it() {
        let most = "x".repeat(LINE_MAX);
        let text = format!("a\r\n\n{most}\n{most}y\n{}\nb", most.repeat(9));
        let mut seen = Vec::new();
        lines(text.as_bytes(), |n, line| {
            seen.push((n, line.map(<[u8]>::len)));
            Ok(())
        })
        .expect("read");
        let expected = [(1, Some(3)), (2, Some(1)), (3, Some(LINE_MAX + 1)), (4, None), (5, None), (6, Some(1))];
        assert_eq!(seen, expected);
    }
}
