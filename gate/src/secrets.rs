//! Secrets: keys of services by their form (`secrets.toml`, from gitleaks), forms of our own (`rules.toml`), and values that stand
//! after a word for a secret.
//!
//! Nothing is ever sent to a provider to test a key. Unknown forms pass unless a word for a secret is near them; that is why every
//! text about this says "of known formats".

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use language::features::Text;
use language::fold::Folded;
use language::lexicon::{self, SecretWord};
use regex::bytes::Regex;
use serde::Deserialize;

use crate::checks;
use crate::rules::{compiled, rules};

type Spans = Vec<(usize, usize)>;

/// The name of the rule in `rules.toml`.
pub(crate) const RULE: &str = "secret";

/// The form of one service's keys.
#[derive(Deserialize)]
struct Key {
    /// One of them stands in every key.
    words: Vec<String>,
    find: String,
    /// The least entropy of the key, in bits a byte.
    entropy: Option<f64>,
    /// The group that holds the key.
    group: Option<usize>,
    #[serde(skip)]
    compiled: OnceLock<Regex>,
}

struct Keys {
    forms: Vec<Key>,
    /// All words, and the key that each belongs to.
    words: AhoCorasick,
    owners: Vec<usize>,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Table {
        key: Vec<Key>,
    }
    let table: Table = toml::from_str(include_str!("../secrets.toml")).unwrap_or_else(|error| panic!("{error}"));
    let words: Vec<(&str, usize)> =
        table.key.iter().enumerate().flat_map(|(at, key)| key.words.iter().map(move |word| (word.as_str(), at))).collect();
    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words.iter().map(|(word, _)| word));
    let owners = words.iter().map(|(_, at)| *at).collect();
    Keys { words: automaton.expect("few and short words"), owners, forms: table.key }
});

/// Every secret of folded text, in order, not overlapping.
pub(crate) fn find(folded: &Folded) -> Spans {
    let mut spans = keys(&folded.text);
    let own = rules().iter().filter(|rule| rule.name == RULE).flat_map(|rule| &rule.formats);
    spans.extend(own.flat_map(|format| format.find(&folded.text)));
    let cards = rules().iter().filter(|rule| rule.name == "payment_account").flat_map(|rule| &rule.formats);
    spans.extend(cards.flat_map(|format| format.find(&folded.text)));
    spans.extend(told(&Text::new(folded), &folded.text));
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let overlap = next.0 < last.1;
        last.1 = if overlap { last.1.max(next.1) } else { last.1 };
        overlap
    });
    spans
}

/// Keys of services. A form is only looked for if one of its words stands in the text.
fn keys(text: &str) -> Spans {
    let found: BTreeSet<usize> = KEYS.words.find_overlapping_iter(text).map(|word| KEYS.owners[word.pattern()]).collect();
    found.into_iter().flat_map(|at| KEYS.forms[at].find(text)).collect()
}

impl Key {
    fn find(&self, text: &str) -> Spans {
        let find = self.compiled.get_or_init(|| compiled(&self.find).expect("the tests compile every form"));
        let groups = find.captures_iter(text.as_bytes()).filter_map(|found| {
            let group = self.group.or_else(|| (1..found.len()).find(|group| found.get(*group).is_some())).unwrap_or(0);
            found.get(group).map(|m| (m.start(), m.end()))
        });
        groups.filter(|(start, end)| self.entropy.is_none_or(|least| entropy(&text.as_bytes()[*start..*end]) >= least)).collect()
    }
}

/// Shannon's entropy, in bits a byte.
#[expect(clippy::cast_precision_loss, reason = "keys are short")]
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / bytes.len() as f64);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

/// How many tokens may stand between a word for a secret and the value.
const REACH: usize = 10;
/// Words between the two that announce the value.
const LINKS: &[&str] =
    &["is", "are", "was", "=", ":", "adalah", "ist", "est", "es", "to", "reads", "equals", "yaitu", "itu", "set"];
/// How many words a phrase that is a secret has.
const PHRASE: std::ops::RangeInclusive<usize> = 4..=30;

/// Values that stand after a word for a secret: `password is hunter2`, `kata sandinya rahasia123`.
fn told(text: &Text<'_>, folded: &str) -> Spans {
    let words = (0..text.tokens.len()).filter_map(|at| Some((at, lexicon::secret_word(bare(text.lower(at)))?)));
    let found = words.filter_map(|(at, word)| value(text, folded, at, word).or_else(|| phrase(text, at)));
    found.collect()
}

/// Without the ending that says whose it is.
fn bare(word: &str) -> &str {
    ["nya", "ku", "mu"].iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() > 2)).unwrap_or(word)
}

