//! The tools by which a model saves and forgets preferences.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::chat_wire::{ToolAnswer, ToolRequest, ToolsAnswer};
use super::reply::{Answer, Named, Posted};
use super::values::ToolName;
use access::callers::{Caller, Scope};
use service::chat::tools;

/// The tools to give to a model, in the form of each provider.
#[utoipa::path(get, path = "/v1/tools", operation_id = "tools", security(("key" = ["read"])),
    responses((status = 200, body = ToolsAnswer, description = "The tools")))]
pub async fn list(caller: Caller) -> Answer<Json<ToolsAnswer>> {
    caller.needs(Scope::Read)?;
    Ok(Json(ToolsAnswer { openai: tools::for_openai(), anthropic: tools::for_anthropic() }))
}

/// Carries out one call of a model, for the user for whom the key speaks. The answer goes back to the model.
#[utoipa::path(post, path = "/v1/tools/{name}", operation_id = "call_tool", security(("key" = ["write"])),
    request_body(content = ToolRequest, example = json!({"user_id": "u1", "surface": "web",
        "arguments": {"content": "Short answers, please", "thisPlatformOnly": true}})),
    params(("name" = ToolName, Path)),
    responses((status = 200, body = ToolAnswer, description = "What the model gets; what it can mend is in `status`"),
        (status = 404, description = "`not_found`: there is no such tool"), (status = 409, description = "`erasure_running`"),
        (status = 422)))]
pub async fn call(
    State(api): State<Api>,
    caller: Caller,
    Named(name): Named,
    Posted { value, .. }: Posted<ToolRequest>,
) -> Answer<Json<ToolAnswer>> {
    let user = caller.must_speak_for(value.user_id)?;
    let platform = caller.must_speak_on(value.surface)?;
    let reply = api.keepsake.commands.call_tool(&caller, &user, &platform, &name, value.arguments).await;
    Ok(Json(api.outward(reply)?.into()))
}
