//! `keepsake webhook`

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use super::{Exit, opening, print_json};
use crate::config::Config;
use domain::moment::Moment;
use service::audit::Actor;

#[derive(Subcommand)]
pub enum Webhook {
    /// Adds an address and prints its secret once.
    Add {
        url: String,
        /// `pending.created`, `fact.approved`, `fact.rejected` or `erasure.finished`; repeatable.
        #[arg(long = "event", required = true)]
        events: Vec<String>,
    },
    /// Lists every address, one JSON object per line.
    List,
    /// Removes an address, with what was still to be delivered to it.
    Remove { id: String },
    /// Tries an address again that was disabled.
    Enable { id: String },
    /// Leaves a test message for an address; the server delivers it.
    Test { id: String },
}

pub async fn run(config: &Config, command: Webhook) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let by = &Actor::CommandLine;
    match command {
        Webhook::Add { url, events } => {
            let new = keepsake.notify.add_webhook(by, &url, &events).await?;
            print_json(&json!({ "id": new.id, "secret": new.secret }))
        }
        Webhook::List => {
            for webhook in keepsake.notify.all_webhooks().await? {
                print_json(&json!({
                    "id": webhook.id,
                    "url": webhook.url,
                    "events": webhook.events.split(' ').collect::<Vec<_>>(),
                    "failing_since": webhook.failing_since.map(Moment::rfc3339),
                    "disabled_at": webhook.disabled_at.map(Moment::rfc3339),
                    "disabled_why": webhook.disabled_why,
                }))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Webhook::Remove { id } => {
            keepsake.notify.remove_webhook(by, &id).await?;
            Ok(ExitCode::SUCCESS)
        }
        Webhook::Enable { id } => {
            keepsake.notify.enable_webhook(by, &id).await?;
            Ok(ExitCode::SUCCESS)
        }
        Webhook::Test { id } => print_json(&json!({ "message": keepsake.notify.test_webhook(by, &id).await? })),
    }
}
