//! Removes filler from a sentence and splits it into clauses that can be judged separately.

use super::pattern::pattern;

/// A sentence without opening and closing filler.
#[derive(Debug, PartialEq, Eq)]
pub struct Bare {
    pub text: String,
    /// It starts like a correction: "actually", "no", "sorry", "ralat".
    pub corrects: bool,
}

pattern! {
    OPENING = r"^(?:(?:btw|by the way|fyi|oh|ah|hm+|um+|uh|hey|hi|hello|yo|so|well|ok(?:ay)?|right|anyway|anyways|also|and|but|plus|then|besides|additionally|oh and|and also|ps|p\.s|p\.s\.|just so you know|jsyk|just fyi|for context|for (?:some )?background|some (?:context|background)|for the record|quick (?:note|heads[- ]up|update|context|thing|intro)|heads[- ]up(?: for (?:later|the future|next time))?|(?:one|another|some|a few|two|something) (?:more )?(?:things? )?(?:to|you should|worth) (?:remember|know|knowing|note|keep in mind)(?: about me)?|one (?:more )?thing|another thing|side note|on a side note|small note|good to know|you should know(?: that)?|you might want to know(?: that)?|i should (?:mention|say|add|note)(?: that)?|i forgot to (?:mention|say|tell you)(?: that)?|did i mention(?: that)?|i want(?:ed)? you to know(?: that)?|as (?:i said|you know|mentioned)|like i said|i(?: would|'d) say(?: that)?|to be (?:clear|honest|fair)|tbh|honestly|frankly|basically|that reminds me(?: that)?|(?:good|bad|great|big) news|in case (?:it helps|it matters|you(?:'re| are) wondering)|if it helps|it(?:'s| is) worth (?:knowing|noting|mentioning)(?: that)?|worth (?:knowing|noting|mentioning)(?: that)?|the thing is|thing is|fun fact|little about me|a bit about me|about me|\w+-wise|context|background|thanks|thank you|cheers|great|perfect|cool|nice|good|yes|yeah|yep|yup|sure|exactly|please know(?: that)?|personally|generally speaking|in general|new here|luckily|sadly|unfortunately|eh|oh iya|oh ya|oiya|oya|ohya|nah|terus|trus|dan|tapi|tp|jadi|ngomong-ngomong|sekadar info|sekedar info|info aja|info|cuma mau bilang|mau bilang|gue mau bilang|perlu diketahui|fyi aja|soal(?:nya)?|halo|hai|pagi|siang|malam|sore|makasih|thanks ya|oke|ok|sip|iya|ya|yaudah|min|bro|sis|bang|kak|gan|asal tau aja|konteks|konteksnya|kenalin|perkenalkan|kenalkan)\b[,:;.!–— -]+)+";
    CORRECTING = r"^(?:(?:and|but|oh|hm+|eh|btw|ok|no wait|tapi)[, ]+)*(?:(?:(?:(?:a|one|my) )?(?:(?:small|quick|minor|little|tiny|important) )*(?:fix|correction|update|amendment|change|typo|error)(?: (?:in|to|on|for|about|of|from) [^:,.!]{2,40})?(?: please)?|(?:please |pls )?(?:correct|fix|update|change) (?:my|your|the) [\w ]{2,24})\s*:\s*|(?:actually|no|nope|nah|sorry|wait|correction|update|(?:old|stale|outdated|ancient|wrong) (?:info|information|news|data)|(?:mohon|tolong|harap) (?:di)?(?:perbaiki|koreksi|betulkan|benerin|ubah|ganti|update|perbarui)|(?:perbaikan|pembetulan|revisi|salah (?:tulis|ketik|ngetik|sebut|info)|maaf salah(?: \w+)?|keliru (?:tulis|sebut)|typo)|scratch that|my bad|my mistake|oops|whoops|i was wrong|i misspoke|i take that back|apologies|edit|to correct (?:you|myself|that)|let me correct (?:that|myself)|not quite|(?:it )?(?:turns|turned) out(?: that)?|as of (?:today|now|(?:this|last|next) \w+|\w+day|{MONTH})|effective (?:\w+ )?\w+day|effective immediately|starting (?:today|now|(?:this|next) \w+|\w+day|{MONTH})|since last \w+|that's (?:wrong|not right|outdated|incorrect|old|no longer true)|that is (?:wrong|not right|outdated|incorrect|old|no longer true)|you(?:'re| are) wrong|you got (?:that|it) wrong|wrong|in fact|as it turns out|things (?:have )?changed|changes? of (?:plans?|heart)|let's (?:switch|change)(?: that| it)?|that's history|ralat|koreksi|eh salah|salah|maaf|sori|sorry ya|bukan gitu|bukan|lho bukan|sebenernya|sebenarnya|sebetulnya|aslinya|ternyata|update(?:nya)?|eh maksud {AKU}|maksud {AKU}|maksudnya|maksudku|keliru)\b(?:[,:;.!–— -]+|$))(?:\b(?:btw|actually|sorry|wait|update|correction|koreksi|ralat|salah|maaf|maksud {AKU}|sebenernya|no|eh|so|and|dong|deh|it was|you should know)\b[,:;.!–— -]+)*";
    CLOSING = r"(?:(?:\s*[,–—]\s*|\s+-+\s+|\s+)(?:btw|by the way|fyi|jsyk|just so you know|just fyi|for context|for the record|for what it's worth|fwiw|thanks|thank you|thx|ty|please|pls|haha+|hehe+|hihi|:\)|xd|as of (?:today|yesterday|now|\w+day)|if that helps|if it matters|in case it matters|in case it helps|though|tho|you know|ok|okay|right now btw|ya|yah|yaa+|dong|sih|kok|deh|nih|bro|bang|kak|min|gan|makasih|mksh|wkwk\w*|awkwk\w*|wk|oke|yak|loh|lho|kan))+$";
}

