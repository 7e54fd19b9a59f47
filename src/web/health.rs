//! Open endpoints for machines: liveness, readiness, metrics, the contract.

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::SocketAddr;

use crate::api::{Api, Refusal, caller_of, openapi};
use access::callers::Scope;
use ports::store::StoreError;
use service::error::chain;

pub fn router(api: Api) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/docs", get(super::docs::page))
        .route("/openapi.json", get(async || ([(header::CONTENT_TYPE, "application/json")], openapi::document())))
        .with_state(api)
}

/// Ready when the database answers and can be written.
async fn ready(State(api): State<Api>) -> Response {
    if let Some(damage) = api.keepsake.database.damage() {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("the database is damaged: {damage}")).into_response();
    }
    match api.keepsake.store.ping().await {
        Ok(()) => "ready".into_response(),
        Err(error) => {
            tracing::error!(cause = chain(&error), "not ready");
            let words = match error {
                StoreError::Full(_) => "the disk is full",
                StoreError::Busy(_) => "the database is busy",
                StoreError::Damaged(_) => "the database is damaged; restore a backup",
                StoreError::Moved(_) => "the file of the database was moved away or replaced; stop the server and put it back",
                StoreError::ReadOnly(_) => "the database cannot be written, only read",
                _ => "the database does not answer, or cannot be written; the cause is in the log",
            };
            (StatusCode::SERVICE_UNAVAILABLE, words).into_response()
        }
    }
}

/// For loopback, or a key with the scope `read`.
async fn metrics(State(api): State<Api>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let local = parts.extensions.get::<ConnectInfo<SocketAddr>>().is_some_and(|info| info.0.ip().is_loopback());
    let forwarded = parts.headers.contains_key("x-forwarded-for") || parts.headers.contains_key(header::FORWARDED);
    if !local || forwarded {
        match caller_of(&api.keepsake, &parts).await {
            Ok(caller) => {
                if let Err(problem) = caller.needs(Scope::Read) {
                    return Refusal(problem).into_response();
                }
            }
            Err(problem) => return Refusal(problem).into_response(),
        }
    }
    match super::metrics::render(&api.keepsake).await {
        Ok(text) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response(),
        Err(error) => Refusal(error.outward(api.keepsake.clock.as_ref())).into_response(),
    }
}
