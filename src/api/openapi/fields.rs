//! The bounds, the allowed values and the examples of fields and parameters. The bounds are those that the domain checks.

use serde_json::{Value, json};

use super::{block_faces, blocks, chats, operations};
use crate::api::exchanges::IDEMPOTENCY_KEY_MAX_BYTES;
use crate::api::notes::INCLUDE_MAX_BYTES;
use crate::api::recall_wire::BLOCKS;
use crate::api::wire::{CURSOR_MAX_BYTES, EXTERNAL_ID_MAX_BYTES, LIMIT_DEFAULT, LIMIT_MAX};
use crate::api::{BODY_MAX_BYTES, erasures};
use crate::domain::chat::profile::FIELD_NAME_MAX_CHARS;
use crate::domain::chat::talk::{ARCHIVED_GIVEN, ARCHIVED_MAX, TURNS_GIVEN, TURNS_KEPT};
use crate::domain::erasure::people::USER_ID_MAX_BYTES;
use crate::domain::erasure::reason::{REASON_MAX_CHARS, REASON_MIN_CHARS};
use crate::domain::erasure::receipt;
use crate::domain::erasure::{Disposition, ErasureScope, Status};
use crate::domain::facts::fact::FactKind;
use crate::domain::facts::provenance::{Origin, SURFACE_MAX_BYTES};
use crate::domain::memory::claim::MOST_FORGOTTEN;
use crate::domain::memory::exchange::{ExchangeStatus, THREAD_MAX_BYTES};
use crate::domain::memory::tags::{TAG_MAX_CHARS, TAGS_MAX};
use crate::domain::memory::{CONTENT_MAX_CHARS, MemoryKind};
use crate::domain::recall::asked::SEARCH_MAX_CHARS;
use crate::service::chat::tools;
use crate::service::recall::{BUDGET_MAX, K_MAX, QUERY_MAX_CHARS};

/// Other names of origins, which a request may use.
const ORIGIN_ALIASES: [&str; 2] = ["busybro", "claude-code"];
/// What `include` may name.
const PARTS: &str = "^(profile|notes|preferences|blocks)(,(profile|notes|preferences|blocks))*$";
/// Longest id of a path in bytes; no id of ours is as long.
const ID_MAX_BYTES: usize = 256;

/// Adds them to the document.
pub fn bound(document: &mut Value) {
    shapes(document);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        let every = fields().into_iter().chain(chats::fields()).chain(blocks::fields()).chain(block_faces::fields());
        for (schema, field, more) in every {
            if let Some(property) = schemas.get_mut(schema).and_then(|schema| schema["properties"].get_mut(field)) {
                merge(property, more);
            }
        }
    }
    for (path, _, call) in operations(document) {
        let parameters = call.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten();
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap_or_default().to_owned();
            if let Some((schema, words, example)) = blocks::parameter_of(path, &name).or_else(|| parameter_of(path, &name)) {
                merge(&mut parameter["schema"], schema);
                if parameter["description"].as_str().unwrap_or_default().is_empty() {
                    parameter["description"] = words.into();
                }
                parameter["example"] = example;
            }
        }
        let Some(body) = call.pointer_mut("/requestBody/content/application~1json") else { continue };
        let schema = body["schema"]["$ref"].as_str().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
        let example = EXAMPLES
            .iter()
            .chain(blocks::EXAMPLES)
            .find(|(name, _)| *name == schema)
            .and_then(|(_, text)| serde_json::from_str(text).ok());
        if let Some(example) = example {
            body["example"] = example;
        }
    }
}

/// Puts the members of `more` into a schema. A field that may be absent may be null too.
fn merge(schema: &mut Value, mut more: Value) {
    let nullable = schema["type"].as_array().is_some_and(|types| types.contains(&"null".into()));
    if let (true, Some(values)) = (nullable, more["enum"].as_array_mut()) {
        values.push(Value::Null);
    }
    if let (Some(schema), Value::Object(more)) = (schema.as_object_mut(), more) {
        schema.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    }
}

