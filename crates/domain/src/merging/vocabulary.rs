//! The words that the merge guard and the rules of changes look for, in lists of the lexicon, and the number words.

use std::sync::LazyLock;

use language::lexicon;

/// Digits of a number word, from the words for periods and those that count only in a comparison.
pub fn digits(word: &str) -> Option<&'static str> {
    lexicon::group("number", word).or_else(|| lexicon::group("count", word)).map(|group| group.name)
}

/// Whether a number word stands for these digits.
pub fn is_digits(key: &str) -> bool {
    lexicon::groups("number").chain(lexicon::groups("count")).any(|group| group.name == key)
}

/// The words around which the order matters.
pub static CONNECTIVES: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("connective"));
/// The words between the items of a list.
pub static AND: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("and"));
/// The words that stand before the word that a statement is about.
pub static OWNER: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("owner"));
/// The words between a thing and a statement about it.
pub static COPULA: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("copula"));
/// The words that say that something became another.
pub static CHANGED: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("changed"));
/// The words that address a wish to the assistant.
pub static ASKED: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("asked"));
/// The words of a wish or a preference.
pub static WISH: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("wish"));
/// The words between a preferred thing and a rejected one.
pub static RATHER: LazyLock<Vec<&'static str>> = LazyLock::new(|| all("rather"));

fn all(kind: &str) -> Vec<&'static str> {
    lexicon::groups(kind).flat_map(|group| group.words.iter().copied()).collect()
}
