//! `keepsake usage`

use clap::Args;
use serde_json::{Value, json};

use super::{Exit, opening, print_json};
use crate::config::Config;
use domain::insight::usage::DayOfUse;
use domain::moment::{DAY_MS, Moment};

#[derive(Args)]
pub struct Usage {
    /// How many days, today included.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3660))]
    days: u32,
}

pub async fn run(config: &Config, command: &Usage) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let days = keepsake.model_budget.model_use(command.days).await?;
    let tokens = keepsake.model_budget.tokens_today().await?;
    let settings = keepsake.settings.current();
    print_json(&json!({
        "today": {
            "used": tokens.used,
            "reserved": tokens.reserved,
            "limit": Some(settings.learn_daily_tokens).filter(|limit| *limit > 0),
            "over_budget": settings.learn_over_budget,
            "waits_until": keepsake.model_budget.waits_for_budget().await?.map(Moment::rfc3339),
        },
        "days": days.iter().map(line).collect::<Vec<_>>(),
    }))
}

fn line(of: &DayOfUse) -> Value {
    json!({
        "day": &Moment(of.day * DAY_MS).rfc3339()[..10],
        "purpose": of.purpose.as_str(),
        "provider": of.model.provider,
        "model": of.model.name,
        "calls": of.calls,
        "failures": of.failures,
        "input_tokens": of.input_tokens,
        "output_tokens": of.output_tokens,
    })
}
