//! Conditions of a form beyond its pattern: check digits, lengths, randomness, the words around it.

use std::net::IpAddr;

use language::lexicon::{self, NameClass};
use serde::Deserialize;

use crate::hosts;
use crate::lists::is;
use crate::patterns::compiled;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Check {
    Card,
    Iban,
    Telephone,
    Random,
    Strong,
    Told,
    Mixed,
    NotCounted,
    NotExplained,
    Address,
    Host,
    Machine,
    OwnedDevice,
    Personal,
    OwnAccount,
    Named,
}

pub(crate) fn holds(check: Check, text: &str, start: usize, end: usize) -> bool {
    let found = &text[start..end];
    let digits: Vec<u8> = found.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    let stands_alone = !continues(text, start, end);
    match check {
        Check::Card => stands_alone && luhn(&digits) && !is_sample(text, start, end),
        Check::Iban => iban(found),
        Check::Telephone => stands_alone && (8..=15).contains(&digits.len()),
        Check::Random => random(found),
        Check::Strong => strong(found),
        Check::Mixed => mixed(found),
        Check::Told => strong_if_told(found.trim_end_matches(['.', '!', ','])),
        Check::Address => stands_alone_as_address(text, start, end) && address(found),
        Check::Host => hosts::is_host(text, start, end),
        Check::Machine => stands_alone && hosts::is_machine(found),
        Check::OwnedDevice => hosts::is_owned_device(found),
        Check::Personal => personal(found),
        Check::Named => found.split(['.', '_', '-']).any(is_named),
        Check::OwnAccount => own_account(found),
        Check::NotCounted => !counted(text, end),
        Check::NotExplained => !lexicon::groups("explains")
            .flat_map(|group| &group.words)
            .any(|word| text[end..].trim_start_matches(" is ").trim_start().starts_with(word)),
    }
}

/// Whether it is a part of a longer number or identifier.
fn continues(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back().unwrap_or(' ');
    let mut after = text[end..].chars();
    let (next, second) = (after.next().unwrap_or(' '), after.next().unwrap_or(' '));
    let digit_before = text[..start].trim_end_matches(':').ends_with(|c: char| c.is_ascii_digit());
    before.is_alphanumeric()
        || matches!(before, '_' | '.' | '/' | '-')
        || before == ':' && digit_before
        || next.is_alphanumeric()
        || next == '_'
        || matches!(next, '.' | ':' | '-' | '/') && second.is_alphanumeric()
}

/// Whether an address is not part of something longer; a port, a mask or a path may follow it.
fn stands_alone_as_address(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back().unwrap_or(' ');
    let mut after = text[end..].chars();
    let (next, second) = (after.next().unwrap_or(' '), after.next().unwrap_or(' '));
    let goes_on = next.is_alphanumeric() || next == '_' || next == '.' && second.is_alphanumeric();
    !before.is_alphanumeric() && !matches!(before, '_' | '.' | '-') && !goes_on
}

/// Whether the text calls it a test card.
fn is_sample(text: &str, start: usize, end: usize) -> bool {
    const REACH: usize = 40;
    let around = text[start.saturating_sub(REACH)..(end + REACH).min(text.len())].to_ascii_lowercase();
    around.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word == "test")
}

/// ISO/IEC 7812: the check digit of payment cards.
fn luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| if digit > 4 { u32::from(digit) * 2 - 9 } else { u32::from(digit) * 2 };
    let value = |(place, digit): (usize, &u8)| if place % 2 == 1 { doubled(*digit) } else { u32::from(*digit) };
    let sum: u32 = digits.iter().rev().enumerate().map(value).sum();
    (13..=19).contains(&digits.len()) && sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// ISO 13616: the length is the country's, and the remainder modulo 97 is 1. Words after the number may look like a part of it.
fn iban(found: &str) -> bool {
    let compact: Vec<u8> = found.bytes().filter(|b| *b != b' ').map(|b| b.to_ascii_uppercase()).collect();
    let countries = include_str!("../iban.txt").lines().filter_map(|line| line.split_once(' '));
    let mut lengths = countries.filter(|(country, _)| compact.starts_with(country.as_bytes()));
    let number = lengths.next().and_then(|(_, length)| compact.get(..length.parse().ok()?));
    let remainder = |number: &[u8]| {
        number[4..].iter().chain(&number[..4]).fold(0_u32, |rest, b| {
            if b.is_ascii_digit() { (rest * 10 + u32::from(b - b'0')) % 97 } else { (rest * 100 + u32::from(b - b'A') + 10) % 97 }
        })
    };
    number.is_some_and(|number| remainder(number) == 1)
}

