//! Ways to reach somebody: e-mail addresses, handles and telephone numbers, including spelled-out and spaced forms.
//!
//! Also numbers of personal documents: cards, accounts, identity numbers. A number is judged by its check digits or its shape,
//! never by its length: trace ids and timestamps are long too.

use super::contact_words as list;
use super::people;
use super::placeholders::is_sample_mail;
use super::reading::Reading;
use super::wholes;

type Spans = Vec<(usize, usize)>;

/// Domain endings that complete an address even if the rest is spelled out.
const MAIL_ENDINGS: &str = "com|net|org|io|dev|de|id|co|uk|eu|fr|nl|es|it|pl|se|ch|at|be|us|edu|gov|info|biz|app|ai|me|jp|in|sg|my|au|ru|cn|br|pe|pl|cl|ar|mx|tr|za|ke|ng|ph|vn|th|my|nz|ie|no|fi|dk|cz|hu|ro|pt|gr|ua|il|kr|tw|hk|example|test|local|internal|xyz|tech|cloud";

pub(super) fn emails(reading: &Reading) -> Spans {
    let text = reading.text();
    let mut spans: Spans = Vec::new();
    for found in pattern!(r"[A-Za-z0-9\x01][A-Za-z0-9._%+\x01'-]*\s?@\s?[A-Za-z0-9\x01-]+(?:\s?[.,]\s?[A-Za-z0-9\x01-]+)+")
        .find_iter(text.as_bytes())
    {
        let address = &text[found.start()..found.end()];
        let whole = address.split_whitespace().next().unwrap_or("").trim_end_matches([',', '.']);
        if whole.split_once('@').is_some_and(|(_, domain)| domain.contains('.'))
            && !version_pin(whole)
            && !git_remote(whole)
            && mail_like(whole)
        {
            if !is_sample_mail(reading, whole) {
                spans.push((found.start(), found.start() + whole.len()));
            }
        } else if !version_pin(address) && !git_remote(address) && mail_like(address) {
            spans.push((found.start(), found.end()));
        }
    }
    let spelled = pattern!(&format!(
        r"(?i)\b[a-z0-9][a-z0-9._%+-]*\s*(?:\s(?:at|arroba|et|chez|bei|chiocciola|ad)\s|[\[({{<]\s*(?:at|a|@|et|ad|arroba)\s*[\])}}>]|[ _-]at[ _-]|\s@\s)\s*[a-z0-9-]+(?:\s*(?:\s(?:dot|titik|punkt|point|punto|punt)\s|[\[({{<]\s*(?:dot|titik|\.)\s*[\])}}>]|[ _-]dot[ _-])\s*[a-z0-9-]+)*\s*(?:\s(?:dot|titik|punkt|point|punto|punt)\s|[\[({{<]\s*(?:dot|titik|\.)\s*[\])}}>]|[ _-]dot[ _-])\s*(?:{MAIL_ENDINGS})\b"
    ));
    spans.extend(wholes(spelled, text.as_bytes()));
    let bracketed = pattern!(&format!(
        r"(?i)\b[a-z0-9][a-z0-9._%+-]*\s*[\[({{<]\s*(?:at|a|@|et|ad|arroba|AT)\s*[\])}}>]\s*[a-z0-9.-]+\.(?:{MAIL_ENDINGS})\b"
    ));
    spans.extend(wholes(bracketed, text.as_bytes()));
    let underscored = pattern!(&format!(
        r"(?i)\b[a-z0-9.]+[_-]at[_-][a-z0-9-]+\.(?:{MAIL_ENDINGS})\b|\b[a-z0-9][a-z0-9._%+-]*\s?[\[({{<]\s?(?:at|@|et|arroba)\s?[\])}}>]\s?[a-z0-9-]+\s?[\[({{<]\s?(?:dot|titik|\.|punkt|point)\s?[\])}}>]\s?[a-z]{{2,8}}\b"
    ));
    spans.extend(wholes(underscored, text.as_bytes()));
    let provider = pattern!(
        r"(?i)\b[a-z0-9][a-z0-9._%+-]+\s*(?:\s(?:at|on|di|@)\s|@)\s*(?:gmail|googlemail|yahoo|outlook|hotmail|proton|protonmail|icloud|gmx|ymail|fastmail)\b"
    );
    spans.extend(wholes(provider, text.as_bytes()).filter(|(from, _)| {
        let local = text[*from..].split_whitespace().next().unwrap_or("");
        !matches!(
            local.to_ascii_lowercase().as_str(),
            "login"
                | "hosted"
                | "mail"
                | "mailboxes"
                | "sign-in"
                | "delivery"
                | "rendering"
                | "accounts"
                | "up"
                | "blocked"
                | "is"
                | "it"
        )
    }));
    spans
}

