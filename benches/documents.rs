//! Declarative sentences from the documents of the crates on this disk. They were not written for the gate, and none is stored:
//! they are read when the gate is measured. They are about software, so nearly all must pass.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Documents that name people, or give orders.
const LEFT_OUT: [&str; 11] =
    ["change", "release", "news", "contrib", "conduct", "licen", "author", "security", "maintain", "copyright", "history"];
/// Sentences with one of these words name people, or address someone.
const WORDS_LEFT_OUT: [&str; 19] = [
    "i", "me", "my", "we", "us", "our", "you", "your", "yours", "he", "she", "his", "her", "let's", "author", "authors",
    "thanks", "written", "inspired",
];
const VERBS: [&str; 20] = [
    "is",
    "are",
    "has",
    "have",
    "can",
    "does",
    "uses",
    "provides",
    "supports",
    "was",
    "were",
    "will",
    "must",
    "contains",
    "allows",
    "implements",
    "requires",
    "returns",
    "needs",
    "makes",
];
/// How many words a sentence has.
const WORDS: std::ops::RangeInclusive<usize> = 5..=30;

/// The sentences, each once.
pub fn sentences() -> Vec<String> {
    let home = std::env::home_dir().unwrap_or_default();
    let mut files = Vec::new();
    collect(&home.join(".cargo/registry/src"), &mut files);
    files.sort();
    let mut seen = HashSet::new();
    let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
    texts.flat_map(|text| declarative(&text)).filter(|sentence| seen.insert(sentence.clone())).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "md") && !LEFT_OUT.iter().any(|word| stem.contains(word)) {
            files.push(path);
        }
    }
}

fn declarative(text: &str) -> Vec<String> {
    // Every second piece is code.
    let prose: Vec<&str> = text.split("```").step_by(2).collect();
    let paragraphs = prose.iter().flat_map(|part| part.split("\n\n")).filter(|paragraph| {
        paragraph.lines().all(|line| !line.trim_start().starts_with(['#', '|', '[', '<', '>', '=']) && !line.starts_with("    "))
    });
    let items = paragraphs.flat_map(|paragraph| paragraph.split("\n- ").flat_map(|item| item.split("\n* ")));
    let plain = items.map(|item| item.split_whitespace().collect::<Vec<_>>().join(" ").replace("**", ""));
    plain
        .flat_map(|item| item.split_inclusive(". ").map(|one| one.trim().to_owned()).collect::<Vec<_>>())
        .filter(|one| told(one))
        .collect()
}

fn told(sentence: &str) -> bool {
    let lower = sentence.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(' ').map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '\'')).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.split('\'').next().unwrap_or(word)));
    sentence.is_ascii()
        && sentence.starts_with(|c: char| c.is_ascii_uppercase())
        && sentence.ends_with('.')
        && WORDS.contains(&words.len())
        && has(&VERBS)
        && !has(&WORDS_LEFT_OUT)
        && !sentence.contains("](")
        && !sentence.contains("://")
        && !sentence.contains(['@', '<'])
}
