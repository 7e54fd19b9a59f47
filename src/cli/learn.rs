//! `keepsake learn --dry-run`

use std::io::{BufRead, Write};
use std::process::ExitCode;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, opening};
use crate::api::wire::ExchangeRecord;
use crate::config::Config;
use domain::erasure::people::UserId;
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::problem::Problem;
use ports::extractor;
use service::Keepsake;

#[derive(Args)]
pub struct Learn {
    /// Writes nothing. Required for now, because only `serve` and `import` really learn.
    #[arg(long, required = true)]
    dry_run: bool,
    /// Also prints which step decided about each sentence.
    #[arg(long)]
    explain: bool,
}

/// An exchange record and what the user already has.
#[derive(Deserialize)]
struct LearnLine {
    #[serde(default)]
    id: serde_json::Value,
    #[serde(default)]
    known: Vec<String>,
    user_id: Option<String>,
    surface: Option<String>,
    thread: Option<String>,
    at: Option<String>,
    #[serde(default)]
    user: String,
    #[serde(default)]
    assistant: String,
}

#[derive(Serialize)]
struct New {
    kind: &'static str,
    content: String,
    importance: u8,
}

#[derive(Serialize)]
struct LearnReport {
    id: serde_json::Value,
    personal_new: Vec<New>,
    personal_after: Vec<String>,
    global_new: Vec<String>,
    stored_anywhere: Vec<String>,
    dropped: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Step>>,
}

/// Which step decided about a sentence, and the probabilities if a head was asked.
#[derive(Serialize)]
struct Step {
    sentence: String,
    decided: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    personal: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<f32>,
}

#[derive(Serialize)]
struct Bad {
    error: String,
    line: usize,
}

pub async fn run(config: &Config, command: &Learn) -> Exit {
    debug_assert!(command.dry_run);
    // A temporary database of its own, so that a line sees only its `known` memories.
    let scratch = tempfile::tempdir()?;
    let keepsake = opening::scratch(config, scratch.path()).await?;
    let mut all_good = true;
    for (n, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let out = match learn(&keepsake, &line, command.explain).await {
            Ok(learned) => serde_json::to_string(&learned),
            Err(failure) => {
                all_good = false;
                serde_json::to_string(&Bad { error: failure.to_string(), line: n + 1 })
            }
        };
        writeln!(std::io::stdout(), "{}", out.map_err(|error| Failure::Said(error.to_string()))?)?;
    }
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn learn(keepsake: &Keepsake, line: &str, explain: bool) -> Result<LearnReport, Failure> {
    let line: LearnLine = serde_json::from_str(line).map_err(|error| Failure::Said(error.to_string()))?;
    let record = ExchangeRecord {
        id: None,
        user_id: None,
        surface: Some(line.surface.unwrap_or_else(|| "cli".to_owned())),
        thread: line.thread,
        at: line.at,
        user: line.user,
        assistant: line.assistant,
    };
    let user = line.user_id.map(UserId::new).transpose()?;
    let exchange = record.into_exchange(user, keepsake.clock.now())?;
    let known = line.known.iter().map(|content| known(content)).collect::<Result<Vec<_>, _>>()?;
    let rehearsal = keepsake.learning.learn_dry(&exchange, &known).await?;
    let on_disk = [&rehearsal.exchange.message, &rehearsal.exchange.reply];
    let stored_anywhere = on_disk
        .into_iter()
        .chain(rehearsal.exchange.thread.as_ref())
        .chain(&rehearsal.personal_after)
        .chain(&rehearsal.global_new)
        .filter(|text| !text.is_empty())
        .cloned()
        .collect();
    let personal_new = rehearsal.personal_new.into_iter().map(|statement| New {
        kind: statement.kind.as_str(),
        content: statement.content.as_str().to_owned(),
        importance: statement.importance.get(),
    });
    Ok(LearnReport {
        id: line.id,
        personal_new: personal_new.collect(),
        personal_after: rehearsal.personal_after,
        global_new: rehearsal.global_new,
        stored_anywhere,
        dropped: rehearsal.dropped,
        steps: explain.then(|| rehearsal.steps.into_iter().map(told).collect()),
    })
}

fn told(step: extractor::Step) -> Step {
    let share = |at: usize| step.shares.map(|shares| (shares[at] * 100.0).round() / 100.0);
    Step { personal: share(0), team: share(1), change: share(2), decided: step.decided, sentence: step.sentence }
}

fn known(content: &str) -> Result<Statement, Problem> {
    Ok(Statement { kind: MemoryKind::Fact, content: Content::new(content)?, importance: Importance::DEFAULT })
}
