//! The command line. Exit codes: 0 done; 1 failed, with one clear line on stderr; 2 wrong usage. Output meant for programs is
//! JSON on stdout.

mod admin;
mod backup;
mod doctor;
mod erase;
mod export;
mod gate;
mod hook;
mod import;
mod key;
mod learn;
mod mcp;
mod memory;
mod opening;
mod recall;
mod reembed;
mod remote;
mod serve;
mod telegram;
mod usage;
mod webhook;
pub mod wiring;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::config::{Config, ServeConfig};
use crate::telemetry;
use domain::problem::Problem;
use service::Error;
use service::error::chain;

#[derive(Parser)]
#[command(name = "keepsake", version, about = "Long-term memory for assistants, with people in charge of it")]
struct Cli {
    #[command(flatten)]
    config: Config,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Subcommand)]
enum CliCommand {
    /// The console and the API (the default command).
    Serve(Box<ServeConfig>),
    /// A Telegram bot for the memory, beside the server; and the chats that it serves.
    Telegram(Box<telegram::Telegram>),
    /// Brings the database schema up to date; `serve` does this by itself.
    Migrate,
    /// Operators of the console.
    #[command(subcommand)]
    Operator(admin::Operator),
    /// Live settings.
    #[command(subcommand)]
    Settings(admin::Settings),
    /// Keys for assistants.
    #[command(subcommand)]
    Key(key::Key),
    /// Addresses that are told what happens.
    #[command(subcommand)]
    Webhook(webhook::Webhook),
    /// Runs exchanges from a file through the whole pipeline, imports the memories of an export, or takes in what another product
    /// exported.
    Import(import::Import),
    /// Shows what would be learned from the exchanges on stdin.
    Learn(learn::Learn),
    /// Judges the texts on stdin, one per line.
    Gate(gate::Gate),
    /// Shows what recall would put into a prompt.
    Recall(recall::Recall),
    /// The memories of one user: list them, show one and what it said before, take its last change back.
    #[command(subcommand)]
    Memory(memory::Memory),
    /// Erases a user and proves it.
    Erase(erase::Erase),
    /// Exports everything held about one user.
    Export(export::Export),
    /// Copies the database while the server runs.
    Backup(backup::Backup),
    /// Replaces the database with a backup, then repeats the erasures that the backup predates.
    Restore(backup::Restore),
    /// Checks the whole database, the audit log, the ledger, the key and the embedder, and whether it can write.
    Doctor,
    /// Erases an invented user and checks that nothing is left.
    Rehearse,
    /// Recomputes every vector with the configured embedder.
    Reembed,
    /// What the extractor's model was asked, by day, and what it may still be asked today.
    Usage(usage::Usage),
    /// The audit log.
    #[command(subcommand)]
    Audit(admin::Audit),
    /// The MCP server on standard input and output, for a running server (`--url`) or for one user of this database (`--user`).
    Mcp(mcp::Mcp),
    /// Connects a coding agent: prints what is remembered, or sends what was said.
    Hook(hook::Hook),
    /// Prints the OpenAPI document.
    Openapi,
}

/// Why a command failed, in one line.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Said(String),
    #[error("{}", chain(.0))]
    Service(#[from] Error),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Service(problem.into())
    }
}

impl From<ports::store::StoreError> for Failure {
    fn from(error: ports::store::StoreError) -> Self {
        Self::Service(error.into())
    }
}

impl From<store::NotServed> for Failure {
    fn from(refused: store::NotServed) -> Self {
        Self::Said(refused.to_string())
    }
}

impl From<ports::embedder::EmbedError> for Failure {
    fn from(error: ports::embedder::EmbedError) -> Self {
        Self::Said(error.to_string())
    }
}

/// How long the process waits at its end for threads that are still at work.
const THREADS_END_WITHIN: Duration = Duration::from_secs(5);

/// How a command ended: an exit code, or the reason for the failure.
type Exit = Result<ExitCode, Failure>;

/// Runs the command given on the command line.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|wrong| misused(&wrong));
    telemetry::install(&cli.config.log);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&error),
    };
    // An agent waits for its hook, and may keep the standard input open on which a thread reads.
    let wait = if matches!(cli.command, Some(CliCommand::Hook(_))) { Duration::ZERO } else { THREADS_END_WITHIN };
    let ended = runtime.block_on(dispatch(cli));
    // A text that hangs on one of its threads does not keep the process.
    runtime.shutdown_timeout(wait);
    match ended {
        Ok(code) => code,
        Err(failure) => complain(&failure),
    }
}

/// Ends with clap's text and code. A hook's code is 1, because agents take 2 for a wish to stop them.
fn misused(wrong: &clap::Error) -> ! {
    let hook = std::env::args().any(|word| word == "hook");
    if hook && wrong.use_stderr() {
        let _ = wrong.print();
        std::process::exit(1);
    }
    wrong.exit()
}

async fn dispatch(cli: Cli) -> Exit {
    let config = cli.config;
    match cli.command {
        None => match Cli::parse_from(["keepsake", "serve"]).command {
            Some(CliCommand::Serve(serve)) => serve::run(&config, &serve).await,
            _ => Ok(ExitCode::FAILURE),
        },
        Some(CliCommand::Serve(serve)) => serve::run(&config, &serve).await,
        Some(CliCommand::Telegram(telegram)) => telegram::run(&config, *telegram).await,
        Some(CliCommand::Migrate) => opening::open_store(&config).await.map(|_| ExitCode::SUCCESS),
        Some(CliCommand::Operator(command)) => admin::operator(&config, command).await,
        Some(CliCommand::Settings(command)) => admin::settings(&config, command).await,
        Some(CliCommand::Key(command)) => key::run(&config, command).await,
        Some(CliCommand::Webhook(command)) => webhook::run(&config, command).await,
        Some(CliCommand::Import(command)) => import::run(&config, &command).await,
        Some(CliCommand::Learn(command)) => learn::run(&config, &command).await,
        Some(CliCommand::Gate(command)) => gate::run(&config, &command).await,
        Some(CliCommand::Recall(command)) => recall::run(&config, command).await,
        Some(CliCommand::Memory(command)) => memory::run(&config, command).await,
        Some(CliCommand::Erase(command)) => erase::run(&config, &command).await,
        Some(CliCommand::Export(command)) => export::run(&config, command).await,
        Some(CliCommand::Backup(command)) => backup::make(&config, &command).await,
        Some(CliCommand::Restore(command)) => backup::restore(&config, &command).await,
        Some(CliCommand::Doctor) => doctor::run(&config).await,
        Some(CliCommand::Rehearse) => erase::rehearse(&config).await,
        Some(CliCommand::Reembed) => reembed::run(&config).await,
        Some(CliCommand::Usage(command)) => usage::run(&config, &command).await,
        Some(CliCommand::Audit(command)) => admin::audit(&config, command).await,
        Some(CliCommand::Mcp(command)) => mcp::run(&config, command).await,
        Some(CliCommand::Hook(command)) => hook::run(command).await,
        Some(CliCommand::Openapi) => print(&crate::api::openapi::document()),
    }
}

fn complain(failure: &dyn std::fmt::Display) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "keepsake: {failure}");
    ExitCode::FAILURE
}

/// Prints one line or one document for a program to read.
fn print(text: &str) -> Exit {
    writeln!(std::io::stdout(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}

fn print_json(value: &impl serde::Serialize) -> Exit {
    print(&serde_json::to_string(value).map_err(|error| Failure::Said(error.to_string()))?)
}
