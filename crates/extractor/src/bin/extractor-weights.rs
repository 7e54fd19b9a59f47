//! Writes the weights that the heads learn from the labelled lines: `make weights`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights");
    for (name, learned) in extractor::lessons::weights() {
        std::fs::write(folder.join(name), learned)?;
    }
    Ok(())
}
