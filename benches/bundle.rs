//! The compressed size of what a browser loads. The limit may only ever be lowered.

use std::path::Path;

use crate::fixture::told;
use crate::table::print;

const FILES: [&str; 3] = ["keepsake.wasm.br", "keepsake.js.br", "keepsake.css.br"];
const LIMIT_KB: f64 = 350.0;

pub fn run() {
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
    let verdict = if sum < LIMIT_KB { "within" } else { "OVER" };
    rows.push(vec![format!("together, {verdict} the limit of {LIMIT_KB:.0}"), format!("{sum:.1}")]);
    print("Bundle: what a browser loads, brotli", &["file", "KB"], &rows);
}
