//! People recognised by the form of the phrase alone: initials, duty, sole knowledge, things in a drawer.
//!
//! `people` weighs one word and its neighbours; these phrases mean a person by themselves, so the word may be unknown.

use super::company::known_otherwise;
use super::gazetteer::{self, NameClass};
use super::people_words as list;
use super::reading::Reading;
use super::{first_groups, wholes};

type Spans = Vec<(usize, usize)>;

/// Roles of which a team has few, so that a private matter points at one person.
const ONE_OF_FEW: &str = "apprentice|intern|clerk|cook|chef|accountant|gardener|driver|nurse|teacher|cashier|receptionist|bookkeeper|secretary|technician|supervisor|foreman|trainee|waiter|waitress|baker|bookbinder|electrician|plumber|welder|guard|cleaner|janitor|caretaker|librarian|pharmacist|midwife|musician|coach|lifeguard|captain|shepherd|developer|designer|recruiter|paralegal|treasurer|tanner|diver|member|employee|colleague|sopir|kasir|guru|perawat|satpam|karyawan|pegawai|koki|montir|tukang [a-z]+|mandor|bendahara|sekretaris";
/// Private matters.
const PRIVATE: &str = "divorce|miscarriage|alcoholism|(?:alcohol |drug |gambling )?addiction|drinking at work|drunk driving|bankruptcy|epilepsy|hiv|cancer|depression|burn-?out|theft|perceraian|keguguran|rehabilitasi(?: narkoba)?|narkoba|depresi|kanker|judi(?: online)?";

/// `the payroll clerk is being treated for alcohol addiction`: no name, but the team knows who is meant.
fn private_matters(reading: &Reading) -> Spans {
    let told = pattern!(&format!(
        r"\b((?:the|our|one|si|seorang|satu-satunya) (?:[a-z'-]+ ){{0,3}}?(?:{ONE_OF_FEW}))\b[^.;\n]{{0,60}}?\b(?:(?:has|had|is going through|going through|in the middle of|because of|due to|treated for|recovering from|suffers? from|suffering from|diagnosed with|filed for|accused of|arrested for|convicted of|fired for|suspended for|for|karena(?: istrinya| suaminya)?|keluar dari|terlibat|kena|sedang)(?: an?| her| his| their| the)? (?:{PRIVATE})(?:[.,;]|$| (?:and|so|but|since|last|this|in|at|by|must|dan|tapi|sejak)\b)|(?:was|is|got) (?:arrested|jailed|convicted|pregnant|in rehab|in therapy|bankrupt|ditangkap|dipenjara)\b)|\b((?:the|our) (?:[a-z'-]+ ){{0,3}}?(?:{ONE_OF_FEW})'s) (?:salary|wages?|pay|divorce|pregnancy|illness|diagnosis|debts?)\b"
    ));
    let lower = reading.lower().as_bytes();
    told.captures_iter(lower).filter_map(|found| found.get(1).or_else(|| found.get(2))).map(|m| (m.start(), m.end())).collect()
}

/// Things that people own or have on their own things; rarely said of a product.
const OWN_THINGS: &str = "drawer|locker|dongle|desk|cubicle|bench|patch|patches|branch|fork|laptop|notebook|dotfiles|phone|keys|mailbox|workstation|spreadsheet|hands|login|credentials|password|handwriting|bike|car|house|boss|successor|predecessor|leave|shift|absence|approval|sign-off|signature|opinion|suggestion|proposal|pull|pr|commits?|rewrite|refactor|hotfix|workaround|wife|husband";

