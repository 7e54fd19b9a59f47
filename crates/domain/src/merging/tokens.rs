//! Splits a statement into the words that the merge guard compares.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::speech;
use super::vocabulary::{digits, is_digits};
use super::word::{Kind, Word, bare, stem};
use crate::recall::words::{is_east_asian, pairs, stretches};

/// A statement in words, and the languages that it may be in.
pub struct StatementWords {
    pub words: Vec<Word>,
    pub languages: speech::Languages,
}

/// Splits a statement into its words, in order. Letters and digits in other Unicode styles are read as the usual ones.
#[must_use]
pub fn told(text: &str) -> StatementWords {
    let folded: String = text.nfkc().collect();
    let mut words = Vec::new();
    for chunk in quoted_and_bare(&folded) {
        match chunk {
            Chunk::Quoted(inner) => {
                words.push(Word::new(inner.trim().to_lowercase(), inner, Kind::Identifier));
            }
            Chunk::Bare(text) => {
                let mut follows = true;
                for run in text.split_whitespace() {
                    let from = words.len();
                    words.extend(symbols_apart(run).into_iter().flat_map(bare_words));
                    if let Some(word) = words.get_mut(from) {
                        word.follows = follows;
                    }
                    follows = run.ends_with(|c: char| is_of_word(c) || is_symbol(c));
                }
            }
        }
    }
    let languages = speech::judge(&mut words);
    StatementWords { words, languages }
}

/// Returns the words without the languages.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    told(text).words
}

/// Whether `text` contains every meaningful word of `term`, in any order.
#[must_use]
pub fn holds_term(text: &str, term: &str) -> bool {
    if let Some(share) = run_held(text, term) {
        return share >= 1.0;
    }
    let have = words(text);
    let want: Vec<_> = words(term).into_iter().filter(|w| w.kind != Kind::Stop).collect();
    !want.is_empty() && want.iter().all(|w| have.iter().any(|h| h.key == w.key))
}

/// The share of the content words of `term`, except those for the user, that `text` contains.
#[must_use]
pub fn share_held(text: &str, term: &str) -> f64 {
    if let Some(share) = run_held(text, term) {
        return share;
    }
    let have = words(text);
    let telling = |word: &Word| word.kind != Kind::Stop && !word.is_one_of(&["user", "pengguna"]);
    let want: Vec<_> = words(term).into_iter().filter(telling).collect();
    let shared = want.iter().filter(|want| have.iter().any(|have| have.key == want.key)).count();
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    if want.is_empty() { 0.0 } else { shared as f64 / want.len() as f64 }
}

/// The share of a term's pairs of neighbouring characters that `text` contains, for scripts without spaces. `None`: the term is
/// in another script.
pub fn run_held(text: &str, term: &str) -> Option<f64> {
    let runs = stretches(term, is_east_asian).filter(|(_, is_run)| *is_run);
    let want: Vec<&str> = runs.flat_map(|(run, _)| pairs(run)).collect();
    let letters = term.chars().filter(|c| c.is_alphanumeric());
    if want.is_empty() || letters.clone().filter(|c| is_east_asian(*c)).count() < letters.count() {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few characters")]
    Some(want.iter().filter(|pair| text.contains(**pair)).count() as f64 / want.len() as f64)
}

/// The longest ASCII string, in lower case, that every text containing `term` must contain. It is the part of a word that no
/// ending changes; numbers are left out, because they may be spelled out.
#[must_use]
pub fn trace(term: &str) -> String {
    let sure = |word: &Word| {
        // "city" and "cities" are the same word.
        let key = word.key.strip_suffix('y').unwrap_or(&word.key);
        key.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|part| part.len()).unwrap_or_default().to_owned()
    };
    let spelled = |word: &Word| is_digits(&word.key);
    let telling = words(term).into_iter().filter(|word| word.kind != Kind::Stop && !spelled(word));
    telling.map(|word| sure(&word)).max_by_key(String::len).unwrap_or_default()
}

enum Chunk<'a> {
    Quoted(&'a str),
    Bare(&'a str),
}

/// Splits at back-ticks and double quotes; an opening quote without a closing one is ordinary text.
fn quoted_and_bare(text: &str) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['`', '"', '“', '«']) {
        let open = rest[start..].chars().next().unwrap_or('"');
        let close = match open {
            '“' => '”',
            '«' => '»',
            same => same,
        };
        let inner = start + open.len_utf8();
        let Some(length) = rest[inner..].find(close) else { break };
        chunks.push(Chunk::Bare(&rest[..start]));
        chunks.push(Chunk::Quoted(&rest[inner..inner + length]));
        rest = &rest[inner + length + close.len_utf8()..];
    }
    chunks.push(Chunk::Bare(rest));
    chunks
}

