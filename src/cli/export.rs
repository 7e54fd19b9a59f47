//! `keepsake export`

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;

use super::{Exit, opening};
use crate::config::Config;
use access::callers::Caller;
use domain::erasure::people::UserId;
use service::erasure::export::ExportForm;

#[derive(Args)]
pub struct Export {
    user: String,
    /// A document for the person instead of JSON.
    #[arg(long)]
    html: bool,
}

pub async fn run(config: &Config, command: Export) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let form = if command.html { ExportForm::Document } else { ExportForm::Json };
    let mut export = keepsake.exports.export_user(&Caller::command_line(), &UserId::new(command.user)?, form).await?;
    let mut out = io::stdout();
    while let Some(piece) = export.next().await? {
        out.write_all(piece.as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