pub(super) fn phrases(reading: &Reading) -> Spans {
    let text = reading.text();
    let lower = reading.lower();
    let bytes = text.as_bytes();
    let mut spans = initials(reading);
    spans.extend(private_matters(reading));
    let person = |span: &(usize, usize)| {
        let word = &lower[span.0..span.1];
        match gazetteer::name(word) {
            Some(NameClass::ThingToo) | None => !known_otherwise(word) && !list::MACHINES.contains(word),
            Some(NameClass::WordToo) => !gazetteer::is_term(word) || word == "max",
            Some(_) => !gazetteer::is_term(word),
        }
    };
    let mut keep = |pattern: &regex::bytes::Regex, follows_article: bool| {
        for found in pattern.captures_iter(bytes).filter_map(|found| found.get(1)) {
            let span = (found.start(), found.end());
            let before = lower[..span.0].trim_end();
            let article = before.ends_with(" the") || before == "the" || before.ends_with(" a");
            if (follows_article || !article) && person(&span) {
                spans.push(span);
            }
        }
    };
    keep(
        pattern!(
            r"\b([A-Z][a-z]{2,})(?:'s| is| was| has been| will be| adalah| jadi)(?: also| still| currently| always| the| now| lagi| satu-satunya)* (?:on[ -]call|on duty|on shift|out (?:when|until|today|sick|this|next|for|on)\b|off (?:today|this week|until|sick)|one (?:person |engineer )?who\b|only (?:one|person|engineer|member|colleague|reviewer)s? (?:who|with)\b|(?:go-to )?person (?:who|to|for)\b|orang yang|yang (?:tahu|paham|pegang|memegang|menguasai))"
        ),
        false,
    );
    keep(
        pattern!(
            r"\b(?i:only|hanya|cuma|nobody but|no one but|everyone except|everybody except) ([A-Z][a-z]{2,}) (?:can|may|knows|has|could|holds|understands|is allowed|bisa|boleh|tahu|yang|dapat|punya|paham)\b"
        ),
        false,
    );
    keep(
        pattern!(
            r"(?:^|[.;:] )([A-Z][a-z]{3,}) (?:yang |sudah |akan |telah )?(?:menyusun|menandatangani|mengusulkan|mengajari|melatih|mengeluh|menyarankan|merancang|mengurus|bertugas|berjaga)\b"
        ),
        false,
    );
    let nickname = pattern!(
        r"\b(?:nick ?names?|julukan|panggilan(?:nya)?|nama panggilan)\b[^.\n]{0,40}?\b(?:is|was|adalah) [`'\x22]?([A-Z][a-z]{2,})\b"
    );
    spans.extend(first_groups(nickname, bytes));
    // Unreadable letters where a name would be: before a verb in readable letters, or after a word such as "ask".
    let in_other_letters = pattern!(
        r"(?:^|[.!?] |\b(?i:by|ask|ping|cc|tell|oleh|tanya|hubungi) )(\x01{2,6})(?:'s [a-z]| (?:[a-z]{2,}s|was|has|will|can|may|did) )|\b(?:signed|filled in|approved|written|handled|reviewed|checked|done|led|run|kept|owned|maintained|managed|fixed|built|made|trained|supervised|cleaned|opened|closed|started) by (\x01{2,6})(?:[.,;!]|$| (?:from|of|in|on|at|with|and|since|for)\b)|\boleh (\x01{2,6})(?:[.,;!]|$| (?:sejak|dari|di|pada|dan|untuk)\b)"
    );
    let named = |found: regex::bytes::Captures<'_>| found.iter().skip(1).flatten().next().map(|m| (m.start(), m.end()));
    spans.extend(in_other_letters.captures_iter(bytes).filter_map(named));
    // Also in small letters, if the owner is not an ordinary word and the thing is one that people have.
    let owned_in_small = pattern!(
        r"\b([a-z]{3,})'s (?:old |new |own |other )?(?:laptop|drawer|locker|desk|cubicle|phone|bike|bicycle|car|house|flat|wife|husband|kids|birthday|handwriting|mug|bag|jacket)\b"
    );
    spans.extend(first_groups(owned_in_small, bytes).filter(|span| !gazetteer::is_ordinary(&text[span.0..span.1])));
    let owned = pattern!(&format!(r"\b([A-Z][a-z]{{3,}})'(?:s)? (?:[a-z-]+ )?(?:{OWN_THINGS})\b"));
    for found in owned.captures_iter(bytes).filter_map(|found| found.get(1)) {
        let word = &lower[found.start()..found.end()];
        let plural = text[found.end()..].starts_with("' ") && !word.ends_with('s');
        if gazetteer::name(word).is_none() && !known_otherwise(word) && !plural {
            spans.push((found.start(), found.end()));
        }
    }
    // A relative of somebody in a role that only one person has.
    let of_a_role = pattern!(
        r"(?i)\b(?:director|manager|head|chef|owner|boss|founder|president|chair(?:man|woman|person)?|treasurer|secretary|supervisor|foreman|principal|headteacher|dean|accountant|receptionist|caretaker|janitor|cook|lead|ceo|cfo|cto|coo|nurse|guard|driver|intern|bursar|mayor|registrar|deputy|clerk|librarian|pharmacist|midwife)'s (?:[a-z-]+ )?(?:ex-)?(?:daughter|son|wife|husband|partner|therapist|yoga teacher|girlfriend|boyfriend|mother|father|brother|sister|nephew|niece|cousin|in-laws?)\b|\b(?:istri|suami|anak|putri|putra|adik|kakak|menantu|mertua|keponakan|ibu|ayah|pacar) (?:kepala|direktur|manajer|manager|bos|pemilik|ketua|sekretaris|bendahara|supervisor|mandor|dekan|rektor|lurah|camat|juragan|komandan|kapten|pak|bu|mas|mbak) [a-z]|\bthe [a-z -]{3,30} (?:in|at|on|from|who|whose) [^.\n]{2,40}(?:has asked for|is on a performance plan|is pregnant|has been diagnosed)\b"
    );
    spans.extend(wholes(of_a_role, bytes));
    spans.extend(in_code(reading));
    // Names with a particle: `Mr. O'Donoghue`, `Bu van Houten`; the publisher O'Reilly does not count.
    let with_particle = pattern!(
        r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Dame|Herr|Frau|Pak|Bu|Ibu|Bapak|Mas|Mbak)\.? (?:[OD]'|(?:van|von|de|del|della|di|da|dos|el|bin|binti|ten|ter) (?:de[nr]? )?|al-)[A-Z][a-z]+|\bO'[A-Z][a-z]{2,}\b"
    );
    let publisher = |span: &(usize, usize)| &lower[span.0..span.1] == "o'reilly";
    spans.extend(wholes(with_particle, bytes).filter(|span| !publisher(span)));
    let two_of_a_shift = pattern!(
        r"(?:^|[.;] )([A-Z][a-z]{2,}) (?:and|&|dan) ([A-Z][a-z]{2,}) (?:share|alternate|split|swap|take turns|bergantian|bergiliran|berbagi)\b[^.\n]{0,40}\b(?:shifts?|desk|rota|duty|duties|piket|jaga|on-call|reception|job|role|car|nights?|weekends?)\b"
    );
    for found in two_of_a_shift.captures_iter(bytes) {
        let both = found.iter().skip(1).flatten().map(|name| (name.start(), name.end()));
        spans.extend(both.filter(|span| !gazetteer::is_ordinary(&lower[span.0..span.1])));
    }
    let pair = pattern!(
        r"\b(?:by|belongs to|owned by|oleh|milik|dipegang|dikelola|ask|ping|tanya|hubungi) ([a-z]{2,}) ([a-z]{2,}-[a-z]{2,})\b"
    );
    for found in pair.captures_iter(bytes) {
        let (Some(family), Some(given)) = (found.get(1), found.get(2)) else { continue };
        let known = gazetteer::name(&lower[family.start()..family.end()]).is_some();
        let plain = lower[given.start()..given.end()].split('-').all(|part| !known_otherwise(part));
        if known && plain {
            spans.push((family.start(), given.end()));
        }
    }
    spans
}

