//! Patterns for folded text.

use regex::bytes::{Regex, RegexBuilder};

/// Compiles a pattern for bytes, without Unicode classes, because folded text is ASCII.
pub(crate) fn compiled(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).build()
}
