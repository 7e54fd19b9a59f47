//! Notes that give orders to an assistant: a planted instruction would be obeyed each time the note is recalled.
//!
//! A head decides; a few forms in `notes.toml` are sure without it. A note that only mentions an attack is no order, and nor is
//! one that tells people what to do. In other scripts than the Latin one, the head reads nothing: a verb and its object decide.

use std::sync::LazyLock;

use language::features::Text;
use language::fold::{FOREIGN_LETTER, Folded};
use language::head::{Head, Parts, logistic};
use regex::RegexSet;
use serde::Deserialize;

use crate::{disguise, folded, scripts};

static ORDERS: Head = Head::embedded(include_bytes!("../weights/orders.weights"), Parts::Sentences);

/// A note at least this similar to labelled orders is one. A higher level refuses fewer harmless notes and lets more orders pass.
const LIKE_AN_ORDER: f32 = 0.5;
/// Share of the logarithm of the number of sentences that is subtracted from the score, because each sentence adds to it, however
/// harmless it is. All of it would hide an order among other sentences. From the labelled lines of `dev`, and from ordinary
/// messages of several sentences.
const EACH_SENTENCE: f32 = 0.45;
/// The level for the text behind a disguise.
const LIKE_A_HIDDEN_ORDER: f32 = 0.7;
/// A note of this length or more is not a single statement.
const TOO_MANY_CHARS: usize = 500;

/// The rule that fires when the head decides.
const ORDER: &str = "order";

#[derive(Deserialize)]
struct Shape {
    name: String,
    find: String,
}

struct Shapes {
    names: Vec<String>,
    set: RegexSet,
}

static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Table {
        shape: Vec<Shape>,
    }
    let table: Table = toml::from_str(include_str!("../notes.toml")).unwrap_or_else(|error| panic!("{error}"));
    let set = RegexSet::new(table.shape.iter().map(|shape| &shape.find))
        .expect("the patterns are constants, and the tests compile them");
    Shapes { names: table.shape.into_iter().map(|shape| shape.name).collect(), set }
});

#[cfg(test)]
pub(crate) fn shapes() -> &'static [String] {
    SHAPES.set.patterns()
}

/// The rules that fire, each once. Empty: none.
#[must_use]
pub fn check_note(text: &str) -> Vec<&'static str> {
    if text.chars().count() >= TOO_MANY_CHARS {
        return vec!["too_long"];
    }
    let folded = folded(text);
    let mut fired = Vec::new();
    fired.extend(folded.hidden.map(|_| "hidden_text"));
    fired.extend((!folded.mixed.is_empty()).then_some("mixed_script"));
    fired.extend(forms_in(text, &folded));
    fired.extend((likeness(text, &folded) >= LIKE_AN_ORDER).then_some(ORDER));
    if fired.is_empty() && hides_an_order(&folded) {
        fired.push("encoded_order");
    }
    fired
}

/// Returns the forms of orders that are sure in any context. The text may have any length, but at most one paragraph.
#[must_use]
pub fn planted_forms(text: &str) -> Vec<&'static str> {
    forms_in(text, &folded(text))
}

fn forms_in(text: &str, folded: &Folded) -> Vec<&'static str> {
    let mut found = Vec::new();
    for text in [&text.to_lowercase(), &folded.lower] {
        // Line ends and wide gaps do not split an order.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for name in SHAPES.set.matches(&text).into_iter().map(|at| SHAPES.names[at].as_str()) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Returns how similar a text is to labelled orders, 0 to 1. For texts that no one asked to keep, callers may object at a lower
/// level than `check_note` does.
#[must_use]
pub fn order_likeness(text: &str) -> f32 {
    likeness(text, &folded(text))
}

fn likeness(text: &str, folded: &Folded) -> f32 {
    if folded.foreign {
        return f32::from(u8::from(scripts::gives_an_order(text)));
    }
    #[expect(clippy::cast_precision_loss, reason = "far fewer sentences than 2^23")]
    let parts = Text::new(folded).sentences().len() as f32;
    logistic(ORDERS.judge(folded).score - EACH_SENTENCE * parts.ln())
}

fn hides_an_order(folded: &Folded) -> bool {
    let leet = Folded::new(&disguise::unleet(&folded.lower));
    let pieces = disguise::undone(folded).into_iter().filter(|piece| !piece.spelled).map(|piece| Folded::new(&piece.says));
    pieces
        .chain([leet].into_iter().filter(|leet| leet.lower != folded.lower))
        .filter(|inner| !inner.foreign && !inner.text.contains(FOREIGN_LETTER))
        .any(|inner| SHAPES.set.is_match(&inner.lower) || ORDERS.judge(&inner).probability >= LIKE_A_HIDDEN_ORDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages between friends. None of them was used for learning.
    const CHAT: [&str; 15] = [
        "Hey Nora, long time no see! How was the trip to the lakes?",
        "That's wonderful news, you must be so proud of her. Tell me everything!",
        "Don't worry about the cake, just bring yourself and a big smile.",
        "You should really try the climbing hall by the station, you'd love it.",
        "We went camping with the kids last weekend and it rained the whole time, but nobody minded.",
        "Good luck tomorrow! You're going to be brilliant, I just know it.",
        "I've been painting again since March. It helps me to calm down after work.",
        "Let me know if you need a hand with the move, I'm free on Saturday.",
        "Sorry to hear about your knee, take it easy and keep me posted.",
        "Thanks for listening, it means a lot to me. You're such a good friend.",
        "Our dog ate the whole birthday cake, can you believe it?",
        "Wow, that view is stunning! Where did you take this photo?",
        "Keep practising, you'll get there. My first year on the violin was awful too.",
        "Aku baru pulang dari Jogja, oleh-olehnya nanti aku bawain ya!",
        "Semangat ya, pasti bisa! Jangan lupa istirahat.",
    ];

    #[test]
    fn chat_between_friends_is_no_order() {
        let refused: Vec<_> = CHAT.iter().filter(|line| !check_note(line).is_empty()).collect();
        assert!(refused.len() <= 1, "{refused:?}");
    }

    #[test]
    fn shapes_are_short() {
        for pattern in SHAPES.set.patterns() {
            assert!(pattern.len() <= 200, "{pattern}");
        }
    }
}
