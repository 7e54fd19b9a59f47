//! Single machines, by the name that somebody gave them or by their asset tag.

use super::gazetteer;
use super::{first_groups, wholes};

type Spans = Vec<(usize, usize)>;

/// `the box called gollum-02`, `the laptop named bumblebee`, `mesin bernama guntur`.
pub(super) fn called(text: &str, lower: &str) -> Spans {
    let named = pattern!(
        r"(?i)\b([a-z-]+ )?(box|machine|laptop|server|host|nas|workstation|vm|pc|desktop|printer|tablet|computer|raspberry pi|gpu node|build node|mesin|komputer|peladen|perangkat|trainer|rig|runner)\b(?: is| was| yang)? (?:(?:called|named|nicknamed|dubbed|known as|christened|bernama|dinamai|dijuluki|diberi nama) [`'\x22]?([a-z][a-z0-9_-]+[a-z0-9])|(?:(?:registered|listed|enrolled) as|(?:terdaftar|tercatat) sebagai) [`'\x22]?([a-z]+(?:-[a-z0-9]+)*-[a-z0-9]*[0-9]))"
    );
    let mut spans = Spans::new();
    for found in named.captures_iter(text.as_bytes()) {
        let (Some(noun), Some(name)) = (found.get(2), found.get(3).or(found.get(4))) else { continue };
        let before = found.get(1).map_or("", |m| lower[m.start()..m.end()].trim());
        let told = &lower[name.start()..name.end()];
        let vague = matches!(&lower[noun.start()..noun.end()], "box" | "machine" | "runner" | "mesin" | "perangkat");
        let on_screen = matches!(
            before,
            "text" | "search" | "dialog" | "check" | "input" | "combo" | "list" | "state" | "virtual" | "mail" | "drop" | "time"
        );
        let word = matches!(
            told,
            "state"
                | "once"
                | "twice"
                | "again"
                | "when"
                | "every"
                | "directly"
                | "only"
                | "first"
                | "per"
                | "inbox"
                | "act"
                | "if"
                | "for"
                | "on"
                | "at"
                | "via"
                | "with"
                | "the"
                | "localhost"
                | "after"
                | "by"
                | "from"
                | "in"
                | "as"
                | "an"
        ) || gazetteer::is_term(told);
        let capital_word =
            vague && text[name.start()..].starts_with(|c: char| c.is_ascii_uppercase()) && gazetteer::is_english(told);
        if !on_screen && !word && !capital_word {
            spans.push((name.start(), name.end()));
        }
    }
    spans
}

/// `Bettinas iPhone`: the owner without an apostrophe, as in German and in device names.
pub(super) fn owned(text: &str, lower: &str) -> Spans {
    let device = pattern!(
        r"\b([A-Z][a-z]{2,})s (?:i?Phone|iPad|iMac|MacBook|Mac mini|Laptop|Notebook|Handy|Tablet|Galaxy|Pixel|ThinkPad|Surface)\b"
    );
    let owners = device.captures_iter(text.as_bytes()).filter_map(|found| Some((found.get(0)?, found.get(1)?)));
    owners
        .filter(|(_, owner)| {
            let one = &lower[owner.start()..owner.end()];
            gazetteer::name(one).is_some() || !gazetteer::is_ordinary(one)
        })
        .map(|(all, _)| (all.start(), all.end()))
        .collect()
}

/// `asset tag LT-00417`, `Serial C02XK1ZYJG5H`.
pub(super) fn tagged(text: &str) -> Spans {
    const SHORTEST: usize = 5;
    let tag = pattern!(
        r"\b(?i:asset (?:tag|number|id|no\.?)|serial(?: number| no\.?)?|service tag|inventory (?:tag|number|no\.?)|nomor (?:aset|seri|inventaris)|label aset|tag aset)\s*(?i:is |adalah |: ?|#)?\s*([A-Z0-9][A-Z0-9-]*\d[A-Z0-9-]*)\b"
    );
    first_groups(tag, text.as_bytes()).filter(|span| span.1 - span.0 >= SHORTEST).collect()
}

/// `print-hq-3f`, `cam-gate-2`: a device named by type, place and number.
pub(super) fn placed(text: &str) -> Spans {
    let placed = pattern!(
        r"\b(?i:print|printer|hp|hplj|laserjet|officejet|plotter|scanner|cam|camera|kiosk|pos|till|pi|rpi|display|screen|tv|door|ap|wifi|plc|hmi|ups|pdu|ilo|idrac|ipmi|srv|server|nas|file|media|beamer|sensor|badge|scale|label|tablet|terminal|copier|canon|brother|epson|ricoh|kyocera|lexmark|zebra|cisco|synology|qnap|hikvision|axis)(?:-[a-z0-9]+){1,3}\b"
    );
    let around = pattern!(
        r"(?i)\b(?:networks?|floor|printers?|printing|copiers?|scanned|scanners?|cameras?|servers?|hosts?|screens?|lobby|machines?|ping|ssh|vlan|rack|devices?|jaringan|lantai|mesin|rebooted?|plugged|connected|reach(?:ed|able)?|answers)\b"
    );
    if !around.is_match(text.as_bytes()) {
        return Spans::new();
    }
    let spans = wholes(placed, text.as_bytes());
    spans
        .filter(|(start, end)| {
            let parts = text[*start..*end].split('-');
            let numbered = parts.clone().skip(1).any(|part| part.len() <= 6 && part.bytes().any(|b| b.is_ascii_digit()));
            let glued =
                text[*end..].starts_with(['.', '/', '_', '=', ':']) && !text[*end..].starts_with(". ") && *end + 1 < text.len();
            parts.count() >= 3 && numbered && !glued && !text[..*start].ends_with(['/', '_', '.', '-', ':', '='])
        })
        .collect()
}
