//! The words of a text as search counts them: without stop words, stemmed, each as a small number.
//!
//! Recall searches by words as well as by vectors, because a question often names exactly what it is about. Stems are those of
//! Snowball's English stemmer. Words in other languages keep their endings and are still found as written.
//!
//! Some scripts have no spaces between words. There each pair of neighbouring characters counts as a word, so that a word is
//! found wherever it stands. Texts are compared in composed characters (NFC), however they were typed.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

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

/// Whether a word says so little that a search ignores it.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    SORTED_STOP_WORDS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// The terms of a text in order, with repetitions.
#[must_use]
pub fn terms(text: &str) -> Vec<Term> {
    let stemmer = Stemmer::create(Algorithm::English);
    let lower = composed(text).to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\'' || has_no_spaces(c)));
    let mut terms = Vec::new();
    for (part, is_run) in words.flat_map(|word| stretches(word, has_no_spaces)) {
        if is_run {
            terms.extend(pairs(part).map(number));
            continue;
        }
        let word = part.trim_matches('\'');
        let word = word.split('\'').next().unwrap_or(word);
        if !word.is_empty() && SORTED_STOP_WORDS.binary_search(&word).is_err() {
            terms.push(number(&stemmer.stem(word)));
        }
    }
    terms
}

/// A text in composed characters (NFC).
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// Letters of Chinese, Japanese and Korean. The search index of a store must use the same set.
#[must_use]
pub fn is_east_asian(c: char) -> bool {
    matches!(c, '々' | '〇' | 'ぁ'..='ゖ' | 'ゝ'..='ゟ' | 'ァ'..='ヺ' | 'ー'..='ヿ' | 'ㄅ'..='ㄯ' | 'ㄱ'..='ㆎ' | 'ㆠ'..='ㆿ' | 'ㇰ'..='ㇿ'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | 'ｦ'..='ﾝ'
        | '\u{20000}'..='\u{2FA1F}')
}

/// Letters and marks of scripts without spaces between words: these, Thai, Lao, Burmese and Khmer.
fn has_no_spaces(c: char) -> bool {
    is_east_asian(c)
        || matches!(c, '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E4E}' | '\u{E81}'..='\u{ECF}' | '\u{1000}'..='\u{103F}' | '\u{1780}'..='\u{17D3}')
}

/// Splits a text into runs of these characters and the parts between them, in order; the flag tells whether it is a run.
pub fn stretches(text: &str, in_run: fn(char) -> bool) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let belongs = in_run(rest.chars().next()?);
        let end = rest.find(|c| in_run(c) != belongs).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        Some((part, belongs))
    })
}

/// Pairs of neighbouring characters of a run; of a single character, that.
pub fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().skip(2).map(|(at, _)| at).chain([run.len()]);
    starts.zip(ends).map(|(start, end)| &run[start..end])
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
    fn a_word_in_a_run_without_spaces_has_its_terms() {
        for (text, word) in [
            ("我每周三都要去练习书法", "书法"),
            ("妹は神戸の図書館で働いています", "図書館"),
            ("동생은 부산도서관에서 일해요", "도서관"),
            ("ฉันทำงานที่โรงพยาบาล", "งาน"),
            ("新しいiPhoneのケース", "iphone"),
        ] {
            let held = terms(text);
            assert!(!terms(word).is_empty() && terms(word).iter().all(|term| held.contains(term)), "{text}: {word}");
        }
        assert_eq!(pairs("我喝茶").collect::<Vec<_>>(), ["我喝", "喝茶"]);
        assert_eq!(pairs("茶").collect::<Vec<_>>(), ["茶"]);
        assert_eq!(terms("茶。水"), [number("茶"), number("水")]);
    }

    #[test]
    fn composed_and_decomposed_texts_have_the_same_terms() {
        for text in ["café crème", "한국어를 배워요", "ガラスのうつわ", "Zoë"] {
            let apart: String = text.nfd().collect();
            assert_ne!(apart, text);
            assert_eq!(terms(&apart), terms(text));
            assert_eq!(composed(&apart), text);
        }
    }

    #[test]
    fn repeats_are_kept_in_order() {
        let [tea, milk] = [terms("tea")[0], terms("milk")[0]];
        assert_eq!(terms("Tea with milk, tea without"), [tea, milk, tea, terms("without")[0]]);
    }
}
