//! Detects the languages of a statement by its small words, and with them its negations and its words without meaning.
//!
//! A small word of one language is a noun of another, so it counts only in a statement of its language. In doubt, a word counts
//! as a negation: two memories cost less than a lost one.

use std::collections::HashMap;
use std::sync::LazyLock;

use language::lexicon;

use super::word::{Kind, Word};

/// A set of languages, a bit for each.
pub type Languages = u32;

/// The languages in which a word is a small word, and those in which it is a negation.
#[derive(Default, Clone, Copy)]
struct WordLanguages {
    small: Languages,
    negation: Languages,
}

/// The languages with small words, in the order of the lists.
static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| lexicon::groups("small").map(|group| group.name).collect());

static HEARD: LazyLock<HashMap<&'static str, WordLanguages>> = LazyLock::new(|| {
    let mut heard: HashMap<&'static str, WordLanguages> = HashMap::new();
    for (kind, negates) in [("small", false), ("negation", true)] {
        for group in lexicon::groups(kind) {
            // Languages with nothing but negations share one bit.
            let languages = NAMES.iter().position(|name| *name == group.name).map_or(0, |at| 1 << at);
            for word in &group.words {
                let heard = heard.entry(word).or_default();
                *(if negates { &mut heard.negation } else { &mut heard.small }) |= if languages == 0 { OTHER } else { languages };
            }
        }
    }
    heard
});

/// Bit for all languages of which only the negations are listed.
const OTHER: Languages = 1 << 31;
/// Weight of a small word for its language; 1 if it is English too, and 1 for a word of the dictionary.
const SMALL: u32 = 2;
/// Total weight from which a statement is surely in a language.
const KNOWN: u32 = 3;
/// Languages in which several negations of a statement count as one.
const CONCORD: [&str; 7] = ["fr", "es", "pt", "it", "pl", "ru", "uk"];
/// Elided words before an apostrophe in French and Italian.
const ELIDED: [&str; 14] = ["l", "d", "j", "n", "m", "t", "s", "c", "qu", "dell", "nell", "all", "un", "sull"];

/// Sets the kind of each word, and returns the languages that the statement is surely in: none, one, or several that fit equally.
pub fn judge(words: &mut [Word]) -> Languages {
    let (best, sure) = languages(words);
    for word in words.iter_mut().filter(|word| word.kind == Kind::Plain) {
        let WordLanguages { small, negation } = heard(&word.written, &word.lower);
        if negation & (best | if sure { 0 } else { OTHER }) != 0 {
            word.kind = Kind::Negation;
            word.key.clone_from(&word.lower);
        } else if (best != 0 && small & best == best && word.written != "May") || is_owner(&word.lower) {
            word.kind = Kind::Stop;
            word.key.clone_from(&word.lower);
        }
    }
    if sure { best } else { 0 }
}

/// Returns the languages that fit best, and whether they fit well enough to be sure.
fn languages(words: &[Word]) -> (Languages, bool) {
    let mut counts = vec![0; NAMES.len()];
    let at = |name: &str| NAMES.iter().position(|listed| *listed == name);
    for word in words.iter().filter(|word| word.kind == Kind::Plain) {
        let WordLanguages { small, negation } =
            if is_owner(&word.lower) { WordLanguages::default() } else { heard(&word.written, &word.lower) };
        let english = at("en").is_some_and(|n| (small | negation) >> n & 1 == 1);
        for (n, count) in counts.iter_mut().enumerate() {
            let weight = if english && at("en") != Some(n) { 1 } else { SMALL };
            *count += if (small | negation) >> n & 1 == 1 { weight } else { 0 };
        }
        let owner = is_owner(&word.lower);
        for (name, known) in [("en", lexicon::is_english(&word.lower)), ("id", lexicon::is_indonesian_form(&word.lower))] {
            let counts_here = owner || (known && !word.is_name());
            if let Some(n) = at(name).filter(|n| counts_here && (small | negation) >> n & 1 == 0) {
                counts[n] += 1;
            }
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let best = (0..).zip(&counts).filter(|(_, count)| most > 0 && **count == most).fold(0, |best, (n, _)| best | 1 << n);
    (best, most >= KNOWN)
}

/// Whether a word stands for the owner of a memory, in any language.
fn is_owner(lower: &str) -> bool {
    matches!(lower, "user" | "users" | "pengguna")
}

fn heard(written: &str, lower: &str) -> WordLanguages {
    // "don't" is listed as it is written; "it's" and "it" are one word.
    let whole = written.to_lowercase().replace('’', "'");
    HEARD.get(whole.as_str()).or_else(|| HEARD.get(lower)).copied().unwrap_or_default()
}

/// Whether several negations count as one in these languages.
pub fn negates_once(languages: Languages) -> bool {
    let concord = (0..).zip(NAMES.iter()).filter(|(_, name)| CONCORD.contains(name)).fold(0, |set, (n, _)| set | 1 << n);
    languages != 0 && languages & !concord == 0
}

/// Whether a word negates in any language.
pub fn negates_anywhere(word: &Word) -> bool {
    heard(&word.written, &word.lower).negation != 0
}

/// `l'aspirine` is two words, `o'clock` is one.
pub fn elided(run: &str) -> Vec<&str> {
    match run.split_once(['\'', '’']) {
        Some((before, after))
            if !after.is_empty() && after != "s" && after != "t" && ELIDED.contains(&before.to_lowercase().as_str()) =>
        {
            vec![before, after]
        }
        _ => vec![run],
    }
}
