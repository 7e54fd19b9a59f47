//! The JSON API for assistants. Handlers parse the request, call one service and answer. Contract: `GET /openapi.json`.

mod auth;
mod erasures;
mod exchanges;
mod facts;
mod memories;
pub mod openapi;
mod recall;
pub mod recall_wire;
mod reply;
pub mod wire;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, delete, get, post};

pub use auth::{Limits, caller_of};
pub use reply::Refusal;

use crate::service::Keepsake;

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
        .route("/v1/memories/{id}", delete(memories::delete))
        .route("/v1/forget", post(memories::forget))
        .route("/v1/facts", post(facts::propose).get(facts::list))
        .route("/v1/users/{id}/erasures/preview", get(erasures::preview))
        .route("/v1/users/{id}/erasures", post(erasures::erase))
        .route("/v1/erasures/{id}", get(erasures::receipt))
        .route("/v1/users/{id}/export", get(erasures::export))
        .route("/v1/{*rest}", any(reply::no_such_route))
        .method_not_allowed_fallback(reply::wrong_method)
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
        .with_state(api)
}
