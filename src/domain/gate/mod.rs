//! The gate: decides whether a proposed team fact still points at a person or holds a secret.
//!
//! The extractor is asked to leave people out and usually does. The gate does not depend on that: it applies a fixed table of
//! rules and then, where no rule objects, a classifier learned from labelled lines. It has no configuration and runs in linear
//! time. It rejects and never rewrites, and it also rejects text that it cannot read. It is one layer of three and does not
//! promise to know every name in the world.
//!
//! The redactor for secrets and the check of notes for planted orders are here too, because they read text in the same way.

/// Compiles a pattern on first use. It matches bytes without Unicode classes, because folded text is ASCII.
macro_rules! pattern {
    ($source:expr) => {{
        static PATTERN: std::sync::LazyLock<regex::bytes::Regex> = std::sync::LazyLock::new(|| super::compiled($source));
        &*PATTERN
    }};
}
/// The same for a table of patterns.
macro_rules! patterns {
    ($sources:expr) => {{
        static PATTERNS: std::sync::LazyLock<Vec<regex::bytes::Regex>> =
            std::sync::LazyLock::new(|| $sources.iter().map(|source| super::compiled(source)).collect());
        &*PATTERNS
    }};
}
/// Named sets of words, written as text.
macro_rules! word_lists {
    ($($(#[$doc:meta])* $name:ident = $words:literal;)+) => {
        $($(#[$doc])*
        pub(super) static $name: std::sync::LazyLock<std::collections::HashSet<&'static str>> =
            std::sync::LazyLock::new(|| $words.split_ascii_whitespace().collect());)+
    };
}
/// Tests all patterns of a table in one pass.
macro_rules! pattern_set {
    ($sources:expr) => {{
        static SET: std::sync::LazyLock<regex::bytes::RegexSet> = std::sync::LazyLock::new(|| super::compiled_set($sources));
        &*SET
    }};
}

mod accounts;
mod clitic_words;
mod company;
mod contact;
mod contact_words;
mod eponyms;
mod gazetteer;
mod host_words;
mod hosts;
mod identity;
mod language_words;
mod links;
mod machines;
mod normalise;
mod note_claims;
mod note_harmless;
mod note_harms;
mod note_orders;
mod note_plots;
mod note_ruses;
mod note_shapes;
mod note_signs;
mod note_told;
mod notes;
mod obfuscation;
mod passwords;
mod path_words;
mod paths;
mod people;
mod people_signs;
mod people_things;
mod people_words;
mod placeholders;
mod places;
mod pronoun_words;
mod pronouns;
mod reading;
mod rules;
mod secret_words;
mod secrets;
mod spoken_secrets;
mod stranger_words;
mod strangers;

#[cfg(test)]
mod cases;

use std::borrow::Cow;

use reading::Reading;
use regex::bytes::Regex;
pub use rules::Rule;

/// Longer texts are not a single fact.
const MAX_FACT_BYTES: usize = 4 * 1024;
/// Memory limit for all patterns of one table compiled together.
const PATTERN_SET_BYTES: usize = 128 * 1024 * 1024;
/// A text with more disguised pieces is not a fact; the limit also bounds the work.
const MOST_DISGUISED: usize = 48;
/// Replaces a secret.
pub const REDACTED: &str = "[secret removed]";

/// One place in a text that a rule objects to: a byte span of the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static str,
    pub start: usize,
    pub end: usize,
}

/// Where a pattern stands in a text.
fn wholes(pattern: &Regex, text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    pattern.find_iter(text).map(|m| (m.start(), m.end()))
}

/// Where the first group of a pattern stands in a text.
fn first_groups(pattern: &Regex, text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    pattern.captures_iter(text).filter_map(|found| found.get(1)).map(|m| (m.start(), m.end()))
}

/// What a proposed team fact must not contain. Empty: it passes.
#[must_use]
pub fn check(text: &str) -> Vec<Finding> {
    if text.len() > MAX_FACT_BYTES {
        return vec![Finding { rule: "too_long", start: 0, end: text.len() }];
    }
    let reading = Reading::new(text);
    let mut findings = unreadable(&reading, text);
    findings.extend(rules::RULES.iter().flat_map(|rule| rule.findings(&reading)));
    findings.extend(encoded(&reading));
    if findings.is_empty() {
        findings.extend(rules::WEIGHED.findings(&reading));
    }
    findings
}

/// The text as the rules read it, and the position of each finding in it. An unreadable letter becomes `□`.
#[must_use]
pub fn as_read(text: &str, findings: &[Finding]) -> (String, Vec<(&'static str, usize, usize)>) {
    let folded = normalise::Folded::new(text);
    let shown = |upto: usize| folded.text[..upto].chars().map(|c| as_shown(c).len_utf8()).sum::<usize>();
    let spans = findings
        .iter()
        .map(|finding| {
            let (from, to) = folded.folded_span(finding.start, finding.end);
            (finding.rule, shown(from), shown(to))
        })
        .collect();
    (folded.text.chars().map(as_shown).collect(), spans)
}

fn as_shown(c: char) -> char {
    if c == normalise::FOREIGN_LETTER { '□' } else { c }
}

/// What a rule catches, in one line for people.
#[must_use]
pub fn catches(name: &str) -> &'static str {
    let rule = rules().find(|rule| rule.name == name).map(|rule| rule.catches);
    let unreadable = rules::UNREADABLE.iter().find(|(unreadable, _)| *unreadable == name).map(|(_, catches)| *catches);
    rule.or(unreadable).unwrap_or_default()
}

/// The rules that fired, each once, in table order.
#[must_use]
pub fn rules_fired(findings: &[Finding]) -> Vec<String> {
    let known = rules().map(|rule| rule.name).chain(rules::UNREADABLE.iter().map(|(name, _)| *name));
    known.filter(|name| findings.iter().any(|finding| finding.rule == *name)).map(str::to_owned).collect()
}

/// The shapes of planted orders found in a note. Empty: none.
#[must_use]
pub fn check_note(text: &str) -> Vec<&'static str> {
    notes::planted(text)
}

/// Secrets of known formats, in order, not overlapping. For texts of any length; linear.
#[must_use]
pub fn secrets(text: &str) -> Vec<Finding> {
    let folded = normalise::Folded::new(text);
    let mut findings: Vec<Finding> = Vec::new();
    for (from, to) in secrets::find(&folded) {
        let (start, end) = folded.original_span(from, to);
        match findings.last_mut() {
            Some(last) if start < last.end => last.end = last.end.max(end),
            _ => findings.push(Finding { rule: "secret", start, end }),
        }
    }
    findings
}

/// The text with each secret of a known format removed.
#[must_use]
pub fn redact_secrets(text: &str) -> Cow<'_, str> {
    let found = secrets(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut kept = 0;
    for secret in &found {
        clean.push_str(&text[kept..secret.start]);
        clean.push_str(REDACTED);
        kept = secret.end;
    }
    clean.push_str(&text[kept..]);
    Cow::Owned(clean)
}

/// Compiles all patterns in advance, by running every rule on the texts that it must catch.
pub fn warm() {
    for text in rules().flat_map(|rule| rule.must) {
        drop((check(text), check_note(text), redact_secrets(text)));
    }
}

/// Every rule, in the order in which `rules_fired` lists them.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::RULES.iter().chain([&rules::WEIGHED])
}

