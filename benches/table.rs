//! Printing tables, and the statistics in them.

use std::time::{Duration, Instant};

/// Prints a table with a title; the first column is aligned left, the others right.
pub fn print(title: &str, heads: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let cells = cells.iter().zip(&widths).enumerate();
        let padded = cells.map(|(n, (cell, width))| if n == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
        padded.collect::<Vec<_>>().join("  ")
    };
    println!("\n{title}");
    println!("{}", line(heads.to_vec()));
    println!("{}", widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("  "));
    for row in rows {
        println!("{}", line(row.iter().map(String::as_str).collect()));
    }
}

/// The value below which this share of them lies.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
    let place = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(place).copied().unwrap_or(f64::NAN)
}

pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Runs the work, and returns the seconds that it took.
pub async fn seconds<T>(work: impl Future<Output = T>) -> (f64, T) {
    let start = Instant::now();
    let out = work.await;
    (start.elapsed().as_secs_f64(), out)
}

/// `0.43 ms`, `3.1 ms`, `120 ms`.
pub fn ms(seconds: f64) -> String {
    let ms = Duration::from_secs_f64(seconds).as_secs_f64() * 1000.0;
    let digits = if ms < 1.0 { 3 } else { usize::from(ms < 100.0) };
    format!("{ms:.digits$} ms")
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

pub fn times(ratio: f64) -> String {
    format!("{ratio:.2} ×")
}
