//! The calls on memory blocks: conditions, pages, and the two dialects.

use access::callers::Scope;
use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

use crate::fixture::{Fixture, read};

/// A program with a key that may name any user.
struct Program {
    fixture: Fixture,
    key: String,
}

impl Program {
    async fn new() -> Self {
        let fixture = Fixture::new().await;
        let key = fixture.key(&Scope::ALL, None).await;
        Self { fixture, key }
    }

    /// A call for Anna in Keepsake's own dialect.
    async fn ours(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let joint = if path.contains('?') { '&' } else { '?' };
        self.fixture.call(method, &format!("/v1/memory_stores{path}{joint}user_id=anna"), &self.key, body).await
    }

    /// A call with these headers, for the user that they name.
    async fn with(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> (u16, Value) {
        let mut request = Request::builder().method(method).uri(format!("/v1/memory_stores{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.map_or_else(Body::empty, |value| Body::from(value.to_string()));
        read(self.fixture.send(request.body(body).expect("well formed")).await).await
    }

    /// A call for Anna in Anthropic's dialect.
    async fn theirs(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let headers = [("anthropic-version", "2023-06-01"), ("x-api-key", self.key.as_str()), ("x-keepsake-user", "anna")];
        self.with(method, path, &headers, body).await
    }

    /// A block in the default store; returns its path among the calls.
    async fn block(&self, path: &str, content: &str) -> String {
        let (status, block) = self.ours("POST", "/default/memories", Some(json!({ "path": path, "content": content }))).await;
        assert_eq!(status, 200, "{block}");
        format!("/default/memories/{}", block["id"].as_str().expect("an id"))
    }
}

#[tokio::test]
async fn a_change_names_what_it_is_based_on_and_a_stale_one_is_told_what_there_is() {
    let program = Program::new().await;
    let at = program.block("/plan", "one").await;
    let (status, shown) = program.ours("GET", &at, None).await;
    assert_eq!((status, &shown["content"], &shown["version"], &shown["type"]), (200, &json!("one"), &json!(1), &json!("memory")));
    let change = |content: &str| Some(json!({ "content": content }));
    let (status, problem) = program.ours("POST", &at, change("two")).await;
    assert_eq!((status, &problem["code"]), (428, &json!("version_needed")));
    let (status, changed) = program.ours("POST", &at, Some(json!({ "content": "two", "expected_version": 1 }))).await;
    assert_eq!((status, &changed["version"], &changed["content"]), (200, &json!(2), &Value::Null));
    let (status, problem) = program.ours("POST", &at, Some(json!({ "content": "three", "expected_version": 1 }))).await;
    assert_eq!((status, &problem["code"], &problem["version"]), (409, &json!("stale"), &json!(2)));
    assert_eq!(problem["current"]["content"], "two", "with the text that there is");
    let key = format!("Bearer {}", program.key);
    let matching = |tag: &'static str| {
        [("authorization", key.clone()), ("if-match", tag.to_owned()), ("x-keepsake-user", "anna".to_owned())]
    };
    for (tag, status) in [("\"1\"", 412), ("\"2\"", 200), ("*", 200)] {
        let headers = matching(tag);
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let (got, answer) = program.with("POST", &at, &headers, change(&format!("by {tag}"))).await;
        assert_eq!(got, status, "{answer}");
        assert!(status != 412 || answer["current"]["content"] == "two");
    }
    let hash = program.ours("GET", &at, None).await.1["content_sha256"].clone();
    let precondition = json!({ "type": "content_sha256", "content_sha256": hash });
    let (status, _) = program.ours("POST", &at, Some(json!({ "content": "last", "precondition": precondition }))).await;
    assert_eq!(status, 200);
    let (status, problem) = program.ours("DELETE", &format!("{at}?expected_version=1"), None).await;
    assert_eq!((status, &problem["code"]), (409, &json!("stale")));
    assert_eq!(program.ours("DELETE", &at, None).await, (200, json!({ "id": at.rsplit('/').next(), "type": "memory_deleted" })));
    assert_eq!(program.ours("GET", &at, None).await.0, 404);
}

#[tokio::test]
async fn edits_comparisons_the_bin_and_search_stand_beside() {
    let program = Program::new().await;
    let at = program.block("/plan", "# Plan\n- one\n").await;
    let edit = async |body: Value| program.ours("POST", &format!("{at}/edit"), Some(body)).await;
    for (body, text) in [
        (json!({ "command": "append", "text": "- two" }), "# Plan\n- one\n- two"),
        (json!({ "command": "insert", "insert_line": 1, "text": "- zero" }), "# Plan\n- zero\n- one\n- two"),
        (json!({ "command": "str_replace", "old_str": "- one", "new_str": "- 1" }), "# Plan\n- zero\n- 1\n- two"),
        (json!({ "command": "prepend", "text": "Draft" }), "Draft\n# Plan\n- zero\n- 1\n- two"),
        (json!({ "command": "replace_section", "heading": "Plan", "text": "- all new" }), "Draft\n# Plan\n- all new"),
    ] {
        let (status, block) = edit(body).await;
        assert_eq!((status, &block["content"]), (200, &json!(text)));
    }
    let (status, problem) = edit(json!({ "command": "str_replace", "old_str": "a", "new_str": "b" })).await;
    assert_eq!((status, &problem["code"], &problem["matches"]), (422, &json!("no_match"), &json!(3)));
    for (body, status) in [
        (json!({ "command": "append" }), 400),
        (json!({ "command": "cut", "text": "x" }), 422),
        (json!({ "command": "insert", "insert_line": 9, "text": "x" }), 422),
        (json!({ "command": "append", "text": "x", "expected_version": 1 }), 409),
    ] {
        assert_eq!(edit(body.clone()).await.0, status, "{body}");
    }
    let (status, told) = program.ours("GET", &format!("{at}/diff?from=1&to=2"), None).await;
    assert_eq!(
        (status, &told["unified"]),
        (200, &json!("@@ -1,2 +1,3 @@\n # Plan\n - one\n+- two\n\\ No newline at end of file\n"))
    );
    assert_eq!(program.ours("GET", &format!("{at}/diff?from=1"), None).await.0, 422);
    let (status, back) = program.ours("POST", &format!("{at}/restore"), Some(json!({ "version": 1 }))).await;
    assert_eq!((status, &back["content"], &back["version"]), (200, &json!("# Plan\n- one\n"), &json!(7)));

    let other = program.block("/birds", "Swifts nest under the roof").await;
    let search = async |query: &str| {
        let (status, found) = program.ours("POST", "/default/search", Some(json!({ "query": query }))).await;
        assert_eq!(status, 200, "{found}");
        found["items"].as_array().expect("a list").iter().map(|item| item["path"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(search("roof nest").await, ["/birds"]);
    assert_eq!(search("\" OR NEAR(").await, Vec::<Value>::new());
    assert_eq!(program.ours("POST", "/default/search", Some(json!({ "query": " " }))).await.0, 422);
    assert_eq!(program.ours("DELETE", &other, None).await.0, 200);
    assert_eq!(search("roof").await, Vec::<Value>::new());
    let (_, bin) = program.ours("GET", "/default/bin", None).await;
    assert_eq!((&bin["items"][0]["path"], bin["items"].as_array().map(Vec::len)), (&json!("/birds"), Some(1)));
    assert!(bin["items"][0]["deleted_at"].is_string());
    let (status, back) = program.ours("POST", &format!("{other}/restore"), Some(json!({}))).await;
    assert_eq!((status, &back["content"]), (200, &json!("Swifts nest under the roof")));
    assert_eq!(program.ours("DELETE", &format!("{other}?forever=true"), None).await.0, 200);
    assert_eq!(program.ours("POST", &format!("{other}/restore"), Some(json!({}))).await.0, 404);
}

#[tokio::test]
async fn lists_are_paged_and_folded() {
    let program = Program::new().await;
    assert_eq!(
        program.ours("GET", "/default/memories", None).await,
        (200, json!({ "items": [], "next_cursor": null })),
        "before the first write"
    );
    for path in ["/a", "/b/1", "/b/2", "/b/c/3", "/b.md", "/d"] {
        program.block(path, path).await;
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let (status, page) = program.ours("GET", &format!("/default/memories?limit=2{cursor}"), None).await;
        assert_eq!(status, 200);
        seen.extend(page["items"].as_array().expect("a list").iter().map(|item| item["path"].as_str().expect("text").to_owned()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        assert!(!next.contains('/'), "a path does not stand in an address");
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, ["/a", "/b.md", "/b/1", "/b/2", "/b/c/3", "/d"]);
    let paths = async |query: &str| {
        let (status, page) = program.ours("GET", &format!("/default/memories?{query}"), None).await;
        assert_eq!(status, 200, "{page}");
        let items = page["items"].as_array().expect("a list").clone();
        items
            .into_iter()
            .map(|item| format!("{} {}", item["type"].as_str().expect("text"), item["path"].as_str().expect("text")))
            .collect::<Vec<_>>()
    };
    assert_eq!(paths("depth=1").await, ["memory /a", "memory /b.md", "memory_prefix /b/", "memory /d"]);
    assert_eq!(paths("path_prefix=/b/&depth=1").await, ["memory /b/1", "memory /b/2", "memory_prefix /b/c/"]);
    assert_eq!(paths("path_prefix=/b/").await.len(), 3);
    let (_, first) = program.ours("GET", "/default/memories?depth=1&limit=3", None).await;
    let rest = paths(&format!("depth=1&limit=3&cursor={}", first["next_cursor"].as_str().expect("more"))).await;
    assert_eq!(rest, ["memory /d"], "what a folder holds is passed over");
    for bad in
        ["path_prefix=/b", "depth=2", "limit=0", "limit=101", "view=all", "cursor=%2Fa", "pinned=maybe", "created_at[gte]=today"]
    {
        let (status, problem) = program.ours("GET", &format!("/default/memories?{bad}"), None).await;
        assert_eq!((status, &problem["code"]), (422, &json!("invalid")), "{bad}");
    }
    let full = program.ours("GET", "/default/memories?view=full&depth=1", None).await.1;
    assert_eq!(full["items"][0]["content"], "/a");
}

#[tokio::test]
async fn with_their_header_it_speaks_their_dialect_and_nothing_final_is_a_422() {
    let program = Program::new().await;
    let (status, store) = program.theirs("POST", "", Some(json!({ "name": "Notes" }))).await;
    assert_eq!((status, &store["type"], &store["metadata"]), (200, &json!("memory_store"), &json!({})));
    let at = format!("/{}/memories", store["id"].as_str().expect("an id"));
    let (status, block) = program.theirs("POST", &at, Some(json!({ "path": "/a", "content": "one" }))).await;
    assert_eq!((status, &block["content"]), (200, &Value::Null));
    let own = format!("{at}/{}", block["id"].as_str().expect("an id"));
    let (status, changed) = program.theirs("POST", &own, Some(json!({ "content": "two" }))).await;
    assert_eq!((status, &changed["content_size_bytes"]), (200, &json!(3)), "on the newest text");
    let (_, page) = program.theirs("GET", &format!("{at}?limit=1"), None).await;
    assert_eq!((page["data"].as_array().map(Vec::len), &page["next_page"]), (Some(1), &Value::Null));

    let long = "x".repeat(102_401);
    let secret = "aws_access_key_id = AKIAIOSFODNN7EXAMPLF";
    let stale = json!({ "content": "x", "precondition": { "type": "content_sha256", "content_sha256": "0".repeat(64) } });
    for (method, path, body, status, kind) in [
        ("POST", at.clone(), Some(json!({ "path": "/a/b", "content": "x" })), 409, "memory_path_conflict_error"),
        ("POST", own.clone(), Some(stale), 409, "memory_precondition_failed_error"),
        ("POST", at.clone(), Some(json!({ "path": "/../a", "content": "x" })), 400, "invalid_request_error"),
        ("POST", at.clone(), Some(json!({ "path": "/b", "content": long })), 400, "invalid_request_error"),
        ("POST", at.clone(), Some(json!({ "path": "/b", "content": secret })), 400, "invalid_request_error"),
        ("POST", at.clone(), Some(json!({ "path": 7 })), 400, "invalid_request_error"),
        ("GET", format!("{at}?limit=500"), None, 400, "invalid_request_error"),
        ("GET", format!("{at}/mem_none"), None, 404, "not_found_error"),
        (
            "POST",
            format!("{own}/edit"),
            Some(json!({ "command": "str_replace", "old_str": "none" })),
            400,
            "invalid_request_error",
        ),
        ("POST", at.clone(), Some(json!({ "path": "/b", "content": "x".repeat(1 << 21) })), 413, "invalid_request_error"),
    ] {
        let (got, answer) = program.theirs(method, &path, body).await;
        assert_eq!((got, &answer["error"]["type"]), (status, &json!(kind)), "{answer}");
        assert_eq!((&answer["type"], answer["request_id"].is_string()), (&json!("error"), true));
        assert!(!answer.to_string().contains("AKIA"), "the text is not told");
    }
    let (status, answer) = program.with("GET", "", &[("anthropic-version", "x"), ("x-api-key", "ks_wrong")], None).await;
    assert_eq!((status, &answer["error"]["type"]), (401, &json!("authentication_error")));
    let (status, _) = program.with("GET", "", &[("x-api-key", program.key.as_str()), ("x-keepsake-user", "anna")], None).await;
    assert_eq!(status, 401, "only with their header");
    let bearer = format!("Bearer {}", program.key);
    let (status, _) =
        program.with("GET", "", &[("anthropic-version", "x"), (header::AUTHORIZATION.as_str(), &bearer)], None).await;
    assert_eq!(status, 400, "nobody is named");
}

#[tokio::test]
async fn a_thousand_ids_of_others_are_not_there() {
    let program = Program::new().await;
    let at = program.block("/a", "anna's").await;
    let block = program.ours("GET", &at, None).await.1;
    let (store, id) = (block["memory_store_id"].as_str().expect("text"), block["id"].as_str().expect("text"));
    let version = block["memory_version_id"].as_str().expect("text");
    let bound = program.fixture.key(&Scope::ALL, Some("budi")).await;
    let known = Some(json!({ "content": "budi's", "path": "/b" }));
    assert_eq!(program.fixture.call("POST", "/v1/memory_stores/default/memories", &bound, known).await.0, 200);
    for n in 0..250 {
        // Anna's own first, then ids that do not exist.
        let (store, id, version) = match n {
            0 => (store.to_owned(), id.to_owned(), version.to_owned()),
            1 => ("default".to_owned(), id.to_owned(), version.to_owned()),
            n => (format!("memstore_{n}"), format!("mem_{n}"), format!("memver_{n}")),
        };
        let base = format!("/v1/memory_stores/{store}");
        for (method, path, body) in [
            ("GET", format!("{base}/memories/{id}"), None),
            ("POST", format!("{base}/memories/{id}"), Some(json!({ "content": "x", "expected_version": 1 }))),
            ("DELETE", format!("{base}/memories/{id}?forever=true"), None),
            ("POST", format!("{base}/memory_versions/{version}/redact"), None),
        ] {
            let (status, answer) = program.fixture.call(method, &path, &bound, body).await;
            assert_eq!((status, &answer["code"]), (404, &json!("not_found")), "{method} {path}");
        }
    }
    assert_eq!(program.ours("GET", &at, None).await.1["content"], "anna's");
    let reader = program.fixture.key(&[Scope::Read], Some("anna")).await;
    assert_eq!(program.fixture.call("GET", &format!("/v1/memory_stores{at}"), &reader, None).await.0, 200);
    assert_eq!(program.fixture.call("DELETE", &format!("/v1/memory_stores{at}"), &reader, None).await.0, 403);
}
