//! The bounds of what is sent to the memory tool and by pipelines.

use serde_json::{Value, json};

use super::fields::{any_text, one_of, surface, user_id};
use crate::domain::blocks::limits::{CONTENT_BYTES, LABEL_BYTES};

/// The commands of the memory tool.
const COMMANDS: [&str; 6] = ["view", "create", "str_replace", "insert", "delete", "rename"];
/// Most lines of a text.
const LINES_MAX: u64 = CONTENT_BYTES.max;

/// Schema, field, and what is added to it.
pub fn fields() -> Vec<(&'static str, &'static str, Value)> {
    let text = json!({ "maxLength": CONTENT_BYTES.max });
    let path = json!({ "maxLength": 1_100, "example": "/memories/plan.md" });
    let label = json!({ "maxLength": LABEL_BYTES.max });
    let line = json!({ "minimum": 0, "maximum": LINES_MAX });
    let range = json!({ "minItems": 2, "maxItems": 2, "items": { "type": "integer", "format": "int64", "minimum": -1,
        "maximum": LINES_MAX } });
    vec![
        ("MemoryToolRequest", "user_id", user_id()),
        ("MemoryToolRequest", "surface", surface()),
        ("MemoryToolRequest", "command", one_of(&COMMANDS)),
        ("MemoryToolRequest", "path", path.clone()),
        ("MemoryToolRequest", "view_range", range),
        ("MemoryToolRequest", "file_text", text.clone()),
        ("MemoryToolRequest", "old_str", text.clone()),
        ("MemoryToolRequest", "new_str", text.clone()),
        ("MemoryToolRequest", "insert_line", line),
        ("MemoryToolRequest", "insert_text", text.clone()),
        ("MemoryToolRequest", "old_path", path.clone()),
        ("MemoryToolRequest", "new_path", path),
        ("MemoryToolRequest", "allow_shrink", json!({ "default": false })),
        ("WebhookRequest", "agent", label.clone()),
        ("WebhookArg", "text", text),
        ("WebhookArgs", "memory_id", json!({ "maxLength": LABEL_BYTES.max, "example": "instances/a3d8f1b2/memories" })),
        ("WebhookArgs", "scope", label.clone()),
        ("WebhookArgs", "kind", label.clone()),
        ("WebhookArgs", "source", label.clone()),
        ("WebhookArgs", "guid", label),
        ("PipelineRecord", "guid", json!({ "format": "uuid" })),
        ("PipelineDone", "guid", json!({ "format": "uuid" })),
        ("WebhookArgs", "output_template", any_text()),
        ("WebhookArgs", "allow_shrink", json!({ "default": false })),
    ]
}