/// Strips filler around a statement.
pub fn bare(sentence: &str) -> Bare {
    let mut text = sentence.trim();
    let mut corrects = false;
    loop {
        let before = text;
        if let Some(found) = CORRECTING.find(text) {
            let rest = &text[found.end()..];
            // "no emojis", "wrong answers annoy me": here the word is part of the sentence.
            if separated(found.as_str()) && !rest.is_empty() {
                corrects = true;
                text = rest.trim_start();
            }
        }
        if let Some(found) = OPENING.find(text)
            && found.end() < text.len()
            && (separated(found.as_str()) || loose(found.as_str()))
        {
            text = text[found.end()..].trim_start();
        }
        if text == before {
            break;
        }
    }
    let text = CLOSING.replace(text, "");
    Bare { text: text.trim().trim_matches(',').trim().to_owned(), corrects }
}

/// Followed by punctuation, or a word that never begins a statement.
fn separated(opening: &str) -> bool {
    let opening = opening.to_lowercase();
    opening.trim_end().ends_with([',', ':', ';', '.', '!', '–', '—', '-'])
        || opening.trim_end().ends_with("it was") && opening.contains([',', ':', ';', '.', '!', '–', '—'])
        || [
            "actually",
            "sorry",
            "ralat",
            "koreksi",
            "sebenernya",
            "sebenarnya",
            "sebetulnya",
            "oops",
            "correction",
            "in fact",
            "maksud",
            "ternyata",
            "turns out",
            "turned out",
            "turned out that",
            "turns out that",
            "as of",
            "starting",
        ]
        .iter()
        .any(|word| opening.trim_start().starts_with(word) || opening.trim_end().ends_with(word))
}

fn loose(opening: &str) -> bool {
    const SOLID: &[&str] = &[
        "good ",
        "great ",
        "cool ",
        "nice ",
        "perfect ",
        "right ",
        "info ",
        "context ",
        "background ",
        "about me ",
        "in general ",
        "personally ",
        "soal ",
        "ya ",
        "sure ",
        "pagi ",
        "siang ",
        "malam ",
        "sore ",
        "exactly ",
        "malam",
        "new here ",
    ];
    let opening = opening.to_lowercase();
    !SOLID.iter().any(|word| opening.strip_suffix(word).is_some_and(|before| !before.ends_with(char::is_alphanumeric)))
}

