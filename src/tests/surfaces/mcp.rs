//! The MCP server over HTTP, through the whole router: who may call, what the tools do, and that no user reaches another's
//! memories. Official clients are tried against a served binary in `clients/tests/`.

use access::callers::Scope;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use domain::facts::provenance::Surface;
use serde_json::{Value, json};
use service::people::keys::KeyRequest;
use tower::ServiceExt;

use crate::fixture::{Fixture, read, user};

const ALL: &[Scope] = &[Scope::Read, Scope::Write, Scope::Erase];

/// A message as a client of the older version posts it.
fn post(key: &str, message: &Value) -> axum::http::request::Builder {
    Request::post("/mcp")
        .header(header::HOST, "127.0.0.1:3000")
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .header(header::CONTENT_LENGTH, message.to_string().len())
}

async fn send(router: &Router, request: axum::http::request::Builder, message: &Value) -> (u16, HeaderMap, Value) {
    let response =
        router.clone().oneshot(request.body(Body::from(message.to_string())).expect("well formed")).await.expect("answers");
    let headers = response.headers().clone();
    let (status, body) = read(response).await;
    (status, headers, body)
}

fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn tool(name: &str, arguments: Value) -> Value {
    request("tools/call", json!({"name": name, "arguments": arguments}))
}

/// Calls a tool and returns its result.
pub async fn call(fixture: &Fixture, key: &str, name: &str, arguments: Value) -> Value {
    let message = tool(name, arguments);
    let (status, _, body) = send(&fixture.router, post(key, &message), &message).await;
    assert_eq!(status, 200, "{body}");
    body["result"].clone()
}

/// The code of a tool's error.
async fn code(fixture: &Fixture, key: &str, name: &str, arguments: Value) -> String {
    let result = call(fixture, key, name, arguments).await;
    assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(true), &Value::Null), "{result}");
    let code = result["_meta"]["keepsake/problem"]["code"].as_str().expect("a code").to_owned();
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.ends_with(&format!("(code: {code})")), "{text}");
    code
}

#[tokio::test]
async fn the_tools_are_few_and_say_what_they_do_and_none_takes_a_user() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&[Scope::Read], None).await;
    let message = request("tools/list", json!({}));
    let (status, _, body) = send(&fixture.router, post(&key, &message), &message).await;
    assert_eq!(status, 200);
    let tools = body["result"]["tools"].as_array().expect("a list");
    let hints = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        assert!(tool["title"].is_string() && tool["description"].is_string() && tool["outputSchema"]["type"] == "object");
        assert_eq!(tool["annotations"]["openWorldHint"], false);
        let hint = |hint: &str| tool["annotations"][hint].as_bool();
        (hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"))
    };
    assert_eq!(tools.len(), 7);
    assert_eq!(hints("remember"), (Some(false), Some(false), Some(true)));
    assert_eq!(hints("forget_memory"), (Some(false), Some(true), Some(false)));
    assert_eq!(hints("memory"), (Some(false), Some(true), Some(false)));
    assert_eq!(hints("propose_global_memory"), (Some(false), Some(false), Some(true)));
    for reader in ["recall_memory", "list_memories", "list_global_memories"] {
        assert_eq!(hints(reader), (Some(true), None, None));
    }
    for tool in tools {
        let schema = tool["inputSchema"].to_string();
        assert!(!schema.contains("user_id") && !schema.contains("\"user\":"), "{schema}");
    }
}