pub(super) fn user_id() -> Value {
    json!({ "minLength": 1, "maxLength": USER_ID_MAX_BYTES, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$", "example": "u1" })
}

pub(super) fn surface() -> Value {
    json!({ "minLength": 1, "maxLength": SURFACE_MAX_BYTES, "pattern": "^[a-z0-9_-]{1,32}$", "example": "web" })
}

pub(super) fn content() -> Value {
    json!({ "minLength": 1, "maxLength": CONTENT_MAX_CHARS })
}

fn importance() -> Value {
    json!({ "minimum": 1, "maximum": 5, "example": 3 })
}

pub(super) fn thread() -> Value {
    json!({ "maxLength": THREAD_MAX_BYTES, "example": "t1" })
}

pub(super) fn at() -> Value {
    json!({ "format": "date-time", "maxLength": 64, "example": "2026-11-01T10:00:00Z" })
}

fn to_come() -> Value {
    json!({ "format": "date-time", "maxLength": 64, "example": "2036-11-01T10:00:00Z" })
}

/// A text whose length no rule bounds but that of a body.
pub(super) fn any_text() -> Value {
    json!({ "maxLength": BODY_MAX_BYTES })
}

fn tag() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": TAG_MAX_CHARS, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$" })
}

pub(super) fn tags() -> Value {
    json!({ "maxItems": TAGS_MAX, "items": tag() })
}

/// Entity tags, as in RFC 9110.
fn if_match() -> Value {
    json!({ "minLength": 1, "maxLength": 256, "pattern": "^(\\*|(W/)?\"[0-9]{1,18}\")$" })
}

pub(super) fn one_of(names: &[&str]) -> Value {
    json!({ "enum": names })
}

fn origins() -> Value {
    let names = Origin::ALL.iter().map(|origin| origin.as_str()).chain(ORIGIN_ALIASES);
    json!({ "enum": names.collect::<Vec<_>>() })
}

fn scopes() -> Value {
    one_of(&ErasureScope::ALL.map(ErasureScope::as_str))
}

