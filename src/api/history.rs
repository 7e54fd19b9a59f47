//! The history of conversations: add turns, read the last ones, start from zero, read what was reset.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::Api;
use super::chat_wire::{ArchivedItem, HistoryAnswer, HistoryRequest, ResetAnswer, ResetRequest, TurnItem};
use super::reply::{Answer, Owner, Posted, QueryString};
use super::values::{ResetCursor, ResetLimit, Surface, Thread, TurnLimit};
use super::wire::{Listed, not_ours};
use access::callers::Caller;
use domain::chat::talk::{ARCHIVED_GIVEN, ARCHIVED_MAX, TURNS_GIVEN, TURNS_KEPT, Talk};
use domain::moment::Moment;
use domain::problem::{Field, Problem};

#[derive(Deserialize)]
pub struct HistoryParams {
    surface: Option<String>,
    thread: Option<String>,
    limit: Option<u32>,
    cursor: Option<String>,
}

/// How many may be asked for: at most so many, so many when nobody says.
fn limit(asked: Option<u32>, max: u32, given: u32) -> Result<u32, Problem> {
    let limit = asked.unwrap_or(given);
    let fits = (1..=max).contains(&limit);
    if fits { Ok(limit) } else { Err(Problem::invalid(Field::Limit, format!("must be a whole number from 1 to {max}"))) }
}

/// Adds turns to a conversation. The last 60 are kept, without the secrets in them.
#[utoipa::path(post, path = "/v1/history", operation_id = "append_history", security(("key" = ["write"])),
    request_body(content = HistoryRequest, example = json!({"user_id": "u1", "surface": "web", "thread": "t1",
        "turns": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]})),
    responses((status = 204, description = "Added"), (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn append(State(api): State<Api>, caller: Caller, Posted { value, .. }: Posted<HistoryRequest>) -> Answer<StatusCode> {
    let user = caller.must_speak_for(value.user_id)?;
    let talk = Talk::new(caller.must_speak_on(value.surface)?, value.thread.as_deref())?;
    let now = api.keepsake.clock.now();
    let turns = value.turns.into_iter().map(|turn| turn.into_turn(now)).collect::<Result<_, _>>()?;
    api.outward(api.keepsake.chat.append_turns(&caller, &user, &talk, turns).await)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The last turns of a conversation, oldest first.
#[utoipa::path(get, path = "/v1/history", operation_id = "history", security(("key" = ["read"])),
    params(Owner, ("surface" = Option<Surface>, Query), ("thread" = Option<Thread>, Query), ("limit" = Option<TurnLimit>, Query)),
    responses((status = 200, body = HistoryAnswer, description = "The turns"), (status = 422)))]
pub async fn list(
    State(api): State<Api>,
    Owner { caller, user }: Owner,
    QueryString(asked): QueryString<HistoryParams>,
) -> Answer<Json<HistoryAnswer>> {
    let talk = Talk::new(caller.must_speak_on(asked.surface)?, asked.thread.as_deref())?;
    let limit = limit(asked.limit, TURNS_KEPT, TURNS_GIVEN)?;
    let turns = api.outward(api.keepsake.chat.turns(&caller, &user, &talk, limit).await)?;
    Ok(Json(HistoryAnswer { turns: turns.into_iter().map(TurnItem::from).collect() }))
}

/// Archives the turns of a conversation, so that it starts from zero. Memory stays.
#[utoipa::path(post, path = "/v1/history/reset", operation_id = "reset_history", security(("key" = ["write"])),
    request_body(content = ResetRequest, example = json!({"user_id": "u1", "surface": "web", "thread": "t1"})),
    responses((status = 200, body = ResetAnswer, description = "How many turns were archived"), (status = 422)))]
pub async fn reset(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<ResetRequest>,
) -> Answer<Json<ResetAnswer>> {
    let user = caller.must_speak_for(value.user_id)?;
    let talk = Talk::new(caller.must_speak_on(value.surface)?, value.thread.as_deref())?;
    let archived = api.outward(api.keepsake.chat.reset_turns(&caller, &user, &talk).await)?;
    Ok(Json(ResetAnswer { archived }))
}

/// What a conversation was at its last resets, the last one first. It is there for as many days as the setting `history.archive_days`
/// says.
#[utoipa::path(get, path = "/v1/history/archive", operation_id = "archived_history", security(("key" = ["read"])),
    params(Owner, ("surface" = Option<Surface>, Query), ("thread" = Option<Thread>, Query),
        ("limit" = Option<ResetLimit>, Query), ("cursor" = Option<ResetCursor>, Query)),
    responses((status = 200, body = Listed<ArchivedItem>, description = "A page of resets"), (status = 422)))]
pub async fn archive(
    State(api): State<Api>,
    Owner { caller, user }: Owner,
    QueryString(asked): QueryString<HistoryParams>,
) -> Answer<Json<Listed<ArchivedItem>>> {
    let talk = Talk::new(caller.must_speak_on(asked.surface)?, asked.thread.as_deref())?;
    let limit = limit(asked.limit, ARCHIVED_MAX, ARCHIVED_GIVEN)?;
    let before = asked.cursor.map(|cursor| cursor.parse().map(Moment).map_err(|_| not_ours())).transpose()?;
    let talks = api.outward(api.keepsake.chat.archived_turns(&caller, &user, &talk, before, limit + 1).await)?;
    Ok(Json(Listed::page(talks, limit, |talk| talk.at.0.to_string()).told_as()))
}
