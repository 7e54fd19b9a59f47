//! The size of the server, and of what a browser loads, compressed. A browser test keeps the latter below its limit.

use std::path::Path;

use crate::fixture::told;
use crate::table::print;

const FILES: [&str; 3] = ["keepsake.wasm.br", "keepsake.js.br", "keepsake.css.br"];
const PROGRAM_LIMIT_MB: f64 = 45.0;

pub fn run() {
    let bytes = std::fs::metadata(env!("CARGO_BIN_EXE_keepsake")).expect("built with the benchmark").len();
    let megabytes = bytes as f64 / 1e6;
    let verdict = if megabytes < PROGRAM_LIMIT_MB { "within" } else { "OVER" };
    let name = format!("keepsake, {verdict} the limit of {PROGRAM_LIMIT_MB:.0}");
    print("Program", &["file", "MB"], &[vec![name, format!("{megabytes:.1}")]]);
    let site = told("LEPTOS_SITE_ROOT").unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/site"));
    let size = |name: &str| std::fs::metadata(site.join("pkg").join(name)).map(|data| data.len() as f64 / 1024.0);
    let sizes: Result<Vec<f64>, _> = FILES.iter().map(|name| size(name)).collect();
    let Ok(sizes) = sizes else {
        println!("\nBundle: skipped, {} has no compressed build; `make build` makes one", site.display());
        return;
    };
    let sum: f64 = sizes.iter().sum();
    let mut rows: Vec<Vec<String>> =
        FILES.iter().zip(&sizes).map(|(name, size)| vec![(*name).to_owned(), format!("{size:.1}")]).collect();
    rows.push(vec!["together".to_owned(), format!("{sum:.1}")]);
    print("Bundle: what a browser loads, brotli", &["file", "KB"], &rows);
}
