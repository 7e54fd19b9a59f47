//! The fields of a user's profile.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::Api;
use super::chat_wire::{All, ProfileItem, ProfileRequest};
use super::reply::{Answer, Named, Owner, Posted};
use super::values::FieldName;
use access::callers::Caller;
use domain::chat::profile::{FIELDS_MAX, FieldValue};

/// A user's fields, by name.
#[utoipa::path(get, path = "/v1/profile", operation_id = "profile", security(("key" = ["read"])),
    params(Owner),
    responses((status = 200, body = All<ProfileItem>, description = "All of them"), (status = 422)))]
pub async fn list(State(api): State<Api>, Owner { caller, user }: Owner) -> Answer<Json<All<ProfileItem>>> {
    let fields = api.outward(api.keepsake.chat.profile(&caller, &user).await)?;
    let max = u32::try_from(FIELDS_MAX).unwrap_or(u32::MAX);
    Ok(Json(All { items: fields.into_iter().map(ProfileItem::from).collect(), max }))
}

/// One field.
#[utoipa::path(get, path = "/v1/profile/{key}", operation_id = "profile_field", security(("key" = ["read"])),
    params(("key" = FieldName, Path), Owner),
    responses((status = 200, body = ProfileItem, description = "The field"), (status = 404), (status = 422)))]
pub async fn one(State(api): State<Api>, Owner { caller, user }: Owner, Named(key): Named) -> Answer<Json<ProfileItem>> {
    Ok(Json(api.outward(api.keepsake.chat.profile_field(&caller, &user, &key).await)?.into()))
}

/// Adds a field, or replaces its value as a whole.
#[utoipa::path(put, path = "/v1/profile/{key}", operation_id = "set_profile_field", security(("key" = ["write"])),
    request_body(content = ProfileRequest, example = json!({"user_id": "u1", "value": "en"})), params(("key" = FieldName, Path)),
    responses((status = 200, body = ProfileItem, description = "The field as it is now"),
        (status = 409, description = "`cap_exceeded` with `max`, or `erasure_running`"), (status = 422)))]
pub async fn set(
    State(api): State<Api>,
    caller: Caller,
    Named(key): Named,
    Posted { value, .. }: Posted<ProfileRequest>,
) -> Answer<Json<ProfileItem>> {
    let user = caller.must_speak_for(value.user_id)?;
    let said = FieldValue::new(value.value)?;
    Ok(Json(api.outward(api.keepsake.chat.set_profile_field(&caller, &user, &key, said).await)?.into()))
}

/// Deletes one field.
#[utoipa::path(delete, path = "/v1/profile/{key}", operation_id = "delete_profile_field", security(("key" = ["write"])),
    params(("key" = FieldName, Path), Owner),
    responses((status = 204, description = "Deleted"), (status = 404), (status = 422)))]
pub async fn delete(State(api): State<Api>, Owner { caller, user }: Owner, Named(key): Named) -> Answer<StatusCode> {
    api.outward(api.keepsake.chat.delete_profile_field(&caller, &user, &key).await)?;
    Ok(StatusCode::NO_CONTENT)
}
