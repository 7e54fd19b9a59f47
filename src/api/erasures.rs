//! Erasing a person, its receipt, and exporting everything held about a person.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::Api;
use super::answers::ReceiptAnswer;
use super::reply::{Answer, Named, Posted, QueryString};
use super::values::{self, EXPORT_FORMATS, ExportFormat, ItemId, UserExport, UserId};
use super::wire::{Accepted, ErasurePreview, ErasureRequest};
use access::callers::Caller;
use domain::erasure::ErasureScope;
use domain::problem::{Field, Problem};
use service::erasure::erase::ErasureOrder;
use service::erasure::export::ExportForm;

#[derive(Deserialize)]
pub struct Which {
    scope: Option<String>,
}

#[derive(Deserialize)]
pub struct As {
    /// `html`: a page for people.
    format: Option<String>,
}

/// What an erasure would do, counted exactly. The token confirms exactly this, and is valid for 15 minutes.
#[utoipa::path(get, path = "/v1/users/{id}/erasures/preview", operation_id = "preview_erasure", security(("key" = ["erase"])),
    params(("id" = UserId, Path, description = "The user"),
        ("scope" = Option<values::ErasureScope>, Query, description = "What would be erased; absent: everything", example = "everything")),
    responses((status = 200, body = ErasurePreview, description = "Counts, and the token"),
        (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn preview(
    State(api): State<Api>,
    caller: Caller,
    Named(id): Named,
    QueryString(which): QueryString<Which>,
) -> Answer<Json<ErasurePreview>> {
    let user = caller.must_speak_for(Some(id))?;
    let scope = which.scope.as_deref().map_or(Ok(ErasureScope::Everything), ErasureScope::parse)?;
    Ok(Json(api.outward(api.keepsake.erasure.preview_erasure(&caller, &user, scope).await)?.into()))
}

/// Erases what the preview showed. Everything is erased when this answers; the proof continues in the background.
#[utoipa::path(post, path = "/v1/users/{id}/erasures", operation_id = "erase", security(("key" = ["erase"])),
    request_body(content = ErasureRequest,
        example = json!({"scope": "everything", "reason": "SUP-4471", "preview": "pv_6d0f3b1c9a7e5f28"})),
    params(("id" = UserId, Path, description = "The user")),
    responses((status = 202, body = Accepted, description = "Erased; the id of its receipt"),
        (status = 409, description = "`preview_changed` with a new preview in `now`, or `erasure_running`"), (status = 422)))]
pub async fn erase(
    State(api): State<Api>,
    caller: Caller,
    Named(id): Named,
    Posted { value, .. }: Posted<ErasureRequest>,
) -> Answer<(StatusCode, Json<Accepted>)> {
    let user = caller.must_speak_for(Some(id))?;
    let scope = ErasureScope::parse(&value.scope)?;
    let order = ErasureOrder { user: &user, scope, reason: &value.reason, preview: Some(&value.preview) };
    let id = api.outward(api.keepsake.erasure.erase(&caller, &order).await)?;
    Ok((StatusCode::ACCEPTED, Json(Accepted { id })))
}

/// The receipt. `status` is `queued`, `running` or `unverified` at first, and ends as `verified` or `partial`.
#[utoipa::path(get, path = "/v1/erasures/{id}", operation_id = "receipt", params(("id" = ItemId, Path)), security(("key" = ["erase"])),
    responses((status = 200, body = ReceiptAnswer, description = "The receipt"), (status = 404)))]
pub async fn receipt(State(api): State<Api>, caller: Caller, Named(id): Named) -> Answer<Json<ReceiptAnswer>> {
    let receipt = api.outward(api.keepsake.erasure.receipt(&caller, &id).await)?;
    Ok(Json(ReceiptAnswer { receipt }))
}

/// Everything held about a user, with who looked at it, and why some columns are left out; as `html` a document for the person. It is
/// sent while it is read; one that ends early is cut off. A key bound to the user needs no scope for it.
#[utoipa::path(get, path = "/v1/users/{id}/export", operation_id = "export_user", security(("key" = ["export"])),
    params(("id" = UserId, Path, description = "The user"), ("format" = Option<ExportFormat>, Query)), tag = "erasures", extensions(("x-scope-unless-own" = json!(true))),
    responses((status = 200, description = "Everything held", content((UserExport = "application/json"), (String = "text/html"))),
        (status = 422)))]
pub async fn export(
    State(api): State<Api>,
    caller: Caller,
    Named(id): Named,
    QueryString(As { format }): QueryString<As>,
) -> Answer<Response> {
    let user = caller.must_speak_for(Some(id))?;
    if format.as_deref().is_some_and(|format| !EXPORT_FORMATS.contains(&format)) {
        return Err(Problem::invalid(Field::Format, "must be json or html").into());
    }
    let form = if format.as_deref() == Some("html") { ExportForm::Document } else { ExportForm::Json };
    let export = api.outward(api.keepsake.exports.export_user(&caller, &user, form).await)?;
    let headers = [(header::CACHE_CONTROL, "no-store"), (header::CONTENT_TYPE, form.media_type())];
    Ok((headers, Body::from_stream(export.pieces())).into_response())
}
