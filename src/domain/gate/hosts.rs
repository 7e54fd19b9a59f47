//! Machines and sites of a particular team: addresses, host names, device names, links.
//!
//! A public vendor's domain is a product and passes; so do loopback addresses, file names, configuration keys, packages and code
//! paths. Whatever remains and ends like a host is a host.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::contact::starts_with_name;
use super::gazetteer;
use super::host_words as list;
use super::placeholders::{is_sample_address, is_sample_address_v6};
use super::reading::Reading;
use super::{first_groups, wholes};

type Spans = Vec<(usize, usize)>;

/// Endings with which a spelled-out host is recognised.
const SPELLED_ENDINGS: &str =
    "com|net|org|io|dev|internal|local|lan|corp|co|id|de|cloud|app|ai|edu|gov|eu|uk|nl|fr|example|intranet";
/// A part of an address in spoken form.
const NUMBER: &str = "(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,3}|hundred|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|puluh|belas|ratus|seratus|sebelas|nol|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|sepuluh)";

pub(super) fn addresses(reading: &Reading) -> Spans {
    let (text, lower) = (reading.text(), reading.lower());
    let bytes = text.as_bytes();
    let mut spans: Spans = Vec::new();
    for found in pattern!(r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?").find_iter(bytes) {
        let written = &text[found.start()..found.end()];
        let before = bytes[..found.start()].last().copied().unwrap_or(b' ');
        let after = bytes.get(found.end()).copied().unwrap_or(b' ');
        let goes_on = after == b'.' && bytes.get(found.end() + 1).is_some_and(u8::is_ascii_digit);
        let part = before.is_ascii_alphanumeric()
            || matches!(before, b'.' | b'_')
            || after.is_ascii_alphanumeric()
            || after == b'_'
            || goes_on;
        let Ok(address) = written.split('/').next().unwrap_or("").parse::<Ipv4Addr>() else { continue };
        if !part && !nobody(address) && !is_version(lower, found.start(), address) && !is_sample_address(reading, address) {
            spans.push((found.start(), found.end()));
        }
    }
    let veiled = pattern!(
        r"(?i)\b\d{1,3}(?:\s?(?:\.|\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)|\bdot\b|\btitik\b|\bpunkt\b|\bpoint\b)\s?\d{1,3}){3}\b"
    );
    let veil = |span: &(usize, usize)| text[span.0..span.1].contains(|c: char| !c.is_ascii_digit() && c != '.' && c != ' ');
    spans.extend(wholes(veiled, bytes).filter(veil));
    let spaced = pattern!(r"\b\d{1,3}(?:\s?[.,]\s\d{1,3}|\s[.,]\s?\d{1,3}){3}\b");
    let addressed = pattern!(r"(?i)\b(?:ip|host|server|address|alamat|gateway|ping|ssh|vpn|subnet|dns)\b");
    if addressed.is_match(bytes) {
        spans.extend(wholes(spaced, bytes));
        spans.extend(
            pattern!(r"\b\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}\b|\b\d{1,3}(?:_\d{1,3}){3}\b")
                .find_iter(bytes)
                .map(|m| (m.start(), m.end())),
        );
        spans.extend(
            pattern!(r"(?i)\b[0-9a-f]{2}(?:[.:][0-9a-f]{2}){3}\b")
                .find_iter(bytes)
                .map(|m| (m.start(), m.end()))
                .filter(|_| pattern!(r"(?i)\b(?:hex|hexadecimal|heksa)\b").is_match(bytes)),
        );
        spans.extend(
            pattern!(r"\b0x[0-9a-fA-F]{8}\b|\b(?:16\d{8}|17\d{8}|18\d{8}|2\d{9}|3[0-9]\d{8})\b")
                .find_iter(bytes)
                .map(|m| (m.start(), m.end()))
                .filter(|_| pattern!(r"(?i)\bip\b").is_match(bytes)),
        );
    }
    for found in pattern!(r"\b\d(?: ?\d){0,2}(?: ?\. ?\d(?: ?\d){0,2}){3}\b").find_iter(bytes) {
        let joined: String = text[found.start()..found.end()].chars().filter(|c| *c != ' ').collect();
        if joined.len() + 2 < found.len() && joined.parse::<Ipv4Addr>().is_ok_and(|address| !nobody(address)) {
            spans.push((found.start(), found.end()));
        }
    }
    let networked = pattern!(r"(?i)\b(?:ip|host|firewall|gateway|server|address|route|subnet|decimal form|hex form|allows?)\b")
        .is_match(bytes);
    if networked {
        let numeric = pattern!(r"\b0x[0-9a-fA-F]{8}\b|\b[1-4]\d{9}\b");
        let meant = pattern!(r"(?i)\b(?:ip|decimal|hex|firewall|integer form)\b").is_match(bytes);
        spans.extend(wholes(numeric, bytes).filter(|_| meant));
    }
    spans.extend(
        pattern!(
            r"(?i)\b0x[0-9a-f]{1,2}(?:\.0x[0-9a-f]{1,2}){3}\b|\b0[0-3]?\d{2}(?:\.0[0-3]?\d{2}){3}\b|\b192 168 \d{1,3} \d{1,3}\b"
        )
        .find_iter(bytes)
        .map(|m| (m.start(), m.end())),
    );
    let answering = pattern!(
        r"(?i)\b(?:answers?|listens?|responds?|reachable|reached|bound|connects?|menjawab|mendengarkan|terhubung)\b[^.\n]{0,16}?\b(?:to|on|at|di|ke)\s+(0x[0-9a-f]{8})\b"
    );
    spans.extend(first_groups(answering, bytes));
    let partial = pattern!(
        r"\b(?:10|172|192)\.\d{1,3}\.(?:\d{1,3}|[x*])\.[x*]|\b(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.\d{1,3}(?:\.\d{1,3})?/\d{1,2}\b"
    );
    spans.extend(wholes(partial, bytes).filter(|span| !lower[..span.0].trim_end().ends_with("version")));
    let spoken = pattern!(&format!(
        r"(?i)\b{NUMBER}(?:[ -]{NUMBER}){{0,5}}(?: (?:dot|point|titik) {NUMBER}(?:[ -]{NUMBER}){{0,5}}){{3}}\b"
    ));
    spans.extend(wholes(spoken, bytes));
    for found in pattern!(r"[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*").find_iter(bytes) {
        let written = text[found.start()..found.end()]
            .trim_end_matches('.')
            .trim_end_matches(|c: char| c == ':' && !text[found.start()..found.end()].ends_with("::"));
        let whole = !bytes[..found.start()].last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
            && !bytes.get(found.end()).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let groups = written.split(':').filter(|group| !group.is_empty()).count();
        let Ok(address) = written.parse::<Ipv6Addr>() else { continue };
        if whole
            && !address.is_loopback()
            && !address.is_unspecified()
            && !is_sample_address_v6(reading, address)
            && (written.bytes().any(|b| b.is_ascii_digit()) || groups >= 4)
        {
            spans.push((found.start(), found.end()));
        }
    }
    spans
}

