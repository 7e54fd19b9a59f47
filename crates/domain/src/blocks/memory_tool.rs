//! The memory tool of assistants: files under `/memories`, with the replies that the published helpers give.
//!
//! Models were trained on these sentences, so they are given byte for byte. Where the published helpers differ from each other,
//! the replies are those of the one for Python, and a folder is listed as its documentation says, without `node_modules`.

use serde::{Deserialize, Deserializer};

use super::BlockPath;
use crate::loose::{Whole, Wholes};

/// Root folder.
pub const ROOT: &str = "/memories";
/// Depth of a folder listing.
const DEPTH: usize = 2;
/// Width of a line number.
const NUMBER_WIDTH: usize = 6;
/// Lines shown before and after a change.
const AROUND: usize = 2;
/// Name that is left out of listings.
const UNLISTED: &str = "node_modules";

/// One call of the tool.
#[derive(Clone, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum MemoryToolCommand {
    View {
        path: String,
        /// The first and the last line, from 1; -1: to the end.
        view_range: Option<Wholes>,
    },
    Create {
        path: String,
        file_text: String,
    },
    StrReplace {
        path: String,
        old_str: String,
        /// Empty if omitted.
        #[serde(default, deserialize_with = "or_nothing")]
        new_str: String,
    },
    Insert {
        path: String,
        insert_line: Whole,
        insert_text: String,
    },
    Delete {
        path: String,
    },
    Rename {
        old_path: String,
        new_path: String,
    },
}

fn or_nothing<'de, D: Deserializer<'de>>(text: D) -> Result<String, D::Error> {
    Option::deserialize(text).map(Option::unwrap_or_default)
}

/// Target of a path.
#[derive(Clone, PartialEq, Eq)]
pub enum PathPlace {
    Root,
    At(BlockPath),
}

/// Resolves a path under `/memories`; an error says why it is invalid.
pub fn place(path: &str) -> Result<PathPlace, String> {
    let inner = path.strip_prefix(ROOT).filter(|inner| inner.is_empty() || inner.starts_with('/'));
    let Some(inner) = inner else { return Err(format!("Path must start with {ROOT}, got: {path}")) };
    let mut segments: Vec<&str> = Vec::new();
    for segment in inner.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop().ok_or_else(|| format!("Path {path} would escape {ROOT} directory"))?;
            }
            name => segments.push(name),
        }
    }
    if segments.is_empty() {
        return Ok(PathPlace::Root);
    }
    BlockPath::new(format!("/{}", segments.join("/"))).map(PathPlace::At).map_err(|problem| problem.to_string())
}

/// Returns a path in the tool's notation, under the root.
#[must_use]
pub fn shown(path: &str) -> String {
    format!("{ROOT}{path}")
}

fn numbered<'a>(lines: impl Iterator<Item = &'a str>, first: usize) -> String {
    let lines: Vec<String> = (first..).zip(lines).map(|(number, line)| format!("{number:>NUMBER_WIDTH$}\t{line}")).collect();
    lines.join("\n")
}

/// Formats the content of a file, or the lines of a range, with line numbers.
#[must_use]
pub fn file(path: &str, content: &str, range: Option<&[i64]>) -> String {
    let lines: Vec<&str> = content.split('\n').collect();
    let (first, end) = match range {
        Some([first, last]) => (
            place_of(first.saturating_sub(1).max(0), lines.len()),
            match last {
                -1 => lines.len(),
                last if *last < 0 => lines.len().saturating_sub(place_of(last.saturating_neg(), lines.len())),
                last => place_of(*last, lines.len()),
            },
        ),
        _ => (0, lines.len()),
    };
    let taken = lines.get(first..end).unwrap_or_default();
    format!("Here's the content of {path} with line numbers:\n{}", numbered(taken.iter().copied(), first + 1))
}

/// Converts a line number, limited to the number of lines.
fn place_of(number: i64, lines: usize) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).min(lines)
}

