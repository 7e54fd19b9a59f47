//! The gate: decides whether a proposed team fact still points at a person or holds a secret.
//!
//! The extractor is asked to leave people out and usually does. The gate does not depend on that. It has no configuration, runs
//! in linear time, rejects and never rewrites. It does not promise to know every name in the world: the quarantine, and tables of
//! facts without users, are two more layers.
//!
//! In this order:
//!
//! 1. Forms that are sure: e-mail addresses, keys of services, numbers with check digits, pronouns (`rules.toml`, `secrets.toml`,
//!    the lexicon in `crates/language/`).
//! 2. Disguises are undone, and the text behind them is judged the same way (`disguise`).
//! 3. A head that learned from labelled lines judges every word, number and address by its form and its neighbours.
//!
//! The redactor for secrets and the check of notes for planted orders are here too, because they read text in the same way.
//!
//! To teach it a case, add lines to `crates/language/gate.tsv` and run `make weights`. To add a form, edit `rules.toml`.

mod checks;
mod disguise;
mod hosts;
pub mod lessons;
mod lists;
mod meaning;
mod notes;
mod patterns;
mod persons;
mod pronouns;
mod rules;
mod scripts;
mod secrets;
mod told;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod time;
#[cfg(test)]
mod worst;

use std::borrow::Cow;

use language::candidates;
use language::features::{Kind, Text};
use language::fold::{FOREIGN_LETTER, Folded};
use language::head::{Head, Parts};
use language::lexicon::{self, NameClass};

pub use meaning::{Meaning, WEIGHTS as MEANING_WEIGHTS, reads};
pub use notes::{check_note, order_likeness, planted_forms};
pub use rules::{Rule, rules};

static IDENTITIES: Head = Head::embedded(include_bytes!("../weights/identities.weights"), Parts::Candidates);

/// A fact at least this similar to labelled ones that point at a person is refused. A higher level refuses fewer harmless facts
/// and lets more hidden persons pass.
const LIKE_AN_IDENTITY: f32 = 0.33;
/// The same where an encoder's vector is read, too: it adds knowledge, so fewer harmless facts are in doubt.
const LIKE_AN_IDENTITY_IN_MEANING: f32 = 0.38;
/// The same for the text behind a disguise, where more words are unknown.
const LIKE_A_HIDDEN_IDENTITY: f32 = 0.6;
/// Longer texts are not a single fact.
const MAX_FACT_BYTES: usize = 4 * 1024;
/// A text with more disguised pieces is not a fact; the limit also bounds the work.
const MOST_DISGUISED: usize = 48;
/// Replaces a secret.
pub const REDACTED: &str = "[secret removed]";

/// Rules that are decided here, not by a form.
const TOO_LONG: &str = "too_long";
const HIDDEN_TEXT: &str = "hidden_text";
const MIXED_SCRIPT: &str = "mixed_script";
const NAME: &str = "person_name";
const DISGUISED: &str = "disguised";
const LIKENESS: &str = "likeness";
/// Rules of `rules.toml`.
const PATH: &str = "file_path";

/// One place in a text that a rule objects to: a byte span of the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static str,
    pub start: usize,
    pub end: usize,
}

impl Finding {
    /// From a span of the folded text.
    fn of(rule: &'static str, folded: &Folded, start: usize, end: usize) -> Self {
        let (start, end) = folded.original_span(start, end);
        Self { rule, start, end }
    }
}

/// Returns everything that a proposed team fact must not contain, judged by its words. Empty: it passes. File paths are checked
/// apart, by `paths`.
#[must_use]
pub fn check(text: &str) -> Vec<Finding> {
    check_with(text, None)
}

/// Returns the file paths in a text, no matter whose: from the root of a disk or a share, or from a home.
#[must_use]
pub fn paths(text: &str) -> Vec<Finding> {
    if text.len() > MAX_FACT_BYTES {
        return Vec::new();
    }
    let folded = folded(text);
    let formats = rules().iter().filter(|rule| rule.name == PATH).flat_map(|rule| &rule.formats);
    formats.flat_map(|format| format.find(&folded.text)).map(|(start, end)| Finding::of(PATH, &folded, start, end)).collect()
}

