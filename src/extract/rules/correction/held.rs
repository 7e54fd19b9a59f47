//! Corrections that name a term of a known memory, in any wording: "gone from A to B", "A became B", "A is gone, the minimum is
//! B", "it's A and not B", "it's spelled K", "my A changed, it's B".
//!
//! The memory is the evidence. A sentence of one of these shapes about something that is not remembered is small talk.

use super::super::echo::content_words;
use super::super::pattern::pattern;
use super::mended::mend;
use super::places::{CATEGORIES, name_in};
use super::revalued::in_a_text;
use super::{BARE_IT, Correction, LONGEST_RUN, POINTS, held_part, holding, squeezed, term};
use crate::domain::merging::holds_term;

/// The end of a value.
macro_rules! until {
    ($shape:literal) => {
        concat!(
            $shape,
            r"(?:[,;:.(!]|\s[-–—]+\s|\s(?:so|and|but|because|since|now|yes|last|this|these|from|with|please|for|jadi|dan|tapi|karena|sejak|mulai|ya|lagi|sekarang)\b|$)"
        )
    };
}

pattern! {
    FROM_TO = until!(
        r"\b(?:from|dari) (?:the |an? |my |our |being )?(?P<old>(?:[^,;:.]|\.\w){1,40}?) (?:over |up |down |back )?(?:to|into|ke|jadi|menjadi) (?:the |an? |my |our |being )?(?P<new>\S(?:[^,;:.]|\.\w){0,40}?)"
    );
    MOVES = r"^(?:from|dari) |\b(?:went|gone|going|moved?|moving|switch\w*|migrat\w*|chang\w+|convert\w*|shift\w*|transferred|relocated|grew|grown|raised|lowered|went up|went down|bumped|extended|rescheduled|postponed|renamed|promoted|demoted|upgraded|downgraded|cut|reduced|increased|pindah\w*|dipindah\w*|ganti\w*|diganti|geser|digeser|bergeser|berubah|diubah|beralih|naik|turun|migrasi|upgrade|mundur|maju|dimajukan|diundur|balik|hijrah)\b";
    BECAME = until!(
        r"(?:^|[,;:–—-] ?)(?:the |our |my |project )*(?P<old>[^,;:]{2,40}?) (?:became|has become|have become|turned into|(?:got|was|were|has been|is|are) (?:renamed|replaced|superseded|succeeded)(?: to| as| by| with)?|berubah nama jadi|diganti(?: nama)?(?: jadi| menjadi| dengan| sama)?|→|->|=>) (?:an? |the |our )?(?P<new>\S(?:[^,;:.]|\.\w){0,40}?)"
    );
    REPLACES = until!(
        r"(?:^|[,;:–—-] ?)(?:we (?:have |now )*(?:use|got|took) )?(?P<new>[^,;:]{2,40}?) (?:replaces|replaced|has replaced|supersedes|superseded|took over from|takes over from|takes the place of|took the place of|succeeds|succeeded|menggantikan|gantiin) (?:the |our |my |old )*(?P<old>(?:[^,;:.]|\.\w){2,40}?)"
    );
    pub GONE = r"(?P<old>(?:[^,;:.!?]|\.\w){2,50}?)(?:'s| is| are| was| were| has been| have been| has| have| got| udah| sudah| itu| tuh)(?: (?:now|finally|officially|all|really|long|udah|sudah|already|permanently))* (?:gone|history|over|dead|a mistake|retired|done for|scrapped|abolished|cancell?ed|closed|finished|behind (?:me|us)|no more|off the table|discontinued|deprecated|ended|past|a thing of the past|yesterday's news|out of the window|folded|shut down|{GA} (?:ada|dipakai|dipake|berlaku|jadi)(?: lagi)?|tutup|bubar|lewat|tinggal kenangan|ditinggal(?:kan)?|dihapus|dibuang|dibatalkan|batal|masa lalu|ages ago|long ago|years ago|old news|sold|stolen)\b(?P<rest>.*)$";
    IS_NOT = until!(
        r"(?:^|[,;:.!–—] ?|\b)(?:it is|it's|they are|that is|this is|i am|make it|should be|must be|jadi|itu|yang benar|yang bener) (?P<new>[^,;:!]{1,40}?)(?:,| -| –| —|!)? (?:and |but |dan )?(?:not|bukan|instead of|rather than|in place of) (?P<old>(?:[^,;:.!]|\.\w){1,40}?)"
    );
    NOT_IS = until!(
        r"(?:^|\b)(?:isn't|is not|not|wasn't|aren't|bukan|udah bukan|never) (?:the |an? |in |on |at |di )?(?P<old>[^,;:!]{1,40}?)(?:\s*[,;:!–—]\s*|\s+-\s+|\s+)(?:but|it's|it is|they're|they are|he's|she's|tapi|tetapi|melainkan|yang benar|yang bener|it got (?:moved|changed|pushed) to|make that) (?:the |an? |in |on |at |di )?(?P<new>(?:[^,;:.!]|\.\w){1,40}?)"
    );
    SAID_IS = until!(
        r"\b(?:i|{AKU}) (?:have |had |tadi |kemarin )?(?:said|wrote|told you|mentioned|bilang|nulis) (?:that )?(?P<old>(?:[^,;:.]|\.\w){1,40}?)(?:,| but| and| -| –| —| tapi)+ (?:now |and |but )?(?:it is|it's|they are|make it|i meant|i mean|actually|maksudnya|harusnya|yang benar) (?P<new>\S(?:[^,;:.]|\.\w){0,40}?)"
    );
    SPELLED = r"\b(?:spelled|spelt|written|spells?|ditulis(?:nya)?|ejaan(?:nya)?|dieja|tulisannya)(?: (?:as|like|like this|it|with|is|it is|itu|adalah))?:? ['\x22]?(?P<new>(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?)";
    TOPIC = r"^(?:the|my|our|your notes? on my)? ?(?P<k>[\w '/-]{2,40}?)(?:'s)?(?: (?:has|have|had|is|are|just|recently|finally|also|got|been|was|were|saya|{AKU}|kita|kami|udah|sudah|baru|aja|lagi))* (?:changed|different|shifted|moved|replaced|new|switched|updated|berubah|ganti|diganti|geser|bergeser|pindah|dipindah|diubah|dimajukan|diundur|naik|turun)(?: (?:to|jadi|ke|menjadi|now|sekarang))?\s*(?:[,;:–—.-]|\b)\s*(?:(?:now|and|so|it is|it's|he is|she is|he's|she's|they are|sekarang|jadi|to) )*(?P<new>\S.*)$";
    // "Dulu Sabtu sekarang Kamis", "it was Saturdays, now Thursdays".
    ONCE_NOW = r"\b(?:dulu(?:nya)?|tadinya|sebelumnya|awalnya|used to be|previously|formerly|was|were) (?P<old>[^,;]{1,40}?),? (?:but |and |tapi )?(?:sekarang|kini|jadi|(?:it is |it's )?now) (?P<new>\S.*)$";
    YOU_WRONG = r"^you(?:'ve| have)?(?: got| have| noted| saved| stored| wrote| put)*(?: down)? my (?P<k>[\w '-]{2,30}?)(?: down)?(?: is)? (?:wrong|mixed up|backwards|incorrectly|incorrect|the wrong way round)\s*[,;:.–—-]+\s*(?:it is |it's |should be )?(?P<new>\S.*)$";
}

