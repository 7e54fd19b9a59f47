//! Splits a message into the sentences that the user actually said.
//!
//! Code, logs, quoted lines and pasted passages are not the user's own statements. They are left out here, so that later rules
//! need not consider them.

use super::pattern::{Rule, Table, compile, pattern};
use std::sync::LazyLock;

/// One sentence without its final full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    pub text: String,
    pub question: bool,
    /// It ends with a colon: what follows belongs to it.
    pub opens: bool,
}

/// Lines that are not prose.
pub const NOT_PROSE: &[Rule] = &[
    Rule { name: "quoted_line", pattern: r"^\s*(?:>|\|)", catches: &["> I live in Paris"], spares: &["I like a > b"] },
    Rule {
        name: "log_line",
        pattern: r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[?(?-i:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\]?[ :\]]|\[(?-i:[A-Z]{3,})\] |error(?:\[E\d+\])?:|warning:|panicked at|thread '|caused by:|npm ERR!|fatal:|exception in|\w*(?:Error|Exception): |Traceback|(?-i:FAILED|PASSED) |\d{1,3}(?:\.\d{1,3}){3} - )",
        catches: &[
            "2026-01-02T10:00:00 INFO started",
            "ERROR: connection refused",
            "error[E0382]: borrow",
            "TypeError: x is undefined",
        ],
        spares: &["2026 was a good year", "errors are in the handbook", "Passed my driving test"],
    },
    Rule {
        name: "indented",
        pattern: r"^(?: {4,}|\t+)[^\s*•·–-]",
        catches: &["    I prefer the old parser, revert"],
        spares: &["  I prefer tabs", "    - I prefer tabs"],
    },
    Rule {
        name: "stack_frame",
        pattern: r#"^\s*(?:at \S+[(.:]|File "|\d+: 0x|#\d+\s+0x|\.\.\. \d+ more|-->)"#,
        catches: &["  at foo.bar(Baz.java:3)", "File \"a.py\", line 3"],
        spares: &["at home I use Linux"],
    },
    Rule {
        name: "shell",
        pattern: r"^\s*(?:\$ |# ?(?:apt|cd|ls|sudo)\b|PS [A-Z]:|(?:sudo|npm|npx|yarn|cargo|git|docker|kubectl|pip|brew|curl|export) [\w./'-]+ ?[\w./:=*-]*(?:$| --?\w)|(?-i:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\b)",
        catches: &["$ cargo run", "npm install left-pad", "SELECT * FROM users"],
        spares: &["Docker is what we use", "git has always confused me, so I avoid rebase"],
    },
    Rule {
        name: "code_line",
        pattern: r"^\s*(?:(?:pub |async |export |const |static |private |public )+\w|(?:let|var|const|fn|def|class|import|from|return|func|function|struct|enum|impl|type|interface)\s+[\w{*.]+\s*(?:[=({:;<]|import)|import [\w.{*]+$|[{}\[\]();]+\s*$|</?\w+[^>]*>\s*$|//|/\*|\*/|#include|@\w+\(|diff --git|@@ |[+-]{3} |[\w.]+\(.*\)\s*[;{]?\s*$|[\w.\[\]]+\s*(?:=|:=|\+=)\s*\S.*[;)\]}]?\s*$|if\s*\(.*\)\s*\{?$|.*[;{]\s*$)",
        catches: &["let x = 3;", "}", "def f(x):", "const name = \"I live in Paris\";", "I_am = \"x\""],
        spares: &["I live in Paris", "from Bandung", "class starts at 9 and I like it"],
    },
    Rule {
        name: "json",
        pattern: r#"^\s*[\[{]?\s*"[^"]+"\s*[:,\]]"#,
        catches: &["\"name\": \"Ana\","],
        spares: &["\"Cold shelf\" means old"],
    },
];

static SKIP: LazyLock<Table> = LazyLock::new(|| Table::new(NOT_PROSE));