/// The same as `check`, by the words of a text and its vector.
#[must_use]
pub fn check_with(text: &str, meaning: Option<Meaning<'_>>) -> Vec<Finding> {
    let too_long = vec![Finding { rule: TOO_LONG, start: 0, end: text.len() }];
    if text.len() > MAX_FACT_BYTES {
        return too_long;
    }
    let folded = folded(text);
    // One character can stand for many letters.
    if folded.text.len() > MAX_FACT_BYTES {
        return too_long;
    }
    let mut findings = sure(&folded);
    if folded.foreign {
        findings.extend(scripts::persons(text).into_iter().map(|(rule, start, end)| Finding { rule, start, end }));
    } else {
        findings.extend(judged(&folded, LIKE_AN_IDENTITY, meaning));
    }
    findings
}

/// Folds a text for the rules. In a text of another script, no letter stands for a Latin one.
fn folded(text: &str) -> Folded {
    let folded = Folded::new(text);
    if folded.foreign { Folded::of_other_script(text) } else { folded }
}

/// Findings that are sure without the head.
fn sure(folded: &Folded) -> Vec<Finding> {
    let mut findings = disordered(folded);
    findings.extend(formed(folded));
    let hidden = disguised(folded, &findings);
    findings.extend(hidden);
    findings
}

fn disordered(folded: &Folded) -> Vec<Finding> {
    let finding = |rule, (start, end)| Finding { rule, start, end };
    let hidden = folded.hidden.map(|span| finding(HIDDEN_TEXT, span));
    let mixed = folded.mixed.iter().map(|span| finding(MIXED_SCRIPT, *span));
    hidden.into_iter().chain(mixed).collect()
}

/// Findings of forms, secrets, pronouns, and names that are sure.
fn formed(folded: &Folded) -> Vec<Finding> {
    let others = rules().iter().filter(|rule| ![secrets::RULE, PATH].contains(&rule.name.as_str()));
    let forms = others.flat_map(|rule| rule.formats.iter().map(move |format| (rule, format)));
    let found =
        forms.flat_map(|(rule, format)| format.find(&folded.text).map(move |(start, end)| (rule.name.as_str(), start, end)));
    let secrets = secrets::find(folded).into_iter().map(|(start, end)| (secrets::RULE, start, end));
    let text = Text::new(folded);
    let pronouns = pronouns::sure(&text);
    let names = persons::sure(&text).into_iter().map(|(start, end)| (NAME, start, end));
    let chunks = named_chunks(&text, &folded.text);
    let all = found.chain(secrets).chain(pronouns).chain(names).chain(chunks);
    all.map(|(rule, start, end)| Finding::of(rule, folded, start, end)).collect()
}

/// Identifiers, addresses and paths with a name in them: `budi-laptop`, `vm-priya-01`.
fn named_chunks(text: &Text<'_>, folded: &str) -> Vec<(&'static str, usize, usize)> {
    let is_named = |(from, to): &(usize, usize)| {
        (*from..*to).any(|at| {
            text.tokens[at].is_word()
                && lexicon::name(text.lower(at)) == Some(NameClass::Common)
                && checks::is_named(text.lower(at))
        })
    };
    let chunks = candidates::chunks(text).into_iter().filter(is_named);
    let spans = chunks.map(|(from, to)| (text.tokens[from].start, text.tokens[to - 1].end));
    spans.map(|(start, end)| (looks_like(&folded[start..end]), start, end)).collect()
}

/// Findings behind disguises, one level deep, by rules that did not fire on the text as it is written.
fn disguised(folded: &Folded, plain: &[Finding]) -> Vec<Finding> {
    let pieces = disguise::undone(folded);
    if pieces.iter().filter(|piece| !piece.spelled).count() > MOST_DISGUISED {
        return vec![Finding::of(DISGUISED, folded, 0, folded.text.len())];
    }
    let found = pieces.into_iter().flat_map(|piece| {
        let mut hidden = hidden_in(&piece);
        hidden.retain(|rule| plain.iter().all(|finding| finding.rule != *rule));
        let disguised = (!hidden.is_empty()).then_some(DISGUISED);
        hidden.into_iter().chain(disguised).map(move |rule| Finding::of(rule, folded, piece.start, piece.end))
    });
    found.collect()
}

