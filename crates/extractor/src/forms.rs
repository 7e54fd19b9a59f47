//! The forms of `rules.toml` as the program reads them: patterns that are sure without a head.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

/// One rule: a name, and the forms that it has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    pub name: String,
    find: Vec<String>,
    /// Exceptions: if one of these matches, too, there is no match.
    #[serde(default)]
    unless: Vec<String>,
    /// Texts that it must match.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "tests run them"))]
    pub must: Vec<String>,
    /// Texts that look similar and that it must not match.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "tests run them"))]
    pub must_not: Vec<String>,
    #[serde(skip)]
    compiled: Vec<Regex>,
    #[serde(skip)]
    excepted: Vec<Regex>,
}

/// The table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forms {
    /// Lists that patterns name in braces.
    lists: BTreeMap<String, String>,
    /// Passages that are not the user's own words.
    aside: Vec<Form>,
    /// Commands to the memory. The first that matches counts.
    pub command: Vec<Form>,
    /// Reasons not to learn from a sentence. The first that matches counts.
    pub refusal: Vec<Form>,
    /// Statements that are withdrawn: the group `old`.
    pub withdrawn: Vec<Form>,
    /// Parts of a sentence.
    part: Vec<Form>,
    /// Words for the third person.
    pub telling: Telling,
}

/// Words for telling a statement in the third person.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telling {
    /// English pronouns of one speaker and of several: subject, possessive, object, possessive alone, reflexive.
    pub one: [String; 5],
    pub several: [String; 5],
    /// English verbs after "I" that do not just get an "s": the form after "she", or the same form again.
    pub third: BTreeMap<String, String>,
    /// Verbs that precede their subject in a question.
    pub auxiliaries: Vec<String>,
    /// English verbs that stay as they are: past forms and modals.
    pub unchanged: Vec<String>,
    /// English verbs whose base form ends in "ed".
    pub base_in_ed: Vec<String>,
    /// English adverbs that stand between a subject and its verb.
    pub adverbs: Vec<String>,
    /// English verbs after "and" that have the same subject.
    pub joined: Vec<String>,
    /// Words that begin an order.
    pub orders: Vec<String>,
    /// Words that say nothing about a topic, besides the common ones.
    pub empty: Vec<String>,
    /// Short and colloquial forms.
    pub short: BTreeMap<String, String>,
}

/// Returns the table of the program.
pub fn forms() -> &'static Forms {
    static FORMS: LazyLock<Forms> = LazyLock::new(|| {
        let mut forms: Forms = toml::from_str(include_str!("../rules.toml")).unwrap_or_else(|error| panic!("{error}"));
        let lists = std::mem::take(&mut forms.lists);
        let all = [&mut forms.aside, &mut forms.command, &mut forms.refusal, &mut forms.withdrawn, &mut forms.part];
        for form in all.into_iter().flatten() {
            form.compile(&lists);
        }
        forms
    });
    &FORMS
}

impl Forms {
    pub fn aside(&self, name: &str) -> &Form {
        named(&self.aside, name)
    }

    pub fn part(&self, name: &str) -> &Form {
        named(&self.part, name)
    }

    #[cfg(test)]
    pub fn all(&self) -> impl Iterator<Item = &Form> {
        [&self.aside, &self.command, &self.refusal, &self.withdrawn, &self.part].into_iter().flatten()
    }
}

fn named<'f>(forms: &'f [Form], name: &str) -> &'f Form {
    forms.iter().find(|form| form.name == name).unwrap_or_else(|| panic!("rules.toml has no {name}"))
}

impl Form {
    fn compile(&mut self, lists: &BTreeMap<String, String>) {
        let compiled = |patterns: &[String]| patterns.iter().map(|pattern| compile(pattern, lists)).collect();
        self.compiled = compiled(&self.find);
        self.excepted = compiled(&self.unless);
    }

    #[cfg(test)]
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        self.compiled.iter().chain(&self.excepted).map(Regex::as_str)
    }

    fn excepts(&self, text: &str) -> bool {
        self.excepted.iter().any(|pattern| pattern.is_match(text))
    }

    pub fn is_match(&self, text: &str) -> bool {
        self.compiled.iter().any(|pattern| pattern.is_match(text)) && !self.excepts(text)
    }

    /// The groups of the first pattern that matches.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.compiled.iter().find_map(|pattern| pattern.captures(text)).filter(|_| !self.excepts(text))
    }

    /// Returns the end of the first match.
    pub fn end(&self, text: &str) -> Option<usize> {
        self.compiled.iter().filter_map(|pattern| pattern.find(text)).map(|found| found.end()).min()
    }

    /// Every match of any pattern, in order.
    pub fn spans(&self, text: &str) -> Vec<(usize, usize)> {
        let mut spans: Vec<_> =
            self.compiled.iter().flat_map(|pattern| pattern.find_iter(text)).map(|found| (found.start(), found.end())).collect();
        spans.sort_unstable();
        spans
    }

    /// Returns the spans of a group in every match, in order.
    pub fn groups(&self, text: &str, group: &str) -> Vec<(usize, usize)> {
        let found = self.compiled.iter().flat_map(|pattern| pattern.captures_iter(text));
        let mut spans: Vec<_> =
            found.filter_map(|captures| captures.name(group)).map(|found| (found.start(), found.end())).collect();
        spans.sort_unstable();
        spans
    }

    pub fn remove<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.replace(text, "")
    }

    pub fn replace<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        self.compiled.iter().fold(Cow::Borrowed(text), |text, pattern| match pattern.replace_all(&text, with) {
            Cow::Borrowed(_) => text,
            Cow::Owned(changed) => Cow::Owned(changed),
        })
    }
}

fn compile(pattern: &str, lists: &BTreeMap<String, String>) -> Regex {
    let mut full = pattern.to_owned();
    // A list may name another one.
    while let Some((from, to)) = full.find("{{").and_then(|from| Some((from, from + full[from..].find("}}")?))) {
        let words = &lists[&full[from + 2..to]];
        full.replace_range(
            from..to + 2,
            &format!("(?:{})", words.split_whitespace().collect::<Vec<_>>().join("|").replace('_', " ")),
        );
    }
    RegexBuilder::new(&full).case_insensitive(true).build().unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_matches_what_it_must_and_nothing_that_looks_similar() {
        let mut wrong = Vec::new();
        for form in forms().all() {
            let long = form.find.iter().chain(&form.unless).filter(|pattern| pattern.len() > 200);
            wrong.extend(long.map(|pattern| format!("{}, too long: {pattern}", form.name)));
            wrong.extend(form.must.iter().filter(|text| !form.is_match(text)).map(|text| format!("{} misses {text}", form.name)));
            wrong.extend(
                form.must_not.iter().filter(|text| form.is_match(text)).map(|text| format!("{} takes {text}", form.name)),
            );
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
