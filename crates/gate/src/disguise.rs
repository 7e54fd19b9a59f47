//! Undoes disguises that get a text past a filter: entities, percent escapes, base64, hexadecimal, spaced letters, digits for
//! letters, the telephone alphabet, reversal, and signs or digits written as words.
//!
//! This file only decodes. The rules judge the result, one level deep; nothing is decoded twice.

use std::borrow::Cow;
use std::sync::LazyLock;

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use language::features::Text;
use language::fold::Folded;
use language::lexicon::{self, Language, NameClass, Pronoun};
use regex::bytes::{Captures, Regex};

use crate::patterns::compiled;
use crate::pronouns;

/// A place in folded text, and the text behind its disguise.
#[derive(Debug)]
pub(crate) struct Piece {
    pub start: usize,
    pub end: usize,
    pub says: String,
    /// Whether it was joined from single letters: a name in it is a disguised one.
    pub spelled: bool,
}

/// Shorter runs decode to something readable by chance.
const MIN_ENCODED: usize = 12;
const MIN_SPELLED: usize = 4;
/// Letters around a spelled run that its meaning may depend on.
const REACH: usize = 32;

macro_rules! pattern {
    ($source:expr) => {{
        static PATTERN: LazyLock<Regex> = LazyLock::new(|| compiled($source).expect("a constant, and the tests run it"));
        &*PATTERN
    }};
}

/// Undoes every disguise in a text.
pub(crate) fn undone(folded: &Folded) -> Vec<Piece> {
    let text = folded.text.as_str();
    // Only the part that differs is disguised.
    let whole = |says: String| {
        let start = text.bytes().zip(says.bytes()).take_while(|(a, b)| a == b).count().min(text.len());
        let rest = text.len().min(says.len()) - start.min(says.len());
        let after = text.bytes().rev().zip(says.bytes().rev()).take(rest).take_while(|(a, b)| a == b).count();
        Piece { start, end: text.len() - after, says, spelled: false }
    };
    let mut pieces = Vec::new();
    pieces.extend(unescaped(text).map(whole));
    pieces.extend(spoken(text).map(whole));
    let told = pattern!(
        r"(?i)\b(?:backwards?|in reverse|reversed|(?:read|written|spelled|typed) mirrored|dibalik|terbalik|ruckwarts|right to left)\b"
    );
    let of_software = pattern!(r"(?i)\bbackwards?[- ]compat|\bapi\b|\b(?:byte|order|text|list|index)s?\b");
    if told.is_match(text.as_bytes()) && !of_software.is_match(text.as_bytes()) {
        pieces.extend(reversed(folded));
    }
    if text.contains('@') && pattern!(r"\b(?:moc|gro|ten|oi|di|ved)\.[a-z0-9-]+@[a-z]").is_match(folded.lower.as_bytes()) {
        pieces.push(whole(text.chars().rev().collect()));
    }
    if pattern!(r"(?i)\brot-?13\b").is_match(text.as_bytes()) {
        pieces.push(whole(text.chars().map(rot13).collect()));
    }
    pieces.extend(encoded(text));
    pieces.extend(spaced(text));
    pieces.extend(leet(text));
    pieces.extend(telephone_alphabet(folded));
    pieces
}

/// Decodes base64 and hexadecimal.
fn encoded(text: &str) -> Vec<Piece> {
    let piece = |start, end, says| Piece { start, end, says, spelled: false };
    let tokens = pattern!(r"[A-Za-z0-9+/_-]{12,}={0,2}").find_iter(text.as_bytes());
    let mut pieces: Vec<Piece> = tokens
        .flat_map(|found| {
            let token = &text[found.range()];
            [base64(token), hex(token)].into_iter().flatten().map(move |says| piece(found.start(), found.end(), says))
        })
        .collect();
    let pairs = pattern!(r"\b(?:[0-9A-Fa-f]{2}[ :,-]){5,}[0-9A-Fa-f]{2}\b").find_iter(text.as_bytes());
    pieces.extend(pairs.filter_map(|found| {
        let token: String = text[found.range()].chars().filter(char::is_ascii_hexdigit).collect();
        hex(&token).map(|says| piece(found.start(), found.end(), says))
    }));
    pieces
}

/// Without padding, and with any trailing bits.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireNone).with_decode_allow_trailing_bits(true),
);

