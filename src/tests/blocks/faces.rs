//! Memory blocks through each interface: Keepsake's calls, those of Anthropic's Memory Stores API, the memory tool over HTTP and
//! over MCP, and the blocks of pipelines. All of them reach the same store, keep every byte, and refuse the same paths and
//! everything above a limit.

use std::collections::BTreeMap;

use access::callers::Scope;
use axum::body::Body;
use axum::http::Request;
use domain::blocks::guid;
use domain::blocks::limits::{
    BLOCKS, CONTENT_BYTES, DESCRIPTION_CHARS, LABEL_BYTES, Limit, METADATA_KEY_CHARS, METADATA_PAIRS, METADATA_VALUE_CHARS,
    NAME_CHARS, PATH_BYTES, PATH_SEGMENTS, PINNED, PINNED_CHARS, RECORDS, STORES, USER_BYTES,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use crate::fixture::{Fixture, read};
use crate::surfaces::mcp;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Face {
    Ours,
    Theirs,
    Tool,
    Mcp,
    Pipeline,
}

const FACES: [Face; 5] = [Face::Ours, Face::Theirs, Face::Tool, Face::Mcp, Face::Pipeline];
/// Interfaces at which the writer names a path.
const WITH_PATHS: [Face; 4] = [Face::Ours, Face::Theirs, Face::Tool, Face::Mcp];
const STORES_CALL: &str = "/v1/memory_stores";
const BLOCKS_CALL: &str = "/v1/memory_stores/default/memories";

/// All interfaces, asked for the same user.
struct Faces {
    fixture: Fixture,
    key: String,
    user: &'static str,
}

/// A written block: its id, if the interface returns it, and its path.
struct Written {
    id: Option<String>,
    path: String,
}

fn most(limit: &Limit) -> usize {
    usize::try_from(limit.max).expect("small")
}

impl Faces {
    /// The user must be an instance of a pipeline: only such a user can be named at all five.
    async fn of(user: &'static str) -> Self {
        let fixture = Fixture::new().await;
        let key = fixture.key(&[Scope::Read, Scope::Write], Some(user)).await;
        Self { fixture, key, user }
    }

    /// A call on stores and blocks. Returns its answer, or the text of its problem.
    async fn rest(&self, face: Face, method: &str, path: &str, body: Option<Value>) -> Result<Value, String> {
        let theirs = face == Face::Theirs;
        let (status, answer) = if theirs {
            let request = Request::builder()
                .method(method)
                .uri(path)
                .header("anthropic-version", "2023-06-01")
                .header("x-api-key", &self.key)
                .header("content-type", "application/json");
            let body = body.map_or_else(Body::empty, |value| Body::from(value.to_string()));
            read(self.fixture.send(request.body(body).expect("well formed")).await).await
        } else {
            self.fixture.call(method, path, &self.key, body).await
        };
        if status == 200 {
            return Ok(answer);
        }
        assert_eq!(status, if theirs { 400 } else { 422 }, "{answer}");
        Err(if theirs { answer["error"].to_string() } else { answer.to_string() })
    }

    async fn tool(&self, face: Face, command: Value) -> Result<String, String> {
        let (said, is_error) = if face == Face::Mcp {
            let result = mcp::call(&self.fixture, &self.key, "memory", command).await;
            (result["content"][0]["text"].clone(), result["isError"].clone())
        } else {
            let (status, answer) = self.fixture.call("POST", "/v1/memory-tool", &self.key, Some(command)).await;
            assert_eq!(status, 200, "{answer}");
            (answer["content"].clone(), answer["is_error"].clone())
        };
        let said = said.as_str().expect("a text").to_owned();
        if is_error == json!(true) { Err(said) } else { Ok(said) }
    }

    async fn hook(&self, hook: &str, text: &str, more: &Value) -> Result<Value, String> {
        let mut args = json!({ "memory_id": format!("{}/default", self.user) });
        let own: Map<String, Value> = more.as_object().expect("an object").clone();
        args.as_object_mut().expect("an object").extend(own);
        let body = json!({ "args": [{ "text": text }], "wf_webhook_args": args });
        let (status, answer) = self.fixture.call("POST", &format!("/v1/webhooks/memory_{hook}"), &self.key, Some(body)).await;
        assert_eq!(status, 200, "{answer}");
        answer["error"].as_str().map_or(Ok(answer.clone()), |error| Err(error.to_owned()))
    }

    /// Adds a block. `more`: further fields, of which the memory tool has none. A pipeline names no path.
    async fn add(&self, face: Face, path: &str, text: &str, more: &Value) -> Result<Written, String> {
        let id_of = |answer: &Value, name: &str| answer[name].as_str().expect("an id").to_owned();
        match face {
            Face::Ours | Face::Theirs => {
                let mut body = json!({ "path": path, "content": text });
                let own: Map<String, Value> = more.as_object().expect("an object").clone();
                body.as_object_mut().expect("an object").extend(own);
                let answer = self.rest(face, "POST", BLOCKS_CALL, Some(body)).await?;
                Ok(Written { id: Some(id_of(&answer, "id")), path: path.to_owned() })
            }
            Face::Tool | Face::Mcp => {
                let command = json!({ "command": "create", "path": format!("/memories{path}"), "file_text": text });
                self.tool(face, command).await?;
                Ok(Written { id: None, path: path.to_owned() })
            }
            Face::Pipeline => {
                let guid = id_of(&self.hook("write", text, more).await?, "guid");
                let id = guid::id_of(&guid).expect("a UUID of ours");
                Ok(Written { path: format!("/{id}"), id: Some(guid) })
            }
        }
    }

    /// Adds a line at the end, or a character in the line if there is one.
    async fn lengthen(&self, face: Face, block: &Written, text: &str) -> Result<(), String> {
        let id = block.id.clone().unwrap_or_default();
        match face {
            Face::Ours | Face::Theirs => {
                let body = json!({ "command": "append", "text": text });
                self.rest(face, "POST", &format!("{BLOCKS_CALL}/{id}/edit"), Some(body)).await.map(drop)
            }
            Face::Tool | Face::Mcp => {
                let path = format!("/memories{}", block.path);
                let command = json!({ "command": "insert", "path": path, "insert_line": 1, "insert_text": text });
                self.tool(face, command).await.map(drop)
            }
            Face::Pipeline => self.hook("append", text, &json!({ "guid": id })).await.map(drop),
        }
    }

    /// Every block as the lists show it.
    async fn listed(&self, face: Face) -> BTreeMap<String, String> {
        let (items, next, page) =
            if face == Face::Theirs { ("data", "next_page", "page") } else { ("items", "next_cursor", "cursor") };
        let mut all = BTreeMap::new();
        let mut from = String::new();
        loop {
            let answer = self.rest(face, "GET", &format!("{BLOCKS_CALL}?view=full&limit=20{from}"), None).await.expect("listed");
            for item in answer[items].as_array().expect("a list") {
                let text = |name: &str| item[name].as_str().expect("a text").to_owned();
                all.insert(text("path"), text("content"));
            }
            let Some(next) = answer[next].as_str() else { return all };
            from = format!("&{page}={next}");
        }
    }

    /// A file as the memory tool shows it.
    async fn viewed(&self, face: Face, path: &str) -> String {
        let path = format!("/memories{path}");
        let shown = self.tool(face, json!({ "command": "view", "path": path })).await.expect("there");
        let (head, lines) = shown.split_once('\n').expect("a head");
        assert_eq!(head, format!("Here's the content of {path} with line numbers:"));
        let lines: Vec<&str> = lines.split('\n').map(|line| line.split_once('\t').expect("a number").1).collect();
        lines.join("\n")
    }

    /// Changes rows with SQL, because calls would take minutes.
    async fn sql(&self, sql: &'static str, number: u64) {
        let options = SqliteConnectOptions::new().filename(self.fixture.folder.path().join("keepsake.db"));
        let mut connection = options.connect().await.expect("connects");
        let number = i64::try_from(number).expect("small");
        let done = sqlx::query(sql).bind(number).bind(self.user).execute(&mut connection).await.expect("done");
        assert!(done.rows_affected() > 0);
    }
}

/// The refusal names the limit, and the size that would exceed it.
#[track_caller]
fn over(limit: &Limit, refused: Result<impl Sized, String>) {
    let Err(told) = refused else { panic!("{} is not refused above {}", limit.what, limit.max) };
    for number in [limit.max, limit.max + 1] {
        assert!(told.contains(&number.to_string()), "{}: {told}", limit.what);
    }
}

/// Random texts. No sentence in them is long enough to be taken for an order.
fn texts(count: usize) -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    // Letters of many scripts, white space of every kind, and marks.
    let text = proptest::string::string_regex(
        r#"(([a-zäöé日本Ж😀0 \t\r\x{feff}\x{a0}\x{2028}$&{}`\\"'<>]{0,2}[|?] ){0,6}[a-zé日Ж😀 \t\r\x{feff}]{0,3}\n){0,4}"#,
    )
    .expect("a form");
    (0..count).map(|_| text.new_tree(&mut runner).expect("a text").current()).collect()
}

