//! The sentences of a message that are the user's own words. Code, logs, quoted lines and pasted passages are not.

use crate::forms::forms;

/// One sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Without its final mark.
    pub text: String,
    /// It ends with a question mark.
    pub question: bool,
    /// It ends with a colon: what follows belongs to it.
    pub opens: bool,
    /// It is an item of a list.
    pub listed: bool,
}

impl Sentence {
    /// As it was written, with the mark that a head reads.
    pub fn marked(&self) -> String {
        let mark = if self.question { "?" } else { "" };
        format!("{}{mark}", self.text)
    }
}

/// The user's own sentences, in order, and whether something was left out.
pub fn split(message: &str) -> (Vec<Sentence>, bool) {
    let text = plain(message);
    let own = forms().aside("passage").remove(&text);
    let mut aside = own.len() != text.len();
    let mut sentences = Vec::new();
    for (line, listed) in lines(&own, &mut aside) {
        let material = forms().aside("material").end(&line).filter(|_| !forms().aside("own_after_colon").is_match(&line));
        cut(material.map_or(line.as_str(), |end| &line[..end]), listed, &mut sentences);
        if material.is_some() {
            aside = true;
            break;
        }
    }
    (sentences, aside)
}

/// Straight quotes, plain spaces, no invisible characters.
fn plain(message: &str) -> String {
    let visible =
        |c: &char| !matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\r');
    let plain = |c| match c {
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201E}' => '"',
        '\u{00A0}' | '\u{202F}' | '\t' => ' ',
        other => other,
    };
    message.chars().filter(visible).map(plain).collect()
}

/// Lines of prose, without list marks, and whether they had one. A line that goes on in the next one is joined with it.
fn lines(text: &str, aside: &mut bool) -> Vec<(String, bool)> {
    const WRAPPED_FROM: usize = 50;
    let mut lines: Vec<(String, bool)> = Vec::new();
    let mut wraps = false;
    for raw in text.lines() {
        if forms().aside("mail").is_match(raw) {
            *aside = true;
            break;
        }
        if raw.trim().is_empty() || forms().aside("no_prose").is_match(raw) {
            *aside |= !raw.trim().is_empty();
            wraps = false;
            continue;
        }
        let line = forms().aside("list_mark").remove(raw.trim()).into_owned();
        let listed = line.len() < raw.trim().len();
        let continues = wraps && !listed && line.starts_with(char::is_lowercase);
        match lines.last_mut().filter(|(last, _)| continues && last.len() > WRAPPED_FROM) {
            Some((last, _)) => *last = format!("{last} {line}"),
            None => lines.push((line, listed)),
        }
        wraps = !raw.trim_end().ends_with(['.', '!', '?', ':', ';']);
    }
    lines
}

/// Splits one line at sentence ends, but not inside quotes or after abbreviations.
fn cut(line: &str, listed: bool, into: &mut Vec<Sentence>) {
    let bytes = line.as_bytes();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' | '`' => quoted = !quoted && line[at + 1..].contains(c),
            '.' | '!' | '?' | '…' | ';' | '。' if !quoted => {
                let end = at + c.len_utf8();
                let next = bytes.get(end).copied();
                let abbreviates = c == '.' && forms().aside("abbreviation").is_match(&line[start..at]);
                if next.is_none_or(|b| b == b' ') && !abbreviates {
                    push(&line[start..end], listed, into);
                    start = end;
                }
            }
            _ => {}
        }
    }
    push(&line[start..], listed, into);
}

fn push(raw: &str, listed: bool, into: &mut Vec<Sentence>) {
    let text = forms().aside("emoji").replace(raw.trim(), " ");
    let text = text.trim();
    let question = text.trim_end_matches(['!', '.', ')', '"', ' ']).ends_with('?');
    let opens = text.ends_with(':');
    let text = text.trim_end_matches(['.', '!', '?', '…', ';', ':', ' ', ',']);
    let text = text.trim_start_matches(['…', '.', ',', ' ', '-', '–', '—']);
    if text.chars().any(char::is_alphanumeric) {
        into.push(Sentence { text: text.to_owned(), question, opens, listed });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<String> {
        split(message).0.into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(texts("I use Node.js 20.1, e.g. for bots. ok? Yes!"), ["I use Node.js 20.1, e.g. for bots", "ok", "Yes"]);
        assert_eq!(
            texts("See https://a.example/x.html. I live in St. Ives."),
            ["See https://a.example/x.html", "I live in St. Ives"]
        );
        assert_eq!(texts("two\n\n- one thing\n- another"), ["two", "one thing", "another"]);
    }

    #[test]
    fn what_is_not_said_by_the_user_is_left_out() {
        assert_eq!(texts("look:\n```\n// I live in Paris\n```\nthanks"), ["look", "thanks"]);
        assert_eq!(texts("> I prefer tea\nnope"), ["nope"]);
        assert_eq!(texts("Translate this to French: I live in Paris. I love wine."), ["Translate this to French"]);
        assert_eq!(texts("Ringkasin email ini:\nSaya tinggal di Bali."), ["Ringkasin email ini"]);
    }
}
