//! Secrets told in a sentence: codes of doors and alarms, passphrases in pieces, recovery words, cards.
//!
//! `passwords` looks for a value next to its word; here the value is described, split, spelled or counted out.

use super::gazetteer;
use super::identity;
use super::secret_words::STANDARDS;
use super::secrets::Spans;
use super::wholes;

/// Words that a spoken value follows.
const TOLD: &str = "password|passphrase|passcode|pass phrase|kata sandi|sandi|katasandi|pin|pwd|secret|passwort|kode akses|kode|code|credential|key|token";

pub(super) fn find(text: &str, lower: &str) -> Spans {
    let bytes = text.as_bytes();
    let mut spans: Spans = identity::cards(text, lower);
    let first =
        |found: regex::bytes::Captures<'_>| found.iter().skip(1).flatten().next().map(|value| (value.start(), value.end()));
    let spelled = pattern!(
        r"(?i)\b(?:pin|pin-?nya|code|passcode|kode|kodenya|sandi|otp|combination|kombinasi)\b[^.\n]{0,40}?(?:\bis\b|\badalah\b|\bequals\b|:|=)\s*(\d(?:[ -]\d){3,7})\b"
    );
    spans.extend(spelled.captures_iter(bytes).filter_map(first));
    let words = pattern!(
        r"(?i)\b(?:recovery|seed|mnemonic|backup|wallet|secret|pemulihan|cadangan|frasa)[ -]?(?:phrase|words?|kata|frasa|pemulihan)?\b[^\n:=]{0,30}?(?:\bis\b|\bare\b|\badalah\b|:|=|-)\s*:?\s*[`'\x22]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b"
    );
    spans.extend(words.captures_iter(bytes).filter_map(first));
    let pieces = pattern!(&format!(
        r"(?i)\b(?:{TOLD})(?:nya)?\b[^.\n]{{0,40}}?\b(?:is|equals|adalah|was|begins with|starts with)\s+([^\s.,;]{{3,}}\s+(?:followed by|then|plus|and then|and continues(?: with)?|and ends with|diikuti|lalu|ditambah)\s+[^\s.,;]+(?:\s+then\s+[^\s.,;]+)?)"
    ));
    spans.extend(pieces.captures_iter(bytes).filter_map(first).filter(|span| {
        let told = &lower[span.0..span.1];
        let parts = || told.split_whitespace().filter(|part| !matches!(*part, "and" | "then" | "by"));
        let sized = parts().any(|part| part.bytes().any(|b| b.is_ascii_digit()) && !STANDARDS.contains(part));
        sized
            || parts()
                .next()
                .is_some_and(|part| !gazetteer::is_english(part) && !gazetteer::is_term(part) && !STANDARDS.contains(part))
    }));
    let named = pattern!(&format!(
        r"(?i)\b(?:{TOLD})(?:nya)?\b[^.\n]{{0,40}}?\b(?:is|equals|adalah|was|reads|read out as|spelled(?: out)? as|spelled(?: out)?)\s+(?:the |exactly )?(?:string|word|phrase|value|text|kata|characters)\s+[`'\x22]?([^\s`'\x22]{{4,}})"
    ));
    spans.extend(named.captures_iter(bytes).filter_map(first).filter(|span| odd(&text[span.0..span.1])));
    let read_out = pattern!(
        r"(?i)\b(?:password|passphrase|passcode|pin|code|sandi)\b[^.\n]{0,24}?\b(?:read out as|spelled(?: out)? as|dictated as|dibaca|dieja)\s+([^\n]{4,60})"
    );
    spans.extend(read_out.captures_iter(bytes).filter_map(first));
    let login = pattern!(
        r"(?i)\b(?:log|sign|masuk|login)\b ?(?:in|on|s|ged)?\b[^.\n]{0,50}?\b(?:word|phrase|string|kata|passcode|pass)\s+[`'\x22]?([^\s`'\x22]{4,})"
    );
    spans.extend(login.captures_iter(bytes).filter_map(first).filter(|span| odd(&text[span.0..span.1])));
    let wrapped = pattern!(
        r"(?i)\b(?:password|passphrase|phrase|secret|key|token|sandi|credential)\b[^\n]{0,50}?[^A-Za-z0-9+/]([A-Za-z0-9+/]{10,}={1,2})(?:\s|$|[.,;])"
    );
    spans.extend(wrapped.captures_iter(bytes).filter_map(first));
    // Not the value, but a place where everybody can read it.
    let described = pattern!(
        r"(?i)\b(?:password|passphrase|passcode|pin|(?:alarm|door|gate|safe|vault) code|lockbox digits|kata sandi|sandi|kode (?:alarm|pintu|brankas|gerbang)|passwort)(?:nya)?\b[^.\n]{0,40}?(?:\bis\b|\bare\b|\badalah\b|\bist\b|\bsama dengan\b|\bequals\b|:)\s+(?:the |das |der |die |twice |two times |dua kali )?(?:first (?:line|letters?|word)|initials of|founding year|(?:year|name|nama|nomor|tahun|tanggal|ulang tahun|birthday|plat|word|wort) (?:of|that|the|motor|mobil|warung|toko|jalan|perusahaan|kantor|berdiri|lahir|(?-i:[A-Z])[a-z]+)|team name|house number|badge number|atomic numbers?)\b[^.;\n]*|\b(?:safe|vault|cabinet|lockbox|brankas|padlock)\b[^.\n]{0,24}\b(?:opens?|unlocks?|dibuka|terbuka) (?:with|to|dengan) (?:the )?(?:company motto|motto|founding year|year|birthday|[a-z-]+ (?:squared|times|plus|followed by))[^.;\n]*"
    );
    spans.extend(wholes(described, bytes));
    spans.extend(doors(text, lower));
    spans.extend(one_time(text));
    let strong = pattern!(
        r"(?i)\b(?:password|kata sandi|sandi|passphrase|pwd|passwort|wifi|wi-fi)(?:nya)?(?:\s+[a-z-]{2,16}){1,4}\s+[`'\x22]?([A-Za-z0-9]{2,}[!@#$%^&*~+][A-Za-z0-9!@#$%^&*~+]{2,})"
    );
    spans.extend(strong.captures_iter(bytes).filter_map(first).filter(|span| {
        let value = &text[span.0..span.1];
        value.bytes().any(|b| b.is_ascii_digit())
            && value.bytes().any(|b| b.is_ascii_alphabetic())
            && !value.contains("++")
            && !(value.contains('@') && text[span.1..].starts_with('.'))
    }));
    spans
}