pattern! {
    FENCE = r"(?s)```.*?(?:```|$)|~~~.*?(?:~~~|$)|<(?:code|pre|blockquote|quote|document|email|log|article|file)[^>]*>.*?(?:</(?:code|pre|blockquote|quote|document|email|log|article|file)>|$)";
    // 'A passage of more than one sentence. In single quotes.'
    PASSAGE = r"^\s*'(?-i:[A-Z])[^\n']{20,}[.!?]'(?:\s|$)|(?:[:?,.]|\b(?:says?|said|reads?|wrote))\s+'[A-Za-z][^\n]{12,}?[.!?]\s[^\n]*?[.!?,\w]'(?:[\s.,;?!]|$)";
    MAIL_QUOTE = r"^\s*(?:on .{3,80} wrote:|-+ ?(?:original|forwarded) message|begin forwarded message|from: .+@)";
    // After these, the rest of the message is material to work on.
    MATERIAL = r"(?:\b(?:translate|proofread|summari[sz]e|rewrite|rephrase|paraphrase|reword|polish|edit|review|check|fix|correct|improve|shorten|expand|analy[sz]e|classify|extract|parse|convert|reply to|respond to|answer this|what does (?:this|it) (?:say|mean)|what do you think (?:of|about) this|tl;?dr|grade|critique|terjemah(?:in|kan)|rangkum(?:in|kan)?|ringkas(?:in|kan)?|perbaiki|benerin|parafrase\w*|koreksi(?:in)? (?:ini|teks|kalimat|email|tulisan|surat|paragraf|grammar)|cek(?:in)? (?:ini|teks|kalimat|email|tulisan|grammar)|bales(?:in)?|balas(?:in)? (?:email|pesan|chat)|artikan?(?:in)?)\b[^:]{0,120}|\b(?:here(?:'s| is| are)|this is|below is|following is|got this|i (?:got|received|found)|ini|berikut)\b[^:]{0,60}\b(?:emails?|mails?|messages?|text|paragraph|essay|article|transcript|bio|letter|story|poem|quote|cv|resume|post|tweet|review|passage|draft|snippet|log|logs|output|error|stack ?trace|trace|code|config|function|query|diff|teks|pesan|surat|artikel|tulisan|paragraf|cerita|lognya|errornya|kodenya|isinya|kalimat\w*)\b[^:]{0,40}|\b(?:says?|said|wrote|writes|told (?:me|us)|texted(?: me)?|tweeted|bilang|katanya|nulis|kata [a-z]+)\b[^:.]{0,30}|\b(?:the )?(?:log|logs|output|error|stack ?trace|response|transcript|customer|user story|prompt|subject|body|quote|lyrics|lirik)(?: (?:says|is|shows|reads))?)\s*:\s*";
    // "A small fix in what you know: …" is a correction, and the text after it is the user's own.
    OF_MINE = r"^(?:(?:oh|hey|ok|so|and|also|sorry),? )*(?:(?:an?|one|my|another) )?(?:(?:small|quick|minor|little|tiny|important) )*(?:fix|correction|edit|update|change|note)(?: (?:in|to|on|for|about|of) [^:,.!]{2,40})?:|^(?:for the [\w ]{2,20},? )?(?:please |pls )?(?:correct|fix|update|change) (?:my|your (?:note|record|memory)|the (?:record|memory|note)|what you (?:know|have|noted)) ?(?:(?:first |last |sur|nick|middle )?name|age|birthday|address|job|title|role|employer|city|team|pronouns?|schedule|hours|about \w+|on \w+)?:|^(?:let me|let's|i (?:need|want|have) to|mau|(?:saya|aku) mau) (?:fix|correct|update|change|put right|koreksi|benerin|ralat) (?:something|one thing|a thing|that|this|sesuatu|satu hal)[^:,.!]{0,30}:|\b(?:shared|team|group|common|crew) log ?(?:book)?\s*:";
    ABBREVIATION = r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|prof|st|no|nr|approx|inc|ltd|co|jr|sr|dll|dsb|dkk|tgl|jl|jln|a\.k\.a|v|ver|fig|p\.s|u\.s|u\.k|a\.m|p\.m|(?-i:[A-Z]))$";
    EMOJI = r"[\p{Extended_Pictographic}\x{1F3FB}-\x{1F3FF}\x{FE0F}\x{200D}--#*0-9©®™]+|\s[:;]-?[)(DPp](?:\s|$)";
}

