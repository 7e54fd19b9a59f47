//! The sentences of a message that are the user's own words. Code, logs, quoted lines and pasted passages are not.

use crate::forms::forms;

/// One sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Without its final mark.
    pub text: String,
    /// Whether it ends with a question mark.
    pub question: bool,
    /// Whether it ends with a colon: the following text belongs to it.
    pub opens: bool,
    /// Whether it is an item of a list.
    pub listed: bool,
}

/// A line of prose.
struct Line {
    text: String,
    listed: bool,
    /// Number shared by the lines without an empty one between them.
    paragraph: usize,
}

impl Sentence {
    /// A statement by itself.
    pub fn of(text: &str) -> Self {
        Self { text: text.to_owned(), question: false, opens: false, listed: false }
    }

    /// The sentence and the items of the list that it opens, as one: "My medicines: metformin, losartan".
    pub fn with(&self, items: &[Self]) -> Self {
        let items: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        Self::of(&format!("{}: {}", self.text, items.join(", ")))
    }

    /// Returns it as it was written, with the mark that a head reads.
    pub fn marked(&self) -> String {
        let mark = if self.question { "?" } else { "" };
        format!("{}{mark}", self.text)
    }
}

/// The user's own sentences, in order, and whether something was left out.
pub fn split(message: &str) -> (Vec<Sentence>, bool) {
    let text = plain(message);
    let own = without_dialogue(&forms().aside("passage").remove(&text));
    let mut aside = own.len() != text.len();
    let mut sentences = Vec::new();
    // Machine output lasts up to the next empty line; other quoted text may go on after one.
    let (mut machine, mut paragraph) = (false, 0);
    for line in lines(&own, &mut aside) {
        machine &= line.paragraph == paragraph;
        paragraph = line.paragraph;
        if machine {
            continue;
        }
        let material =
            forms().aside("material").end(&line.text).filter(|_| !forms().aside("own_after_colon").is_match(&line.text));
        let Some(end) = material else {
            cut(&line.text, line.listed, &mut sentences);
            continue;
        };
        aside = true;
        cut(&line.text[..end], line.listed, &mut sentences);
        if let Some(after) = after_quote(&line.text[end..]) {
            cut(after, line.listed, &mut sentences);
        } else if forms().aside("machine").is_match(&line.text[..end]) {
            machine = true;
        } else {
            break;
        }
    }
    (sentences, aside)
}

/// Returns the text after a quotation that begins here; `None`: none begins here.
fn after_quote(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let end = |from: usize| {
        let ends = |(at, _): &(usize, &str)| text[at + 1..].chars().next().is_none_or(|next| !next.is_alphanumeric());
        text[from..].match_indices(quote).map(|(at, found)| (at + from, found)).find(ends)
    };
    end(1).map(|(at, _)| &text[at + 1..])
}

/// Removes a pasted or made-up dialogue: from its first speaker on, up to an empty line. One label alone is a heading, unless it
/// comes again.
fn without_dialogue(text: &str) -> String {
    let labels = forms().aside("speaker").groups(text, "label");
    let name = |at: usize| &text[labels[at].0..labels[at].1];
    let again = |at: usize| (0..at).any(|before| name(before) == name(at));
    let roles = (0..labels.len()).filter(|at| forms().aside("role").is_match(name(*at))).count();
    if roles < 2 && !(0..labels.len()).any(again) {
        return text.to_owned();
    }
    let speaks = |at: &usize| {
        forms().aside("role").is_match(name(*at)) || (0..labels.len()).any(|other| other != *at && name(other) == name(*at))
    };
    let Some(first) = (0..labels.len()).find(speaks) else { return text.to_owned() };
    let start = labels[first].0;
    let last = labels.last().map_or(start, |label| label.1);
    let end = text[last..].find("\n\n").map_or(text.len(), |at| last + at);
    format!("{}\n{}", &text[..start], &text[end..])
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

/// Lines of prose, without list marks. A line that goes on in the next one is joined with it.
fn lines(text: &str, aside: &mut bool) -> Vec<Line> {
    const WRAPPED_FROM: usize = 50;
    let mut lines: Vec<Line> = Vec::new();
    let (mut wraps, mut paragraph) = (false, 0);
    for raw in text.lines() {
        if forms().aside("mail").is_match(raw) {
            *aside = true;
            break;
        }
        if raw.trim().is_empty() || forms().aside("no_prose").is_match(raw) {
            *aside |= !raw.trim().is_empty();
            paragraph += usize::from(raw.trim().is_empty());
            wraps = false;
            continue;
        }
        let line = forms().aside("list_mark").remove(raw.trim()).into_owned();
        let listed = line.len() < raw.trim().len();
        let continues = wraps && !listed && line.starts_with(char::is_lowercase);
        match lines.last_mut().filter(|last| continues && last.text.len() > WRAPPED_FROM) {
            Some(last) => last.text = format!("{} {line}", last.text),
            None => lines.push(Line { text: line, listed, paragraph }),
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
            '.' | '!' | '?' | '…' | ';' if !quoted => {
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
    let text = raw.trim();
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
