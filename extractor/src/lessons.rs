//! What the heads learn from: the `train` lines of `language/`. `make weights` writes what they learned into `weights/`.

use language::head::Parts;
use language::learn::{Example, learned};
use language::{Line, Split};

/// The weights of each head, by file name.
#[must_use]
pub fn weights() -> [(&'static str, Vec<u8>); 3] {
    [
        ("personal.weights", learned(Parts::Whole, &examples(language::utterances(), "personal"))),
        ("team.weights", learned(Parts::Whole, &examples(language::utterances(), "team"))),
        ("change.weights", learned(Parts::Whole, &examples(language::changes(), "change"))),
    ]
}

fn examples(lines: Vec<Line>, wanted: &str) -> Vec<Example> {
    let kept = lines.into_iter().filter(|line| line.split == Split::Train);
    let bare = |text: &str| text.trim().trim_end_matches(['.', '!', '…', ';', ':', ',']).to_owned();
    kept.map(|line| Example { wanted: line.class == wanted, text: bare(&line.text), weight: 1.0 }).collect()
}

#[test]
fn the_program_holds_what_the_lines_teach() {
    let held: [&[u8]; 3] = [
        include_bytes!("../weights/personal.weights"),
        include_bytes!("../weights/team.weights"),
        include_bytes!("../weights/change.weights"),
    ];
    for ((name, learned), held) in weights().into_iter().zip(held) {
        assert!(held == learned, "{name}: a line was changed; run `make weights`");
    }
}
