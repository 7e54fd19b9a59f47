//! Stores of memory blocks, and the versions of the blocks in them.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::asking::{Asking, OnSurface, cursor_of, store_of};
use super::block_wire::{BlockVersionItem, DeletedItem, StoreChangeRequest, StoreItem, StoreRequest, View};
use super::dialect::Pages;
use super::reply::{Answer, Named, NamedWithin, Posted};
use super::values::{BlockCursor, BlockId, BlockLimit, BlockView, KeyId, Operation, StoreId, Switch, TimeBound, VersionId};
use super::wire::Listed;
use service::blocks::{NewStore, StoreChanges, VersionFilter, VersionPage};

/// Adds a store.
#[utoipa::path(post, path = "/v1/memory_stores", tag = "blocks", operation_id = "add_block_store", security(("key" = ["write"])),
    request_body(content = StoreRequest,
        example = json!({"name": "Work", "description": "What concerns the product", "metadata": {"team": "mobile"}})),
    params(Asking, OnSurface),
    responses((status = 200, body = StoreItem, description = "The store"), (status = 409, description = "`erasure_running`"),
        (status = 422)))]
pub async fn add(State(api): State<Api>, asking: Asking, Posted { value, .. }: Posted<StoreRequest>) -> Answer<Json<StoreItem>> {
    let new = NewStore { name: value.name, description: value.description, metadata: value.metadata };
    Ok(Json(api.outward(api.keepsake.blocks.add_block_store(&asking.hand(), new).await)?.into()))
}

/// A user's stores, newest first.
#[utoipa::path(get, path = "/v1/memory_stores", tag = "blocks", operation_id = "list_block_stores", security(("key" = ["read"])),
    params(("include_archived" = Option<Switch>, Query, description = "Whether archived stores are listed"),
        ("limit" = Option<BlockLimit>, Query), ("cursor" = Option<BlockCursor>, Query), Asking),
    responses((status = 200, body = Listed<StoreItem>, description = "A page of stores"), (status = 422)))]
pub async fn list(State(api): State<Api>, asking: Asking) -> Answer<Json<Pages<StoreItem>>> {
    let (limit, after, asked) = (asking.limit(View::Basic)?, asking.after()?, &asking.asked);
    let found = api.keepsake.blocks.block_stores(&asking.caller, &asking.user, asked.archived, after.as_deref(), limit + 1).await;
    let mut found = api.outward(found)?;
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next = found.last().filter(|_| more).map(|last| cursor_of(&last.id));
    let created = |at| asked.since.is_none_or(|since| at >= since) && asked.until.is_none_or(|until| at <= until);
    found.retain(|store| created(store.created_at));
    Ok(asking.dialect.page(found.into_iter().map(StoreItem::from).collect(), next))
}

/// One store.
#[utoipa::path(get, path = "/v1/memory_stores/{id}", tag = "blocks", operation_id = "block_store", security(("key" = ["read"])),
    params(("id" = StoreId, Path), Asking),
    responses((status = 200, body = StoreItem, description = "The store"), (status = 404), (status = 422)))]
pub async fn show(State(api): State<Api>, asking: Asking, Named(id): Named) -> Answer<Json<StoreItem>> {
    Ok(Json(api.outward(api.keepsake.blocks.block_store(&asking.caller, &asking.user, &store_of(id)).await)?.into()))
}

/// Changes name, description and metadata of a store.
#[utoipa::path(post, path = "/v1/memory_stores/{id}", tag = "blocks", operation_id = "change_block_store",
    security(("key" = ["write"])),
    request_body(content = StoreChangeRequest, example = json!({"description": "What concerns the mobile apps"})),
    params(("id" = StoreId, Path), Asking, OnSurface),
    responses((status = 200, body = StoreItem, description = "The store as it is now"), (status = 404),
        (status = 409, description = "`archived`, or `erasure_running`"), (status = 422)))]
pub async fn change(
    State(api): State<Api>,
    asking: Asking,
    Named(id): Named,
    Posted { value, .. }: Posted<StoreChangeRequest>,
) -> Answer<Json<StoreItem>> {
    let changes = StoreChanges { name: value.name, description: value.description, metadata: value.metadata.unwrap_or_default() };
    Ok(Json(api.outward(api.keepsake.blocks.change_block_store(&asking.hand(), &store_of(id), &changes).await)?.into()))
}

/// Deletes a store with its blocks, their versions and its bin, for good.
#[utoipa::path(delete, path = "/v1/memory_stores/{id}", tag = "blocks", operation_id = "delete_block_store",
    security(("key" = ["write"])),
    params(("id" = StoreId, Path), Asking, OnSurface),
    responses((status = 200, body = DeletedItem, description = "It is deleted"), (status = 404), (status = 422)))]
