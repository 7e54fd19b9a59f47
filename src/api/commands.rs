//! A line of a chat becomes a reply.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::chat_wire::{CommandAnswer, CommandRequest};
use super::reply::{Answer, Posted};
use access::callers::Caller;
use service::chat::commands::ChatLine;

/// Carries out `/remember`, `/forget`, `/memory`, `/memories`, `/reset` and `/help`, in English or Indonesian. With `handled` false
/// the line is for the assistant.
#[utoipa::path(post, path = "/v1/commands", operation_id = "command", security(("key" = ["write"])),
    request_body(content = CommandRequest, example = json!({"user_id": "u1", "surface": "telegram", "thread": "t1",
        "text": "/remember the wifi is on the second floor", "language": "en"})),
    extensions(("x-scope-of-lines" = json!({ "/memory": "read", "/memories": "read", "/forget all": "erase", "/help": "none" }))),
    responses((status = 200, body = CommandAnswer, description = "The reply, or that the line is no command"),
        (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn command(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<CommandRequest>,
) -> Answer<Json<CommandAnswer>> {
    let line = ChatLine {
        user: caller.must_speak_for(value.user_id)?,
        surface: caller.must_speak_on(value.surface)?,
        thread: value.thread,
        text: value.text,
        language: value.language,
    };
    Ok(Json(api.outward(api.keepsake.commands.command(&caller, line).await)?.into()))
}
