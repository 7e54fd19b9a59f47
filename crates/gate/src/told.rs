//! Secrets that are stated: values after a word for a secret.
//!
//! `password is hunter2`, `kata sandinya rahasia123`, `the passphrase is correct horse battery staple`.

use language::features::Text;
use language::lexicon::{self, Language, SecretWord};

use crate::checks;

/// Maximum number of tokens between the word and the value.
const REACH: usize = 10;
/// Number of bytes of a value that are read.
const READ_BYTES: usize = 256;
/// Marks between the word and the value that mean nothing.
const MARKS: &[&str] = &["\"", "'", "`", "(", ",", "-", "_", ">"];
/// Number of words in a passphrase.
const PHRASE: std::ops::RangeInclusive<usize> = 4..=30;

/// Returns the spans of stated secrets in folded text.
pub(crate) fn find(text: &Text<'_>, folded: &str) -> Vec<(usize, usize)> {
    let reader = Reader { text, folded };
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for at in 0..text.tokens.len() {
        let inside = spans.last().is_some_and(|(_, end)| text.tokens[at].start < *end);
        if let Some(word) = lexicon::secret_word(bare(text.lower(at))).filter(|_| !inside) {
            spans.extend(reader.value(at, word).or_else(|| reader.phrase(at)));
        }
    }
    spans
}

/// Whether the lexicon lists a word under this kind.
fn is(kind: &str, word: &str) -> bool {
    lexicon::group(kind, word).is_some()
}

/// Removes a possessive ending.
fn bare(word: &str) -> &str {
    ["nya", "ku", "mu"].iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() > 2)).unwrap_or(word)
}

struct Reader<'a> {
    text: &'a Text<'a>,
    folded: &'a str,
}

impl Reader<'_> {
    fn value(&self, word: usize, kind: SecretWord) -> Option<(usize, usize)> {
        let (mut at, mut linked) = (word + 1, false);
        while at < self.text.tokens.len() && at <= word + REACH && !self.begins_sentence(at) {
            let piece = self.text.lower(at);
            if is("link", piece) {
                linked = true;
            } else if !MARKS.contains(&piece) {
                let (start, end) = self.chunk(at);
                let written = &self.folded[start..end];
                let own = at > word + 1 || !self.text.is_glued(word);
                if own && self.is_value(at - word, written, end, linked, kind) {
                    return Some((start, self.space_after(end)));
                }
                if linked && written.bytes().all(|b| b.is_ascii_alphabetic() || b == b'\'' || b == b'-') {
                    return None;
                }
                while at + 1 < self.text.tokens.len() && self.text.tokens[at + 1].start < end {
                    at += 1;
                }
            }
            at += 1;
        }
        None
    }

    /// Whether a sentence ended before this token.
    fn begins_sentence(&self, at: usize) -> bool {
        let gap = &self.folded[self.text.tokens[at - 1].end..self.text.tokens[at].start];
        gap.contains('\n') || !gap.is_empty() && matches!(self.text.lower(at - 1), "." | "!" | "?" | ";")
    }

    /// Returns the bytes up to the next space or quotation mark, without the marks after them; at most `READ_BYTES`.
    fn chunk(&self, at: usize) -> (usize, usize) {
        let start = self.text.tokens[at].start;
        let rest = &self.folded[start..(start + READ_BYTES).min(self.folded.len())];
        let stops = |c: char| c.is_ascii_whitespace() || matches!(c, '"' | '`' | ',' | ';' | ')');
        let whole = &rest[..rest.find(stops).unwrap_or(rest.len())];
        let value = whole.trim_end_matches(['.', ']', '}', '!', '?', '\'', '>', ':']);
        (start, start + value.len().max(1))
    }

    /// Returns the end of a value that continues after the bytes that were read.
    fn space_after(&self, end: usize) -> usize {
        let goes_on = self.folded[end..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let length = self.folded[end..].find(|c: char| c.is_ascii_whitespace()).filter(|_| goes_on);
        if goes_on { length.map_or(self.folded.len(), |length| end + length) } else { end }
    }

    fn is_value(&self, distance: usize, written: &str, end: usize, linked: bool, kind: SecretWord) -> bool {
        const NEXT: usize = 1;
        const SHORTEST_WORD: usize = 5;
        let always = kind == SecretWord::Always;
        if written.bytes().all(|b| b.is_ascii_digit()) {
            return linked && always && (4..=8).contains(&written.len()) && !checks::counted(self.folded, end);
        }
        if checks::strong(written) {
            return linked || always;
        }
        if !always || !linked && distance > NEXT {
            return false;
        }
        let hyphens = written.matches('-').count() >= 2 && self.ends_clause(end);
        let word = written.len() >= SHORTEST_WORD && written.bytes().all(|b| b.is_ascii_alphabetic());
        let unknown = word && self.ends_clause(end) && checks::is_unknown(&written.to_ascii_lowercase());
        checks::strong_if_told(written) || linked && (hyphens || unknown)
    }

    fn ends_clause(&self, end: usize) -> bool {
        let rest = self.folded[end..].trim_start_matches(['"', '`', '\'']);
        rest.is_empty() || rest.starts_with(['.', ',', ';', '!', '\n', ')'])
    }

    /// Finds a passphrase: several words that form no sentence.
    fn phrase(&self, word: usize) -> Option<(usize, usize)> {
        let text = self.text;
        let reads = |at: usize| if at < text.tokens.len() { text.lower(at) } else { "" };
        let names_phrase = is("phrase", reads(word)) || reads(word + 1) == "phrase";
        let same = |at: &usize| *at < text.tokens.len() && !self.begins_sentence(*at);
        let link = (word + 1..word + REACH).take_while(same).find(|at| is("link", reads(*at))).filter(|_| names_phrase)?;
        let from = (link + 1..link + REACH).take_while(same).find(|at| text.tokens[*at].is_word())?;
        let words = (from..text.tokens.len()).take_while(|at| text.tokens[*at].is_word()).take(PHRASE.end() + 1);
        let words: Vec<usize> = words.collect();
        let plain =
            |at: &usize| text.lower(*at).len() > 2 && lexicon::language(std::iter::once(text.lower(*at))) == Language::Other;
        let end = text.tokens[*words.last()?].end;
        let found = PHRASE.contains(&words.len()) && words.iter().all(plain) && self.ends_clause(end);
        found.then(|| (text.tokens[from].start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use language::fold::Folded;

    fn found(text: &str) -> Vec<String> {
        let folded = Folded::new(text);
        find(&Text::new(&folded), &folded.text).into_iter().map(|(start, end)| folded.text[start..end].to_owned()).collect()
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
            ("The wifi password hunter2", "hunter2"),
            ("token:password: hunter2", "hunter2"),
            ("the password is correct-horse-battery-staple.", "correct-horse-battery-staple"),
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
            "The secret is end-to-end encrypted",
            "The seed job is running nightly database refresh scripts",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