pattern! {
    SEAM = r"(?:\s*[,;]\s*|\s*:\s+|\s+(?:--?|–|—)\s+|\s+\()(?:(?:and|but|so|plus|also|then|though|although|because|since|as|or|dan|tapi|tp|jadi|makanya|soalnya|karena|terus|trus|sama)\s+)?(?:(?:now|also|actually|currently|sekarang|btw|please|just)\s+)?(?:(?:just|now) \w+ing\b|now (?:at|in|with|on|using|an?|working|living)|I|my|we|our|can|could|would|will|do|does|did|is|are|should|what|what's|how|why|where|which|who|please|let's|any|help|show|give me|explain|tell me|you|your|it|it's|the|there|that|this|gue|gua|gw|aku|saya|gimana|bagaimana|kenapa|apa|apakah|bisa|tolong|bantu|ada|minta|coba|bikinin|bikinkan|buatin|boleh|aman|kuat|mending|kasih|enaknya|kira-kira|cocoknya|berapa|kapan|rekomendasi\w*)\b|\s+(?:and|but|so|dan|tapi|tp|jadi|terus|trus|makanya)\s+(?:please\s+)?(?:I|my|can you|could you|please|how|what|what's|why|is there|help|gue|gua|gw|aku|saya|tolong|gimana|bisa)\b|(?:\s*,)?\s+(?:and|but)\s+(?:she|he|they)\b|\s*[,;]\s*(?:she|he|they)\b";
    MARKS = r"\s*[,;]\s*|\s*:\s+|\s+(?:--?|–|—)\s+|\s+\(";
    FINE = r"(?:\s*[,;]\s*|\s*:\s+|\s+(?:--?|–|—)\s+|\s+\()|\s+(?:so|jadi|makanya|soalnya|karena|because|and) ";
    BOUND = r"^(?:when|whenever|every ?time|each time|if|unless|after|before|while|once|until|anytime|kalo|kalau|klo|jika|pas|setiap|tiap|saat|waktu|sebelum|setelah|my \w+ and I\b)\b";
    JOINT = r"^(?:[\s,;:(–—-]|\b(?:and|but|so|plus|also|then|though|although|or|dan|tapi|tp|jadi|makanya|terus|trus|sama)\b\s)+";
}

