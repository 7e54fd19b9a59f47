//! Passwords in prose: `password is hunter2`, `api_key=…`, `kata sandinya …`.
//!
//! The hard part is to leave out what is not one: `password is rotated every 90 days`, `token: string`. A value counts only if it
//! looks like nothing that a sentence about passwords would say.

use super::gazetteer;
use super::normalise::Folded;
use super::secret_words as list;
use super::secrets::{Spans, is_placeholder};
use super::{first_groups, wholes};

const SECRET_WORDS: &str = "password|passwd|p4ssw0rd|p@ssword|passw0rd|p4ssword|passw|pass phrase|pass word|passwort|pwd|pw|passphrase|passcode|pass|kata sandi|katasandi|sandi|pin|otp|secret|secret[ _-]?key|client[ _-]?secret|signing[ _-]?key|signing[ _-]?secret|webhook[ _-]?secret|api[ _-]?key|apikey|api[ _-]?token|access[ _-]?key|access[ _-]?token|auth[ _-]?token|refresh[ _-]?token|bot[ _-]?token|deploy[ _-]?token|token|private[ _-]?key|encryption[ _-]?key|license[ _-]?key|credentials?|kredensial|contrasena|clave|mot de passe|wachtwoord|psk|pre-shared key|kunci api|kode akses|access code|door code|recovery code|backup code|master key|secret_key_base|connection string|seed phrase|mnemonic|db_pass|pgpassword";