#[tokio::test]
async fn ten_thousand_random_texts_come_back_byte_for_byte_by_every_face_whichever_wrote_them() {
    const TEXTS: usize = 10_000;
    /// Texts sent in one block, because each call takes time.
    const AT_ONCE: usize = 100;
    let faces = Faces::of("instances/faces").await;
    let mut sent = BTreeMap::new();
    for (n, chunk) in texts(TEXTS).chunks(AT_ONCE).enumerate() {
        // A mark between two texts that none of them contains.
        let whole = chunk.join("\n=\n");
        for face in FACES {
            let written = faces.add(face, &format!("/{face:?}/{n}"), &whole, &json!({})).await.expect("written");
            assert!(sent.insert(written.path, whole.clone()).is_none());
        }
    }
    assert_eq!(sent.len(), TEXTS / AT_ONCE * FACES.len());
    for face in [Face::Ours, Face::Theirs] {
        assert!(faces.listed(face).await == sent, "{face:?}");
    }
    for face in [Face::Tool, Face::Mcp] {
        for (path, whole) in &sent {
            assert_eq!(faces.viewed(face, path).await, *whole, "{face:?} {path}");
        }
    }
    let records = faces.hook("read", "", &json!({})).await.expect("read");
    let mut back: Vec<&str> =
        records.as_array().expect("a list").iter().filter_map(|record| record["content"].as_str()).collect();
    let mut all: Vec<&str> = sent.values().map(String::as_str).collect();
    back.sort_unstable();
    all.sort_unstable();
    assert!(back == all, "Pipeline");
}

