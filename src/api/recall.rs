//! Recall: what a prompt gets.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::recall_wire::{RecallAnswer, RecallRequest};
use super::reply::{Answer, Posted};
use crate::access::callers::Caller;

/// The best memories and facts for a question, and the block that puts them into a prompt.
#[utoipa::path(post, path = "/v1/recall", request_body = RecallRequest, security(("key" = [])),
    responses((status = 200, body = RecallAnswer), (status = 400), (status = 401), (status = 403), (status = 422), (status = 429)))]
pub async fn recall(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<RecallRequest>,
) -> Answer<Json<RecallAnswer>> {
    let user = caller.speaks_for(value.user_id.clone())?;
    let query = value.query(user)?;
    Ok(Json(api.outward(api.keepsake.recall(&caller, query).await)?.into()))
}
