//! `keepsake gate`

use std::io::{BufRead, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure};
use crate::config::Config;
use crate::embed;
use domain::gate::{self, Meaning};
use domain::settings::FilePaths;
use ports::embedder::Embedder;

#[derive(Args)]
pub struct Gate {
    /// Looks for planted instructions in notes instead.
    #[arg(long)]
    notes: bool,
    /// Each line is {"id","text"} instead of a text.
    #[arg(long)]
    jsonl: bool,
    /// Reads the vectors of the configured encoder too, as a server does. Without it the words decide alone, at once.
    #[arg(long, conflicts_with = "notes")]
    with_encoder: bool,
    /// Which paths of files are refused: all, as on a new server, or personal ones alone (the setting `gate.paths`).
    #[arg(long, default_value = "all", value_parser = ["all", "personal"], conflicts_with = "notes")]
    paths: String,
}

#[derive(Deserialize)]
struct GateLine {
    id: Option<serde_json::Value>,
    text: String,
}

#[derive(Serialize)]
struct GateVerdict {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    reject: bool,
    rules: Vec<String>,
}

/// The configured encoder, if the gate reads its vectors.
fn encoder(config: &Config) -> Result<Arc<dyn Embedder>, Failure> {
    let encoder = embed::open(config.choice(), &config.model_folder(None), None)?;
    if gate::reads(&encoder.id().weights) {
        return Ok(encoder);
    }
    let name = &encoder.id().model;
    Err(Failure::Said(format!("the gate reads vectors of all-MiniLM-L6-v2, not of {name}; leave out --with-encoder")))
}

async fn refused(text: &str, paths: FilePaths, encoder: Option<&dyn Embedder>) -> Result<Vec<String>, Failure> {
    let mut findings = if let Some(encoder) = encoder {
        let vectors = encoder.embed(&[text.to_owned()]).await?;
        gate::check_with(text, vectors.first().map(|vector| Meaning { encoder: &encoder.id().weights, vector }))
    } else {
        gate::check(text)
    };
    if paths == FilePaths::All {
        findings.extend(gate::paths(text));
    }
    Ok(gate::rules_fired(&findings))
}

pub async fn run(config: &Config, command: &Gate) -> Exit {
    let paths = FilePaths::ALL.into_iter().find(|paths| paths.as_str() == command.paths).unwrap_or_default();
    let encoder = if command.with_encoder { Some(encoder(config)?) } else { None };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (n, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line?;
        let GateLine { id, text } = if command.jsonl {
            serde_json::from_str(&line).map_err(|error| Failure::Said(format!("line {}: {error}", n + 1)))?
        } else {
            GateLine { id: None, text: line }
        };
        let rules: Vec<String> = if command.notes {
            gate::check_note(&text).into_iter().map(str::to_owned).collect()
        } else {
            refused(&text, paths, encoder.as_deref()).await?
        };
        let judged = GateVerdict { id, reject: !rules.is_empty(), rules };
        writeln!(out, "{}", serde_json::to_string(&judged).map_err(|error| Failure::Said(error.to_string()))?)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
