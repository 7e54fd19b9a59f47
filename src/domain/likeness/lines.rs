//! The labelled lines, what is learned from them, and how reliable that is: each line is judged by weights learned from other
//! lines.

use std::path::Path;

use super::learning::TrainingSet;
use super::plain;

/// Class and utterance, tab-separated.
const UTTERANCES: &str = include_str!("utterances.tsv");
/// Verdict and note, tab-separated; the second table is also the test data for the gate's rules.
const NOTES: [&str; 2] = [include_str!("notes.tsv"), include_str!("../gate/notes.tsv")];
/// Class and sentence, tab-separated.
const CHANGES: &str = include_str!("changes.tsv");
/// Verdict and fact, tab-separated.
const IDENTITIES: &str = include_str!("identities.tsv");
/// Verdict, difficulty and text of the gate's test cases; a fact that passes there is not an order either.
const FACTS: &str = include_str!("../gate/cases.tsv");
const UTTERED: [&str; 3] = ["none", "team", "personal"];
const TOLD: [&str; 2] = ["same", "change"];
const VERDICTS: [&str; 2] = ["pass", "reject"];

const FOLDS: usize = 3;

fn utterances() -> impl Iterator<Item = (usize, &'static str)> {
    lines(UTTERANCES, &UTTERED)
}

/// Notes; statements worth keeping count as harmless ones.
fn notes() -> impl Iterator<Item = (usize, &'static str)> {
    let harmless = utterances().filter(|(class, _)| UTTERED[*class] != "none").map(|(_, text)| (0, text));
    NOTES
        .into_iter()
        .flat_map(|table| lines(table, &VERDICTS))
        .chain(harmless)
        .chain(facts().filter(|(verdict, _)| *verdict == 0))
}

/// Facts. What a team says about its work counts as pointing at nobody (rules detect a "we" that speaks), and so do harmless
/// notes.
fn identities() -> impl Iterator<Item = (usize, &'static str)> {
    let team = utterances().filter(|(class, _)| UTTERED[*class] == "team").map(|(_, text)| (0, text));
    let harmless = lines(NOTES[0], &VERDICTS).filter(|(verdict, _)| *verdict == 0);
    lines(IDENTITIES, &VERDICTS).chain(facts()).chain(team).chain(harmless)
}

fn changes() -> impl Iterator<Item = (usize, &'static str)> {
    lines(CHANGES, &TOLD)
}

fn facts() -> impl Iterator<Item = (usize, &'static str)> {
    FACTS.lines().filter_map(|line| {
        let (verdict, rest) = line.split_once('\t')?;
        Some((VERDICTS.iter().position(|known| *known == verdict)?, plain(rest.split_once('\t')?.1)))
    })
}

fn lines(table: &'static str, classes: &'static [&str]) -> impl Iterator<Item = (usize, &'static str)> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (class, text) = line.split_once('\t')?;
        Some((classes.iter().position(|known| *known == class)?, plain(text)))
    })
}

/// The weights learned from each table, by file name.
fn weights() -> [(&'static str, Vec<u8>); 4] {
    [
        ("utterances", TrainingSet::of(utterances()).learned::<3>()),
        ("orders", TrainingSet::of(notes()).learned::<2>()),
        ("identities", TrainingSet::of(identities()).learned::<2>()),
        ("changes", TrainingSet::of(changes()).learned::<2>()),
    ]
}

#[test]
fn the_program_holds_what_the_lines_teach() {
    let held: [(&str, &[u8]); 4] = [
        ("utterances", include_bytes!("utterances.weights")),
        ("orders", include_bytes!("orders.weights")),
        ("identities", include_bytes!("identities.weights")),
        ("changes", include_bytes!("changes.weights")),
    ];
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

/// Of the lines of `class`, the share for which the probability of class `of` is at least `sure`, the level that callers require.
fn part<const N: usize>(judged: &[(usize, [f32; N])], class: usize, of: usize, sure: f32) -> f64 {
    let own: Vec<_> = judged.iter().filter(|(known, _)| *known == class).collect();
    let passed = own.iter().filter(|(_, shares)| shares[of] >= sure).count();
    f64::from(u32::try_from(passed).expect("few")) / f64::from(u32::try_from(own.len()).expect("few"))
}

#[test]
fn every_line_has_a_known_class_and_stands_once() {
    let tables = [(UTTERANCES, &UTTERED[..]), (NOTES[0], &VERDICTS), (IDENTITIES, &VERDICTS), (CHANGES, &TOLD)];
    for (table, classes) in tables {
        let written = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
        let mut read: Vec<_> = lines(table, classes).collect();
        assert_eq!(read.len(), written);
        read.sort_unstable();
        let all = read.len();
        read.dedup();
        assert_eq!(read.len(), all);
    }
}

#[test]
fn utterances_are_told_apart_by_what_the_others_teach() {
    let judged = TrainingSet::of(utterances()).judged::<3>(FOLDS);
    let [none, team, personal] = [0, 1, 2];
    assert!(part(&judged, team, team, 0.55) >= 0.85);
    assert!(part(&judged, personal, personal, 0.5) >= 0.80);
    assert!(part(&judged, none, team, 0.55) <= 0.045);
    assert!(part(&judged, none, personal, 0.5) <= 0.05);
    assert!(part(&judged, personal, team, 0.55) <= 0.04);
}

#[test]
fn orders_are_told_from_notes_by_what_the_others_teach() {
    let judged = TrainingSet::of(notes()).judged::<2>(FOLDS);
    assert!(part(&judged, 1, 1, 0.6) >= 0.6);
    assert!(part(&judged, 0, 1, 0.6) <= 0.02);
}

#[test]
fn hidden_identities_are_told_from_facts_by_what_the_others_teach() {
    let judged = TrainingSet::of(identities()).judged::<2>(FOLDS);
    assert!(part(&judged, 1, 1, 0.6) >= 0.5);
    assert!(part(&judged, 0, 1, 0.6) <= 0.04);
}

#[test]
fn changes_are_told_from_talk_by_what_the_others_teach() {
    let judged = TrainingSet::of(changes()).judged::<2>(FOLDS);
    assert!(part(&judged, 1, 1, 0.6) >= 0.6);
    assert!(part(&judged, 0, 1, 0.6) <= 0.15);
}
