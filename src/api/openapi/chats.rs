//! The bounds of what is sent and answered around a chat.

use serde_json::{Value, json};

use super::fields::{any_text, at, content, one_of, surface, thread, user_id};
use crate::domain::chat::profile::{FIELD_VALUE_MAX_CHARS, FIELD_VALUE_MAX_ENTRIES};
use crate::domain::chat::talk::{Role, TURN_MAX_BYTES, TURNS_KEPT};

/// Schema, field, and what is added to it.
pub fn fields() -> Vec<(&'static str, &'static str, Value)> {
    let value = json!({ "anyOf": [
        { "type": "string", "minLength": 1, "maxLength": FIELD_VALUE_MAX_CHARS },
        { "type": "number" },
        { "type": "boolean" },
        { "type": "array", "maxItems": FIELD_VALUE_MAX_ENTRIES },
        { "type": "object", "maxProperties": FIELD_VALUE_MAX_ENTRIES },
    ] });
    let roles = one_of(&Role::ALL.map(Role::as_str));
    let turns = json!({ "minItems": 1, "maxItems": TURNS_KEPT });
    let outcomes = one_of(&["saved", "known"]);
    let statuses = one_of(&["saved", "known", "cap_exceeded", "forgotten", "not_found", "refused", "invalid"]);
    vec![
        ("CommandRequest", "user_id", user_id()),
        ("CommandRequest", "surface", surface()),
        ("CommandRequest", "thread", thread()),
        ("CommandRequest", "text", any_text()),
        ("CommandRequest", "language", any_text()),
        ("CommandCardItem", "kind", one_of(&["preference", "note", "memory"])),
        ("CommandConfirm", "expires_at", json!({ "format": "date-time" })),
        ("NoteRequest", "user_id", user_id()),
        ("NoteRequest", "surface", surface()),
        ("NoteRequest", "content", content()),
        ("NoteItem", "created_at", json!({ "format": "date-time" })),
        ("NoteItem", "last_used_at", json!({ "format": "date-time" })),
        ("KeptAnswer", "outcome", outcomes),
        ("PreferenceRequest", "user_id", user_id()),
        ("PreferenceRequest", "content", content()),
        ("PreferenceRequest", "platform", surface()),
        ("PreferenceItem", "created_at", json!({ "format": "date-time" })),
        ("ToolRequest", "user_id", user_id()),
        ("ToolRequest", "surface", surface()),
        ("ToolAnswer", "status", statuses),
        ("ProfileRequest", "user_id", user_id()),
        ("ProfileRequest", "value", value.clone()),
        ("ProfileItem", "value", value),
        ("ProfileItem", "updated_at", json!({ "format": "date-time" })),
        ("HistoryRequest", "user_id", user_id()),
        ("HistoryRequest", "surface", surface()),
        ("HistoryRequest", "thread", thread()),
        ("HistoryRequest", "turns", turns),
        ("TurnRequest", "role", roles.clone()),
        ("TurnRequest", "content", json!({ "minLength": 1, "maxLength": TURN_MAX_BYTES })),
        ("TurnRequest", "at", at()),
        ("TurnItem", "role", roles),
        ("TurnItem", "at", json!({ "format": "date-time" })),
        ("ArchivedItem", "archived_at", json!({ "format": "date-time" })),
        ("ResetRequest", "user_id", user_id()),
        ("ResetRequest", "surface", surface()),
        ("ResetRequest", "thread", thread()),
    ]
}
