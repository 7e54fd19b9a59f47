//! Texts embedded per second: in batches and one by one.

use ports::embedder::Embedder;

use crate::fixture::{embedders, file};
use crate::table::{median, print, seconds, times};

const ROUNDS: usize = 5;
const BATCH: usize = 32;

pub async fn run() {
    let sentences: Vec<String> = file("src/tests/data/embedding/sentences.txt").lines().map(str::to_owned).collect();
    let mut rows = Vec::new();
    let mut reference = None;
    for (name, embedder) in embedders() {
        // Warm-up: the first pass pays for starting threads and loading pages.
        embed(embedder.as_ref(), &sentences, BATCH).await;
        let (mut single, mut batched) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            single.push(seconds(embed(embedder.as_ref(), &sentences, 1)).await.0);
            batched.push(seconds(embed(embedder.as_ref(), &sentences, BATCH)).await.0);
        }
        for (how, taken) in [("one by one", median(&single)), ("in batches of 32", median(&batched))] {
            let reference = *reference.get_or_insert(taken);
            rows.push(vec![format!("{name}, {how}"), format!("{:.0}", sentences.len() as f64 / taken), times(reference / taken)]);
        }
    }
    let title = format!("Embeddings: {} sentences, median of {ROUNDS} rounds", sentences.len());
    print(&title, &["embedder", "a second", "against the first"], &rows);
}

async fn embed(embedder: &dyn Embedder, texts: &[String], batch: usize) {
    for texts in texts.chunks(batch) {
        embedder.embed(texts).await.expect("embedded");
    }
}
