//! Codes that link a chat to a user, and the end of such links.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Api;
use super::answers::Timestamp;
use super::reply::{Answer, Owner, Posted};
use super::values::UserId;
use access::callers::Caller;

#[derive(Deserialize, ToSchema)]
pub struct LinkRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct LinkAnswer {
    /// Good once, until `expires_at`.
    pub code: String,
    /// What the user sends to the bot.
    pub send: String,
    pub expires_at: Timestamp,
}

#[derive(Serialize, ToSchema)]
pub struct UnlinkAnswer {
    /// How many chats were linked.
    pub unlinked: u64,
}

/// Makes a code that links a chat of Telegram to a user. An earlier code of the user is no longer good. Whoever sends the code can
/// read, change and erase what is remembered, so the key must be allowed to do that too.
#[utoipa::path(post, path = "/v1/links", operation_id = "make_link_code", security(("key" = ["write"])),
    request_body(content = LinkRequest, example = json!({"user_id": "u1"})),
    extensions(("x-scope-also" = json!(["read", "erase"])), ("x-surface" = json!("telegram"))),
    responses((status = 201, body = LinkAnswer, description = "The code"), (status = 409, description = "`erasure_running`"),
        (status = 422)))]
pub async fn link(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<LinkRequest>,
) -> Answer<(StatusCode, Json<LinkAnswer>)> {
    let user = caller.must_speak_for(value.user_id)?;
    let made = api.outward(api.keepsake.links.make_link_code(&caller, &user).await)?;
    let send = format!("/link {}", made.code);
    Ok((StatusCode::CREATED, Json(LinkAnswer { send, code: made.code, expires_at: Timestamp(made.expires_at) })))
}

/// Unlinks every chat of a user. What is remembered stays.
#[utoipa::path(delete, path = "/v1/links", operation_id = "unlink_chats", security(("key" = ["write"])),
    params(Owner),
    responses((status = 200, body = UnlinkAnswer, description = "How many were linked"), (status = 422)))]
pub async fn unlink(State(api): State<Api>, Owner { caller, user }: Owner) -> Answer<Json<UnlinkAnswer>> {
    Ok(Json(UnlinkAnswer { unlinked: api.outward(api.keepsake.links.unlink_chats(&caller, &user).await)? }))
}
