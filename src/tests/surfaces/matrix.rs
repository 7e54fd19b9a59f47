//! The OpenAPI document against the program: its routes, what it says about every call, and who may make it. The calls are read
//! from the document, so a new one is tested without a line here; if it needs something that exists, [`ids`] supplies it.

use std::collections::BTreeSet;
use std::path::Path;

use access::callers::Scope;
use axum::body::Body;
use axum::http::{Method, Request, header};
use domain::facts::provenance::Surface;
use domain::moment::DAY_MS;
use domain::problem::CODES;
use keepsake::api::openapi;
use ports::clock::Clock;
use serde_json::{Value, json};
use service::audit::Actor;
use service::people::keys::{KeyRequest, RevocationReach, revoke_key};

use crate::fixture::{Fixture, read};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

struct Call {
    path: String,
    method: String,
    value: Value,
}

impl Call {
    fn name(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }

    fn scope(&self) -> Scope {
        Scope::parse(self.value["x-scope"].as_str().unwrap_or_default())
            .unwrap_or_else(|_| panic!("{} has no x-scope", self.name()))
    }

    fn answers(&self, status: u16) -> bool {
        self.value["responses"].get(status.to_string()).is_some()
    }

    fn parameters(&self) -> impl Iterator<Item = &Value> {
        self.value["parameters"].as_array().into_iter().flatten()
    }

    fn body(&self) -> Option<Value> {
        let media = self.value.pointer("/requestBody/content/application~1json")?;
        Some(media.get("example").unwrap_or_else(|| panic!("{} has no example of its body", self.name())).clone())
    }

    /// Whether a request names the user it is about.
    fn names_a_user(&self) -> bool {
        self.path.contains("/users/{id}")
            || self.parameters().any(|parameter| parameter["name"] == "user_id")
            || self.body().is_some_and(|body| body.get("user_id").is_some())
    }

    /// Whether the request of the example names a surface.
    fn names_a_surface(&self) -> bool {
        let named = |name: &str| SURFACES.contains(&name);
        self.parameters().any(|parameter| parameter["name"].as_str().is_some_and(named))
            || self.body().is_some_and(|body| body.as_object().is_some_and(|body| body.keys().any(|key| named(key))))
    }
}

/// Fields that name a surface.
const SURFACES: [&str; 2] = ["surface", "platform"];

fn calls() -> Vec<Call> {
    let paths = openapi::value()["paths"].as_object().expect("paths");
    let calls = paths.iter().flat_map(|(path, item)| {
        let calls = item.as_object().expect("methods").iter();
        calls.map(|(method, value)| Call { path: path.clone(), method: method.clone(), value: value.clone() })
    });
    calls.collect()
}

fn keyed() -> impl Iterator<Item = Call> {
    calls().into_iter().filter(|call| call.path.starts_with("/v1/"))
}

/// A schema, resolved if it is a reference.
fn schema(of: &Value) -> &Value {
    match of["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        Some(name) => &openapi::value()["components"]["schemas"][name],
        None => of,
    }
}