/// Reads a sentence as a replacement of something known.
pub fn swapped(sentence: &str, known: &[String]) -> Option<Correction> {
    if known.is_empty() || in_a_text(sentence) {
        return None;
    }
    if let Some(change) = spelled(sentence, known) {
        return Some(change);
    }
    let moved = MOVES.is_match(sentence).then_some(&*FROM_TO);
    for shape in [&*BECAME, &*REPLACES, &*SAID_IS, &*IS_NOT, &*NOT_IS].into_iter().chain(moved) {
        for found in shape.captures_iter(sentence) {
            if let Some(change) = in_place(&found["old"], &found["new"], known) {
                return Some(change);
            }
        }
    }
    of_topic(sentence, known).or_else(|| gone(sentence, known))
}

/// The memory that contains `old`, with `new` in its place.
fn in_place(old: &str, new: &str, known: &[String]) -> Option<Correction> {
    let new = BARE_IT.captures(new).map_or(new.to_owned(), |c| c["new"].to_owned());
    let (old, new) = (term(old), term(&new));
    if new.is_empty() || content_words(&old).is_empty() || POINTS.is_match(&old) || POINTS.is_match(&new) {
        return None;
    }
    let old = if holding(known, &old).is_some() { old } else { held_part(&old, known).filter(|part| whole_word(part, &old))? };
    let memory = holding(known, &old).filter(|memory| !holds_term(memory, &new) || squeezed(&new).contains(&squeezed(&old)))?;
    if squeezed(&old) == squeezed(&new) {
        return None;
    }
    let mended = mend(memory, &old, &new).map(|text| without_twins(&text));
    mended.map(|mended| Correction { new: None, old, mended: Some(mended) })
}