/// Formats a size in bytes, kibibytes and so on, with one decimal place.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "K", "M", "G"];
    let unit = (bytes.max(1).ilog2() / 10).min(3);
    let one = 1_u64 << (10 * unit);
    let name = UNITS[unit as usize];
    if bytes.is_multiple_of(one) { format!("{}{name}", bytes / one) } else { format!("{:.1}{name}", ratio(bytes, one)) }
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn ratio(bytes: u64, one: u64) -> f64 {
    bytes as f64 / one as f64
}

/// Lists a folder, two levels deep. `files`: paths below the folder, without a leading slash, and their sizes in bytes; the size
/// of a folder is the sum of its files.
#[must_use]
pub fn folder(path: &str, files: &[(String, u64)]) -> String {
    let total = files.iter().map(|(_, bytes)| bytes).sum();
    let mut lines = vec![format!("{}\t{path}", size(total))];
    list(&mut lines, path, files, 1);
    format!(
        "Here're the files and directories up to {DEPTH} levels deep in {path}, excluding hidden items and {UNLISTED}:\n{}",
        lines.join("\n")
    )
}

fn list(lines: &mut Vec<String>, above: &str, files: &[(String, u64)], depth: usize) {
    let mut names: Vec<&str> = files.iter().map(|(path, _)| path.split('/').next().unwrap_or(path)).collect();
    names.sort_unstable();
    names.dedup();
    for name in names.into_iter().filter(|name| !name.starts_with('.') && *name != UNLISTED) {
        if let Some((_, bytes)) = files.iter().find(|(path, _)| path == name) {
            lines.push(format!("{}\t{above}/{name}", size(*bytes)));
            continue;
        }
        let within = |(path, bytes): &(String, u64)| Some((path.strip_prefix(name)?.strip_prefix('/')?.to_owned(), *bytes));
        let within: Vec<(String, u64)> = files.iter().filter_map(within).collect();
        lines.push(format!("{}\t{above}/{name}/", size(within.iter().map(|(_, bytes)| bytes).sum())));
        if depth < DEPTH {
            list(lines, &format!("{above}/{name}"), &within, depth + 1);
        }
    }
}

/// Replaces the only occurrence of `old`; returns the text and the reply.
pub fn replaced(path: &str, content: &str, old: &str, new: &str) -> Result<(String, String), String> {
    // An empty `old` occurs everywhere, so it is accepted only for an empty file.
    let found = if old.is_empty() { usize::from(content.is_empty()) } else { content.matches(old).count() };
    match found {
        0 => return Err(format!("No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")),
        1 => {}
        _ => {
            let lines: Vec<String> = starts(content, old).map(|at| (breaks(content, at) + 1).to_string()).collect();
            return Err(format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. Please ensure it is unique",
                lines.join(", ")
            ));
        }
    }
    let changed = content.find(old).map_or(0, |at| breaks(content, at));
    let text = content.replacen(old, new, 1);
    let first = changed.saturating_sub(AROUND);
    let snippet = numbered(text.split('\n').skip(first).take(changed + AROUND + 1 - first), first + 1);
    let reply =
        format!("The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}");
    Ok((text, reply))
}

/// Byte offsets of `part`, including overlapping occurrences.
fn starts<'a>(content: &'a str, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    content.char_indices().map(|(at, _)| at).filter(move |at| content[*at..].starts_with(part))
}

/// Number of line breaks before a byte offset.
fn breaks(content: &str, at: usize) -> usize {
    content[..at].matches('\n').count()
}

