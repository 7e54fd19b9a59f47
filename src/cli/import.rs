//! `keepsake import`

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{Exit, Failure, print_json, wiring};
use crate::access::callers::Caller;
use crate::api::wire::ExchangeRecord;
use crate::config::Config;
use crate::domain::exchange::{Exchange, ExchangeStatus};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::service::Keepsake;

/// How often a running server is asked for its progress.
const ASK_EVERY: Duration = Duration::from_millis(100);

#[derive(Args)]
pub struct Import {
    file: PathBuf,
    /// Checks the file and stores nothing.
    #[arg(long)]
    dry_run: bool,
}

pub async fn run(config: &Config, command: &Import) -> Exit {
    let now = {
        use crate::ports::clock::{Clock, SystemClock};
        SystemClock.now()
    };
    if let Some(export) = export(&command.file)? {
        return take_back(config, command, &export).await;
    }
    let exchanges = check(&command.file, now)?;
    if command.dry_run {
        return print_json(&json!({ "exchanges": exchanges.len(), "stored": 0 }));
    }
    // The process with the lock does the learning: this command, or a running server.
    let lock = wiring::lock(config)?;
    let (keepsake, _) = wiring::open(config, lock.as_ref()).await?;
    let bar = ProgressBar::new(exchanges.len() as u64 * 2)
        .with_style(ProgressStyle::with_template("{bar:40} {percent}% {msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message("taking in");
    let caller = Caller::command_line();
    let total = exchanges.len();
    let mut ids = Vec::with_capacity(total);
    for exchange in exchanges {
        ids.push(keepsake.accept_imported(&caller, exchange).await?);
        bar.inc(1);
    }
    bar.set_message("learning");
    let mut parked = 0;
    for id in &ids {
        parked += usize::from(settled(&keepsake, id, lock.is_some()).await? == ExchangeStatus::Parked);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let counts = keepsake.store.count_facts().await?;
    let facts = json!({ "pending": counts.pending, "approved": counts.approved, "rejected": counts.rejected });
    print_json(&json!({ "exchanges": total, "learned": total - parked, "parked": parked, "facts": facts }))
}

/// The text of the file if `keepsake export` wrote it: one JSON object with a `held` member.
fn export(path: &PathBuf) -> Result<Option<String>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Said(format!("{}: {error}", path.display())))?;
    let held = serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|value| value["held"].is_object());
    Ok(held.then_some(text))
}

async fn take_back(config: &Config, command: &Import, export: &str) -> Exit {
    let (keepsake, _) = wiring::open(config, None).await?;
    let imported = keepsake.import_memories(&Caller::command_line(), export, command.dry_run).await?;
    print_json(&json!({ "memories": imported.memories, "known": imported.known }))
}

/// Waits until this exchange has left the queue; learns meanwhile if that is this process's task.
async fn settled(keepsake: &Keepsake, id: &str, mine: bool) -> Result<ExchangeStatus, Failure> {
    let never = CancellationToken::new();
    loop {
        match keepsake.store.exchange_state(id).await? {
            None => return Ok(ExchangeStatus::Learned),
            Some(state) if state.status != ExchangeStatus::Queued => return Ok(state.status),
            Some(_) if mine && keepsake.learn_due(&never).await? > 0 => {}
            Some(_) => sleep(ASK_EVERY).await,
        }
    }
}

/// Reads the whole file before anything is stored. Every bad line is reported on stderr.
fn check(path: &PathBuf, now: Moment) -> Result<Vec<Exchange>, Failure> {
    let file = File::open(path).map_err(|error| Failure::Said(format!("{}: {error}", path.display())))?;
    let mut exchanges = Vec::new();
    let mut bad = 0;
    for (n, line) in BufReader::new(file).lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match exchange(&line, now) {
            Ok(exchange) => exchanges.push(exchange),
            Err(why) => {
                bad += 1;
                writeln!(std::io::stderr(), "line {}: {why}", n + 1)?;
            }
        }
    }
    if bad > 0 {
        return Err(Failure::Said(format!("{bad} lines cannot be imported; nothing was stored")));
    }
    Ok(exchanges)
}

fn exchange(line: &str, now: Moment) -> Result<Exchange, String> {
    let record: ExchangeRecord = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let user = record.user_id.clone().map(UserId::new).transpose().map_err(|problem| problem.to_string())?;
    record.into_exchange(user, now).map_err(|problem| problem.to_string())
}
