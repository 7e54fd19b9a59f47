//! Metrics for Prometheus. Labels are route templates and enums: never a URL, a user or a text.

use std::sync::OnceLock;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use service::{Keepsake, Result};

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Bounds of the duration histogram in seconds.
const DURATION_BOUNDS_S: [f64; 9] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// Starts recording; once per process.
pub fn install() {
    let builder = PrometheusBuilder::new().set_buckets(&DURATION_BOUNDS_S);
    if let Some(handle) = builder.ok().and_then(|builder| builder.install_recorder().ok()) {
        let _ = RECORDER.set(handle);
    }
}

/// The method's name; `other` for those that clients invent.
fn method(method: &Method) -> &'static str {
    const KNOWN: [Method; 7] =
        [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD, Method::OPTIONS];
    const NAMES: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    KNOWN.iter().position(|known| known == method).map_or("other", |at| NAMES[at])
}

/// Counts and times a request by its route template.
pub async fn observe(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("other", |path| path.as_str()).to_owned();
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default().to_owned();
    let method = method(request.method());
    let started = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    let duration = started.elapsed();
    counter!("http_requests_total", "route" => route.clone(), "method" => method, "status" => status.clone()).increment(1);
    histogram!("http_request_duration_seconds", "route" => route.clone()).record(duration.as_secs_f64());
    tracing::debug!(
        request.id = id,
        http.method = method,
        http.route = route,
        http.status = status,
        duration_ms = duration.as_millis(),
        "answered"
    );
    response
}

/// Drops old samples, even if the metrics are never scraped.
pub fn upkeep() {
    if let Some(recorder) = RECORDER.get() {
        recorder.run_upkeep();
    }
}

/// Renders the metrics for a scraper, after reading the backlog, the model's use, the ledger of erasures and the last rehearsal.
pub async fn render(keepsake: &Keepsake) -> Result<String> {
    let backlog = keepsake.inbox.backlog().await?;
    gauge!("keepsake_inbox_exchanges", "status" => "queued").set(count(backlog.queued));
    gauge!("keepsake_inbox_exchanges", "status" => "parked").set(count(backlog.parked));
    let away = keepsake.learning.provider_away_since().map_or(0, |since| (keepsake.clock.now().0 - since.0) / 1000);
    gauge!("keepsake_provider_away_seconds").set(count(away));
    let tokens = keepsake.model_budget.tokens_today().await?;
    gauge!("keepsake_model_tokens_today", "state" => "used").set(count(tokens.used));
    gauge!("keepsake_model_tokens_today", "state" => "reserved").set(count(tokens.reserved));
    gauge!("keepsake_model_tokens_limit").set(f64::from(keepsake.settings.current().learn_daily_tokens));
    gauge!("keepsake_learning_waits_for_budget")
        .set(f64::from(u8::from(keepsake.model_budget.waits_for_budget().await?.is_some())));
    for (status, erasures) in keepsake.erasure.erasure_counts().await? {
        gauge!("keepsake_erasures", "status" => status.as_str()).set(count(erasures));
    }
    if let Some(rehearsal) = keepsake.erasure.last_rehearsal().await? {
        gauge!("keepsake_rehearsal_residue").set(count(i64::try_from(rehearsal.residue.len()).unwrap_or(i64::MAX)));
        gauge!("keepsake_rehearsal_timestamp_seconds").set(count(rehearsal.at.0 / 1000));
    }
    Ok(RECORDER.get().map(PrometheusHandle::render).unwrap_or_default())
}

#[allow(clippy::cast_precision_loss, reason = "a backlog is far below 2^52")]
fn count(n: i64) -> f64 {
    n as f64
}