/// `T.K. Oberhauser`, `A. Demirtas`, `R. A. Kusumaningrum`.
fn initials(reading: &Reading) -> Spans {
    let (text, lower) = (reading.text(), reading.lower());
    let signed = pattern!(r"\b((?:[A-Z]\. ?){1,3})([A-Z][a-z]{3,})\b");
    let mut spans = Spans::new();
    for found in signed.captures_iter(text.as_bytes()) {
        let (Some(letters), Some(family)) = (found.get(1), found.get(2)) else { continue };
        let word = &lower[family.start()..family.end()];
        let several = letters.as_bytes().iter().filter(|b| b.is_ascii_uppercase()).count() > 1;
        let before = lower[..letters.start()].trim_end().rsplit(' ').next().unwrap_or("");
        let numbered = matches!(
            before,
            "plan"
                | "option"
                | "section"
                | "appendix"
                | "phase"
                | "part"
                | "vitamin"
                | "class"
                | "team"
                | "group"
                | "step"
                | "variant"
                | "tier"
                | "type"
                | "annex"
                | "schedule"
                | "level"
                | "bagian"
                | "lampiran"
                | "opsi"
                | "grade"
                | "category"
                | "hepatitis"
        ) || !several && before == "the"
            || text[..letters.start()].ends_with(['-', '.', '/']);
        let country = matches!(&lower[letters.start()..letters.end()], "u.s. " | "u.k. " | "e.u. " | "u.n. " | "p.o. ");
        if !known_otherwise(word) && !numbered && !country && (several || !text[letters.end()..].starts_with(word)) {
            spans.push((letters.start(), family.end()));
        }
    }
    spans
}