fn value(text: &Text<'_>, folded: &str, word: usize, kind: SecretWord) -> Option<(usize, usize)> {
    let mut at = word + 1;
    let mut linked = false;
    while at < text.tokens.len() && at <= word + REACH {
        let piece = text.lower(at);
        if matches!(piece, "." | "!" | "?" | ";") && !text.is_glued(at)
            || folded[text.tokens[at - 1].end..text.tokens[at].start].contains('\n')
        {
            return None;
        }
        if LINKS.contains(&piece) {
            linked = true;
        } else if !text.tokens[at].is_mark() || !matches!(piece, "\"" | "'" | "`" | "(" | "," | "-" | "_" | ">") {
            let (start, end) = chunk(text, folded, at);
            let written = &folded[start..end];
            let glued_word = at == word + 1 && text.is_glued(word);
            if !glued_word && is_value(text, written, at, end, linked, kind, folded) {
                return Some((start, end));
            }
            let ordinary = written.bytes().all(|b| b.is_ascii_alphabetic() || b == b'\'' || b == b'-');
            if linked && ordinary {
                return None;
            }
            while at + 1 < text.tokens.len() && text.is_glued(at) && text.tokens[at + 1].start < end {
                at += 1;
            }
        }
        at += 1;
    }
    None
}

/// The bytes up to the next space, without the marks after them.
fn chunk(text: &Text<'_>, folded: &str, at: usize) -> (usize, usize) {
    let start = text.tokens[at].start;
    let rest = &folded[start..];
    let whole =
        &rest[..rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '`' | ',' | ';' | ')')).unwrap_or(rest.len())];
    let value = whole.trim_end_matches(['.', ',', ';', ')', ']', '}', '!', '?', '"', '\'', '`', '>', ':']);
    (start, start + value.len().max(1))
}

fn is_value(text: &Text<'_>, written: &str, at: usize, end: usize, linked: bool, kind: SecretWord, folded: &str) -> bool {
    const SHORTEST_WORD: usize = 5;
    let digits = written.bytes().all(|b| b.is_ascii_digit());
    let doubtful = kind == SecretWord::Doubtful;
    if digits {
        return linked && (4..=8).contains(&written.len()) && !doubtful && !checks::counted(folded, end);
    }
    if checks::strong(written) || (linked || at <= 2) && !doubtful && checks::strong_if_told(written) {
        return linked || !doubtful;
    }
    let last = text
        .tokens
        .get(at + 1)
        .is_none_or(|next| next.start > end || folded[end..].starts_with(['.', ',', ';', '!', '"', '`', ')']));
    let quoted = folded[..text.tokens[at].start].ends_with(['"', '`', '\'']);
    linked
        && !doubtful
        && last
        && written.len() >= SHORTEST_WORD
        && written.bytes().all(|b| b.is_ascii_alphabetic())
        && (quoted || checks::is_unknown(&written.to_ascii_lowercase()) && ends_clause(folded, end))
}

fn ends_clause(folded: &str, end: usize) -> bool {
    let rest = folded[end..].trim_start_matches(['"', '`', '\'']);
    rest.is_empty() || rest.starts_with(['.', ',', ';', '!', '\n', ')'])
}

/// `the passphrase is correct horse battery staple`: only words, to the end of the sentence.
fn phrase(text: &Text<'_>, word: usize) -> Option<(usize, usize)> {
    let names_phrase = ["passphrase", "phrase", "frasa", "seed", "mnemonic"].contains(&text.lower(word))
        || text.tokens.get(word + 1).is_some() && text.lower(word + 1) == "phrase";
    let link = (word + 1..text.tokens.len().min(word + REACH)).find(|at| LINKS.contains(&text.lower(*at)))?;
    let from = (link + 1..text.tokens.len()).find(|at| text.tokens[*at].is_word())?;
    let words = (from..text.tokens.len()).take_while(|at| text.tokens[*at].is_word()).take(PHRASE.end() + 1).collect::<Vec<_>>();
    let plain = |at: &usize| {
        let word = text.lower(*at);
        word.len() > 2 && lexicon::language(std::iter::once(word)) == lexicon::Language::Other
    };
    let last = *words.last()?;
    (names_phrase && PHRASE.contains(&words.len()) && words.iter().all(plain))
        .then(|| (text.tokens[from].start, text.tokens[last].end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_compiles() {
        for key in &KEYS.forms {
            assert!(compiled(&key.find).is_ok(), "{}", key.find);
        }
    }

    fn found(text: &str) -> Vec<String> {
        let folded = Folded::new(text);
        find(&folded).into_iter().map(|(start, end)| folded.text[start..end].to_owned()).collect()
    }

    #[test]
    fn a_value_after_a_word_for_a_secret_is_found() {
        for (text, secret) in [
            ("password is hunter2, ok?", "hunter2"),
            ("kata sandinya rahasia123", "rahasia123"),
            ("api_key=sdf87sdf6g", "sdf87sdf6g"),
            ("password wifi kantornya Melati#2291kebun", "Melati#2291kebun"),
            ("The TOTP seed JBSWY3DPEHPK3PXP is new", "JBSWY3DPEHPK3PXP"),
            ("The pass phrase is correct horse battery staple.", "correct horse battery staple"),
            ("PIN saya adalah 4471", "4471"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "The password is rotated every 90 days",
            "Tokens expire after 15 minutes",
            "The api_key setting is read from the environment",
            "The token is stored in Redis 7",
            "Passwords are hashed with argon2id",
            "The key is us-east-1",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn entropy_is_in_bits_a_byte() {
        assert!(entropy(b"aaaa").abs() < 1e-9 && (entropy(b"abcd") - 2.0).abs() < 1e-9);
    }
}
