//! The OpenAPI document. The paths and shapes come from the handlers; what is the same everywhere is added from where it is decided:
//! the bounds of fields from the domain, the codes from `domain::problem`, the scope of a call from its `security`.

mod answers;
mod block_faces;
mod blocks;
mod chats;
mod fields;
mod hooks;
mod open;

use std::sync::LazyLock;

use serde_json::{Value, json};
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, openapi};

use super::{
    block_stores, blocks as block_calls, commands, erasures, exchanges, facts, history, links, memories, memory_tool, notes,
    pipelines, preferences, profile, recall, tools,
};

#[derive(OpenApi)]
#[openapi(
    info(title = "Keepsake", description = "Long-term memory for assistants."),
    paths(
        exchanges::accept, exchanges::state, recall::recall, memories::remember, memories::list, memories::show, memories::edit,
        memories::history, memories::undo, memories::delete, memories::forget,
        commands::command, notes::add, notes::list, notes::delete, notes::report, notes::prompt, preferences::add,
        preferences::list, preferences::delete, tools::list, tools::call, profile::list, profile::one, profile::set,
        profile::delete, history::append, history::list, history::reset, history::archive, links::link, links::unlink, memory_tool::call, pipelines::write, pipelines::read,
        pipelines::search, pipelines::delete, pipelines::append, pipelines::dispatch, facts::propose, facts::list, erasures::preview, erasures::erase, erasures::receipt, erasures::export,
        block_stores::add, block_stores::list, block_stores::show, block_stores::change, block_stores::delete, block_stores::archive,
        block_stores::versions, block_stores::version, block_stores::redact, block_calls::add, block_calls::list, block_calls::show,
        block_calls::change, block_calls::edit, block_calls::delete, block_calls::restore, block_calls::diff, block_calls::search,
        block_calls::bin
    ),
    modifiers(&Key)
)]
struct Contract;

struct Key;

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

impl Modify for Key {
    fn modify(&self, openapi: &mut openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("ks_…").description(Some(KEY)).build();
        openapi.components.get_or_insert_default().add_security_scheme("key", SecurityScheme::Http(scheme));
    }
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
    document["servers"] = json!([{ "url": "/", "description": "This server" }]);
    document["tags"] = TAGS.iter().map(|(name, description)| json!({ "name": name, "description": description })).collect();
    open::add(&mut document);
    hooks::add(&mut document);
    blocks::add(&mut document);
    fields::bound(&mut document);
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
