//! Keepsake beside chroma, mem0 and onnxruntime from PyPI, in the same run and with the same weights. `peers.py` runs them, and
//! calls a server of its own.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use ports::embedder::Embedder;
use serde::de::DeserializeOwned;

use crate::fixture::{file, minilm, minilm_folder};
use crate::table::{median, ms, print, times};

const ROUNDS: usize = 7;
const BATCH: usize = 32;
/// Tick of the clock by which Linux counts processor time.
const TICK_SECONDS: f64 = 0.01;

/// One pass over the sentences, one by one and in batches.
type Passes = [f64; 2];

pub async fn run() {
    let Some(embedder) = minilm() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let installed = Command::new(root.join("scripts/peers.sh")).stderr(Stdio::inherit()).output().expect("runs");
    if !installed.status.success() {
        println!("\nPeers: skipped, scripts/peers.sh could not install chroma and mem0 from PyPI");
        return;
    }
    let python = String::from_utf8(installed.stdout).expect("a path");
    let mut peers = Command::new(python.trim_end())
        .arg(root.join("benches/peers.py"))
        .env("KEEPSAKE_MODEL_DIR", minilm_folder())
        .env("KEEPSAKE_PROGRAM", env!("CARGO_BIN_EXE_keepsake"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let (mut ask, told) = (peers.stdin.take().expect("piped"), peers.stdout.take().expect("piped"));
    let mut told = BufReader::new(told).lines();
    let versions: HashMap<String, String> = next(&mut told);

    let mut taken = [(); 2].map(|()| [Vec::new(), Vec::new()]);
    // In turn; the first round warms up and is not counted.
    for round in 0..=ROUNDS {
        let own = passes(embedder.as_ref()).await;
        writeln!(ask).expect("listens");
        let other: Passes = next(&mut told);
        for (taken, pair) in taken.iter_mut().zip(own.into_iter().zip(other)).filter(|_| round > 0) {
            taken[0].push(pair.0);
            taken[1].push(pair.1);
        }
    }
    let rows = ["1 sentence", "32 sentences"].into_iter().zip(&taken).map(|(what, taken)| {
        let [ours, theirs] = [&taken[0], &taken[1]].map(|seconds| median(seconds));
        vec![what.to_owned(), ms(ours), ms(theirs), times(theirs / ours)]
    });
    let title = format!("Peers, embedding with all-MiniLM-L6-v2: processor time of one call, median of {ROUNDS} rounds in turn");
    let onnxruntime = format!("onnxruntime {}", versions["onnxruntime"]);
    print(&title, &["", "Keepsake", &onnxruntime, "of Keepsake"], &rows.collect::<Vec<_>>());

    drop((ask, embedder));
    let seconds: HashMap<String, HashMap<String, f64>> = next(&mut told);
    assert!(peers.wait().expect("ends").success(), "benches/peers.py failed");
    let row = |what: &str, subject: &str| {
        let [ours, chroma, mem0] = ["keepsake", "chroma", "mem0"].map(|peer| seconds[subject][peer]);
        vec![what.to_owned(), ms(ours), ms(chroma), times(chroma / ours), ms(mem0), times(mem0 / ours)]
    };
    let rows = [
        row("recall of 8, 50 memories", "recall 50"),
        row("recall of 8, 1,000 memories", "recall 1000"),
        row("saving one, on the way to 1,000", "saving"),
        row("learning an exchange", "learning"),
    ];
    let (chroma, mem0) = (format!("chroma {}", versions["chromadb"]), format!("mem0 {}", versions["mem0ai"]));
    let heads = ["", "Keepsake", &chroma, "of Keepsake", &mem0, "of Keepsake"];
    print(
        "Peers, the same texts of one user and the same weights, embedding included: medians of rounds in turn, on one core",
        &heads,
        &rows,
    );
    println!("Recall: the same questions. Keepsake answers over HTTP, looks by words and thread as well, and writes the prompt.");
    println!(
        "Saving: one call a text; what Keepsake refuses or merges is left out for all. mem0: `infer=False`, Qdrant on disk, no spaCy."
    );
    println!("Learning: Keepsake extracts by rules, checks and merges; chroma and mem0 store message and reply as they are.");
}

fn next<T: DeserializeOwned>(told: &mut Lines<impl BufRead>) -> T {
    let line = told.next().expect("benches/peers.py ended early").expect("read");
    serde_json::from_str(&line).expect("what was agreed")
}

/// Seconds of processor time: for one sentence, and for a batch.
async fn passes(embedder: &dyn Embedder) -> Passes {
    let mut sentences: Vec<String> = file("src/tests/data/embedding/sentences.txt").lines().map(str::to_owned).collect();
    // Sorted by length, padding costs onnxruntime least; Keepsake does not pad.
    sentences.sort_by_key(String::len);
    let mut taken = [0.0, 0.0];
    for (size, taken) in [1, BATCH].into_iter().zip(&mut taken) {
        let calls = sentences.chunks_exact(size);
        let (count, start) = (calls.len(), processor_seconds());
        for texts in calls {
            embedder.embed(texts).await.expect("embedded");
        }
        *taken = (processor_seconds() - start) / count as f64;
    }
    taken
}

/// User and system time of all threads.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // The fields after the program's name, which may hold spaces.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields[field].parse::<f64>().expect("a number");
    (ticks(11) + ticks(12)) * TICK_SECONDS
}
