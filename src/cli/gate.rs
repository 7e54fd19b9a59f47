//! `keepsake gate`

use std::io::{BufRead, BufWriter, Write};
use std::process::ExitCode;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure};
use crate::domain::gate;

#[derive(Args)]
pub struct Gate {
    /// Looks for planted instructions in notes instead.
    #[arg(long)]
    notes: bool,
    /// Each line is {"id","text"} instead of a text.
    #[arg(long)]
    jsonl: bool,
}

#[derive(Deserialize)]
struct Line {
    id: Option<serde_json::Value>,
    text: String,
}

#[derive(Serialize)]
struct Judged {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    reject: bool,
    rules: Vec<String>,
}

pub fn run(command: &Gate) -> Exit {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (n, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line?;
        let Line { id, text } = if command.jsonl {
            serde_json::from_str(&line).map_err(|error| Failure::Said(format!("line {}: {error}", n + 1)))?
        } else {
            Line { id: None, text: line }
        };
        let rules: Vec<String> = if command.notes {
            gate::check_note(&text).into_iter().map(str::to_owned).collect()
        } else {
            gate::rules_fired(&gate::check(&text))
        };
        let judged = Judged { id, reject: !rules.is_empty(), rules };
        writeln!(out, "{}", serde_json::to_string(&judged).map_err(|error| Failure::Said(error.to_string()))?)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
