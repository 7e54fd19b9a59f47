//! Recall: what a prompt gets.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::recall_wire::{RecallAnswer, RecallRequest};
use super::reply::{Answer, Posted};
use access::callers::Caller;

/// The best memories and facts for a question, and the block that puts them into a prompt.
#[utoipa::path(post, path = "/v1/recall", operation_id = "recall", security(("key" = ["read"])),
    request_body(content = RecallRequest,
        example = json!({"user_id": "u1", "surface": "web", "query": "Which app should I open?", "k": 5})),
    responses((status = 200, body = RecallAnswer, description = "The best items, and the block for the prompt"), (status = 422)))]
pub async fn recall(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<RecallRequest>,
) -> Answer<Json<RecallAnswer>> {
    let user = caller.speaks_for(value.user_id.clone())?;
    let surface = caller.must_speak_on(value.surface.clone())?;
    let query = value.query(user, surface)?;
    Ok(Json(api.outward(api.keepsake.recall.recall(&caller, query).await)?.into()))
}