/// Splits off emoji and other symbols as words, each with its marks.
fn symbols_apart(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut in_symbol, mut joins) = (0, false, false);
    for (at, c) in run.char_indices() {
        let belongs = in_symbol && (joins || is_mark(c));
        joins = c == JOINER;
        if belongs {
            continue;
        }
        if is_symbol(c) || in_symbol {
            parts.push(&run[from..at]);
            from = at;
        }
        in_symbol = is_symbol(c);
    }
    parts.push(&run[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Joins the parts of an emoji.
const JOINER: char = '\u{200d}';

fn is_symbol(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// A joiner, a variation selector, a skin tone, a tag or another mark on the character before it.
fn is_mark(c: char) -> bool {
    c == JOINER || is_combining_mark(c) || matches!(c, '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

/// A letter, a digit or a mark of any script.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '\u{200c}' || is_mark(c)
}

/// Splits one run without white space: a coded identifier stays whole, anything else is cut at punctuation.
fn bare_words(run: &str) -> Vec<Word> {
    if run.starts_with(is_symbol) {
        return vec![Word::new(run.chars().filter(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}')).collect(), run, Kind::Plain)];
    }
    let run =
        run.trim_matches(|c: char| !is_of_word(c) && !matches!(c, '/' | '~' | '$' | '%' | '-' | '_' | '#' | '+' | '°' | '€'));
    let run = run.trim_end_matches(['-', '/']);
    if run.is_empty() {
        return Vec::new();
    }
    if is_identifier(run) {
        return vec![Word::new(run.to_lowercase(), run, Kind::Identifier)];
    }
    if run.contains(|c: char| c.is_ascii_digit()) {
        return number_words(run);
    }
    run.split(|c: char| !(is_of_word(c) || matches!(c, '\'' | '’' | '%' | '$' | '€' | '£' | '#' | '+' | '°' | '_')))
        .flat_map(speech::elided)
        .filter(|written| !written.is_empty())
        .map(|written| {
            let bare = bare(written);
            match digits(&bare) {
                Some(digits) => Word::new(digits.to_owned(), written, Kind::Number),
                None => Word::new(stem(&bare), written, Kind::Plain),
            }
        })
        .collect()
}

/// `7300–7399` → 7300 and 7399; `02:00` → 02:00; `90s` → 90 and s; `v1.2` → 1.2.
fn number_words(run: &str) -> Vec<Word> {
    run.split(['–', '—', '-', '/', ',', '(', ')', ';', '~'])
        .flat_map(|part| {
            let split = part.char_indices().find(|(_, c)| c.is_ascii_digit()).map_or(0, |(n, _)| n);
            let (before, rest) = part.split_at(split);
            let end =
                rest.char_indices().find(|(_, c)| !(c.is_ascii_digit() || matches!(c, '.' | ':'))).map_or(rest.len(), |(n, _)| n);
            let (digits, after) = rest.split_at(end);
            [(before, Kind::Plain), (digits, Kind::Number), (after, Kind::Plain)]
        })
        .filter_map(|(part, kind)| {
            let part = part.trim_matches(['.', ':']);
            let key = if kind == Kind::Number { part.trim_start_matches('0') } else { part };
            let ordinal = matches!(key, "st" | "nd" | "rd" | "th" | "v" | "V");
            let key = if kind == Kind::Number && key.is_empty() && !part.is_empty() { "0" } else { key };
            let kind = if kind == Kind::Number { kind } else { Kind::Identifier };
            (!key.is_empty() && !ordinal).then(|| Word::new(key.to_lowercase(), part, kind))
        })
        .collect()
}

/// `snake_case`, `camelCase`, `a.b`, `/path`, `--flag`, `$VAR`; not a plain word, not a number.
fn is_identifier(run: &str) -> bool {
    let version = run.strip_prefix(['v', 'V']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let letters = run.chars().any(char::is_alphabetic) && !version;
    let inner_capital = run.chars().skip(1).any(char::is_uppercase)
        && run.chars().any(char::is_lowercase)
        && run.chars().next().is_some_and(char::is_lowercase);
    let dotted = run.trim_end_matches('.').split_once('.').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
        && !run.ends_with("e.g")
        && !run.ends_with("i.e");
    letters
        && (run.contains('_')
            || run.starts_with(['$', '#', '~'])
            || run.starts_with("--")
            || run.starts_with('/')
            || run.matches('/').count() > 1
            || inner_capital
            || dotted)
        && !run.chars().next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        words(text).into_iter().filter(|w| w.kind != Kind::Stop).map(|w| w.key).collect()
    }

    #[test]
    fn cuts_what_matters_apart() {
        assert_eq!(keys("Ports 7300–7399 at 02:00"), ["port", "7300", "7399", "2:00"]);
        assert_eq!(keys("`queued` and --resume in v1.20.3"), ["queued", "--resume", "1.20.3"]);
        assert_eq!(keys("restarts, restarted; restarting"), ["restart", "restart", "restart"]);
        assert_eq!(keys("waits 90s or three minutes"), ["wait", "90", "s", "3", "minut"]);
    }

    #[test]
    fn whatever_holds_a_term_holds_its_trace() {
        for (text, term) in [
            ("User works mostly on the iOS app", "the iOS app"),
            ("User has lived in many Cities", "city"),
            ("User visited one city", "cities"),
            ("User runs and is running late", "ran or runs"),
            ("User doesn’t eat meat", "doesn't eat"),
            ("User's café is in Orléans", "CAFÉ orléans"),
            ("User has two kids and 12 hens", "2 twelve"),
            ("User keeps `Snake_Case` names at 02:00", "snake_case 2:00"),
            ("User živi u Zagrebu", "živi"),
        ] {
            let trace = trace(term);
            assert!(!holds_term(text, term) || text.to_ascii_lowercase().contains(&trace), "{text} | {term} | {trace}");
        }
        assert_eq!((trace("the dashboard app").as_str(), trace("12").as_str(), trace("the").as_str()), ("dashboard", "", ""));
    }

    proptest::proptest! {
        #[test]
        fn a_trace_leaves_nothing_out(words in proptest::collection::vec("[a-zA-Zéß’'_.0-9-]{1,9}(ies|ing|ed|es|s|ly|y|e)?", 1..5)) {
            let (text, term) = (words.join(" "), words[0].as_str());
            if holds_term(&text, term) {
                proptest::prop_assert!(text.to_ascii_lowercase().contains(&trace(term)));
            }
        }
    }

    #[test]
    fn terms_are_found_by_their_words() {
        assert!(holds_term("User works mostly on the iOS app", "the iOS app"));
        assert!(!holds_term("User works on the dashboard", "the iOS app"));
        assert!(!holds_term("anything", "the"));
    }
}