/// The rules that object to the text behind a disguise.
fn hidden_in(piece: &disguise::Piece) -> Vec<&'static str> {
    if piece.spelled {
        return disguise::spells(&piece.says).into_iter().collect();
    }
    let inner = Folded::new(&piece.says);
    let judged = judged(&inner, LIKE_A_HIDDEN_IDENTITY, None).into_iter().filter(|finding| finding.rule != LIKENESS);
    let mut rules: Vec<&str> = formed(&inner).into_iter().chain(judged).map(|finding| finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// The objections of the head.
fn judged(folded: &Folded, level: f32, meaning: Option<Meaning<'_>>) -> Vec<Finding> {
    let judgement = IDENTITIES.judge(folded);
    let passes = match meaning.and_then(|meaning| meaning.judge(judgement.score)) {
        Some(probability) => probability < LIKE_AN_IDENTITY_IN_MEANING,
        None => judgement.probability < level,
    };
    if passes {
        return Vec::new();
    }
    if judgement.reasons.is_empty() {
        return vec![Finding::of(LIKENESS, folded, 0, folded.text.len())];
    }
    let text = Text::new(folded);
    let chunks: Vec<_> =
        candidates::chunks(&text).into_iter().map(|(from, to)| (text.tokens[from].start, text.tokens[to - 1].end)).collect();
    // The rule of the last chunk: a long one may have many names in it.
    let mut last = None;
    let found = judgement.reasons.into_iter().map(|reason| {
        let written = &folded.text[reason.start..reason.end];
        let rule = match reason.kind {
            // A name in an identifier, an address or a path.
            Kind::Name => {
                let at = chunks.partition_point(|(_, end)| *end < reason.end);
                chunks.get(at).filter(|(start, _)| *start <= reason.start).map_or(NAME, |(start, end)| match last {
                    Some((known, rule)) if known == at => rule,
                    _ => last.insert((at, looks_like(&folded.text[*start..*end]))).1,
                })
            }
            Kind::Pronoun => pronouns::rule(pronouns::person(&written.to_ascii_lowercase())),
            Kind::Chunk => looks_like(written),
            Kind::Whole | Kind::Sentence => LIKENESS,
        };
        Finding::of(rule, folded, reason.start, reason.end)
    });
    found.collect()
}

/// Returns the first rule whose pattern a chunk resembles.
fn looks_like(chunk: &str) -> &'static str {
    let looks = |rule: &&Rule| rule.looks.as_ref().is_some_and(|looks| looks.is_match(chunk.as_bytes()));
    rules().iter().find(looks).map_or(LIKENESS, |rule| rule.name.as_str())
}

/// The text as the rules read it, and the position of each finding in it. An unreadable letter becomes `□`.
#[must_use]
pub fn as_read(text: &str, findings: &[Finding]) -> (String, Vec<(&'static str, usize, usize)>) {
    let folded = folded(text);
    let as_shown = |c: char| if c == FOREIGN_LETTER { '□' } else { c };
    let shown = |upto: usize| folded.text[..upto].chars().map(|c| as_shown(c).len_utf8()).sum::<usize>();
    let spans = findings.iter().map(|finding| {
        let (from, to) = folded.folded_span(finding.start, finding.end);
        (finding.rule, shown(from), shown(to))
    });
    (folded.text.chars().map(as_shown).collect(), spans.collect())
}

/// Describes in one line, for people, what a rule catches.
#[must_use]
pub fn catches(name: &str) -> &'static str {
    rules().iter().find(|rule| rule.name == name).map_or("", |rule| &rule.catches)
}

/// The rules that fired, each once, in table order.
#[must_use]
pub fn rules_fired(findings: &[Finding]) -> Vec<String> {
    let fired = rules().iter().filter(|rule| findings.iter().any(|finding| finding.rule == rule.name));
    fired.map(|rule| rule.name.clone()).collect()
}

/// Secrets of known formats and numbers of cards and accounts, in order, not overlapping. For texts of any length; linear.
#[must_use]
pub fn secrets(text: &str) -> Vec<Finding> {
    let folded = folded(text);
    secrets::find_with_accounts(&folded).into_iter().map(|(start, end)| Finding::of(secrets::RULE, &folded, start, end)).collect()
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
        clean.push_str(&text[kept..secret.start.max(kept)]);
        clean.push_str(REDACTED);
        kept = secret.end;
    }
    clean.push_str(&text[kept..]);
    Cow::Owned(clean)
}

/// Reads the lists and compiles patterns in advance. Those of `secrets.toml` are compiled when a text has one of their words.
pub fn warm() {
    for text in rules().iter().flat_map(|rule| &rule.must) {
        drop((check(text), paths(text), check_note(text), redact_secrets(text)));
    }
}
