//! Paths that contain a home folder, and links that contain a personal account or lead to a team's own site.

use super::contact::starts_with_name;
use super::gazetteer::{self, NameClass};
use super::path_words as list;
use super::people;
use super::reading::Reading;
use super::wholes;

type Spans = Vec<(usize, usize)>;

pub(super) fn user_paths(reading: &Reading) -> Spans {
    let text = reading.text();
    let bytes = text.as_bytes();
    let mut spans: Spans = Vec::new();
    let homes = [
        pattern!(
            r"(?i)/(?:home|users|export/home|var/home|var/mail|var/spool/mail|var/spool/cron/crontabs|mnt/[a-z]/users|media|run/media|data/users|data/home)/([A-Za-z0-9][A-Za-z0-9._-]*)"
        ),
        pattern!(
            r"(?i)\b[a-z]:[\\/]+(?:users|pengguna|benutzer|documents and settings)[\\/]+([a-z0-9][a-z0-9._ -]*?)(?:[\\/]|$|[\s,.;:)'\x22`])"
        ),
        pattern!(r"(?i)\\\\[a-z0-9.-]+\\(?:users|home|homes|profiles)\$?\\([a-z0-9._-]+)"),
        pattern!(r"(?:^|[\s`'\x22(=:])~([A-Za-z][A-Za-z0-9._-]{2,})(?:/|\b)"),
        pattern!(r"(?i)\bfile:///(?:home|users|c:/users)/([a-z0-9._-]+)"),
        pattern!(r"(?i)\b(?:home|users)\s*(?:[/\\>]|slash|backslash)\s+([a-z][a-z0-9._-]+)\s*(?:[/\\>]|slash|backslash)"),
        pattern!(r"(?i)\bslash (?:home|users) slash ([a-z][a-z0-9._-]+)"),
        pattern!(
            r"(?i)\b(?:home (?:directory|folder|dir)|direktori home|folder home) (?:of|for|milik|punya) ([a-z][a-z0-9._-]+)"
        ),
    ];
    for (index, home) in homes.iter().enumerate() {
        for found in home.captures_iter(bytes) {
            let (Some(all), Some(user)) = (found.get(0), found.get(1)) else { continue };
            let name = reading.lower()[user.start()..user.end()].trim_end_matches(['.', '-']);
            let api =
                index == 0 && text.as_bytes().get(all.start()..).is_some_and(|_| is_route(reading, all.start(), user.end()));
            let tilde_word = index == 3
                && (name.starts_with('v') && name[1..].starts_with(|c: char| c.is_ascii_digit())
                    || name.bytes().any(|b| b.is_ascii_digit()) && !known_person(name) && !text[user.end()..].starts_with('/')
                    || !known_person(name) && gazetteer::is_english(name)
                    || gazetteer::is_ordinary(name) && !known_person(name) && !text[user.end()..].starts_with('/'));
            let prose = index >= 5 && !known_person(name);
            if !list::SERVICE_USERS.contains(&name) && !api && !tilde_word && !prose && !name.is_empty() {
                spans.push((all.start(), user.end()));
            }
        }
    }
    // `DESKTOP\yolanda_r`: a domain and a login.
    let domain = pattern!(r"(?i)\b[a-z][a-z0-9-]{2,14}\\([a-z][a-z0-9._-]{2,})");
    spans.extend(domain.captures_iter(bytes).filter_map(|found| Some((found.get(0)?, found.get(1)?))).filter_map(
        |(all, user)| {
            let name = reading.lower()[user.start()..user.end()].trim_end_matches(['.', '-']);
            let registry = reading.lower()[all.start()..].starts_with("hk");
            let nobody = registry || list::SERVICE_USERS.contains(&name) || gazetteer::is_ordinary(name) && !known_person(name);
            (!nobody).then_some((all.start(), user.end()))
        },
    ));
    let split = pattern!(
        r"(?i)[/\\](?:home|users)[/\\]?[`'\x22]?\s+(?:plus|and then|then|followed by|dan|lalu|ditambah|\+|with)\s+(?:the (?:word|name) |kata |nama )?[`'\x22]?([a-z][a-z0-9._-]+)"
    );
    spans.extend(split.captures_iter(bytes).filter_map(|found| Some((found.get(0)?, found.get(1)?))).filter_map(
        |(all, user)| {
            let name = reading.lower()[user.start()..user.end()].trim_end_matches(['.', '-']);
            let person = known_person(name)
                || gazetteer::name(name).is_some()
                || !gazetteer::is_english(name) && !gazetteer::is_indonesian(name);
            (person && !list::SERVICE_USERS.contains(&name)).then_some((all.start(), user.end()))
        },
    ));
    let share = pattern!(r"\\\\[A-Za-z0-9][A-Za-z0-9.-]+\\[A-Za-z0-9$_.-]+");
    spans.extend(wholes(share, bytes));
    spans
}

/// `/users/123`, `GET /users/search`, `/api/users/…`: a route, whose parts are not names.
fn is_route(reading: &Reading, start: usize, end: usize) -> bool {
    let lower = reading.lower();
    let matched = &lower[start..end];
    if !matched.starts_with("/users/") && !matched.starts_with("/media/") || reading.text()[start..].starts_with("/Users/") {
        return false;
    }
    let part = matched.rsplit('/').next().unwrap_or("");
    let routed = lower[..start].ends_with(|c: char| c.is_ascii_alphanumeric())
        || ["get ", "post ", "put ", "patch ", "delete ", "`"].iter().any(|verb| lower[..start].ends_with(verb));
    !known_person(part) && (routed || gazetteer::is_english(part) || part.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether an account name is made of a person's name.
pub(super) fn known_person(account: &str) -> bool {
    let lower = account.to_ascii_lowercase();
    let stem = |part: &str| part.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    lower.split(['-', '_', '.']).any(|part| {
        let part = stem(part);
        part.len() >= 3
            && !gazetteer::is_english(&part)
            && matches!(gazetteer::name(&part), Some(NameClass::Common | NameClass::Given | NameClass::Surname))
            && !gazetteer::is_term(&part)
    }) || people::run_together(&stem(&lower))
        || starts_with_name(&lower)
}
