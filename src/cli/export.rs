//! `keepsake export`

use clap::Args;

use super::{Exit, print, print_json, wiring};
use crate::access::callers::Caller;
use crate::config::Config;
use crate::domain::people::UserId;
use crate::service::export;

#[derive(Args)]
pub struct Export {
    user: String,
    /// A page for people instead of JSON.
    #[arg(long)]
    html: bool,
}

pub async fn run(config: &Config, command: Export) -> Exit {
    let (keepsake, _) = wiring::open(config, None).await?;
    let held = keepsake.export_user(&Caller::command_line(), &UserId::new(command.user)?).await?;
    if command.html { print(export::page(&held).trim_end()) } else { print_json(&held) }
}
