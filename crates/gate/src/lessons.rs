//! Training data of the gate's heads: the `train` lines of `crates/language/`. `make weights` writes the learned weights into
//! `weights/`.

use language::fold::Folded;
use language::head::Parts;
use language::learn::{Example, fresh, learned, regression};
use language::{Line, Split};

use crate::meaning::inputs;
use crate::rules::rules;

/// Weight of a line that is borrowed from another file as a counterexample.
const BORROWED: f32 = 0.3;
/// Number of folds for the second regression.
const FOLDS: usize = 5;

/// The weights of each head, by file name.
#[must_use]
pub fn weights() -> [(&'static str, Vec<u8>); 2] {
    [("identities.weights", learned(Parts::Candidates, &identities())), ("orders.weights", learned(Parts::Sentences, &orders()))]
}

/// Returns the weights of the regression over score and vector. `vectors`: those of the texts of `identities()`, in order. Each
/// text gets its score from a head that was trained without it.
#[must_use]
pub fn meaning(vectors: &[Vec<f32>]) -> Vec<f32> {
    let examples = identities();
    let mut rows = Vec::new();
    for fold in 0..FOLDS {
        let rest = examples.iter().enumerate().filter(|(at, _)| at % FOLDS != fold).map(|(_, example)| example.clone());
        let head = fresh(Parts::Candidates, &rest.collect::<Vec<_>>());
        for (example, vector) in examples.iter().zip(vectors).skip(fold).step_by(FOLDS) {
            let score = head.judge(&Folded::new(&example.text)).score;
            rows.push((inputs(score, vector), example.wanted, example.weight));
        }
    }
    regression(&rows)
}

/// Sources of talk, in which people name each other and speak of themselves: it holds no orders, but persons.
const TALK: [&str; 2] = ["chat", "ordinary"];

/// Weight of a text from the table of rules.
const TOLD: f32 = 2.0;

fn examples(lines: Vec<Line>, keep: impl Fn(&Line) -> bool, wanted: &str, weight: f32) -> Vec<Example> {
    let kept = lines.into_iter().filter(|line| line.split == Split::Train && keep(line));
    kept.map(|line| Example { wanted: line.class == wanted, text: line.text, weight }).collect()
}

/// Facts, and the texts that the rules must catch or let pass. Team statements about work and harmless notes are counterexamples.
#[must_use]
pub fn identities() -> Vec<Example> {
    let facts = examples(language::gate(), |_| true, "reject", 1.0);
    let team = examples(language::utterances(), |line| line.class == "team", "", BORROWED);
    let notes = examples(language::notes(), |line| line.class == "pass" && !TALK.contains(&line.source), "", BORROWED);
    let told = rules().iter().flat_map(|rule| {
        let example = |wanted| move |text: &String| Example { text: text.clone(), wanted, weight: TOLD };
        rule.must.iter().map(example(true)).chain(rule.must_not.iter().map(example(false)))
    });
    [facts, team, notes].into_iter().flatten().chain(told).collect()
}

/// Notes. Statements worth keeping and facts that pass the gate are counterexamples.
fn orders() -> Vec<Example> {
    let notes = examples(language::notes(), |_| true, "reject", 1.0);
    let kept = examples(language::utterances(), |line| line.class != "none", "", BORROWED);
    let facts = examples(language::gate(), |line| line.class == "pass", "", BORROWED);
    [notes, kept, facts].concat()
}
