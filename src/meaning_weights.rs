//! Writes what the gate learns from an encoder's vectors of the labelled lines: `make weights`, about a minute.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use keepsake::embed::bert::Bert;
use ports::embedder::Embedder;
use sha2::{Digest, Sha256};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: meaning-weights <folder of the encoder>")?;
    let encoder = Bert::open(Path::new(&folder))?;
    let weights = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crates/gate/weights");
    let words = std::fs::read(weights.join("identities.weights"))?;
    let texts: Vec<String> = gate::lessons::identities().into_iter().map(|example| example.text).collect();
    let vectors = encoder.embed(&texts).await?;
    let mut file = format!("encoder {}\nwords {:x}\n", encoder.id().weights, Sha256::digest(&words));
    for weight in gate::lessons::meaning(&vectors) {
        writeln!(file, "{weight:.5}")?;
    }
    std::fs::write(weights.join("meaning.txt"), file)?;
    Ok(())
}
