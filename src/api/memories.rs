//! A user's own memories: save, list, read, edit, take a change back, delete, forget.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Api;
use super::forget_wire::{ForgetAnswer, ForgetRequest};
use super::reply::{Answer, Named, Owner, Pairs, Posted, Refusal, etag, unmatched};
use super::values::{IfMatch, ItemId, MemoryCursor, PageLimit, TagCondition};
use super::wire::{EditRequest, Listed, MemoryHistory, MemoryItem, RememberRequest, Remembered, end_of, limit, moment, place};
use access::callers::Caller;
use domain::facts::provenance::Context;
use domain::memory::tags::{Labels, TagFilter};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::problem::Problem;
use service::memories::BasedOn;
use service::memories::remember::SaveOutcome;
use service::{self, Memory, Page};

/// The versions that `If-Match` names: `*`, or entity tags as they were sent.
pub(super) fn based_on(headers: &HeaderMap) -> Option<BasedOn> {
    let named: Vec<&str> = headers.get_all(header::IF_MATCH).iter().filter_map(|value| value.to_str().ok()).collect();
    if named.is_empty() {
        return None;
    }
    let mut tags = named.iter().flat_map(|value| value.split(',')).map(str::trim);
    if tags.clone().any(|tag| tag == "*") {
        return Some(BasedOn::Any);
    }
    // A proxy that compresses an answer makes its tag weak, but the version in it is the same. What is no version of ours matches none.
    let version = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"')?.strip_suffix('"')?.parse().ok();
    Some(BasedOn::Versions(tags.by_ref().filter_map(version).collect()))
}

/// A memory with its version as `ETag`.
fn tagged(memory: Memory) -> Response {
    let tag = etag(memory.version);
    ([(header::ETAG, tag)], Json(MemoryItem::from(memory))).into_response()
}

impl Api {
    /// A changed memory, or why it was not changed; a version that `If-Match` does not name is its own answer.
    fn changed(&self, named: bool, changed: service::Result<Memory>) -> Answer<Response> {
        match self.outward(changed) {
            Ok(memory) => Ok(tagged(memory)),
            Err(Refusal(Problem::Stale { version })) if named => Ok(unmatched(version)),
            Err(refusal) => Err(refusal),
        }
    }
}

/// Saves one statement: as a new memory, or merged into one that says the same.
#[utoipa::path(post, path = "/v1/memories", operation_id = "save_memory", security(("key" = ["write"])),
    request_body(content = RememberRequest, example = json!({"user_id": "u1", "surface": "web", "kind": "preference",
        "content": "User prefers short answers", "importance": 4})),
    responses((status = 201, body = Remembered, description = "Inserted"), (status = 200, body = Remembered, description = "Merged or replaced"),
        (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn remember(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<RememberRequest>,
) -> Answer<(StatusCode, Json<Remembered>)> {
    let user = caller.must_speak_for(value.user_id)?;
    let at = value.at.as_deref().map(moment).transpose()?;
    let said = Context { surface: caller.must_speak_on(value.surface)?, thread: value.thread, at };
    let statement = Statement {
        kind: value.kind.as_deref().map_or(Ok(MemoryKind::Fact), MemoryKind::parse)?,
        content: Content::new(&value.content)?,
        importance: value.importance.map_or(Ok(Importance::DEFAULT), Importance::new)?,
    };
    let ends = value.expires_at.as_deref().map(end_of).transpose()?;
    let labels = Labels::new(&value.tags, ends, api.keepsake.clock.now())?;
    let saved = api.outward(api.keepsake.memories.remember_labelled(&caller, &user, said, &statement, &labels).await)?;
    let status = if matches!(saved, SaveOutcome::Inserted(_)) { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(Remembered { id: saved.id().to_owned(), outcome: saved.outcome() })))
}

/// A user's memories, newest first.
#[utoipa::path(get, path = "/v1/memories", operation_id = "list_memories", security(("key" = ["read"])),
    params(Owner, ("tag" = Option<TagCondition>, Query), ("limit" = Option<PageLimit>, Query), ("cursor" = Option<MemoryCursor>, Query)),
    responses((status = 200, body = Listed<MemoryItem>, description = "A page of memories"), (status = 422)))]
pub async fn list(State(api): State<Api>, caller: Caller, asked: Pairs) -> Answer<Json<Listed<MemoryItem>>> {
    let user = caller.must_speak_for(asked.last("user_id"))?;
    let (limit, tags) = (limit(asked.limit()?)?, TagFilter::new(&asked.all("tag"), &[], &[])?);
    let page = Page { after: place(asked.last("cursor").as_deref())?, limit: limit + 1 };
    let memories = api.outward(api.keepsake.memories.memories(&caller, &user, tags, &page).await)?;
    Ok(Json(Listed::page(memories, limit, |memory| memory.place.into()).told_as()))
}

/// One memory. `ETag` is its version: send it as `If-Match` to change it.
#[utoipa::path(get, path = "/v1/memories/{id}", operation_id = "memory", security(("key" = ["read"])),
    params(("id" = ItemId, Path), Owner),
    responses((status = 200, body = MemoryItem, description = "The memory", headers(("ETag" = String, description = "Its version"))), (status = 404), (status = 422)))]