/// `react@18.2.0`, `checkout@v4`: a package and its version.
fn version_pin(address: &str) -> bool {
    let domain = address.rsplit('@').next().unwrap_or("").trim();
    domain.split(['.', ',']).all(|label| label.trim().trim_start_matches('v').bytes().all(|b| b.is_ascii_digit()))
        || domain.starts_with(|c: char| c.is_ascii_digit()) && domain.contains('.') && !domain.ends_with("com")
        || domain.starts_with('v') && domain[1..].starts_with(|c: char| c.is_ascii_digit())
}

fn git_remote(address: &str) -> bool {
    ["git@github.com", "git@gitlab.com", "git@bitbucket.org", "git@ssh.dev.azure.com"]
        .iter()
        .any(|remote| address.starts_with(remote))
}

/// Spaces inside count only if the address is otherwise complete: `see foo @ bar. Then` is not an address.
fn mail_like(address: &str) -> bool {
    let ending = address.rsplit(['.', ',']).next().unwrap_or("").trim();
    if !address.contains(char::is_whitespace) {
        return ending.len() >= 2 && !ending.bytes().all(|b| b.is_ascii_digit());
    }
    MAIL_ENDINGS.split('|').any(|known| known.eq_ignore_ascii_case(ending))
}

pub(super) fn handles(reading: &Reading) -> Spans {
    let (text, lower) = (reading.text(), reading.lower());
    let mut spans: Spans = Vec::new();
    for found in
        pattern!(r"(?:^|[^A-Za-z0-9_./@=\\-])@([A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9]|[A-Za-z])").captures_iter(text.as_bytes())
    {
        let Some(name) = found.get(1) else { continue };
        if !at_word(reading, &lower[name.start()..name.end()], name.start(), name.end()) {
            spans.push((name.start() - 1, name.end()));
        }
    }
    let spoken = pattern!(
        r"(?i)\b(?:(?:slack|telegram|discord|github|gitlab|twitter|instagram|ig|linkedin|mastodon|skype|line|wechat|signal|bitbucket|jira|irc|matrix|bluesky|threads|tiktok|x|whatsapp|steam|teams|linux|unix)\s+)?(?:handle|username|user ?name|login|nick(?:name)?|account(?: name)?|user ?id|screen name|alias|akun|id)(?:nya)?\s*(?:is|:|=|adalah|ist|yaitu|of)\s*[`'\x22]?@?([A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9])"
    );
    spans.extend(captured(spoken, text).filter(|span| personal_token(&text[span.0..span.1])));
    let bare = pattern!(
        r"(?i)\b(?:slack|telegram|discord|github|gitlab|twitter|instagram|ig|linkedin|mastodon|skype|bluesky|tiktok|tg)\s*(?:handle|username|user|account|id|nick|profile|akun)?\s*[: ]\s*[`'\x22]?@?([A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9])"
    );
    spans.extend(captured(bare, text).filter(|span| coined_token(&text[span.0..span.1])));
    let numbered = pattern!(
        r"(?i)\b(?:user|account|handle|username|login|akun|member|profile)\s+[`'\x22]?@?([a-z][a-z_.-]{2,}\d{1,4}|[a-z]{2,}_[a-z0-9_]{1,})\b"
    );
    let social = pattern!(
        r"(?i)\b(?:slack|telegram|discord|github|gitlab|gh|twitter|instagram|linkedin|mastodon|skype|tiktok|bitbucket|jira|reddit)\b"
    );
    if social.is_match(text.as_bytes()) {
        spans.extend(captured(numbered, text));
        spans.extend(
            captured(pattern!(r"\b([UW][A-Z0-9]{8,11})\b"), text)
                .filter(|span| text[span.0..span.1].bytes().any(|b| b.is_ascii_digit())),
        );
    }
    let tag = pattern!(r"(?i)\bdiscord\b[^.\n]{0,30}?\b([A-Za-z][\w.]{1,31}#\d{4})\b");
    spans.extend(captured(tag, text));
    spans.extend(captured(pattern!(r"(?:^|\s)(/?u/[A-Za-z][A-Za-z0-9_-]{2,})\b"), text));
    spans.extend(
        captured(pattern!(r"(?i)\b(?:at[- ]sign|at-symbol|at symbol|add|dm|ping|mention)\s+at\s+([a-z][a-z0-9_.]+)\b"), text)
            .filter(|s| personal_token(&text[s.0..s.1])),
    );
    spans.extend(
        captured(pattern!(r"(?i)\bat[- ]?(?:sign|symbol)\s+([a-z][a-z0-9_.]+)\b"), text)
            .filter(|s| personal_token(&text[s.0..s.1])),
    );
    let quoted = pattern!(r"(?i)\b(?:user|login|account|akun|pengguna)\s+['`\x22]([a-z][a-z0-9._-]{3,})['`\x22]");
    spans.extend(captured(quoted, text).filter(|span| {
        let name = &lower[span.0..span.1];
        personal_token(name) && !super::gazetteer::is_ordinary(name) && !super::path_words::SERVICE_USERS.contains(&name)
    }));
    // `owner: bverhoeven`, `#rsantos`: an initial and a surname.
    let marked = pattern!(r"(?i)(?:\b(?:owner|assignee|author|reviewer|pemilik)\s*[:=]\s*|(?:^|\s)[#~])([a-z]{5,})\b");
    spans.extend(captured(marked, text).filter(|span| {
        let name = &lower[span.0..span.1];
        let named = |part: &str| super::gazetteer::name(part).is_some() && !super::gazetteer::is_ordinary(part);
        !super::gazetteer::is_ordinary(name) && (named(name) || named(&name[1..]))
    }));
    // `the cron user is svc-lucinda`: a personal name inside a login name.
    let user = pattern!(r"(?i)\b(?:user|pengguna)\s*(?:is|adalah|=|:)\s*[`'\x22]?([a-z][a-z0-9]*(?:[._-][a-z0-9]+)+)");
    spans.extend(captured(user, text).filter(|span| {
        let mut parts = lower[span.0..span.1].split(['.', '_', '-']);
        parts.any(|part| {
            let given = matches!(
                super::gazetteer::name(part),
                Some(super::gazetteer::NameClass::Common | super::gazetteer::NameClass::Given)
            );
            given && part.len() >= MIN_ACCOUNT && !super::gazetteer::is_ordinary(part)
        })
    }));
    spans.extend(super::accounts::named(text).filter(|span| account_name(&text[span.0..span.1])));
    spans.extend(super::accounts::of_person(text));
    spans.extend(super::accounts::numbered(text).filter(|span| {
        let stem = lower[span.0..span.1].trim_end_matches(|c: char| c.is_ascii_digit());
        !super::gazetteer::is_ordinary(stem)
    }));
    spans.extend(super::accounts::called(text).filter(|span| account_name(&text[span.0..span.1])));
    spans.extend(super::accounts::said(text).filter(|span| account_name(&text[span.0..span.1])));
    let team_id = pattern!(r"<@([UW][A-Z0-9]{7,}|[0-9]{15,})>");
    spans.extend(captured(team_id, text));
    spans
}