/// The largest part of an address that could also be part of a version number.
const SMALL: u8 = 64;

/// Public name servers: of Google, Cloudflare, Quad9 and OpenDNS.
const RESOLVERS: [[u8; 4]; 8] = [
    [8, 8, 8, 8],
    [8, 8, 4, 4],
    [1, 1, 1, 1],
    [1, 0, 0, 1],
    [9, 9, 9, 9],
    [149, 112, 112, 112],
    [208, 67, 222, 222],
    [208, 67, 220, 220],
];

/// Addresses that are the same for everybody: loopback, unspecified, masks, public name servers and the metadata address of every
/// cloud.
fn nobody(address: Ipv4Addr) -> bool {
    const METADATA: Ipv4Addr = Ipv4Addr::new(169, 254, 169, 254);
    address.is_loopback()
        || address.is_unspecified()
        || address.octets()[0] == 255
        || address == METADATA
        || RESOLVERS.contains(&address.octets())
}

fn is_version(lower: &str, start: usize, address: Ipv4Addr) -> bool {
    const MOST_OF_A_LINE: usize = 8;
    const FAR: usize = 40;
    const JUST_AFTER: usize = 28;
    let before = lower[..start].trim_end_matches([' ', '(', '`', '"', '\'', '=', '<', '>', '^', '~', ':', 'v']);
    let last = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '.').next().unwrap_or("");
    if list::BEFORE_VERSION.contains(&last) || lower[..start].ends_with('v') && !lower[..start].ends_with("ev") {
        return true;
    }
    let from = (0..=start.saturating_sub(FAR)).rev().find(|at| lower.is_char_boundary(*at)).unwrap_or(0);
    let to = (start + JUST_AFTER).min(lower.len());
    let nearby = &lower[from..to];
    let versions = [
        "version",
        "versi ",
        "upgrade",
        "release",
        "bump",
        "downgrade",
        "oid",
        "firmware",
        "section",
        "chapter",
        "clause",
        "driver",
        "patch level",
        "build ",
    ]
    .iter()
    .any(|word| nearby.contains(word));
    let machines =
        ["ip ", "host", "server", "address", "ping", "ssh", "gateway", "subnet", "listens", "vpn", "dns", "alamat", "cidr"]
            .iter()
            .any(|word| nearby.contains(word));
    let product = gazetteer::is_term(last)
        && !matches!(last, "support" | "security" | "platform" | "backend" | "frontend" | "db" | "redis" | "postgres" | "mysql")
        && address.octets()[0] < 100
        && address.octets()[0] != 10;
    // No private range starts with one digit and continues with small parts, and public machines there are rare.
    let small = address.octets()[0] < 10 && address.octets().iter().all(|part| *part < SMALL);
    // Another number in the same line was called a version.
    let [major, minor, ..] = address.octets();
    let line = format!(" {major}.{minor}.");
    let four = pattern!(r"^ \d+(?:\.\d+){3}\b");
    let placed = lower[..start].trim_end().ends_with(" on") || lower[..start].trim_end().ends_with(" at");
    let same_line = !placed
        && lower.match_indices(&line).take(MOST_OF_A_LINE).any(|(at, _)| {
            let named = lower[..at].rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
            at + 1 != start && list::BEFORE_VERSION.contains(&named) && four.is_match(&lower.as_bytes()[at..])
        });
    let stepped = pattern!(r"\b(?:from|dari) v?\d+(?:\.\d+){2,3} (?:[a-z]+ )?(?:to|ke) v?\d").is_match(lower.as_bytes());
    !machines && (versions || product || small || same_line) || small && stepped
}