fn whole_word(part: &str, of: &str) -> bool {
    of.split(|c: char| !c.is_alphanumeric()).any(|word| part.split(' ').any(|own| own.eq_ignore_ascii_case(word)))
}

/// Removes a doubled word, as in "Prefers light theme theme": it came with the value and was already there.
pub fn without_twins(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    words.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    words.join(" ")
}

/// "X is gone, the minimum is Y": the sentence replaces the memory with X, but only if it says more than that X ended.
fn gone(sentence: &str, known: &[String]) -> Option<Correction> {
    let found = GONE.captures(sentence)?;
    let says_more = content_words(&found["rest"]).len() >= 2;
    let old = held_part(&found["old"], known).filter(|_| says_more)?;
    Some(Correction { new: Some(sentence.to_owned()), old, mended: None })
}

/// The remembered term that a sentence says has ended, whether or not it says what is true now.
pub fn ended(sentence: &str, known: &[String]) -> Option<String> {
    held_part(&GONE.captures(sentence)?["old"], known)
}

pattern! {
    YOU_HOLD = r"\b(?:you|you'll|lo|lu|kamu) (?:(?:\w+ )?(?:keep|kept|still|think|thought|said|call|called|remember|assume|assumed|believe|noted|wrote|stored|saved|treat)\b|(?:still |already |always |will |must |probably )*(?:have|had|got|put|list|listed) (?:me|my|that i|it|down)\b|(?:masih|kira|pikir|inget|ingat|catat|nyatet|bilang|panggil)\b)(?P<what>.{2,80})$";
    NAME_OF_USER = r"^(?:the )?(?:user's |pengguna |first |full |last |nick)*(?:name|nama|surname)\b";
    YOU_PUT = r"[,;–—-] ?(?:but |and )?you (?:have|had|put|noted|wrote|say|said) (?P<what>[^,;]{2,30})$";
    // The user admits the mistake: "I told you imperial by mistake".
    MISTOLD = r"\b(?:i|{AKU}) (?:have |had |must have |tadi |kemarin )*(?:told you|told|said|wrote|gave you|put|typed|mentioned|bilang|nulis|tulis|kasih) (?P<what>.{2,50}?) (?:by (?:mistake|accident|error)|mistakenly|wrongly|in error|but that (?:was|is) wrong|salah|keliru)";
    WHO_SAYS = r"\b(?:who (?:says|said)|since when (?:am|do|did|have) i|kata siapa|siapa (?:yang )?bilang|sejak kapan)\b(?P<what>.{2,80})$";
    YOU_MAY = r"\b(?:can|could|would|will|did|should|if|when|are) you\b|\b(?:bisa|tolong|kalau|kalo) (?:lo|lu|kamu)\b|^(?:do|what do|which do) you\b";
}

/// The remembered term that the user says is wrong: "you keep calling me Liz".
pub fn held_by_you(sentence: &str, known: &[String]) -> Option<String> {
    let held = YOU_HOLD.captures(sentence).filter(|_| !YOU_MAY.is_match(sentence));
    let told = held.or_else(|| WHO_SAYS.captures(sentence)).or_else(|| MISTOLD.captures(sentence));
    let what = told.or_else(|| YOU_PUT.captures(sentence))?["what"].to_owned();
    literal_part(&what, known)
}

/// The longest run of words that occurs literally in a known memory, so that a new value can replace it.
fn literal_part(said: &str, known: &[String]) -> Option<String> {
    let words: Vec<&str> = said.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let known: Vec<String> = known.iter().map(|memory| format!(" {} ", memory.to_lowercase())).collect();
    let runs = (1..=words.len().min(LONGEST_RUN)).rev().flat_map(|len| words.windows(len).map(|run| run.join(" ")));
    let stands = |run: &String| known.iter().any(|memory| memory.contains(&format!(" {} ", run.to_lowercase())));
    runs.filter(stands).map(|run| term(&run)).find(|run| !content_words(run).is_empty())
}

/// "It's spelled Katherine": the remembered name with a similar spelling.
fn spelled(sentence: &str, known: &[String]) -> Option<Correction> {
    let new = SPELLED.captures(sentence)?["new"].to_owned();
    let alike = || known.iter().find_map(|memory| Some((memory, alike_in(memory, &new)?)));
    let called =
        || known.iter().filter(|memory| NAME_OF_USER.is_match(memory)).find_map(|memory| Some((memory, name_in(memory)?)));
    let (memory, old) = alike().or_else(called)?;
    Some(Correction { new: None, mended: mend(memory, &old, &new), old })
}