/// Whether a value of this schema has an end: a length, a range, or a list of values.
fn is_bounded(field: &Value) -> bool {
    let types: Vec<&str> = match &field["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let has = |name: &str| field.get(name).is_some();
    types.iter().all(|one| match *one {
        "string" => has("enum") || has("maxLength"),
        "integer" | "number" => has("minimum") && has("maximum"),
        "array" => is_bounded(schema(&field["items"])),
        _ => true,
    })
}

#[test]
fn every_call_says_what_it_is_what_it_takes_and_what_it_answers() {
    let document = openapi::value();
    let tags: Vec<&Value> = document["tags"].as_array().expect("tags").iter().map(|tag| &tag["name"]).collect();
    let mut ids = BTreeSet::new();
    for call in calls() {
        let (name, said) = (call.name(), |field: &str| call.value[field].as_str().is_some_and(|text| !text.is_empty()));
        assert!(said("summary") && said("operationId") && said("x-scope"), "{name}");
        assert!(ids.insert(call.value["operationId"].to_string()), "{name}: another call has its operationId");
        assert!(tags.contains(&&call.value["tags"][0]), "{name}: its tag is not among the tags in src/api/openapi.rs");
        for parameter in call.parameters() {
            let what = format!("{name}: parameter {}; src/api/values.rs", parameter["name"]);
            assert!(parameter["description"].as_str().is_some_and(|text| !text.is_empty()), "{what}");
            assert!(parameter.get("example").is_some() && is_bounded(&parameter["schema"]), "{what}");
        }
        if let Some(media) = call.value.pointer("/requestBody/content/application~1json") {
            let shape = schema(&media["schema"]);
            for (field, of) in shape["properties"].as_object().expect("fields") {
                assert!(is_bounded(schema(of)), "{name}: the field {field} has no bounds; src/api/values.rs");
            }
            let known = shape["properties"].as_object().expect("fields");
            assert!(
                call.body().expect("an example").as_object().expect("an object").keys().all(|key| known.contains_key(key)),
                "{name}"
            );
        }
        for (status, answer) in call.value["responses"].as_object().expect("answers") {
            assert!(answer["description"].as_str().is_some_and(|text| !text.is_empty()), "{name} {status}");
            let is_problem = status.as_str() >= "400" && status != "504" && call.path.starts_with("/v1/");
            assert_eq!(
                answer["content"].get("application/problem+json").is_some(),
                is_problem || problem_of_metrics(&call, status),
                "{name} {status}"
            );
        }
    }
}

fn problem_of_metrics(call: &Call, status: &str) -> bool {
    call.path == "/metrics" && status >= "400"
}

#[test]
fn every_route_is_in_the_document() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut written = BTreeSet::new();
    for file in ["api/mod.rs", "web/health.rs"] {
        let text = std::fs::read_to_string(folder.join(file)).expect("a file");
        for route in text.split(".route(").skip(1) {
            let (path, rest) = route.trim_start().trim_start_matches('"').split_once('"').expect("a path");
            let rest = rest.split("\n        .").next().expect("a handler");
            let taken = METHODS.into_iter().filter(|method| rest.contains(&format!("{method}(")));
            written.extend(taken.map(|method| format!("{} {path}", method.to_uppercase())));
        }
    }
    let told: BTreeSet<String> = calls().iter().map(Call::name).collect();
    assert!(written.len() > 15, "the files are read: {written:?}");
    assert_eq!(written, told);
}

#[tokio::test]
async fn a_path_takes_the_methods_of_the_document_and_no_other() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let told: BTreeSet<String> = calls().iter().map(Call::name).collect();
    for call in calls() {
        for method in METHODS {
            let name = format!("{} {}", method.to_uppercase(), call.path);
            let path: Vec<&str> = call.path.split('/').map(|part| if part.starts_with('{') { "x1" } else { part }).collect();
            let path = path.join("/");
            let request = Request::builder().method(method.to_uppercase().as_str()).uri(path);
            let request =
                request.header(header::AUTHORIZATION, format!("Bearer {key}")).body(Body::empty()).expect("well formed");
            let response = fixture.send(request).await;
            let allow = response.headers().contains_key(header::ALLOW);
            let (status, answer) = read(response).await;
            if told.contains(&name) {
                assert_ne!(status, 405, "{name}");
            } else {
                assert_eq!((status, allow), (405, true), "{name}");
                assert!(!call.path.starts_with("/v1/") || answer["code"] == "method_not_allowed", "{name}: {answer}");
            }
        }
    }
}

/// State of a key in the matrix. A new state needs a line here, and its refusal in [`expected`].
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    NoKey,
    Unknown,
    /// Every scope but the one that the call needs.
    WithoutScope,
    Expired,
    Revoked,
    BoundToAnother,
    BoundToTheUser,
    /// It speaks for a surface that no example names.
    OfAnotherSurface,
    Unbound,
}

const STATES: [State; 9] = [
    State::NoKey,
    State::Unknown,
    State::WithoutScope,
    State::Expired,
    State::Revoked,
    State::BoundToAnother,
    State::BoundToTheUser,
    State::OfAnotherSurface,
    State::Unbound,
];

/// The status of a refusal; `None`: it is not refused.
fn expected(call: &Call, state: State) -> Option<u16> {
    match state {
        State::NoKey | State::Unknown | State::Expired | State::Revoked => Some(401),
        State::WithoutScope => Some(403),
        State::BoundToAnother if call.names_a_user() => Some(403),
        // Another user's data is reported as not found.
        State::BoundToAnother if call.path.contains("{id}") => Some(404),
        State::OfAnotherSurface if call.names_a_surface() || call.value["x-surface"].is_string() => Some(403),
        State::BoundToAnother | State::BoundToTheUser | State::OfAnotherSurface | State::Unbound => None,
    }
}

