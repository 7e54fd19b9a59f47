//! `keepsake doctor`

use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;

use super::{Exit, Failure, opening, print_json};
use crate::config::Config;
use crate::embed;
use ports::store::custody::Opened;
use service::audit::{self, Verification};
use service::erasure::ledger::check_ledger;
use service::error::chain;

/// What was looked at, and what is wrong with it.
#[derive(Serialize)]
struct DoctorFinding {
    check: &'static str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

impl DoctorFinding {
    fn of(check: &'static str, found: Result<(), String>) -> Self {
        Self { check, ok: found.is_ok(), detail: found.err() }
    }
}

pub async fn run(config: &Config) -> Exit {
    let findings = match opening::open_store(config).await {
        Ok(opened) => {
            let findings = look(config, &opened).await;
            opened.custody.close().await;
            findings
        }
        Err(failure) => vec![DoctorFinding::of("database", Err(failure.to_string()))],
    };
    let wrong: Vec<&str> = findings.iter().filter(|finding| !finding.ok).map(|finding| finding.check).collect();
    print_json(&json!({ "ok": wrong.is_empty(), "checks": findings }))?;
    if wrong.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::Said(format!("not in order: {}", wrong.join(", "))))
}

async fn look(config: &Config, opened: &Opened) -> Vec<DoctorFinding> {
    vec![
        DoctorFinding::of("database", database(opened).await),
        DoctorFinding::of("commits", commits(opened).await),
        DoctorFinding::of("writes", opened.store.ping().await.map_err(|error| chain(&error))),
        DoctorFinding::of("audit", audit_log(opened).await),
        DoctorFinding::of("ledger", ledger(opened).await),
        DoctorFinding::of("key", opening::digester(config, opened).await.map(drop).map_err(|failure| failure.to_string())),
        DoctorFinding::of("embedder", embedder(config, opened).await),
    ]
}

async fn database(opened: &Opened) -> Result<(), String> {
    let wrong = opened.custody.check(true).await.map_err(|error| chain(&error))?;
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}. Restore a backup with `keepsake restore`", wrong.join("; "))) }
}

async fn commits(opened: &Opened) -> Result<(), String> {
    match opened.custody.missing_commits().await.map_err(|error| chain(&error))? {
        0 => Ok(()),
        missing => {
            Err(format!("changes that are missing: {missing}. Restore a newer copy with `keepsake restore`, if there is one"))
        }
    }
}

async fn audit_log(opened: &Opened) -> Result<(), String> {
    match audit::verify(opened.store.as_ref()).await.map_err(|error| chain(&error))? {
        Verification::Intact { .. } => Ok(()),
        Verification::Broken { seq } => Err(format!("row {seq} does not fit the chain")),
    }
}

async fn ledger(opened: &Opened) -> Result<(), String> {
    let lines = opened.custody.notes_beside().await.map_err(|error| chain(&error))?;
    check_ledger(lines.iter().map(String::as_str)).map_err(|damaged| damaged.to_string())
}

async fn embedder(config: &Config, opened: &Opened) -> Result<(), String> {
    let named = opened.custody.embedder().await.map_err(|error| chain(&error))?;
    let embedder = embed::open(config.choice(), &config.model_folder(named.as_ref()), named.as_ref());
    let embedder = embedder.map_err(|error| error.to_string())?;
    match named {
        Some(named) if named != *embedder.id() => {
            Err(format!("the database was made with {}, and {} is configured", named.model, embedder.id().model))
        }
        _ => Ok(()),
    }
}
