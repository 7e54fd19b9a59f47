//! Memory blocks over HTTP, shaped like Anthropic's Memory Stores API, so that its clients work with a key of ours. What theirs does
//! not have stands beside it: edits, search, comparisons, the bin.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Api;
use super::asking::{Asking, OnSurface, cursor_of, path_of, store_of};
use super::block_wire::{
    BlockChangeRequest, BlockEditRequest, BlockEntry, BlockItem, BlockPrefix, BlockRequest, BlockSearchRequest, DeletedItem,
    DiffAnswer, RestoreRequest, View,
};
use super::dialect::Pages;
use super::limits::{BLOCK_QUERY_MAX_BYTES, FULL_PAGE_MAX};
use super::reply::{Answer, Named, NamedWithin, Posted, etag};
use super::values::{
    BlockCursor, BlockId, BlockLimit, BlockView, Depth, Folder, IfMatch, LabelCondition, StoreId, Switch, TagCondition, TextHash,
    VersionNumber,
};
use super::wire::Listed;
use domain::blocks::limits::RECORDS;
use domain::memory::tags::Tags;
use domain::problem::{Field, Problem};
use service::blocks::{
    Basis, Block, BlockChange, BlockFilter, BlockOrder, BlockPage, BlockRef, NewBlock, Removed, TextChange, WholeText,
};

fn tagged(status: StatusCode, block: Block, view: View) -> Response {
    let tag = etag(block.version);
    (status, [(header::ETAG, tag)], Json(BlockItem::of(block, view))).into_response()
}

/// Adds a block. A path that is taken, or lies above or below one that is, is refused.
#[utoipa::path(post, path = "/v1/memory_stores/{id}/memories", tag = "blocks", operation_id = "add_block",
    security(("key" = ["write"])),
    request_body(content = BlockRequest,
        example = json!({"path": "/notes/release.md", "content": "Release\n- build\n- sign\n", "description": "Steps of a release", "tags": ["work"]})),
    params(("id" = StoreId, Path), ("view" = Option<BlockView>, Query), Asking, OnSurface),
    responses((status = 200, body = BlockItem, description = "The block", headers(("ETag" = String, description = "Its version"))),
        (status = 404),
        (status = 409, description = "`path_taken`, with the block in `id` and its `path`; `archived`; or `erasure_running`"),
        (status = 422)))]
pub async fn add(
    State(api): State<Api>,
    asking: Asking,
    Named(store): Named,
    Posted { value, .. }: Posted<BlockRequest>,
) -> Answer<Response> {
    let fields = value.fields()?;
    let new = NewBlock {
        path: path_of(value.path)?,
        content: value.content.unwrap_or_default(),
        fields,
        allow_shrink: value.allow_shrink,
    };
    let block = api.outward(api.keepsake.blocks.add_block(&asking.hand(), &store_of(store), new).await)?;
    Ok(tagged(StatusCode::OK, block, asking.view(View::Basic)))
}

/// The blocks of a store, in the order of their paths. With `depth=1` what lies deeper is one item for each folder.
#[utoipa::path(get, path = "/v1/memory_stores/{id}/memories", tag = "blocks", operation_id = "list_blocks",
    security(("key" = ["read"])),
    params(("id" = StoreId, Path), ("path_prefix" = Option<Folder>, Query), ("depth" = Option<Depth>, Query),
        ("kind" = Option<LabelCondition>, Query), ("scope" = Option<LabelCondition>, Query),
        ("source" = Option<LabelCondition>, Query), ("tag" = Option<TagCondition>, Query),
        ("pinned" = Option<bool>, Query, description = "Only those that are pinned, or are not", example = true),
        ("view" = Option<BlockView>, Query), ("limit" = Option<BlockLimit>, Query), ("cursor" = Option<BlockCursor>, Query),
        Asking),
    responses((status = 200, body = Listed<BlockEntry>, description = "A page of blocks"), (status = 404), (status = 422)))]
