//! What share of the labelled dialogues each extractor gets: the rules, and the model if one is configured
//! (`KEEPSAKE_EXTRACTOR=llm`, with its provider, URL, name and key). All of learning runs: extractor, gate, merge and correction.

use std::sync::Arc;

use clap::Parser;
use keepsake::config::{Config, ExtractorName};
use keepsake::extract::llm::Llm;
use keepsake::extract::rules::Rules;
use keepsake::ports::extractor::Extractor;
use language::Split;

use crate::dialogue::{self, Dialogue};
use crate::fixture::{Fixture, minilm};
use crate::table::print;

/// What the environment configures.
#[derive(Parser)]
struct Configured {
    #[command(flatten)]
    config: Config,
}

pub async fn run() {
    let Some(embedder) = minilm() else { return };
    let Configured { config } = Configured::parse_from(["bench"]);
    let rules: Arc<dyn Extractor> = Arc::new(Rules);
    let mut extractors = vec![("rules".to_owned(), rules)];
    if config.extractor == ExtractorName::Llm {
        match Llm::new(config.llm()) {
            Ok(llm) => extractors.push((config.llm_model.clone(), Arc::new(llm))),
            Err(error) => println!("skipped for the model: {error}"),
        }
    }
    for split in [Split::Blind, Split::Dev] {
        let dialogues: Vec<Dialogue> = language::dialogues(|one| one.source != "planted" && one.split == split);
        let mut rows: Vec<Vec<String>> = dialogue::ALL.iter().map(|name| vec![(*name).to_owned()]).collect();
        let mut heads = vec![String::new()];
        for (name, extractor) in &extractors {
            let fixture = Fixture::reading(extractor.clone(), embedder.clone()).await;
            let mut hits = vec![(0, 0); rows.len()];
            let mut failed = 0;
            for dialogue in &dialogues {
                // A provider may fail on one of them; that counts as nothing learned, and is told.
                let Ok(after) = fixture.keepsake.learn_dry(&dialogue.exchange(), &dialogue.known()).await else {
                    println!("{name}: {} could not be read", dialogue.id);
                    failed += 1;
                    continue;
                };
                for (name, hit) in dialogue.judge(&after) {
                    let place = dialogue::ALL.iter().position(|one| *one == name).expect("listed");
                    hits[place] = (hits[place].0 + usize::from(hit), hits[place].1 + 1);
                }
            }
            if failed > 0 {
                println!("{name}: {failed} of {} dialogues could not be read and are left out", dialogues.len());
            }
            for (row, (hits, of)) in rows.iter_mut().zip(hits) {
                row.push(format!("{:.1} % of {of}", 100.0 * hits as f64 / of.max(1) as f64));
            }
            heads.push(name.clone());
        }
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        print(&format!("Extractors: {} labelled dialogues ({})", dialogues.len(), split.name()), &heads, &rows);
    }
}
