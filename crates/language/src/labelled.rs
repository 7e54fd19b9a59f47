//! The labelled lines, from which the heads learn, and by which they are judged. Only `make weights`, tests and benches use them;
//! the program holds the weights alone. `README.md` says how the lines came to be, and how to add one.

use serde::Deserialize;
use serde::de::DeserializeOwned;

const GATE: &str = include_str!("../gate.tsv");
const NOTES: &str = include_str!("../notes.tsv");
const UTTERANCES: &str = include_str!("../utterances.tsv");
const TALK: &str = include_str!("../talk.tsv");
const CHANGES: &str = include_str!("../changes.tsv");
const QUESTIONS: &str = include_str!("../questions.tsv");
const REQUESTS: &str = include_str!("../requests.tsv");
const DIALOGUES: &str = include_str!("../dialogues.jsonl");
const PAIRS: &str = include_str!("../pairs.jsonl");

/// Stands for a line break in a cell.
const LINE_BREAK: char = '␊';

/// The purpose of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// Training: weights are learned from it, or, for a dialogue, from its sentences.
    Train,
    /// Development: people look at it while they work on rules.
    Dev,
    /// Judging only.
    Blind,
}

impl Split {
    pub const ALL: [Self; 3] = [Self::Train, Self::Dev, Self::Blind];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Dev => "dev",
            Self::Blind => "blind",
        }
    }

    fn parse(name: &str) -> Self {
        Self::ALL.into_iter().find(|split| split.name() == name).unwrap_or_else(|| panic!("{name} is no split"))
    }
}

/// A text with its class.
#[derive(Debug, Clone)]
pub struct Line {
    pub id: &'static str,
    pub language: &'static str,
    /// The batch it came from.
    pub source: &'static str,
    pub split: Split,
    /// `plain`, `hard`, or `-` where a set has no tiers.
    pub tier: &'static str,
    pub class: &'static str,
    pub text: String,
}

/// Facts: `pass`, or `reject` because they point at a person or hold a secret.
#[must_use]
pub fn gate() -> Vec<Line> {
    lines(GATE)
}

/// Notes: `pass`, or `reject` because they are orders to an assistant.
#[must_use]
pub fn notes() -> Vec<Line> {
    lines(NOTES)
}

/// Statements to assistants: `team`, `personal` or `none`.
#[must_use]
pub fn utterances() -> Vec<Line> {
    lines(UTTERANCES)
}

/// Sentences of whole messages, in their order: `personal` and `episode` are about the speaker, `team` about a team, or `none`.
/// The id of a line is that of its message and the number of the sentence in it.
#[must_use]
pub fn talk() -> Vec<Line> {
    lines(TALK)
}

/// Sentences: `change` if they say that something new replaces what was true before, else `same`.
#[must_use]
pub fn changes() -> Vec<Line> {
    lines(CHANGES)
}

/// An Indonesian question and the memory that answers it.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    pub memory_language: &'static str,
    pub question: &'static str,
    pub memory: &'static str,
}

#[must_use]
pub fn questions() -> Vec<Question> {
    let question = |cells: [&'static str; 8]| Question { memory_language: cells[5], question: cells[6], memory: cells[7] };
    rows(QUESTIONS).map(question).collect()
}

/// A request about memories, and its intended effect.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub id: &'static str,
    pub language: &'static str,
    pub split: Split,
    /// `held`: a memory that exists before all requests of its language, in the order in which they were said. `forget`,
    /// `correct`, `wish`, `all` and `nothing` are said in conversation; `query` is sent as something to forget. `among`: a memory
    /// that exists before all requests of the class `every`, which ask to forget all of these with the same `meant`.
    pub class: &'static str,
    /// A word of the memory that must go, `→`, and a word of the one that must be there; `-` or nothing on a side: none. In
    /// `among` and `every`, the topic of the memory.
    pub meant: &'static str,
    pub text: &'static str,
}

