//! The values of requests and answers with their bounds, which are those that the domain checks. A field or a parameter names a value
//! as its type, and the document has the value's schema in that place; a parameter also takes its description and its example.

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::BODY_MAX_BYTES;
use super::answers::{ReceiptAnswer, Timestamp};
use super::limits::{
    BLOCK_CURSOR_MAX_BYTES, BLOCK_QUERY_MAX_BYTES, CURSOR_MAX_BYTES, EXTERNAL_ID_MAX_BYTES, FULL_PAGE_MAX,
    IDEMPOTENCY_KEY_MAX_BYTES, INCLUDE_MAX_BYTES, LIMIT_DEFAULT, LIMIT_MAX, PAGE_DEFAULT, PAGE_MAX,
};
use domain::blocks::limits::{CONTENT_BYTES, DESCRIPTION_CHARS, LABEL_BYTES, NAME_CHARS, PATH_BYTES};
use domain::chat::profile::{FIELD_NAME_MAX_CHARS, FIELD_VALUE_MAX_CHARS, FIELD_VALUE_MAX_ENTRIES};
use domain::chat::talk::{ARCHIVED_GIVEN, ARCHIVED_MAX, TURN_MAX_BYTES, TURNS_GIVEN, TURNS_KEPT};
use domain::erasure::Status;
use domain::erasure::people::USER_ID_MAX_BYTES;
use domain::erasure::reason::{REASON_MAX_CHARS, REASON_MIN_CHARS};
use domain::erasure::receipt::{CheckResult, SCHEMA as RECEIPT_SCHEMA};
use domain::facts::provenance::SURFACE_MAX_BYTES;
use domain::memory::CONTENT_MAX_CHARS;
use domain::memory::claim::MOST_FORGOTTEN;
use domain::memory::exchange::THREAD_MAX_BYTES;
use domain::memory::tags::{TAG_MAX_CHARS, TAGS_MAX};
use domain::recall::asked::SEARCH_MAX_CHARS;
use service::chat::tools;
use service::recall::{BUDGET_MAX, K_MAX, QUERY_MAX_CHARS};

/// What `include` may name.
pub const BLOCKS: &str = "blocks";
/// The forms of an export.
pub const EXPORT_FORMATS: [&str; 2] = ["json", "html"];
/// Longest id in bytes; no id of ours is as long.
const ID_MAX: usize = 256;
/// Most bytes of a block's text, and so also most characters and lines.
const TEXT_MAX: u64 = CONTENT_BYTES.max;
/// Highest version: a number that every reader of JSON keeps exactly.
const VERSION_MAX: i64 = i64::MAX >> 11;
/// A text without control characters.
const PLAIN: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$";
/// Names with commas between.
const PARTS: &str = "^(profile|notes|preferences|blocks)(,(profile|notes|preferences|blocks))*$";
const NEXT: &str = "`next_cursor` of the page before";

fn text(max: impl Serialize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": max })
}

fn text_or_none(max: impl Serialize) -> Value {
    json!({ "type": "string", "maxLength": max })
}

fn matching(pattern: &str, max: impl Serialize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": max, "pattern": pattern })
}

fn time(example: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "maxLength": 64, "example": example })
}

fn one_of(names: impl Serialize) -> Value {
    json!({ "type": "string", "enum": names })
}

fn whole(min: u32, max: impl Serialize) -> Value {
    json!({ "type": "integer", "format": "int32", "minimum": min, "maximum": max })
}

fn list(items: impl Serialize) -> Value {
    json!({ "type": "array", "items": items })
}

/// How many items a page has.
fn limit(max: u32, default: u32, words: &str) -> Value {
    about(with(whole(1, max), json!({ "default": default })), words, default)
}

fn about(schema: Value, words: &str, example: impl Serialize) -> Value {
    with(schema, json!({ "description": words, "example": example }))
}

fn with(mut schema: Value, more: Value) -> Value {
    if let (Value::Object(schema), Value::Object(more)) = (&mut schema, more) {
        schema.extend(more);
    }
    schema
}

fn tags() -> Value {
    with(list(matching(PLAIN, TAG_MAX_CHARS)), json!({ "maxItems": TAGS_MAX }))
}