/// Inserts lines after line `line`; 0: before the first. The result ends with a line break.
pub fn inserted(content: &str, line: i64, text: &str) -> Result<String, String> {
    let mut lines: Vec<&str> = content.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let Some(place) = usize::try_from(line).ok().filter(|place| *place <= lines.len()) else {
        return Err(format!("Invalid `insert_line` parameter: {line}. It should be within the range [0, {}].", lines.len()));
    };
    lines.insert(place, text.trim_end_matches('\n'));
    let mut text = lines.join("\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Option<String> {
        match place(path).expect(path) {
            PathPlace::Root => None,
            PathPlace::At(path) => Some(path.as_str().to_owned()),
        }
    }

    #[test]
    fn paths_stay_under_the_root() {
        for root in ["/memories", "/memories/", "/memories/.", "/memories/a/..", "/memories//"] {
            assert_eq!(at(root), None, "{root}");
        }
        for (path, expected) in [
            ("/memories/a.txt", "/a.txt"),
            ("/memories/a.b", "/a.b"),
            ("/memories/a_b", "/a_b"),
            ("/memories/a/../b", "/b"),
            ("/memories//a//b/", "/a/b"),
            ("/memories/..%2fa", "/..%2fa"),
        ] {
            assert_eq!(at(path).as_deref(), Some(expected));
        }
        for path in ["", "/", "/etc/passwd", "memories/a", "/memoriesa", "/memories_evil/a", "/Memories/a"] {
            assert_eq!(place(path).err(), Some(format!("Path must start with /memories, got: {path}")));
        }
        for path in ["/memories/..", "/memories/../etc/passwd", "/memories/a/../../b", "/memories/../memories/a"] {
            assert_eq!(place(path).err(), Some(format!("Path {path} would escape /memories directory")));
        }
        for path in ["/memories/cafe\u{301}", "/memories/a\u{202e}b", "/memories/a\u{0}"] {
            assert!(place(path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn a_file_is_shown_with_line_numbers() {
        let view = |content: &str, range: Option<&[i64]>| {
            let text = file("/memories/a", content, range);
            text.strip_prefix("Here's the content of /memories/a with line numbers:\n").expect("the head").to_owned()
        };
        assert_eq!(view("one\ntwo", None), "     1\tone\n     2\ttwo");
        assert_eq!(view("one\n", None), "     1\tone\n     2\t");
        assert_eq!(view("", None), "     1\t");
        assert_eq!(view("a\nb\nc\nd", Some(&[2, 3])), "     2\tb\n     3\tc");
        assert_eq!(view("a\nb\nc", Some(&[2, -1])), "     2\tb\n     3\tc");
        assert_eq!(view("a\nb\nc", Some(&[1, -2])), "     1\ta");
        assert_eq!(view("a\nb", Some(&[0, 9])), "     1\ta\n     2\tb");
        assert_eq!(view("a\nb", Some(&[9, 12])), "");
        assert_eq!(view("a\nb", Some(&[2, 1])), "");
        assert_eq!(view("a\nb", Some(&[i64::MIN, i64::MIN])), "");
        assert_eq!(view("a\nb", Some(&[2])), "     1\ta\n     2\tb", "a range has two ends");
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, told) in [
            (0, "0B"),
            (1, "1B"),
            (1023, "1023B"),
            (1024, "1K"),
            (1536, "1.5K"),
            (102_400, "100K"),
            (1 << 20, "1M"),
            (5 << 40, "5120G"),
        ] {
            assert_eq!(size(bytes), told);
        }
    }

    #[test]
    fn a_folder_is_listed_two_levels_deep() {
        let files: Vec<(String, u64)> =
            [("b.txt", 3), ("a/deep/x/y", 1), ("a/one", 1024), (".hidden", 1), ("node_modules/x", 1), ("a.txt", 0)]
                .map(|(path, bytes)| (path.to_owned(), bytes))
                .to_vec();
        assert_eq!(
            folder("/memories", &files),
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n\
             1.0K\t/memories\n1.0K\t/memories/a/\n1B\t/memories/a/deep/\n1K\t/memories/a/one\n0B\t/memories/a.txt\n3B\t/memories/b.txt"
        );
        assert!(folder("/memories", &[]).ends_with(":\n0B\t/memories"));
    }

    #[test]
    fn a_replacement_is_made_where_the_part_is_once() {
        let (text, reply) = replaced("/memories/a", "1\n2\n3\n4\n5\n6\n7", "4", "four\nfour and a half").expect("once");
        assert_eq!(text, "1\n2\n3\nfour\nfour and a half\n5\n6\n7");
        assert_eq!(
            reply,
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     \
             2\t2\n     3\t3\n     4\tfour\n     5\tfour and a half\n     6\t5"
        );
        let kept = replaced("/memories/a", "cost: X", "X", "$& $1 \\1").expect("once").0;
        assert_eq!(kept, "cost: $& $1 \\1", "nothing in it is a pattern");
        assert_eq!(
            replaced("/memories/a", "x\ny\nx", "x", "z").err().as_deref(),
            Some("No replacement was performed. Multiple occurrences of old_str `x` in lines: 1, 3. Please ensure it is unique")
        );
        assert_eq!(
            replaced("/memories/a", "x", "q", "z").err().as_deref(),
            Some("No replacement was performed, old_str `q` did not appear verbatim in /memories/a.")
        );
        assert!(replaced("/memories/a", "x", "", "z").is_err());
        assert_eq!(replaced("/memories/a", "", "", "z").map(|(text, _)| text).as_deref(), Ok("z"));
    }

    #[test]
    fn lines_are_inserted_after_a_line() {
        for (content, line, text, expected) in [
            ("a\nb\n", 0, "x", "x\na\nb\n"),
            ("a\nb\n", 2, "x\n", "a\nb\nx\n"),
            ("a\nb", 1, "x\n\n", "a\nx\nb\n"),
            ("", 0, "x", "x\n"),
            ("a\r\nb\r\n", 1, "x\r", "a\r\nx\r\nb\r\n"),
        ] {
            assert_eq!(inserted(content, line, text).as_deref(), Ok(expected));
        }
        for line in [-1, 3, i64::MAX] {
            let told = inserted("a\nb\n", line, "x").expect_err("outside");
            assert_eq!(told, format!("Invalid `insert_line` parameter: {line}. It should be within the range [0, 2]."));
        }
    }

    #[test]
    fn every_command_is_read() {
        let read = |json: &str| serde_json::from_str::<MemoryToolCommand>(json);
        assert!(matches!(read(r#"{"command":"view","path":"/memories","view_range":null}"#), Ok(MemoryToolCommand::View { .. })));
        assert!(matches!(
            read(r#"{"command":"str_replace","path":"a","old_str":"b","new_str":"c"}"#),
            Ok(MemoryToolCommand::StrReplace { .. })
        ));
        for left_out in [
            r#"{"command":"str_replace","path":"a","old_str":"b"}"#,
            r#"{"command":"str_replace","path":"a","old_str":"b","new_str":null}"#,
        ] {
            assert!(
                matches!(read(left_out), Ok(MemoryToolCommand::StrReplace { new_str, .. }) if new_str.is_empty()),
                "{left_out}"
            );
        }
        for line in ["2", "2.0", "\"2\""] {
            let insert = format!(r#"{{"command":"insert","path":"a","insert_line":{line},"insert_text":"b"}}"#);
            assert!(matches!(read(&insert), Ok(MemoryToolCommand::Insert { insert_line: Whole(2), .. })), "{line}");
        }
        let range = read(r#"{"command":"view","path":"a","view_range":"[2, 5.0]"}"#);
        assert!(matches!(range, Ok(MemoryToolCommand::View { view_range: Some(Wholes(lines)), .. }) if lines == [2, 5]));
        assert!(read(r#"{"command":"insert","path":"a","insert_line":2.5,"insert_text":"b"}"#).is_err());
        assert!(read(r#"{"command":"undo","path":"a"}"#).is_err() && read(r#"{"command":"create","path":"a"}"#).is_err());
    }
}