/// Creates what a call of the user `u1` needs, and returns its id for the path, and a body. `None`: the example in the document
/// must do, and 404 is an answer too.
async fn ids(fixture: &Fixture, call: &Call) -> (Option<String>, Option<Value>) {
    let key = fixture.key(&Scope::ALL, None).await;
    let mut body = call.body();
    let made = |answer: Value| answer["id"].as_str().map(str::to_owned);
    let preview = async || {
        let (_, preview) = fixture.call("GET", "/v1/users/u1/erasures/preview", &key, None).await;
        json!({ "scope": "everything", "reason": "SUP-4471", "preview": preview["preview"] })
    };
    let memory = json!({ "user_id": "u1", "surface": "web", "content": "User prefers short answers" });
    let exchange = json!({ "user_id": "u1", "surface": "web", "user": "I like tea.", "assistant": "" });
    let note = json!({ "user_id": "u1", "surface": "web", "content": "The wifi is on the second floor" });
    let preference = json!({ "user_id": "u1", "content": "Answer in English" });
    let id = match call.path.as_str() {
        "/v1/memories/{id}" | "/v1/memories/{id}/history" => {
            made(fixture.call("POST", "/v1/memories", &key, Some(memory)).await.1)
        }
        "/v1/memories/{id}/undo" => {
            // Corrected once, so that there is something to undo.
            let id = made(fixture.call("POST", "/v1/memories", &key, Some(memory.clone())).await.1).expect("saved");
            let again = fixture.call("POST", "/v1/memories", &key, Some(memory)).await;
            assert_eq!((again.0, again.1["outcome"].as_str()), (200, Some("merged")));
            Some(id)
        }
        "/v1/notes/{id}" => made(fixture.call("POST", "/v1/notes", &key, Some(note)).await.1),
        "/v1/preferences/{id}" => made(fixture.call("POST", "/v1/preferences", &key, Some(preference)).await.1),
        "/v1/profile/{key}" => {
            let field = json!({ "user_id": "u1", "value": "en" });
            assert_eq!(fixture.call("PUT", "/v1/profile/preferred_language", &key, Some(field)).await.0, 200);
            Some("preferred_language".to_owned())
        }
        "/v1/exchanges/{id}" => made(fixture.call("POST", "/v1/exchanges", &key, Some(exchange)).await.1),
        path if path.starts_with("/v1/memory_stores/") => {
            let (store, block, version) = block(fixture, &key, path.ends_with("/redact")).await;
            Some(match path {
                path if path.contains("/{memory_id}") => format!("{store}/{block}"),
                path if path.contains("/{version_id}") => format!("{store}/{version}"),
                _ => store,
            })
        }
        "/v1/erasures/{id}" => made(fixture.call("POST", "/v1/users/u1/erasures", &key, Some(preview().await)).await.1),
        path if path.contains("/users/{id}") => {
            if path.ends_with("/erasures") && call.method == "post" {
                body = Some(preview().await);
            }
            Some("u1".to_owned())
        }
        _ => None,
    };
    (id, body)
}

/// A block of the user `u1` in a store of its own: the store, the block, and a version of it. `changed`: a former one.
async fn block(fixture: &Fixture, key: &str, changed: bool) -> (String, String, String) {
    let text = |answer: &Value, field: &str| answer[field].as_str().expect("text").to_owned();
    let named = Some(json!({ "name": "Work" }));
    let store = text(&fixture.call("POST", "/v1/memory_stores?user_id=u1", key, named).await.1, "id");
    let blocks = format!("/v1/memory_stores/{store}/memories");
    let new = Some(json!({ "path": "/notes.md", "content": "Build" }));
    let (_, first) = fixture.call("POST", &format!("{blocks}?user_id=u1"), key, new).await;
    let (id, version) = (text(&first, "id"), text(&first, "memory_version_id"));
    if changed {
        let other = Some(json!({ "content": "Build and sign", "expected_version": 1 }));
        assert_eq!(fixture.call("POST", &format!("{blocks}/{id}?user_id=u1"), key, other).await.0, 200);
    }
    (store, id, version)
}