/// Schema, field, and what is added to it.
fn fields() -> Vec<(&'static str, &'static str, Value)> {
    let message = json!({ "maxLength": BODY_MAX_BYTES, "default": "" });
    let kinds = one_of(&MemoryKind::ALL.map(MemoryKind::as_str));
    let fact_kinds = one_of(&FactKind::ALL.map(FactKind::as_str));
    let every_kind = one_of(&["fact", "preference", "correction", "episode", "howto", "reference", "glossary"]);
    let mut origin_list = json!({ "minItems": 1, "items": { "type": "string" } });
    merge(&mut origin_list["items"], origins());
    let mut kind_list = json!({ "items": { "type": "string" } });
    merge(&mut kind_list["items"], kinds.clone());
    let dispositions = [Disposition::Deleted, Disposition::Settled, Disposition::Stays, Disposition::Kept];
    vec![
        ("ExchangeRecord", "id", json!({ "minLength": 1, "maxLength": EXTERNAL_ID_MAX_BYTES, "example": "m-1042" })),
        ("ExchangeRecord", "user_id", user_id()),
        ("ExchangeRecord", "surface", surface()),
        ("ExchangeRecord", "thread", thread()),
        ("ExchangeRecord", "at", at()),
        ("ExchangeRecord", "user", message.clone()),
        ("ExchangeRecord", "assistant", message),
        ("ExchangeState", "status", one_of(&ExchangeStatus::ALL.map(ExchangeStatus::as_str))),
        ("RecallRequest", "user_id", user_id()),
        ("RecallRequest", "surface", surface()),
        ("RecallRequest", "query", json!({ "minLength": 1, "maxLength": QUERY_MAX_CHARS })),
        ("RecallRequest", "k", json!({ "minimum": 0, "maximum": K_MAX, "example": 8 })),
        ("RecallRequest", "kinds", kind_list),
        ("RecallRequest", "include", json!({ "maxItems": 1, "items": { "type": "string", "enum": [BLOCKS] } })),
        ("PassageParent", "updated_at", json!({ "format": "date-time" })),
        ("RecallRequest", "budget", json!({ "minimum": 0, "maximum": BUDGET_MAX, "example": 1_000 })),
        ("RecallRequest", "as_of", at()),
        ("RecallRequest", "explain", json!({ "default": false })),
        ("TagsAsked", "all", tags()),
        ("TagsAsked", "any", tags()),
        ("TagsAsked", "none", tags()),
        ("Origins", "only", origin_list.clone()),
        ("Origins", "exclude", origin_list),
        ("RecallItem", "kind", every_kind),
        ("RecallItem", "at", json!({ "format": "date-time" })),
        ("RecallItem", "importance", importance()),
        ("RecallItem", "confidence", json!({ "minimum": 0, "maximum": 1 })),
        ("RememberRequest", "user_id", user_id()),
        ("RememberRequest", "surface", surface()),
        ("RememberRequest", "kind", kinds.clone()),
        ("RememberRequest", "content", content()),
        ("RememberRequest", "importance", importance()),
        ("RememberRequest", "thread", thread()),
        ("RememberRequest", "at", at()),
        ("RememberRequest", "tags", tags()),
        ("RememberRequest", "expires_at", to_come()),
        ("EditRequest", "content", content()),
        ("EditRequest", "kind", kinds.clone()),
        ("EditRequest", "importance", importance()),
        ("EditRequest", "tags", tags()),
        ("EditRequest", "expires_at", to_come()),
        ("Remembered", "outcome", one_of(&["inserted", "merged", "replaced"])),
        ("MemoryVersion", "kind", kinds.clone()),
        ("MemoryVersion", "importance", importance()),
        ("MemoryVersion", "expires_at", json!({ "format": "date-time" })),
        ("MemoryVersion", "at", json!({ "format": "date-time" })),
        ("MemoryVersion", "how", one_of(&["created", "merged", "corrected", "edited", "undone"])),
        ("MemoryItem", "kind", kinds),
        ("MemoryItem", "expires_at", json!({ "format": "date-time" })),
        ("MemoryItem", "importance", importance()),
        ("MemoryItem", "last_recalled_at", json!({ "format": "date-time" })),
        ("MemoryItem", "created_at", json!({ "format": "date-time" })),
        ("MemoryItem", "updated_at", json!({ "format": "date-time" })),
        ("LinkRequest", "user_id", user_id()),
        ("ForgetRequest", "user_id", user_id()),
        ("ForgetRequest", "query", json!({ "minLength": 1, "maxLength": QUERY_MAX_CHARS })),
        (
            "ForgetRequest",
            "ids",
            json!({ "minItems": 1, "maxItems": MOST_FORGOTTEN, "items": { "type": "string", "maxLength": ID_MAX_BYTES } }),
        ),
        ("ForgetRequest", "all", json!({ "default": false })),
        ("ProposeRequest", "user_id", user_id()),
        ("ProposeRequest", "surface", surface()),
        ("ProposeRequest", "kind", fact_kinds.clone()),
        ("ProposeRequest", "content", content()),
        ("ProposeRequest", "importance", importance()),
        ("ProposeRequest", "origin", origins()),
        ("ProposeAnswer", "outcome", one_of(&["pending", "merged", "promoted", "refused"])),
        ("FactItem", "kind", fact_kinds),
        ("FactItem", "importance", importance()),
        ("FactItem", "origin", one_of(&Origin::ALL.map(Origin::as_str))),
        ("FactItem", "confidence", json!({ "minimum": 0, "maximum": 1 })),
        ("ErasureRequest", "scope", scopes()),
        ("ErasureRequest", "reason", json!({ "minLength": REASON_MIN_CHARS, "maxLength": REASON_MAX_CHARS })),
        ("ErasureRequest", "preview", json!({ "minLength": 1, "maxLength": ID_MAX_BYTES })),
        ("ErasureTable", "result", json!({ "enum": dispositions })),
    ]
}