pub(super) fn captured<'t>(pattern: &'t regex::bytes::Regex, text: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
    pattern.captures_iter(text.as_bytes()).filter_map(|found| found.get(1).map(|m| (m.start(), m.end())))
}

fn at_word(reading: &Reading, name: &str, start: usize, end: usize) -> bool {
    let (text, lower) = (reading.text(), reading.lower());
    let after = &text[end..];
    let first = name.split(['.', '-', '_']).next().unwrap_or(name);
    let person = matches!(
        super::gazetteer::name(first.trim_end_matches(|c: char| c.is_ascii_digit())),
        Some(super::gazetteer::NameClass::Common | super::gazetteer::NameClass::Given)
    );
    if after.starts_with('/')
        || after.starts_with('(')
        || after.starts_with(':') && after[1..].starts_with(|c: char| c.is_ascii_alphanumeric())
    {
        return true;
    }
    let listed = |word: &str| list::AT_WORDS.contains(word);
    if listed(name) || listed(first) {
        return true;
    }
    let near_after = lower[end..].split_whitespace().take(2).any(|word| {
        list::NOUNS.contains(&word.trim_matches(|c: char| !c.is_ascii_alphabetic() && c != '-').trim_end_matches('s'))
    });
    let near_before = lower[..start - 1].split_whitespace().rev().take(3).any(|word| {
        matches!(
            word,
            "decorator"
                | "annotation"
                | "annotated"
                | "decorated"
                | "annotations"
                | "directive"
                | "decorators"
                | "anotasi"
                | "dekorator"
                | "annotate"
                | "alias"
                | "scope"
        )
    });
    if near_after || near_before {
        return true;
    }
    let written = &text[start..end];
    let capital = written.starts_with(|c: char| c.is_ascii_uppercase());
    let asked =
        lower[..start - 1].split_whitespace().next_back().is_some_and(|word| super::people_words::ASKING_PERSONS.contains(&word));
    capital && !person && !asked && !written.contains(['_', '.'])
        || written.starts_with("team")
        || written.ends_with("-team")
        || written.ends_with("-bot")
}

