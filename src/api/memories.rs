//! A user's own memories: save, list, delete, forget.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::Api;
use super::reply::{Answer, Posted, QueryString};
use super::wire::{ForgetAnswer, ForgetRequest, Listed, MemoryItem, RememberRequest, Remembered, limit, moment};
use crate::access::callers::Caller;
use crate::domain::memory::{Content, Importance, MemoryKind, Statement};
use crate::domain::problem::{Field, Problem};
use crate::domain::provenance::{Context, Surface};
use crate::service::Page;
use crate::service::remember::Saved;

#[derive(Deserialize)]
pub struct ListParams {
    user_id: Option<String>,
    limit: Option<u32>,
    cursor: Option<String>,
}

/// Saves one statement: as a new memory, or merged into one that says the same.
#[utoipa::path(post, path = "/v1/memories", request_body = RememberRequest, security(("key" = [])),
    responses((status = 201, body = Remembered, description = "inserted"), (status = 200, body = Remembered, description = "merged or replaced"),
        (status = 400), (status = 401), (status = 403), (status = 422), (status = 429)))]
pub async fn remember(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<RememberRequest>,
) -> Answer<(StatusCode, Json<Remembered>)> {
    let user = caller.must_speak_for(value.user_id)?;
    let at = value.at.as_deref().map(moment).transpose()?;
    let said = Context { surface: Surface::new(value.surface)?, thread: value.thread, at };
    let statement = Statement {
        kind: value.kind.as_deref().map_or(Ok(MemoryKind::Fact), MemoryKind::parse)?,
        content: Content::new(&value.content)?,
        importance: value.importance.map_or(Ok(Importance::DEFAULT), Importance::new)?,
    };
    let saved = api.outward(api.keepsake.remember(&caller, &user, said, &statement).await)?;
    let status = if matches!(saved, Saved::Inserted(_)) { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(Remembered { id: saved.id().to_owned(), outcome: saved.outcome() })))
}

/// A user's memories, newest first.
#[utoipa::path(get, path = "/v1/memories", security(("key" = [])),
    params(("user_id" = Option<String>, Query), ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query)),
    responses((status = 200, body = Listed<MemoryItem>), (status = 401), (status = 403), (status = 422), (status = 429)))]
pub async fn list(
    State(api): State<Api>,
    caller: Caller,
    QueryString(owner): QueryString<ListParams>,
) -> Answer<Json<Listed<MemoryItem>>> {
    let user = caller.must_speak_for(owner.user_id)?;
    let limit = limit(owner.limit)?;
    let page = Page { after: owner.cursor, limit: limit + 1 };
    let memories = api.outward(api.keepsake.memories(&caller, &user, &page).await)?;
    Ok(Json(Listed::page(memories.into_iter().map(MemoryItem::from).collect(), limit, |item| &item.id)))
}

/// Deletes one memory.
#[utoipa::path(delete, path = "/v1/memories/{id}", security(("key" = [])), params(("user_id" = Option<String>, Query)),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 422), (status = 429)))]
pub async fn delete(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    QueryString(owner): QueryString<ListParams>,
) -> Answer<StatusCode> {
    let user = caller.must_speak_for(owner.user_id)?;
    api.outward(api.keepsake.delete_memory(&caller, &user, &id).await)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the closest match, or with `all` everything about the user.
#[utoipa::path(post, path = "/v1/forget", request_body = ForgetRequest, security(("key" = [])),
    responses((status = 200, body = ForgetAnswer), (status = 400), (status = 401), (status = 403), (status = 422), (status = 429)))]
pub async fn forget(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<ForgetRequest>,
) -> Answer<Json<ForgetAnswer>> {
    let user = caller.must_speak_for(value.user_id)?;
    match (value.query, value.all) {
        (None, true) => {
            let forgotten = api.outward(api.keepsake.forget_all(&caller, &user).await)?;
            Ok(Json(ForgetAnswer { forgotten, items: None, confirm: None }))
        }
        (Some(query), false) => {
            let asked = api.outward(api.keepsake.forget_as_asked(&caller, &user, &query).await)?;
            Ok(Json(ForgetAnswer::from(asked)))
        }
        _ => Err(Problem::invalid(Field::Query, "or `\"all\": true` is needed, one of the two").into()),
    }
}