fn all() -> KeyRequest {
    KeyRequest { scopes: Scope::ALL.to_vec(), ..KeyRequest::default() }
}

/// The status that a call gets in this state.
async fn tried(call: &Call, state: State) -> (u16, Value, bool) {
    let fixture = Fixture::new().await;
    // An erasure takes the keys that are bound to the user, and a preview counts them.
    let erased = if call.path.starts_with("/v1/erasures") { Some(ids(&fixture, call).await) } else { None };
    let others: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| *scope != call.scope()).collect();
    let key = match state {
        State::NoKey => None,
        State::Unknown => Some("ks_nobodyhasthiskey".to_owned()),
        State::WithoutScope => Some(fixture.key(&others, None).await),
        State::Expired => {
            let ends = Some(fixture.clock.now().plus_ms(DAY_MS));
            let key = fixture.key_as(KeyRequest { expires_at: ends, ..all() }).await;
            fixture.clock.advance_ms(DAY_MS);
            Some(key.secret)
        }
        State::Revoked => {
            let key = fixture.key_as(all()).await;
            revoke_key(fixture.store.as_ref(), fixture.clock.as_ref(), &Actor::CommandLine, &key.id, RevocationReach::Key)
                .await
                .expect("revoked");
            Some(key.secret)
        }
        State::OfAnotherSurface => {
            let surface = Some(Surface::new("elsewhere").expect("valid"));
            Some(fixture.key_as(KeyRequest { surface, ..all() }).await.secret)
        }
        State::BoundToAnother => Some(fixture.key(&Scope::ALL, Some("u2")).await),
        State::BoundToTheUser => Some(fixture.key(&Scope::ALL, Some("u1")).await),
        State::Unbound => Some(fixture.key(&Scope::ALL, None).await),
    };
    let (id, body) = match erased {
        Some(made) => made,
        None => ids(&fixture, call).await,
    };
    let example = call.parameters().find(|parameter| parameter["in"] == "path").map(|parameter| parameter["example"].clone());
    let exists = id.is_some() || !call.path.contains("{id}");
    let id = id.or_else(|| example.and_then(|id| id.as_str().map(str::to_owned))).unwrap_or_default();
    // Something in a store is named with its store.
    let mut ids = id.split('/').map(str::to_owned).chain(std::iter::repeat(id.clone()));
    let mut path: Vec<String> = call
        .path
        .split('/')
        .map(|part| if part.starts_with('{') { ids.next().expect("an id") } else { part.to_owned() })
        .collect();
    let told = |parameter: &&Value| {
        let (query, required) = (parameter["in"] == "query", parameter["required"] == true);
        parameter["name"] == "user_id"
            || (query && required)
            || parameter["name"].as_str().is_some_and(|name| SURFACES.contains(&name))
    };
    let query: Vec<String> = call
        .parameters()
        .filter(told)
        .map(|parameter| {
            let (name, example) = (parameter["name"].as_str().expect("a name"), &parameter["example"]);
            format!("{name}={}", example.as_str().map_or_else(|| example.to_string(), str::to_owned))
        })
        .collect();
    if !query.is_empty() {
        path.last_mut().expect("a part").push_str(&format!("?{}", query.join("&")));
    }
    let method = Method::from_bytes(call.method.to_uppercase().as_bytes()).expect("a method");
    let mut request = Request::builder().method(method).uri(path.join("/")).header(header::CONTENT_TYPE, "application/json");
    for header in call.parameters().filter(|parameter| parameter["in"] == "header" && parameter["required"] == true) {
        let (name, example) = (header["name"].as_str().expect("a name"), header["example"].as_str().expect("text"));
        request = request.header(name, example);
    }
    if let Some(key) = key {
        request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let (status, answer) = read(fixture.send(request.body(body).expect("well formed")).await).await;
    (status, answer, exists)
}