fn unreadable(reading: &Reading, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some((start, end)) = reading.folded.hidden {
        findings.push(Finding { rule: "hidden_text", start, end });
    }
    findings.extend(reading.folded.mixed.iter().map(|(start, end)| Finding { rule: "mixed_script", start: *start, end: *end }));
    if reading.folded.foreign {
        findings.push(Finding { rule: "unreadable_script", start: 0, end: text.len() });
    }
    findings
}

/// What the rules find in the decoded text, one level deep.
fn encoded(reading: &Reading) -> Vec<Finding> {
    let mut findings = Vec::new();
    let pieces = obfuscation::undress(reading);
    if pieces.len() > MOST_DISGUISED {
        return vec![Finding { rule: "encoded", start: 0, end: reading.folded.original_span(0, reading.text().len()).1 }];
    }
    for piece in pieces {
        let inner = Reading::new(&piece.says);
        if rules::RULES.iter().any(|rule| !rule.findings(&inner).is_empty()) {
            let (start, end) = reading.folded.original_span(piece.start, piece.end);
            findings.push(Finding { rule: "encoded", start, end });
        }
    }
    findings
}

fn compiled(source: &str) -> regex::bytes::Regex {
    regex::bytes::RegexBuilder::new(source).unicode(false).build().expect("every pattern is a constant, and the tests run it")
}

fn compiled_set<S: AsRef<str>>(sources: impl IntoIterator<Item = S>) -> regex::bytes::RegexSet {
    regex::bytes::RegexSetBuilder::new(sources)
        .unicode(false)
        .size_limit(PATTERN_SET_BYTES)
        .build()
        .expect("every pattern is a constant, and the tests run it")
}
