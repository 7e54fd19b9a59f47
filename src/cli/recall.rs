//! `keepsake recall`

use clap::Args;

use super::{Exit, opening, print_json};
use crate::api::recall_wire::{Origins, RecallAnswer, RecallRequest};
use crate::config::Config;
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;

#[derive(Args)]
pub struct Recall {
    user: String,
    query: String,
    #[arg(long, default_value = "cli")]
    surface: String,
    #[arg(short)]
    k: Option<u32>,
    /// Only personal memories of this kind; may be repeated.
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<String>,
    /// Only team facts of this origin; may be repeated.
    #[arg(long, value_name = "ORIGIN", conflicts_with = "exclude")]
    only: Option<Vec<String>>,
    /// No team facts of this origin; may be repeated.
    #[arg(long, value_name = "ORIGIN")]
    exclude: Option<Vec<String>>,
    /// Maximum size of the prompt block in tokens.
    #[arg(long, value_name = "TOKENS")]
    budget: Option<u32>,
    /// What was known at this time, such as 2026-11-01T10:00:00Z.
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
    /// Also shows how each item was scored, and what was left out.
    #[arg(long)]
    explain: bool,
}

pub async fn run(config: &Config, command: Recall) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let user = UserId::new(command.user)?;
    let surface = Surface::new(command.surface)?;
    let (only, exclude) = (command.only, command.exclude);
    let request = RecallRequest {
        include: Vec::new(),
        user_id: None,
        surface: None,
        query: command.query,
        k: command.k,
        origins: (only.is_some() || exclude.is_some()).then_some(Origins { only, exclude }),
        kinds: command.kinds,
        tags: None,
        budget: command.budget,
        as_of: command.as_of,
        explain: command.explain,
    };
    // Pending counts are not flushed here, so this recall is not counted.
    print_json(&RecallAnswer::from(keepsake.recall.recall(&Caller::command_line(), request.query(Some(user), surface)?).await?))
}
