//! A user's preferences.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::Api;
use super::chat_wire::{All, KeptAnswer, PreferenceItem, PreferenceRequest, kept};
use super::reply::{Answer, Named, Owner, Posted, QueryString};
use super::values::{self, ItemId};
use access::callers::Caller;
use domain::facts::provenance::Surface;
use domain::memory::Content;
use domain::problem::Problem;

#[derive(Deserialize)]
pub struct ListParams {
    platform: Option<String>,
}

/// The platform that is named: a key that is bound to a surface names no other. Without one it is about all of them, with every key.
fn platform(caller: &Caller, named: Option<String>) -> Result<Option<Surface>, Problem> {
    named.map(|named| caller.must_speak_on(Some(named))).transpose()
}

/// Saves a preference, for one platform or for all.
#[utoipa::path(post, path = "/v1/preferences", operation_id = "add_preference", security(("key" = ["write"])),
    request_body(content = PreferenceRequest,
        example = json!({"user_id": "u1", "content": "Short answers, please", "platform": "web"})),
    responses((status = 201, body = KeptAnswer, description = "Saved"), (status = 200, body = KeptAnswer, description = "Known already"),
        (status = 409, description = "`cap_exceeded` with `max`: nothing was dropped, and one must be forgotten first; or `erasure_running`"),
        (status = 422)))]
pub async fn add(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<PreferenceRequest>,
) -> Answer<(StatusCode, Json<KeptAnswer>)> {
    let user = caller.must_speak_for(value.user_id)?;
    let platform = platform(&caller, value.platform)?;
    let content = Content::new(&value.content)?;
    Ok(kept(&api.outward(api.keepsake.chat.add_preference(&caller, &user, platform.as_ref(), &content).await)?))
}

/// A user's preferences, oldest first; with `platform` those that hold there.
#[utoipa::path(get, path = "/v1/preferences", operation_id = "list_preferences", security(("key" = ["read"])),
    params(Owner, ("platform" = Option<values::Surface>, Query, description = "Those that hold on this surface; absent: all")),
    responses((status = 200, body = All<PreferenceItem>, description = "All of them"), (status = 422)))]
pub async fn list(
    State(api): State<Api>,
    Owner { caller, user }: Owner,
    QueryString(asked): QueryString<ListParams>,
) -> Answer<Json<All<PreferenceItem>>> {
    let platform = platform(&caller, asked.platform)?;
    let preferences = api.outward(api.keepsake.chat.preferences(&caller, &user, platform.as_ref()).await)?;
    let max = api.keepsake.settings.current().preferences_max;
    Ok(Json(All { items: preferences.into_iter().map(PreferenceItem::from).collect(), max }))
}

/// Deletes one preference.
#[utoipa::path(delete, path = "/v1/preferences/{id}", operation_id = "delete_preference", security(("key" = ["write"])),
    params(("id" = ItemId, Path), Owner),
    responses((status = 204, description = "Deleted"), (status = 404), (status = 422)))]
pub async fn delete(State(api): State<Api>, Owner { caller, user }: Owner, Named(id): Named) -> Answer<StatusCode> {
    api.outward(api.keepsake.chat.delete_preference(&caller, &user, &id).await)?;
    Ok(StatusCode::NO_CONTENT)
}
