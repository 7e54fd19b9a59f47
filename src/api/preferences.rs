//! A user's preferences, and the tools by which a model saves and forgets them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;

use super::Api;
use super::chat_wire::{All, KeptAnswer, PreferenceItem, PreferenceRequest, ToolAnswer, ToolRequest, ToolsAnswer};
use super::notes::{Owner, kept};
use super::reply::{Answer, Posted, QueryString};
use crate::access::callers::{Caller, Scope};
use crate::domain::memory::Content;
use crate::domain::provenance::Surface;
use crate::service::tools;

#[derive(Deserialize)]
pub struct ListParams {
    user_id: Option<String>,
    platform: Option<String>,
}

/// Saves a preference, for one platform or for all.
#[utoipa::path(post, path = "/v1/preferences", request_body = PreferenceRequest, security(("key" = [])),
    responses((status = 201, body = KeptAnswer, description = "saved"), (status = 200, body = KeptAnswer, description = "known"),
        (status = 400), (status = 401), (status = 403),
        (status = 409, description = "`cap_exceeded` with `max`: nothing was dropped, and one must be forgotten first; or `erasure_running`"),
        (status = 422), (status = 429)))]
pub async fn add(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<PreferenceRequest>,
) -> Answer<(StatusCode, Json<KeptAnswer>)> {
    let user = caller.must_speak_for(value.user_id)?;
    let platform = value.platform.map(Surface::new).transpose()?;
    let content = Content::new(&value.content)?;
    Ok(kept(&api.outward(api.keepsake.add_preference(&caller, &user, platform.as_ref(), &content).await)?))
}

/// A user's preferences, oldest first; with `platform` those that hold there.
#[utoipa::path(get, path = "/v1/preferences", security(("key" = [])),
    params(("user_id" = Option<String>, Query), ("platform" = Option<String>, Query)),
    responses((status = 200, body = All<PreferenceItem>), (status = 401), (status = 403), (status = 422), (status = 429)))]
pub async fn list(
    State(api): State<Api>,
    caller: Caller,
    QueryString(asked): QueryString<ListParams>,
) -> Answer<Json<All<PreferenceItem>>> {
    let user = caller.must_speak_for(asked.user_id)?;
    let platform = asked.platform.map(Surface::new).transpose()?;
    let preferences = api.outward(api.keepsake.preferences(&caller, &user, platform.as_ref()).await)?;
    let max = api.keepsake.settings().preferences_max;
    Ok(Json(All { items: preferences.into_iter().map(PreferenceItem::from).collect(), max }))
}

/// Deletes one preference.
#[utoipa::path(delete, path = "/v1/preferences/{id}", security(("key" = [])), params(("user_id" = Option<String>, Query)),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 422), (status = 429)))]
pub async fn delete(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    QueryString(owner): QueryString<Owner>,
) -> Answer<StatusCode> {
    let user = caller.must_speak_for(owner.user_id)?;
    api.outward(api.keepsake.delete_preference(&caller, &user, &id).await)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The tools to give to a model, in the form of each provider.
#[utoipa::path(get, path = "/v1/tools", security(("key" = [])),
    responses((status = 200, body = ToolsAnswer), (status = 401), (status = 403), (status = 429)))]
pub async fn tools(caller: Caller) -> Answer<Json<ToolsAnswer>> {
    caller.needs(Scope::Read)?;
    Ok(Json(ToolsAnswer { openai: tools::for_openai(), anthropic: tools::for_anthropic() }))
}

/// Carries out one call of a model, for the user for whom the key speaks. The answer goes back to the model.
#[utoipa::path(post, path = "/v1/tools/{name}", request_body = ToolRequest, security(("key" = [])),
    responses((status = 200, body = ToolAnswer), (status = 400), (status = 401), (status = 403),
        (status = 404, description = "no such tool"), (status = 409, description = "`erasure_running`"), (status = 422), (status = 429)))]
pub async fn call_tool(
    State(api): State<Api>,
    caller: Caller,
    Path(name): Path<String>,
    Posted { value, .. }: Posted<ToolRequest>,
) -> Answer<Json<ToolAnswer>> {
    let user = caller.must_speak_for(value.user_id)?;
    let platform = Surface::new(value.surface)?;
    let reply = api.keepsake.call_tool(&caller, &user, &platform, &name, value.arguments).await;
    Ok(Json(api.outward(reply)?.into()))
}
