//! A user's own memories: save, list, delete, forget.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::Api;
use super::reply::{Answer, Named, Posted, QueryString};
use super::wire::{
    ForgetAnswer, ForgetRequest, ForgottenItem, Listed, MemoryItem, RememberRequest, Remembered, cursor, limit, moment,
};
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
#[utoipa::path(post, path = "/v1/memories", operation_id = "save_memory", request_body = RememberRequest, security(("key" = ["write"])),
    responses((status = 201, body = Remembered, description = "Inserted"), (status = 200, body = Remembered, description = "Merged or replaced"),
        (status = 409), (status = 422)))]
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
#[utoipa::path(get, path = "/v1/memories", operation_id = "list_memories", security(("key" = ["read"])),
    params(("user_id" = Option<String>, Query), ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query)),
    responses((status = 200, body = Listed<MemoryItem>, description = "A page of memories"), (status = 422)))]
pub async fn list(
    State(api): State<Api>,
    caller: Caller,
    QueryString(owner): QueryString<ListParams>,
) -> Answer<Json<Listed<MemoryItem>>> {
    let user = caller.must_speak_for(owner.user_id)?;
    let limit = limit(owner.limit)?;
    let page = Page { after: cursor(owner.cursor)?, limit: limit + 1 };
    let memories = api.outward(api.keepsake.memories(&caller, &user, &page).await)?;
    Ok(Json(Listed::page(memories.into_iter().map(MemoryItem::from).collect(), limit, |item| &item.id)))
}

/// Deletes one memory.
#[utoipa::path(delete, path = "/v1/memories/{id}", operation_id = "delete_memory", security(("key" = ["write"])),
    params(("id" = String, Path), ("user_id" = Option<String>, Query)),
    responses((status = 204, description = "Deleted"), (status = 404), (status = 409), (status = 422)))]
pub async fn delete(
    State(api): State<Api>,
    caller: Caller,
    Named(id): Named,
    QueryString(owner): QueryString<ListParams>,
) -> Answer<StatusCode> {
    let user = caller.must_speak_for(owner.user_id)?;
    api.outward(api.keepsake.delete_memory(&caller, &user, &id).await)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the closest match, or with `all` everything about the user.
#[utoipa::path(post, path = "/v1/forget", operation_id = "forget", request_body = ForgetRequest, security(("key" = ["write"])),
    extensions(("x-scope-of-all" = json!("erase"))),
    responses((status = 200, body = ForgetAnswer, description = "What was deleted"), (status = 409), (status = 422)))]
pub async fn forget(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<ForgetRequest>,
) -> Answer<Json<ForgetAnswer>> {
    let user = caller.must_speak_for(value.user_id)?;
    match (value.query, value.all) {
        (None, true) => {
            let forgotten = api.outward(api.keepsake.forget_all(&caller, &user).await)?;
            Ok(Json(ForgetAnswer { forgotten, items: None }))
        }
        (Some(query), false) => {
            let gone = api.outward(api.keepsake.forget(&caller, &user, &query).await)?;
            let items: Vec<_> = gone.into_iter().map(|gone| ForgottenItem { id: gone.id, content: gone.content }).collect();
            Ok(Json(ForgetAnswer { forgotten: items.len() as u64, items: Some(items) }))
        }
        _ => Err(Problem::invalid(Field::Query, "or `\"all\": true` is needed, one of the two").into()),
    }
}
