//! Measures what the defaults are based on: the gate, the merge guard, corrections, extractors, questions in another language,
//! recall of evidence, learning from real conversations, embeddings, recall latency, learning, many team facts, writes beside an
//! erasure, the statistics page, the sizes of the program and of what a browser loads, memory blocks, and Keepsake beside its
//! peers. Run `make bench`, or for some of the subjects `cargo bench --bench keepsake -- guard recall`.
//!
//! Each subject prints one table. Times are medians over several rounds and are shown beside a reference measured in the same
//! run, because machines differ. No time is asserted; requirements are in the tests.

#![allow(clippy::pedantic, reason = "numbers are shaped for a table")]
#![allow(clippy::print_stdout, reason = "tables are what it is for")]
#![allow(clippy::cast_precision_loss, reason = "counts and milliseconds, far below 2^52")]

mod blocks;
mod bundle;
mod corrections;
#[path = "../src/tests/fixture/dialogue.rs"]
mod dialogue;
mod documents;
mod embeddings;
mod erasing;
mod extractors;
mod facts;
mod fixture;
mod gate;
mod guard;
mod languages;
mod learning;
mod locomo;
mod longmemeval;
mod memory_server;
mod peers;
mod random;
mod recall;
mod served;
mod site;
mod stats;
mod table;

use tokio::runtime::Runtime;

const SUBJECTS: [&str; 16] = [
    "gate",
    "guard",
    "corrections",
    "extractors",
    "languages",
    "locomo",
    "longmemeval",
    "embeddings",
    "recall",
    "learning",
    "facts",
    "erasing",
    "stats",
    "bundle",
    "peers",
    "blocks",
];

fn main() {
    // Cargo passes `--bench`; the other arguments name subjects.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if let Some(unknown) = wanted.iter().find(|name| !SUBJECTS.contains(&name.as_str())) {
        println!("there is no subject {unknown}; there are: {}", SUBJECTS.join(" "));
        std::process::exit(2);
    }
    let runtime = Runtime::new().expect("a runtime");
    for subject in SUBJECTS.into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|one| one == name)) {
        match subject {
            "gate" => runtime.block_on(gate::run()),
            "guard" => runtime.block_on(guard::run()),
            "corrections" => runtime.block_on(corrections::run()),
            "extractors" => runtime.block_on(extractors::run()),
            "languages" => runtime.block_on(languages::run()),
            "locomo" => runtime.block_on(locomo::run()),
            "longmemeval" => runtime.block_on(longmemeval::run()),
            "embeddings" => runtime.block_on(embeddings::run()),
            "recall" => runtime.block_on(recall::run()),
            "learning" => runtime.block_on(learning::run()),
            "facts" => runtime.block_on(facts::run()),
            "erasing" => runtime.block_on(erasing::run()),
            "stats" => runtime.block_on(stats::run()),
            "bundle" => bundle::run(),
            "peers" => runtime.block_on(peers::run()),
            _ => runtime.block_on(blocks::run()),
        }
    }
}
