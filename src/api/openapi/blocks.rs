//! What the document says about memory blocks: parameters that every call has, the bounds of fields, and the examples.

use serde_json::{Value, json};

use super::fields::{one_of, surface, tags, user_id};
use super::operations;
use crate::api::asking::{CURSOR_MAX_BYTES, FULL_PAGE_MAX, PAGE_DEFAULT, PAGE_MAX};
use crate::api::blocks::QUERY_MAX_BYTES;
use crate::domain::blocks::limits::{CONTENT_BYTES, DESCRIPTION_CHARS, LABEL_BYTES, NAME_CHARS, PATH_BYTES};

/// How the paths of these calls begin.
const STORES: &str = "/v1/memory_stores";
/// Versions count from 1.
const VERSION_MAX: i64 = i64::MAX >> 11;

/// Adds the parameters that every call on blocks has.
pub fn add(document: &mut Value) {
    for (path, method, call) in operations(document) {
        if !path.starts_with(STORES) {
            continue;
        }
        let optional =
            |name: &str, place: &str| json!({ "name": name, "in": place, "required": false, "schema": { "type": "string" } });
        let mut more = vec![optional("user_id", "query"), optional("X-Keepsake-User", "header")];
        if method != "get" {
            more.push(optional("surface", "query"));
        }
        match call["parameters"].as_array_mut() {
            Some(own) => own.extend(more),
            None => call["parameters"] = more.into(),
        }
    }
}

fn path() -> Value {
    json!({ "minLength": 2, "maxLength": PATH_BYTES.max, "pattern": "^/", "example": "/notes/anna.md" })
}

fn content() -> Value {
    json!({ "maxLength": CONTENT_BYTES.max })
}

fn description() -> Value {
    json!({ "maxLength": DESCRIPTION_CHARS.max })
}

fn label() -> Value {
    json!({ "maxLength": LABEL_BYTES.max })
}

fn version() -> Value {
    json!({ "minimum": 1, "maximum": VERSION_MAX, "example": 1 })
}

fn sha256() -> Value {
    json!({ "minLength": 64, "maxLength": 64, "pattern": "^[0-9a-f]{64}$" })
}

fn time() -> Value {
    json!({ "format": "date-time" })
}

/// Schema, field, and what is added to it.
pub fn fields() -> Vec<(&'static str, &'static str, Value)> {
    let chars = json!({ "minimum": 1, "maximum": CONTENT_BYTES.max });
    let count = json!({ "minimum": 0, "maximum": CONTENT_BYTES.max });
    let mut found = vec![
        ("StoreRequest", "name", json!({ "minLength": 1, "maxLength": NAME_CHARS.max })),
        ("StoreRequest", "description", description()),
        ("StoreChangeRequest", "name", json!({ "minLength": 1, "maxLength": NAME_CHARS.max })),
        ("StoreChangeRequest", "description", description()),
        ("BlockEditRequest", "command", one_of(&["str_replace", "insert", "append", "prepend", "replace_section"])),
        ("BlockEditRequest", "old_str", json!({ "minLength": 1, "maxLength": CONTENT_BYTES.max })),
        ("BlockEditRequest", "new_str", content()),
        ("BlockEditRequest", "expected_replacements", chars.clone()),
        ("BlockEditRequest", "insert_line", count),
        ("BlockEditRequest", "heading", content()),
        ("BlockEditRequest", "text", content()),
        ("BlockSearchRequest", "query", json!({ "minLength": 1, "maxLength": QUERY_MAX_BYTES })),
        ("BlockSearchRequest", "kind", label()),
        ("BlockSearchRequest", "scope", label()),
        ("BlockSearchRequest", "tags", tags()),
        ("BlockSearchRequest", "limit", json!({ "minimum": 1, "maximum": FULL_PAGE_MAX, "default": FULL_PAGE_MAX })),
        ("RestoreRequest", "version", version()),
        ("Precondition", "type", one_of(&["content_sha256"])),
        ("Precondition", "content_sha256", sha256()),
        ("BlockVersionItem", "operation", one_of(&["created", "modified", "deleted"])),
        ("ActorItem", "type", one_of(&["api_actor", "user_actor"])),
        ("StoreItem", "type", one_of(&["memory_store"])),
        ("BlockItem", "type", one_of(&["memory"])),
        ("BlockPrefix", "type", one_of(&["memory_prefix"])),
        ("BlockVersionItem", "type", one_of(&["memory_version"])),
        ("DeletedItem", "type", one_of(&["memory_deleted", "memory_store_deleted"])),
    ];
    for schema in ["BlockRequest", "BlockChangeRequest"] {
        let own = [("path", path()), ("content", content()), ("description", description()), ("kind", label())];
        let more = [("scope", label()), ("source", label()), ("tags", tags()), ("char_limit", chars.clone())];
        found.extend(own.into_iter().chain(more).map(|(field, bounds)| (schema, field, bounds)));
    }
    for schema in ["BlockChangeRequest", "BlockEditRequest", "RestoreRequest"] {
        found.push((schema, "expected_version", version()));
    }
    for (schema, field) in [
        ("StoreItem", "created_at"),
        ("StoreItem", "updated_at"),
        ("StoreItem", "archived_at"),
        ("BlockItem", "created_at"),
        ("BlockItem", "updated_at"),
        ("BlockItem", "deleted_at"),
        ("BlockVersionItem", "created_at"),
        ("BlockVersionItem", "redacted_at"),
    ] {
        found.push((schema, field, time()));
    }
    found
}

