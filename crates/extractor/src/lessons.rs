//! Training data of the heads: the `train` lines of `crates/language/`. `make weights` writes the learned weights into `weights/`.

use language::head::Parts;
use language::learn::{Example, learned};
use language::{Line, Split};

/// Weight of tidy short sentences, which count less than real talk.
const TIDY: f32 = 0.15;

/// The weights of each head, by file name.
#[must_use]
pub fn weights() -> [(&'static str, Vec<u8>); 4] {
    let said = |classes: &[&str]| {
        let talk = examples(language::talk(), classes, 1.0);
        talk.into_iter().chain(examples(language::utterances(), classes, TIDY)).collect::<Vec<_>>()
    };
    // Hardly anything that is told in passing changes a memory.
    let talk = examples(language::talk(), &[], 1.0);
    let changes: Vec<_> = examples(language::changes(), &["change"], 1.0).into_iter().chain(talk).collect();
    [
        ("personal.weights", learned(Parts::Whole, &said(&["personal", "episode"]))),
        ("team.weights", learned(Parts::Whole, &said(&["team"]))),
        ("episode.weights", learned(Parts::Whole, &examples(language::talk(), &["episode"], 1.0))),
        ("change.weights", learned(Parts::Whole, &changes)),
    ]
}

fn examples(lines: Vec<Line>, wanted: &[&str], weight: f32) -> Vec<Example> {
    let kept = lines.into_iter().filter(|line| line.split == Split::Train);
    kept.map(|line| Example { wanted: wanted.contains(&line.class), text: bare_text(&line.text), weight }).collect()
}

/// A labelled sentence as the reader judges it: without its final mark, unless that is a question mark.
#[must_use]
pub fn bare_text(text: &str) -> String {
    text.trim().trim_end_matches(['.', '!', '…', ';', ':', ',']).to_owned()
}

#[test]
fn the_program_holds_what_the_lines_teach() {
    let held: [&[u8]; 4] = [
        include_bytes!("../weights/personal.weights"),
        include_bytes!("../weights/team.weights"),
        include_bytes!("../weights/episode.weights"),
        include_bytes!("../weights/change.weights"),
    ];
    for ((name, learned), held) in weights().into_iter().zip(held) {
        assert!(held == learned, "{name}: a line was changed; run `make weights`");
    }
}