fn base64(token: &str) -> Option<String> {
    let bare = token.trim_end_matches('=');
    if bare.len() < MIN_ENCODED || bare.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_' | b'/')) {
        return None;
    }
    // People mix the two alphabets, and lose letters at the end.
    let whole = &bare[..bare.len() - usize::from(bare.len() % 4 == 1)];
    readable(LENIENT.decode(whole.replace('+', "-").replace('/', "_")).ok()?)
}

fn hex(token: &str) -> Option<String> {
    if token.len() < MIN_ENCODED || !token.len().is_multiple_of(2) || !token.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    readable((0..token.len()).step_by(2).filter_map(|at| u8::from_str_radix(&token[at..at + 2], 16).ok()).collect())
}

/// Returns the bytes as text if a person could have written it; of a login and its password, the password.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let printable = bytes.len() >= 6 && bytes.iter().all(|b| (b' '..=b'~').contains(b) || matches!(b, b'\n' | b'\t'));
    let says = String::from_utf8(bytes).ok().filter(|_| printable)?;
    let login = says.split_once(':').filter(|(user, password)| {
        user.len() > 1 && password.len() > 3 && !says.contains(' ') && password.bytes().any(|b| b.is_ascii_digit())
    });
    Some(login.map_or(says.clone(), |(_, password)| format!("password: {password}")))
}

/// HTML entities, percent escapes and `\u0040`.
fn unescaped(text: &str) -> Option<String> {
    let escape = pattern!(
        r"&#x([0-9a-fA-F]{2,4});?|&#(\d{2,4});?|%([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4})\}?|\\x([0-9a-fA-F]{2})|U\+(00[0-9a-fA-F]{2})|&(commat|period|amp|lowbar|num);"
    );
    let undo = |found: &Captures<'_>| {
        let digits = (1..=6).find_map(|group| Some((group, std::str::from_utf8(found.get(group)?.as_bytes()).ok()?)));
        let code = digits.and_then(|(group, digits)| u32::from_str_radix(digits, if group == 2 { 10 } else { 16 }).ok());
        let named = || match &found.get(7)?.as_bytes()[..3] {
            b"com" => Some('@'),
            b"per" => Some('.'),
            b"low" => Some('_'),
            b"num" => Some('#'),
            _ => Some('&'),
        };
        let sign = code.and_then(char::from_u32).or_else(named).filter(|c| c.is_ascii() && !c.is_ascii_control());
        sign.map_or_else(|| found[0].to_vec(), |sign| sign.to_string().into_bytes())
    };
    match escape.replace_all(text.as_bytes(), undo) {
        Cow::Borrowed(_) => None,
        Cow::Owned(says) => Some(String::from_utf8_lossy(&says).into_owned()).filter(|says| says != text),
    }
}

/// Signs that people write as words or in brackets, in the order in which they are undone.
const SIGNS: [(&str, &str); 7] = [
    (r"(?i) ?[\[({<] ?(?:dot|titik|punkt|point|\.) ?[\])}>] ?|[ _-](?:dot|titik|punkt)[ _-]", "."),
    (r"(?i) ?[\[({<] ?(?:at|a|@|et|arroba) ?[\])}>] ?", "@"),
    (
        r"(?i)\b([\w.+-]+)[ _-](?:at|arroba|chez|@)[ _-]([\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|id|de|dev|co|fr|nl|uk|eu|example|test|internal|local))\b",
        "${1}@${2}",
    ),
    (r"(?i) ?\b(?:slash|garis miring|schragstrich)\b ?", "/"),
    (r"(?i) ?\bbackslash\b ?", "\\"),
    (r"(?i) ?\b(?:underscore|garis bawah|unterstrich)\b ?", "_"),
    (r"(?i) ?\b(?:dash|hyphen|strip)\b ?", "-"),
];

/// `dana at example dot org`, `ten dot eight dot zero dot one`, `oh eight one two`.
fn spoken(text: &str) -> Option<String> {
    static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        SIGNS.iter().map(|(pattern, sign)| (compiled(pattern).expect("a constant, and the tests run it"), *sign)).collect()
    });
    let mut says = digits_from_words(text).into_bytes();
    let plain = says.clone();
    for (pattern, sign) in PATTERNS.iter() {
        // "at example.org" is ordinary as long as nothing is spelled out.
        if !sign.contains('$') || says != plain {
            says = pattern.replace_all(&says, sign.as_bytes()).into_owned();
        }
    }
    let says = String::from_utf8(says).ok()?;
    (says != text).then_some(says)
}