/// `password is hunter2`, `api_key=…`, `kata sandinya …`; not `password is rotated every 90 days`.
pub(super) fn assignments(folded: &Folded) -> Spans {
    let text = &folded.text;
    let bytes = text.as_bytes();
    let words = pattern!(&format!("(?i)(?:{SECRET_WORDS})"));
    let mut spans = Spans::new();
    let pair = pattern!(
        r"(?i)\b(?:log ?in|login|credentials?|kredensial|creds|masuk|basic auth|sign in|user(?:name)?/pass(?:word)?|creds)\b[^\n]{0,40}?\b([a-z][a-z0-9._-]*\s?[/:]\s?[A-Za-z0-9!@#$%^&*_-]*[0-9!@#$%^&*][A-Za-z0-9!@#$%^&*_-]*)"
    );
    spans.extend(first_groups(pair, bytes).filter(|span| {
        let both = &text[span.0..span.1];
        let secret = both.rsplit(['/', ':']).next().unwrap_or("").trim();
        secret.len() >= 4
            && !secret.bytes().all(|b| b.is_ascii_digit() || b == b'-')
            && !both.starts_with("v1")
            && !secret.starts_with("v1")
            && !secret.starts_with("v2")
            && both.matches('/').count() <= 1
            && !text[..span.0].ends_with('/')
            && !both.starts_with("http")
    }));
    let spoken = pattern!(
        r"(?i)\b(?:code|pin|combination|passcode|password|kombinasi|kode|sandi|otp)\b[^.\n]{0,40}?\b(?:is|adalah|ist|=|:)?\s*(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|nol|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan)[ -]){2,9}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|nol|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan)\b|\b(?:unlock|pattern|combination|kombinasi|padlock|keypad|safe)\b[^.\n]{0,30}?\b\d(?:[- ]\d){3,}\b"
    );
    spans.extend(wholes(spoken, bytes));
    let in_turn = pattern!(
        r"(?i)\b(?:safe|vault|pin|combination|padlock|keypad|brankas|gembok|alarm)\b[^.\n]{0,40}?\b(?:is|opens with|opens on|adalah|dibuka dengan|:)\s*(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|hundred|thousand|nol|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|\w+ (?:belas|puluh))(?:,? (?:then|and|and then|lalu|terus|kemudian) |,? )){2,}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty(?:-\w+)?|nol|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan)\b"
    );
    spans.extend(wholes(in_turn, bytes));
    spans.extend(split_keys(text));
    if !words.is_match(bytes) {
        return spans;
    }
    let described = pattern!(&format!(
        r"(?i)\b(?:{SECRET_WORDS})(?:nya)?(?:\s+(?:for|of|untuk|di|to|on)?\s*[a-z0-9-]+){{1,10}}\s*[:=]\s*[`'\x22]?([^\s`'\x22,;]+)"
    ));
    for value in described.captures_iter(bytes).filter_map(|found| found.get(1)) {
        let written = trimmed(&text[value.start()..value.end()]);
        if strong_password(written) && !is_placeholder(written) {
            spans.push((value.start(), value.start() + written.len()));
        }
    }
    let signs = pattern!(&format!(
        r"(?i)(?:^|[^A-Za-z0-9])(?:[A-Za-z0-9]+[ _-])*?(?:[A-Za-z0-9_]*_)?(?:{SECRET_WORDS})(?:nya|s)?(?:_?\d)?[`'\x22)]?\s*(?:=>|->|:=|==|=|:)\s*[`'\x22]?([^\s`'\x22,;]+)"
    ));
    for found in signs.captures_iter(bytes) {
        let (Some(all), Some(value)) = (found.get(0), found.get(1)) else { continue };
        let written = trimmed(&text[value.start()..value.end()]);
        let sign_after_space = text[..value.start()].trim_end_matches(['`', '\'', '"']).ends_with(' ');
        let prose = all.as_bytes().contains(&b':') && !all.as_bytes().contains(&b'=') && sign_after_space;
        if value_is_secret(written, !prose) && !(prose && more_words(text, value.start())) {
            spans.push((value.start(), value.start() + written.len()));
        }
    }
    let quoted = pattern!(&format!(r"(?i)\b(?:{SECRET_WORDS})(?:nya)?\s+[`'\x22]([^`'\x22\n]{{4,40}})[`'\x22]"));
    for value in quoted.captures_iter(bytes).filter_map(|found| found.get(1)) {
        let written = value.as_bytes();
        if written.iter().any(u8::is_ascii_digit) && written.iter().any(u8::is_ascii_alphabetic) {
            spans.push((value.start(), value.end()));
        }
    }
    let prose = pattern!(&format!(
        r"(?i)\b(?:{SECRET_WORDS})(?:nya)?\b(?:\s+(?:for|of|to|on|untuk|di|fur|in|pour|para|at|utk|ke|buat)\s+(?:[A-Za-z0-9._/-]+\s+){{1,5}}?|\s+(?:[a-z0-9-]+\s+){{1,3}}?|\s+)(?:reads|says|goes|is|was|are|adalah|ialah|yaitu|ist|lautet|es|est|isnya|itu|now|remains|stays|becomes|equals|set to|changed to|reset to|is set to|is still|is now|masih|sekarang|is just|is currently)\s+(?:still |now |just |currently |set to |simply |always |exactly )*[`'\x22]?([^\s`'\x22]+)"
    ));
    for found in prose.captures_iter(bytes) {
        let Some(value) = found.get(1) else { continue };
        let written = trimmed(&text[value.start()..value.end()]);
        let quoted = text[..value.start()].ends_with(['`', '\'', '"']);
        if prose_value_is_secret(text, written, value.start(), quoted) {
            spans.push((value.start(), value.start() + written.len()));
        }
    }
    let beside = pattern!(&format!(r"(?i)\b(?:{SECRET_WORDS})(?:nya)?\s+[`'\x22]?([A-Za-z0-9!@#$%^&*()_+=./~-]{{4,}})"));
    for found in beside.captures_iter(bytes) {
        let Some(value) = found.get(1) else { continue };
        let written = trimmed(&text[value.start()..value.end()]);
        let number = written.bytes().all(|b| b.is_ascii_digit());
        let pin = just_before(text, value.start()).trim_end().to_ascii_lowercase();
        let strong = number
            && (pin.ends_with("pin")
                || pin.ends_with("pin-nya")
                || pin.ends_with("pinnya")
                || pin.ends_with("code")
                || pin.ends_with("otp"))
            && written.len() <= 8
            || !number && strong_password(written);
        if strong && !is_placeholder(written) {
            spans.push((value.start(), value.start() + written.len()));
        }
    }
    let env = pattern!(
        r"\b(?:export\s+)?[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS)(?:_[A-Z0-9]+)?\s?=\s?[`'\x22]?([^\s`'\x22,;]+)"
    );
    spans.extend(first_groups(env, bytes).filter(|span| value_is_secret(trimmed(&text[span.0..span.1]), true)));
    spans.extend(random_beside(text));
    spans
}