pub async fn list(State(api): State<Api>, asking: Asking, Named(store): Named) -> Answer<Json<Pages<BlockEntry>>> {
    let view = asking.view(View::Basic);
    let (limit, after) = (asking.limit(view)?, asking.after()?);
    let folded = asking.asked.depth == 1;
    // Folders are known only when all of their blocks are.
    let rows = if folded { u32::try_from(RECORDS.max).unwrap_or(u32::MAX) } else { limit + 1 };
    let page = BlockPage { order: BlockOrder::Path { after }, limit: rows, texts: view == View::Full && !folded };
    let store = store_of(store);
    let found =
        api.outward(api.keepsake.blocks.blocks(&asking.caller, &asking.user, &store, &asking.asked.filter, &page).await)?;
    let prefix = asking.asked.path_prefix.as_deref().unwrap_or("/");
    let mut entries: Vec<(String, BlockEntry)> = Vec::new();
    for block in found {
        let inner = folded.then(|| block.path[prefix.len()..].find('/')).flatten();
        let (after, entry) = match inner {
            Some(at) => {
                let path = block.path[..=prefix.len() + at].to_owned();
                // After everything that the folder holds.
                (format!("{path}{}", char::MAX), BlockEntry::Prefix(BlockPrefix { r#type: "memory_prefix", path }))
            }
            None => (block.path.clone(), BlockEntry::Block(Box::new(BlockItem::of(block, view)))),
        };
        if entries.last().is_none_or(|(last, _)| *last != after) {
            entries.push((after, entry));
        }
    }
    let more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next = entries.last().filter(|_| more).map(|(after, _)| cursor_of(after));
    let mut items: Vec<BlockEntry> = entries.into_iter().map(|(_, entry)| entry).collect();
    if folded && view == View::Full {
        for item in &mut items {
            if let BlockEntry::Block(block) = item {
                let whole = BlockRef::Id(block.id.clone());
                let found = api.outward(api.keepsake.blocks.block(&asking.caller, &asking.user, &store, &whole).await)?;
                **block = BlockItem::of(found, view);
            }
        }
    }
    Ok(asking.dialect.page(items, next))
}

/// One block. `ETag` is its version: send it as `If-Match` to change it.
#[utoipa::path(get, path = "/v1/memory_stores/{id}/memories/{memory_id}", tag = "blocks", operation_id = "block",
    security(("key" = ["read"])),
    params(("id" = StoreId, Path), ("memory_id" = BlockId, Path), ("view" = Option<BlockView>, Query), Asking),
    responses((status = 200, body = BlockItem, description = "The block", headers(("ETag" = String, description = "Its version"))),
        (status = 404), (status = 422)))]
pub async fn show(State(api): State<Api>, asking: Asking, NamedWithin(store, id): NamedWithin) -> Answer<Response> {
    let found = api.keepsake.blocks.block(&asking.caller, &asking.user, &store_of(store), &BlockRef::Id(id)).await;
    Ok(tagged(StatusCode::OK, api.outward(found)?, asking.view(View::Full)))
}

/// Changes a block of the version that `If-Match`, `expected_version` or the precondition names: its text, its path, its fields. With
/// `anthropic-version` a change without any of them is made on the newest text; the former one stays a version.
#[utoipa::path(post, path = "/v1/memory_stores/{id}/memories/{memory_id}", tag = "blocks", operation_id = "change_block",
    security(("key" = ["write"])),
    request_body(content = BlockChangeRequest,
        example = json!({"content": "Release\n- build\n- sign\n- upload\n", "expected_version": 1})),
    params(("id" = StoreId, Path), ("memory_id" = BlockId, Path), ("view" = Option<BlockView>, Query),
        ("If-Match" = Option<IfMatch>, Header), Asking, OnSurface),
    responses((status = 200, body = BlockItem, description = "The block as it is now", headers(("ETag" = String, description = "Its version"))),
        (status = 404),
        (status = 409, description = "`stale`, with the block as it is in `current`; `path_taken`, `read_only`, `archived`, or `erasure_running`"),
        (status = 412), (status = 422), (status = 428)))]
pub async fn change(
    State(api): State<Api>,
    asking: Asking,
    NamedWithin(store, id): NamedWithin,
    Posted { value, .. }: Posted<BlockChangeRequest>,
) -> Answer<Response> {
    let fields = value.fields()?;
    let basis = asking.must_be_based(value.expected_version, value.precondition)?;
    let text = value.content.map_or(TextChange::Keep, |text| TextChange::Whole(WholeText(text)));
    let change = BlockChange { text, path: path_of(value.path)?, fields, allow_shrink: value.allow_shrink };
    let changed = api.keepsake.blocks.change_block(&asking.hand(), &store_of(store), &BlockRef::Id(id), &basis, &change).await;
    Ok(asking.changed(api.outward(changed)?, asking.view(View::Basic)))
}

