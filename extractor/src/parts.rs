//! A sentence without its filler, and its parts: what is said beside a question, a reason, an aside.

use crate::forms::forms;
use crate::sentences::Sentence;

/// A sentence without opening and closing filler.
#[derive(Debug, PartialEq, Eq)]
pub struct Bare {
    pub text: String,
    /// It starts like a correction: "actually", "no", "ralat".
    pub corrects: bool,
}

/// Strips filler around a statement.
pub fn bare(sentence: &str) -> Bare {
    let mut text = sentence.trim();
    let mut corrects = false;
    loop {
        let corrected = forms().part("corrects").end(text).filter(|end| *end < text.len());
        corrects |= corrected.is_some();
        let Some(end) = corrected.or_else(|| forms().part("opening").end(text)).filter(|end| *end < text.len()) else { break };
        text = text[end..].trim_start();
    }
    let text = forms().part("closing").remove(text);
    Bare { text: text.trim().trim_matches(',').trim().to_owned(), corrects }
}

/// The parts of a sentence between punctuation and, if `fine`, conjunctions; one that begins with a condition is whole.
pub fn parts(text: &str, fine: bool) -> Vec<String> {
    if forms().part("bound").is_match(text) {
        return vec![text.to_owned()];
    }
    let mut seams = forms().part("mark").spans(text);
    if fine {
        seams.extend(forms().part("conjunction").spans(text));
        seams.sort_unstable();
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for (from, to) in seams {
        if from >= start {
            parts.push(&text[start..from]);
            start = to;
        }
    }
    parts.push(&text[start..]);
    let tidy = |part: &str| forms().part("joint").remove(part.trim()).trim().trim_end_matches([')', ',']).to_owned();
    parts.into_iter().map(tidy).filter(|part| !part.is_empty()).collect()
}

/// Whether a sentence, or a part of one, asks something.
pub fn asks(text: &str) -> bool {
    forms().part("question").is_match(text)
}

impl Sentence {
    pub fn asks(&self) -> bool {
        self.question || asks(&bare(&self.text).text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filler_comes_off() {
        for (said, left, corrects) in [
            ("btw I live in Rome", "I live in Rome", false),
            ("Oh and actually, I use Helix now, thanks", "I use Helix now", true),
            ("no emojis please", "no emojis", false),
            ("No, it's Postgres", "it's Postgres", true),
            ("eh, gue pake Arch ya", "gue pake Arch", false),
            ("ralat: gue di Solo", "gue di Solo", true),
        ] {
            assert_eq!(bare(said), Bare { text: left.to_owned(), corrects }, "{said}");
        }
    }

    #[test]
    fn parts_are_between_marks_and_conjunctions() {
        assert_eq!(parts("I use fish, how do I set a path", false), ["I use fish", "how do I set a path"]);
        assert_eq!(parts("My name is Ana and I live in Lima", true), ["My name is Ana", "I live in Lima"]);
        assert_eq!(parts("When I ask, I want code", true), ["When I ask, I want code"]);
    }
}
