//! The places of a text that an edit names, if they are not exactly as many as expected.

use crate::problem::Problem;

/// Maximum number of lines in an error.
const LINES_TOLD: usize = 50;

/// Error of an edit whose text was not found once, or not as often as expected; it lists the lines where it was found.
pub(super) fn no_match(content: &str, found: &[usize], expected: u32) -> Problem {
    let line = |at: &usize| u32::try_from(content[..*at].matches('\n').count() + 1).unwrap_or(u32::MAX);
    let matches = u32::try_from(found.len()).unwrap_or(u32::MAX);
    Problem::NoMatch { matches, expected, lines: found.iter().take(LINES_TOLD).map(line).collect() }
}
