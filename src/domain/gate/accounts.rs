//! Accounts on code, chat and work sites, named in a sentence: `the Kaggle user quokka_stats`.
//!
//! Finds where an account's name would be; `contact` decides whether the word there is one.

use super::contact::captured;

/// Sites where people have personal accounts.
const SITES: &str = "slack|telegram|discord|github|gitlab|twitter|instagram|linkedin|mastodon|skype|tiktok|bitbucket|jira|reddit|kaggle|docker ?hub|npm|pypi|confluence|trello|figma|notion|linear|hugging ?face|stack ?overflow|steam|okta|zoom|miro|asana|codeberg|gitea|sourcehut|matrix|irc|bluesky|whatsapp|signal|launchpad|gerrit|jenkins|sentry|crates\\.io|leetcode|codepen|replit|zendesk|servicenow|salesforce|teams|wechat|line|viber|threads|medium|substack|youtube|twitch|bugzilla|phabricator|redmine|clickup|basecamp|airtable|gitbook|vercel|heroku|aws|gcp|azure";

/// `GitHub user thornfield-q`, `akun Jira tapir_ungu`, `the Bitbucket login marrowfen42`.
pub(super) fn named(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let account = pattern!(&format!(
        r"(?i)\b(?:(?:{SITES})\s+(?:service |bot |user )?(?:account|user|login|member|handle|username|user ?id|profile|nick|akun|pengguna)|(?:akun|pengguna|user|profil)\s+(?:{SITES}))\s+(?:called |named |bernama |of |milik )?[`'\x22]?@?([A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9])"
    ));
    captured(account, text)
}

/// `GitHub user mossy-lantern`: a user there has an account, even if its name is made of ordinary words.
pub(super) fn of_person(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let account = pattern!(&format!(
        r"(?i)\b(?:{SITES})\s+(?:user|member|handle|nick|pengguna)\s+[`'\x22]?@?([A-Za-z][A-Za-z0-9]*[-_.][A-Za-z0-9_.-]*[A-Za-z0-9])"
    ));
    captured(account, text).filter(|span| {
        let name = text[span.0..span.1].to_ascii_lowercase();
        !["bot", "ci", "app", "service", "runner", "agent", "id", "name"].iter().any(|end| name.ends_with(end))
            && !["agents", "groups", "pools", "roles", "management"].iter().any(|noun| name.ends_with(noun))
    })
}

/// `Akun GitHub pemilik skrip impor adalah wibisono-dev`.
pub(super) fn said(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let account = pattern!(&format!(
        r"(?i)\b(?:(?:akun|account|user|username|handle|login|owner|pemilik|profile|id)\b[^.\n]{{0,24}}?\b(?:{SITES})|(?:{SITES})\b[^.\n]{{0,24}}?\b(?:akun|account|user|username|handle|login|owner|pemilik|profile|id))\b[^.\n]{{0,40}}?\b(?:is|adalah|bernama|named|called|yaitu)\s+[`'\x22]?@?([A-Za-z][A-Za-z0-9.]*[_-][A-Za-z0-9_-]*[A-Za-z0-9])"
    ));
    captured(account, text)
}

/// `goes by velvet_otter`, `known as quokka-77`.
pub(super) fn called(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    captured(
        pattern!(
            r"(?i)\b(?:goes by|known as|a\.?k\.?a\.?|posts as|signs as|logs in as|login as|alias|dikenal sebagai|pakai nama|handle|nickname|username)\s+[`'\x22]?@?([A-Za-z][A-Za-z0-9]*[._-][A-Za-z0-9_.-]*[A-Za-z0-9]|[A-Za-z]{3,}\d{1,4})\b"
        ),
        text,
    )
}

/// `written by user pgonzalez81`.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    captured(
        pattern!(
            r"(?i)\b(?:by|from|to|of|for|oleh|dari|milik) (?:the )?(?:user|member|pengguna)\s+[`'\x22]?@?([A-Za-z]{4,}[0-9]{2,4})\b"
        ),
        text,
    )
}