/// Edits the text of a block: the newest, unless a version is named. Every other byte stays.
#[utoipa::path(post, path = "/v1/memory_stores/{id}/memories/{memory_id}/edit", tag = "blocks", operation_id = "edit_block",
    security(("key" = ["write"])),
    request_body(content = BlockEditRequest, example = json!({"command": "append", "text": "- announce"})),
    params(("id" = StoreId, Path), ("memory_id" = BlockId, Path), ("view" = Option<BlockView>, Query),
        ("If-Match" = Option<IfMatch>, Header), Asking, OnSurface),
    responses((status = 200, body = BlockItem, description = "The block as it is now", headers(("ETag" = String, description = "Its version"))),
        (status = 404),
        (status = 409, description = "`stale`, with the block as it is in `current`; `read_only`, `archived`, or `erasure_running`"),
        (status = 412), (status = 422)))]
pub async fn edit(
    State(api): State<Api>,
    asking: Asking,
    NamedWithin(store, id): NamedWithin,
    Posted { value, .. }: Posted<BlockEditRequest>,
) -> Answer<Response> {
    let change =
        BlockChange { text: TextChange::Edit(value.edit()?), allow_shrink: value.allow_shrink, ..BlockChange::default() };
    let basis = asking.basis(value.expected_version, value.precondition)?.unwrap_or(Basis::Newest);
    let changed = api.keepsake.blocks.change_block(&asking.hand(), &store_of(store), &BlockRef::Id(id), &basis, &change).await;
    Ok(asking.changed(api.outward(changed)?, asking.view(View::Full)))
}

/// Deletes a block: into the bin, or with `forever` for good.
#[utoipa::path(delete, path = "/v1/memory_stores/{id}/memories/{memory_id}", tag = "blocks", operation_id = "delete_block",
    security(("key" = ["write"])),
    params(("id" = StoreId, Path), ("memory_id" = BlockId, Path),
        ("forever" = Option<Switch>, Query, description = "For good instead of into the bin"),
        ("expected_content_sha256" = Option<TextHash>, Query), ("expected_version" = Option<VersionNumber>, Query),
        ("If-Match" = Option<IfMatch>, Header), Asking, OnSurface),
    responses((status = 200, body = DeletedItem, description = "It is deleted"), (status = 404),
        (status = 409, description = "`stale`, with the block as it is in `current`; `read_only`, or `erasure_running`"),
        (status = 412), (status = 422)))]
pub async fn delete(State(api): State<Api>, asking: Asking, NamedWithin(store, id): NamedWithin) -> Answer<Response> {
    let basis = asking.basis(None, None)?.unwrap_or(Basis::Newest);
    let (block, forever) = (BlockRef::Id(id.clone()), asking.asked.forever);
    let removed = api.keepsake.blocks.delete_block(&asking.hand(), &store_of(store), &block, &basis, forever).await;
    Ok(match api.outward(removed)? {
        Removed::Gone => Json(DeletedItem { id, r#type: "memory_deleted" }).into_response(),
        Removed::Stale(block) => asking.overtaken(block),
    })
}

/// Makes the text of a former version the current one again; or, without `version`, takes the block out of the bin.
#[utoipa::path(post, path = "/v1/memory_stores/{id}/memories/{memory_id}/restore", tag = "blocks", operation_id = "restore_block",
    security(("key" = ["write"])),
    request_body(content = RestoreRequest, example = json!({"version": 1})),
    params(("id" = StoreId, Path), ("memory_id" = BlockId, Path), ("view" = Option<BlockView>, Query),
        ("If-Match" = Option<IfMatch>, Header), Asking, OnSurface),
    responses((status = 200, body = BlockItem, description = "The block as it is now", headers(("ETag" = String, description = "Its version"))),
        (status = 404),
        (status = 409, description = "`stale`, with the block as it is in `current`; `path_taken`, `read_only`, `archived`, or `erasure_running`"),
        (status = 412), (status = 422)))]
