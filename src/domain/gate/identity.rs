//! Numbers of personal documents: cards, bank accounts, identity numbers; also hardware addresses.
//!
//! A number is judged by its check digits or its shape, never by its length: trace ids and timestamps are long too.

use super::contact::{captured, part_of_more};
use super::reading::Reading;

type Spans = Vec<(usize, usize)>;

/// Payment cards: the check digit is right, and the text mentions a card, the digits are grouped, or they start like a card
/// number.
pub(super) fn cards(text: &str, lower: &str) -> Spans {
    const NEAR: usize = 80;
    let mut spans: Spans = Vec::new();
    for found in pattern!(r"\b[2-6]\d{3}(?:[ ._-]?\d){9,15}\b").find_iter(text.as_bytes()) {
        let digits: Vec<u8> = found.as_bytes().iter().filter(|b| b.is_ascii_digit()).map(|b| b - b'0').collect();
        let grouped = found.as_bytes().iter().any(|b| !b.is_ascii_digit());
        let near = &lower[found.start().saturating_sub(NEAR)..(found.end() + NEAR).min(lower.len())];
        let says = |words: &[&str]| words.iter().any(|word| near.contains(word));
        let named = says(&["card", "kartu", "visa", "mastercard", "amex", "karte", "tarjeta", "carte"]);
        let sample = says(&["test card", "sandbox card", "dummy card", "test number", "test mode", "kartu uji", "kartu tes"]);
        if luhn(&digits)
            && (grouped || named || digits.len() == 16)
            && !sample
            && !part_of_more(text.as_bytes(), found.start(), found.end())
        {
            spans.push((found.start(), found.end()));
        }
    }
    spans
}

pub(super) fn cards_and_accounts(reading: &Reading) -> Spans {
    let text = reading.text();
    let mut spans = cards(text, reading.lower());
    for found in pattern!(r"\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,4})?\b").find_iter(text.as_bytes()) {
        if let Some(length) = iban_length(&text[found.start()..found.end()]) {
            spans.push((found.start(), found.start() + length));
        }
    }
    spans.extend(captured(pattern!(r"(?i)\b(?:rekening|account (?:number|no\.?)|acct|norek|no\.? ?rek(?:ening)?|bca|bni|bri|mandiri)\b[^0-9\n]{0,20}?(\d(?:[ .-]?\d){7,15})\b"), text));
    spans
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let value = u32::from(*digit) * if place % 2 == 1 { 2 } else { 1 };
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    (13..=19).contains(&digits.len()) && sum.is_multiple_of(10) && digits.iter().any(|d| *d != digits[0])
}

/// The longest prefix whose ISO 13616 remainder modulo 97 is 1.
fn iban_length(text: &str) -> Option<usize> {
    const SHORTEST: usize = 15;
    let ends: Vec<usize> = (1..=text.len()).rev().filter(|end| !text[..*end].ends_with(' ')).collect();
    ends.into_iter().take(24).find(|end| {
        let compact: Vec<u8> = text[..*end].bytes().filter(|b| *b != b' ').map(|b| b.to_ascii_uppercase()).collect();
        compact.len() >= SHORTEST && compact.len() <= 34 && {
            let remainder = compact[4..].iter().chain(&compact[..4]).fold(0_u32, |rest, b| {
                let value = if b.is_ascii_digit() { u32::from(b - b'0') } else { u32::from(b - b'A') + 10 };
                if value > 9 { (rest * 100 + value) % 97 } else { (rest * 10 + value) % 97 }
            });
            remainder == 1
        }
    })
}

pub(super) fn national_ids(reading: &Reading) -> Spans {
    let (text, lower) = (reading.text(), reading.lower());
    let bytes = text.as_bytes();
    let mut spans: Spans = Vec::new();
    for found in pattern!(r"\b\d{6}[ .-]?\d{6}[ .-]?\d{4}\b").find_iter(bytes) {
        let digits: Vec<u8> = found.as_bytes().iter().copied().filter(u8::is_ascii_digit).collect();
        let pair = |at: usize| (digits[at] - b'0') * 10 + digits[at + 1] - b'0';
        let (province, day, month) = (pair(0), pair(6), pair(8));
        let shaped =
            (11..=96).contains(&province) && ((1..=31).contains(&day) || (41..=71).contains(&day)) && (1..=12).contains(&month);
        if (shaped || lower.contains("nik") || lower.contains("ktp")) && !part_of_more(bytes, found.start(), found.end()) {
            spans.push((found.start(), found.end()));
        }
    }
    for found in pattern!(r"\b\d{3}-\d{2}-\d{4}\b").find_iter(bytes) {
        if !part_of_more(bytes, found.start(), found.end()) {
            spans.push((found.start(), found.end()));
        }
    }
    spans.extend(pattern!(r"\b\d{2}\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}\b").find_iter(bytes).map(|m| (m.start(), m.end())));
    spans
        .extend(pattern!(r"\b[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b").find_iter(bytes).map(|m| (m.start(), m.end())));
    spans.extend(captured(
        pattern!(r"(?i)\b(?:nik|ktp|npwp|passport|paspor|sim|bpjs|ssn|social security|national id|tax id|aadhaar|steuer-?id|personalausweis|driver'?s licen[cs]e|nip|employee (?:id|number)|staff id|badge (?:number|id)|nomor induk|imei|dni|nie|cpf|bsn|curp)\b[^0-9\n]{0,18}?\b([A-Z]{0,3}\d(?:[ .-]?[0-9]){4,17}[A-Z]?)\b"),
        text,
    ));
    // A passport mixes letters and digits; a number plate groups them.
    let mixed = |span: &(usize, usize)| text[span.0..span.1].bytes().filter(u8::is_ascii_digit).count() > 1;
    spans.extend(
        captured(pattern!(r"\b(?i:passport|paspor)\b[^0-9\n]{0,18}?\b([A-Z][A-Z0-9]{6,10})\b"), text).filter(|span| mixed(span)),
    );
    spans.extend(captured(
        pattern!(
            r"\b(?i:licen[cs]e plate|number plate|plate number|plat nomor|nopol|nomor polisi)\b[^0-9\n]{0,12}?\b([A-Z]{1,3}[ -]?[0-9]{1,4}[ -]?[A-Z]{0,3}|[0-9]{1,4}[ -]?[A-Z]{2,3}[ -]?[0-9]{0,4})\b"
        ),
        text,
    ));
    spans.extend(
        pattern!(r"(?i)\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b|\b(?:[0-9A-F]{2}-){5}[0-9A-F]{2}\b")
            .find_iter(bytes)
            .map(|m| (m.start(), m.end())),
    );
    spans
}
