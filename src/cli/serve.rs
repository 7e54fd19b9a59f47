//! `keepsake serve`

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use leptos::config::LeptosOptions;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{Exit, Failure, opening};
use crate::api::{Api, Limits};
use crate::config::{Config, ExtractorName, ServeConfig};
use crate::courier::Post;
use crate::extract::rules;
use crate::web::{self, Site};
use access::sessions::SessionAdapter;
use console::server::Console;
use domain::gate;
use service::error::chain;
use service::{Error, Keepsake};

/// How long the database may take to close.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);
/// How long a start waits for the check of the database.
const CHECK_WITHIN: Duration = Duration::from_millis(500);
/// Name of the browser bundle, as in `Cargo.toml`.
const BUNDLE: &str = "keepsake";

pub async fn run(config: &Config, serve: &ServeConfig) -> Exit {
    let Some(lock) = opening::lock_soon(config).await? else {
        return Err(Failure::Said(format!(
            "another keepsake command is working in {} or on its database; wait for it or stop it",
            config.data_dir.display()
        )));
    };
    web::metrics::install();
    let (keepsake, opened) = opening::open(config, Some(&lock)).await?;
    check(&keepsake).await?;
    let warnings: Vec<String> =
        keepsake.database.notice_missing_commits().await?.into_iter().chain(opening::warning(&keepsake)).collect();
    let warning = (!warnings.is_empty()).then(|| warnings.join(" "));
    if let Some(warning) = &warning {
        tracing::warn!("{warning}");
    }
    if opened.store.operators().await?.is_empty() {
        tracing::warn!("nobody can sign in yet: add an operator with `keepsake operator add EMAIL --name NAME --rights edit`");
    }
    let site = Site { public_url: serve.public_url.clone(), session_hours: serve.session_hours.into(), root: serve.site() };
    if !site.root.join("pkg").is_dir() {
        return Err(Failure::Said(format!(
            "the browser's files are not in {}; build them with `make build` or set LEPTOS_SITE_ROOT",
            site.root.display()
        )));
    }
    let leptos = LeptosOptions::builder()
        .output_name(BUNDLE)
        .site_root(site.root.display().to_string())
        .env(leptos::config::Env::PROD)
        .build();
    let console = Console {
        keepsake: keepsake.clone(),
        environment: serve.environment(),
        warning,
        https: site.https(),
        public_url: site.public_url.clone(),
        tries: Arc::default(),
        flashes: Arc::default(),
    };
    let limits = Limits::per_second(serve.rate_limit);
    let api = Api { keepsake: keepsake.clone(), limits: limits.clone() };
    let sessions = SessionAdapter::new(opened.sessions.clone(), keepsake.clock.clone());
    let router = web::router(api, &console, sessions, &site, leptos);
    let listener = TcpListener::bind(serve.listen)
        .await
        .map_err(|error| Failure::Said(format!("{} cannot be listened on: {error}", serve.listen)))?;
    let address = listener.local_addr()?;
    let stop = CancellationToken::new();
    stop_on_signal(stop.clone())?;
    writeln!(std::io::stderr(), "Keepsake is at {}", serve.public_url.clone().unwrap_or_else(|| format!("http://{address}")))?;
    let extractor = config.extractor;
    let warmed = tokio::task::spawn_blocking(move || warm(extractor)).map(|warmed| {
        if let Err(error) = warmed {
            tracing::error!(cause = %error, "the lists could not be read in advance");
        }
    });
    let started_at = keepsake.clock.now();
    let sessions = opened.sessions.clone();
    let courier = Arc::new(Post::new(serve.webhook_reach()).map_err(Error::failed)?);
    let server = web::Background {
        keepsake,
        sessions,
        limits,
        courier,
        rehearse_at: serve.rehearse_hour.0,
        started_at,
        warmed: warmed.boxed().shared(),
        stop,
    };
    web::serve(listener, router, server).await;
    if tokio::time::timeout(CLOSE_WITHIN, opened.custody.close()).await.is_err() {
        tracing::warn!("a connection to the database is still in use; part of the data is in its log until the next start");
    }
    drop(lock);
    Ok(ExitCode::SUCCESS)
}

/// Reads every page of the database. A large one is served meanwhile, and `/readyz` tells what was found.
async fn check(keepsake: &Keepsake) -> Result<(), Failure> {
    let mut checking = tokio::spawn({
        let keepsake = keepsake.clone();
        async move {
            match keepsake.database.check_database().await {
                Ok(None) => {}
                Ok(Some(damage)) => tracing::error!(damage, "the database is damaged; restore a backup with `keepsake restore`"),
                Err(error) => tracing::error!(cause = chain(&error), "the database could not be checked"),
            }
        }
    });
    let _ = tokio::time::timeout(CHECK_WITHIN, &mut checking).await;
    match keepsake.database.damage() {
        None => Ok(()),
        Some(damage) => {
            Err(Failure::Said(format!("the database is damaged: {damage}. Restore a backup with `keepsake restore`")))
        }
    }
}

/// Compiles the patterns of the gate and the extractor in the background, so that neither the first exchange nor the start has to
/// wait for it.
fn warm(extractor: ExtractorName) {
    gate::warm();
    if extractor == ExtractorName::Rules {
        rules::warm();
    }
}

/// Handles signals from now on, because the server may be stopped as soon as it reports that it is up.
pub(super) fn stop_on_signal(stop: CancellationToken) -> std::io::Result<()> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping: open requests end first");
        stop.cancel();
    });
    Ok(())
}
