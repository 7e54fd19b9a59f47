//! Links that contain a personal account or a login, or lead to a team's own site or document.

use super::gazetteer;
use super::path_words as list;
use super::paths::known_person;
use super::reading::Reading;

type Spans = Vec<(usize, usize)>;

/// A repository owner made of ordinary words and products: `rust-lang`, `launchbadge`.
fn organisation(owner: &str) -> bool {
    let known = |part: &str| {
        part.is_empty()
            || gazetteer::is_term(part)
            || gazetteer::is_english(part)
            || list::ENDINGS.contains(&part)
            || part.bytes().all(|b| b.is_ascii_digit())
    };
    let compound = |part: &str| {
        (2..part.len().saturating_sub(1)).any(|cut| part.is_char_boundary(cut) && known(&part[..cut]) && known(&part[cut..]))
    };
    owner.split(['-', '_', '.']).all(|part| known(part) || part.len() >= 5 && compound(part))
        && !owner.ends_with(|c: char| c.is_ascii_digit())
}

pub(super) fn links(reading: &Reading) -> Spans {
    let text = reading.text();
    let bytes = text.as_bytes();
    let mut spans: Spans = Vec::new();
    let every = |found: &regex::bytes::Match<'_>| (found.start(), found.end());
    spans.extend(
        pattern!(r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:'\x22`<>]+:[^\s/@'\x22`<>]+@[^\s'\x22`<>]+")
            .find_iter(bytes)
            .map(|m| every(&m))
            .filter(|span| {
                let link = &text[span.0..span.1];
                !["://user:pass", "://user:password@", "://username:password@", "://<", "://{", "://$", "://USER:"]
                    .iter()
                    .any(|sample| link.contains(sample))
                    && !link.contains("${")
                    && !link.contains(":***@")
                    && !link.contains("://postgres:postgres@")
                    && !link.contains("://root:root@")
                    && !link.contains("://guest:guest@")
            }),
    );
    spans.extend(
        pattern!(r"(?i)\b(?:https?|ftp|sftp|ssh|rsync)://[a-z0-9_.-]+@[a-z0-9.-]+[^\s'\x22`<>]*")
            .find_iter(bytes)
            .map(|m| every(&m))
            .filter(|span| !reading.lower()[span.0..span.1].starts_with("ssh://git@github.com")),
    );
    let profiles = pattern!(
        r"(?i)\b(?:(?:[a-z]{2,3}\.)?linkedin\.com/(?:in|pub)/|twitter\.com/|x\.com/|t\.me/|telegram\.me/|instagram\.com/|facebook\.com/|fb\.com/|threads\.net/@|medium\.com/@|dev\.to/|stackoverflow\.com/users/|calendly\.com/|cal\.com/|wa\.me/|keybase\.io/|youtube\.com/@|tiktok\.com/@|npmjs\.com/~|crates\.io/users/|reddit\.com/u(?:ser)?/|hub\.docker\.com/u/|pypi\.org/user/|bsky\.app/profile/|zoom\.us/(?:j|my)/|meet\.google\.com/[a-z]{3}-|gravatar\.com/|about\.me/|patreon\.com/|signal\.me/|discord\.gg/|discord\.com/users/|m\.me/|line\.me/ti/|open\.spotify\.com/user/|leetcode\.com/u?/?|kaggle\.com/|huggingface\.co/)([A-Za-z0-9._%+@-]+)"
    );
    for found in profiles.captures_iter(bytes) {
        let (Some(all), Some(name)) = (found.get(0), found.get(1)) else { continue };
        let lower = &reading.lower()[name.start()..name.end()];
        let hugging = reading.lower()[all.start()..].starts_with("huggingface") && !known_person(lower);
        if !list::PAGES.contains(&lower) && !hugging {
            spans.push((all.start(), all.end()));
        }
    }
    let forge = pattern!(
        r"(?i)\b(?:gist\.)?(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)[/:]([A-Za-z0-9][A-Za-z0-9_.-]*)(/[A-Za-z0-9_.-]+)?"
    );
    for found in forge.captures_iter(bytes) {
        let (Some(all), Some(owner)) = (found.get(0), found.get(1)) else { continue };
        let name = reading.lower()[owner.start()..owner.end()].trim_end_matches('.');
        let repository = found.get(2).map(|m| &reading.lower()[m.start()..m.end()]);
        let public = list::FORGE_PAGES.contains(&name) || gazetteer::is_term(name);
        let gist = reading.lower()[all.start()..].starts_with("gist.");
        let manual =
            ["docs.", "developer.", "api.", "status.", "support."].iter().any(|part| text[..all.start()].ends_with(part));
        if manual {
            continue;
        }
        let person = known_person(name)
            || !organisation(name)
            || gist
            || repository.is_none_or(|repository| list::OWN_REPOSITORIES.contains(&repository.trim_end_matches('.')));
        if person && !public {
            spans.push((all.start(), all.end()));
        }
    }
    let at_name = pattern!(r"(?i)\bhttps?://([a-z0-9.-]+)/@[a-z0-9_.-]+(?:$|[\s.,;)'\x22])");
    spans.extend(at_name.captures_iter(bytes).filter_map(|found| found.get(0)).map(|m| every(&m)));
    let tilde = pattern!(
        r"(?i)\bhttps?://[^\s'\x22`<>]*?/(?:~|@|u/|users?/|people/|profile/|member/|staff/|in/|team/)([A-Za-z][A-Za-z0-9._-]{2,})"
    );
    for found in tilde.captures_iter(bytes) {
        let (Some(all), Some(name)) = (found.get(0), found.get(1)) else { continue };
        let lower = &reading.lower()[name.start()..name.end()];
        if known_person(lower) || looks_like_login(lower) || text[..name.start()].ends_with('~') {
            spans.push((all.start(), all.end()));
        }
    }
    spans.extend(pattern!(r"(?i)[?&](?:email|user|username|token|key|api_key|apikey|access_token|auth|password|sig|secret|assignee|author|owner|login)=([A-Za-z0-9._%+@-]{3,})").captures_iter(bytes).filter_map(|found| found.get(1)).map(|m| every(&m)).filter(|span| {
        let value = &reading.lower()[span.0..span.1];
        value.bytes().any(|b| b.is_ascii_digit()) || known_person(value) || value.contains("%40")
    }));
    let documents = pattern!(
        r"(?i)\b(?:docs|drive|sheets|slides|calendar)\.google\.com/[^\s'\x22`<>]*[A-Za-z0-9_-]{12,}|\bfigma\.com/(?:file|design|board)/[A-Za-z0-9]+|\bnotion\.so/[^\s'\x22`<>]*[0-9a-f]{16,}|\b[a-z0-9-]+\.(?:slack|atlassian|notion|zendesk|okta|zoom|sharepoint|myshopify|freshdesk|pagerduty|opsgenie|jfrog|auth0|datadoghq|github|gitlab|herokuapp|vercel|netlify|ngrok|ngrok-free|onmicrosoft|cloudfront)\.(?:com|net|site|us|io|app)/[^\s'\x22`<>]*"
    );
    spans.extend(documents.find_iter(bytes).map(|m| every(&m)).filter(|span| {
        let link = &reading.lower()[span.0..span.1];
        !["docs.", "api.", "hooks.", "help.", "support.", "status.", "developer.", "raw.", "www."]
            .iter()
            .any(|door| link.starts_with(door))
            || link.starts_with("docs.google")
    }));
    let plain_host = pattern!(
        r"(?i)\b(?:https?|wss?|grpc|rediss?|postgres(?:ql)?|mysql|amqps?|mongodb(?:\+srv)?|kafka|nats|tcp|udp|ldaps?|ssh|ftp|sftp|smb|nfs|rtsp)://([a-z0-9][a-z0-9-]*)(?:[:/\s]|$)"
    );
    spans.extend(
        plain_host
            .captures_iter(bytes)
            .filter_map(|found| found.get(1))
            .map(|m| every(&m))
            .filter(|span| !list::SAMPLE_HOSTS.contains(&&reading.lower()[span.0..span.1])),
    );
    spans.extend(pattern!(r"(?i)\bhxxps?(?:://|\[:\]//|\[://\])\S+").find_iter(bytes).map(|m| every(&m)));
    spans
}

/// `c.fitzwilliam`, `pgonzalez81`.
fn looks_like_login(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let machine = stem.len() < name.len() && gazetteer::is_ordinary(stem);
    !machine && pattern!(r"^[a-z]\.[a-z]{3,}$|^[a-z]{4,}[0-9]{2,4}$").is_match(name.as_bytes())
}