/// `calcBonusForHelgaOnly`, `HelenMarchettiParser`, `fix/yolanda-menu-prices`: a name in an identifier, after a word that says
/// for whom, before a second name, or at the start of a branch.
fn in_code(reading: &Reading) -> Spans {
    const FOR_WHOM: [&str; 18] = [
        "for", "by", "from", "ask", "tell", "ping", "punya", "milik", "khusus", "buat", "pak", "bu", "mas", "mbak", "mr", "mrs",
        "ms", "dr",
    ];
    const PRIVATE: [&str; 14] = [
        "salary", "gaji", "payslip", "bonus", "cuti", "leave", "absence", "birthday", "ultah", "medical", "home", "laptop",
        "phone", "desk",
    ];
    const PARTS: usize = 3;
    const MIN_NAME: usize = 4;
    let text = reading.text();
    let identifier =
        pattern!(r"\b[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+){2,}\b|\b[a-z]+(?:[A-Z][a-z0-9]+){2,}|\b(?:[A-Z][a-z0-9]+){3,}\b");
    let part = pattern!(r"[A-Z]?[a-z]+|[A-Z]+");
    let person = |part: &str| {
        let known = |name: &str| gazetteer::name(name).is_some() && !gazetteer::is_ordinary(name);
        part.len() >= MIN_NAME && (known(part) || known(&part[..part.len() - 1]))
    };
    let mut spans = Spans::new();
    for found in identifier.find_iter(text.as_bytes()) {
        let parts: Vec<&str> = part
            .find_iter(found.as_bytes())
            .map(|part| &reading.lower()[found.start() + part.start()..found.start() + part.end()])
            .collect();
        let mut said = parts.iter().enumerate().filter(|(_, part)| FOR_WHOM.contains(part));
        let for_somebody = said.any(|(at, _)| parts.iter().skip(at + 1).take(PARTS).any(|part| person(part)));
        let given = |part: &str| {
            matches!(gazetteer::name(part), Some(NameClass::Common | NameClass::Given)) && !gazetteer::is_ordinary(part)
        };
        let full = parts.windows(2).any(|pair| given(pair[0]) && person(pair[1]));
        let private = parts.windows(2).any(|pair| person(pair[0]) && PRIVATE.contains(&pair[1]));
        let branch = text[..found.start()].ends_with('/') && parts.first().is_some_and(|part| given(part));
        spans.extend((for_somebody || full || private || branch).then_some((found.start(), found.end())));
    }
    spans
}