/// Runs of number words become digits: `oh eight one two` is `0812`, `two hundred and three` stays.
fn digits_from_words(text: &str) -> String {
    const LEAST: usize = 4;
    static RUN: LazyLock<Regex> = LazyLock::new(|| {
        let words = lexicon::number_words().collect::<Vec<_>>().join("|");
        compiled(&format!(r"(?i)\b(?:{words})(?:[ -](?:{words}|dot|titik|point))+\b")).expect("the tests run it")
    });
    let undo = |found: &Captures<'_>| {
        let words = String::from_utf8_lossy(&found[0]).to_ascii_lowercase();
        let pieces: Vec<String> =
            words.split([' ', '-']).map(|word| lexicon::number(word).map_or(word.to_owned(), |n| n.to_string())).collect();
        if pieces.len() < LEAST {
            found[0].to_vec()
        } else if pieces.iter().all(|piece| piece.len() == 1) {
            pieces.concat().into_bytes()
        } else {
            pieces.join(" ").into_bytes()
        }
    };
    String::from_utf8(RUN.replace_all(text.as_bytes(), undo).into_owned()).unwrap_or_default()
}

/// The whole text reversed, and each word that is no ordinary one.
fn reversed(folded: &Folded) -> Vec<Piece> {
    let turned = |text: &str| text.chars().rev().collect::<String>();
    let mut pieces = vec![Piece { start: 0, end: folded.text.len(), says: turned(&folded.text), spelled: false }];
    let text = Text::new(folded);
    let odd = (0..text.tokens.len()).filter(|at| {
        let word = text.lower(*at);
        text.tokens[*at].is_word() && word.len() >= MIN_SPELLED && !lexicon::is_ordinary(word)
    });
    pieces.extend(odd.map(|at| {
        let token = text.tokens[at];
        Piece { start: token.start, end: token.end, says: turned(text.lower(at)), spelled: true }
    }));
    pieces
}

fn rot13(c: char) -> char {
    let turn = |base: u8| char::from(base + (c as u8 - base + 13) % 26);
    match c {
        'a'..='z' => turn(b'a'),
        'A'..='Z' => turn(b'A'),
        other => other,
    }
}

/// `d a n a`, `d.a.n.a`, `b-u-d-i`, joined; runs in alphabetical order are lists of options.
fn spaced(text: &str) -> Vec<Piece> {
    let run = pattern!(r"(?:^|[^A-Za-z0-9])((?:[A-Za-z0-9@](?: ?[.,_*|/+~:=-] ?| {1,3})){3,}[A-Za-z0-9])(?:$|[^A-Za-z0-9])");
    let (mut pieces, mut from) = (Vec::new(), 0);
    while let Some(span) = run.captures_at(text.as_bytes(), from).and_then(|found| found.get(1)) {
        from = span.end();
        let (start, end) = (span.start(), span.end());
        let written = &text[start..end];
        let joined = |part: &str| part.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '@').collect::<String>();
        let letters = joined(written).to_ascii_lowercase();
        let alphabet = letters.as_bytes().windows(2).all(|pair| pair[1] > pair[0]);
        if letters.bytes().filter(u8::is_ascii_alphabetic).count() < MIN_SPELLED || alphabet {
            continue;
        }
        let (before, after) = (&text[start.saturating_sub(REACH)..start], &text[end..(end + REACH).min(text.len())]);
        pieces.push(Piece { start, end, says: format!("{before} {letters} {after}"), spelled: false });
        let kept: String = written.chars().filter(|c| *c != ' ').collect();
        pieces.push(Piece { start, end, says: format!("{before} {kept} {after}"), spelled: false });
        // With wider gaps, or spaces beside other marks, several words are spelled.
        let gap = if written.contains("  ") { "  " } else { " " };
        let words = written.split(gap).map(joined).chain([letters.clone()]).filter(|word| word.len() >= MIN_SPELLED);
        pieces.extend(words.map(|says| Piece { start, end, says: says.to_ascii_lowercase(), spelled: true }));
    }
    pieces
}

/// The letter that a sign or a digit looks like.
fn looks_like(sign: u8) -> Option<u8> {
    Some(match sign {
        b'0' => b'o',
        b'1' | b'!' | b'|' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        _ => return None,
    })
}

