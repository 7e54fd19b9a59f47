//! Finds the memory that a change is about, by the words that a sentence and a memory share.

use std::collections::BTreeSet;

use language::lexicon::{self, Language};
use rust_stemmers::{Algorithm, Stemmer};

use crate::forms::{Form, forms};

/// The memory that a statement replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// None: the statement is new, or repeats a memory.
    Nothing,
    /// The memory that holds these words.
    Words(String),
    /// The memory that is nearest in meaning, if it is near enough.
    Nearest,
}

/// Returns the memory that a change is about: by the words that it withdraws, else the nearest in meaning.
pub fn meant(text: &str, known: &[&str]) -> Takes {
    withdrawn(text, known).map_or(Takes::Nearest, Takes::Words)
}

/// Whether a sentence withdraws, by its form, what a memory holds: surely ("no longer"), or perhaps ("instead of"). `None`: it
/// does not.
pub fn withdraws(text: &str, known: &[&str]) -> Option<bool> {
    let form = forms().withdrawn.iter().find(|form| named(form, text, known).is_some())?;
    Some(form.name == "no_longer")
}

fn withdrawn(text: &str, known: &[&str]) -> Option<String> {
    forms().withdrawn.iter().find_map(|form| named(form, text, known))
}

fn named(form: &Form, text: &str, known: &[&str]) -> Option<String> {
    let old = stems(&form.captures(text)?["old"]);
    held(&old, known).filter(|_| !old.is_empty())
}

/// The words of the memory that shares most with these stems.
pub fn held(said: &BTreeSet<String>, known: &[&str]) -> Option<String> {
    let shared = |memory: &&str| stems(memory).intersection(said).count();
    let best = known.iter().rev().max_by_key(|memory| shared(memory)).filter(|memory| shared(memory) > 0)?;
    let is_shared = |word: &&str| stems(word).iter().any(|stem| said.contains(stem));
    Some(best.split(|c: char| !c.is_alphanumeric()).filter(is_shared).collect::<Vec<_>>().join(" "))
}

/// Stems of the content words of a text.
pub fn stems(text: &str) -> BTreeSet<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1 && !is_empty(word));
    words.map(|word| stemmer.stem(word).into_owned()).collect()
}

/// The names in a text: words with a capital letter or a digit that do not begin it, and identifiers.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |(at, word): &(usize, &str)| {
        let marked = word.chars().skip(1).any(|c| c.is_uppercase() || matches!(c, '_' | '-' | '.' | '/' | '0'..='9'));
        word.len() > 2 && (marked || (*at > 0 && word.starts_with(char::is_uppercase)))
    };
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.enumerate().filter(is_name).map(|(_, word)| word)
}

/// Whether a word says nothing about a topic.
fn is_empty(word: &str) -> bool {
    lexicon::is_common(word, Language::English)
        || lexicon::is_common(word, Language::Indonesian)
        || !lexicon::pronouns(word).is_empty()
        || forms().telling.empty.iter().any(|empty| empty == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_means_the_memory_whose_words_it_withdraws() {
        let known = ["User plays chess on Sundays", "User's editor is Neovim", "User lives in Ghent"];
        let words = |text: &str| Takes::Words(text.to_owned());
        assert_eq!(meant("I gave up on Neovim, back on VS Code", &known), words("Neovim"));
        assert_eq!(meant("I moved from Ghent to Oslo", &known), words("Ghent"));
        assert_eq!(meant("I play checkers now", &known), Takes::Nearest);
        assert_eq!(meant("I've switched to decaf", &known), Takes::Nearest);
    }
}
