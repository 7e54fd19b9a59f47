//! The OpenAPI document. The paths and shapes come from the handlers and their types, and the bounds from `values`; what is the same
//! everywhere is added from where it is decided: the codes from `domain::problem`, the scope of a call from its `security`.

mod answers;
mod hooks;
mod open;

use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use super::{
    block_stores, blocks, chat_wire, commands, erasures, exchanges, facts, history, links, memories, memory_tool, notes,
    pipelines, preferences, profile, recall, tools, values,
};

#[rustfmt::skip]
#[derive(OpenApi)]
#[openapi(
    info(title = "Keepsake", description = "Long-term memory for assistants."),
    paths(
        exchanges::accept, exchanges::state, recall::recall, memories::remember, memories::list, memories::show, memories::edit,
        memories::history, memories::undo, memories::delete, memories::forget, commands::command, notes::add, notes::list,
        notes::delete, notes::report, notes::prompt, preferences::add, preferences::list, preferences::delete, tools::list,
        tools::call, profile::list, profile::one, profile::set, profile::delete, history::append, history::list, history::reset,
        history::archive, links::link, links::unlink, memory_tool::call, pipelines::write, pipelines::read, pipelines::search,
        pipelines::delete, pipelines::append, pipelines::dispatch, facts::propose, facts::list, erasures::preview, erasures::erase,
        erasures::receipt, erasures::export, block_stores::add, block_stores::list, block_stores::show, block_stores::change,
        block_stores::delete, block_stores::archive, block_stores::versions, block_stores::version, block_stores::redact,
        blocks::add, blocks::list, blocks::show, blocks::change, blocks::edit, blocks::delete, blocks::restore, blocks::diff,
        blocks::search, blocks::bin
    ),
    components(schemas(chat_wire::TurnRequest))
)]
struct Contract;

/// What a key is and what its scopes open.
const KEY: &str = "A key from `keepsake key add`. Its scopes open: `read`: recall, and reading memories, what users told \
                   assistants, facts and exchanges; `write`: sending exchanges, saving, changing and deleting memories and what users \
                   told, proposing facts; `erase`: erasing everything about a user, its preview and its receipt; `export`: everything \
                   held about a user. A key that was made with `--user` speaks for that user alone: `user_id` may be left out, and \
                   naming another user is a 403. A key that was made with `--surface` speaks for that surface alone: `surface` may be \
                   left out, and naming another one is a 403. With another key, a `surface` that is missing is a 400, except for facts, the memory tool and pipelines.";

/// What holds for every call.
const RULES: &str = "Long-term memory for assistants.\n\nBodies are JSON in UTF-8, at most 1 MiB, whatever their `Content-Type`. Ids are \
                     opaque. Times are RFC 3339 in UTC. Unknown fields and parameters are ignored.\n\nErrors are \
                     `application/problem+json` (RFC 9457) with a stable `code`. A method that an address does not take gets 405 with \
                     `Allow`. A request that takes longer than 30 seconds gets 504 without a body.";

/// The groups of calls, in the order in which people read them.
const TAGS: &[(&str, &str)] = &[
    ("recall", "What a prompt gets."),
    ("exchanges", "What was said, to be learned from in the background."),
    ("memories", "What is known about one user."),
    ("commands", "A line that a user types in a chat, such as `/remember`."),
    ("notes", "What a user wants kept word for word, and the block for a prompt."),
    ("preferences", "What a user tells assistants to do from now on."),
    ("tools", "What a model calls to save and to forget preferences."),
    ("profile", "The fields of a user's profile."),
    ("history", "The last turns of conversations. Nothing is learned from them."),
    (
        "blocks",
        "Texts that an assistant keeps, rereads and edits, in stores of one user. Shaped like Anthropic's Memory Stores API: its clients \
         work with the address of this server and a key of Keepsake. Requests with the header `anthropic-version` may send the key as \
         `x-api-key`, and get that API's pages (`data`, `next_page`) and errors; what is a 422 here is a 400 there.",
    ),
    ("links", "Chats of Telegram that speak for a user."),
    ("pipelines", "The memory blocks of pipelines. What a pipeline can mend comes with status 200 and `error`."),
    ("facts", "What the team knows. A fact names no person."),
    ("erasures", "Erasing a person, its proof, and everything held about a person."),
    ("operation", "For monitoring, and this contract. Open, unless it says otherwise."),
];