/// Whether it is the address of one machine: not loopback, not a mask, not a public name server, and no version with small
/// numbers.
fn address(found: &str) -> bool {
    const BROADCAST: u8 = 255;
    const SMALLEST: u8 = 10;
    match found.parse() {
        Ok(IpAddr::V4(address)) => {
            let [first, ..] = address.octets();
            !address.is_loopback() && (SMALLEST..BROADCAST).contains(&first) && !address.is_link_local()
        }
        Ok(IpAddr::V6(address)) => {
            let groups = address.segments().iter().filter(|group| **group != 0).count();
            !address.is_loopback() && (groups >= 3 || groups == 2 && found.bytes().any(|b| b.is_ascii_digit()))
        }
        Err(_) => false,
    }
}

/// Whether a home belongs to a person: not to a service, and not named after its content.
fn personal(login: &str) -> bool {
    let mut pieces = login.split(['.', '_', '-']).filter(|piece| !piece.is_empty()).peekable();
    let of_nobody = |piece: &str| {
        let word = piece.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
        word.is_empty() || is("account", &word) || lexicon::name(&word).is_none() && lexicon::is_ordinary(&word)
    };
    pieces.peek().is_some() && !is("account", &login.to_ascii_lowercase()) && !pieces.all(of_nobody)
}

/// Whether an account is a person's own: not that of a known product, and not a page of the site itself.
fn own_account(account: &str) -> bool {
    let lower = account.trim_start_matches('@').trim_end_matches('.').to_ascii_lowercase();
    let listed = |word: &str| word.is_empty() || lexicon::is_ordinary(word);
    !lower.split(['-', '_', '.']).all(listed) || lower.split(['-', '_', '.']).any(is_named)
}

/// Whether a piece of an identifier is a given name, or a name with an initial: `dana`, `danak`, `dkarpova`.
pub(crate) fn is_named(piece: &str) -> bool {
    const SHORTEST: usize = 4;
    const SURNAME: usize = 6;
    let lower = piece.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    let given = |word: &str| matches!(lexicon::name(word), Some(NameClass::Common | NameClass::Given));
    let common = |word: &str| lexicon::name(word) == Some(NameClass::Common);
    lower.is_ascii()
        && lower.len() >= SHORTEST
        && is_unknown(&lower)
        && (given(&lower)
            || lower.len() > SHORTEST && common(&lower[..lower.len() - 1])
            || lower.len() > SURNAME && lexicon::name(&lower[1..]).is_some_and(|_| is_unknown(&lower[1..])))
}

/// Whether a unit follows.
pub(crate) fn counted(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches([' ', '-']);
    let next = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("").to_ascii_lowercase();
    let unit = next.trim_end_matches('s');
    !next.is_empty() && is("counted", unit)
}

/// Whether a value is long and mixes digits, capitals and small letters. Runs of hexadecimal digits are more often digests than
/// keys.
pub(crate) fn random(value: &str) -> bool {
    let count = |is: fn(&u8) -> bool| value.bytes().filter(is).count();
    let (digits, upper, lower) = (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    digits >= 3 && upper >= 3 && lower >= 3 && !value.contains('/')
}

/// Whether it is a digest or a public key: a lock file's hash, a fingerprint, or the text after `ssh-ed25519` or
/// `BEGIN PUBLIC KEY`.
pub(crate) fn is_public(text: &str, start: usize) -> bool {
    const REACH: usize = 1024;
    const NEAR: usize = 24;
    const BEFORE: [&str; 5] = ["public key", "publickey", "pubkey", "fingerprint", "integrity"];
    static DIGEST: std::sync::LazyLock<regex::bytes::Regex> = std::sync::LazyLock::new(|| {
        compiled(r"^(?:(?:sha-?|SHA-?)\d{1,3}[-:=]|(?:md5|MD5|blake[23]b?)[-:]|h1:|AAAA[BCEG][23][NV])").expect("a constant")
    });
    let before = &text.as_bytes()[start.saturating_sub(REACH)..start];
    let word = before.iter().rposition(|b| b.is_ascii_whitespace() || b"\"'`,;(".contains(b)).map_or(0, |at| at + 1);
    let near = String::from_utf8_lossy(&before[before.len().saturating_sub(NEAR)..]).to_ascii_lowercase();
    let block = || {
        let begins = text[start.saturating_sub(4 * REACH)..start].rsplit_once("-----BEGIN ").map_or("", |(_, block)| block);
        !begins.contains("-----END ")
            && begins.lines().next().is_some_and(|kind| kind.contains("PUBLIC") || kind.contains("CERTIFICATE"))
    };
    DIGEST.is_match(&text.as_bytes()[start - (before.len() - word)..]) || BEFORE.iter().any(|word| near.contains(word)) || block()
}

/// Whether it has digits or signs among letters, and is neither a version, a lifetime nor the name of a standard.
pub(crate) fn strong(value: &str) -> bool {
    const SHORTEST: usize = 5;
    let has = |is: fn(u8) -> bool| value.bytes().any(is);
    let signs = has(|b| matches!(b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'~' | b'+'));
    let mixed = has(|b| b.is_ascii_alphabetic()) && (has(|b| b.is_ascii_digit()) || signs);
    value.len() >= SHORTEST && mixed && !is_standard(value) && !is_placeholder(value)
}

/// The same after "is", where a word with a number is a password, too.
pub(crate) fn strong_if_told(value: &str) -> bool {
    const SHORTEST: usize = 6;
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbered = word.len() < value.len() && word.len() > 3 && word.bytes().all(|b| b.is_ascii_alphabetic());
    strong(value) || numbered && value.len() >= SHORTEST && !lexicon::is_term(&word.to_ascii_lowercase())
}

/// Whether it has digits, or capitals among small letters, and is no placeholder.
fn mixed(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|b| is(&b));
    (has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)) && !is_placeholder(value)
}