/// The user's own sentences, in order, and whether something in the message was left out.
pub fn split(message: &str) -> (Vec<Sentence>, bool) {
    let text = plain(message);
    let unfenced = FENCE.replace_all(&text, "\n\n");
    let unfenced = PASSAGE.replace_all(&unfenced, "\n\n");
    let mut aside = unfenced.len() != text.len();
    let mut sentences = Vec::new();
    for line in lines(&unfenced, &mut aside) {
        let (own, material) = match MATERIAL.find(&line).filter(|_| !OF_MINE.is_match(&line)) {
            Some(found) => (&line[..found.end()], true),
            None => (line.as_str(), false),
        };
        cut(own, &mut sentences);
        if material {
            aside = true;
            break;
        }
    }
    (sentences, aside)
}

/// Whether a sentence that ends with a colon introduces material to work on.
pub fn hands_over(opening: &str) -> bool {
    let opening = format!("{}:", opening.trim_end_matches(':'));
    MATERIAL.is_match(&opening) && !OF_MINE.is_match(&opening)
}

/// Straight quotes, plain spaces, no invisible characters.
fn plain(message: &str) -> String {
    message
        .chars()
        .filter(|c| !matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\r'))
        .map(|c| match c {
            '\u{2018}' | '\u{2019}' | '\u{02BC}' => '\'',
            '\u{201C}' | '\u{201D}' | '\u{201E}' => '"',
            '\u{00A0}' | '\u{202F}' | '\t' => ' ',
            other => other,
        })
        .collect()
}

/// Prose lines; soft-wrapped ones are joined, list markers are removed.
fn lines(text: &str, aside: &mut bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut wraps = false;
    for raw in text.lines() {
        if MAIL_QUOTE.is_match(raw) {
            *aside = true;
            break;
        }
        let line = raw.trim();
        if line.is_empty() {
            wraps = false;
            continue;
        }
        if SKIP.first(raw).is_some() {
            *aside = true;
            wraps = false;
            continue;
        }
        let (line, listed) = unlisted(line);
        let lower = line.starts_with(|c: char| c.is_lowercase());
        match lines.last_mut() {
            Some(last) if wraps && !listed && lower && last.len() > 50 => {
                last.push(' ');
                last.push_str(line);
            }
            _ => lines.push(line.to_owned()),
        }
        wraps = !line.ends_with(['.', '!', '?', ':', ';']);
    }
    lines
}

fn unlisted(line: &str) -> (&str, bool) {
    static MARK: LazyLock<regex::Regex> = LazyLock::new(|| compile(r"^(?:[-*•·–]\s+|\d{1,2}[.)]\s+|#{1,4}\s+)"));
    match MARK.find(line) {
        Some(mark) => (&line[mark.end()..], true),
        None => (line, false),
    }
}

/// Splits one line at sentence ends, but not inside quotes or after abbreviations.
fn cut(line: &str, into: &mut Vec<Sentence>) {
    let bytes = line.as_bytes();
    let (mut start, mut quoted, mut ticked) = (0, false, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted && line[at + 1..].contains('"'),
            '`' => ticked = !ticked && line[at + 1..].contains('`'),
            '.' | '!' | '?' | '…' | ';' | '。' if !quoted && !ticked => {
                let end = at + c.len_utf8();
                let next = bytes.get(end).copied();
                let last_mark = !matches!(next, Some(b'.' | b'!' | b'?' | b')' | b'"'));
                let breaks = next.is_none_or(|b| b == b' ');
                if last_mark && breaks && !(c == '.' && ABBREVIATION.is_match(&line[start..at])) {
                    push(&line[start..end], into);
                    start = end;
                }
            }
            _ => {}
        }
    }
    push(&line[start..], into);
}

fn push(raw: &str, into: &mut Vec<Sentence>) {
    let text = EMOJI.replace_all(raw.trim(), " ");
    let text = text.trim();
    let question = text.trim_end_matches(['!', '.', ')', '"', ' ']).ends_with('?');
    let opens = text.ends_with(':');
    let text =
        text.trim_end_matches(['.', '!', '?', '…', ';', ':', ' ', ',']).trim_start_matches(['…', '.', ',', ' ', '-', '–', '—']);
    if text.chars().any(char::is_alphanumeric) {
        into.push(Sentence { text: text.to_owned(), question, opens });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<String> {
        split(message).0.into_iter().map(|s| s.text).collect()
    }

    #[test]
    fn examples_of_the_table_hold() {
        super::super::pattern::check_examples(NOT_PROSE);
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