/// `my OTP is 482913`, `kode verifikasinya 1183`; not a description of such a code: `the OTP is valid for 300 seconds`.
fn one_time(text: &str) -> Spans {
    const LINKS: &str = r"(?: (?:is|was|just|now|again|i got|from \w+|saya|aku|gue|gw|dari \w+|tadi|barusan|adalah|itu|ini|yang masuk|for (?:the |my )?\w+)| ?[:=-])*";
    const UNITS: &str =
        " second seconds s ms minute minutes hour hours day days digit digits characters times errors detik menit jam hari ";
    let code = pattern!(&format!(
        r"(?i)\b(?:otp|one[- ]time (?:code|password|pin|passcode)|(?:verification|security|login|sign-in|confirmation|auth(?:entication)?|sms|2fa|mfa|two-factor) code|kode (?:otp|verifikasi|keamanan|autentikasi|konfirmasi))(?:ku|mu|nya)?{LINKS} ?(\d{{3}}[ -]?\d{{3}}|\d{{4,8}})\b|\b(?:cvv2?|cvc)(?:ku|mu|nya)?{LINKS} ?(\d{{3,4}})\b"
    ));
    let described = |end: usize| {
        let next = text[end..].trim_start_matches([' ', '-']).split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
        !next.is_empty() && UNITS.contains(&format!(" {} ", next.to_ascii_lowercase()))
    };
    let values = code.captures_iter(text.as_bytes()).filter_map(|found| found.get(1).or(found.get(2)));
    values.map(|value| (value.start(), value.end())).filter(|(_, end)| !described(*end)).collect()
}

/// `the alarm code 0428-K`, `the safe opens with 31-08-64`, `kode pintu 4471`.
fn doors(text: &str, lower: &str) -> Spans {
    let code = pattern!(
        r"(?i)\b(?:alarm|door|gate|entry|keypad|safe|lock|locker|padlock|garage|vault|pintu|brankas|gerbang|loker|gembok)\s+(?:code|pin|kode|combination|passcode)(?:nya)?\b(?:\s+(?:for|of|to|at|untuk|di)\s+[^.\n0-9]{1,30}?)?\s*(?:\bis\b|\badalah\b|:|=)?\s*[`'\x22]?(\d{4,8}(?:-[A-Za-z0-9]{1,4}|[A-Za-z#*])?\b|\d{2}(?:-\d{2}){1,3}\b)|\b(?:kode|pin|sandi|kombinasi)\s+(?:alarm|pintu|brankas|gerbang|loker|gembok|atm|kartu|garasi|gudang|ruang)\b[^.\n0-9]{0,30}?(\d{4,8}(?:-[A-Za-z0-9]{1,4})?\b)|\b(?:safe|vault|lock|padlock|door|gate|cabinet|locker|keypad|brankas|pintu|gembok|gerbang)\b[^.\n]{0,40}?\b(?:opens? (?:with|on|to)|unlocks? (?:with|on)|combination is|code is|dibuka dengan|terbuka dengan|kodenya)\s+(?:the (?:code|numbers?) )?(\d{2,8}(?:[- ][0-9A-Za-z]{1,4}){0,5}\b)"
    );
    let mut spans = Spans::new();
    for found in code.captures_iter(text.as_bytes()) {
        let Some(value) = found.iter().skip(1).flatten().next() else { continue };
        let digits = value.as_bytes().iter().filter(|b| b.is_ascii_digit()).count();
        let explained = ["means", "indicates", "maps", "is raised", "is logged", "berarti", "artinya", "stands for", "signals"]
            .iter()
            .any(|word| lower[value.end()..].trim_start().starts_with(word));
        if digits >= 4 && !explained {
            spans.push((value.start(), value.end()));
        }
    }
    spans
}

/// Not a plain word: it has digits, capitals inside, or several hyphens.
fn odd(value: &str) -> bool {
    let bare = value.trim_end_matches(['.', ',', ';', ')', '!', '?']);
    bare.bytes().any(|b| b.is_ascii_alphabetic())
        && (bare.bytes().any(|b| b.is_ascii_digit())
            || bare.bytes().skip(1).any(|b| b.is_ascii_uppercase())
            || bare.matches('-').count() >= 2)
}
