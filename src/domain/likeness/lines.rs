//! What is learned from the labelled lines, and how reliable that is on lines that were left out.

use std::path::Path;

use language::{Line, Split};

use super::classifier::Classifier;
use super::learning::learned;
use super::plain;

const UTTERED: [&str; 3] = ["none", "team", "personal"];
const TOLD: [&str; 2] = ["same", "change"];

/// A class and a text.
type Labelled = (usize, String);

fn labelled(lines: Vec<Line>, split: Split, classes: &'static [&str]) -> impl Iterator<Item = Labelled> {
    lines.into_iter().filter(move |line| line.split == split).map(|line| {
        let class = classes.iter().position(|known| *known == line.class).expect("a known class");
        (class, plain(&line.text).to_owned())
    })
}

fn utterances(split: Split) -> impl Iterator<Item = Labelled> {
    labelled(language::utterances(), split, &UTTERED)
}

fn changes(split: Split) -> impl Iterator<Item = Labelled> {
    labelled(language::changes(), split, &TOLD)
}

/// The weights learned for each question, by file name.
fn weights() -> [(&'static str, Vec<u8>); 2] {
    [("utterances", learned::<3>(utterances(Split::Train))), ("changes", learned::<2>(changes(Split::Train)))]
}

#[test]
fn the_program_holds_what_the_lines_teach() {
    let held: [(&str, &[u8]); 2] =
        [("utterances", include_bytes!("utterances.weights")), ("changes", include_bytes!("changes.weights"))];
    for ((name, held), (_, learned)) in held.into_iter().zip(weights()) {
        assert!(held == learned, "{name}: a line was changed; run `make weights`");
    }
}

#[test]
#[ignore = "writes the weights: make weights"]
fn the_weights_are_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/domain/likeness");
    for (name, learned) in weights() {
        std::fs::write(folder.join(name).with_extension("weights"), learned).expect("written");
    }
}

/// Of the left-out lines of `class`, the share for which the probability of class `of` is at least `sure`, the level that callers
/// require.
fn share<const N: usize>(model: &Classifier<N>, lines: &[Labelled], class: usize, of: usize, sure: f32) -> f64 {
    let own: Vec<&Labelled> = lines.iter().filter(|(known, _)| *known == class).collect();
    let passed = own.iter().filter(|(_, text)| model.classify(text)[of] >= sure).count();
    f64::from(u32::try_from(passed).expect("few")) / f64::from(u32::try_from(own.len()).expect("few"))
}

fn reaches(what: &str, share: f64, least: f64) {
    assert!(share >= least, "{what}: {share:.3} < {least}");
}

fn stays_below(what: &str, share: f64, most: f64) {
    assert!(share <= most, "{what}: {share:.3} > {most}");
}

#[test]
fn utterances_are_told_apart() {
    let lines: Vec<Labelled> = utterances(Split::Dev).collect();
    let [none, team, personal] = [0, 1, 2];
    let of = |class, of, sure| share(&super::UTTERANCES, &lines, class, of, sure);
    reaches("team", of(team, team, 0.55), 0.85);
    reaches("personal", of(personal, personal, 0.5), 0.80);
    stays_below("nothing as team", of(none, team, 0.55), 0.045);
    stays_below("nothing as personal", of(none, personal, 0.5), 0.05);
    stays_below("personal as team", of(personal, team, 0.55), 0.04);
}

#[test]
fn changes_are_told_from_talk() {
    let lines: Vec<Labelled> = changes(Split::Dev).collect();
    reaches("changes", share(&super::CHANGES, &lines, 1, 1, 0.6), 0.6);
    stays_below("talk as changes", share(&super::CHANGES, &lines, 0, 1, 0.6), 0.15);
}
