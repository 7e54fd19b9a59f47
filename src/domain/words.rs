//! The words of a text as search counts them: without stop words, stemmed, each as a small number.
//!
//! Recall searches by words as well as by vectors, because a question often names exactly what it is about. Stems are those of
//! Snowball's English stemmer. Words in other languages keep their endings and are still found as written.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// A stem as a number: 32 bits of FNV-1a. A collision between two stems of one user is very rare (about one pair in four billion)
/// and only ranks a memory a little too high.
pub type Term = u32;

/// Words that say nothing about the topic of a text: pronouns, articles, prepositions, auxiliaries and question words.
const STOP_WORDS: &str = "a about after again all also am an and any are as at be because been before being below between both but by \
    can could did do does doing don down during each few for from further had has have having he her here hers him his how i if \
    in into is it its just let me more most my no nor not now of off on once only or other our ours out over own same she should \
    so some such than that the their theirs them then there these they this those through to too under until up us very was we \
    were what when where which while who whom whose why will with would you your yours \
    ada adalah akan aku apa atau bagaimana dan dari dengan di dia ini itu juga kami kamu kapan karena ke kita mana mengapa mereka \
    pada saya sebagai siapa untuk yang";

static SORTED_STOP_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = STOP_WORDS.split_ascii_whitespace().collect();
    words.sort_unstable();
    words
});

/// Whether a word says so little that a search leaves it out.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    SORTED_STOP_WORDS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// The terms of a text in order, with repetitions.
#[must_use]
pub fn terms(text: &str) -> Vec<Term> {
    let stemmer = Stemmer::create(Algorithm::English);
    let lower = text.to_lowercase().replace('’', "'");
    lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .map(|word| word.split('\'').next().unwrap_or(word))
        .filter(|word| !word.is_empty() && SORTED_STOP_WORDS.binary_search(word).is_err())
        .map(|word| number(&stemmer.stem(word)))
        .collect()
}

/// FNV-1a, 32 bits (Fowler, Noll, Vo).
fn number(stem: &str) -> Term {
    stem.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_share_a_term_and_stop_words_have_none() {
        assert_eq!(terms("She was painting the sunrises"), terms("paint sunrise"));
        assert!(terms("What is it that you do?").is_empty());
        assert_eq!(terms("Caroline's café, I don't"), terms("caroline café"));
        assert_ne!(terms("tea"), terms("coffee"));
    }

    #[test]
    fn repeats_are_kept_in_order() {
        let [tea, milk] = [terms("tea")[0], terms("milk")[0]];
        assert_eq!(terms("Tea with milk, tea without"), [tea, milk, tea, terms("without")[0]]);
    }
}
