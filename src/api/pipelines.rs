//! The memory blocks of pipelines, as webhooks. What a pipeline can mend comes with status 200, as its blocks expect it.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::Api;
use super::pipelines_wire::{PipelineAnswer, WebhookRequest};
use super::reply::{Answer, Received, Refusal};
use access::callers::Caller;
use service::blocks::pipelines::{PipelineHook, PipelineOutcome};

/// Adds a record. Each call adds one, whatever there is.
#[utoipa::path(post, path = "/v1/webhooks/memory_write", operation_id = "memory_write", tag = "pipelines", security(("key" = ["write"])),
    request_body(content = WebhookRequest, example = json!({"args": [{"text": "The deploy runs on Fridays"}],
        "wf_webhook_args": {"memory_id": "instances/a3d8f1b2/memories", "kind": "observation"}, "agent": "scribe"})),
    responses((status = 200, body = PipelineAnswer, description = "`guid`, or `error`")))]
pub async fn write(State(api): State<Api>, caller: Caller, Received(body): Received) -> Answer<Response> {
    carried_out(&api, &caller, PipelineHook::Write, &body).await
}

/// Records, in the order of writing: all of them, or those of a `kind`, a `scope` or a `source`.
#[utoipa::path(post, path = "/v1/webhooks/memory_read", operation_id = "memory_read", tag = "pipelines", security(("key" = ["read"])),
    request_body(content = WebhookRequest, example = json!({"args": [{"text": ""}],
        "wf_webhook_args": {"memory_id": "instances/a3d8f1b2/memories", "kind": "summary"}, "agent": "scribe"})),
    responses((status = 200, description = "The records; a text with `output_template`; or `error`",
        content((PipelineAnswer = "application/json"), (String = "text/plain")))))]
pub async fn read(State(api): State<Api>, caller: Caller, Received(body): Received) -> Answer<Response> {
    carried_out(&api, &caller, PipelineHook::Read, &body).await
}

/// Records that contain the words of the message, the most relevant first.
#[utoipa::path(post, path = "/v1/webhooks/memory_search", operation_id = "memory_search", tag = "pipelines", security(("key" = ["read"])),
    request_body(content = WebhookRequest, example = json!({"args": [{"text": "deploy"}],
        "wf_webhook_args": {"memory_id": "instances/a3d8f1b2/memories", "tags": "important,fact"}, "agent": "scribe"})),
    responses((status = 200, description = "The records; a text with `output_template`; or `error`",
        content((PipelineAnswer = "application/json"), (String = "text/plain")))))]
pub async fn search(State(api): State<Api>, caller: Caller, Received(body): Received) -> Answer<Response> {
    carried_out(&api, &caller, PipelineHook::Search, &body).await
}

/// Deletes the record with a `guid`, which may be the message, or every record of a `kind`.
#[utoipa::path(post, path = "/v1/webhooks/memory_delete", operation_id = "memory_delete", tag = "pipelines", security(("key" = ["write"])),
    request_body(content = WebhookRequest, example = json!({"args": [{"text": "bec15f20-5320-8587-ba3c-9a2d2e800000"}],
        "wf_webhook_args": {"memory_id": "instances/a3d8f1b2/memories"}, "agent": "scribe"})),
    responses((status = 200, body = PipelineAnswer, description = "`deleted`, `skipped` or `error`")))]
pub async fn delete(State(api): State<Api>, caller: Caller, Received(body): Received) -> Answer<Response> {
    carried_out(&api, &caller, PipelineHook::Delete, &body).await
}

/// Appends lines to the record with a `guid`, else to the first one of its `scope` and `kind`, else adds a record.
#[utoipa::path(post, path = "/v1/webhooks/memory_append", operation_id = "memory_append", tag = "pipelines", security(("key" = ["write"])),
    request_body(content = WebhookRequest, example = json!({"args": [{"text": "10:02 the deploy began"}],
        "wf_webhook_args": {"memory_id": "instances/a3d8f1b2/memories", "kind": "session_log"}, "agent": "scribe"})),
    responses((status = 200, body = PipelineAnswer, description = "`guid`, and `appended` or `created`; or `error`")))]
pub async fn append(State(api): State<Api>, caller: Caller, Received(body): Received) -> Answer<Response> {
    carried_out(&api, &caller, PipelineHook::Append, &body).await
}

/// Carries out `/write`, `/read`, `/search` or `/delete`, with what follows it as the message. Any other line is skipped.
#[utoipa::path(post, path = "/v1/webhooks/memory_dispatch", operation_id = "memory_dispatch", tag = "pipelines",
    security(("key" = ["write"])), extensions(("x-scope-of-lines" = json!({ "/read": "read", "/search": "read" }))),
    request_body(content = WebhookRequest, example = json!({"args": [{"text": "/write The deploy runs on Fridays"}],
        "wf_webhook_args": {"memory_id": "instances/a3d8f1b2/memories"}, "agent": "chat"})),
    responses((status = 200, description = "What the command answers; `skipped`; or `error`",
        content((PipelineAnswer = "application/json"), (String = "text/plain")))))]
pub async fn dispatch(State(api): State<Api>, caller: Caller, Received(body): Received) -> Answer<Response> {
    carried_out(&api, &caller, PipelineHook::Dispatch, &body).await
}

async fn carried_out(api: &Api, caller: &Caller, hook: PipelineHook, body: &Bytes) -> Answer<Response> {
    let message = match WebhookRequest::read(body) {
        Ok(message) => message,
        Err(problem) => return Ok(told(PipelineOutcome::Error(problem.to_string()))),
    };
    match api.outward(api.keepsake.pipelines.pipeline(caller, hook, message).await) {
        Ok(outcome) => Ok(told(outcome)),
        // A failure of ours. By the status a pipeline learns only what lies in its key, its rate or the size.
        Err(Refusal(problem)) if problem.status() >= 500 => Ok(told(PipelineOutcome::Error(problem.to_string()))),
        Err(refusal) => Err(refusal),
    }
}

fn told(outcome: PipelineOutcome) -> Response {
    match PipelineAnswer::of(outcome) {
        Ok(answer) => Json(answer).into_response(),
        Err(text) => ([(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))], text).into_response(),
    }
}
