//! Detects whether a message is in a language that is read: English, Indonesian, and languages spoken beside them.
//!
//! It is called unread only if that is sure. Short texts, names, code and emoji are in no language.

use language::lexicon::{self, Language};
use whatlang::{Lang, Script};

/// Minimum number of words, or of letters in scripts without spaces: fewer are too few to tell.
const LEAST_WORDS: usize = 4;
const LEAST_LETTERS: usize = 6;
/// Share of letters in another script from which a text is in that script.
const MOSTLY: f64 = 0.6;
/// Share of English or Indonesian words from which a message is read.
const KNOWN: f64 = 0.5;
/// Share of known words below which a guess about the language need not be reliable.
const UNKNOWN: f64 = 0.2;
/// Minimum confidence of a guess.
const LIKELY: f64 = 0.05;

/// Whether the sentences of a message are in a language that is not read.
pub fn is_unread<'a>(sentences: impl Iterator<Item = &'a str>) -> bool {
    let text = sentences.collect::<Vec<_>>().join(". ");
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let words: Vec<&str> = text.split(|c: char| !(c.is_alphabetic() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let latin = text.chars().filter(|c| c.is_alphabetic() && is_latin(*c)).count();
    if letters < LEAST_LETTERS || share(letters - latin, letters) >= MOSTLY {
        let enough = words.len() >= LEAST_WORDS || has_no_spaces(&text);
        return letters >= LEAST_LETTERS && enough;
    }
    let is_small = |word: &&&str| word.starts_with(char::is_lowercase);
    // A word with a capital may be a name.
    if words.iter().filter(is_small).count() < LEAST_WORDS - 1 || words.len() < LEAST_WORDS {
        return false;
    }
    let plain: Vec<String> = words.iter().filter(|word| word.chars().nth(1).is_some()).map(|word| word.to_lowercase()).collect();
    let known = share(plain.iter().filter(|word| is_known(word)).count(), plain.len());
    let Some(guess) = whatlang::detect(&text).filter(|_| known < KNOWN) else { return false };
    let read = matches!(guess.lang(), Lang::Eng | Lang::Ind | Lang::Jav | Lang::Tgl | Lang::Epo | Lang::Lat | Lang::Afr);
    !read && (guess.is_reliable() || known < UNKNOWN && guess.confidence() >= LIKELY)
}

/// Whether a word is English or Indonesian.
fn is_known(word: &str) -> bool {
    let read = [Language::English, Language::Indonesian];
    read.iter().any(|language| lexicon::is_common(word, *language)) || lexicon::is_english(word) || lexicon::is_indonesian(word)
}

fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{AA}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}

/// Whether the script has no spaces between words.
fn has_no_spaces(text: &str) -> bool {
    let script = whatlang::detect_script(text);
    matches!(
        script,
        Some(Script::Mandarin | Script::Hiragana | Script::Katakana | Script::Thai | Script::Khmer | Script::Myanmar)
    )
}

#[expect(clippy::cast_precision_loss, reason = "the length of a message")]
fn share(some: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { some as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_unread_only_if_that_is_sure() {
        let mut wrong = Vec::new();
        for text in [
            "Ich wohne seit drei Jahren in Porto und arbeite als Lehrer",
            "Meine Schwester hat zwei Katzen und einen alten Hund",
            "Mi hermana vive en Sevilla desde hace tres años y trabaja en un banco",
            "Ma fille apprend le piano depuis deux ans et elle adore ça",
            "Eu trabalho numa padaria perto da estação",
            "Mia sorella lavora in una panetteria vicino alla stazione",
            "Mijn zus werkt al jaren bij een bakkerij in het dorp",
            "Bir kedim var ve adı Pamuk, çok yaramaz",
            "Tôi sống ở Hà Nội với gia đình",
            "Moja siostra mieszka w Krakowie i ma dwa koty",
            "Я живу в Казани с двумя кошками",
            "У мене двоє дітей та собака",
            "أعيش في فاس مع عائلتي الصغيرة",
            "Ο σκύλος μου λέγεται Ρεξ και είναι μεγάλος",
            "我妹妹在成都的银行工作",
            "妹は神戸の銀行で働いています",
            "내 여동생은 부산에 있는 은행에서 일해요",
            "ฉันทำงานกลางคืนที่โรงพยาบาล",
        ] {
            if !is_unread(std::iter::once(text)) {
                wrong.push(text);
            }
        }
        for text in [
            "I work at a bakery near the station",
            "fix the failing test pls",
            "gue lagi nyari tempat makan enak deket kantor",
            "aku suka ngopi tiap pagi sebelum ngantor",
            "saya nak makan nasi lemak esok pagi",
            "kulo tinggal wonten Solo kaliyan ibu",
            "gak bisa login nih bro, tolong dong",
            "kubectl get pods -n staging --watch",
            "error: cannot find value foo in this scope",
            "John Smith, Anna Müller, Petra Novak",
            "lorem ipsum dolor sit amet consectetur",
            "What does 'carpe diem' mean in English?",
            "translate 我爱你 to English please",
            "my favourite pasta is cacio e pepe",
            "can you recommend a good ramen place in shibuya",
            "Danke schön",
            "你好",
            "ok",
            "👍👍👍",
            "",
            "SELECT id FROM users WHERE name = 'x'",
            "Saint-Étienne, Besançon",
        ] {
            if is_unread(std::iter::once(text)) {
                wrong.push(text);
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
