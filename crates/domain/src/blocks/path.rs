//! The path of a block: `/projects/foo/notes.md`. Two paths are the same if their bytes are.

use unicode_normalization::is_nfc;

use super::limits::{PATH_BYTES, PATH_SEGMENTS};
use crate::problem::{Field, Problem};

/// Invisible characters (general category Cf), and the separators of lines and paragraphs: a path that contains one looks like
/// another path.
const UNSEEN: [(char, char); 21] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e0001}'),
    ('\u{e0020}', '\u{e007f}'),
];

/// A checked path: it starts with `/` and has 1 to 20 segments, none of them empty, `.` or `..`; at most 1,024 bytes; in NFC;
/// without control or invisible characters. Case-sensitive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockPath(String);

impl BlockPath {
    pub fn new(path: impl Into<String>) -> Result<Self, Problem> {
        let path = path.into();
        let must = |must: &str| Err(Problem::invalid(Field::Path, must));
        PATH_BYTES.check(path.len() as u64)?;
        let Some(rest) = path.strip_prefix('/') else { return must("must start with `/`") };
        if rest.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
            return must("must have no segment that is empty, `.` or `..`");
        }
        PATH_SEGMENTS.check(rest.split('/').count() as u64)?;
        if path.chars().any(|c| c.is_control() || UNSEEN.iter().any(|(first, last)| (*first..=*last).contains(&c))) {
            return must("must not contain control characters or characters that do not show");
        }
        if !is_nfc(&path) {
            return must("must be in Unicode Normalization Form C");
        }
        Ok(Self(path))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folders above it, from the root down: `/a` and `/a/b` for `/a/b/c`.
    #[must_use]
    pub fn above(&self) -> Vec<String> {
        self.0.match_indices('/').skip(1).map(|(at, _)| self.0[..at].to_owned()).collect()
    }

    /// Prefix of every path below it: `/a/b/`.
    #[must_use]
    pub fn folder(&self) -> String {
        format!("{}/", self.0)
    }

    /// Whether it is this path or lies below it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self == other || self.0.starts_with(&other.folder())
    }

    /// Returns the path after `from`, which is this path or above it, was renamed to `to`.
    pub fn moved(&self, from: &Self, to: &Self) -> Result<Self, Problem> {
        Self::new(format!("{}{}", to.0, self.0.strip_prefix(&from.0).unwrap_or_default()))
    }
}

/// Prints only the length: paths are private.
impl std::fmt::Debug for BlockPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlockPath({} bytes)", self.0.len())
    }
}

/// Parses a path prefix as lists take it: it ends with `/`, and matches whole segments. `None`: the root, which matches
/// everything.
pub fn folder(prefix: &str) -> Result<Option<BlockPath>, Problem> {
    let Some(inner) = prefix.strip_suffix('/') else {
        return Err(Problem::invalid(Field::PathPrefix, "must end with `/`"));
    };
    if inner.is_empty() { Ok(None) } else { BlockPath::new(inner).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_every_kind_are_taken_as_they_are() {
        let long = format!("/{}", "x".repeat(1_023));
        let deep = "/a".repeat(20);
        for good in ["/a", "/a.b", "/a_b", "/A", "/…/...", "/a b/c~d", "/notes/日本語.md", "/café", "/.hidden", &long, &deep]
        {
            assert_eq!(BlockPath::new(good).expect(good).as_str(), good);
        }
        assert_ne!(BlockPath::new("/a.b").expect("valid"), BlockPath::new("/a_b").expect("valid"));
        assert_ne!(BlockPath::new("/a").expect("valid"), BlockPath::new("/A").expect("valid"));
    }

    #[test]
    fn paths_that_escape_hide_or_do_not_fit_are_refused() {
        let long = format!("/{}", "x".repeat(1_024));
        let deep = "/a".repeat(21);
        for bad in [
            "",
            "/",
            "a",
            "a/b",
            "//",
            "/a/",
            "/a//b",
            "/.",
            "/..",
            "/a/../b",
            "/a/./b",
            "/a\n",
            "/\u{0}",
            "/a\u{202e}b",
            "/a\u{200b}",
            "/\u{feff}a",
            "/caf\u{65}\u{301}",
            "/a\u{2028}b",
            "/\u{e0041}",
            "/\u{85}",
            &long,
            &deep,
        ] {
            assert!(BlockPath::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_path_knows_what_is_above_and_below_it() {
        let path = |text: &str| BlockPath::new(text).expect("valid");
        assert_eq!(path("/a/b/c").above(), ["/a", "/a/b"]);
        assert!(path("/a").above().is_empty());
        assert!(path("/a/b").is_within(&path("/a")) && path("/a").is_within(&path("/a")) && !path("/ab").is_within(&path("/a")));
        assert_eq!(path("/a/b").moved(&path("/a"), &path("/x/y")), Ok(path("/x/y/b")));
        assert_eq!(path("/a").moved(&path("/a"), &path("/x")), Ok(path("/x")));
        let deep = path(&"/a".repeat(20));
        assert!(deep.moved(&path("/a"), &path("/b/b")).is_err(), "too deep");
    }

    #[test]
    fn a_prefix_is_a_folder() {
        assert_eq!(folder("/"), Ok(None));
        assert_eq!(folder("/notes/").map(|path| path.map(|path| path.folder())), Ok(Some("/notes/".to_owned())));
        for bad in ["", "/notes", "notes/", "//", "/../"] {
            assert!(folder(bad).is_err(), "{bad}");
        }
    }
}
