//! What the gate's heads learn from: the `train` lines of `language/`. `make weights` writes what they learned into `weights/`.

use language::fold::Folded;
use language::head::Parts;
use language::learn::{Example, fresh, learned, regression};
use language::{Line, Split};

use crate::meaning::inputs;
use crate::rules::rules;

/// How much a line of another file counts that is no example of what a head looks for.
const BORROWED: f32 = 0.3;
/// Into how many parts the lines are divided for the second regression.
const FOLDS: usize = 5;

/// The weights of each head, by file name.
#[must_use]
pub fn weights() -> [(&'static str, Vec<u8>); 2] {
    [("identities.weights", learned(Parts::Candidates, &identities())), ("orders.weights", learned(Parts::Sentences, &orders()))]
}

/// The weights of the regression over score and vector. `vectors` are those of the texts of `identities()`, in order. The scores
/// are those of heads that had not read the text.
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

/// Talk, in which people name each other and speak of themselves: no orders, but persons.
const TALK: [&str; 2] = ["chat", "ordinary"];

/// How much a text of the table of rules counts.
const TOLD: f32 = 2.0;

fn examples(lines: Vec<Line>, keep: impl Fn(&Line) -> bool, wanted: &str, weight: f32) -> Vec<Example> {
    let kept = lines.into_iter().filter(|line| line.split == Split::Train && keep(line));
    kept.map(|line| Example { wanted: line.class == wanted, text: line.text, weight }).collect()
}

/// Facts, and what the rules say that they must catch and let pass. What a team says about its work and harmless notes point at
/// nobody.
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

/// Notes. Statements worth keeping and facts that pass the gate are no orders.
fn orders() -> Vec<Example> {
    let notes = examples(language::notes(), |_| true, "reject", 1.0);
    let kept = examples(language::utterances(), |line| line.class != "none", "", BORROWED);
    let facts = examples(language::gate(), |line| line.class == "pass", "", BORROWED);
    [notes, kept, facts].concat()
}