/// The origins that a request may name: also by their other names.
fn origins() -> Value {
    one_of(
        domain::facts::provenance::Origin::ALL
            .iter()
            .map(|origin| origin.as_str())
            .chain(["busybro", "claude-code"])
            .collect::<Vec<_>>(),
    )
}

/// Makes these types references, and a list of what they refer to. Some are types of the wire, the others only name a value, some by
/// the name of its type in the domain.
macro_rules! values {
    ({ $($known:ident = $schema:expr;)* } { $($named:ident = $bounds:expr;)* }) => {
        $(pub enum $named {})*
        values!($($known)* $($named)*);

        /// The schema of every value.
        pub fn all() -> Map<String, Value> {
            let all = [$((stringify!($known), $schema),)* $((stringify!($named), $bounds),)*];
            all.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
        }
    };
    ($($name:ident)*) => {$(
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                Ref::from_schema_name(stringify!($name)).into()
            }
        }
        impl ToSchema for $name {}
    )*};
}

values! {
    {
        Timestamp = json!({ "type": "string", "format": "date-time" });
        ReceiptAnswer = receipt();
    }
    {
        UserId = about(matching(PLAIN, USER_ID_MAX_BYTES), "The user. A key that is bound to one may leave it out.", "u1");
        Surface = about(
            matching("^[a-z0-9_-]{1,32}$", SURFACE_MAX_BYTES), "The surface. A key that is bound to one may leave it out.", "web"
        );
        Content = text(CONTENT_MAX_CHARS);
        Importance = with(whole(1, 5), json!({ "example": 3 }));
        Tags = tags();
        MemoryKind = one_of(domain::memory::MemoryKind::ALL);
        FactKind = one_of(domain::facts::fact::FactKind::ALL);
        Origin = one_of(domain::facts::provenance::Origin::ALL);
        ExchangeStatus = one_of(domain::memory::exchange::ExchangeStatus::ALL.map(domain::memory::exchange::ExchangeStatus::as_str));
        Leg = one_of([domain::recall::search::Leg::Vector, domain::recall::search::Leg::Words, domain::recall::search::Leg::Thread, domain::recall::search::Leg::Dates]);
        Role = one_of(domain::chat::talk::Role::ALL.map(domain::chat::talk::Role::as_str));
        ErasureScope = one_of(domain::erasure::ErasureScope::ALL);
        Disposition = one_of([domain::erasure::Disposition::Deleted, domain::erasure::Disposition::Settled, domain::erasure::Disposition::Stays, domain::erasure::Disposition::Kept]);
        BlockPath = with(matching("^/", PATH_BYTES.max), json!({ "minLength": 2, "example": "/notes/anna.md" }));
        Operation = about(one_of(domain::blocks::Operation::ALL), "Only versions that record this", domain::blocks::Operation::Modified);
        FieldValue = json!({ "anyOf": [
            text(FIELD_VALUE_MAX_CHARS),
            { "type": "number" },
            { "type": "boolean" },
            { "type": "array", "maxItems": FIELD_VALUE_MAX_ENTRIES },
            { "type": "object", "maxProperties": FIELD_VALUE_MAX_ENTRIES },
        ] });
        ScoreParts = score_parts();
        // Learning, memories and recall.
        ExternalId = with(text(EXTERNAL_ID_MAX_BYTES), json!({ "example": "m-1042" }));
        Thread = about(text_or_none(THREAD_MAX_BYTES), "The conversation; absent: the one without a name", "t1");
        PastTime = time("2026-11-01T10:00:00Z");
        FutureTime = time("2036-11-01T10:00:00Z");
        MessageText = with(text_or_none(BODY_MAX_BYTES), json!({ "default": "" }));
        IdempotencyKey = about(
            matching("^[!-~]+$", IDEMPOTENCY_KEY_MAX_BYTES), "The same key and body within 24 h get the same answer", "7c1e9a52"
        );
        ItemId = about(text(ID_MAX), "Its id", "mem_qv0ny82k41c7x3s6hd5t");
        IfMatch = about(
            matching("^(\\*|(W/)?\"[0-9]{1,18}\")$", 256), "The `ETag` of the version that is meant, or `*` for any", "\"1\""
        );
        PageLimit = limit(LIMIT_MAX, LIMIT_DEFAULT, "How many at the most");
        MemoryCursor = about(matching("^[0-9]{1,10}$", 10), NEXT, "118");
        TagCondition = about(tags(), "Only those with this tag; repeatable, and all must match", ["work"]);
        SaveResult = one_of(["inserted", "merged", "replaced"]);
        MemoryChange = one_of(["created", "merged", "corrected", "edited", "undone"]);
        MemoryIds = with(list(text_or_none(ID_MAX)), json!({ "minItems": 1, "maxItems": MOST_FORGOTTEN }));
        RecallQuery = text(QUERY_MAX_CHARS);
        ItemCount = with(whole(0, K_MAX), json!({ "example": 8 }));
        TokenBudget = with(whole(0, BUDGET_MAX), json!({ "example": 1_000 }));
        RecallExtras = with(list(one_of([BLOCKS])), json!({ "maxItems": 1 }));
        RecallKind = one_of(["fact", "preference", "correction", "episode", "howto", "reference", "glossary"]);
        // Facts and erasures.
        OriginName = origins();
        OriginList = about(list(origins()), "Only these; repeatable", ["user"]);
        FactKindList = about(list(one_of(domain::facts::fact::FactKind::ALL)), "Only these; repeatable", ["fact"]);
        SearchWords = about(text_or_none(SEARCH_MAX_CHARS), "Words, each by its beginning", "deploy");
        FactCursor = about(text_or_none(CURSOR_MAX_BYTES), NEXT, "gf_qv0ny82k41c7x3s6hd5t");
        ProposalResult = one_of(["pending", "merged", "promoted", "refused"]);
        Confidence = json!({ "type": "number", "format": "double", "minimum": 0, "maximum": 1 });
        ErasureReason = json!({ "type": "string", "minLength": REASON_MIN_CHARS, "maxLength": REASON_MAX_CHARS });
        PreviewToken = text(ID_MAX);
        ExportFormat = about(one_of(EXPORT_FORMATS), "`json` if absent, or a page for people", "json");
        UserExport = user_export();
        // Chats.
        AnyText = text_or_none(BODY_MAX_BYTES);
        CardKind = one_of(["preference", "note", "memory"]);
        NoteResult = one_of(["saved", "known"]);
        PromptPartList = about(
            matching(PARTS, INCLUDE_MAX_BYTES),
            "`profile`, `notes`, `preferences`, `blocks`, with commas between; absent: all", "profile,notes"
        );
        FieldName = about(matching("^[a-z0-9_]{1,64}$", FIELD_NAME_MAX_CHARS), "The name of the field", "preferred_language");
        ToolName = about(one_of(tools::NAMES), "The tool", tools::NAMES[0]);
        ToolStatus = one_of(["saved", "known", "cap_exceeded", "forgotten", "not_found", "refused", "invalid"]);
        TurnList = with(list(Ref::from_schema_name("TurnRequest")), json!({ "minItems": 1, "maxItems": TURNS_KEPT }));
        TurnText = text(TURN_MAX_BYTES);
        TurnLimit = limit(TURNS_KEPT, TURNS_GIVEN, "How many at the most, the last ones");
        ResetLimit = limit(ARCHIVED_MAX, ARCHIVED_GIVEN, "How many resets at the most, the last ones");
        ResetCursor = about(matching("^[0-9]{1,16}$", 16), NEXT, "1795176000000");
        // Memory blocks and pipelines.
        StoreId = about(text(ID_MAX), "The store, or `default`", "memstore_4h7wz0c9e2k5n8q1t3v6");
        BlockId = about(text(ID_MAX), "The block", "mem_qv0ny82k41c7x3s6hd5t");
        VersionId = about(text(ID_MAX), "The version", "memver_8x2m5q0c7t1w4z9e3k6n");
        KeyId = about(text(ID_MAX), "Only versions that this key wrote", "key_8x2m5q0c7t1w4z9e3k6n");
        VersionNumber = about(with(whole(1, VERSION_MAX), json!({ "format": "int64" })), "The version that is meant", 1);
        TextHash = about(
            with(matching("^[0-9a-f]{64}$", 64), json!({ "minLength": 64 })), "The SHA-256 of the text that is meant", "0".repeat(64)
        );
        TimeBound = with(time("2026-11-01T10:00:00Z"), json!({ "description": "Only those of this time and later, or earlier" }));
        BlockView = about(one_of(["basic", "full"]), "`full`: with the texts, on at most 20 rows; `basic`: without", "full");
        BlockLimit = limit(PAGE_MAX, PAGE_DEFAULT, "How many at the most");
        BlockCursor = about(
            text_or_none(BLOCK_CURSOR_MAX_BYTES),
            "`next_cursor` of the page before; with `anthropic-version`: `page`, and `next_page`", "L25vdGVzL2FubmEubWQ"
        );
        Switch = json!({ "type": "boolean", "default": false, "example": false });
        Folder = about(matching("^/(.*/)?$", PATH_BYTES.max), "Only blocks below this folder; it ends with `/`", "/notes/");
        Depth = about(with(whole(0, 1), json!({ "default": 0 })), "1: deeper blocks become one item for each folder", 0);
        BlockLabel = text_or_none(LABEL_BYTES.max);
        LabelCondition = about(text_or_none(LABEL_BYTES.max), "Only those with this label", "observation");
        StoreName = text(NAME_CHARS.max);
        DescriptionText = text_or_none(DESCRIPTION_CHARS.max);
        BlockContent = text_or_none(TEXT_MAX);
        BlockPart = text(TEXT_MAX);
        TextLength = whole(1, TEXT_MAX);
        LineNumber = whole(0, TEXT_MAX);
        LineRange = json!({ "type": "array", "minItems": 2, "maxItems": 2,
            "items": { "type": "integer", "format": "int64", "minimum": -1, "maximum": TEXT_MAX } });
        BlockQuery = text(BLOCK_QUERY_MAX_BYTES);
        BlockQueryLimit = with(whole(1, FULL_PAGE_MAX), json!({ "default": FULL_PAGE_MAX }));
        EditCommand = one_of(["str_replace", "insert", "append", "prepend", "replace_section"]);
        MemoryCommand = one_of(["view", "create", "str_replace", "insert", "delete", "rename"]);
        MemoryFile = with(text_or_none(1_100), json!({ "example": "/memories/plan.md" }));
        PipelineMemory = with(text_or_none(LABEL_BYTES.max), json!({ "example": "instances/a3d8f1b2/memories" }));
        PreconditionKind = one_of(["content_sha256"]);
        VersionOperation = one_of(["created", "modified", "deleted"]);
        ActorType = one_of(["api_actor", "user_actor"]);
        StoreType = one_of(["memory_store"]);
        BlockType = one_of(["memory"]);
        FolderType = one_of(["memory_prefix"]);
        VersionType = one_of(["memory_version"]);
        DeletedType = one_of(["memory_deleted", "memory_store_deleted"]);
    }
}