/// A text with letters for the signs and digits that look like them.
pub(crate) fn unleet(lower: &str) -> String {
    let bytes = lower.as_bytes();
    // At the end of a word, an exclamation mark is no letter.
    let is_mark = |n: usize| bytes[n] == b'!' && !bytes.get(n + 1).is_some_and(u8::is_ascii_alphanumeric);
    let letter = |(n, &b): (usize, &u8)| char::from(if is_mark(n) { b } else { looks_like(b).unwrap_or(b) });
    bytes.iter().enumerate().map(letter).collect()
}

/// `d4n4` → `dana`.
fn leet(text: &str) -> Vec<Piece> {
    let words = pattern!(r"[A-Za-z0-9@$!|]{3,24}").find_iter(text.as_bytes()).filter(|word| {
        let odd = word.as_bytes().iter().filter(|b| !b.is_ascii_alphabetic()).count();
        odd > 0 && odd * 2 <= word.len() && word.as_bytes()[0] != b'!'
    });
    let plain = |word: &[u8]| -> Option<String> {
        let letter = |b: &u8| if b.is_ascii_alphabetic() { Some(b.to_ascii_lowercase()) } else { looks_like(*b) };
        String::from_utf8(word.iter().map(letter).collect::<Option<Vec<u8>>>()?).ok()
    };
    let pieces = words.filter_map(|word| Some((word, plain(word.as_bytes()).filter(|says| spells(says).is_some())?)));
    pieces.map(|(word, says)| Piece { start: word.start(), end: word.end(), says, spelled: true }).collect()
}

/// `delta alpha november alpha`.
fn telephone_alphabet(folded: &Folded) -> Vec<Piece> {
    let text = Text::new(folded);
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < text.tokens.len() {
        let letters: String = (at..text.tokens.len())
            .map_while(|at| lexicon::is_spelling_word(text.lower(at)).then(|| &text.lower(at)[..1]))
            .collect();
        if letters.len() >= MIN_SPELLED {
            let (start, end) = (text.tokens[at].start, text.tokens[at + letters.len() - 1].end);
            pieces.push(Piece { start, end, says: letters.clone(), spelled: true });
        }
        at += letters.len().max(1);
    }
    pieces
}

/// The rule for a word that spells a name, two names without a space, or a pronoun.
pub(crate) fn spells(word: &str) -> Option<&'static str> {
    const SHORTEST_PRONOUN: usize = 3;
    let given = |word: &str| matches!(lexicon::name(word), Some(NameClass::Common | NameClass::Given));
    let two = || {
        (MIN_SPELLED..word.len().saturating_sub(MIN_SPELLED - 1)).any(|cut| {
            word.is_char_boundary(cut)
                && lexicon::name(&word[..cut]) == Some(NameClass::Common)
                && lexicon::name(&word[cut..]).is_some()
        })
    };
    let named = word.len() >= MIN_SPELLED && !lexicon::is_english(word) && (given(word) || two());
    let spoken = |pronoun: &&Pronoun| !pronoun.doubtful && matches!(pronoun.language, Language::English | Language::Indonesian);
    let pronoun = lexicon::pronouns(word).iter().find(spoken).filter(|_| word.len() >= SHORTEST_PRONOUN);
    if named { Some(crate::NAME) } else { pronoun.map(|pronoun| pronouns::rule(pronoun.person)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(text: &str) -> Vec<String> {
        undone(&Folded::new(text)).into_iter().map(|piece| piece.says).collect()
    }

    #[test]
    fn disguises_are_undone() {
        for (text, wanted) in [
            ("dana at example dot org", "dana@example.org"),
            ("dana [at] example [dot] org", "dana@example.org"),
            ("Dial oh eight one two three four", "Dial 081234"),
            ("Ask d a n a now", "dana"),
            ("d4n13l has it", "daniel"),
            ("delta alpha november alpha", "dana"),
            ("ZGFuYUBleGFtcGxlLm9yZw==", "dana@example.org"),
            ("dana%40example.org", "dana@example.org"),
            ("read backwards: anad", "dana"),
        ] {
            assert!(says(text).iter().any(|says| says == wanted), "{text}: {:?}", says(text));
        }
        let text = "Ask dana at example dot org today";
        let piece = undone(&Folded::new(text)).remove(0);
        assert_eq!(&text[piece.start..piece.end], " at example dot ");
        assert!(says("Meet at noon in the usual room").is_empty());
        assert_eq!(
            ["dana", "danakarpova", "saya", "cache"].map(spells),
            [Some("person_name"), Some("person_name"), Some("first_person"), None]
        );
    }
}
