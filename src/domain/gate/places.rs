//! Where and when somebody lives: street addresses, coordinates, dates of birth, details of a private life.

use super::reading::Reading;
use super::wholes;

type Spans = Vec<(usize, usize)>;

const MONTHS: &str = "jan|feb|mar|apr|may|mei|jun|jul|aug|agu|sep|oct|okt|nov|dec|des|dez|mai";

/// A house number in words.
const NUMBER_WORDS: &str = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|satu|dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|sepuluh|sebelas|belas|puluh|ratus)";

pub(super) fn streets(reading: &Reading) -> Spans {
    let bytes = reading.text().as_bytes();
    let patterns = [
        pattern!(
            r"\b\d{1,5}[A-Za-z]?,?\s+(?:[NSEW]\.?\s+)?(?:[A-Z][A-Za-z']+\s+){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Close|Crescent|Parkway|Pkwy|Highway|Row|Mews|Hill|Gardens)\b"
        ),
        pattern!(&format!(
            r"(?i)\b(?:number|nomor|no\.?) {NUMBER_WORDS}(?:[ -]{NUMBER_WORDS}){{0,3}},? (?:on|in|of|at|along|di|,) (?:the )?(?:[a-z']+ ){{0,3}}(?:street|road|crescent|avenue|lane|mews|close|terrace|square|row|hill|jalan|gang)\b|\b(?:street|crescent|avenue|mews|jalan|jl\.?|gang)\b(?: [a-z']+){{0,3}},? (?:number|nomor|no\.?) (?:{NUMBER_WORDS}|\d)"
        )),
        pattern!(r"(?i)\b\d{1,5}[a-z]?,?\s+(?:[a-z]{3,}\s+){1,2}(?:street|avenue|boulevard|road|terrace|crescent)\b"),
        pattern!(r"\b(?:Jl|Jln|Gg|JL|jl|jln|gg)\b\.?\s*[A-Z][A-Za-z]+|\b(?i:jl|jln|gg)\.\s*[A-Za-z]{3,}"),
        pattern!(
            r"\b(?:Jalan|Gang|Komplek|Kompleks|Perumahan|Perum|Dusun|Kelurahan|Kecamatan|Kampung|Desa|Kel\.|Kec\.)\s+(?:[A-Z][A-Za-z.]+\s?){1,4}"
        ),
        pattern!(r"(?i)\b(?:jalan|gang)\s+(?:[a-z.]+\s){1,4}(?:no|nomor|blok)\b\.?\s*[a-z]?\d+"),
        pattern!(r"\bRT\.?\s?\d{1,3}\s?[/,]?\s?RW\.?\s?\d{1,3}\b|(?i:\brt\s?\d{1,3}\s?/\s?(?:rw\s?)?\d{1,3}\b)"),
        pattern!(
            r"\b[A-Z][A-Za-z]{2,}(?:strasse|str\.|weg|platz|gasse|allee|damm|ufer|chaussee|straat|laan|gracht|plein)\s+\d{1,4}\s?[a-z]?\b"
        ),
        pattern!(r"\b(?:[A-Z][a-z]+(?:er|n)?[ -])(?:Strasse|Str\.|Allee|Platz|Weg|Gasse|Ring|Ufer|Damm)\s+\d{1,4}\s?[a-z]?\b"),
        pattern!(
            r"(?i)\b\d{1,4},?\s+(?:bis\s+|ter\s+)?(?:rue|avenue|boulevard|place|allee|chemin|quai|impasse)\s+(?:de\s|du\s|des\s|la\s|l'|d')*[a-z]{3,}"
        ),
        pattern!(
            r"\b(?:Calle|Avenida|Av\.|Carrera|Paseo|Plaza|Rua|Via|Viale|Corso|Piazza)\s+(?:de\s|del\s|la\s|los\s|las\s|el\s|da\s|das\s|dos\s|di\s|della\s)*[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)?,?\s+(?:n\.?\s?)?\d{1,4}\b"
        ),
        pattern!(r"\b\d{1,3}-\d{1,3}(?:-\d{1,3})?,? [A-Z][A-Za-z-]+[^\n]{0,30}?(?:-ku|-shi|-cho|-machi|-gun)\b"),
        pattern!(
            r"\bul\.\s+[A-Z][a-z]+(?:\s[A-Z][a-z]+)?\s+\d+|\b[A-Z][a-z]+(?:gatan|vagen|gata|veien|vej|gade|katu|tie|utca)\s+\d+|(?i:\b(?:cad|sok|cd|sk)\.\s*no)|\b(?:Blok|Block)\s+[A-Z]{1,2}\d*\s*(?:No\.?|/)\s*\d+|\b(?:Flat|House|Plot|Plot No\.?)\s+\d+[A-Z]?,\s+[A-Z]"
        ),
        pattern!(r"(?i)\bP\.?\s?O\.?\s?Box\s+\d+"),
        pattern!(r"\b(?:[A-Z]{1,2}\d[A-Z\d]?) \d[ABD-HJLNP-UW-Z]{2}\b"),
        pattern!(r"(?i)\b(?:home address|alamat rumah|lives at \d|tinggal di jl|wohnt in der|residence at|resides at)\b"),
        pattern!(r"-?\b(?:[1-9]\d{1,2}\.\d{4,}\s*,\s*-?\d{1,3}\.\d{4,}|\d\.\d{4,}\s*,\s*-?[1-9]\d{1,2}\.\d{4,})\b"),
        pattern!(r"\b\d{1,3}[^\x00-\x7f ]?\s?\d{1,2}'\s?\d{1,2}(?:\.\d+)?\x22\s?[NS]\b"),
        pattern!(r"(?i)\b(?:apartment|apt|unit|flat)\.?\s+\d+[a-z]?,\s+\d+\s+[a-z]+"),
    ];
    patterns
        .iter()
        .flat_map(|pattern| pattern.find_iter(bytes))
        .map(|m| (m.start(), m.end()))
        .filter(|span| !gang_of(reading, *span))
        .collect()
}

