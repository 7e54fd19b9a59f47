//! What labelled lines say of a text that no rule knows: is it worth keeping, is it an order to an assistant in disguise,
//! does it point at a person without a name, does it tell of a change?
//!
//! The lines lie beside this file, for people to read and add to. A view is a share between 0 and 1; who asks decides how
//! sure it has to be.

mod classifier;

use std::sync::LazyLock;

use classifier::Classifier;

/// Class and utterance, tab-separated.
const UTTERANCES: &str = include_str!("utterances.tsv");
/// Verdict and note, tab-separated; so is what the rules of the gate are tried on.
const NOTES: [&str; 2] = [include_str!("notes.tsv"), include_str!("../gate/notes.tsv")];
/// Class and sentence, tab-separated.
const CHANGES: &str = include_str!("changes.tsv");
/// Verdict and fact, tab-separated.
const IDENTITIES: &str = include_str!("identities.tsv");
/// Verdict, difficulty and text of what the gate is tried on; what passes there is no order either.
const FACTS: &str = include_str!("../gate/cases.tsv");
const UTTERED: [&str; 3] = ["none", "team", "personal"];
const TOLD: [&str; 2] = ["same", "change"];
const VERDICTS: [&str; 2] = ["pass", "reject"];

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
    static LEARNED: LazyLock<Classifier<3>> = LazyLock::new(|| Classifier::learn(utterances()));
    let [none, team, personal] = LEARNED.classify(plain(sentence));
    Utterance { team, personal, none }
}

/// How likely a note is an order to an assistant.
#[must_use]
pub fn order(note: &str) -> f32 {
    static LEARNED: LazyLock<Classifier<2>> = LazyLock::new(|| Classifier::learn(notes()));
    let [_, order] = LEARNED.classify(plain(note));
    order
}

/// How likely a proposed fact points at a person, speaks for one, or gives a secret away.
#[must_use]
pub fn identity(fact: &str) -> f32 {
    static LEARNED: LazyLock<Classifier<2>> = LazyLock::new(|| Classifier::learn(identities()));
    let [_, identity] = LEARNED.classify(plain(fact));
    identity
}

/// How likely a sentence says what holds now in place of what was held before.
#[must_use]
pub fn change(sentence: &str) -> f32 {
    static LEARNED: LazyLock<Classifier<2>> = LazyLock::new(|| Classifier::learn(lines(CHANGES, &TOLD)));
    let [_, change] = LEARNED.classify(plain(sentence));
    change
}

fn utterances() -> impl Iterator<Item = (usize, &'static str)> {
    lines(UTTERANCES, &UTTERED)
}

/// Statements worth keeping are harmless notes.
fn notes() -> impl Iterator<Item = (usize, &'static str)> {
    let harmless = utterances().filter(|(class, _)| UTTERED[*class] != "none").map(|(_, text)| (0, text));
    NOTES
        .into_iter()
        .flat_map(|table| lines(table, &VERDICTS))
        .chain(harmless)
        .chain(facts().filter(|(verdict, _)| *verdict == 0))
}

/// What a team says of its work points at nobody (that a "we" speaks is for the rules to see), nor do harmless notes.
fn identities() -> impl Iterator<Item = (usize, &'static str)> {
    let team = utterances().filter(|(class, _)| UTTERED[*class] == "team").map(|(_, text)| (0, text));
    let harmless = lines(NOTES[0], &VERDICTS).filter(|(verdict, _)| *verdict == 0);
    lines(IDENTITIES, &VERDICTS).chain(facts()).chain(team).chain(harmless)
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

/// A sentence without its last mark, but for that of a question.
fn plain(sentence: &str) -> &str {
    sentence.trim().trim_end_matches(['.', '!', '…', ';', ':', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDS: usize = 3;

    /// Each line as it is judged by what was learned from the others: class, and the share of each class.
    fn judged<const N: usize>(lines: &[(usize, &str)]) -> Vec<(usize, [f32; N])> {
        let mut judged = Vec::new();
        for fold in 0..FOLDS {
            let (others, held): (Vec<_>, Vec<_>) = lines.iter().copied().enumerate().partition(|(at, _)| at % FOLDS != fold);
            let model = Classifier::<N>::learn(others.into_iter().map(|(_, line)| line));
            judged.extend(held.into_iter().map(|(_, (class, text))| (class, model.classify(text))));
        }
        judged
    }

    /// Of the lines of `class`, the part whose share (below: what those who ask demand) of `of` is at least `sure`.
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
        let judged = judged::<3>(&utterances().collect::<Vec<_>>());
        let [none, team, personal] = [0, 1, 2];
        assert!(part(&judged, team, team, 0.55) >= 0.85);
        assert!(part(&judged, personal, personal, 0.5) >= 0.80);
        assert!(part(&judged, none, team, 0.55) <= 0.045);
        assert!(part(&judged, none, personal, 0.5) <= 0.05);
        assert!(part(&judged, personal, team, 0.55) <= 0.04);
    }

    #[test]
    fn orders_are_told_from_notes_by_what_the_others_teach() {
        let judged = judged::<2>(&notes().collect::<Vec<_>>());
        assert!(part(&judged, 1, 1, 0.6) >= 0.6);
        assert!(part(&judged, 0, 1, 0.6) <= 0.02);
    }

    #[test]
    fn hidden_identities_are_told_from_facts_by_what_the_others_teach() {
        let judged = judged::<2>(&identities().collect::<Vec<_>>());
        assert!(part(&judged, 1, 1, 0.6) >= 0.5);
        assert!(part(&judged, 0, 1, 0.6) <= 0.04);
    }

    #[test]
    fn changes_are_told_from_talk_by_what_the_others_teach() {
        let judged = judged::<2>(&lines(CHANGES, &TOLD).collect::<Vec<_>>());
        assert!(part(&judged, 1, 1, 0.6) >= 0.6);
        assert!(part(&judged, 0, 1, 0.6) <= 0.15);
    }
}