fn is_standard(value: &str) -> bool {
    static STANDARD: std::sync::LazyLock<regex::bytes::Regex> = std::sync::LazyLock::new(|| {
        let standard: Vec<&str> = lexicon::groups("standard").flat_map(|group| group.words.iter().copied()).collect();
        let named = format!(r"(?:{})[-_/]?\d[\w.-]*", standard.join("|"));
        let numbered =
            r"[a-z]\d{1,4}|x86_64|u2f|v?\d+(?:[.,]\d+)*(?:st|nd|rd|th|[a-z]{1,3})?|\d+-[a-z-]+|[a-z]+(?:-[a-z]+)*-?v?\d{1,2}";
        compiled(&format!("(?i)^(?:{named}|{numbered})$")).expect("the tests run it")
    });
    STANDARD.is_match(value.as_bytes())
}

/// Whether it is a placeholder that reveals nothing: `${TOKEN}`, `<password>`, `****`, `xxxxxx`.
pub(crate) fn is_placeholder(value: &str) -> bool {
    static SHAPE: std::sync::LazyLock<regex::bytes::Regex> = std::sync::LazyLock::new(|| {
        compiled(r"^(?:\$[A-Z_][A-Z0-9_]*|\$\{[^}]*\}|<[^>]*>|\{+[^}]*\}+|%[A-Z_][A-Z0-9_]*%?|[*x.]{3,}|\w+\(\))$")
            .expect("a constant")
    });
    let lower = value.to_ascii_lowercase();
    let inner = lower.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let one_sign = inner.bytes().all(|b| b == inner.as_bytes()[0]);
    SHAPE.is_match(value.as_bytes()) || one_sign || lower.contains("xxxx") || is("blank", inner)
}

/// Whether a word is on no list.
pub(crate) fn is_unknown(word: &str) -> bool {
    !lexicon::is_ordinary(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_check_digits_are_told_from_others() {
        let holds = |check, text: &str| holds(check, text, 0, text.len());
        assert!(holds(Check::Card, "4539 1488 0343 6467") && !holds(Check::Card, "4539 1488 0343 6468"));
        assert!(holds(Check::Iban, "DE89 3704 0044 0532 0130 00") && !holds(Check::Iban, "DE88 3704 0044 0532 0130 00"));
        assert!(holds(Check::Telephone, "+62 812 3456 7890") && !holds(Check::Telephone, "+1 234"));
    }

    #[test]
    fn passwords_are_told_from_standards_and_placeholders() {
        for value in ["hunter2!", "rahasia123", "Melati#2291kebun", "sdf87sdf6g"] {
            assert!(strong(value), "{value}");
        }
        for value in ["p4ssw0rd!", "x9kQ2mWp", "$tr0ngPa55"] {
            assert!(strong(value), "{value}");
        }
        for value in ["sha256", "90d", "v1.2.3", "15-minute", "${TOKEN1}", "oauth2", "plain", "us-east-1", "xxxx1234"] {
            assert!(!strong(value), "{value}");
        }
    }
}