/// The schema, the description and an example of a parameter.
fn parameter_of(path: &str, name: &str) -> Option<(Value, &'static str, Value)> {
    let known = match name {
        "id" if path.contains("/users/") => (user_id(), "The user", json!("u1")),
        "id" => (json!({ "minLength": 1, "maxLength": ID_MAX_BYTES }), "Its id", json!("mem_qv0ny82k41c7x3s6hd5t")),
        "user_id" => (user_id(), "The user. A key that is bound to one may leave it out.", json!("u1")),
        "limit" if path == "/v1/history" => (
            json!({ "minimum": 1, "maximum": TURNS_KEPT, "default": TURNS_GIVEN }),
            "How many at the most, the last ones",
            json!(TURNS_GIVEN),
        ),
        "limit" if path == "/v1/history/archive" => (
            json!({ "minimum": 1, "maximum": ARCHIVED_MAX, "default": ARCHIVED_GIVEN }),
            "How many resets at the most, the last ones",
            json!(ARCHIVED_GIVEN),
        ),
        "limit" => (
            json!({ "minimum": 1, "maximum": LIMIT_MAX, "default": LIMIT_DEFAULT }),
            "How many at the most",
            json!(LIMIT_DEFAULT),
        ),
        "surface" => (surface(), "The surface. A key that is bound to one may leave it out.", json!("web")),
        "platform" => (surface(), "Those that hold on this surface; absent: all", json!("web")),
        "thread" => (thread(), "The conversation; absent: the one without a name", json!("t1")),
        "tag" => (tags(), "Only those with this tag; repeatable, and all must match", json!(["work"])),
        "include" => (
            json!({ "minLength": 1, "maxLength": INCLUDE_MAX_BYTES, "pattern": PARTS }),
            "`profile`, `notes`, `preferences`, `blocks`, with commas between; absent: all",
            json!("profile,notes"),
        ),
        "key" => (
            json!({ "minLength": 1, "maxLength": FIELD_NAME_MAX_CHARS, "pattern": "^[a-z0-9_]{1,64}$" }),
            "The name of the field",
            json!("preferred_language"),
        ),
        "name" => (one_of(&tools::NAMES), "The tool", json!(tools::NAMES[0])),
        "If-Match" => (if_match(), "The `ETag` of the version that is meant, or `*` for any", json!("\"1\"")),
        "cursor" if path == "/v1/memories" => (
            json!({ "minLength": 1, "maxLength": 10, "pattern": "^[0-9]{1,10}$" }),
            "`next_cursor` of the page before",
            json!("118"),
        ),
        "cursor" if path == "/v1/history/archive" => (
            json!({ "minLength": 1, "maxLength": 16, "pattern": "^[0-9]{1,16}$" }),
            "`next_cursor` of the page before",
            json!("1795176000000"),
        ),
        "cursor" => {
            (json!({ "maxLength": CURSOR_MAX_BYTES }), "`next_cursor` of the page before", json!("gf_qv0ny82k41c7x3s6hd5t"))
        }
        "q" => (json!({ "maxLength": SEARCH_MAX_CHARS }), "Words, each by its beginning", json!("deploy")),
        "origin" => (json!({ "items": with_type(origins()) }), "Only these; repeatable", json!(["user"])),
        "kind" => (
            json!({ "items": with_type(one_of(&FactKind::ALL.map(FactKind::as_str))) }),
            "Only these; repeatable",
            json!(["fact"]),
        ),
        "scope" => (scopes(), "What would be erased; absent: everything", json!("everything")),
        "format" => (one_of(&erasures::FORMATS), "`json` if absent, or a page for people", json!("json")),
        "Idempotency-Key" => (
            json!({ "minLength": 1, "maxLength": IDEMPOTENCY_KEY_MAX_BYTES, "pattern": "^[!-~]+$" }),
            "The same key and body within 24 h get the same answer",
            json!("7c1e9a52"),
        ),
        _ => return None,
    };
    Some(known)
}

fn with_type(mut schema: Value) -> Value {
    schema["type"] = "string".into();
    schema
}