/// `Gang of Four` is a book; `Via Kong 3` is not a street in an English sentence.
fn gang_of(reading: &Reading, span: (usize, usize)) -> bool {
    let matched = &reading.text()[span.0..span.1];
    matched.starts_with("Gang Of")
        || matched.starts_with("Via ") && reading.languages.english > 1
        || matched.starts_with("Plaza ")
}

/// A date of birth: a word for birth and a date soon after it.
pub(super) fn birth_dates(reading: &Reading) -> Spans {
    let bytes = reading.text().as_bytes();
    let dated = pattern!(&format!(
        r"(?i)\b(?:born|birthday|birth ?date|date of birth|dob|d\.o\.b\.?|b-day|bday|tanggal lahir|tgl\.? lahir|lahir|ulang tahun(?:nya)?|hut|ultah|geboren|geburtstag|geburtsdatum|nacido|nacimiento|cumpleanos|anniversaire|nee?|naissance)\b[^\n]{{0,32}}?(?:\b\d{{1,4}}[-/. ]\d{{1,2}}[-/. ]\d{{1,4}}\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?:{MONTHS})[a-z]*\b|\b(?:{MONTHS})[a-z]*\s+\d{{1,2}}(?:st|nd|rd|th)?\b)"
    ));
    let year =
        pattern!(r"(?i)\b(?:born in|lahir (?:tahun|di)|geboren (?:in|am)|ne en|nacio en)\s+[^\n]{0,20}?\b(?:19|20)\d{2}\b");
    wholes(dated, bytes).chain(wholes(year, bytes)).collect()
}

/// Third persons and private lives without a name: `she`, `the user lives in …`, `allergic to …`.
pub(super) fn references(reading: &Reading) -> Spans {
    let text = reading.text();
    let bytes = text.as_bytes();
    let mut spans: Spans = Vec::new();
    let gendered = pattern!(r"(?i)\b(?:she|he|herself|himself|him|her|his|hers|beliau)\b");
    let both = pattern!(
        r"(?i)\b(?:he or she|she or he|his or her|her or his|him or her|(?:s?/)?he/she|she/he|his/her|him/her|s/he|he/him|she/her)\b"
    );
    if !both.is_match(bytes) {
        spans.extend(wholes(gendered, bytes).filter(|span| {
            let word = &text[span.0..span.1];
            let glued = text[..span.0].ends_with(['-', '_', '.', '/', '`']) || text[span.1..].starts_with(['-', '_', '/', '`']);
            let abbreviation = matches!(word, "HE" | "HIS" | "HER" | "SHE") || word == "He" && text[span.1..].starts_with(')');
            let passes = glued || abbreviation;
            !passes
        }));
    }
    let user = pattern!(
        r"(?i)\b(?:the |this |our )?(?:user|pengguna|operator|caller|teammate|colleague|coworker|boss)\s+(?:also |usually |always |really |lebih )?(?:prefers|likes|loves|hates|lives|works (?:from|mostly|on|at|in)|asked|said|mentioned|told|thinks|feels|suka|tinggal|bilang|enjoys|is (?:allergic|pregnant|married|vegetarian|vegan|based in|located in|from)|has (?:two|three|a|four) (?:kids?|children|wife|husband|dog|cat|son|daughter))\b"
    );
    spans.extend(wholes(user, bytes).filter(|span| {
        let before = text[..span.0].trim_end().to_ascii_lowercase();
        !["if", "when", "whether", "unless", "once", "while", "whenever", "jika", "kalau", "bila", "each", "that", "every", "a"]
            .iter()
            .any(|word| before.ends_with(word))
            && !["reduced", "button", "count", "table"]
                .iter()
                .any(|noun| text[span.1..].to_ascii_lowercase().trim_start().starts_with(noun))
    }));
    let life = pattern!(
        r"(?i)^(?:lives in|is allergic|allergic to|married (?:to|with)|born in|works from home|has (?:two|three|a|four|one) (?:kids?|children|wife|husband|dog|cat|son|daughter)|is (?:pregnant|vegetarian|vegan|married|divorced)|moved to [a-z]+ (?:last|in)|tinggal di|alergi|punya (?:dua |tiga |satu )?anak|menikah|speaks (?:indonesian|german|english|french|spanish)|suka (?:kopi|teh|makan)|likes (?:coffee|tea|short))\b"
    );
    spans.extend(wholes(life, bytes));
    let dia = pattern!(
        r"(?i)\b(?:dia|ia)\s+(?:lebih suka|suka|bilang|tinggal|kerja|bekerja|cuti|pegang|memegang|minta|orangnya|sakit|resign)\b"
    );
    spans.extend(wholes(dia, bytes));
    let leave = pattern!(
        r"(?i)\bthe (?:[a-z]+ ){1,3}(?:is|was|goes|went) (?:on (?:parental|maternity|paternity|sick|medical) leave|pregnant|divorced|diabetic)\b|\b(?:diagnosed with|on chemotherapy|mengidap|menderita)\b"
    );
    spans.extend(wholes(leave, bytes));
    spans
}