impl Request {
    /// A word of the memory that must go.
    #[must_use]
    pub fn gone(&self) -> Option<&'static str> {
        let gone = if self.class == "wish" { "" } else { self.meant.split('→').next().unwrap_or_default() };
        Some(gone).filter(|word| !word.is_empty() && *word != "-")
    }

    /// A word of the memory that must be new.
    #[must_use]
    pub fn comes(&self) -> Option<&'static str> {
        if self.class == "wish" { Some(self.meant) } else { self.meant.split_once('→').map(|(_, new)| new) }
    }
}

/// Requests to forget, corrections, and look-alikes that change nothing.
#[must_use]
pub fn requests() -> Vec<Request> {
    let request = |[id, language, _topic, _source, split, class, meant, text]: [&'static str; 8]| Request {
        id,
        language,
        split: Split::parse(split),
        class,
        meant,
        text,
    };
    rows(REQUESTS).map(request).collect()
}

/// Fields of every object in the `.jsonl` files.
#[derive(Debug, Clone, Deserialize)]
pub struct Pedigree {
    pub id: String,
    pub language: String,
    pub source: String,
    pub split: Split,
}

/// Returns the dialogues that `wanted` accepts.
#[must_use]
pub fn dialogues<T: DeserializeOwned>(wanted: impl Fn(&Pedigree) -> bool) -> Vec<T> {
    objects(DIALOGUES, wanted)
}

/// Pairs of statements: rewordings and look-alikes.
#[must_use]
pub fn pairs<T: DeserializeOwned>() -> Vec<T> {
    objects(PAIRS, |_| true)
}

fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let row = |line: &'static str| -> [&'static str; N] {
        let cells: Vec<&str> = line.split('\t').collect();
        assert!(cells.iter().all(|cell| !cell.is_empty()), "an empty cell: {line}");
        cells.try_into().unwrap_or_else(|cells: Vec<&str>| panic!("{} of {N} cells: {line}", cells.len()))
    };
    table.lines().filter(|line| !line.starts_with("# ")).map(row)
}

fn lines(table: &'static str) -> Vec<Line> {
    let line = |[id, language, _topic, source, split, tier, class, text]: [&'static str; 8]| Line {
        id,
        language,
        source,
        split: Split::parse(split),
        tier,
        class,
        text: text.replace(LINE_BREAK, "\n"),
    };
    rows(table).map(line).collect()
}

