//! `keepsake reembed`

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::{Exit, opening, print_json};
use crate::config::Config;
use crate::embed;
use service::database::reembed;

pub async fn run(config: &Config) -> Exit {
    let _alone = opening::alone(config)?;
    let custody = opening::open_store(config).await?.custody;
    // The database's current embedder is being replaced, so it must not influence the choice.
    let embedder = embed::open(config.choice(), &config.model_folder(None), None)?;
    let bar = ProgressBar::new(custody.count_vectors().await?).with_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} vectors").unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let made = reembed::run(custody.as_ref(), embedder.as_ref(), &mut |done| bar.inc(done)).await?;
    bar.finish_and_clear();
    print_json(&json!({ "vectors": made, "embedder": embedder.id().model }))
}