/// A long random value near a word for a secret.
fn random_beside(text: &str) -> Spans {
    let near = pattern!(
        r"(?i)\b(?:key|token|secret|password|credential|auth|signature|sk|pk|live)s?\b[^\n]{0,40}?\b([A-Za-z0-9+/_-]{18,})"
    );
    first_groups(near, text.as_bytes()).filter(|span| high_entropy(&text[span.0..span.1])).collect()
}

/// The end of the text before an offset: enough for the words that name a secret, without scanning the whole text again.
fn just_before(text: &str, start: usize) -> &str {
    const REACH: usize = 64;
    &text[start.saturating_sub(REACH)..start]
}

/// A provider's key split into groups by spaces.
fn split_keys(text: &str) -> Spans {
    let groups = pattern!(
        r"\b(?:AKIA|ASIA|ghp_|gho_|sk_live_|sk-ant-|sk-proj-|glpat-|xoxb-|AIza|npm_|hf_)[A-Za-z0-9_-]*(?:[ \n][A-Za-z0-9_-]{2,}){1,12}"
    );
    let enough = |key: &str| {
        let digits = key.bytes().filter(u8::is_ascii_digit).count();
        let upper = key.bytes().filter(u8::is_ascii_uppercase).count();
        let groups = key
            .split_whitespace()
            .skip(1)
            .take_while(|group| group.bytes().any(|b| b.is_ascii_uppercase() || b.is_ascii_digit()))
            .count();
        digits >= 1 && upper >= 8 && groups >= 2
    };
    wholes(groups, text.as_bytes()).filter(|span| enough(&text[span.0..span.1])).collect()
}

fn trimmed(value: &str) -> &str {
    value.trim_end_matches(['.', ',', ';', ')', ']', '}', '!', '?', '"', '\'', '`', '>'])
}

