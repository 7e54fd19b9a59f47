//! `keepsake telegram`

use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::serve::stop_on_signal;
use super::{Exit, Failure, opening, print_json};
use crate::config::Config;
use crate::telegram::{Bot, Client, DRAIN, Failed, SURFACE, webhook};
use crate::web;
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Telegram {
    #[command(subcommand)]
    command: Option<Links>,
    /// The bot's token, from BotFather.
    #[arg(long, env = "KEEPSAKE_TELEGRAM_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Address of Telegram's Bot API.
    #[arg(long, env = "KEEPSAKE_TELEGRAM_API", default_value = "https://api.telegram.org")]
    api: String,
    /// Public URL to which Telegram sends updates, ending in `/telegram`; without it the bot asks for them.
    #[arg(long, env = "KEEPSAKE_TELEGRAM_WEBHOOK", requires = "secret")]
    webhook: Option<String>,
    /// What Telegram sends with each update to the webhook: 1 to 256 letters, digits, `_` and `-`.
    #[arg(long, env = "KEEPSAKE_TELEGRAM_SECRET", hide_env_values = true)]
    secret: Option<String>,
    /// Address and port on which updates to the webhook arrive.
    #[arg(long, env = "KEEPSAKE_TELEGRAM_LISTEN", default_value = "127.0.0.1:3001")]
    listen: SocketAddr,
}

#[derive(Subcommand)]
enum Links {
    /// Prints a code that links a chat to a user.
    Link { user: String },
    /// Unlinks every chat of a user.
    Unlink { user: String },
}

/// What a code looks like to a program.
#[derive(serde::Serialize)]
struct Printed {
    code: String,
    send: String,
    expires_at: String,
}

pub async fn run(config: &Config, command: Telegram) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    let caller = Caller::command_line();
    match command.command {
        Some(Links::Link { user }) => {
            let made = keepsake.links.make_link_code(&caller, &UserId::new(user)?).await?;
            let send = format!("/link {}", made.code);
            return print_json(&Printed { send, code: made.code, expires_at: made.expires_at.rfc3339() });
        }
        Some(Links::Unlink { user }) => {
            let unlinked = keepsake.links.unlink_chats(&caller, &UserId::new(user)?).await?;
            return print_json(&serde_json::json!({ "unlinked": unlinked }));
        }
        None => {}
    }
    let token = command.token.ok_or_else(|| Failure::Said("a bot needs KEEPSAKE_TELEGRAM_TOKEN".to_owned()))?;
    let client = Client::new(&command.api, &token)?;
    let surface = Surface::new(SURFACE.to_owned())?;
    let bot = Bot::new(keepsake.clone(), client, Caller::bot(surface.clone()), surface);
    let stop = CancellationToken::new();
    stop_on_signal(stop.clone())?;
    let following = tokio::spawn(web::follow(keepsake.clone(), stop.clone()));
    let ran = talk(bot, command.webhook.zip(command.secret), command.listen, stop.clone()).await;
    stop.cancel();
    let ending = async {
        let _ = following.await;
        keepsake.counts.flush_counts().await
    };
    if !matches!(timeout(DRAIN, ending).await, Ok(Ok(()))) {
        tracing::error!("the last recalls were not counted");
    }
    ran.map(|()| ExitCode::SUCCESS)
}

/// Handles messages until it is stopped: those that Telegram sends to a webhook, or those that it is asked for.
async fn talk(bot: Bot, webhook: Option<(String, String)>, listen: SocketAddr, stop: CancellationToken) -> Result<(), Failure> {
    if let Some((url, secret)) = webhook {
        return serve(bot, &url, &secret, listen, stop).await;
    }
    writeln!(std::io::stderr(), "The bot asks Telegram for messages")?;
    Ok(bot.poll(&stop).await?)
}

async fn serve(bot: Bot, url: &str, secret: &str, listen: SocketAddr, stop: CancellationToken) -> Result<(), Failure> {
    let sayable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if secret.is_empty() || secret.len() > 256 || !secret.chars().all(sayable) {
        return Err(Failure::Said("KEEPSAKE_TELEGRAM_SECRET must be 1 to 256 letters, digits, _ and -".to_owned()));
    }
    let listener =
        TcpListener::bind(listen).await.map_err(|error| Failure::Said(format!("{listen} cannot be listened on: {error}")))?;
    tokio::select! {
        () = stop.cancelled() => return Ok(()),
        set = bot.have_sent(url, secret) => set?,
    }
    writeln!(std::io::stderr(), "The bot takes messages at {listen}{}", webhook::PATH)?;
    let router = webhook::router(Arc::new(bot), secret);
    web::listen(listener, router, &stop, DRAIN).await;
    Ok(())
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Self {
        Self::Said(failed.to_string())
    }
}