/// The capitalised word of a memory that differs from a name by a few letters.
fn alike_in(memory: &str, name: &str) -> Option<String> {
    if let Some(old) = name_in(memory).filter(|old| nearly(old, name)) {
        return Some(old);
    }
    let capital = |word: &&str| word.starts_with(char::is_uppercase);
    memory.split(|c: char| !c.is_alphanumeric()).filter(capital).find(|word| nearly(word, name)).map(str::to_owned)
}

/// Two spellings of one name: different, with at most a third of the letters changed (one of three for short names).
fn nearly(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    if a == b || a.len().max(b.len()) > LONGEST_NAME {
        return false;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let changed = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()] * 3 <= a.len().max(b.len()) + 1
}

/// Longer than any name that people spell out.
const LONGEST_NAME: usize = 40;

/// "My manager changed, it's Ottoline": the sentence replaces the only memory about the topic.
fn of_topic(sentence: &str, known: &[String]) -> Option<Correction> {
    let found = YOU_WRONG.captures(sentence).or_else(|| TOPIC.captures(sentence))?;
    let new = found["new"].to_owned();
    let (topic, new) = (content_words(&found["k"]), ONCE_NOW.captures(&new).map_or(new.clone(), |now| now["new"].to_owned()));
    if topic.is_empty() || content_words(&new).is_empty() || POINTS.is_match(&found["k"]) {
        return None;
    }
    let mut about = known.iter().filter(|memory| !topic.is_disjoint(&content_words(memory)));
    let (memory, None) = (about.next()?, about.next()) else { return None };
    let same_kind = CATEGORIES.iter().find_map(|kind| {
        let value = kind.find(&new)?.as_str();
        let old = kind.find_iter(memory).map(|m| m.as_str()).find(|word| squeezed(word) != squeezed(value))?;
        Some((old.to_owned(), value.to_owned()))
    });
    if let Some((old, value)) = same_kind {
        return Some(Correction { new: None, mended: mend(memory, &old, &value), old });
    }
    Some(Correction { new: Some(sentence.to_owned()), old: memory.clone(), mended: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_term_gives_way() {
        for (said, held, mended) in [
            ("I've gone from Android to an iPhone, so shortcuts differ", "Phone is an Android", "Phone is an iPhone"),
            ("From Kubernetes to Nomad, yes we really did it", "Services run on Kubernetes", "Services run on Nomad"),
            ("rapat tim dipindah dari Senin ke Rabu", "Rapat tim setiap Senin", "Rapat tim setiap Rabu"),
            ("They renamed the project: Falcon became Osprey", "Works on project Falcon", "Works on project Osprey"),
            ("you got it wrong, it's 4 May and not 5 April", "Birthday is 5 April", "Birthday is 4 May"),
            ("it's spelled Katherine with a K", "Name is Catherine", "Name is Katherine"),
            ("Valkey replaced Redis last week", "The cache is Redis", "The cache is Valkey"),
        ] {
            let change = swapped(said, &[held.to_owned()]).expect(said);
            assert_eq!(change.mended.as_deref(), Some(mended), "{said}");
        }
    }

    #[test]
    fn a_topic_or_an_end_takes_the_memory_along() {
        for (said, held) in [
            ("Python 3.9 is gone from the project, minimum is 3.12", "Project supports Python 3.9 and up"),
            ("my manager changed, it's Ottoline now", "Manager is Fabrice"),
            ("jam kerjaku berubah jadi 10 sampai 6", "Jam kerjaku 8 sampai 4"),
        ] {
            assert!(swapped(said, &[held.to_owned()]).is_some(), "{said}");
        }
    }

    #[test]
    fn talk_about_held_terms_changes_nothing() {
        for (said, held) in [
            ("the train from Berlin to Munich is late", "Lives in Berlin"),
            ("I like Berlin", "Lives in Berlin"),
            ("it's not this, it's that", "Lives in Berlin"),
            ("the meeting is over", "Lives in Berlin"),
            ("it's spelled Rotterdam", "Lives in Berlin"),
            ("I said hello and it's raining", "Lives in Berlin"),
        ] {
            assert_eq!(swapped(said, &[held.to_owned()]), None, "{said}");
        }
    }
}
