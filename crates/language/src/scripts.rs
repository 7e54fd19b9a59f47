//! Words of other scripts than the Latin one: `lexicon/scripts.txt`. They are compared as they are written, because folding
//! leaves nothing of them.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The words of a kind: whole ones, and those that may be inside others, because the script has no spaces or endings vary.
#[derive(Default)]
struct Words {
    whole: Vec<&'static str>,
    inside: Vec<&'static str>,
}

static WORDS: LazyLock<HashMap<&'static str, Words>> = LazyLock::new(|| {
    let mut kinds: HashMap<&str, Words> = HashMap::new();
    for line in include_str!("../lexicon/scripts.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split(' ');
        let kind = kinds.entry(words.next().unwrap_or_default()).or_default();
        for word in words {
            match word.strip_suffix('*') {
                Some(part) => kind.inside.push(part),
                None => kind.whole.push(word),
            }
        }
    }
    kinds
});

/// The spans of the words of this kind, in order.
pub fn words(kind: &str, text: &str) -> impl Iterator<Item = (usize, usize)> {
    let listed = WORDS.get(kind);
    runs(text).into_iter().filter(move |(start, end)| {
        let word: String = text[*start..*end].to_lowercase().nfc().collect();
        listed.is_some_and(|listed| listed.whole.contains(&word.as_str()) || listed.inside.iter().any(|part| word.contains(part)))
    })
}

/// Runs of letters with their marks; none of Latin letters alone.
fn runs(text: &str) -> Vec<(usize, usize)> {
    let (mut runs, mut start, mut foreign) = (Vec::new(), None, false);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphabetic() || is_combining_mark(c) || matches!(c, '\u{200c}' | '\u{200d}') {
            start.get_or_insert(at);
            foreign |= !c.is_ascii();
        } else if let Some(from) = start.take()
            && std::mem::take(&mut foreign)
        {
            runs.push((from, at));
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_or_inside() {
        let found = |kind, text: &'static str| words(kind, text).map(|(from, to)| &text[from..to]).collect::<Vec<_>>();
        assert_eq!(found("first", "Это Мой сервер"), ["Мой"]);
        assert_eq!(found("first", "мойка работает, my server"), Vec::<&str>::new());
        assert_eq!(found("first", "昨日我发布了"), ["昨日我发布了"]);
        assert_eq!(found("none", "мой"), Vec::<&str>::new());
    }
}