/// Splits a sentence where a new subject or a question begins.
pub fn clauses(text: &str) -> Vec<String> {
    if BOUND.is_match(text) {
        return vec![text.to_owned()];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for seam in SEAM.find_iter(text) {
        if seam.start() > start {
            parts.push(&text[start..seam.start()]);
        }
        start = seam.start();
    }
    parts.push(&text[start..]);
    parts
        .into_iter()
        .map(|part| JOINT.replace(part, "").trim().trim_end_matches([')', ',']).to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Splits at punctuation only: parts joined by "and" stay together.
pub fn marked(text: &str) -> Vec<String> {
    if BOUND.is_match(text) {
        return vec![text.to_owned()];
    }
    MARKS.split(text).map(|part| JOINT.replace(part, "").trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Splits at punctuation and at conjunctions, for sentences of which only a part is a statement.
pub fn pieces(text: &str) -> Vec<String> {
    if BOUND.is_match(text) {
        return vec![text.to_owned()];
    }
    FINE.split(text).map(|part| JOINT.replace(part, "").trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

pattern! {
    REASON = r"(?:^|[,;–—(-]\s*|\s)(?:since|because|given(?: that)?|considering(?: that)?|seeing (?:as|that)|as|cuz|coz|knowing|remember(?:ing)? that|mengingat|karena|krn|soalnya|berhubung|secara)\s+(?P<reason>(?:I|I'm|im|I've|we|gue|gua|gw|aku|saya)\b[^,;?]{4,160})";
    ASIDE_AS = r"(?:^|[,;–—(-]\s*)(?:as|being|speaking as|sebagai)\s+(?P<what>(?:(?:an?|the)\s+)?[\w+#/' -]{3,60}?)(?:,|\s+(?:I|I've|I'm|my|how|what|gue|gua|aku|saya)\b)";
    NOT_ROLE = r"^(?:an? )?(?:\w+ )?(?:result|rule|test|workaround|note|side|first|second|last|next|start|whole|matter|consequence|example|fallback|default|temporary|quick|joke|reminder|follow|bonus|team|group|user of|far|well|soon|long|much|usual|always|such|of|for|contoh|catatan|gantinya|awal)\b";
    OPEN_END = r"\s(?:in|on|at|of|to|with|for|from|by|about|than)$";
    LED_BY_AS = r"^(?:as|being|speaking as|sebagai) [^,]{3,60}?,? (?P<rest>(?:I|we|my|our|{AKU})\b.*)$";
}

/// The rest after "as a nurse", as a clause of its own.
pub fn after_as(sentence: &str) -> Option<String> {
    LED_BY_AS.captures(sentence).map(|found| found["rest"].to_owned())
}

pattern! { LIKE_ME = r"\bfor (?P<what>an? [\w+#' -]{3,40}?) like me\b" }

/// Durable statements inside a question or a request: "since I'm on Windows", "as a vegetarian".
pub fn tucked(sentence: &str) -> Vec<String> {
    // "Being deaf in my left ear, …": a text that ends with a preposition is incomplete.
    let whole = |what: regex::Match<'_>| {
        let open = OPEN_END.is_match(what.as_str());
        let rest = &sentence[what.start()..];
        if open { rest.split([',', '?']).next().unwrap_or(rest).to_owned() } else { what.as_str().to_owned() }
    };
    let mut found: Vec<String> = REASON.captures_iter(sentence).map(|c| c["reason"].trim().to_owned()).collect();
    for caught in ASIDE_AS.captures_iter(sentence).chain(LIKE_ME.captures_iter(sentence)) {
        let Some(what) = caught.name("what").map(whole) else { continue };
        let what = what.trim();
        if !NOT_ROLE.is_match(what) {
            found.push(if caught[0].to_lowercase().contains("sebagai") {
                format!("gue seorang {what}")
            } else {
                format!("I am {what}")
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn talk_comes_off() {
        for (said, left, corrects) in [
            ("btw I live in Rome", "I live in Rome", false),
            ("Oh and actually, I use Helix now, thanks", "I use Helix now", true),
            ("no emojis please", "no emojis", false),
            ("No, it's Postgres", "it's Postgres", true),
            ("eh, gue pake Arch ya", "gue pake Arch", false),
            ("ralat: gue di Solo", "gue di Solo", true),
        ] {
            assert_eq!(bare(said), Bare { text: left.to_owned(), corrects }, "{said}");
        }
    }

    #[test]
    fn clauses_part_at_a_new_subject() {
        assert_eq!(clauses("I use fish, how do I set a path"), ["I use fish", "how do I set a path"]);
        assert_eq!(clauses("My name is Ana and I live in Lima"), ["My name is Ana", "I live in Lima"]);
        assert_eq!(clauses("I prefer tabs, but only in Go"), ["I prefer tabs, but only in Go"]);
        assert_eq!(clauses("When I ask, I want code"), ["When I ask, I want code"]);
    }

    #[test]
    fn standing_statements_are_found_in_questions() {
        assert_eq!(tucked("Since I'm on Windows, how do I install it"), ["I'm on Windows"]);
        assert_eq!(tucked("As a vegetarian, what should I order"), ["I am a vegetarian"]);
        assert_eq!(tucked("Being deaf in my left ear, where should I sit"), ["I am deaf in my left ear"]);
        assert!(tucked("As a result, I left").is_empty());
    }
}
