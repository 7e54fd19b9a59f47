//! Decodes text that was disguised to get past a filter: entities, percent escapes, base64, spaced letters, leetspeak, telephone
//! alphabets, reversal.
//!
//! This file only decodes. The ordinary rules judge the result, one level deep; nothing is decoded twice.

use super::gazetteer::{self, NameClass};
use super::people;
use super::reading::{Reading, Shape};

/// A piece of the text and its decoded form.
pub(super) struct Undressed {
    pub start: usize,
    pub end: usize,
    pub says: String,
}

/// Shorter runs decode to something readable by chance.
const MIN_ENCODED: usize = 12;
const MIN_SPACED_LETTERS: usize = 4;

/// Every piece that decodes to something else.
pub(super) fn undress(reading: &Reading) -> Vec<Undressed> {
    let text = reading.text();
    let mut pieces = Vec::new();
    let unescaped = unescape(text);
    if unescaped != text {
        pieces.push(Undressed { start: 0, end: text.len(), says: unescaped });
    }
    for found in pattern!(r"[A-Za-z0-9+/_-]{12,}={0,2}").find_iter(text.as_bytes()) {
        let token = &text[found.start()..found.end()];
        for says in [decode_base64(token), decode_hex(token)].into_iter().flatten() {
            pieces.push(Undressed { start: found.start(), end: found.end(), says });
        }
    }
    for found in pattern!(r"\b(?:[0-9A-Fa-f]{2}[ :,-]){5,}[0-9A-Fa-f]{2}\b").find_iter(text.as_bytes()) {
        let token: String = text[found.start()..found.end()].chars().filter(char::is_ascii_hexdigit).collect();
        pieces.extend(decode_hex(&token).map(|says| Undressed { start: found.start(), end: found.end(), says }));
    }
    let turned = pattern!(r"(?i)\b(?:backwards?|dibalik|terbalik|ruckwarts|right to left|dari kanan ke kiri)\b");
    if turned.is_match(text.as_bytes()) {
        pieces.push(Undressed { start: 0, end: text.len(), says: text.chars().rev().collect() });
    }
    // Payments are reversed and sites are mirrored, too: there, only words that are not ordinary are read backwards.
    if pattern!(r"(?i)\b(?:reversed?|mirrored)\b").is_match(text.as_bytes()) {
        let odd = reading.words.iter().filter(|word| {
            let lower = &reading.lower()[word.start..word.end];
            !gazetteer::is_ordinary(lower) && lower.len() > 3
        });
        pieces.extend(odd.map(|word| {
            let turned = text[word.start..word.end].to_lowercase().chars().rev().collect::<String>();
            let mut letters = turned.chars();
            let says = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
            Undressed { start: word.start, end: word.end, says }
        }));
    }
    if let Some(at) = reading
        .lower()
        .rfind('@')
        .filter(|_| pattern!(r"\b(?:moc|gro|ten|oi|di|ved|elpmaxe)\.[a-z0-9-]+@[a-z]").is_match(reading.lower().as_bytes()))
    {
        pieces.push(Undressed { start: at, end: at + 1, says: text.chars().rev().collect() });
    }
    if pattern!(r"(?i)\brot-?13\b").is_match(text.as_bytes()) {
        pieces.push(Undressed { start: 0, end: text.len(), says: text.chars().map(rot13).collect() });
    }
    if let Some(says) = spoken_signs(text) {
        pieces.push(Undressed { start: 0, end: text.len(), says });
    }
    pieces.extend(spaced_runs(text));
    pieces.extend(telephone_alphabet(reading));
    pieces
}

/// `github dot com slash x`: punctuation written as words.
fn spoken_signs(text: &str) -> Option<String> {
    let sign = pattern!(r"(?i)\s*\b(slash|garis miring|underscore|garis bawah|schragstrich|unterstrich|backslash)\b\s*");
    if !sign.is_match(text.as_bytes()) {
        return None;
    }
    let signs =
        sign.replace_all(text.as_bytes(), |found: &regex::bytes::Captures<'_>| match found[1].to_ascii_lowercase().as_slice() {
            b"slash" | b"garis miring" | b"schragstrich" => b"/".to_vec(),
            b"backslash" => b"\\".to_vec(),
            _ => b"_".to_vec(),
        });
    let dots = pattern!(r"(?i)\s+(?:dot|titik|punkt)\s+").replace_all(&signs, &b"."[..]);
    String::from_utf8(dots.into_owned()).ok()
}