pub(super) fn names(reading: &Reading) -> Spans {
    let text = reading.text();
    let bytes = text.as_bytes();
    let sample = pattern!(
        r"(?i)\b(?:examples?|samples?|placeholders?|docs|documentation|readme|tutorials?|contoh|dokumentasi|fixtures?|test (?:accounts?|users?|mails?|addresses|data)|seed data|demo|mocks?|reserved|rfc 2606)(?:[,;:.]?(?:\s|$))"
    )
    .is_match(bytes);
    let mut spans: Spans = Vec::new();
    for found in pattern!(r"[A-Za-z0-9_*](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)+")
        .find_iter(bytes)
    {
        if stands_as_host(reading, found.start(), found.end())
            && is_host(&reading.lower()[found.start()..found.end()], text[..found.start()].ends_with("://"), sample)
        {
            spans.push((found.start(), found.end()));
        }
    }
    let spelled = pattern!(&format!(
        r"(?i)\b[a-z0-9-]+(?:\s*(?:\[\.\]|\(\.\)|\[dot\]|\(dot\)|\{{\.\}}|\sdot\s|\stitik\s|\spunkt\s)\s*[a-z0-9-]+)*\s*(?:\[\.\]|\(\.\)|\[dot\]|\(dot\)|\{{\.\}}|\sdot\s|\stitik\s|\spunkt\s)\s*(?:{SPELLED_ENDINGS})\b"
    ));
    spans.extend(
        spelled
            .find_iter(bytes)
            .map(|m| (m.start(), m.end()))
            .filter(|span| !is_vendor(&plain_dots(&reading.lower()[span.0..span.1]))),
    );
    let named = pattern!(
        r"(?i)\b(?:host ?name|machine name|computer name|nama (?:mesin|host|komputer)|fqdn)\s*(?:is|:|=|adalah)\s*[`'\x22]?([A-Za-z][A-Za-z0-9._-]+)"
    );
    spans.extend(first_groups(named, bytes).filter(|span| {
        let name = &reading.lower()[span.0..span.1];
        name != "localhost" && !gazetteer::is_english(name)
    }));
    let ssh =
        pattern!(r"(?i)\bssh\s+(?:in)?(?:to\s+|ke\s+|-\w\s+\S+\s+)?(?:[a-z0-9_-]+@)?([a-z][a-z0-9]*(?:[-.][a-z0-9]+)*-?\d+)\b");
    spans.extend(first_groups(ssh, bytes).filter(|span| !matches!(&reading.lower()[span.0..span.1], "ed25519")));
    let login = pattern!(r"(?i)(?:^|[\s`'\x22(])([a-z_][a-z0-9_.-]*@[a-z][a-z0-9-]*[a-z0-9])(?:$|[\s`'\x22).,:;])");
    spans.extend(first_groups(login, bytes).filter(|span| {
        let host = reading.lower()[span.0..span.1].rsplit('@').next().unwrap_or("");
        let dotted = text[span.1..].starts_with('.') && text[span.1 + 1..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let version = host.starts_with('v') && host[1..].starts_with(|c: char| c.is_ascii_digit());
        let example = reading.lower()[span.0..span.1].starts_with("user@");
        let harmless = dotted || version || example || list::AFTER_AT.contains(host);
        !harmless
    }));
    spans
}

fn plain_dots(spelled: &str) -> String {
    spelled
        .replace("[dot]", ".")
        .replace("(dot)", ".")
        .replace(" dot ", ".")
        .replace(" titik ", ".")
        .replace(['[', ']', '(', ')', '{', '}', ' '], "")
}

/// Not part of a path, an address, a placeholder or a call.
fn stands_as_host(reading: &Reading, start: usize, end: usize) -> bool {
    let text = reading.text();
    let before = &text[..start];
    let after = &text[end..];
    let in_path = before.ends_with(['/', '\\', '$', '#', '.', '~', '-']) && !before.ends_with("://") && !before.ends_with("\\\\")
        || before.ends_with("::");
    !in_path && !after.starts_with('(') && !after.starts_with("::") && !after.starts_with('[') && !after.starts_with('=')
}

/// Whether a dotted lower-case name is a private host.
fn is_host(name: &str, after_scheme: bool, told_as_sample: bool) -> bool {
    let labels: Vec<&str> = name.split('.').collect();
    let sample_site = ["example.com", "example.org", "example.net"]
        .iter()
        .any(|site| name.strip_suffix(site).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
    if sample_site && told_as_sample {
        return false;
    }
    let Some(&last) = labels.last() else { return false };
    let numbered = list::STRONG_ENDINGS.contains(last) && name.bytes().any(|b| b.is_ascii_digit());
    if name.contains('_') && !after_scheme && !numbered || is_vendor(name) || list::WELL_KNOWN.contains(&name) {
        return false;
    }
    if labels.iter().all(|label| label.bytes().all(|b| b.is_ascii_digit() || b == b'x' || b == b'v'))
        || last.bytes().all(|b| b.is_ascii_digit())
    {
        return false;
    }
    if after_scheme {
        return !matches!(name, "localhost");
    }
    let strong = list::STRONG_ENDINGS.contains(&last);
    if list::FILE_ENDINGS.contains(&last)
        && !(labels.len() > 2 && list::HOST_WORDS.contains(&labels[0]) && list::COUNTRY_FILES.contains(&last))
    {
        return false;
    }
    if labels.len() >= 3 && list::PACKAGE_STARTS.contains(&labels[0]) && (!strong || list::PACKAGE_PARTS.contains(&last)) {
        return false;
    }
    if strong
        && matches!(
            last,
            "host" | "home" | "private" | "network" | "local" | "internal" | "systems" | "software" | "priv" | "net" | "org"
        )
        && list::CODE_OBJECTS.contains(labels[0])
    {
        return false;
    }
    if strong {
        return !list::NOT_HOSTS.contains(&name);
    }
    if !list::WEAK_ENDINGS.contains(&last) {
        let first = labels[0];
        return labels.len() >= 2
            && first.contains('-')
            && first.ends_with(|c: char| c.is_ascii_digit())
            && list::ROLES.iter().any(|role| first.split('-').any(|part| part == *role))
            && !last.starts_with(|c: char| c.is_ascii_digit());
    }
    let host_start = list::HOST_WORDS.contains(&labels[0])
        || labels[0].contains('-')
        || labels[0].ends_with(|c: char| c.is_ascii_digit()) && labels[0].len() > 2;
    let second = labels[labels.len() - 2];
    let country = matches!(second, "co" | "go" | "ac" | "or" | "web" | "my" | "sch" | "com" | "net" | "org" | "gov" | "edu")
        && last.len() == 2;
    country
        || host_start && labels.len() >= 3
        || labels.len() == 2
            && list::BRANDED_ENDINGS.contains(&last)
            && !gazetteer::is_english(labels[0])
            && !list::CODE_OBJECTS.contains(&labels[0])
        || labels.len() == 3 && list::BRANDED_ENDINGS.contains(&last) && !list::CODE_OBJECTS.contains(&labels[0])
}

/// A public product's own site, or a service name under it that every customer uses.
fn is_vendor(name: &str) -> bool {
    let bare = name.strip_prefix("www.").unwrap_or(name);
    if list::VENDORS.contains(&bare) {
        return true;
    }
    if list::WHOLE_VENDORS
        .iter()
        .any(|vendor| bare == *vendor || bare.strip_suffix(vendor).is_some_and(|rest| rest.ends_with('.')))
    {
        return true;
    }
    bare.split_once('.')
        .is_some_and(|(first, rest)| list::VENDORS.contains(&rest) && (list::VENDOR_DOORS.contains(&first) || first == "*"))
}

pub(super) fn devices(reading: &Reading) -> Spans {
    let text = reading.text();
    let bytes = text.as_bytes();
    let mut spans: Spans = Vec::new();
    let owned = pattern!(
        r"\b(?i:[a-z]+(?:'?s)?(?:[-_.][a-z0-9]+)*[-_](?:macbook|iphone|ipad|imac|mbp|mba|laptop|desktop|thinkpad|xps|surface|galaxy|pixel|airpods|notebook|workstation|macmini|mac-mini|mac-studio|hp|pc|mac|phone|watch|mbpro|zenbook|ideapad|vivobook|chromebook|nuc|yoga|redmi|oppo)(?:[-_][a-z0-9]+)*)\b"
    );
    for found in owned.find_iter(bytes) {
        let first = reading.lower()[found.start()..found.end()].split(['-', '_', '\'', '.']).next().unwrap_or("");
        let generic = gazetteer::is_english(first) && !first.ends_with('s') && gazetteer::name(first).is_none()
            || list::GENERIC_DEVICE.contains(&first)
            || gazetteer::is_term(first);
        let stem = first.strip_suffix('s').unwrap_or(first);
        let person = gazetteer::name(first).is_some() || gazetteer::name(stem).is_some() || starts_with_name(first);
        if person && !list::GENERIC_DEVICE.contains(&first) || !generic && !gazetteer::is_english(first) {
            spans.push((found.start(), found.end()));
        }
    }
    spans.extend(
        pattern!(r"\b[A-Za-z]+(?:-[A-Za-z0-9]+)*-(?i:milik|punya|von|of|de|van)-[A-Z][a-z]{2,}\b")
            .find_iter(bytes)
            .map(|m| (m.start(), m.end())),
    );
    let issued = pattern!(
        r"\b(?i:desktop|laptop|win|pc|mac|wks|ws|nb)-[A-Z0-9]{5,15}\b|\b(?i:ip)-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}\b|\b(?:LAPTOP|DESKTOP|PC|NB|MACBOOK|WS|IPHONE)-[A-Z]{3,}\b|\b(?i:macbook|iphone|laptop|pc|ipad)[- ](?:pro-|air-)?(?i:von|de|of|di|milik|punya)[- ][A-Za-z]{3,}"
    );
    spans.extend(
        issued
            .find_iter(bytes)
            .map(|m| (m.start(), m.end()))
            .filter(|span| {
                let matched = &text[span.0..span.1];
                matched.bytes().any(|b| b.is_ascii_digit())
                    || matched.contains("-von")
                    || matched.contains("-de-")
                    || matched.contains("-of-")
                    || matched.bytes().all(|b| b.is_ascii_uppercase() || b == b'-')
                        && gazetteer::name(&matched.rsplit('-').next().unwrap_or("").to_ascii_lowercase()).is_some()
                    || matched.contains("milik")
                    || matched.contains("punya")
                    || matched.contains("-di-")
            })
            .filter(|span| {
                !reading.lower()[span.0..span.1].starts_with("win-x")
                    && !reading.lower()[span.0..span.1].starts_with("win-arm")
                    && !reading.lower()[span.0..span.1].starts_with("mac-os")
            }),
    );
    spans.extend(super::machines::called(text, reading.lower()));
    spans.extend(super::machines::tagged(text));
    spans.extend(super::machines::placed(text));
    spans.extend(super::machines::owned(text, reading.lower()));
    for found in pattern!(r"\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-?\d{1,4}\b").find_iter(bytes) {
        if is_server_name(reading, found.start(), found.end()) {
            spans.push((found.start(), found.end()));
        }
    }
    spans
}

/// `db-prod-3`, `web-01`, `fra-k8s-node-4`; not `node-18`, `us-east-1`, or `kafka-0` of a StatefulSet.
fn is_server_name(reading: &Reading, start: usize, end: usize) -> bool {
    let (text, name) = (reading.text(), &reading.lower()[start..end]);
    let after = &text[end..];
    if text[..start].ends_with(['/', '_', '.', '-', '@', ':', '=', '#'])
        || after.starts_with(['/', '_', '-', '='])
        || after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit())
    {
        return false;
    }
    let number = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let digits = &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
    let stem = name[..name.len() - digits.len()].trim_end_matches('-');
    let parts: Vec<&str> = stem.split('-').collect();
    let roles = parts.iter().filter(|part| list::ROLES.contains(**part)).count();
    let stages = parts.iter().filter(|part| list::STAGES.contains(**part)).count();
    let zero_padded = digits.len() >= 2 && digits.starts_with('0');
    if number.is_empty() || roles == 0 {
        return false;
    }
    let near = pattern!(r"(?i)\b(?:pods?|statefulsets?|replicas?|shards?|partitions?|containers?|charts?|deployments?|images?|queues?|namespaces?|buckets?|tickets?|branch|cabang|label|tag)\b").is_match(text.as_bytes());
    if near {
        return false;
    }
    let hosted = pattern!(r"(?i)\b(?:host|server|machine|mesin|box|vm|bastion|ssh|reboot|rack|hostname|peladen|runs on|lives on|jalan di|berjalan di)\b").is_match(text.as_bytes());
    stages >= 1
        || zero_padded
        || roles >= 2
        || parts.len() >= 2 && list::SITES.contains(&parts[0])
        || hosted && (parts.len() >= 2 || stem.len() > 3) && name.contains('-') && !list::PRODUCT_ROLES.contains(&stem)
}