/// Puts the schema of each value where the value is used; a schema of an object stands among the shapes.
fn put_values(document: &mut Value) {
    let (objects, values): (Map<_, _>, Map<_, _>) = values::all().into_iter().partition(|(_, schema)| schema["type"] == "object");
    if let Some(shapes) = document["components"]["schemas"].as_object_mut() {
        shapes.retain(|name, _| !values.contains_key(name));
        shapes.extend(objects);
    }
    put_in(document, &values);
    for (.., call) in operations(document) {
        for parameter in call.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            for name in ["description", "example"] {
                if let Some(own) = parameter["schema"].as_object_mut().and_then(|schema| schema.remove(name))
                    && parameter[name].is_null()
                {
                    parameter[name] = own;
                }
            }
        }
    }
}

/// Replaces the references to values in a node. What stands beside a reference has precedence.
fn put_in(node: &mut Value, values: &Map<String, Value>) {
    let members = match node {
        Value::Array(items) => return items.iter_mut().for_each(|item| put_in(item, values)),
        Value::Object(members) => members,
        _ => return,
    };
    members.values_mut().for_each(|member| put_in(member, values));
    let named = members.get("$ref").and_then(Value::as_str).and_then(|name| values.get(name.rsplit('/').next()?));
    let value = match (named, members.get("oneOf").and_then(Value::as_array).map(Vec::as_slice)) {
        (Some(value), _) => value.clone(),
        (None, Some([value, null])) if null["type"] == "null" && value["$ref"].is_null() => or_null(value.clone()),
        _ => return,
    };
    members.retain(|name, _| name != "$ref" && name != "oneOf");
    let own = std::mem::replace(node, value);
    if let (Value::Object(members), Value::Object(own)) = (node, own) {
        members.extend(own);
    }
}

/// The same value, or null.
fn or_null(mut schema: Value) -> Value {
    schema["type"] = json!([schema["type"], "null"]);
    if let Some(names) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        names.push(Value::Null);
    }
    schema
}

/// Each operation of a document, with its path and method.
pub(in crate::api) fn operations(document: &mut Value) -> impl Iterator<Item = (&String, &String, &mut Value)> {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let calls = item.as_object_mut().into_iter().flatten();
        calls.filter(|(method, _)| METHODS.contains(&method.as_str())).map(move |(method, call)| (path, method, call))
    })
}

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = serde_json::to_value(Contract::openapi()).unwrap_or_default();
    document["info"]["description"] = RULES.into();
    let key = json!({ "type": "http", "scheme": "bearer", "bearerFormat": "ks_…", "description": KEY });
    document["components"]["securitySchemes"] = json!({ "key": key });
    document["servers"] = json!([{ "url": "/", "description": "This server" }]);
    document["tags"] = TAGS.iter().map(|(name, description)| json!({ "name": name, "description": description })).collect();
    open::add(&mut document);
    hooks::add(&mut document);
    put_values(&mut document);
    answers::add(&mut document);
    for (_, _, call) in operations(&mut document) {
        let scope = (*call)["security"][0]["key"][0].as_str().unwrap_or("none").to_owned();
        call["x-scope"] = scope.into();
    }
    document
});

/// The document.
#[must_use]
pub fn value() -> &'static Value {
    &DOCUMENT
}

/// The document as JSON.
#[must_use]
pub fn document() -> String {
    serde_json::to_string_pretty(value()).unwrap_or_default()
}