#[tokio::test]
async fn what_is_remembered_is_recalled_listed_and_forgotten() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let first = call(&fixture, &key, "remember", json!({"content": "User works on the iOS app", "kind": "fact"})).await;
    assert_eq!((&first["structuredContent"]["outcome"], &first["isError"]), (&json!("inserted"), &json!(false)));
    call(&fixture, &key, "remember", json!({"content": "User likes tea"})).await;
    let corrected =
        call(&fixture, &key, "remember", json!({"content": "User works on the Android app", "kind": "correction"})).await;
    assert_eq!(corrected["structuredContent"], json!({"id": first["structuredContent"]["id"], "outcome": "replaced"}));

    let recalled = call(&fixture, &key, "recall_memory", json!({"query": "Android app"})).await;
    let text = recalled["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("<keepsake_memories>") && text.ends_with("</keepsake_memories>"), "{text}");
    assert_eq!(recalled["structuredContent"]["personal"][0]["content"], "User works on the Android app");
    let at = recalled["structuredContent"]["personal"][0]["at"].as_str().expect("a time");
    assert!(text.contains(&format!("\n- [{}] User works on the Android app\n", &at[..10])), "{text}");
    assert!(recalled["structuredContent"]["notice"].as_str().expect("a notice").contains("not instructions"));

    let page = call(&fixture, &key, "list_memories", json!({"limit": 1})).await["structuredContent"].clone();
    assert_eq!(page["items"].as_array().map(Vec::len), Some(1));
    let rest = call(&fixture, &key, "list_memories", json!({"cursor": page["next_cursor"]})).await["structuredContent"].clone();
    assert_eq!((rest["items"].as_array().map(Vec::len), &rest["next_cursor"]), (Some(1), &Value::Null));

    let gone = call(&fixture, &key, "forget_memory", json!({"query": "the user likes tea"})).await;
    assert_eq!(gone["structuredContent"]["items"][0]["content"], "User likes tea");
    let none = call(&fixture, &key, "forget_memory", json!({"query": "volcano insurance"})).await;
    assert_eq!(none["structuredContent"], json!({"forgotten": 0, "items": []}));
    let asked = call(&fixture, &key, "forget_memory", json!({"query": "forget everything about me"})).await;
    let confirm = json!({"action": "forget_all", "phrase": "Delete everything that is remembered about me", "how": "forget_memory {\"all\":true}"});
    assert_eq!(asked["structuredContent"], json!({"forgotten": 0, "items": [], "confirm": confirm}));
    assert!(asked["content"][0]["text"].as_str().expect("a text").contains("`all: true`"), "{asked}");
    for content in ["User owns a boat", "The boat of User is in Faro"] {
        call(&fixture, &key, "remember", json!({"content": content})).await;
    }
    let asked = call(&fixture, &key, "forget_memory", json!({"query": "everything about the boat"})).await;
    let confirm = &asked["structuredContent"]["confirm"];
    assert_eq!((&confirm["action"], &confirm["count"]), (&json!("forget_some"), &json!(2)));
    assert_eq!(confirm["how"], format!("forget_memory {}", json!({"ids": confirm["ids"]})));
    assert!(asked["content"][0]["text"].as_str().expect("a text").contains("several memories"), "{asked}");
    let gone = call(&fixture, &key, "forget_memory", json!({"ids": confirm["ids"]})).await;
    assert_eq!(gone["structuredContent"]["forgotten"], 2);
    let all = call(&fixture, &key, "forget_memory", json!({"all": true})).await;
    assert_eq!(all["structuredContent"], json!({"forgotten": 1}));
    assert!(all["content"][0]["text"].as_str().expect("a text").contains("key of this connection"));
    let message = tool("list_memories", json!({}));
    assert_eq!(send(&fixture.router, post(&key, &message), &message).await.0, 401, "a user's keys go with them");
    let anew = fixture.key(ALL, Some("anna")).await;
    assert_eq!(call(&fixture, &anew, "list_memories", json!({})).await["structuredContent"]["items"], json!([]));
}

