//! `keepsake recall`

use clap::Args;

use super::{Exit, print_json, wiring};
use crate::access::callers::Caller;
use crate::api::wire::RecallAnswer;
use crate::config::Config;
use crate::domain::people::UserId;
use crate::domain::provenance::{OriginFilter, Surface};
use crate::domain::tags::TagFilter;
use crate::service::recall::Query;

#[derive(Args)]
pub struct Recall {
    user: String,
    query: String,
    #[arg(long, default_value = "cli")]
    surface: String,
    #[arg(short)]
    k: Option<u32>,
}

pub async fn run(config: &Config, command: Recall) -> Exit {
    let (keepsake, _) = wiring::open(config, None).await?;
    let query = Query {
        user: Some(UserId::new(command.user)?),
        surface: Surface::new(command.surface)?,
        text: command.query,
        k: command.k,
        origins: OriginFilter::Any,
        tags: TagFilter::default(),
    };
    // Pending counts are not flushed here, so this recall is not counted.
    print_json(&RecallAnswer::from(keepsake.recall(&Caller::command_line(), query).await?))
}
