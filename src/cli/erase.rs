//! `keepsake erase` and `keepsake rehearse`

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;

use super::{Exit, Failure, opening, print_json};
use crate::config::Config;
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::erasure::{ErasureScope, Status};
use service::Keepsake;
use service::erasure::erase::ErasureOrder;

/// Exit code for wrong usage.
const WRONG_USAGE: u8 = 2;

#[derive(Args)]
pub struct Erase {
    user: String,
    /// `everything`, or `contributions` for only the part in team facts.
    #[arg(long, value_parser = ["everything", "contributions"])]
    scope: String,
    /// The request or ticket, for the receipt.
    #[arg(long, required_unless_present = "dry_run")]
    reason: Option<String>,
    /// Prints the preview and changes nothing.
    #[arg(long)]
    dry_run: bool,
    /// Does not ask for confirmation.
    #[arg(long)]
    yes: bool,
}

pub async fn run(config: &Config, command: &Erase) -> Exit {
    let asks = !command.dry_run && !command.yes;
    if asks && !io::stdin().is_terminal() {
        writeln!(io::stderr(), "keepsake: nobody can be asked here: pass --yes to erase, or --dry-run to look")?;
        return Ok(ExitCode::from(WRONG_USAGE));
    }
    let (user, scope) = (UserId::new(command.user.as_str())?, ErasureScope::parse(&command.scope)?);
    let (keepsake, _) = opening::open(config, None).await?;
    let caller = Caller::command_line();
    let preview = keepsake.erasure.preview_erasure(&caller, &user, scope).await?;
    if command.dry_run {
        return print_json(&preview);
    }
    if asks {
        for table in &preview.tables {
            writeln!(io::stderr(), "{:>8}  {} ({})", table.rows, table.name, table.result.label().to_lowercase())?;
        }
        writeln!(io::stderr(), "{} team facts go, {} stay.", preview.facts.deleted, preview.facts.kept)?;
        let what = match scope {
            ErasureScope::Everything => "all of it",
            ErasureScope::Contributions => "the contributions alone; the rows that stay are counted above",
        };
        write!(io::stderr(), "This cannot be undone. Type the user id to erase {what}: ")?;
        let mut typed = String::new();
        io::stdin().lock().read_line(&mut typed)?;
        if typed.trim() != user.as_str() {
            return Err(Failure::Said("the user id does not match; nothing was erased".to_owned()));
        }
    }
    let reason = command.reason.as_deref().unwrap_or_default();
    let order = ErasureOrder { user: &user, scope, reason, preview: Some(&preview.preview) };
    let id = keepsake.erasure.erase(&caller, &order).await?;
    let status = proved(&keepsake, &id, &user).await?;
    print_json(&keepsake.erasure.receipt(&caller, &id).await?)?;
    if status == Status::Verified {
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::Said(format!("the erasure {id} is {}: see `verification` in the receipt", status.as_str())))
}

/// Proves it; a proof that cannot be finished is tried again until the receipt is final.
async fn proved(keepsake: &Keepsake, id: &str, user: &UserId) -> Result<Status, Failure> {
    loop {
        let status = keepsake.erasure.finish_erasure(id, Some(user)).await?;
        if !status.is_open() {
            return Ok(status);
        }
    }
}

pub async fn rehearse(config: &Config) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let rehearsal = keepsake.erasure.rehearse().await?;
    print_json(&rehearsal)?;
    if rehearsal.clean {
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::Said(format!("the rehearsal left something behind: {}", rehearsal.residue.join("; "))))
}