#[tokio::test]
async fn the_memory_tool_speaks_in_its_own_sentences() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let memory = async |arguments: Value| {
        let result = call(&fixture, &key, "memory", arguments).await;
        (result["content"][0]["text"].as_str().expect("a text").to_owned(), result)
    };
    let create = json!({"command": "create", "path": "/memories/a.txt", "file_text": "one"});
    let (said, result) = memory(create.clone()).await;
    assert_eq!((said.as_str(), &result["isError"]), ("File created successfully at: /memories/a.txt", &json!(false)));
    assert_eq!(result["structuredContent"], json!({"content": said}));
    let (said, result) = memory(create).await;
    assert_eq!((said.as_str(), &result["isError"]), ("File /memories/a.txt already exists", &json!(true)));
    assert_eq!(result["structuredContent"], Value::Null);
    let (said, _) = memory(json!({"command": "view", "path": "/memories/a.txt", "view_range": null})).await;
    assert_eq!(said, "Here's the content of /memories/a.txt with line numbers:\n     1\tone");
    assert_eq!(code(&fixture, &key, "memory", json!({"command": "view"})).await, "malformed");
    let nobody = fixture.key(ALL, None).await;
    assert_eq!(code(&fixture, &nobody, "memory", json!({"command": "view", "path": "/memories"})).await, "no_user");
}

#[tokio::test]
async fn the_surface_of_what_is_said_is_mcp() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    call(&fixture, &key, "remember", json!({"content": "User likes tea"})).await;
    let (_, list) = fixture.call("GET", "/v1/memories", &key, None).await;
    assert_eq!(list["items"][0]["surface"], "mcp");
}

#[tokio::test]
async fn a_key_bound_to_a_surface_speaks_for_it_here_too() {
    let fixture = Fixture::new().await;
    let user = Some(user("anna"));
    let surface = Some(Surface::new("telegram").expect("valid"));
    let key = fixture.key_as(KeyRequest { scopes: ALL.to_vec(), user, surface, ..KeyRequest::default() }).await.secret;
    call(&fixture, &key, "remember", json!({"content": "User likes tea"})).await;
    let (_, list) = fixture.call("GET", "/v1/memories", &key, None).await;
    assert_eq!(list["items"][0]["surface"], "telegram");
}

#[tokio::test]
async fn two_users_never_see_each_other() {
    let fixture = Fixture::new().await;
    let (anna, budi) = (fixture.key(ALL, Some("anna")).await, fixture.key(ALL, Some("budi")).await);
    call(&fixture, &anna, "remember", json!({"content": "User owns a red bicycle"})).await;
    let recalled = call(&fixture, &budi, "recall_memory", json!({"query": "red bicycle"})).await;
    assert!(!recalled.to_string().contains("bicycle"), "{recalled}");
    assert_eq!(call(&fixture, &budi, "list_memories", json!({})).await["structuredContent"]["items"], json!([]));
    assert_eq!(
        call(&fixture, &budi, "forget_memory", json!({"query": "red bicycle"})).await["structuredContent"]["forgotten"],
        0
    );
    // A model that names another user gets nowhere, whatever it calls the argument.
    for name in ["user", "user_id", "userId", "owner"] {
        assert_eq!(code(&fixture, &budi, "list_memories", json!({ name: "anna" })).await, "malformed");
        assert_eq!(code(&fixture, &budi, "recall_memory", json!({"query": "red bicycle", name: "anna"})).await, "malformed");
    }
    let message = tool("list_memories", json!({}));
    let (status, _, body) = send(&fixture.router, post(&budi, &message).header("x-keepsake-user", "anna"), &message).await;
    assert_eq!((status, &body["code"]), (403, &json!("user_not_allowed")));
    assert_eq!(call(&fixture, &budi, "forget_memory", json!({"all": true})).await["structuredContent"]["forgotten"], 0);
    let listed = call(&fixture, &anna, "list_memories", json!({})).await;
    assert_eq!(listed["structuredContent"]["items"].as_array().map(Vec::len), Some(1), "and anna lost nothing");
}

