//! Finds a section of a Markdown text: the text under a heading, up to the next heading of the same or a higher level.

use std::ops::Range;

use super::matches::no_match;
use crate::problem::{Field, Problem};

/// Deepest level of a heading.
const LEVELS: usize = 6;

/// Returns the bytes under this heading. `heading` is the line as it stands, such as `## Plan`, or only its words.
pub fn section(content: &str, heading: &str) -> Result<Range<usize>, Problem> {
    let wanted = heading.trim();
    if wanted.is_empty() {
        return Err(Problem::invalid(Field::Heading, "must not be empty"));
    }
    let (level, words) = parts(wanted).map_or((None, wanted), |(level, words)| (Some(level), words));
    let headings = headings(content);
    let is_wanted = |own: &&Heading| own.words == words && level.is_none_or(|level| level == own.level);
    let found: Vec<&Heading> = headings.iter().filter(is_wanted).collect();
    let [own] = found.as_slice() else {
        let at: Vec<usize> = found.iter().map(|own| own.start).collect();
        return Err(no_match(content, &at, 1));
    };
    let next = headings.iter().find(|next| next.start >= own.end && next.level <= own.level);
    Ok(own.end..next.map_or(content.len(), |next| next.start))
}

struct Heading<'a> {
    level: usize,
    words: &'a str,
    /// Byte range of its line, including the line end.
    start: usize,
    end: usize,
}

/// Finds the headings of a text, ignoring fenced code.
fn headings(content: &str) -> Vec<Heading<'_>> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in content.split_inclusive('\n') {
        let end = start + line.len();
        let text = line.trim();
        let marks = ["```", "~~~"].into_iter().find(|marks| text.starts_with(marks));
        match (fence, marks) {
            (None, Some(marks)) => fence = Some(marks),
            (Some(open), Some(marks)) if open == marks => fence = None,
            (None, None) => {
                let text = text.trim_start_matches('\u{feff}');
                found.extend(parts(text).map(|(level, words)| Heading { level, words, start, end }));
            }
            _ => {}
        }
        start = end;
    }
    found
}

/// Splits a heading into its level and its words.
fn parts(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=LEVELS).contains(&level) && rest.starts_with([' ', '\t']))
        .then(|| (level, rest.trim().trim_end_matches('#').trim_end()))
}

#[cfg(test)]
mod tests {
    use super::super::{Edit, edited};
    use super::*;

    const PAGE: &str = "# Page\nintro\n## Plan\n- a\n### Deep\nx\n```\n## Plan\n```\n## Done\nnothing\n## Done\n";

    fn replaced(heading: &str, text: &str) -> Result<String, Problem> {
        edited(PAGE, &Edit::ReplaceSection { heading: heading.to_owned(), text: text.to_owned() })
    }

    #[test]
    fn a_section_reaches_to_the_next_heading_of_its_level() {
        assert_eq!(replaced("## Plan", "- b").expect("once"), "# Page\nintro\n## Plan\n- b\n## Done\nnothing\n## Done\n");
        assert_eq!(replaced("Plan", "- b"), replaced("## Plan", "- b"));
        assert_eq!(replaced("### Deep", "").expect("once"), "# Page\nintro\n## Plan\n- a\n### Deep\n## Done\nnothing\n## Done\n");
        assert_eq!(replaced("# Page", "all new").expect("once"), "# Page\nall new");
    }

    #[test]
    fn a_heading_that_is_not_there_once_is_refused() {
        assert!(matches!(replaced("## Done", "x"), Err(Problem::NoMatch { matches: 2, lines, .. }) if lines == [10, 12]));
        assert!(matches!(replaced("# Plan", "x"), Err(Problem::NoMatch { matches: 0, .. })));
        assert!(matches!(replaced(" ", "x"), Err(Problem::Invalid { .. })));
    }

    #[test]
    fn the_last_section_of_a_text_without_an_end_of_line_is_replaced() {
        let edit = |content: &str| edited(content, &Edit::ReplaceSection { heading: "A".to_owned(), text: "x".to_owned() });
        assert_eq!(edit("# A").as_deref(), Ok("# A\nx"));
        assert_eq!(edit("# A\r\nold").as_deref(), Ok("# A\r\nx"));
    }
}