#[tokio::test]
async fn paths_that_look_alike_are_apart_and_those_that_hide_or_escape_are_refused() {
    let faces = Faces::of("instances/faces").await;
    let alike = ["/a.b", "/a_b", "/a-b", "/A.b", "/a b", "/caf\u{e9}", "/cafe", "/%61.b", "/a.b.", "/a*b", "/a?b"];
    for (n, path) in alike.iter().enumerate() {
        faces.add(WITH_PATHS[n % WITH_PATHS.len()], path, path, &json!({})).await.expect(path);
    }
    let own = faces.add(Face::Ours, "/own", "own", &json!({})).await.expect("added");
    let at = format!("{BLOCKS_CALL}/{}", own.id.expect("an id"));
    let hidden = [
        "/cafe\u{301}",
        "/a\u{202e}b",
        "/a\u{2066}b",
        "/a\u{200b}b",
        "/\u{feff}a",
        "/a\u{ad}b",
        "/a\u{2028}b",
        "/\u{e0041}",
        "/a\u{0}",
        "/a\nb",
        "/a\u{85}",
        "/a\u{7f}",
    ];
    // The memory tool takes these for folders; elsewhere they are no valid paths.
    let ways = ["", "/", "a", "a/b", "//a", "/a//b", "/x/", "/.", "/./x", "/..", "/../x", "/x/..", "/x/../y"];
    for face in [Face::Ours, Face::Theirs] {
        for path in hidden.iter().chain(&ways) {
            assert!(faces.add(face, path, "x", &json!({})).await.is_err(), "{face:?} {path:?}");
            let moved = faces.rest(face, "POST", &at, Some(json!({ "path": path, "expected_version": 1 }))).await;
            assert!(moved.is_err(), "{face:?} {path:?}");
        }
    }
    let out = ["/../x", "/x/../../y", "/..", "x", "/../memoriesx/y", "/../../etc/passwd"];
    for face in [Face::Tool, Face::Mcp] {
        for path in hidden.iter().chain(&out) {
            let full = format!("/memories{path}");
            assert!(faces.add(face, path, "x", &json!({})).await.is_err(), "{face:?} {path:?}");
            for command in [
                json!({ "command": "view", "path": full }),
                json!({ "command": "delete", "path": full }),
                json!({ "command": "str_replace", "path": full, "old_str": "x", "new_str": "y" }),
                json!({ "command": "insert", "path": full, "insert_line": 0, "insert_text": "x" }),
                json!({ "command": "rename", "old_path": "/memories/own", "new_path": full }),
                json!({ "command": "rename", "old_path": full, "new_path": "/memories/new" }),
            ] {
                assert!(faces.tool(face, command.clone()).await.is_err(), "{face:?} {command}");
            }
        }
    }
    let mut expected: BTreeMap<String, String> = alike.iter().map(|path| ((*path).to_owned(), (*path).to_owned())).collect();
    expected.insert("/own".to_owned(), "own".to_owned());
    for face in [Face::Ours, Face::Theirs] {
        assert_eq!(faces.listed(face).await, expected);
    }
    for face in [Face::Tool, Face::Mcp] {
        for path in alike {
            assert_eq!(faces.viewed(face, path).await, path, "{face:?}");
        }
    }
}

