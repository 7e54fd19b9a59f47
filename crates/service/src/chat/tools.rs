//! Tools that a model calls to keep and to delete what a user told it. The user is the one for whom the caller speaks, never an
//! argument: a model can be talked into anything, so it cannot name another user.

use serde::Deserialize;
use serde_json::{Value, json};

use super::notes::NoteOutcome;
use crate::chat::commands::ChatCommands;
use crate::transactions::atomically;
use crate::{Error, Result};
use access::callers::{Caller, Scope};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::Content;
use domain::problem::Problem;

const REMEMBER: &str = "rememberPreference";
const FORGET: &str = "forgetMemory";
/// Every tool.
pub const NAMES: [&str; 2] = [REMEMBER, FORGET];
const REMEMBER_DOES: &str = "Save a lasting preference of the user, such as a default repository or a style of answers. Call it only when \
                             the user asks you to remember something. Never save secrets.";
const FORGET_DOES: &str = "Delete one thing that was saved for the user, by its id in <user_memories>. Call it when the user asks you to \
                           forget it.";

/// Reply of a tool to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolReply {
    pub status: &'static str,
    pub id: Option<String>,
    pub message: String,
}

/// Unknown fields are ignored, so a user named here has no effect.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remember {
    content: String,
    #[serde(default)]
    this_platform_only: bool,
}

#[derive(Deserialize)]
struct Forget {
    id: String,
}

/// Name, purpose, and schema of the arguments.
fn tools() -> [(&'static str, &'static str, Value); 2] {
    let remember = json!({
        "type": "object",
        "properties": {
            "content": {
                "type": "string",
                "minLength": 1,
                "maxLength": 500,
                "description": "One preference, as a short statement.",
            },
            "thisPlatformOnly": {
                "type": "boolean",
                "description": "True if it holds only on the platform of this conversation. Otherwise it holds everywhere.",
            },
        },
        "required": ["content"],
        "additionalProperties": false,
    });
    let forget = json!({
        "type": "object",
        "properties": { "id": { "type": "string", "description": "The id in brackets, such as pref_…" } },
        "required": ["id"],
        "additionalProperties": false,
    });
    [(REMEMBER, REMEMBER_DOES, remember), (FORGET, FORGET_DOES, forget)]
}

/// Returns the tools in the format of the OpenAI API.
#[must_use]
pub fn for_openai() -> Value {
    let tool = |(name, description, parameters)| json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } });
    tools().map(tool).to_vec().into()
}

/// Returns the tools in the format of the Anthropic API.
#[must_use]
pub fn for_anthropic() -> Value {
    let tool = |(name, description, schema)| json!({ "name": name, "description": description, "input_schema": schema });
    tools().map(tool).to_vec().into()
}

impl ChatCommands {
    /// Carries out one call of a model. Errors that the model can fix are in the reply; all others go to the caller.
    pub async fn call_tool(
        &self,
        caller: &Caller,
        user: &UserId,
        platform: &Surface,
        name: &str,
        arguments: Value,
    ) -> Result<ToolReply> {
        caller.needs(Scope::Write)?;
        match name {
            REMEMBER => match serde_json::from_value(arguments) {
                Ok(asked) => self.remember_preference(caller, user, platform, asked).await,
                Err(_) => Ok(reply("invalid", "`content` must be a string, and `thisPlatformOnly` true or false.")),
            },
            FORGET => match serde_json::from_value(arguments) {
                Ok(Forget { id }) => self.forget_told(caller, user, id).await,
                Err(_) => Ok(reply("invalid", "`id` must be a string.")),
            },
            _ => Err(Problem::not_found("tool").into()),
        }
    }

    async fn remember_preference(
        &self,
        caller: &Caller,
        user: &UserId,
        platform: &Surface,
        asked: Remember,
    ) -> Result<ToolReply> {
        let content = match Content::new(&asked.content) {
            Ok(content) => content,
            Err(problem) => return Ok(reply("invalid", problem.to_string())),
        };
        let platform = asked.this_platform_only.then_some(platform);
        match self.chat.add_preference(caller, user, platform, &content).await {
            Ok(NoteOutcome::Saved(id)) => {
                Ok(ToolReply { id: Some(id), ..reply("saved", "Saved. Tell the user that you will remember it.") })
            }
            Ok(NoteOutcome::Known(id)) => {
                Ok(ToolReply { id: Some(id), ..reply("known", "You know this already. Nothing was changed.") })
            }
            Err(Error::Refused(Problem::CapExceeded { max, .. })) => Ok(reply(
                "cap_exceeded",
                format!(
                    "Not saved: the user has {max} preferences, and no more are kept. Ask the user which one to forget, call {FORGET} \
                     with its id, and then save this one."
                ),
            )),
            Err(Error::Refused(Problem::Refused { rules, .. })) => Ok(reply(
                "refused",
                format!("Not saved: it seems to contain a secret or an instruction ({}). Tell the user.", rules.join(", ")),
            )),
            Err(error) => Err(error),
        }
    }

    /// Deletes the preference, note or personal memory with this id.
    async fn forget_told(&self, caller: &Caller, user: &UserId, id: String) -> Result<ToolReply> {
        caller.needs(Scope::Write)?;
        let ids = [id.clone()];
        let gone = atomically!(self.store.as_ref(), [ids], |tx| {
            let told = tx.delete_preferences(user, ids).await? + tx.delete_notes(user, ids).await?;
            Ok(told > 0 || tx.delete_memory(user, &ids[0]).await?)
        })
        .await?;
        Ok(if gone {
            ToolReply { id: Some(id), ..reply("forgotten", "Forgotten. Tell the user that it is gone.") }
        } else {
            reply("not_found", "Nothing of this user has that id. Look at the ids in <user_memories>.")
        })
    }
}

fn reply(status: &'static str, message: impl Into<String>) -> ToolReply {
    ToolReply { status, id: None, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tool_takes_a_user() {
        for (name, does, schema) in tools() {
            let fields: Vec<&String> = schema["properties"].as_object().expect("properties").keys().collect();
            assert!(fields.iter().all(|field| !field.to_lowercase().contains("user")), "{name}: {fields:?}");
            assert_eq!(schema["additionalProperties"], false);
            assert!(does.ends_with('.'));
        }
        assert_eq!(for_openai()[0]["function"]["name"], REMEMBER);
        assert_eq!(for_anthropic()[1]["name"], FORGET);
        assert_eq!(for_anthropic()[1]["input_schema"], for_openai()[1]["function"]["parameters"]);
    }
}