fn value_is_secret(value: &str, code: bool) -> bool {
    const SHORTEST: usize = 3;
    if value.len() < SHORTEST
        || is_placeholder(value)
        || value.ends_with("()")
        || value.contains("::")
        || value.contains("://") && !value.contains('@')
    {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    let word = lower.bytes().all(|b| b.is_ascii_lowercase());
    let reference = lower.contains('.') && lower.split('.').all(|part| part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
        || lower.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') && lower.contains('_');
    if code {
        !reference || strong_password(value)
    } else {
        strong_password(value)
            || word && !gazetteer::is_english(&lower) && !gazetteer::is_indonesian(&lower) && lower.len() >= 5
            || !word
                && value.len() >= 4
                && !reference
                && !lower.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'/')
                && value.bytes().any(|b| b.is_ascii_digit())
    }
}

fn more_words(text: &str, start: usize) -> bool {
    let rest: Vec<&str> = text[start..].split_whitespace().take(2).collect();
    rest.len() == 2 && !strong_password(trimmed(rest[0]))
}

/// Digits or punctuation among letters.
fn strong_password(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let signs = value.bytes().any(|b| matches!(b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'~' | b'+'));
    let lower = value.to_ascii_lowercase();
    let lifetime = lower.bytes().next().is_some_and(|b| b.is_ascii_digit()) && pattern!(r"^\d+[ -]?(?:s|ms|m|h|d|days?|hours?|minutes?|min|bytes?|bits?|chars?|characters?|hour|day|kb|x|th|st|nd|rd|byte|bit|digit|digits|char|minute|week|month|year|second)(?:-[a-z]+)?$").is_match(lower.as_bytes());
    letters >= 1
        && (digits >= 1 || signs)
        && !list::STANDARDS.contains(&lower.as_str())
        && !lifetime
        && value.len() >= 4
        && !pattern!(r"^v?\d+(?:\.\d+)*$|^[a-z]+/v\d|^[a-z-]+[-/]?v?\d{1,2}$|^/[a-z0-9/_.{}-]+$|^[a-z]+@\d")
            .is_match(lower.as_bytes())
        || letters >= 1
            && digits >= 1
            && value.len() >= 5
            && !lower.contains('/')
            && !list::STANDARDS.contains(&lower.as_str())
            && !lifetime
            && !pattern!(r"^v?\d+(?:\.\d+)*$|^[a-z]+-?v?\d{1,2}$").is_match(lower.as_bytes())
        || letters >= 3
            && digits >= 1
            && value.len() >= 6
            && !value.contains(['-', '/', '.'])
            && !list::STANDARDS.contains(&lower.as_str())
            && !lifetime
            && !pattern!(r"v\d+$").is_match(lower.as_bytes())
}

fn prose_value_is_secret(text: &str, value: &str, start: usize, quoted: bool) -> bool {
    if value.len() < 3 || is_placeholder(value) {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    if strong_password(value) {
        return true;
    }
    if lower.bytes().all(|b| b.is_ascii_digit()) {
        let before = just_before(text, start).to_ascii_lowercase();
        return value.len() >= 4
            && value.len() <= 8
            && ["pin", "code", "otp", "kode", "password", "sandi", "passcode"].iter().any(|word| before.contains(word));
    }
    if gazetteer::is_term(&lower) || lower.starts_with("x-") {
        return false;
    }
    let hyphened = value.contains('-') && value.matches('-').count() >= 2;
    if quoted || hyphened {
        return value.len() >= 4 && !(quoted && lower.contains('_') && !hyphened);
    }
    let clause_ends = matches!(text.as_bytes().get(start + value.len()), None | Some(b'.' | b',' | b';' | b')' | b'!' | b'\n'))
        && !matches!(text.as_bytes().get(start + value.len() + 1), Some(b) if b.is_ascii_alphanumeric());
    let camel = value.bytes().skip(1).any(|b| b.is_ascii_uppercase()) && value.bytes().any(|b| b.is_ascii_lowercase());
    let participle = [
        "ed", "ing", "able", "ible", "al", "ory", "ive", "ent", "ly", "en", "less", "ic", "ous", "ful", "ary", "ant", "kan",
        "hidden", "an",
    ]
    .iter()
    .any(|ending| lower.ends_with(ending));
    clause_ends
        && (camel
            || !participle
                && !list::STATES.contains(&lower.as_str())
                && lower.bytes().all(|b| b.is_ascii_alphabetic())
                && lower.len() >= 5)
        || camel && !gazetteer::is_term(&lower) && value.bytes().filter(u8::is_ascii_uppercase).count() >= 3 && clause_ends
}

/// Long and mixed, and not a word: three classes of characters and no readable run.
fn high_entropy(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let upper = value.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = value.bytes().filter(u8::is_ascii_lowercase).count();
    let hex = value.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase());
    digits >= 3 && upper >= 3 && lower >= 3 && !value.contains('/')
        || value.len() < 32 && !hex && digits >= 4 && lower + upper >= 6 && value.bytes().all(|b| b.is_ascii_alphanumeric())
        || hex && digits >= 6 && value.len() >= 32 && value.len() != 40 && value.len() != 64
}