#[tokio::test]
async fn a_text_and_a_path_fit_to_the_last_byte_by_every_face() {
    let faces = Faces::of("instances/faces").await;
    let most_text = "x".repeat(most(&CONTENT_BYTES));
    let none = json!({});
    for (n, face) in FACES.into_iter().enumerate() {
        faces.add(face, &format!("/{n}/most"), &most_text, &none).await.expect("fits");
        over(&CONTENT_BYTES, faces.add(face, &format!("/{n}/more"), &format!("{most_text}x"), &none).await);
        // A line more takes its own byte and the end of the line before it.
        let almost = faces.add(face, &format!("/{n}/almost"), &most_text[3..], &none).await.expect("fits");
        faces.lengthen(face, &almost, "y").await.expect("fits");
        let grown = faces.lengthen(face, &almost, "z").await.expect_err("too long");
        let is_little_over = ["102401", "102402"].iter().any(|value| grown.contains(value));
        assert!(grown.contains("102400") && is_little_over, "{face:?}: {grown}");
        let text = faces.viewed(Face::Tool, &almost.path).await;
        assert!(text.contains('y') && !text.contains('z') && text.len() <= most_text.len(), "{face:?}: {}", text.len());
    }
    for (n, face) in WITH_PATHS.into_iter().enumerate() {
        let head = format!("/{n}-");
        let long = format!("{head}{}", "p".repeat(most(&PATH_BYTES) - head.len()));
        faces.add(face, &long, "x", &none).await.expect("fits");
        over(&PATH_BYTES, faces.add(face, &format!("{long}p"), "x", &none).await);
        let deep = format!("/{n}d{}", "/a".repeat(most(&PATH_SEGMENTS) - 1));
        faces.add(face, &deep, "x", &none).await.expect("fits");
        over(&PATH_SEGMENTS, faces.add(face, &format!("/d{deep}"), "x", &none).await);
    }
}