#[tokio::test]
async fn a_trusted_host_names_its_user_in_a_header_and_without_one_there_are_no_memories() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    for (name, arguments) in [
        ("remember", json!({"content": "User likes tea"})),
        ("list_memories", json!({})),
        ("forget_memory", json!({"query": "tea"})),
        ("forget_memory", json!({"all": true})),
    ] {
        assert_eq!(code(&fixture, &key, name, arguments).await, "no_user");
    }
    let recalled = call(&fixture, &key, "recall_memory", json!({"query": "tea"})).await;
    assert!(recalled["content"][0]["text"].as_str().expect("a text").contains("names no user"));
    let message = tool("remember", json!({"content": "User likes tea"}));
    let named = |user: &str| post(&key, &message).header("x-keepsake-user", user.as_bytes());
    assert_eq!(send(&fixture.router, named("änna"), &message).await.2["result"]["structuredContent"]["outcome"], "inserted");
    let (_, list) = fixture.call("GET", "/v1/memories?user_id=%C3%A4nna", &key, None).await;
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1));
    let twice = named("anna").header("x-keepsake-user", "budi");
    assert_eq!(send(&fixture.router, twice, &message).await.0, 422);
    assert_eq!(send(&fixture.router, named(""), &message).await.0, 422);
}

#[tokio::test]
async fn obvious_names_are_understood_and_others_answered_with_the_right_ones() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    assert_eq!(call(&fixture, &key, "remember", json!({"text": "User likes tea"})).await["isError"], false);
    assert_eq!(call(&fixture, &key, "recall_memory", json!({"q": "tea", "k": "3"})).await["isError"], false);
    let wrong = call(&fixture, &key, "remember", json!({"content": "User likes tea", "mood": "good"})).await;
    let text = wrong["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("`mood`") && text.contains("`content`, `kind`, `importance`"), "{text}");
    assert_eq!(code(&fixture, &key, "remember", json!({})).await, "invalid");
    assert_eq!(code(&fixture, &key, "remember", json!({"content": 7})).await, "malformed");
    assert_eq!(code(&fixture, &key, "remember", json!({"content": "a", "importance": 9})).await, "invalid");
    assert_eq!(code(&fixture, &key, "recall_memory", json!({"query": "tea", "limit": 51})).await, "invalid");
    assert_eq!(code(&fixture, &key, "forget_memory", json!({"query": "tea", "all": true})).await, "invalid");
    assert_eq!(code(&fixture, &key, "forget_memory", json!({})).await, "invalid");
    assert_eq!(code(&fixture, &key, "forget_memory", json!({"all": "true"})).await, "malformed");
    for unclear in [json!({}), json!({"query": "tea", "ids": ["mem_1"]})] {
        let told = call(&fixture, &key, "forget_memory", unclear).await["content"][0]["text"].clone();
        assert_eq!(told, "Send exactly one of `query`, `ids` or `\"all\": true`. (code: invalid)");
    }
}