/// An example of each body. The tests send them.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "ExchangeRecord",
        r#"{"user_id":"u1","surface":"web","thread":"t1","user":"Remember that I work mostly on the iOS app.","assistant":"Noted."}"#,
    ),
    ("RecallRequest", r#"{"user_id":"u1","surface":"web","query":"Which app should I open?","k":5}"#),
    (
        "RememberRequest",
        r#"{"user_id":"u1","surface":"web","kind":"preference","content":"User prefers short answers","importance":4}"#,
    ),
    ("LinkRequest", r#"{"user_id":"u1"}"#),
    ("ForgetRequest", r#"{"user_id":"u1","query":"short answers"}"#),
    ("EditRequest", r#"{"content":"User prefers short answers in the morning","tags":["style"]}"#),
    (
        "CommandRequest",
        r#"{"user_id":"u1","surface":"telegram","thread":"t1","text":"/remember the wifi is on the second floor","language":"en"}"#,
    ),
    ("NoteRequest", r#"{"user_id":"u1","surface":"web","content":"The wifi is on the second floor"}"#),
    ("PreferenceRequest", r#"{"user_id":"u1","content":"Short answers, please","platform":"web"}"#),
    (
        "ToolRequest",
        r#"{"user_id":"u1","surface":"web","arguments":{"content":"Short answers, please","thisPlatformOnly":true}}"#,
    ),
    (
        "MemoryToolRequest",
        r##"{"user_id":"u1","surface":"web","command":"create","path":"/memories/plan.md","file_text":"# Plan\n- tidy the desk\n"}"##,
    ),
    ("ProfileRequest", r#"{"user_id":"u1","value":"en"}"#),
    (
        "HistoryRequest",
        r#"{"user_id":"u1","surface":"web","thread":"t1","turns":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hello!"}]}"#,
    ),
    ("ResetRequest", r#"{"user_id":"u1","surface":"web","thread":"t1"}"#),
    (
        "ProposeRequest",
        r#"{"user_id":"u1","kind":"fact","content":"The staging database is reset every Sunday night","surface":"web"}"#,
    ),
    ("ErasureRequest", r#"{"scope":"everything","reason":"SUP-4471","preview":"pv_6d0f3b1c9a7e5f28"}"#),
];

/// The shapes that come from the domain, which knows nothing of this document.
fn shapes(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    let number = |words: &str| json!({ "type": "number", "format": "double", "description": words });
    schemas["RecallItem"]["properties"]["parts"] = json!({
        "type": "object", "description": "The parts of the score", "required": ["distance", "importance", "recency"],
        "properties": {
            "distance": number("1 − cosine similarity"), "importance": number("Subtracted for importance"),
            "recency": number("Subtracted for recent use"), "confidence": number("Added for low confidence; team facts alone"),
        },
    });
    schemas["RecallItem"]["properties"]["legs"]["items"]["enum"] = json!(["vector", "words", "thread", "dates"]);
    schemas["ReceiptAnswer"] = receipt_shape();
    schemas["UserExport"] = json!({
        "type": "object", "description": "Everything held about a user, who looked at it, and what is left out and why",
        "required": ["schema", "user_id", "exported_at", "held", "reads", "withheld"],
        "properties": {
            "schema": { "type": "integer", "description": "The version of this shape" },
            "user_id": { "type": "string" },
            "exported_at": { "type": "string", "format": "date-time" },
            "held": {
                "type": "object", "description": "The rows, by table",
                "additionalProperties": { "type": "array", "items": { "type": "object" } },
            },
            "reads": { "type": "array", "items": { "type": "object" }, "description": "Who looked" },
            "withheld": { "type": "array", "items": { "type": "object" }, "description": "Columns that are left out, and why" },
        },
    });
}

fn receipt_shape() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    let time = json!({ "type": "string", "format": "date-time" });
    let text = json!({ "type": "string" });
    json!({
        "type": "object", "description": "The proof of an erasure: numbers, and what was checked. The user is in it as a keyed digest.",
        "required": [
            "schema", "id", "scope", "user_id_digest", "key_id", "reason", "by", "previewed_at", "confirmed_at", "status", "tables",
            "facts", "verification",
        ],
        "properties": {
            "schema": { "type": "integer", "enum": [receipt::SCHEMA], "description": "The version of this shape" },
            "id": text,
            "scope": with_type(scopes()),
            "user_id_digest": { "type": "string", "description": "HMAC-SHA-256 of the user id" },
            "key_id": { "type": "string", "description": "The key of that digest" },
            "reason": text,
            "by": { "type": "object", "required": ["kind", "id"], "properties": {
                "kind": { "type": "string", "enum": ["operator", "caller", "cli", "system"] }, "id": text,
            } },
            "previewed_at": time, "confirmed_at": time,
            "finished_at": { "type": ["string", "null"], "format": "date-time" },
            "erased_at": { "type": "string", "format": "date-time", "description": "When the rows were deleted" },
            "stayed": {
                "type": "array", "description": "Rows of the user that the scope leaves, by table; absent when it leaves none",
                "items": { "type": "object", "required": ["name", "rows"], "properties": { "name": text, "rows": count } },
            },
            "replayed_at": { "type": "string", "format": "date-time", "description": "When it was repeated after a restore" },
            "status": with_type(one_of(&Status::ALL.map(Status::as_str))),
            "tables": { "type": "array", "items": {
                "type": "object", "required": ["name", "before", "removed", "left"],
                "properties": { "name": text, "before": count, "removed": count, "left": count },
            } },
            "facts": { "allOf": [{ "$ref": "#/components/schemas/ErasureFacts" }] },
            "verification": { "type": "array", "items": {
                "type": "object", "required": ["check", "result", "detail", "at"],
                "properties": {
                    "check": text, "result": with_type(one_of(&receipt::CheckResult::ALL.map(receipt::CheckResult::as_str))),
                    "detail": text, "at": time,
                },
            } },
            "seal": { "type": "object", "required": ["alg", "value"], "properties": { "alg": text, "value": text },
                "description": "SHA-256 over the JSON without this member" },
        },
    })
}
