//! Turns what users say about themselves into a statement about the user.
//!
//! Only the person changes: "I work on X" becomes "User works on X". Every other word stays as it was said, because people search
//! for their own words, and numbers, versions and negations must be preserved.

use super::pattern::pattern;

/// The language a sentence is in, as far as it matters for wording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    English,
    Indonesian,
}

pattern! {
    INDONESIAN = r"\b(?:gue|gua|gw|gwe|aku|saya|kamu|lo|lu|yang|yg|di|dari|dan|tapi|tp|ga|gak|nggak|ngga|enggak|tidak|tdk|bukan|jangan|selalu|pake|pakai|udah|udh|sudah|belum|kalo|kalau|itu|ini|buat|untuk|utk|dengan|sama|juga|aja|saja|lagi|mau|suka|tim|kita|kami|semua|setiap|tiap|adalah|ada|bisa|nama|namaku|panggil|jawab|jawaban|bahasa|biar|sekarang|dulu|ingat|inget|catat|catet|lupakan|lupain|hapus|tolong|karena|soalnya|orang|kerja|tinggal|rumah|anak|istri|suami|istriku|suamiku|anakku|banget|dong|nih|sih|deh|ya|kok|dalam|ke|pas|abis|mulai|ke depannya|kasih|jadi|singkat|ringkas|punya|lahir|umur|tahun|hari|jam|lebih|cuma|hanya|baru|pindah|ganti|kucing|anjing|setelah|sebelum|harus|wajib|dipake|dipakai|sebagai|oleh|agar|supaya|atau|maksud|salah|ralat)\b";
    ENGLISH = r"\b(?:i|i'm|my|me|the|is|are|am|to|of|and|in|for|with|it|that|this|on|at|we|our|from|not|have|don't|do|please|always|never|use|be|an?|you|your|was|but|or|as)\b";
}

pub fn tongue(text: &str) -> Tongue {
    let indonesian = INDONESIAN.find_iter(text).count();
    let english = ENGLISH.find_iter(text).count();
    if indonesian > 0 && indonesian >= english { Tongue::Indonesian } else { Tongue::English }
}

/// Expanded forms of contractions, so that patterns need only one form.
const CONTRACTIONS: &[(&str, &str)] = &[
    ("i'm", "I am"),
    ("im", "I am"),
    ("i've", "I have"),
    ("ive", "I have"),
    ("i'd", "I would"),
    ("i'll", "I will"),
    ("we're", "we are"),
    ("we've", "we have"),
    ("we'll", "we will"),
    ("we'd", "we would"),
    ("it's", "it is"),
    ("that's", "that is"),
    ("dont", "don't"),
    ("doesnt", "doesn't"),
    ("cant", "can't"),
    ("cannot", "can't"),
    ("wont", "won't"),
    ("didnt", "didn't"),
    ("isnt", "isn't"),
    ("i", "I"),
    ("u", "you"),
    ("ur", "your"),
    ("pls", "please"),
    ("plz", "please"),
    ("rly", "really"),
    ("gonna", "going to"),
    ("wanna", "want to"),
    ("cuz", "because"),
];

pattern! {
    MY_IS = r"^((?:my|our) (?:\w+ ){0,3}?\w+)'s (an?|the|on|in|from|called|named|running|not|only|still|now) ";

    NEGATED = r"\b(do|does|did) not\b";
    // "My partner and I", "me and my husband".
    COUPLE = r"^(?:(?:my|our) (?:\w+ ){1,2}and i|(?:me|i) and my (?:\w+ ?){1,2}?|my (?:\w+ ){1,2}and me) (?:both |also )?";
}