fn score_parts() -> Value {
    let number = |words: &str| json!({ "type": "number", "format": "double", "description": words });
    json!({
        "type": "object", "description": "The parts of the score", "required": ["distance", "importance", "recency"],
        "properties": {
            "distance": number("1 − cosine similarity"), "importance": number("Subtracted for importance"),
            "recency": number("Subtracted for recent use"), "confidence": number("Added for low confidence; team facts alone"),
        },
    })
}

fn receipt() -> Value {
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
            "schema": { "type": "integer", "enum": [RECEIPT_SCHEMA], "description": "The version of this shape" },
            "id": text,
            "scope": one_of(domain::erasure::ErasureScope::ALL),
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
            "status": one_of(Status::ALL),
            "tables": { "type": "array", "items": {
                "type": "object", "required": ["name", "before", "removed", "left"],
                "properties": { "name": text, "before": count, "removed": count, "left": count },
            } },
            "facts": { "allOf": [{ "$ref": "#/components/schemas/ErasureFacts" }] },
            "verification": { "type": "array", "items": {
                "type": "object", "required": ["check", "result", "detail", "at"],
                "properties": {
                    "check": text, "result": one_of(CheckResult::ALL),
                    "detail": text, "at": time,
                },
            } },
            "seal": { "type": "object", "required": ["alg", "value"], "properties": { "alg": text, "value": text },
                "description": "SHA-256 over the JSON without this member" },
        },
    })
}

fn user_export() -> Value {
    json!({
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
    })
}