/// The schema, the description and an example of a parameter of these calls.
pub fn parameter_of(path: &str, name: &str) -> Option<(Value, &'static str, Value)> {
    if !path.starts_with(STORES) {
        return None;
    }
    let id = || json!({ "minLength": 1, "maxLength": 256 });
    let switch = |words: &'static str| (json!({ "default": false }), words, json!(false));
    let known = match name {
        "id" => (id(), "The store, or `default`", json!("memstore_4h7wz0c9e2k5n8q1t3v6")),
        "memory_id" => (id(), "The block", json!("mem_qv0ny82k41c7x3s6hd5t")),
        "version_id" => (id(), "The version", json!("memver_8x2m5q0c7t1w4z9e3k6n")),
        "user_id" => (user_id(), "The user. A key that is bound to one may leave it out.", json!("u1")),
        "X-Keepsake-User" => (
            user_id(),
            "The user, if `user_id` does not name one; for clients that send the same headers always. UTF-8",
            json!("u1"),
        ),
        "surface" => (surface(), "The surface; absent: that of the key, or `other`", json!("web")),
        "path_prefix" => (
            json!({ "minLength": 1, "maxLength": PATH_BYTES.max, "pattern": "^/(.*/)?$" }),
            "Only blocks below this folder; it ends with `/`",
            json!("/notes/"),
        ),
        "depth" => {
            (json!({ "minimum": 0, "maximum": 1, "default": 0 }), "1: deeper blocks become one item for each folder", json!(0))
        }
        "kind" | "scope" | "source" => (label(), "Only those with this label", json!("observation")),
        "tag" => (tags(), "Only those with this tag; repeatable, and all must match", json!(["work"])),
        "pinned" => (json!({}), "Only those that are pinned, or are not", json!(true)),
        "view" => (one_of(&["basic", "full"]), "`full`: with the texts, on at most 20 rows; `basic`: without", json!("full")),
        "limit" => {
            (json!({ "minimum": 1, "maximum": PAGE_MAX, "default": PAGE_DEFAULT }), "How many at the most", json!(PAGE_DEFAULT))
        }
        "cursor" => (
            json!({ "maxLength": CURSOR_MAX_BYTES }),
            "`next_cursor` of the page before; with `anthropic-version`: `page`, and `next_page`",
            json!("L25vdGVzL2FubmEubWQ"),
        ),
        "include_archived" => switch("Whether archived stores are listed"),
        "forever" => switch("For good instead of into the bin"),
        "expected_content_sha256" => (sha256(), "The SHA-256 of the text that is meant", json!("0".repeat(64))),
        "expected_version" => (version(), "The version that is meant", json!(1)),
        "from" | "to" => (version(), "The number of a version", json!(1)),
        "operation" => {
            (one_of(&["created", "modified", "deleted", "restored"]), "Only versions that record this", json!("modified"))
        }
        "api_key_id" => (id(), "Only versions that this key wrote", json!("key_8x2m5q0c7t1w4z9e3k6n")),
        "created_at[gte]" | "created_at[lte]" => (
            json!({ "format": "date-time", "maxLength": 64 }),
            "Only those of this time and later, or earlier",
            json!("2026-11-01T10:00:00Z"),
        ),
        _ => return None,
    };
    Some(known)
}

/// An example of each body.
pub const EXAMPLES: &[(&str, &str)] = &[
    ("StoreRequest", r#"{"name":"Work","description":"What concerns the product","metadata":{"team":"mobile"}}"#),
    ("StoreChangeRequest", r#"{"description":"What concerns the mobile apps"}"#),
    (
        "BlockRequest",
        r#"{"path":"/notes/release.md","content":"Release\n- build\n- sign\n","description":"Steps of a release","tags":["work"]}"#,
    ),
    ("BlockChangeRequest", r#"{"content":"Release\n- build\n- sign\n- upload\n","expected_version":1}"#),
    ("BlockEditRequest", r#"{"command":"append","text":"- announce"}"#),
    ("BlockSearchRequest", r#"{"query":"sign release","limit":5}"#),
    ("RestoreRequest", r#"{"version":1}"#),
];