fn objects<T: DeserializeOwned>(table: &'static str, wanted: impl Fn(&Pedigree) -> bool) -> Vec<T> {
    let read = |line: &str| serde_json::from_str::<T>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    table.lines().filter(|line| wanted(&serde_json::from_str(line).expect("a pedigree"))).map(read).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    const VERDICTS: &[&str] = &["pass", "reject"];

    fn tables() -> [(&'static str, Vec<Line>, &'static [&'static str]); 5] {
        [
            ("gate", gate(), VERDICTS),
            ("notes", notes(), VERDICTS),
            ("utterances", utterances(), &["none", "team", "personal"]),
            ("talk", talk(), &["none", "team", "personal", "episode"]),
            ("changes", changes(), &["same", "change"]),
        ]
    }

    #[test]
    fn every_line_has_a_known_class_its_own_id_and_its_own_text() {
        for (name, lines, classes) in tables() {
            let (mut ids, mut texts) = (HashSet::new(), HashSet::new());
            for line in &lines {
                // Classifiers do not see final punctuation.
                let text = line.text.trim().trim_end_matches(['.', '!', '…', ';', ':', ',']);
                assert!(texts.insert(text), "{name}: {line:?} stands twice");
                assert!(classes.contains(&line.class), "{name}: {line:?}");
                assert!(["plain", "hard", "-"].contains(&line.tier), "{name}: {line:?}");
                assert!(!line.text.trim().is_empty() && ids.insert(line.id), "{name}: {line:?}");
            }
        }
        let mut ids = HashSet::new();
        for Pedigree { id, .. } in dialogues(|_| true) {
            assert!(ids.insert(id.clone()), "{id} stands twice");
        }
        assert!(!pairs::<Pedigree>().is_empty() && !questions().is_empty());
    }

    /// Lower case, without punctuation.
    fn words(text: &str) -> Vec<String> {
        let bare = text.to_lowercase().replace(['\'', '’'], "");
        bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// A text with one word left out: the place of the word, and the rest. Nothing for texts of which too little would be left.
    fn with_holes(words: &[String]) -> impl Iterator<Item = (usize, String)> {
        const LEAST: usize = 3;
        let places = if words.len() < LEAST { 0 } else { words.len() };
        (0..places).map(|hole| (hole, [&words[..hole], &words[hole + 1..]].concat().join(" ")))
    }

    /// Texts that are equal, or differ by one word that is added, left out or another.
    fn twins(lines: &[(String, Split)]) -> Vec<String> {
        let (mut whole, mut holed) = (HashMap::new(), HashMap::new());
        let mut found = Vec::new();
        for (text, split) in lines {
            let words = words(text);
            let others = [whole.insert(words.join(" "), *split)];
            let others = others.into_iter().chain(with_holes(&words).map(|hole| holed.insert(hole, *split)));
            found.extend(others.flatten().any(|other| other != *split).then(|| text.clone()));
        }
        for (text, split) in lines {
            let shorter = with_holes(&words(text)).any(|(_, rest)| whole.get(&rest).is_some_and(|other| other != split));
            found.extend(shorter.then(|| text.clone()));
        }
        found
    }

    #[derive(Deserialize)]
    struct Message {
        #[serde(default)]
        user: String,
        split: Split,
    }

    #[test]
    fn no_line_stands_in_two_splits() {
        for (name, lines, _) in tables() {
            let lines: Vec<_> = lines.into_iter().map(|line| (line.text, line.split)).collect();
            assert_eq!(twins(&lines), Vec::<String>::new(), "{name}");
        }
        let messages = dialogues(|_| true).into_iter().filter(|message: &Message| !message.user.is_empty());
        assert_eq!(twins(&messages.map(|message| (message.user, message.split)).collect::<Vec<_>>()), Vec::<String>::new());
    }

    #[test]
    fn requests_name_a_memory_that_is_held_and_stand_in_one_split() {
        let requests = requests();
        let (mut ids, mut texts) = (HashSet::new(), HashSet::new());
        for request in &requests {
            assert!(ids.insert(request.id) && texts.insert(request.text), "{request:?} stands twice");
            assert!(
                ["held", "forget", "query", "correct", "wish", "all", "nothing", "among", "every"].contains(&request.class),
                "{request:?}"
            );
            let holds = |held: &&Request| held.class == "held" && held.language == request.language;
            let about =
                |held: &&Request| held.class == "among" && held.language == request.language && held.meant == request.meant;
            if ["among", "every"].contains(&request.class) {
                assert!(request.class == "among" || requests.iter().filter(about).count() > 1, "{request:?} means no memories");
                continue;
            }
            let named = request
                .gone()
                .is_none_or(|word| requests.iter().filter(holds).filter(|held| held.text.contains(word)).count() == 1);
            assert!(named, "{request:?} names no memory, or several");
        }
        let said = requests.iter().filter(|request| !["held", "among"].contains(&request.class));
        let said: Vec<_> = said.map(|request| (request.text.to_owned(), request.split)).collect();
        assert_eq!(twins(&said), Vec::<String>::new());
    }

    #[test]
    fn twins_are_equal_or_differ_by_one_word() {
        let line = |text: &str, split| (text.to_owned(), split);
        let first = line("The cat sat down.", Split::Train);
        for (text, twin) in [
            ("the CAT sat – down", true),
            ("The dog sat down.", true),
            ("The cat sat.", true),
            ("The old cat sat down.", true),
            ("The old dog sat down.", false),
            ("The cat.", false),
        ] {
            assert_eq!(!twins(&[first.clone(), line(text, Split::Dev)]).is_empty(), twin, "{text}");
            assert!(twins(&[first.clone(), line(text, Split::Train)]).is_empty());
        }
    }
}