fn rot13(c: char) -> char {
    let turn = |base: u8| char::from(base + (c as u8 - base + 13) % 26);
    match c {
        'a'..='z' => turn(b'a'),
        'A'..='Z' => turn(b'A'),
        other => other,
    }
}

/// HTML entities, percent escapes and `\u0040`.
fn unescape(text: &str) -> String {
    let escape = pattern!(
        r"&#x([0-9a-fA-F]{2,4});?|&#(\d{2,4});?|%([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4})\}?|\\x([0-9a-fA-F]{2})|&(commat|period|amp|lowbar|num);|U\+(00[0-9a-fA-F]{2})"
    );
    let replaced = escape.replace_all(text.as_bytes(), |found: &regex::bytes::Captures<'_>| {
        let number = |group: usize, radix: u32| {
            found
                .get(group)
                .and_then(|m| std::str::from_utf8(m.as_bytes()).ok())
                .and_then(|digits| u32::from_str_radix(digits, radix).ok())
        };
        let named = found.get(6).map(|m| match m.as_bytes() {
            b"commat" => u32::from('@'),
            b"period" => u32::from('.'),
            b"lowbar" => u32::from('_'),
            b"num" => u32::from('#'),
            _ => u32::from('&'),
        });
        let code = number(1, 16)
            .or_else(|| number(2, 10))
            .or_else(|| number(3, 16))
            .or_else(|| number(4, 16))
            .or_else(|| number(5, 16))
            .or(named)
            .or_else(|| number(7, 16));
        match code.and_then(char::from_u32) {
            Some(c) if c.is_ascii() && !c.is_ascii_control() => c.to_string().into_bytes(),
            _ => found.get(0).map_or_else(Vec::new, |m| m.as_bytes().to_vec()),
        }
    });
    String::from_utf8_lossy(&replaced).into_owned()
}

fn decode_base64(token: &str) -> Option<String> {
    let bare = token.trim_end_matches('=');
    if bare.len() < MIN_ENCODED || bare.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_' | b'/')) {
        return None;
    }
    let (mut bits, mut held, mut bytes) = (0_u32, 0_u32, Vec::with_capacity(bare.len()));
    for b in bare.bytes() {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        bits = (bits << 6 | u32::from(value)) & 0xff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
        }
    }
    readable(bytes)
}

fn decode_hex(token: &str) -> Option<String> {
    if token.len() < MIN_ENCODED || !token.len().is_multiple_of(2) || !token.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    readable((0..token.len()).step_by(2).filter_map(|at| u8::from_str_radix(&token[at..at + 2], 16).ok()).collect())
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let login = bytes.iter().position(|b| *b == b':').is_some_and(|colon| {
        colon > 1 && bytes.len() > colon + 4 && !bytes.contains(&b' ') && bytes[colon..].iter().any(u8::is_ascii_digit)
    });
    let printable = bytes.iter().all(|b| (b' '..=b'~').contains(b) || matches!(b, b'\n' | b'\t'));
    if printable && bytes.len() >= 6 {
        let says = String::from_utf8(bytes).ok()?;
        Some(if login { format!("password: {}", says.rsplit(':').next().unwrap_or("")) } else { says })
    } else {
        None
    }
}

/// `d a n a`, `d.a.n.a`, `b-u-d-i`, joined; runs in alphabetical order are lists of options.
fn spaced_runs(text: &str) -> Vec<Undressed> {
    let run = pattern!(r"(?:^|[^A-Za-z0-9])((?:[A-Za-z0-9@](?: ?[.,_*|/+~:=-] ?| {1,3})){3,}[A-Za-z0-9])(?:$|[^A-Za-z0-9])");
    let mut pieces = Vec::new();
    let mut from = 0;
    while let Some(found) = run.captures_at(text.as_bytes(), from) {
        let Some(span) = found.get(1) else { break };
        from = span.end();
        let written = &text[span.start()..span.end()];
        let joined: String = written.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '@').collect();
        let kept: String = written.chars().filter(|c| *c != ' ').collect();
        let lower = joined.to_ascii_lowercase();
        let alphabet = lower.as_bytes().windows(2).all(|pair| pair[1] > pair[0]);
        if lower.bytes().filter(u8::is_ascii_alphabetic).count() >= MIN_SPACED_LETTERS && !alphabet {
            let around = surroundings(text, span.start(), span.end());
            let reads = format!("{} {kept} {}", around.0, around.1);
            pieces.push(Undressed { start: span.start(), end: span.end(), says: format!("{} {lower} {}", around.0, around.1) });
            pieces.push(Undressed { start: span.start(), end: span.end(), says: reads });
        }
    }
    pieces
}