/// Not an ordinary word: it has a digit or underscore, or is (part of) a name, or is in no dictionary.
fn personal_token(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    !super::gazetteer::is_english(&lower)
        && !super::gazetteer::is_term(&lower)
        && !super::gazetteer::is_indonesian(&lower)
        && !list::NOT_ACCOUNTS.contains(lower.as_str())
}

/// Shorter words after `account` are verbs.
const MIN_ACCOUNT: usize = 4;

/// A word that can only be an account name: it has special characters, or is not a known word.
fn account_name(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    let known = |part: &str| {
        super::gazetteer::is_english(part) || super::gazetteer::is_term(part) || super::gazetteer::is_indonesian(part)
    };
    lower.len() >= MIN_ACCOUNT
        && personal_token(token)
        && (lower.contains('_') && !lower.ends_with("_id")
            || lower.bytes().any(|b| b.is_ascii_digit()) && lower.len() >= 4
            || !lower.split(['-', '.']).all(known))
}

/// Certainly made up by a person: `dana_k`, `budi99`, `danakarpova`.
fn coined_token(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    if !personal_token(token) {
        return false;
    }
    let parts = lower.split(['_', '.', '-']);
    let named = parts.clone().any(|part| {
        let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
        stem.len() >= 3
            && matches!(
                super::gazetteer::name(stem),
                Some(super::gazetteer::NameClass::Common | super::gazetteer::NameClass::Given)
            )
            && !super::gazetteer::is_english(stem)
    });
    named || people::run_together(&lower) || starts_with_name(&lower)
}

/// `danak`, `budisan`: a common name plus one or two letters.
pub(super) fn starts_with_name(token: &str) -> bool {
    let token = token.trim_end_matches(|c: char| c.is_ascii_digit());
    (1..=2).any(|extra| {
        token.len().checked_sub(extra).is_some_and(|cut| {
            cut >= 4
                && token.is_char_boundary(cut)
                && super::gazetteer::name(&token[..cut]) == Some(super::gazetteer::NameClass::Common)
        })
    }) && !super::gazetteer::is_english(token)
        && !super::gazetteer::is_term(token)
}

/// Words for digits, in English, Indonesian and German.
const DIGIT_WORDS: &str = "zero|oh|one|two|three|four|five|six|seven|eight|nine|nol|kosong|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|null|eins|zwei|zwo|drei|vier|funf|sechs|sieben|acht|neun";

