//! What was learned from labelled lines about sentences that no rule recognises. Is it worth keeping? Does it report a change?
//!
//! The labelled lines are in `language/` for people to read and extend; the learned weights are beside this file. `make weights`
//! learns them again, and a test fails while the two differ. The result is a probability between 0 and 1; each caller decides
//! which level it requires.

mod classifier;
#[cfg(test)]
mod learning;
#[cfg(test)]
mod lines;

use classifier::Classifier;

static UTTERANCES: Classifier<3> = Classifier::embedded(include_bytes!("utterances.weights"));
static CHANGES: Classifier<2> = Classifier::embedded(include_bytes!("changes.weights"));

/// The probability of each kind of statement for a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Utterance {
    /// How a team, or what it works on, is set up.
    pub team: f32,
    /// Who the speaker is.
    pub personal: f32,
    /// Nothing durable.
    pub none: f32,
}

/// Classifies a sentence of a message to an assistant.
#[must_use]
pub fn utterance(sentence: &str) -> Utterance {
    let [none, team, personal] = UTTERANCES.classify(plain(sentence));
    Utterance { team, personal, none }
}

/// The probability that a sentence says that something new replaces what was true before.
#[must_use]
pub fn change(sentence: &str) -> f32 {
    let [_, change] = CHANGES.classify(plain(sentence));
    change
}

/// A sentence without its final punctuation, except a question mark.
fn plain(sentence: &str) -> &str {
    sentence.trim().trim_end_matches(['.', '!', '…', ';', ':', ','])
}