pub async fn show(State(api): State<Api>, Owner { caller, user }: Owner, Named(id): Named) -> Answer<Response> {
    Ok(tagged(api.outward(api.keepsake.memories.memory(&caller, &user, &id).await)?))
}

/// Changes a memory of the version that `If-Match` names.
#[utoipa::path(patch, path = "/v1/memories/{id}", operation_id = "edit_memory", security(("key" = ["write"])),
    request_body(content = EditRequest,
        example = json!({"content": "User prefers short answers in the morning", "tags": ["style"]})),
    params(("id" = ItemId, Path), Owner, ("If-Match" = IfMatch, Header)),
    responses((status = 200, body = MemoryItem, description = "The memory as it is now", headers(("ETag" = String, description = "Its version"))), (status = 404),
        (status = 409, description = "`duplicate`: another memory says that, with its `id`; or `erasure_running`"), (status = 412),
        (status = 422), (status = 428)))]
pub async fn edit(
    State(api): State<Api>,
    Owner { caller, user }: Owner,
    Named(id): Named,
    headers: HeaderMap,
    Posted { value, .. }: Posted<EditRequest>,
) -> Answer<Response> {
    let base = based_on(&headers).ok_or(Problem::VersionNeeded)?;
    let edit = value.read()?;
    api.changed(true, api.keepsake.memories.edit_memory(&caller, &user, &id, &base, &edit).await)
}

/// What a memory says and said, newest first.
#[utoipa::path(get, path = "/v1/memories/{id}/history", operation_id = "memory_history", security(("key" = ["read"])),
    params(("id" = ItemId, Path), Owner),
    responses((status = 200, body = MemoryHistory, description = "Its versions", headers(("ETag" = String, description = "Its version"))), (status = 404), (status = 422)))]
pub async fn history(State(api): State<Api>, Owner { caller, user }: Owner, Named(id): Named) -> Answer<Response> {
    let past = api.outward(api.keepsake.memories.memory_history(&caller, &user, &id).await)?;
    let items = past.versions.into_iter().map(Into::into).collect();
    Ok(([(header::ETAG, etag(past.memory.version))], Json(MemoryHistory { items })).into_response())
}

/// Takes the last change of a memory back: an edit, a merge, or a correction.
#[utoipa::path(post, path = "/v1/memories/{id}/undo", operation_id = "undo_memory", security(("key" = ["write"])),
    params(("id" = ItemId, Path), Owner, ("If-Match" = Option<IfMatch>, Header)),
    responses((status = 200, body = MemoryItem, description = "The memory as it is now", headers(("ETag" = String, description = "Its version"))), (status = 404),
        (status = 409, description = "`nothing_to_undo`, `duplicate`, `stale`: somebody else was faster; or `erasure_running`"),
        (status = 412), (status = 422)))]
pub async fn undo(
    State(api): State<Api>,
    Owner { caller, user }: Owner,
    Named(id): Named,
    headers: HeaderMap,
) -> Answer<Response> {
    let base = based_on(&headers);
    let named = base.is_some();
    let undone = api.keepsake.memories.undo_memory(&caller, &user, &id, &base.unwrap_or(BasedOn::Any)).await;
    api.changed(named, undone)
}

/// Deletes one memory.
#[utoipa::path(delete, path = "/v1/memories/{id}", operation_id = "delete_memory", security(("key" = ["write"])),
    params(("id" = ItemId, Path), Owner),
    responses((status = 204, description = "Deleted"), (status = 404), (status = 409, description = "`erasure_running`"),
        (status = 422)))]
pub async fn delete(State(api): State<Api>, Owner { caller, user }: Owner, Named(id): Named) -> Answer<StatusCode> {
    api.outward(api.keepsake.memories.delete_memory(&caller, &user, &id).await)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the closest match, the memories with these ids, or with `all` everything about the user.
#[utoipa::path(post, path = "/v1/forget", operation_id = "forget", security(("key" = ["write"])),
    request_body(content = ForgetRequest, example = json!({"user_id": "u1", "query": "short answers"})),
    extensions(("x-scope-of-all" = json!("erase"))),
    responses((status = 200, body = ForgetAnswer, description = "What was deleted"),
        (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn forget(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<ForgetRequest>,
) -> Answer<Json<ForgetAnswer>> {
    let user = caller.must_speak_for(value.user_id)?;
    match (value.query, value.ids, value.all) {
        (None, None, true) => {
            let forgotten = api.outward(api.keepsake.erasure.forget_all(&caller, &user).await)?;
            Ok(Json(ForgetAnswer { forgotten, items: None, confirm: None }))
        }
        (None, Some(ids), false) => {
            let forgotten = api.outward(api.keepsake.memories.forget_these(&caller, &user, &ids).await)?;
            Ok(Json(ForgetAnswer::of(forgotten)))
        }
        (Some(query), None, false) => {
            let asked = api.outward(api.keepsake.memories.forget_as_asked(&caller, &user, &query).await)?;
            Ok(Json(ForgetAnswer::from(asked)))
        }
        _ => Err(ForgetAnswer::one_of_three().into()),
    }
}