pub(super) fn phones(reading: &Reading) -> Spans {
    let text = reading.text();
    let bytes = text.as_bytes();
    let mut spans: Spans = Vec::new();
    let mut keep = |found: regex::bytes::Match<'_>, least: usize, most: usize| {
        let digits = bytes[found.start()..found.end()].iter().filter(|b| b.is_ascii_digit()).count();
        if digits >= least
            && digits <= most
            && !counted(text, found.end())
            && !numbered(text, found.start())
            && !part_of_more(bytes, found.start(), found.end())
        {
            spans.push((found.start(), found.end()));
        }
    };
    let international = pattern!(r"(?:\+|\b00)[1-9]\d{0,2}(?:[ ()./-]{0,3}\d){6,13}\b");
    international
        .find_iter(bytes)
        .filter(|m| !text[..m.start()].ends_with(|c: char| c.is_ascii_alphanumeric()))
        .for_each(|m| keep(m, 8, 15));
    let local = pattern!(r"(?:\(0\d{1,4}\)|\b0[1-9]\d{1,3})(?:[ ./_-]{1,3}\d{2,5}){2,4}\b");
    local.find_iter(bytes).for_each(|m| keep(m, 8, 13));
    pattern!(r"\b(?:\(0\d{2,3}\)\s?|0[2-9]\d{1,3}[ ./_-])\d{5,8}\b").find_iter(bytes).for_each(|m| keep(m, 8, 13));
    pattern!(r"\(0\d{1,4}\)\s?\d{3,4}[ -]?\d{3,5}\b").find_iter(bytes).for_each(|m| keep(m, 8, 13));
    pattern!(r"\b(?:62|0)8[1-9]\d(?:[ ._-]?\d){6,10}\b").find_iter(bytes).for_each(|m| keep(m, 9, 14));
    pattern!(r"(?:\b|\()[2-9]\d{2}\)?[-. ]{1,2}[2-9]?\d{2}[-. ]\d{4}\b").find_iter(bytes).for_each(|m| keep(m, 9, 10));
    pattern!(r"\(0\)\s?\d{2,4}(?:[ -]\d{3,5}){1,3}\b|\b0[1-9]\d{1,4}/\d{5,8}\b|\b1[-. ]\d{3}[-. ]\d{3}[-. ]\d{4}\b|\b0\d(?:[ .]\d{2}){4,5}\b")
        .find_iter(bytes)
        .for_each(|m| keep(m, 8, 13));
    let announced = pattern!(
        r"(?i)\b(?:phone|call(?: on| at)?|tel|telp|telepon|telefon|wa|whatsapp|hp|mobile|cell|sms|text|fax|hotline|dial|nomor(?:nya)?|hubungi|handy|rufnummer|contact|number|reach(?:ed|able)?|no\.? ?hp)\b[^0-9+\n]{0,24}?(\+?\(?\d(?:[ ().-]{0,2}\d){6,14})\b"
    );
    for (all, number) in announced.captures_iter(bytes).filter_map(|found| found.get(0).zip(found.get(1))) {
        let vague = all.as_bytes().to_ascii_lowercase().starts_with(b"number")
            || all.as_bytes().to_ascii_lowercase().starts_with(b"contact");
        let between = String::from_utf8_lossy(&bytes[all.start()..number.start()]).to_ascii_lowercase();
        if between
            .split(|c: char| !c.is_ascii_alphabetic())
            .any(|word| list::NUMBERED_THINGS.contains(word) || matches!(word, "contoh" | "sample" | "example" | "resi"))
        {
            continue;
        }
        let dialled = number.as_bytes().starts_with(b"0") || number.as_bytes().iter().any(|b| !b.is_ascii_digit());
        if (!vague || dialled) && !ascending(number.as_bytes()) {
            keep(number, 7, 15);
        }
    }
    let line = pattern!(
        r"(?i)\b(?:line|hotline|switchboard|pager|front desk|help ?desk|reception|dispatcher|saluran|loket)\b[^0-9+\n]{0,24}?\b(\d{2,4}(?:[ -]\d{2,5}){2,4})\b"
    );
    line.captures_iter(bytes).filter_map(|found| found.get(1)).for_each(|m| keep(m, 9, 14));
    pattern!(r"(?i)\b(?:extension|ext\.?|durchwahl)\s*(?:is|:)?\s*#?\d{3,5}\b").find_iter(bytes).for_each(|m| keep(m, 3, 5));
    pattern!(r"(?i)\b(?:phone|call|tel|telp|mobile|cell|dial)\b[^0-9\n]{0,20}?\b\d{3}[-. ]\d{4}\b")
        .find_iter(bytes)
        .for_each(|m| keep(m, 7, 7));
    let spaced = pattern!(r"\b[0+]?\d(?:[ _*|,~-]{1,3}\d){7,14}\b");
    spaced.find_iter(bytes).filter(|m| !ascending(&bytes[m.start()..m.end()])).for_each(|m| keep(m, 8, 15));
    let masked = pattern!(r"\b[0oO](?:8|[ -]?[1-9][ -]?[0-9])[0-9oOIlSB ](?:[ -]?[0-9oOIlSB]){6,10}\b");
    masked.find_iter(bytes).for_each(|m| keep(m, 5, 13));
    let words = pattern!(&format!(
        r"(?i)\b(?:(?:double |triple |dobel )?(?:{DIGIT_WORDS}|\d{{1,4}})[ ,.-]+(?:(?:and then|then|dash|hyphen|space|lalu|terus|strip|spasi) )?){{5,20}}(?:{DIGIT_WORDS}|\d{{1,4}})\b"
    ));
    let word = pattern!(&format!(r"(?i)\b(?:{DIGIT_WORDS})\b"));
    for found in words.find_iter(bytes) {
        if word.find_iter(&bytes[found.start()..found.end()]).count()
            >= if found.as_bytes().iter().any(u8::is_ascii_digit) { 3 } else { 4 }
        {
            spans.push((found.start(), found.end()));
        }
    }
    spans
}

