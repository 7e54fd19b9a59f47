//! A webhook to which Telegram sends updates, instead of polling.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::routing::post;
use serde_json::Value;
use tokio::sync::Mutex;

use super::{Bot, TRIES};
use access::digest::sha256_hex;
use service::error::chain;

/// Path to which updates are sent.
pub const PATH: &str = "/telegram";
/// The header with the secret that only Telegram and this bot know.
const SECRET: &str = "x-telegram-bot-api-secret-token";
/// Largest update in bytes.
const UPDATE_MAX_BYTES: usize = 1 << 20;
/// Number of failed updates to remember; Telegram may have given up on the older ones.
const FAILED_MAX: usize = 1_000;

struct TelegramHook {
    bot: Arc<Bot>,
    /// Hashes are compared, so that the time taken reveals nothing about the secret.
    secret_hash: String,
    /// Failures of each update. Locked while an update is handled, so that they are handled one after another.
    failed: Mutex<HashMap<i64, u32>>,
}

/// The route that takes updates.
pub fn router(bot: Arc<Bot>, secret: &str) -> Router {
    let hook = Arc::new(TelegramHook { bot, secret_hash: sha256_hex(secret.as_bytes()), failed: Mutex::default() });
    Router::new().route(PATH, post(take)).with_state(hook)
}

/// Handles an update. 200: it was handled, now or before, or has failed too often. 503: Telegram sends it again. Without the
/// secret, no byte of the body is read.
async fn take(State(hook): State<Arc<TelegramHook>>, request: Request) -> StatusCode {
    let told = request.headers().get(SECRET).map(|value| sha256_hex(value.as_bytes()));
    if told.as_deref() != Some(&hook.secret_hash) {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(body) = to_bytes(request.into_body(), UPDATE_MAX_BYTES).await else { return StatusCode::PAYLOAD_TOO_LARGE };
    let Ok(update) = serde_json::from_slice::<Value>(&body) else { return StatusCode::BAD_REQUEST };
    let Some(id) = update["update_id"].as_i64() else { return StatusCode::BAD_REQUEST };
    let mut failed = hook.failed.lock().await;
    let Err(error) = hook.bot.take_once(id, update).await else {
        failed.remove(&id);
        return StatusCode::OK;
    };
    let tries = failed.remove(&id).unwrap_or(0) + 1;
    if tries >= TRIES {
        hook.bot.leave_out(id, &error).await;
        return StatusCode::OK;
    }
    tracing::warn!(update = id, cause = chain(&error), "an update could not be handled this time");
    if failed.len() >= FAILED_MAX {
        failed.clear();
    }
    failed.insert(id, tries);
    StatusCode::SERVICE_UNAVAILABLE
}
