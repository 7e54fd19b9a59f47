//! The share that the gate and the note check refuse, rightly and wrongly, in each split of the labelled lines; and what the
//! extractor keeps of single sentences. The split `train` was learned from, so only blind lines show how good they are.

use std::collections::HashMap;

use domain::gate::{self, Meaning};
use extractor::{Audience, Takes};
use language::{Line, Split};

use crate::documents;
use crate::fixture::minilm;
use crate::table::{self, percent};

pub async fn run() {
    let heads = ["lines", "texts", "refused", "wrongly"];
    let facts = rows(&language::gate(), &|text| !gate::check(text).is_empty());
    table::print("Gate: personal data refused, team facts refused wrongly", &heads, &facts);
    let sentences = documents::sentences();
    let heads_of_documents = ["", "sentences of crates", "refused"];
    let share = |refused: usize| format!("{} ({refused})", percent(refused as f64 / sentences.len().max(1) as f64));
    let refused = sentences.iter().filter(|text| !gate::check(text).is_empty()).count();
    let mut of_documents = vec![vec!["words".to_owned(), sentences.len().to_string(), share(refused)]];
    if let Some(encoder) = minilm() {
        let texts: Vec<String> = language::gate().into_iter().map(|line| line.text).collect();
        let vectors = encoder.embed(&texts).await.expect("embedded");
        let vectors: HashMap<&str, &[f32]> = texts.iter().map(String::as_str).zip(vectors.iter().map(Vec::as_slice)).collect();
        let meaning = |text: &str| Some(Meaning { encoder: &encoder.id().weights, vector: vectors[text] });
        let facts = rows(&language::gate(), &|text| !gate::check_with(text, meaning(text)).is_empty());
        table::print("The same, with the vectors of all-MiniLM-L6-v2", &heads, &facts);
        let vectors = encoder.embed(&sentences).await.expect("embedded");
        let refuses = |(text, vector): &(&String, &Vec<f32>)| {
            !gate::check_with(text, Some(Meaning { encoder: &encoder.id().weights, vector })).is_empty()
        };
        let refused = sentences.iter().zip(&vectors).filter(refuses).count();
        of_documents.push(vec!["with vectors".to_owned(), sentences.len().to_string(), share(refused)]);
    }
    table::print("Gate: sentences of the documents of crates, refused wrongly", &heads_of_documents, &of_documents);
    let notes = rows(&language::notes(), &|text| !gate::check_note(text).is_empty());
    table::print("Notes: planted orders refused, harmless notes refused wrongly", &heads, &notes);
    let heads = ["lines", "personal kept", "team's proposed", "of nothing, kept", "changes noticed", "of no change, noticed"];
    table::print("Extractor: single sentences", &heads, &judged());
}

/// Scores the extractor on the labelled sentences, each as a message.
fn judged() -> Vec<Vec<String>> {
    let (utterances, changes) = (language::utterances(), language::changes());
    let of = |lines: &[Line], split: Split, class: &str, holds: &dyn Fn(&str) -> bool| {
        let lines: Vec<&Line> = lines.iter().filter(|line| line.split == split && line.class == class).collect();
        let held = lines.iter().filter(|line| holds(&line.text)).count();
        format!("{} ({held}/{})", percent(held as f64 / lines.len().max(1) as f64), lines.len())
    };
    let keeps = |text: &str, audience| extractor::read(text, &[], &[]).kept.iter().any(|kept| kept.audience == audience);
    let notices = |text: &str| extractor::read(text, &["-"], &[]).kept.iter().any(|kept| kept.takes != Takes::Nothing);
    let row = |split: Split| {
        vec![
            split.name().to_owned(),
            of(&utterances, split, "personal", &|text| keeps(text, Audience::User)),
            of(&utterances, split, "team", &|text| keeps(text, Audience::Team)),
            of(&utterances, split, "none", &|text| !extractor::read(text, &[], &[]).kept.is_empty()),
            of(&changes, split, "change", &notices),
            of(&changes, split, "same", &notices),
        ]
    };
    // Blind dialogues judge the extractor as a whole: `src/tests/learning/dialogues.rs`.
    [Split::Train, Split::Dev].into_iter().map(row).collect()
}

fn rows(lines: &[Line], refuses: &dyn Fn(&str) -> bool) -> Vec<Vec<String>> {
    let groups = Split::ALL.into_iter().flat_map(|split| ["-", "plain", "hard"].map(|tier| (split, tier)));
    let rows = groups.filter_map(|(split, tier)| {
        let of = |class: &str| -> Vec<&Line> {
            lines.iter().filter(|line| line.split == split && line.tier == tier && line.class == class).collect()
        };
        let (bad, good) = (of("reject"), of("pass"));
        let share = |lines: &[&Line]| {
            let refused = lines.iter().filter(|line| refuses(&line.text)).count();
            format!("{} ({refused}/{})", percent(refused as f64 / lines.len().max(1) as f64), lines.len())
        };
        let name = format!("{} {}", split.name(), tier.trim_matches('-'));
        let row = || vec![name.trim_end().to_owned(), (bad.len() + good.len()).to_string(), share(&bad), share(&good)];
        (!bad.is_empty()).then(row)
    });
    rows.collect()
}