#[tokio::test]
async fn every_call_with_every_kind_of_key() {
    for call in keyed() {
        for state in STATES {
            let (status, answer, exists) = tried(&call, state).await;
            let name = format!("{} as {state:?}: {status} {answer}", call.name());
            assert!(call.answers(status), "the document does not name the answer: {name}");
            match expected(&call, state) {
                Some(refusal) => assert_eq!(status, refusal, "{name}"),
                None if exists => assert!((200..300).contains(&status), "{name}"),
                None => assert!((200..300).contains(&status) || status == 404, "{name}"),
            }
            if status >= 400 {
                let code = CODES.iter().find(|code| answer["code"] == code.name);
                assert!(code.is_some_and(|code| code.comes_with(status) && code.of_the_api), "{name}");
            }
        }
    }
}

#[tokio::test]
async fn a_call_that_needs_more_than_one_scope_is_refused_without_any_of_them() {
    let mut also = Vec::new();
    for call in keyed() {
        let more: Vec<Scope> = call.value["x-scope-also"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|scope| Scope::parse(scope.as_str().unwrap_or_default()).expect("a scope"))
            .collect();
        for missing in &more {
            let fixture = Fixture::new().await;
            let held: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| scope != missing).collect();
            let key = fixture.key(&held, None).await;
            let (status, answer) = fixture.call(&call.method.to_uppercase(), &call.path, &key, call.body()).await;
            assert_eq!((status, answer["scope"].as_str()), (403, Some(missing.as_str())), "{}: {answer}", call.name());
        }
        also.extend(more.iter().map(|scope| format!("{} {}", call.name(), scope.as_str())));
    }
    assert_eq!(also, ["POST /v1/links read", "POST /v1/links erase"]);
}

#[tokio::test]
async fn everything_forgotten_needs_the_scope_to_erase_and_ones_own_export_needs_none() {
    let fixture = Fixture::new().await;
    let all = Some(json!({ "user_id": "u1", "all": true }));
    let others = fixture.key(&[Scope::Read, Scope::Write, Scope::Export], None).await;
    assert_eq!(fixture.call("POST", "/v1/forget", &others, all.clone()).await.0, 403);
    let eraser = fixture.key(&[Scope::Erase], None).await;
    assert_eq!(fixture.call("POST", "/v1/forget", &eraser, all).await.0, 200);
    let own = fixture.key(&[Scope::Read], Some("u1")).await;
    assert_eq!(fixture.call("GET", "/v1/users/u1/export", &own, None).await.0, 200);
    assert_eq!(fixture.call("GET", "/v1/users/u2/export", &own, None).await.0, 403);
}

#[tokio::test]
async fn the_page_of_the_contract_is_open_and_loads_nothing_from_elsewhere() {
    let fixture = Fixture::new().await;
    let request = Request::get("/docs").header(header::COOKIE, "theme=dark").body(Body::empty()).expect("well formed");
    let response = fixture.send(request).await;
    assert_eq!(response.status().as_u16(), 200);
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("text").to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src") && !policy.contains("http"), "{policy}");
}

#[tokio::test]
async fn a_path_that_is_not_utf8_and_a_parameter_beyond_its_bounds_are_problems() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let long = "x".repeat(20_000);
    let cases = [
        ("GET", "/v1/exchanges/%ff".to_owned(), None, 400, "malformed"),
        ("GET", "/v1/users/u1/export?format=xml".to_owned(), None, 422, "invalid"),
        ("GET", format!("/v1/memories?user_id=u1&cursor={}", &long[..300]), None, 422, "invalid"),
        ("GET", format!("/v1/facts?cursor={}", &long[..300]), None, 422, "invalid"),
        ("POST", "/v1/forget".to_owned(), Some(json!({ "user_id": "u1", "query": long })), 422, "invalid"),
        ("POST", "/v1/recall".to_owned(), Some(json!("not an object")), 400, "malformed"),
        ("POST", "/v1/recall".to_owned(), Some(json!([null, "web", "tea"])), 400, "malformed"),
        (
            "POST",
            "/v1/recall".to_owned(),
            Some(json!({ "surface": "web", "query": "tea", "origins": [null, null] })),
            400,
            "malformed",
        ),
    ];
    for (method, path, body, status, code) in cases {
        let (got, answer) = fixture.call(method, &path, &key, body).await;
        assert_eq!((got, answer["code"].as_str()), (status, Some(code)), "{method} {}", &path[..path.len().min(60)]);
        assert!(!answer["detail"].as_str().unwrap_or_default().is_empty() && answer["title"].is_string());
    }
}
