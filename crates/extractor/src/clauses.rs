//! Splits a sentence, without its opener, where it turns to the assistant: statements on one side, requests on the other.
//!
//! This is the only place where a sentence is cut. Each clause keeps all of its words.

use crate::forms::forms;
use crate::sentences::Sentence;

/// A sentence without opening and closing filler.
#[derive(Debug, PartialEq, Eq)]
pub struct Bare {
    pub text: String,
    /// Whether it starts like a correction: "actually", "no", "ralat".
    pub corrects: bool,
}

/// Part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub text: String,
    /// Whether it is addressed to the assistant: "can you …", "how do I …".
    pub asks: bool,
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

/// The clauses of a sentence, in order.
pub fn clauses(text: &str) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let (mut start, mut asks) = (0, asks(text));
    for (from, to, turns_to_ask) in seams(text) {
        if from >= start && turns_to_ask != asks {
            push(&text[start..from], asks, &mut clauses);
            (start, asks) = (to, turns_to_ask);
        }
    }
    push(&text[start..], asks, &mut clauses);
    clauses
}

/// Possible boundaries: the end of a clause, the start of the next one, and whether that one asks.
fn seams(text: &str) -> Vec<(usize, usize, bool)> {
    let found = |name: &str, asks| {
        let ends = forms().part(name).groups(text, "seam").into_iter();
        ends.map(move |(from, to)| (from, to, asks)).collect::<Vec<_>>()
    };
    let mut seams = [found("turns_to_ask", true), found("turns_to_tell", false)].concat();
    seams.sort_unstable();
    seams
}

fn push(text: &str, asks: bool, into: &mut Vec<Clause>) {
    let text = forms().part("joint").remove(text.trim());
    let text = text.trim().trim_end_matches([',', ';', ':', ' ', '-', '–', '—']);
    let closed = text.matches(')').count() > text.matches('(').count();
    let text = if closed { text.trim_end_matches(')') } else { text };
    if text.chars().any(char::is_alphanumeric) {
        into.push(Clause { text: text.to_owned(), asks });
    }
}

/// Whether a clause begins by asking something of the assistant.
pub fn asks(text: &str) -> bool {
    forms().part("ask").is_match(text)
}

impl Sentence {
    /// Whether the whole sentence asks, so that nothing in it is a statement.
    pub fn asks(&self) -> bool {
        clauses(&bare(&self.text).text).iter().all(|clause| clause.asks || self.question)
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
    fn a_sentence_is_divided_where_it_turns_to_the_assistant_and_nowhere_else() {
        for (said, told, asked) in [
            ("I use fish, how do I set a path", &["I use fish"][..], &["how do I set a path"][..]),
            (
                "My name is Ana and I live in Lima, Peru, with two cats, a dog and a parrot",
                &["My name is Ana and I live in Lima, Peru, with two cats, a dog and a parrot"],
                &[],
            ),
            (
                "Can you suggest a tent, because I sleep badly on stones",
                &["I sleep badly on stones"],
                &["Can you suggest a tent"],
            ),
            (
                "I've a newborn and a cat, so which air purifier is quiet enough",
                &["I've a newborn and a cat"],
                &["which air purifier is quiet enough"],
            ),
            (
                "What would you cook, I have leeks, two eggs and half a lemon, and could you keep it short",
                &["I have leeks, two eggs and half a lemon"],
                &["What would you cook", "could you keep it short"],
            ),
            ("My sister Ruth, who is a nurse, lives in Oslo", &["My sister Ruth, who is a nurse, lives in Oslo"], &[]),
            (
                "I moved here in May since my partner found work, which is why I know nobody",
                &["I moved here in May since my partner found work, which is why I know nobody"],
                &[],
            ),
            (
                "Do you know a soup for my dog, my cat and my parrot",
                &[],
                &["Do you know a soup for my dog, my cat and my parrot"],
            ),
            ("gue alergi udang, ada rekomendasi restoran", &["gue alergi udang"], &["ada rekomendasi restoran"]),
        ] {
            let clauses = clauses(said);
            let of =
                |asks| clauses.iter().filter(|clause| clause.asks == asks).map(|clause| clause.text.as_str()).collect::<Vec<_>>();
            assert_eq!((of(false), of(true)), (told.to_vec(), asked.to_vec()), "{said}");
        }
    }
}