pub async fn delete(State(api): State<Api>, asking: Asking, Named(id): Named) -> Answer<Json<DeletedItem>> {
    let id = api.outward(api.keepsake.blocks.delete_block_store(&asking.hand(), &store_of(id)).await)?;
    Ok(Json(DeletedItem { id, r#type: "memory_store_deleted" }))
}

/// Archives a store for good: its blocks can be read and deleted, and not changed.
#[utoipa::path(post, path = "/v1/memory_stores/{id}/archive", tag = "blocks", operation_id = "archive_block_store",
    security(("key" = ["write"])),
    params(("id" = StoreId, Path), Asking, OnSurface),
    responses((status = 200, body = StoreItem, description = "The store as it is now"), (status = 404),
        (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn archive(State(api): State<Api>, asking: Asking, Named(id): Named) -> Answer<Json<StoreItem>> {
    Ok(Json(api.outward(api.keepsake.blocks.archive_block_store(&asking.hand(), &store_of(id)).await)?.into()))
}

/// The versions of the blocks of a store, newest first. The last 50 of each block are kept, and go with it.
#[utoipa::path(get, path = "/v1/memory_stores/{id}/memory_versions", tag = "blocks", operation_id = "list_block_versions",
    security(("key" = ["read"])),
    params(("id" = StoreId, Path), ("memory_id" = Option<BlockId>, Query), ("operation" = Option<Operation>, Query),
        ("api_key_id" = Option<KeyId>, Query), ("created_at[gte]" = Option<TimeBound>, Query),
        ("created_at[lte]" = Option<TimeBound>, Query), ("view" = Option<BlockView>, Query),
        ("limit" = Option<BlockLimit>, Query), ("cursor" = Option<BlockCursor>, Query), Asking),
    responses((status = 200, body = Listed<BlockVersionItem>, description = "A page of versions"), (status = 404),
        (status = 422)))]
pub async fn versions(State(api): State<Api>, asking: Asking, Named(id): Named) -> Answer<Json<Pages<BlockVersionItem>>> {
    let (view, asked) = (asking.view(View::Basic), &asking.asked);
    let limit = asking.limit(view)?;
    let (block_id, operation, by_id) = (asked.block_id.clone(), asked.operation, asked.by_id.clone());
    let filter = VersionFilter { block_id, operation, by_id, since: asked.since, until: asked.until };
    let page = VersionPage { after: asking.after_version()?, limit: limit + 1, texts: view == View::Full };
    let found = api.keepsake.versions.block_versions(&asking.caller, &asking.user, &store_of(id), &filter, &page).await;
    let mut found = api.outward(found)?;
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let place = found.last().filter(|_| more).map(|last| format!("{} {} {}", last.at.0, last.version, last.id));
    let items = found.into_iter().map(|version| BlockVersionItem::of(version, view)).collect();
    Ok(asking.dialect.page(items, place.as_deref().map(cursor_of)))
}

/// One version.
#[utoipa::path(get, path = "/v1/memory_stores/{id}/memory_versions/{version_id}", tag = "blocks", operation_id = "block_version",
    security(("key" = ["read"])),
    params(("id" = StoreId, Path), ("version_id" = VersionId, Path), ("view" = Option<BlockView>, Query), Asking),
    responses((status = 200, body = BlockVersionItem, description = "The version"), (status = 404), (status = 422)))]
pub async fn version(
    State(api): State<Api>,
    asking: Asking,
    NamedWithin(store, id): NamedWithin,
) -> Answer<Json<BlockVersionItem>> {
    let found = api.keepsake.versions.block_version(&asking.caller, &asking.user, &store_of(store), &id).await;
    Ok(Json(BlockVersionItem::of(api.outward(found)?, asking.view(View::Full))))
}

/// Empties a former version: its text, path and hash are gone for good.
#[utoipa::path(post, path = "/v1/memory_stores/{id}/memory_versions/{version_id}/redact", tag = "blocks",
    operation_id = "redact_block_version", security(("key" = ["write"])),
    params(("id" = StoreId, Path), ("version_id" = VersionId, Path), Asking, OnSurface),
    responses((status = 200, body = BlockVersionItem, description = "The version, empty"), (status = 404),
        (status = 409, description = "`current_version`"), (status = 422)))]
pub async fn redact(
    State(api): State<Api>,
    asking: Asking,
    NamedWithin(store, id): NamedWithin,
) -> Answer<Json<BlockVersionItem>> {
    let redacted = api.keepsake.versions.redact_block_version(&asking.hand(), &store_of(store), &id).await;
    Ok(Json(BlockVersionItem::of(api.outward(redacted)?, View::Basic)))
}
