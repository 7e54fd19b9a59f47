//! Recall: what a prompt gets.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::reply::{Answer, Posted};
use super::wire::{Origins, RecallAnswer, RecallRequest, TagsAsked};
use crate::access::callers::Caller;
use crate::domain::provenance::OriginFilter;
use crate::domain::tags::TagFilter;
use crate::service::recall::Query;

/// The best memories and facts for a question.
#[utoipa::path(post, path = "/v1/recall", operation_id = "recall", request_body = RecallRequest, security(("key" = ["read"])),
    responses((status = 200, body = RecallAnswer, description = "The best items, and the block for the prompt"), (status = 422)))]
pub async fn recall(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<RecallRequest>,
) -> Answer<Json<RecallAnswer>> {
    let query = Query {
        user: caller.speaks_for(value.user_id)?,
        surface: caller.must_speak_on(value.surface)?,
        text: value.query,
        k: value.k,
        origins: value.origins.map_or(Ok(OriginFilter::Any), Origins::filter)?,
        tags: value.tags.map_or_else(|| Ok(TagFilter::default()), TagsAsked::filter)?,
    };
    Ok(Json(api.outward(api.keepsake.recall(&caller, query).await)?.into()))
}