/// Expands contractions and colloquial spellings of an English sentence; an Indonesian one stays as it is.
pub fn expand(text: &str, tongue: Tongue) -> String {
    if tongue == Tongue::Indonesian {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let text = MY_IS.replace(text, "$1 is $2");
    let text = NEGATED.replace_all(&text, "${1}n't");
    let text = COUPLE.replace(&text, "we ");
    let words = text.split_whitespace().map(|word| {
        let core = core(word);
        let lower = core.to_lowercase();
        match CONTRACTIONS.iter().find(|(short, _)| *short == lower) {
            Some((_, long)) if core.len() < 7 && !(lower == "im" && core == "IM") => word.replacen(core, long, 1),
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A word without the punctuation around it.
fn core(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '+' && c != '#').trim_matches('\'')
}

const AUXILIARIES: &[(&str, &str)] = &[
    ("am", "is"),
    ("have", "has"),
    ("do", "does"),
    ("don't", "doesn't"),
    ("haven't", "hasn't"),
    ("go", "goes"),
    ("are", "is"),
    ("were", "was"),
    ("aren't", "isn't"),
    ("weren't", "wasn't"),
];
const UNCHANGED: &[&str] = &[
    "is",
    "was",
    "has",
    "does",
    "doesn't",
    "can",
    "can't",
    "could",
    "couldn't",
    "will",
    "won't",
    "would",
    "wouldn't",
    "must",
    "should",
    "shouldn't",
    "might",
    "may",
    "had",
    "hadn't",
    "did",
    "didn't",
    "got",
    "went",
    "bought",
    "took",
    "became",
    "grew",
    "left",
    "made",
    "met",
    "found",
    "told",
    "said",
    "quit",
    "wasn't",
    "isn't",
    "began",
    "built",
    "came",
    "chose",
    "drove",
    "gave",
    "knew",
    "lost",
    "ran",
    "saw",
    "sold",
    "spent",
    "spoke",
    "taught",
    "thought",
    "wrote",
    "won",
    "broke",
    "kept",
    "put",
    "ate",
    "set",
    "let",
    "moved",
    "ought",
    "shipped",
    "swapped",
    "hasn't",
    "born",
    "paid",
    "led",
    "shall",
    "just",
    "felt",
    "held",
    "meant",
    "slept",
    "woke",
    "wore",
    "rode",
    "flew",
    "heard",
    "sent",
    "cut",
    "hit",
    "read",
];
const BASE_IN_ED: &[&str] = &["need", "feed", "speed", "embed", "breed", "proceed", "exceed", "seed", "read", "shed", "bleed"];
const ADVERBS: &[&str] = &[
    "also",
    "always",
    "never",
    "often",
    "still",
    "only",
    "just",
    "now",
    "sometimes",
    "almost",
    "seldom",
    "pretty",
    "much",
    "both",
    "far",
    "very",
    "not",
    "no",
    "longer",
    "pretty",
    "quite",
    "sort",
    "kind",
    "too",
    "then",
];
/// Verbs that follow "and" with the same subject.
const JOINED: &[&str] = &[
    "use", "work", "live", "prefer", "like", "love", "hate", "write", "code", "run", "play", "read", "speak", "drive", "study",
    "teach", "manage", "lead", "maintain", "own", "deploy", "host", "eat", "drink", "avoid", "want", "need", "have", "do", "go",
    "commute", "travel", "train", "build", "design", "start", "stop", "wake", "sleep", "take", "keep", "don't", "am",
];

/// The same statement about "User" or "Pengguna"; first letter capitalised, no full stop.
pub fn third(text: &str, tongue: Tongue) -> String {
    let said = match tongue {
        Tongue::English => third_english(text),
        Tongue::Indonesian => third_indonesian(text),
    };
    tidy(&said)
}

fn third_english(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let (mut named, mut awaiting, mut present, mut joined) = (false, false, false, false);
    for word in text.split_whitespace() {
        let bare = core(word);
        let lower = bare.to_lowercase();
        let mut put = |with: &str| out.push(word.replacen(bare, with, 1));
        match lower.as_str() {
            "i" => {
                put("User");
                (named, awaiting, joined) = (true, true, false);
            }
            "my" => {
                put(if named { "their" } else { "User's" });
                named = true;
                (awaiting, joined) = (false, false);
            }
            "me" | "myself" | "mine" => {
                put(match (lower.as_str(), named) {
                    ("mine", true) => "theirs",
                    ("mine", false) => "User's",
                    ("myself", _) => "themselves",
                    (_, true) => "them",
                    (_, false) => "User",
                });
                named = true;
            }
            _ if awaiting && is_adverb(&lower) => put(bare),
            _ if awaiting || (joined && present && JOINED.contains(&lower.as_str())) => {
                let verb = conjugate(bare);
                let negated_or_modal = UNCHANGED.contains(&lower.as_str()) || lower.ends_with("n't");
                present = verb != bare && !negated_or_modal && !matches!(lower.as_str(), "am" | "do");
                put(&verb);
                (awaiting, joined) = (false, false);
            }
            _ => {
                put(bare);
                joined = matches!(lower.as_str(), "and" | "but" | "or" | "then") || (joined && is_adverb(&lower));
            }
        }
        if word.ends_with(',') && present {
            joined = true;
        }
    }
    out.join(" ")
}

fn is_adverb(lower: &str) -> bool {
    ADVERBS.contains(&lower)
        || (lower.ends_with("ly") && !matches!(lower, "rely" | "apply" | "reply" | "supply" | "fly" | "multiply"))
}

fn conjugate(verb: &str) -> String {
    let lower = verb.to_lowercase();
    if let Some((_, third)) = AUXILIARIES.iter().find(|(base, _)| *base == lower) {
        return (*third).to_owned();
    }
    let past = lower.ends_with("ed") && !BASE_IN_ED.contains(&lower.as_str());
    if past || UNCHANGED.contains(&lower.as_str()) || lower.is_empty() || !lower.chars().all(|c| c.is_alphabetic() || c == '-') {
        return verb.to_owned();
    }
    let before_y = lower.chars().rev().nth(1);
    if ["s", "sh", "ch", "x", "z", "o"].iter().any(|end| lower.ends_with(end)) {
        format!("{verb}es")
    } else if lower.ends_with('y') && before_y.is_some_and(|c| !"aeiou".contains(c)) {
        format!("{}ies", &verb[..verb.len() - 1])
    } else {
        format!("{verb}s")
    }
}

pattern! {
    ID_CALL = r"\bpanggil(?: aja)? {AKU}(?: aja)?(?: dengan)?\b";
    ID_SELF = r"\b(?:{AKU})\b";
    ID_CLITIC = r"\b(nama|istri|suami|anak|rumah|laptop|umur|usia|hobi|kantor|tim|mobil|motor|ibu|ayah|bapak|adik|kakak|editor|bos|atasan|pacar|kucing|anjing|pekerjaan|kerjaan|timezone|tugas|proyek|project|favorit|keluarga|akun|hp|komputer|jadwal|jurusan|kampus|sekolah|alamat|kota|makanan|warna|tim|teman|mesin|server)ku\b";
}

fn third_indonesian(text: &str) -> String {
    let text = ID_CALL.replace(text, "Pengguna mau dipanggil");
    let text = ID_CLITIC.replace_all(&text, "$1 Pengguna");
    ID_SELF.replace_all(&text, "Pengguna").into_owned()
}

/// Single spaces, no final punctuation, first letter capitalised.
pub fn tidy(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_matches(|c: char| matches!(c, '.' | ',' | '!' | ';' | ':' | ' ' | '-' | '–' | '—'));
    let mut chars = text.chars();
    match chars.next() {
        // An identifier or a product keeps its own spelling.
        Some(first) if first.is_lowercase() && !text.split(' ').next().is_some_and(is_identifier) => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

fn is_identifier(word: &str) -> bool {
    word.contains(['_', '.', '/', '`']) || word.chars().skip(1).any(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_person_changes_and_nothing_else() {
        for (said, stored) in [
            ("I work mostly on the iOS app", "User works mostly on the iOS app"),
            ("my main machine is X", "User's main machine is X"),
            ("I'm on Windows 11", "User is on Windows 11"),
            ("I usually study at night and drink tea", "User usually studies at night and drinks tea"),
            ("I don't eat pork", "User doesn't eat pork"),
            ("I live in Ghent with my wife", "User lives in Ghent with their wife"),
            ("I moved to Oslo in 2021", "User moved to Oslo in 2021"),
            ("I've used Rust for 5 years", "User has used Rust for 5 years"),
            ("gue prefer jawaban singkat", "Pengguna prefer jawaban singkat"),
            ("namaku Sari", "Nama Pengguna Sari"),
            ("panggil gue Gut", "Pengguna mau dipanggil Gut"),
        ] {
            let tongue = tongue(said);
            assert_eq!(third(&expand(said, tongue), tongue), stored);
        }
    }
}
