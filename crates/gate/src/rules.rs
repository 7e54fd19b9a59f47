//! The table of rules, `rules.toml`, as the program reads it. The tests check that each rule catches what it must and lets pass
//! what it must, so that the table stays true.

use std::sync::LazyLock;

use regex::bytes::Regex;
use serde::Deserialize;

use crate::checks::{self, Check};
use crate::patterns::compiled;

/// One rule of the gate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name in a refusal.
    pub name: String,
    /// Description for people, in one line.
    pub catches: String,
    /// Texts that it must catch.
    #[serde(default)]
    pub must: Vec<String>,
    /// True team facts that look similar and must pass the whole gate.
    #[serde(default)]
    pub must_not: Vec<String>,
    /// A chunk that the head objects to belongs to this rule if it matches.
    #[serde(default, deserialize_with = "pattern")]
    pub(crate) looks: Option<Regex>,
    #[serde(default, rename = "format")]
    pub(crate) formats: Vec<Format>,
}

/// A form that is sure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Format {
    #[serde(deserialize_with = "pattern")]
    find: Option<Regex>,
    #[serde(default, deserialize_with = "pattern")]
    spare: Option<Regex>,
    #[serde(default, deserialize_with = "pattern")]
    unless: Option<Regex>,
    check: Option<Check>,
}

/// Every rule, in the order in which refusals list them.
#[must_use]
pub fn rules() -> &'static [Rule] {
    #[derive(Deserialize)]
    struct Table {
        rule: Vec<Rule>,
    }
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let table: Table = toml::from_str(include_str!("../rules.toml")).unwrap_or_else(|error| panic!("{error}"));
        table.rule
    });
    &RULES
}

/// Bytes before a match that are compared with `unless`: more than any of its patterns takes.
const UNLESS_BYTES: usize = 128;

fn pattern<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Regex>, D::Error> {
    compiled(&String::deserialize(from)?).map(Some).map_err(serde::de::Error::custom)
}

impl Format {
    #[cfg(test)]
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &str> {
        [&self.find, &self.spare, &self.unless].into_iter().flatten().map(Regex::as_str)
    }

    /// Returns the spans of its matches in folded text: the group, or else the whole match.
    pub(crate) fn find<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
        let found = self.find.iter().flat_map(|find| find.captures_iter(text.as_bytes()));
        found.filter_map(|found| found.get(1).or(found.get(0))).map(|m| (m.start(), m.end())).filter(|(start, end)| {
            let matches =
                |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_some_and(|pattern| pattern.is_match(text.as_bytes()));
            let before = &text[start.saturating_sub(UNLESS_BYTES)..*start];
            let spared = matches(&self.spare, &text[*start..*end]) || matches(&self.unless, before);
            !spared && self.check.is_none_or(|check| checks::holds(check, text, *start, *end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_short_and_names_are_unique() {
        let mut names: Vec<_> = rules().iter().map(|rule| &rule.name).collect();
        let patterns =
            rules().iter().flat_map(|rule| rule.formats.iter().flat_map(|format| [&format.find, &format.spare, &format.unless]));
        for pattern in patterns.flatten() {
            assert!(pattern.as_str().len() <= 200, "{pattern}");
        }
        let unless = rules().iter().flat_map(|rule| &rule.formats).filter_map(|format| format.unless.as_ref());
        for pattern in unless {
            let form =
                regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern.as_str()).expect("parses");
            assert!(form.properties().maximum_len().is_some_and(|longest| longest < UNLESS_BYTES), "{pattern}");
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), rules().len());
    }
}