/// A few words on either side: a joined run needs its context, and the work must not be quadratic in the length of the text.
fn surroundings(text: &str, start: usize, end: usize) -> (&str, &str) {
    const REACH: usize = 32;
    (&text[start.saturating_sub(REACH)..start], &text[end..(end + REACH).min(text.len())])
}

/// `delta alpha november alpha`.
fn telephone_alphabet(reading: &Reading) -> Vec<Undressed> {
    const ALPHABET: [&str; 27] = [
        "alpha", "alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima",
        "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey", "xray",
        "yankee", "zulu",
    ];
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < reading.words.len() {
        let mut letters = String::new();
        let mut end = at;
        while end < reading.words.len() && ALPHABET.contains(&reading.word(end)) {
            letters.push_str(&reading.word(end)[..1]);
            end += 1;
        }
        if letters.len() >= MIN_SPACED_LETTERS {
            pieces.push(Undressed { start: reading.words[at].start, end: reading.words[end - 1].end, says: letters });
        }
        at = end.max(at + 1);
    }
    pieces
}

/// Runs of single letters that spell a name or no word at all, and leetspeak words that spell a name.
pub(super) fn disguised_names(reading: &Reading) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    for piece in spaced_runs(reading.text()) {
        let written = &reading.lower()[piece.start..piece.end];
        let join = |part: &str| part.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let groups = written.contains(|c: char| !c.is_ascii_alphanumeric() && c != ' ');
        if spells_name(&join(written))
            || groups
                && written.split(' ').any(|group| {
                    spells_name(&join(group))
                        || group.len() > MIN_SPACED_LETTERS && gazetteer::name(&join(group)) == Some(NameClass::Surname)
                })
            || written.split("  ").any(|group| spells_name(&join(group)))
            || written
                .split("  ")
                .any(|group| group.contains(' ') && gazetteer::name(&join(group)).is_some_and(|_| join(group).len() > 3))
            || reading.text()[piece.start..].starts_with(|c: char| c.is_ascii_uppercase())
                && gazetteer::name(&join(written)).is_some()
        {
            spans.push((piece.start, piece.end));
        }
    }
    for piece in telephone_alphabet(reading) {
        if spells_name(&piece.says) {
            spans.push((piece.start, piece.end));
        }
    }
    for found in pattern!(r"[A-Za-z0-9@$!|*]{4,24}").find_iter(reading.text().as_bytes()) {
        let token = &reading.text()[found.start()..found.end()];
        if let Some(plain) = unleet(token)
            && spells_name(&plain)
        {
            spans.push((found.start(), found.end()));
        }
    }
    for (at, word) in reading.words.iter().enumerate() {
        let lower = reading.word(at);
        if word.shape == Shape::Camel
            && !reading.as_written(at).starts_with(|c: char| c.is_ascii_uppercase())
            && matches!(gazetteer::name(lower), Some(NameClass::Common))
        {
            spans.push((word.start, word.end));
        }
    }
    spans
}

fn spells_name(word: &str) -> bool {
    word.len() >= MIN_SPACED_LETTERS
        && (matches!(gazetteer::name(word), Some(NameClass::Common | NameClass::Given)) && !gazetteer::is_english(word)
            || people::run_together(word))
}

/// `d4n4` → `dana`. A digit at the end is a number, at the start a quantity.
fn unleet(token: &str) -> Option<String> {
    let bytes = token.as_bytes();
    let letter = |b: u8| -> Option<u8> {
        Some(match b {
            b'0' => b'o',
            b'1' | b'!' | b'|' => b'i',
            b'3' => b'e',
            b'4' | b'@' => b'a',
            b'5' | b'$' => b's',
            b'7' => b't',
            b if b.is_ascii_alphabetic() => b.to_ascii_lowercase(),
            _ => return None,
        })
    };
    let disguised = bytes.iter().filter(|b| !b.is_ascii_alphabetic()).count();
    if disguised == 0 || disguised * 2 > bytes.len() || !bytes[0].is_ascii_alphabetic() {
        return None;
    }
    bytes.iter().map(|b| letter(*b)).collect::<Option<Vec<u8>>>().and_then(|letters| String::from_utf8(letters).ok())
}