#[tokio::test]
async fn fields_and_stores_fit_to_the_last_character_by_every_face() {
    let faces = Faces::of("instances/faces").await;
    let tag = |chars: usize| json!({ "tags": ["é".repeat(chars)] });
    let tags = |count: usize| json!({ "tags": (0..count).map(|n| format!("t{n}")).collect::<Vec<_>>() });
    for (n, face) in [Face::Ours, Face::Theirs, Face::Pipeline].into_iter().enumerate() {
        let add = async |name: &str, text: &str, more: Value| faces.add(face, &format!("/{n}/{name}"), text, &more).await;
        for label in ["kind", "scope", "source"] {
            add(label, "x", json!({ label: "k".repeat(most(&LABEL_BYTES)) })).await.expect("fits");
            over(&LABEL_BYTES, add("more", "x", json!({ label: "k".repeat(most(&LABEL_BYTES) + 1) })).await);
        }
        add("tag", "x", tag(64)).await.expect("fits");
        assert!(add("more", "x", tag(65)).await.err().is_some_and(|told| told.contains("64")), "{face:?}");
        add("tags", "x", tags(16)).await.expect("fits");
        let told = add("more", "x", tags(17)).await.err().expect("too many");
        assert!(told.contains("16") && told.contains("17"), "{face:?}: {told}");
    }
    for (n, face) in [Face::Ours, Face::Theirs].into_iter().enumerate() {
        let add = async |name: &str, text: &str, more: Value| faces.add(face, &format!("/{n}/{name}"), text, &more).await;
        let about = |chars: usize| json!({ "description": "é".repeat(chars) });
        add("description", "x", about(most(&DESCRIPTION_CHARS))).await.expect("fits");
        over(&DESCRIPTION_CHARS, add("more", "x", about(most(&DESCRIPTION_CHARS) + 1)).await);
        let limited = add("limit", &"é".repeat(10), json!({ "char_limit": 10 })).await.expect("fits");
        assert!(add("more", &"é".repeat(11), json!({ "char_limit": 10 })).await.err().is_some_and(|told| told.contains("11")));
        for other in [face, Face::Tool, Face::Mcp, Face::Pipeline] {
            let told = faces.lengthen(other, &limited, "y").await.expect_err("over its own limit");
            assert!(told.contains("10") && ["12", "13"].iter().any(|value| told.contains(value)), "{other:?}: {told}");
        }
        let pinned = add("pinned", &"é".repeat(most(&PINNED_CHARS)), json!({ "pinned": true })).await.expect("fits");
        over(&PINNED_CHARS, add("more", &"é".repeat(most(&PINNED_CHARS) + 1), json!({ "pinned": true })).await);
        for other in [face, Face::Tool, Face::Mcp, Face::Pipeline] {
            assert!(faces.lengthen(other, &pinned, "y").await.is_err(), "{other:?}");
        }
        let search = |bytes: usize| json!({ "query": "q".repeat(bytes) });
        let at = "/v1/memory_stores/default/search";
        faces.rest(face, "POST", at, Some(search(4_096))).await.expect("searched");
        assert!(faces.rest(face, "POST", at, Some(search(4_097))).await.err().is_some_and(|told| told.contains("4096")));

        let store = async |more: Value| {
            let mut body = json!({ "name": "s" });
            body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            faces.rest(face, "POST", STORES_CALL, Some(body)).await
        };
        let named = |chars: usize| json!({ "name": "é".repeat(chars) });
        let pairs =
            |count: usize| json!({ "metadata": (0..count).map(|n| (format!("k{n}"), json!("v"))).collect::<Map<_, _>>() });
        let key = |chars: usize| json!({ "metadata": { "é".repeat(chars): "v" } });
        let value = |chars: usize| json!({ "metadata": { "k": "é".repeat(chars) } });
        let of: [(&Limit, &dyn Fn(usize) -> Value); 5] = [
            (&NAME_CHARS, &named),
            (&DESCRIPTION_CHARS, &about),
            (&METADATA_PAIRS, &pairs),
            (&METADATA_KEY_CHARS, &key),
            (&METADATA_VALUE_CHARS, &value),
        ];
        for (limit, body) in of {
            store(body(most(limit))).await.expect("fits");
            over(limit, store(body(most(limit) + 1)).await);
        }
    }
    // The scope of a record is its `memory_id`, unless it is given.
    let alias = |chars: usize| json!({ "memory_id": format!("{}/{}", faces.user, "m".repeat(chars)), "scope": "s" });
    faces.hook("write", "x", &alias(most(&NAME_CHARS))).await.expect("fits");
    over(&NAME_CHARS, faces.hook("write", "x", &alias(most(&NAME_CHARS) + 1)).await);
    // The stores that are there by now.
    let there = faces.rest(Face::Ours, "GET", &format!("{STORES_CALL}?limit=100"), None).await.expect("listed");
    for n in there["items"].as_array().expect("a list").len()..most(&STORES) {
        faces.rest(Face::Theirs, "POST", STORES_CALL, Some(json!({ "name": format!("more {n}") }))).await.expect("fits");
    }
    for face in [Face::Ours, Face::Theirs] {
        over(&STORES, faces.rest(face, "POST", STORES_CALL, Some(json!({ "name": "one more" }))).await);
    }
    over(&STORES, faces.hook("write", "x", &json!({ "memory_id": format!("{}/another", faces.user) })).await);
}

const FILL: &str = "INSERT INTO blocks (id, user_no, store_no, path, content, sha256, bytes, chars, version, version_id, operation, by_kind, \
                    by_id, by_surface, description, pinned, read_only, kind, scope, source, tags, created_at, updated_at) \
                    WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT 'f' || i, user_no, store_no, \
                    '/f' || i, '', '', 0, 0, 1, 'v' || i, 'created', 'cli', 'cli', 'web', '', 0, 0, '', '', '', '[]', 1, 1 \
                    FROM n, block_stores WHERE user_no = (SELECT user_no FROM users WHERE user_id = ?2)";