fn ascending(run: &[u8]) -> bool {
    let digits: Vec<u8> = run.iter().copied().filter(u8::is_ascii_digit).collect();
    digits.windows(2).all(|pair| pair[1] >= pair[0]) || digits.iter().all(|d| matches!(d, b'0' | b'1'))
}

/// `order 000123456789`, `the part number is 0812…`: the number of a thing.
fn numbered(text: &str, start: usize) -> bool {
    const FAR: usize = 80;
    const BETWEEN: [&str; 8] = ["number", "numbers", "no", "nr", "nomor", "is", "adalah", "of"];
    // `SNI 03-1726-2019`: a standard is written after its body; a number to dial is not.
    let standard = pattern!(r"\b(?:ISO|IEC|SNI|DIN|EN|ASTM|ANSI|JIS|IEEE|ASME|NFPA|BS|RFC)[ /-]?$");
    let told = pattern!(
        r"(?i)\b(?:part|order|serial|article|item|model|invoice|batch|ticket|reference|tracking|drawing|catalogue|catalog|stock|contract|policy|asset|meter) (?:numbers?|codes?|nr)(?: (?:for|of) the [a-z -]{2,24}?)?(?: is| are| looks? like|:|,)? ?[`'\x22]?$"
    );
    let before = &text.as_bytes()[start.saturating_sub(FAR)..start];
    if standard.is_match(before) || told.is_match(before) {
        return true;
    }
    let words = text[..start].trim_end_matches([' ', '#', ':']).rsplit(|c: char| !c.is_ascii_alphabetic());
    let thing = words.map(str::to_ascii_lowercase).find(|word| !BETWEEN.contains(&word.as_str()));
    thing.is_some_and(|thing| list::NUMBERED_THINGS.contains(thing.as_str()))
}

/// `+12 345 678 rows` counts something.
fn counted(text: &str, end: usize) -> bool {
    let next = text[end..].trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("").to_ascii_lowercase();
    list::COUNTED.contains(next.as_str())
}

/// Part of a longer number, version, id or identifier.
pub(super) fn part_of_more(bytes: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).map_or(b' ', |i| bytes[i]);
    let after = bytes.get(end).copied().unwrap_or(b' ');
    let further = bytes.get(end + 1).copied().unwrap_or(b' ');
    before.is_ascii_alphanumeric()
        || matches!(before, b'.' | b'_' | b'-' | b'/' | b'#' | b':' | b'=' | b'$' | b'x')
            && before != b':'
            && start > 1
            && bytes[start - 2].is_ascii_alphanumeric()
        || after.is_ascii_alphanumeric()
        || matches!(after, b'.' | b'_' | b'-' | b'/') && further.is_ascii_alphanumeric()
        || matches!(before, b'#' | b'$')
}
