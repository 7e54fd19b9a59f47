//! `keepsake memory`

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{Exit, opening, print_json};
use crate::api::wire::{MemoryHistory, MemoryItem};
use crate::config::Config;
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::memory::tags::TagFilter;
use service::memories::BasedOn;

/// Longest page of a list.
const PAGE_MAX: u32 = 200;

#[derive(Subcommand)]
pub enum Memory {
    /// Lists a user's memories, newest first, one JSON object per line.
    List(List),
    /// Shows one memory.
    Get { user: String, id: String },
    /// Shows what a memory says and said before, newest first.
    History { user: String, id: String },
    /// Takes the last change of a memory back: an edit, a merge, or a correction.
    Undo {
        user: String,
        id: String,
        /// Only if the memory still has this version.
        #[arg(long)]
        version: Option<i64>,
    },
}

#[derive(Args)]
pub struct List {
    user: String,
    /// Only memories with this tag; may be repeated.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[arg(long, default_value_t = PAGE_MAX, value_parser = clap::value_parser!(u32).range(1..=i64::from(PAGE_MAX)))]
    limit: u32,
    /// Only what follows the memory with this id in the list.
    #[arg(long, value_name = "ID")]
    after: Option<String>,
}

pub async fn run(config: &Config, command: Memory) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let caller = Caller::command_line();
    match command {
        Memory::List(List { user, tags, limit, after }) => {
            let (user, tags) = (UserId::new(user)?, TagFilter::new(&tags, &[], &[])?);
            for memory in keepsake.memories.look_at_memories(&caller, &user, tags, after.as_deref(), limit).await? {
                print_json(&MemoryItem::from(memory))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Memory::Get { user, id } => {
            print_json(&MemoryItem::from(keepsake.memories.look_at_memory(&caller, &UserId::new(user)?, &id).await?.memory))
        }
        Memory::History { user, id } => {
            let past = keepsake.memories.look_at_memory(&caller, &UserId::new(user)?, &id).await?;
            print_json(&MemoryHistory { items: past.versions.into_iter().map(Into::into).collect() })
        }
        Memory::Undo { user, id, version } => {
            let base = version.map_or(BasedOn::Any, |version| BasedOn::Versions(vec![version]));
            print_json(&MemoryItem::from(
                keepsake.memories.undo_memory_by_command(&caller, &UserId::new(user)?, &id, &base).await?,
            ))
        }
    }
}
