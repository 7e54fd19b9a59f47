//! A line of a chat becomes a reply.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::chat_wire::{CommandAnswer, CommandRequest};
use super::reply::{Answer, Posted};
use crate::access::callers::Caller;
use crate::domain::provenance::Surface;
use crate::service::commands::Line;

/// Carries out `/remember`, `/forget`, `/memory`, `/memories`, `/reset` and `/help`, in English or Indonesian. With `handled` false
/// the line is for the assistant.
#[utoipa::path(post, path = "/v1/commands", request_body = CommandRequest, security(("key" = [])),
    responses((status = 200, body = CommandAnswer), (status = 400), (status = 401), (status = 403),
        (status = 409, description = "`erasure_running`"), (status = 422), (status = 429)))]
pub async fn command(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<CommandRequest>,
) -> Answer<Json<CommandAnswer>> {
    let line = Line {
        user: caller.must_speak_for(value.user_id)?,
        surface: Surface::new(value.surface)?,
        thread: value.thread,
        text: value.text,
        language: value.language,
    };
    Ok(Json(api.outward(api.keepsake.command(&caller, line).await)?.into()))
}