#[tokio::test]
async fn arguments_are_understood_as_models_write_them() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let fine = async |name: &str, arguments: Value| {
        let result = call(&fixture, &key, name, arguments.clone()).await;
        assert_eq!(result["isError"], false, "{name} {arguments}: {result}");
        result
    };
    let as_text = json!({"content": "User plays the cello", "importance": 5.0}).to_string();
    let saved = fine("remember", json!(as_text)).await;
    let (_, list) = fixture.call("GET", "/v1/memories", &key, None).await;
    assert_eq!((&list["items"][0]["content"], &list["items"][0]["importance"]), (&json!("User plays the cello"), &json!(5)));
    for limit in [json!(1.0), json!("1"), json!("1.0")] {
        let listed = fine("list_memories", json!({"limit": limit})).await;
        assert_eq!(listed["structuredContent"]["items"].as_array().map(Vec::len), Some(1));
    }
    assert_eq!(code(&fixture, &key, "list_memories", json!({"limit": 1.5})).await, "malformed");
    let other = fine("remember", json!({"content": "User owns a green kayak"})).await;
    let ids = [&saved, &other].map(|saved| saved["structuredContent"]["id"].clone());
    let gone = fine("forget_memory", json!({"ids": json!(ids).to_string()})).await;
    assert_eq!(gone["structuredContent"]["forgotten"], 2, "a list that is written as a text");
    assert_eq!(code(&fixture, &key, "forget_memory", json!({"ids": "[\"mem_1\""})).await, "malformed");

    let path = "/memories/list.txt";
    fine("memory", json!({"command": "create", "path": path, "file_text": "one\ntwo\nthree\n"})).await;
    fine("memory", json!({"command": "insert", "path": path, "insert_line": "1", "insert_text": "one and a half"})).await;
    fine("memory", json!({"command": "insert", "path": path, "insert_line": 0.0, "insert_text": "zero"})).await;
    fine("memory", json!({"command": "str_replace", "path": path, "old_str": "two\n"})).await;
    let seen = fine("memory", json!({"command": "view", "path": path, "view_range": "[1, 4]"})).await;
    let seen = seen["content"][0]["text"].as_str().expect("a text");
    assert!(seen.ends_with("     1\tzero\n     2\tone\n     3\tone and a half\n     4\tthree"), "{seen}");
    let host = json!({"command": "insert", "path": path, "insert_line": 4.0, "insert_text": "four"});
    assert_eq!(fixture.call("POST", "/v1/memory-tool", &key, Some(host)).await.1["is_error"], false);
}

#[tokio::test]
async fn whoever_takes_json_or_anything_or_does_not_say_is_answered() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let message = request("tools/list", json!({}));
    let ask = async |accept: Option<&str>| {
        let mut builder = post(&key, &message);
        let headers = builder.headers_mut().expect("headers");
        headers.remove(header::ACCEPT);
        if let Some(accept) = accept {
            headers.insert(header::ACCEPT, accept.parse().expect("ASCII"));
        }
        let (status, headers, body) = send(&fixture.router, builder, &message).await;
        (status, headers[header::CONTENT_TYPE].to_str().expect("ASCII").to_owned(), body)
    };
    for accept in [None, Some("application/json"), Some("*/*"), Some("text/html;q=0.9, application/*;q=0.5")] {
        let (status, kind, body) = ask(accept).await;
        assert_eq!((status, kind.as_str()), (200, "application/json"), "{accept:?}: {body}");
        assert_eq!(body["result"]["tools"].as_array().map(Vec::len), Some(7));
    }
    let (status, _, body) = ask(Some("text/event-stream")).await;
    assert!(status == 406 && body["error"]["message"].as_str().expect("words").contains("Accept: application/json"), "{body}");
}

