//! What every call may answer besides its result, with the shape of a problem.

use serde_json::{Value, json};

use super::operations;
use domain::problem::{CODES, Field};

/// The type of an error's body.
const PROBLEM_JSON: &str = "application/problem+json";

/// A code that only tools of MCP answer.
const OF_TOOLS: &str = "no_user";

/// Adds the errors that a call does not name itself, and gives each error its shape.
pub fn add(document: &mut Value) {
    document["components"]["schemas"]["Problem"] = problem();
    for (path, _, call) in operations(document) {
        if !path.starts_with("/v1/") {
            continue;
        }
        let has_body = call.get("requestBody").is_some();
        let Some(answers) = call.get_mut("responses").and_then(Value::as_object_mut) else { continue };
        let always = [400, 401, 403, 429, 500, 503, 504, 507];
        for status in always.into_iter().chain(has_body.then_some(413)) {
            answers.entry(status.to_string()).or_insert_with(|| json!({}));
        }
        for (status, answer) in answers.iter_mut().filter(|(status, _)| status.as_str() >= "400") {
            if answer["description"].as_str().unwrap_or_default().is_empty() {
                answer["description"] = words(status).into();
            }
            if status != "504" {
                answer["content"] = json!({ PROBLEM_JSON: { "schema": { "$ref": "#/components/schemas/Problem" } } });
            }
            if let Some(headers) = headers(status) {
                answer["headers"] = headers;
            }
        }
        answers.sort_keys();
    }
}

/// The description of an error that needs no words of its own: its codes, and what to do about each.
fn words(status: &str) -> String {
    if status == "504" {
        return "It took longer than 30 seconds. No body.".to_owned();
    }
    let status = status.parse().unwrap_or_default();
    let codes = CODES.iter().filter(|code| code.of_the_api && code.comes_with(status) && code.name != OF_TOOLS);
    codes.map(|code| format!("`{}`: {}.", code.name, code.then)).collect::<Vec<_>>().join(" ")
}

fn headers(status: &str) -> Option<Value> {
    let seconds = json!({ "type": "integer", "minimum": 1 });
    match status {
        "401" => Some(json!({ "WWW-Authenticate": {
            "description": "How to sign in", "required": true, "schema": { "type": "string", "enum": ["Bearer"] },
        } })),
        "429" | "503" | "507" => Some(json!({ "Retry-After": {
            "description": "Seconds after which a retry makes sense", "required": true, "schema": seconds,
        } })),
        "409" => Some(json!({ "Retry-After": { "description": "Seconds; with `erasure_running` alone", "schema": seconds } })),
        "412" => Some(json!({ "ETag": {
            "description": "The version that there is", "required": true, "schema": { "type": "string" },
        } })),
        _ => None,
    }
}

fn problem() -> Value {
    let codes: Vec<&str> = CODES.iter().filter(|code| code.of_the_api).map(|code| code.name).collect();
    let text = |description: &str| json!({ "type": "string", "description": description });
    json!({
        "type": "object",
        "description": "An error (RFC 9457). Programs decide by `code`; the other members depend on it.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": { "type": "string", "enum": ["about:blank"], "description": "Always `about:blank`: the `code` says more" },
            "title": text("The name of the status"),
            "status": { "type": "integer", "minimum": 400, "maximum": 599, "description": "The status of the answer" },
            "detail": text("What happened and what to do, for people"),
            "code": { "type": "string", "enum": codes, "description": "Stable" },
            "parser": text("What the parser says about a request that it cannot read"),
            "field": { "type": "string", "enum": Field::ALL.map(Field::name).to_vec(), "description": "The field that is not allowed" },
            "must": text("What the field must be"),
            "rules": {
                "type": "array", "items": { "type": "string" }, "description": "The rules that refused the text; never the text",
            },
            "scope": text("The scope that the key lacks"),
            "what": text("What is not there, or of what there are too many"),
            "max": { "type": "integer", "minimum": 0, "description": "How many there may be" },
            "own": text("The surface that the key speaks for"),
            "lines": {
                "type": "array", "items": {}, "description": "Where: the rules with their lines, or the lines on which a part was found",
            },
            "limit": text("What there would be too much of"),
            "value": { "type": "integer", "minimum": 0, "description": "How much or how many it would be" },
            "then": text("What to do about it"),
            "path": text("The path of the block that is in the way"),
            "matches": { "type": "integer", "minimum": 0, "description": "How often the part is in the text" },
            "expected": { "type": "integer", "minimum": 0, "description": "How often it should be" },
            "current": { "allOf": [{ "$ref": "#/components/schemas/BlockItem" }], "description": "The block as it is" },
            "id": text("The memory that says the same, or the block that is in the way"),
            "version": { "type": "integer", "description": "The version that there is" },
            "now": { "allOf": [{ "$ref": "#/components/schemas/ErasurePreview" }], "description": "The new preview" },
            "table": text("The table that cannot be read"),
            "retry_after_s": { "type": "integer", "minimum": 0, "description": "As in `Retry-After`" },
            "max_bytes": { "type": "integer", "minimum": 0, "description": "The most that a body may have" },
            "incident": text("The number of the failure in the log"),
        },
        "example": {
            "type": "about:blank", "title": "Unprocessable Entity", "status": 422,
            "detail": "importance must be a whole number from 1 to 5.", "code": "invalid",
            "field": "importance", "must": "must be a whole number from 1 to 5",
        },
    })
}
