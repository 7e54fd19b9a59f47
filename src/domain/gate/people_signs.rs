//! Persons by the form of the phrase alone: initials, duty, sole knowledge, things in a drawer.
//!
//! `people` weighs one word and its neighbours; these phrases say "person" by themselves, so the word may be unknown.

use super::company::known_otherwise;
use super::gazetteer::{self, NameClass};
use super::people_words as list;
use super::reading::Reading;

type Spans = Vec<(usize, usize)>;

/// What stands on or in somebody's own: seldom said of a product.
const OWN_THINGS: &str = "drawer|locker|dongle|desk|cubicle|bench|patch|patches|branch|fork|laptop|notebook|dotfiles|phone|keys|mailbox|workstation|spreadsheet|hands|login|credentials|password|handwriting|bike|car|house|boss|successor|predecessor|leave|shift|absence|approval|sign-off|signature|opinion|suggestion|proposal|pull|pr|commits?|rewrite|refactor|hotfix|workaround|wife|husband";

pub(super) fn phrases(reading: &Reading) -> Spans {
    let text = reading.text();
    let lower = reading.lower();
    let bytes = text.as_bytes();
    let mut spans = initials(reading);
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
    spans.extend(nickname.captures_iter(bytes).filter_map(|found| found.get(1)).map(|m| (m.start(), m.end())));
    // Letters that the rules cannot read, where a name stands: before a verb in the text's own letters, or after who is asked.
    let in_other_letters = pattern!(
        r"(?:^|[.!?] |\b(?i:by|ask|ping|cc|tell|oleh|tanya|hubungi) )(\x01{2,6})(?:'s [a-z]| (?:[a-z]{2,}s|was|has|will|can|may|did) )"
    );
    spans.extend(in_other_letters.captures_iter(bytes).filter_map(|found| found.get(1)).map(|m| (m.start(), m.end())));
    // In small letters too, when the owner is no other word and the thing is one that people have.
    let owned_in_small = pattern!(
        r"\b([a-z]{3,})'s (?:old |new |own |other )?(?:laptop|drawer|locker|desk|cubicle|phone|bike|bicycle|car|house|flat|wife|husband|kids|birthday|handwriting|mug|bag|jacket)\b"
    );
    spans.extend(
        owned_in_small
            .captures_iter(bytes)
            .filter_map(|found| found.get(1))
            .map(|m| (m.start(), m.end()))
            .filter(|span| !gazetteer::is_ordinary(&text[span.0..span.1])),
    );
    let owned = pattern!(&format!(r"\b([A-Z][a-z]{{3,}})'(?:s)? (?:[a-z-]+ )?(?:{OWN_THINGS})\b"));
    for found in owned.captures_iter(bytes).filter_map(|found| found.get(1)) {
        let word = &lower[found.start()..found.end()];
        let plural = text[found.end()..].starts_with("' ") && !word.ends_with('s');
        if gazetteer::name(word).is_none() && !known_otherwise(word) && !plural {
            spans.push((found.start(), found.end()));
        }
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
