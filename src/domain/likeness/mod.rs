//! What labelled lines say of a text that no rule knows: is it worth keeping, is it an order to an assistant in disguise,
//! does it point at a person without a name, does it tell of a change?
//!
//! The lines lie beside this file, for people to read and add to, and so does what was learned from them: `make weights`
//! learns again, and a test fails while the two differ. A view is a share between 0 and 1; who asks decides how sure it has
//! to be.

mod classifier;
#[cfg(test)]
mod learning;
#[cfg(test)]
mod lines;

use classifier::Classifier;

static UTTERANCES: Classifier<3> = Classifier::embedded(include_bytes!("utterances.weights"));
static ORDERS: Classifier<2> = Classifier::embedded(include_bytes!("orders.weights"));
static IDENTITIES: Classifier<2> = Classifier::embedded(include_bytes!("identities.weights"));
static CHANGES: Classifier<2> = Classifier::embedded(include_bytes!("changes.weights"));

/// How likely a sentence is which kind of statement.
#[derive(Debug, Clone, Copy)]
pub struct Utterance {
    /// It says how a team, or what it works on, is set up.
    pub team: f32,
    /// It says who the speaker is.
    pub personal: f32,
    /// It says nothing that lasts.
    pub none: f32,
}

/// What a sentence of a message to an assistant is.
#[must_use]
pub fn utterance(sentence: &str) -> Utterance {
    let [none, team, personal] = UTTERANCES.classify(plain(sentence));
    Utterance { team, personal, none }
}

/// How likely a note is an order to an assistant.
#[must_use]
pub fn order(note: &str) -> f32 {
    let [_, order] = ORDERS.classify(plain(note));
    order
}

/// How likely a proposed fact points at a person, speaks for one, or gives a secret away.
#[must_use]
pub fn identity(fact: &str) -> f32 {
    let [_, identity] = IDENTITIES.classify(plain(fact));
    identity
}

/// How likely a sentence says what holds now in place of what was held before.
#[must_use]
pub fn change(sentence: &str) -> f32 {
    let [_, change] = CHANGES.classify(plain(sentence));
    change
}

/// A sentence without its last mark, but for that of a question.
fn plain(sentence: &str) -> &str {
    sentence.trim().trim_end_matches(['.', '!', '…', ';', ':', ','])
}
