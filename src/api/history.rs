//! The history of conversations: add turns, read the last ones, start from zero.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::Api;
use super::chat_wire::{HistoryAnswer, HistoryRequest, ResetAnswer, ResetRequest, TurnItem};
use super::reply::{Answer, Posted, QueryString};
use crate::access::callers::Caller;
use crate::domain::problem::{Field, Problem};
use crate::domain::talk::{TURNS_GIVEN, TURNS_KEPT, Talk};

#[derive(Deserialize)]
pub struct HistoryParams {
    user_id: Option<String>,
    surface: Option<String>,
    thread: Option<String>,
    limit: Option<u32>,
}

/// Adds turns to a conversation. The last 60 are kept, without the secrets in them.
#[utoipa::path(post, path = "/v1/history", operation_id = "append_history", request_body = HistoryRequest,
    security(("key" = ["write"])),
    responses((status = 204, description = "Added"), (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn append(State(api): State<Api>, caller: Caller, Posted { value, .. }: Posted<HistoryRequest>) -> Answer<StatusCode> {
    let user = caller.must_speak_for(value.user_id)?;
    let talk = Talk::new(caller.must_speak_on(value.surface)?, value.thread.as_deref())?;
    let now = api.keepsake.clock.now();
    let turns = value.turns.into_iter().map(|turn| turn.into_turn(now)).collect::<Result<_, _>>()?;
    api.outward(api.keepsake.append_turns(&caller, &user, &talk, turns).await)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The last turns of a conversation, oldest first.
#[utoipa::path(get, path = "/v1/history", operation_id = "history", security(("key" = ["read"])),
    params(("user_id" = Option<String>, Query), ("surface" = Option<String>, Query), ("thread" = Option<String>, Query),
        ("limit" = Option<u32>, Query)),
    responses((status = 200, body = HistoryAnswer, description = "The turns"), (status = 422)))]
pub async fn list(
    State(api): State<Api>,
    caller: Caller,
    QueryString(asked): QueryString<HistoryParams>,
) -> Answer<Json<HistoryAnswer>> {
    let user = caller.must_speak_for(asked.user_id)?;
    let talk = Talk::new(caller.must_speak_on(asked.surface)?, asked.thread.as_deref())?;
    let limit = asked.limit.unwrap_or(TURNS_GIVEN);
    if !(1..=TURNS_KEPT).contains(&limit) {
        return Err(Problem::invalid(Field::Limit, format!("must be a whole number from 1 to {TURNS_KEPT}")).into());
    }
    let turns = api.outward(api.keepsake.turns(&caller, &user, &talk, limit).await)?;
    Ok(Json(HistoryAnswer { turns: turns.into_iter().map(TurnItem::from).collect() }))
}

/// Archives the turns of a conversation, so that it starts from zero. Memory stays.
#[utoipa::path(post, path = "/v1/history/reset", operation_id = "reset_history", request_body = ResetRequest,
    security(("key" = ["write"])),
    responses((status = 200, body = ResetAnswer, description = "How many turns were archived"), (status = 422)))]
pub async fn reset(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<ResetRequest>,
) -> Answer<Json<ResetAnswer>> {
    let user = caller.must_speak_for(value.user_id)?;
    let talk = Talk::new(caller.must_speak_on(value.surface)?, value.thread.as_deref())?;
    let archived = api.outward(api.keepsake.reset_turns(&caller, &user, &talk).await)?;
    Ok(Json(ResetAnswer { archived }))
}