#[tokio::test]
async fn what_is_no_message_is_answered_with_an_error_of_the_protocol_and_its_id() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let raw = async |body: Vec<u8>| {
        let mut builder = post(&key, &Value::Null);
        builder.headers_mut().expect("headers").insert(header::CONTENT_LENGTH, body.len().into());
        let response =
            fixture.router.clone().oneshot(builder.body(Body::from(body)).expect("well formed")).await.expect("answers");
        let (status, answer) = read(response).await;
        (status, answer["id"].clone(), answer["error"]["code"].as_i64())
    };
    let half =
        br#"{"jsonrpc":"2.0","id":21,"method":"tools/call","params":{"name":"remember","arguments":{"content":"\udbff"}}}"#;
    assert_eq!(raw(half.to_vec()).await, (400, json!(21), Some(-32_700)));
    assert_eq!(
        raw(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"caf\xe9\"}".to_vec()).await,
        (400, json!("a"), Some(-32_700))
    );
    assert_eq!(raw(b"tools/list".to_vec()).await, (400, Value::Null, Some(-32_700)));
    assert_eq!(raw(br#"{"jsonrpc":"2.0","id":0.5,"method":"ping"}"#.to_vec()).await, (400, json!(0.5), Some(-32_600)));
    assert_eq!(
        raw(br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}"#.to_vec()).await,
        (400, json!(3), Some(-32_602))
    );
    let long = format!(r#"{{"jsonrpc":"2.0","id":4,"method":"{}"}}"#, "x".repeat(1 << 20));
    assert_eq!(raw(long.into_bytes()).await, (413, json!(4), Some(-32_600)));
    assert_eq!(raw(br#"{"jsonrpc":"2.0","id":5.0,"method":"tools/list"}"#.to_vec()).await, (200, json!(5), None));
}

#[tokio::test]
async fn the_gate_and_the_scopes_hold_for_tools() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let secret = "The password is hunter2-Xk9!qw and the key is AKIAIOSFODNN7EXAMPLE";
    let refused = call(&fixture, &key, "remember", json!({"content": secret})).await;
    assert_eq!(refused["_meta"]["keepsake/problem"]["code"], "refused");
    assert!(!refused.to_string().contains("hunter2") && !refused["_meta"]["keepsake/problem"]["rules"][0].is_null());
    let (reader, writer) = (fixture.key(&[Scope::Read], Some("anna")).await, fixture.key(&[Scope::Write], Some("anna")).await);
    assert_eq!(code(&fixture, &reader, "remember", json!({"content": "User likes tea"})).await, "scope_missing");
    assert_eq!(code(&fixture, &writer, "list_memories", json!({})).await, "scope_missing");
    assert_eq!(code(&fixture, &writer, "forget_memory", json!({"all": true})).await, "scope_missing");
}

#[tokio::test]
async fn a_proposal_waits_and_an_agent_is_no_contributor() {
    let fixture = Fixture::new().await;
    let (anna, budi) = (fixture.key(ALL, Some("anna")).await, fixture.key(ALL, Some("budi")).await);
    let fact = json!({"content": "Feature flags are read once at boot."});
    let proposed = call(&fixture, &anna, "propose_global_memory", fact.clone()).await["structuredContent"].clone();
    assert!(proposed["outcome"] == "pending" && proposed["id"].is_string(), "{proposed}");
    fixture.later();
    let again = call(&fixture, &budi, "propose_global_memory", fact).await["structuredContent"].clone();
    assert_eq!(again, json!({"outcome": "merged", "id": proposed["id"]}), "two agents promote nothing");
    assert_eq!(call(&fixture, &anna, "list_global_memories", json!({})).await["structuredContent"]["items"], json!([]));
    let refused =
        call(&fixture, &anna, "propose_global_memory", json!({"content": "Ask dana@example.org about the deploy."})).await;
    assert_eq!(refused["structuredContent"]["outcome"], "refused");
    assert!(!refused["structuredContent"]["rules"].as_array().expect("rules").is_empty());
}

#[tokio::test]
async fn facts_are_listed_and_recalled_by_origin() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    for (who, minutes) in [("anna", 0), ("budi", 1)] {
        let fact = json!({"content": "Feature flags are read once at boot.", "kind": "fact", "user_id": who});
        fixture.call("POST", "/v1/facts", &key, Some(fact)).await;
        if minutes == 0 {
            fixture.later();
        }
    }
    let own = fixture.key(ALL, Some("anna")).await;
    let listed = async |arguments: Value| {
        let result = call(&fixture, &own, "list_global_memories", arguments).await;
        result["structuredContent"]["items"].as_array().map(Vec::len)
    };
    assert_eq!(listed(json!({})).await, Some(1));
    assert_eq!(listed(json!({"origin": "user", "query": "flag"})).await, Some(1));
    assert_eq!(listed(json!({"origin": ["claude-code", "user"], "kind": ["fact", "howto"]})).await, Some(1));
    assert_eq!(listed(json!({"origin": ["agent", "assistant"]})).await, Some(0));
    let recalled = async |arguments: Value| {
        let result = call(&fixture, &own, "recall_memory", arguments).await;
        result["structuredContent"]["global"].as_array().map(Vec::len)
    };
    assert_eq!(recalled(json!({"query": "When are feature flags read?"})).await, Some(1));
    assert_eq!(recalled(json!({"query": "When are feature flags read?", "origin": "agent"})).await, Some(0));
    assert_eq!(recalled(json!({"query": "When are feature flags read?", "exclude_origin": ["user"]})).await, Some(0));
    assert_eq!(
        code(&fixture, &own, "recall_memory", json!({"query": "x", "origin": "agent", "exclude_origin": "user"})).await,
        "invalid"
    );
}

#[tokio::test]
async fn only_protocol_faults_are_protocol_errors() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let message = tool("drop_tables", json!({}));
    let (_, _, body) = send(&fixture.router, post(&key, &message), &message).await;
    assert_eq!(body["error"]["code"], -32602);
    assert!(body["error"]["message"].as_str().expect("words").contains("recall_memory"));
    let message = request("nothing/known", json!({}));
    let (_, _, body) = send(&fixture.router, post(&key, &message), &message).await;
    assert_eq!(body["error"]["code"], -32601);
}

#[tokio::test]
async fn both_versions_of_the_protocol_are_served_without_a_session() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let hello = request(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}),
    );
    let (status, headers, body) = send(&fixture.router, post(&key, &hello), &hello).await;
    assert_eq!((status, &body["result"]["protocolVersion"]), (200, &json!("2025-11-25")));
    assert_eq!((&body["result"]["serverInfo"]["name"], headers.get("mcp-session-id")), (&json!("keepsake"), None));
    assert!(body["result"]["instructions"].as_str().expect("instructions").contains("recall_memory"));

    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}, "io.modelcontextprotocol/clientCapabilities": {}});
    let newer = |method: &str, name: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        let message = request(method, params);
        let mut builder = post(&key, &message);
        let headers = builder.headers_mut().expect("headers");
        headers.insert("mcp-protocol-version", "2026-07-28".parse().expect("ASCII"));
        headers.insert("mcp-method", method.parse().expect("ASCII"));
        if !name.is_empty() {
            headers.insert("mcp-name", name.parse().expect("ASCII"));
        }
        (builder, message)
    };
    let (builder, message) = newer("server/discover", "", json!({}));
    let (status, _, body) = send(&fixture.router, builder, &message).await;
    assert_eq!(status, 200, "{body}");
    assert!(body["result"]["supportedVersions"].as_array().expect("versions").contains(&json!("2026-07-28")), "{body}");
    let (builder, message) = newer("tools/list", "", json!({}));
    let (_, _, body) = send(&fixture.router, builder, &message).await;
    assert_eq!((&body["result"]["cacheScope"], &body["result"]["resultType"]), (&json!("public"), &json!("complete")), "{body}");
    let (builder, message) =
        newer("tools/call", "remember", json!({"name": "remember", "arguments": {"content": "User likes tea"}}));
    let (_, _, body) = send(&fixture.router, builder, &message).await;
    assert_eq!(body["result"]["structuredContent"]["outcome"], "inserted", "{body}");
}

