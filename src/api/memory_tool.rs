//! The memory tool of assistants: a host forwards what the model sends, and gives back what comes.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use super::Api;
use super::memory_tool_wire::{ByTheHost, MemoryToolAnswer, MemoryToolRequest};
use super::reply::{Answer, Posted, malformed};
use access::callers::Caller;
use domain::blocks::memory_tool::MemoryToolCommand;
use domain::facts::provenance::Surface;
use service::blocks::{Hand, MemoryToolReply};

/// The surface of a call that names none, with a key that is bound to none.
const SURFACE: &str = "memory-tool";

/// Carries out `view`, `create`, `str_replace`, `insert`, `delete` or `rename` on the blocks of the user's default store. The replies
/// are those of the published helpers. What the model can mend comes with `is_error`.
#[utoipa::path(post, path = "/v1/memory-tool", operation_id = "memory_tool", tag = "blocks", security(("key" = ["write"])),
    request_body(content = MemoryToolRequest, example = json!({"user_id": "u1", "surface": "web", "command": "create",
        "path": "/memories/plan.md", "file_text": "# Plan\n- tidy the desk\n"})),
    extensions(("x-scope-of-lines" = json!({ "view": "read" }))),
    responses((status = 200, body = MemoryToolAnswer, description = "What the model gets"),
        (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn call(State(api): State<Api>, caller: Caller, Posted { value, .. }: Posted<Value>) -> Answer<Json<MemoryToolAnswer>> {
    let ByTheHost { user_id, surface, allow_shrink } = ByTheHost::deserialize(&value).map_err(malformed)?;
    let user = caller.must_speak_for(user_id)?;
    let surface = caller.speaks_on(surface)?.map_or_else(|| Surface::new(SURFACE), Ok)?;
    let reply = match MemoryToolCommand::deserialize(&value) {
        Ok(command) => {
            let hand = Hand { caller: &caller, user: &user, surface: &surface };
            api.outward(api.keepsake.memory_tool.memory_tool(&hand, &command, allow_shrink.unwrap_or_default()).await)?
        }
        Err(error) => MemoryToolReply { content: malformed(error).to_string(), is_error: true },
    };
    Ok(Json(reply.into()))
}