pub async fn restore(
    State(api): State<Api>,
    asking: Asking,
    NamedWithin(store, id): NamedWithin,
    Posted { value, .. }: Posted<RestoreRequest>,
) -> Answer<Response> {
    let (store, hand) = (store_of(store), asking.hand());
    let basis = asking.basis(value.expected_version, value.precondition)?.unwrap_or(Basis::Newest);
    if let Some(version) = value.version {
        let restored = api.keepsake.versions.restore_block_version(&hand, &store, &BlockRef::Id(id), version, &basis).await;
        Ok(asking.changed(api.outward(restored)?, asking.view(View::Full)))
    } else {
        let restored = api.keepsake.blocks.restore_block(&hand, &store, &id).await;
        Ok(tagged(StatusCode::OK, api.outward(restored)?, asking.view(View::Full)))
    }
}

/// What changed between two versions of a block.
#[utoipa::path(get, path = "/v1/memory_stores/{id}/memories/{memory_id}/diff", tag = "blocks", operation_id = "diff_block",
    security(("key" = ["read"])),
    params(("id" = StoreId, Path), ("memory_id" = BlockId, Path),
        ("from" = VersionNumber, Query, description = "The number of a version"),
        ("to" = VersionNumber, Query, description = "The number of a version"), Asking),
    responses((status = 200, body = DiffAnswer, description = "The differences"), (status = 404), (status = 422)))]
pub async fn diff(State(api): State<Api>, asking: Asking, NamedWithin(store, id): NamedWithin) -> Answer<Json<DiffAnswer>> {
    let missing = || Problem::invalid(Field::Version, "Send both `from` and `to`: the numbers of two versions");
    let (from, to) = asking.asked.from.zip(asking.asked.to).ok_or_else(missing)?;
    let (store, block) = (store_of(store), BlockRef::Id(id));
    let told = api.keepsake.versions.block_differences(&asking.caller, &asking.user, &store, &block, from, to).await;
    Ok(Json(api.outward(told)?.into()))
}

/// Blocks that contain the words, the most relevant first: all of them, or any if no block has all. There are no operators.
#[utoipa::path(post, path = "/v1/memory_stores/{id}/search", tag = "blocks", operation_id = "search_blocks",
    security(("key" = ["read"])),
    request_body(content = BlockSearchRequest, example = json!({"query": "sign release", "limit": 5})),
    params(("id" = StoreId, Path), Asking, OnSurface),
    responses((status = 200, body = Listed<BlockItem>, description = "What was found"), (status = 404), (status = 422)))]
pub async fn search(
    State(api): State<Api>,
    asking: Asking,
    Named(store): Named,
    Posted { value, .. }: Posted<BlockSearchRequest>,
) -> Answer<Json<Pages<BlockItem>>> {
    if value.query.trim().is_empty() || value.query.len() > BLOCK_QUERY_MAX_BYTES {
        return Err(Problem::invalid(Field::Query, format!("must be 1 to {BLOCK_QUERY_MAX_BYTES} bytes")).into());
    }
    let limit = value.limit.unwrap_or(FULL_PAGE_MAX);
    if !(1..=FULL_PAGE_MAX).contains(&limit) {
        return Err(Problem::invalid(Field::Limit, format!("must be a whole number from 1 to {FULL_PAGE_MAX}")).into());
    }
    let tags = Tags::new(&value.tags)?.into_vec();
    let filter = BlockFilter { kind: value.kind, scope: value.scope, tags, ..BlockFilter::default() };
    let store = store_of(store);
    let found = api.keepsake.blocks.search_blocks(&asking.caller, &asking.user, &store, &value.query, &filter, limit).await;
    let items = api.outward(found)?.into_iter().map(|block| BlockItem::of(block, View::Full)).collect();
    Ok(asking.dialect.page(items, None))
}

/// The blocks in the bin that can still be restored, the last deleted first.
#[utoipa::path(get, path = "/v1/memory_stores/{id}/bin", tag = "blocks", operation_id = "list_block_bin",
    security(("key" = ["read"])),
    params(("id" = StoreId, Path), ("limit" = Option<BlockLimit>, Query), Asking),
    responses((status = 200, body = Listed<BlockItem>, description = "What is in the bin"), (status = 404), (status = 422)))]
pub async fn bin(State(api): State<Api>, asking: Asking, Named(store): Named) -> Answer<Json<Pages<BlockItem>>> {
    let limit = asking.limit(View::Basic)?;
    let found = api.keepsake.blocks.block_bin(&asking.caller, &asking.user, &store_of(store), limit).await;
    let items = api.outward(found)?.into_iter().map(|block| BlockItem::of(block, View::Basic)).collect();
    Ok(asking.dialect.page(items, None))
}
