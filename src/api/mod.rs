//! The JSON API for assistants. Handlers parse the request, call one service and answer. Contract: `GET /openapi.json`.

mod answers;
mod asking;
mod auth;
mod block_stores;
mod block_wire;
mod blocks;
mod chat_wire;
mod commands;
mod dialect;
mod erasures;
mod exchanges;
mod facts;
pub mod forget_wire;
mod history;
mod limits;
mod links;
mod memories;
mod memory_tool;
pub mod memory_tool_wire;
pub mod named_user;
mod notes;
pub mod openapi;
mod pipelines;
pub mod pipelines_wire;
mod preferences;
mod profile;
mod recall;
pub mod recall_wire;
mod reply;
mod tools;
mod values;
pub mod wire;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, delete, get, post};

pub use auth::{Limits, caller_of};
pub use reply::Refusal;

use service::Keepsake;

/// Largest body in bytes.
pub const BODY_MAX_BYTES: usize = 1 << 20;

/// What handlers share.
#[derive(Clone)]
pub struct Api {
    pub keepsake: Keepsake,
    pub limits: Limits,
}

/// Every route of the API.
pub fn router(api: Api) -> Router {
    Router::new()
        .route("/v1/exchanges", post(exchanges::accept))
        .route("/v1/exchanges/{id}", get(exchanges::state))
        .route("/v1/recall", post(recall::recall))
        .route("/v1/memories", post(memories::remember).get(memories::list))
        .route("/v1/memories/{id}", get(memories::show).patch(memories::edit).delete(memories::delete))
        .route("/v1/memories/{id}/history", get(memories::history))
        .route("/v1/memories/{id}/undo", post(memories::undo))
        .route("/v1/forget", post(memories::forget))
        .route("/v1/commands", post(commands::command))
        .route("/v1/notes", post(notes::add).get(notes::list))
        .route("/v1/notes/report", get(notes::report))
        .route("/v1/notes/{id}", delete(notes::delete))
        .route("/v1/prompt/notes", get(notes::prompt))
        .route("/v1/preferences", post(preferences::add).get(preferences::list))
        .route("/v1/preferences/{id}", delete(preferences::delete))
        .route("/v1/tools", get(tools::list))
        .route("/v1/tools/{name}", post(tools::call))
        .route("/v1/profile", get(profile::list))
        .route("/v1/profile/{key}", get(profile::one).put(profile::set).delete(profile::delete))
        .route("/v1/history", post(history::append).get(history::list))
        .route("/v1/history/reset", post(history::reset))
        .route("/v1/history/archive", get(history::archive))
        .route("/v1/links", post(links::link).delete(links::unlink))
        .route("/v1/memory-tool", post(memory_tool::call))
        .route("/v1/webhooks/memory_write", post(pipelines::write))
        .route("/v1/webhooks/memory_read", post(pipelines::read))
        .route("/v1/webhooks/memory_search", post(pipelines::search))
        .route("/v1/webhooks/memory_delete", post(pipelines::delete))
        .route("/v1/webhooks/memory_append", post(pipelines::append))
        .route("/v1/webhooks/memory_dispatch", post(pipelines::dispatch))
        .route("/v1/facts", post(facts::propose).get(facts::list))
        .route("/v1/users/{id}/erasures/preview", get(erasures::preview))
        .route("/v1/users/{id}/erasures", post(erasures::erase))
        .route("/v1/erasures/{id}", get(erasures::receipt))
        .route("/v1/users/{id}/export", get(erasures::export))
        .merge(stores_of_blocks(&api))
        .route("/v1/{*rest}", any(reply::no_such_route))
        .method_not_allowed_fallback(reply::wrong_method)
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
        .with_state(api)
}

/// Memory blocks: also for clients of Anthropic's Memory Stores API.
fn stores_of_blocks(api: &Api) -> Router<Api> {
    Router::new()
        .route("/v1/memory_stores", post(block_stores::add).get(block_stores::list))
        .route("/v1/memory_stores/{id}", get(block_stores::show).post(block_stores::change).delete(block_stores::delete))
        .route("/v1/memory_stores/{id}/archive", post(block_stores::archive))
        .route("/v1/memory_stores/{id}/bin", get(blocks::bin))
        .route("/v1/memory_stores/{id}/search", post(blocks::search))
        .route("/v1/memory_stores/{id}/memories", post(blocks::add).get(blocks::list))
        .route("/v1/memory_stores/{id}/memories/{memory_id}", get(blocks::show).post(blocks::change).delete(blocks::delete))
        .route("/v1/memory_stores/{id}/memories/{memory_id}/edit", post(blocks::edit))
        .route("/v1/memory_stores/{id}/memories/{memory_id}/diff", get(blocks::diff))
        .route("/v1/memory_stores/{id}/memories/{memory_id}/restore", post(blocks::restore))
        .route("/v1/memory_stores/{id}/memory_versions", get(block_stores::versions))
        .route("/v1/memory_stores/{id}/memory_versions/{version_id}", get(block_stores::version))
        .route("/v1/memory_stores/{id}/memory_versions/{version_id}/redact", post(block_stores::redact))
        .route_layer(from_fn_with_state(api.clone(), dialect::translate))
}
