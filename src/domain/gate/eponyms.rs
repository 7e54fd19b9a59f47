//! Phrases that contain a name but mean no person: `John Deere`, `the Johns Hopkins protocol`, `Earl Grey`.
//!
//! They are listed, because their context rarely distinguishes them from a name. If the phrase is asked something, or does what
//! only people do, it counts as a person anyway.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::company::{asked_directly, verb_after};
use super::people_words::STRICT_VERBS;
use super::reading::Reading;

const PHRASES: &str = include_str!("eponyms.txt");
/// Maximum number of words in a phrase; each side of an apostrophe or hyphen counts as one.
const LONGEST: usize = 6;

static LISTED: LazyLock<HashSet<&'static str>> = LazyLock::new(|| phrases().collect());

fn phrases() -> impl Iterator<Item = &'static str> {
    PHRASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Byte ranges of such phrases, end exclusive.
pub(super) fn spans(reading: &Reading) -> Vec<(usize, usize)> {
    let words = &reading.words;
    let mut found = Vec::new();
    for at in 0..words.len() {
        let listed = |last: &usize| {
            let phrase = &reading.lower()[words[at].start..words[*last].end];
            LISTED.contains(phrase) || phrase.strip_suffix('s').is_some_and(|one| LISTED.contains(one))
        };
        let longest = (at + 1..words.len().min(at + LONGEST)).rev().find(listed);
        let person = |last: usize| asked_directly(reading, at) || STRICT_VERBS.contains(&verb_after(reading, last));
        found.extend(longest.filter(|last| !person(*last)).map(|last| (words[at].start, words[last].end)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_listed_once_and_can_be_found() {
        assert_eq!(LISTED.len(), phrases().count());
        for phrase in phrases() {
            assert_eq!(phrase, phrase.trim().to_lowercase());
            let reading = Reading::new(phrase);
            assert!(spans(&reading).contains(&(0, phrase.len())), "{phrase}");
        }
    }
}