#[tokio::test]
async fn without_a_valid_key_nothing_is_served() {
    let fixture = Fixture::new().await;
    for key in ["", "ks_wrong"] {
        let message = request("tools/list", json!({}));
        let (status, headers, body) = send(&fixture.router, post(key, &message), &message).await;
        assert_eq!((status, &body["code"]), (401, &json!("unauthenticated")));
        assert_eq!(headers.get(header::WWW_AUTHENTICATE).map(|value| value.as_bytes()), Some(&b"Bearer"[..]));
    }
}

#[tokio::test]
async fn a_key_meets_the_same_rate_as_in_the_api() {
    let fixture = Fixture::new().await;
    let router = fixture.site_limited(1);
    let (key, other) = (fixture.key(ALL, Some("anna")).await, fixture.key(ALL, Some("anna")).await);
    let message = request("tools/list", json!({}));
    let mut statuses = Vec::new();
    for _ in 0..10 {
        let (status, headers, _) = send(&router, post(&key, &message), &message).await;
        assert_eq!(status == 429, headers.contains_key(header::RETRY_AFTER));
        statuses.push(status);
    }
    assert!(statuses.starts_with(&[200; 5]) && statuses.ends_with(&[429]), "{statuses:?}");
    assert_eq!(send(&router, post(&other, &message), &message).await.0, 200, "another key has its own");
    let api = Request::get("/v1/memories").header(header::AUTHORIZATION, format!("Bearer {key}")).body(Body::empty());
    let response = router.clone().oneshot(api.expect("well formed")).await.expect("answers");
    assert_eq!(response.status().as_u16(), 429, "the rate is one for both");
}