const BYTES: &str =
    "UPDATE blocks SET bytes = ?1 WHERE path = '/first' AND user_no = (SELECT user_no FROM users WHERE user_id = ?2)";

#[tokio::test]
async fn a_store_and_a_user_hold_so_much_and_not_one_more_by_every_face() {
    for (user, limit) in [("anna", &BLOCKS), ("instances/full", &RECORDS)] {
        let faces = Faces::of(user).await;
        let on: &[Face] = if user == "anna" { &WITH_PATHS } else { &FACES };
        let none = json!({});
        faces.add(Face::Ours, "/first", "x", &none).await.expect("added");
        faces.sql(FILL, limit.max - on.len() as u64).await;
        for face in on {
            faces.add(*face, &format!("/{face:?}"), "x", &none).await.expect("the last ones");
        }
        for face in on {
            over(limit, faces.add(*face, "/one-more", "x", &none).await);
        }
        // The limit of all texts together: SQL sets the size of the first one.
        let others = on.len() as u64;
        faces.tool(Face::Tool, json!({ "command": "delete", "path": "/memories/f2" })).await.expect("deleted");
        faces.sql(BYTES, USER_BYTES.max - others - 2).await;
        for face in on {
            over(&USER_BYTES, faces.add(*face, "/three-bytes", "xyz", &none).await);
        }
        let two = faces.add(Face::Tool, "/two-bytes", "xy", &none).await.map(|_| ());
        assert_eq!(two, Ok(()), "to the last byte");
    }
}

#[tokio::test]
async fn so_many_blocks_are_pinned_and_not_one_more() {
    for (face, other) in [(Face::Ours, Face::Theirs), (Face::Theirs, Face::Ours)] {
        let faces = Faces::of("anna").await;
        let pinned = json!({ "pinned": true });
        for n in 0..PINNED.max {
            faces.add(face, &format!("/{n}"), "x", &pinned).await.expect("fits");
        }
        for face in [face, other] {
            over(&PINNED, faces.add(face, "/one-more", "x", &pinned).await);
        }
        let loose = faces.add(face, "/loose", "x", &json!({})).await.expect("added");
        let at = format!("{BLOCKS_CALL}/{}", loose.id.expect("an id"));
        for face in [face, other] {
            over(&PINNED, faces.rest(face, "POST", &at, Some(json!({ "pinned": true, "expected_version": 1 }))).await);
        }
    }
}

#[tokio::test]
async fn an_id_of_another_is_no_record_and_no_file_of_ones_own() {
    const IDS: usize = 100;
    let faces = Faces::of("instances/faces").await;
    let theirs = faces.fixture.key(&[Scope::Read, Scope::Write], Some("instances/other")).await;
    let call = async |path: &str, body: Value| {
        let (status, answer) = faces.fixture.call("POST", path, &theirs, Some(body)).await;
        assert_eq!(status, 200, "{answer}");
        answer
    };
    let mut sent = BTreeMap::new();
    for n in 0..IDS {
        let written = faces.add(Face::Pipeline, "", &format!("own {n}"), &json!({})).await.expect("written");
        let id = written.id.expect("an id");
        let args = json!({ "memory_id": "instances/other/default", "guid": id });
        let hook = |text: &str| json!({ "args": [{ "text": text }], "wf_webhook_args": args });
        assert_eq!(call("/v1/webhooks/memory_delete", hook("")).await, json!({ "deleted": 0 }));
        let appended = call("/v1/webhooks/memory_append", hook("theirs")).await;
        assert_eq!(appended["created"], true, "a record of their own");
        assert_ne!(appended["guid"], json!(id));
        for command in [
            json!({ "command": "view", "path": format!("/memories{}", written.path) }),
            json!({ "command": "insert", "path": format!("/memories{}", written.path), "insert_line": 0, "insert_text": "x" }),
            json!({ "command": "delete", "path": format!("/memories{}", written.path) }),
        ] {
            assert_eq!(call("/v1/memory-tool", command).await["is_error"], true);
        }
        sent.insert(written.path, format!("own {n}"));
    }
    assert_eq!(faces.listed(Face::Ours).await, sent, "nothing of it was changed");
}
