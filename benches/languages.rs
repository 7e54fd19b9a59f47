//! Questions in Indonesian: whether they find the memory that answers them, in English and in Indonesian.

use crate::fixture::embedders;
use crate::table::{percent, print};

/// Number of items in an answer.
const ANSWER: usize = 5;

pub async fn run() {
    let lines = language::questions();
    let (asked, held): (Vec<String>, Vec<String>) =
        lines.iter().map(|line| (line.question.to_owned(), line.memory.to_owned())).unzip();
    let mut rows = Vec::new();
    for (name, embedder) in embedders() {
        let (asked, vectors) = (embedder.embed(&asked).await.expect("embedded"), embedder.embed(&held).await.expect("embedded"));
        let cosine = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
        let found = |at: usize| {
            let own = cosine(&asked[at], &vectors[at]);
            vectors.iter().filter(|other| cosine(&asked[at], other) > own).count() < ANSWER
        };
        let share = |language: &str| {
            let of: Vec<usize> = (0..held.len()).filter(|at| lines[*at].memory_language == language).collect();
            percent(of.iter().filter(|at| found(**at)).count() as f64 / of.len() as f64)
        };
        rows.push(vec![name.to_owned(), share("en"), share("id")]);
    }
    let chance = percent(ANSWER as f64 / held.len() as f64);
    rows.push(vec!["by chance".to_owned(), chance.clone(), chance]);
    let title = format!("Indonesian questions whose memory is among the nearest {ANSWER} of {}", held.len());
    print(&title, &["embedder", "memory in English", "in Indonesian"], &rows);
}
