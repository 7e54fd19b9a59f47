//! Tells roughly whether two texts say the same, by the words they share.

use crate::domain::merging::differences;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static STOP: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    "the a an is are am was to of in on at for and or with by from as it its that this user user's their they them i my \
     me you your be now has have does do not wants assistant pengguna yang di ke dari dan itu ini gue aku saya sekarang \
     so got noted will keep we our team minta mau s remember adalah anymore instead ok sure"
        .split_ascii_whitespace()
        .collect()
});

/// Lower-case words that carry meaning, roughly stemmed.
pub fn content_words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !STOP.contains(word.as_str()))
        .map(|word| stem(&word))
        .collect()
}

fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s");
    for end in ["ing", "ers", "er", "ed", "es", "s"] {
        if let Some(stem) = word.strip_suffix(end)
            && stem.chars().count() >= 3
        {
            return stem.to_owned();
        }
    }
    word.to_owned()
}

/// The share of the smaller text's words that the other one contains, 0 to 1.
#[allow(clippy::cast_precision_loss, reason = "counts of words")]
pub fn shared(a: &str, b: &str) -> f64 {
    let (a, b) = (content_words(a), content_words(b));
    let least = a.len().min(b.len());
    if least == 0 { 0.0 } else { a.intersection(&b).count() as f64 / least as f64 }
}

/// A reply with this share of common words repeats a memory.
const REPEATS: f64 = 0.7;

/// Whether any sentence of the reply repeats something known, with the same numbers and negations.
pub fn restates(reply: &[String], known: &[String]) -> bool {
    reply.iter().any(|sentence| known.iter().any(|memory| shared(sentence, memory) >= REPEATS && !contradict(sentence, memory)))
}

fn contradict(a: &str, b: &str) -> bool {
    differences(a, b).iter().any(|difference| difference.contradicts())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_memory_is_recognised() {
        let known = ["User works on the iOS app".to_owned()];
        assert!(restates(&["Since you work on the iOS app, start there".to_owned()], &known));
        assert!(!restates(&["Kotlin is nice".to_owned()], &known));
    }
}