#[tokio::test]
async fn hosts_and_origins_that_are_not_ours_are_refused() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let public = fixture.site_at("https://keepsake.example");
    let message = request("tools/list", json!({}));
    let ask = async |router: &Router, host: &str, origin: Option<&str>| {
        let mut builder = post(&key, &message);
        let headers = builder.headers_mut().expect("headers");
        headers.insert(header::HOST, host.parse().expect("ASCII"));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().expect("ASCII"));
        }
        send(router, builder, &message).await.0
    };
    for host in ["localhost:3000", "127.0.0.1", "[::1]:8080"] {
        assert_eq!(ask(&fixture.router, host, None).await, 200, "{host}");
    }
    // A name that a website points to this machine (DNS rebinding).
    assert_eq!(ask(&fixture.router, "rebound.example:3000", None).await, 403);
    assert_eq!(ask(&fixture.router, "keepsake.example", None).await, 403, "only if it is configured");
    assert_eq!(ask(&public, "keepsake.example", None).await, 200);
    assert_eq!(ask(&public, "keepsake.example.evil.example", None).await, 403);
    assert_eq!(ask(&public, "keepsake.example", Some("https://keepsake.example")).await, 200);
    assert_eq!(ask(&public, "keepsake.example", Some("http://keepsake.example")).await, 403, "another scheme");
    assert_eq!(ask(&public, "keepsake.example", Some("https://keepsake.example:444")).await, 403, "another port");
    assert_eq!(ask(&fixture.router, "localhost:3000", Some("http://localhost:6274")).await, 200);
    for origin in ["https://evil.example", "null", "http://localhost.evil.example"] {
        assert_eq!(ask(&fixture.router, "localhost:3000", Some(origin)).await, 403, "{origin}");
    }
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    let message = tool("remember", json!({"content": "x".repeat(1 << 20)}));
    assert_eq!(send(&fixture.router, post(&key, &message), &message).await.0, 413);
    let long = tool("remember", json!({"content": "x".repeat(501)}));
    let (_, _, body) = send(&fixture.router, post(&key, &long), &long).await;
    assert_eq!(body["result"]["_meta"]["keepsake/problem"]["code"], "invalid");
}

#[tokio::test]
async fn other_methods_and_types_are_refused() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, Some("anna")).await;
    for method in ["GET", "DELETE"] {
        let request = Request::builder().method(method).uri("/mcp").header(header::HOST, "localhost");
        let request = request.header(header::AUTHORIZATION, format!("Bearer {key}")).body(Body::empty()).expect("well formed");
        assert_eq!(fixture.send(request).await.status().as_u16(), 405, "{method}");
    }
    let message = request("tools/list", json!({}));
    let mut form = post(&key, &message);
    form.headers_mut().expect("headers").insert(header::CONTENT_TYPE, "text/plain".parse().expect("ASCII"));
    assert_eq!(send(&fixture.router, form, &message).await.0, 415, "a web page can send no such form");
}
