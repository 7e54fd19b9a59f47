//! `keepsake backup` and `keepsake restore`

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::{Exit, Failure, opening, print_json};
use crate::config::Config;
use access::callers::Caller;
use domain::erasure::Status;
use ports::clock::SystemClock;
use ports::store::StoreError;
use ports::store::copies::Copy;
use ports::store::location::DatabaseLocation;
use service::Keepsake;
use service::database::restore::{Admitted, Unknown, carry_over};
use service::database::start::name_key;
use service::erasure::ledger::{check_ledger, ledger_lines, missing_lines};
use service::erasure::replay::Replayed;
use service::error::chain;

#[derive(Args)]
pub struct Backup {
    /// A new file outside the data folder.
    file: PathBuf,
}

#[derive(Args)]
pub struct Restore {
    file: PathBuf,
    /// A copy of `erasures.jsonl` that is newer than the one in the data folder.
    #[arg(long)]
    ledger: Option<PathBuf>,
}

pub async fn make(config: &Config, command: &Backup) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let folder = command.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().map_err(|error| said(folder, &error))?;
    if folder.starts_with(config.data_dir.canonicalize()?) {
        return Err(Failure::Said("a backup does not go into the data folder: no erasure could be proved beside it".to_owned()));
    }
    if command.file.exists() {
        return Err(Failure::Said(format!("{} is there already", command.file.display())));
    }
    let made = keepsake.database.back_up(&Caller::command_line(), &command.file).await?;
    let bytes = fs::metadata(&command.file)?.len();
    print_json(&json!({ "file": command.file, "bytes": bytes, "at": made.at, "key_id": made.key_id, "erasures": made.erasures }))
}

pub async fn restore(config: &Config, command: &Restore) -> Exit {
    let _alone = opening::alone(config)?;
    let place = opening::place(config)?;
    let copy = place.inspect(&command.file).await;
    if let Some(problem) = &copy.problem {
        return Err(Failure::Said(format!("{} cannot be restored: {problem}", command.file.display())));
    }
    let (entries, before) = gather(place.as_ref(), command.ledger.as_deref()).await?;
    let key_id = opening::key_or_new(config)?.key_id();
    let failed = |error: StoreError| Failure::Said(format!("{}: {}", command.file.display(), chain(&error)));
    // Whoever was shut out since the backup never gets into it, wherever this command is stopped.
    let brought = place.bring(&command.file).await.map_err(failed)?;
    // The key that is here is the database's key from now on; what that means is told.
    name_key(brought.custody.as_ref(), &key_id).await?;
    let as_in_backup = carry_over(brought.store.as_ref(), &SystemClock, before.as_ref()).await?;
    brought.custody.close().await;
    let kept = place.put_in_place().await.map_err(failed)?;
    let (keepsake, _) = opening::assemble(config).await?;
    let replayed = opening::replay(&keepsake).await?;
    let unproved = prove(&keepsake, &replayed).await?;
    print_json(&json!({
        "restored": command.file,
        "replaced": kept,
        "backup": { "at": copy.at, "key_id": copy.key_id },
        "ledger": {
            "entries": entries,
            "replayed": replayed.again,
            "erased_again": replayed.found,
            "unknown": replayed.unknown,
            "unproved": unproved,
        },
        "could_not_know": unknown(entries, &replayed, &copy, &key_id, &as_in_backup),
    }))?;
    if unproved.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::Said(format!("{} erasures were carried out again and are not proved", unproved.len())))
}

/// What cannot be determined from the ledger files that were available.
fn unknown(entries: usize, replayed: &Replayed, copy: &Copy, key_id: &str, as_in_backup: &Unknown) -> Vec<String> {
    let mut said = Vec::new();
    if entries == 0 {
        said.push(
            "No ledger was there: erasures made after this backup are not known. Restore again with --ledger if there is a copy."
                .to_owned(),
        );
    }
    if !replayed.unknown.is_empty() {
        said.push(format!(
            "{} erasures were made with another ledger.key: whom they mean cannot be told. Put that key back and restore again.",
            replayed.unknown.len()
        ));
    }
    if copy.key_id.as_deref().is_some_and(|key| key != key_id) {
        said.push("The backup was made with another ledger.key: its own receipts and fences fit nobody here.".to_owned());
    }
    if !as_in_backup.operators.is_empty() {
        said.push(format!(
            "The database that was replaced could not be read: passwords and rights are those of the backup for {}. Check them with \
             `keepsake operator list`.",
            as_in_backup.operators.join(", ")
        ));
    }
    let count = |n: usize, one: &str, many: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {many}") };
    if as_in_backup.keys > 0 {
        let keys = count(as_in_backup.keys, "key works", "keys work");
        said.push(format!(
            "The database that was replaced could not be read: {keys} as in the backup, even if revoked since. Check with `keepsake \
             key list`."
        ));
    }
    if as_in_backup.chats > 0 {
        said.push(format!(
            "The database that was replaced could not be read: {} unlinked, because somebody may have unlinked a chat since. Link \
             those again that are still wanted.",
            count(as_in_backup.chats, "chat was", "chats were")
        ));
    }
    if as_in_backup.webhooks > 0 {
        said.push(format!(
            "The database that was replaced could not be read: {} told what happens as in the backup, even if removed since. Check \
             with `keepsake webhook list`.",
            count(as_in_backup.webhooks, "webhook is", "webhooks are")
        ));
    }
    said
}

/// Writes every known line of the ledger to the file beside the database: those of the old database, and those of the given copy.
/// Returns how many lines there are, and who could come into the old database, if it could be read.
async fn gather(place: &dyn DatabaseLocation, named: Option<&Path>) -> Result<(usize, Option<Admitted>), Failure> {
    let mut more = String::new();
    if let Some(file) = named {
        more = fs::read_to_string(file).map_err(|error| said(file, &error))?;
        check_ledger(more.lines()).map_err(|damaged| Failure::Said(format!("{}: {damaged}", file.display())))?;
    }
    let mut lines = place.ledger_beside().await?;
    check_ledger(lines.iter().map(String::as_str)).map_err(|damaged| Failure::Said(damaged.to_string()))?;
    lines.extend(missing_lines(&lines, &more));
    let mut admitted = None;
    // A database that no longer opens is a common reason to restore; its ledger is then known only from the file beside it.
    if place.is_taken()
        && let Ok(opened) = place.open().await
    {
        let known = ledger_lines(opened.store.as_ref()).await?;
        lines.extend(missing_lines(&lines, &known.join("\n")));
        admitted = Some(Admitted::of(opened.store.as_ref(), &SystemClock).await?);
        opened.custody.close().await;
    }
    place.replace_ledger_beside(&lines).await?;
    Ok((lines.len(), admitted))
}

/// Proves the erasures that were repeated. Returns the entries that could not be proved.
async fn prove(keepsake: &Keepsake, replayed: &Replayed) -> Result<Vec<String>, Failure> {
    let mut unproved = Vec::new();
    for id in &replayed.again {
        if keepsake.erasure.finish_erasure(id, None).await? != Status::Verified {
            unproved.push(id.clone());
        }
    }
    Ok(unproved)
}

fn said(file: &Path, error: &io::Error) -> Failure {
    Failure::Said(format!("{}: {error}", file.display()))
}
