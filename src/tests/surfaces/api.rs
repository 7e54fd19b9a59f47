//! The HTTP contract for assistants, through the whole router.

use access::callers::Scope;
use axum::body::Body;
use axum::http::{Request, header};
use domain::access::rights::Rights;
use ports::store::erasure::LedgerReads;
use serde_json::json;
use tower::ServiceExt;

use crate::fixture::{Fixture, read, session_cookie};

const ALL: &[Scope] = &[Scope::Read, Scope::Write, Scope::Erase];

#[tokio::test]
async fn an_exchange_is_accepted_learned_and_recalled() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    let said = json!({"user_id": "anna", "surface": "web", "user": "Remember that I work mostly on the iOS app.", "assistant": "Noted."});
    let (status, accepted) = fixture.call("POST", "/v1/exchanges", &key, Some(said)).await;
    assert_eq!(status, 202);
    let state = format!("/v1/exchanges/{}", accepted["id"].as_str().expect("an id"));
    assert_eq!(fixture.call("GET", &state, &key, None).await.1["status"], "queued");
    fixture.learn().await;
    assert_eq!(fixture.call("GET", &state, &key, None).await.1["status"], "learned");
    let question = json!({"user_id": "anna", "surface": "web", "query": "iOS app"});
    let (status, answer) = fixture.call("POST", "/v1/recall", &key, Some(question)).await;
    assert_eq!(status, 200);
    let item = &answer["personal"][0];
    assert!(item["content"].as_str().expect("text").contains("iOS app"));
    let parts = &item["parts"];
    let sum = parts["distance"].as_f64().unwrap() - parts["importance"].as_f64().unwrap() - parts["recency"].as_f64().unwrap();
    assert!((item["score"].as_f64().unwrap() - sum).abs() < 1e-9);
    assert!(answer["prompt"].as_str().expect("text").starts_with("<keepsake_memories>"));
}

#[tokio::test]
async fn nothing_known_is_an_empty_answer_and_no_prompt() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&[Scope::Read], None).await;
    let (status, answer) = fixture.call("POST", "/v1/recall", &key, Some(json!({"surface": "web", "query": "anything"}))).await;
    let nothing =
        json!({"personal": [], "global": [], "prompt": "", "prompt_tokens": 0, "prefix": domain::recall::prompt::PREFIX});
    assert_eq!((status, answer), (200, nothing));
}

#[tokio::test]
async fn remembering_says_what_became_of_the_statement() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    let save = |content: &str, kind: &str| json!({"user_id": "anna", "surface": "web", "content": content, "kind": kind});
    let (status, first) = fixture.call("POST", "/v1/memories", &key, Some(save("User works on the iOS app", "fact"))).await;
    assert_eq!((status, first["outcome"].as_str()), (201, Some("inserted")));
    let (status, again) = fixture.call("POST", "/v1/memories", &key, Some(save("User works on the iOS app", "fact"))).await;
    assert_eq!((status, again["outcome"].as_str(), &again["id"]), (200, Some("merged"), &first["id"]));
    let (status, corrected) =
        fixture.call("POST", "/v1/memories", &key, Some(save("User works on the Android app", "correction"))).await;
    assert_eq!((status, corrected["outcome"].as_str(), &corrected["id"]), (200, Some("replaced"), &first["id"]));
    let (_, list) = fixture.call("GET", "/v1/memories?user_id=anna", &key, None).await;
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1));
    assert_eq!((&list["items"][0]["content"], &list["next_cursor"]), (&json!("User works on the Android app"), &json!(null)));
}

#[tokio::test]
async fn lists_are_paged_by_cursor() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    for content in ["User likes tea", "User owns a red bicycle", "User plays the cello", "User speaks Javanese"] {
        fixture.call("POST", "/v1/memories", &key, Some(json!({"user_id": "anna", "surface": "web", "content": content}))).await;
    }
    let (mut seen, mut path) = (Vec::new(), "/v1/memories?user_id=anna&limit=3".to_owned());
    loop {
        let (_, page) = fixture.call("GET", &path, &key, None).await;
        seen.extend(page["items"].as_array().expect("a list").iter().map(|item| item["content"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/v1/memories?user_id=anna&limit=3&cursor={cursor}");
    }
    assert_eq!(seen, ["User speaks Javanese", "User plays the cello", "User owns a red bicycle", "User likes tea"]);
}

#[tokio::test]
async fn forgetting_takes_the_closest_or_everything() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    for content in ["User likes tea", "User owns a red bicycle"] {
        fixture.call("POST", "/v1/memories", &key, Some(json!({"user_id": "anna", "surface": "web", "content": content}))).await;
    }
    let (status, one) =
        fixture.call("POST", "/v1/forget", &key, Some(json!({"user_id": "anna", "query": "the red bicycle"}))).await;
    assert_eq!((status, &one["forgotten"], &one["items"][0]["content"]), (200, &json!(1), &json!("User owns a red bicycle")));
    let (_, none) =
        fixture.call("POST", "/v1/forget", &key, Some(json!({"user_id": "anna", "query": "volcano insurance"}))).await;
    assert_eq!(none, json!({"forgotten": 0, "items": []}));
    let (status, all) = fixture.call("POST", "/v1/forget", &key, Some(json!({"user_id": "anna", "all": true}))).await;
    assert_eq!((status, all), (200, json!({"forgotten": 1})));
    let (_, again) = fixture.call("POST", "/v1/forget", &key, Some(json!({"user_id": "anna", "all": true}))).await;
    assert_eq!(again, json!({"forgotten": 0}), "again is no error");
    let erasures = fixture.store.list_erasures(0, 9).await.expect("read");
    assert_eq!(erasures.len(), 1, "and no further erasure");
    let writer = fixture.key(&[Scope::Write], None).await;
    assert_eq!(fixture.call("POST", "/v1/forget", &writer, Some(json!({"user_id": "anna", "all": true}))).await.0, 403);
}

#[tokio::test]
async fn a_key_orders_so_many_erasures_a_minute_and_then_waits() {
    let fixture = Fixture::new().await;
    let (key, other) = (fixture.key(ALL, None).await, fixture.key(ALL, None).await);
    let forget = async |key: &str, who: &str| {
        let said = json!({"user_id": who, "surface": "web", "content": "User works on the iOS app", "kind": "fact"});
        assert!(fixture.call("POST", "/v1/memories", key, Some(said)).await.0 < 300);
        fixture.call("POST", "/v1/forget", key, Some(json!({"user_id": who, "all": true}))).await
    };
    for n in 0..60 {
        assert_eq!(forget(&key, &format!("user_{n}")).await.0, 200);
    }
    let (status, problem) = forget(&key, "user_60").await;
    assert_eq!((status, problem["code"].as_str(), problem["retry_after_s"].as_u64()), (429, Some("rate_limited"), Some(61)));
    assert_eq!(forget(&other, "user_61").await.0, 200, "another key has its own");
    fixture.clock.advance_ms(61_000);
    assert_eq!(forget(&key, "user_60").await.0, 200);
}

#[tokio::test]
async fn a_proposed_fact_waits_and_two_people_promote_it() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    let propose = |who: &str| json!({"content": "Feature flags are read once at boot.", "kind": "fact", "user_id": who});
    let (status, first) = fixture.call("POST", "/v1/facts", &key, Some(propose("anna"))).await;
    assert_eq!((status, first["outcome"].as_str()), (200, Some("pending")));
    assert_eq!(fixture.call("POST", "/v1/facts", &key, Some(propose("anna"))).await.1["outcome"], "merged");
    assert_eq!(fixture.call("GET", "/v1/facts", &key, None).await.1["items"], json!([]));
    let echo = fixture.call("POST", "/v1/facts", &key, Some(propose("echo"))).await.1;
    assert_eq!(echo["outcome"], "merged", "the same words within minutes are one voice");
    fixture.later();
    assert_eq!(fixture.call("POST", "/v1/facts", &key, Some(propose("budi"))).await.1["outcome"], "promoted");
    let (_, approved) = fixture.call("GET", "/v1/facts?origin=user&kind=fact&q=flags", &key, None).await;
    assert_eq!((&approved["items"][0]["id"], &approved["items"][0]["origin"]), (&first["id"], &json!("user")));
    assert_eq!(fixture.call("GET", "/v1/facts?origin=claude-code", &key, None).await.1["items"], json!([]));
    let refused = json!({"content": "Ask dana@example.org about the deploy.", "kind": "howto"});
    let (status, answer) = fixture.call("POST", "/v1/facts", &key, Some(refused)).await;
    assert_eq!((status, answer["outcome"].as_str()), (200, Some("refused")));
    assert!(!answer["rules"].as_array().expect("rules").is_empty() && answer["id"].is_null());
}

#[tokio::test]
async fn recall_can_be_scoped_by_origin() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    for who in ["anna", "budi"] {
        fixture.later();
        let fact =
            json!({"content": "Feature flags are read once at boot.", "kind": "fact", "user_id": who, "origin": "busybro"});
        fixture.call("POST", "/v1/facts", &key, Some(fact)).await;
    }
    let ask = async |origins: serde_json::Value| {
        let question = json!({"user_id": "carl", "surface": "web", "query": "feature flags", "origins": origins});
        fixture.call("POST", "/v1/recall", &key, Some(question)).await
    };
    assert_eq!(ask(json!({"only": ["assistant"]})).await.1["global"][0]["origin"], "assistant");
    assert_eq!(ask(json!({"exclude": ["busybro"]})).await.1["global"], json!([]));
    assert_eq!(ask(json!({"only": ["assistant"], "exclude": ["agent"]})).await.0, 422);
    assert_eq!(ask(json!({"only": []})).await.0, 422);
    assert_eq!(ask(json!({"only": ["nobody"]})).await.0, 422);
}

#[tokio::test]
async fn an_idempotency_key_replays_its_answer_for_a_day() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    let send = async |body: &'static str, idempotency: &'static str| {
        let request = Request::post("/v1/exchanges")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header("idempotency-key", idempotency)
            .body(Body::from(body))
            .expect("well formed");
        read(fixture.send(request).await).await
    };
    let body = r#"{"user_id":"anna","surface":"web","user":"Remember that I like tea."}"#;
    let first = send(body, "k1").await;
    assert_eq!((first.0, send(body, "k1").await), (202, first.clone()));
    let other = send(r#"{"user_id":"anna","surface":"web","user":"Hello."}"#, "k1").await;
    assert_eq!((other.0, other.1["code"].as_str()), (409, Some("idempotency_mismatch")));
    assert_ne!(send(body, "k2").await.1["id"], first.1["id"]);
    assert_eq!(send(body, "").await.0, 422);
}

#[tokio::test]
async fn bad_input_gets_a_clear_problem_and_changes_nothing() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    let long = "x".repeat(501);
    for (path, body, status, code) in [
        ("/v1/exchanges", json!({"user_id": "anna"}), 400, "malformed"),
        ("/v1/exchanges", json!({"user_id": "anna", "surface": 3}), 400, "malformed"),
        ("/v1/exchanges", json!({"user_id": "anna", "surface": "web"}), 422, "invalid"),
        ("/v1/exchanges", json!({"user_id": "", "surface": "web", "user": "hi"}), 422, "invalid"),
        ("/v1/exchanges", json!({"user_id": "a\nb", "surface": "web", "user": "hi"}), 422, "invalid"),
        ("/v1/exchanges", json!({"surface": "Web!", "user": "hi"}), 422, "invalid"),
        ("/v1/exchanges", json!({"surface": "web", "user": "hi", "at": "2999-01-01T00:00:00Z"}), 422, "invalid"),
        ("/v1/exchanges", json!({"surface": "web", "user": "hi", "at": "yesterday"}), 422, "invalid"),
        ("/v1/memories", json!({"surface": "web", "content": "likes tea"}), 422, "invalid"),
        ("/v1/memories", json!({"user_id": "anna", "surface": "web", "content": " "}), 422, "invalid"),
        ("/v1/memories", json!({"user_id": "anna", "surface": "web", "content": long}), 422, "invalid"),
        ("/v1/memories", json!({"user_id": "anna", "surface": "web", "content": "x", "kind": "note"}), 422, "invalid"),
        ("/v1/memories", json!({"user_id": "anna", "surface": "web", "content": "x", "importance": 6}), 422, "invalid"),
        (
            "/v1/memories",
            json!({"user_id": "anna", "surface": "web", "content": "the key is AKIAIOSFODNN7EXAMPLQ"}),
            422,
            "refused",
        ),
        ("/v1/facts", json!({"content": "Builds run nightly.", "kind": "preference"}), 422, "invalid"),
        ("/v1/facts", json!({"content": "Builds run nightly.", "kind": "fact", "origin": "robot"}), 422, "invalid"),
        ("/v1/recall", json!({"surface": "web", "query": ""}), 422, "invalid"),
        ("/v1/recall", json!({"surface": "web", "query": "x", "k": 51}), 422, "invalid"),
        ("/v1/forget", json!({"user_id": "anna"}), 422, "invalid"),
        ("/v1/forget", json!({"user_id": "anna", "query": "x", "all": true}), 422, "invalid"),
        ("/v1/forget", json!({"all": true}), 422, "invalid"),
    ] {
        let (got, problem) = fixture.call("POST", path, &key, Some(body.clone())).await;
        assert_eq!((got, problem["code"].as_str()), (status, Some(code)), "{path} {body} → {problem}");
        assert!(!problem["detail"].as_str().expect("words").is_empty());
    }
    let (status, _) = fixture.call("GET", "/v1/memories?user_id=anna&limit=201", &key, None).await;
    assert_eq!(status, 422);
    assert_eq!(fixture.call("GET", "/v1/nothing", &key, None).await.0, 404);
    assert_eq!(fixture.call("PUT", "/v1/recall", &key, None).await.0, 405);
    assert_eq!(fixture.call("GET", "/v1/memories?user_id=anna", &key, None).await.1["items"], json!([]));
    assert_eq!(fixture.keepsake.inbox.backlog().await.expect("read").queued, 0);
}

#[tokio::test]
async fn a_body_that_is_not_json_or_too_large_is_refused() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    let send = async |body: Vec<u8>| {
        let request = Request::post("/v1/exchanges").header(header::AUTHORIZATION, format!("Bearer {key}"));
        fixture.send(request.body(Body::from(body)).expect("well formed")).await
    };
    let response = send(b"{not json".to_vec()).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
    assert_eq!(read(response).await.0, 400);
    assert_eq!(read(send(vec![b' '; (1 << 20) + 1]).await).await.0, 413);
}

/// Every route with every kind of caller: only the scope that the contract names is accepted.
#[tokio::test]
async fn scopes_open_their_own_routes_only() {
    let fixture = Fixture::new().await;
    let routes = [
        ("POST", "/v1/exchanges", Scope::Write),
        ("GET", "/v1/exchanges/ex_unknown", Scope::Read),
        ("POST", "/v1/recall", Scope::Read),
        ("POST", "/v1/memories", Scope::Write),
        ("GET", "/v1/memories?user_id=anna", Scope::Read),
        ("DELETE", "/v1/memories/mem_unknown?user_id=anna", Scope::Write),
        ("POST", "/v1/forget", Scope::Write),
        ("POST", "/v1/facts", Scope::Write),
        ("GET", "/v1/facts", Scope::Read),
    ];
    // One body that every POST route can parse.
    let body = json!({"user_id": "anna", "surface": "web", "user": "hi", "query": "hi", "content": "Builds run nightly.", "kind": "fact"});
    let mut keys = Vec::new();
    for scope in Scope::ALL {
        keys.push((scope, fixture.key(&[scope], None).await));
    }
    for (method, path, opens) in routes {
        let body = (method == "POST").then(|| body.clone());
        let (status, problem) = fixture.call(method, path, "ks_wrong", body.clone()).await;
        assert_eq!((status, problem["code"].as_str()), (401, Some("unauthenticated")), "{path}");
        for (scope, key) in &keys {
            let (status, _) = fixture.call(method, path, key, body.clone()).await;
            assert_eq!(status != 403, *scope == opens, "{method} {path} with {scope:?} → {status}");
        }
    }
}

/// One user's key cannot see another user's data: it is reported as unknown.
#[tokio::test]
async fn a_bound_key_never_reaches_another_user() {
    let fixture = Fixture::new().await;
    let anna = fixture.key(ALL, Some("anna")).await;
    let budi = fixture.key(ALL, Some("budi")).await;
    let canary = "User keeps a zanzibar-kettle in the attic";
    let (_, saved) = fixture.call("POST", "/v1/memories", &anna, Some(json!({"surface": "web", "content": canary}))).await;
    let id = saved["id"].as_str().expect("an id");
    let (_, exchange) =
        fixture.call("POST", "/v1/exchanges", &anna, Some(json!({"surface": "web", "user": "zanzibar-kettle"}))).await;
    let exchange = format!("/v1/exchanges/{}", exchange["id"].as_str().expect("an id"));
    for (method, path, body, status) in [
        ("GET", "/v1/memories".to_owned(), None, 200),
        ("GET", "/v1/memories?user_id=anna".to_owned(), None, 403),
        ("DELETE", format!("/v1/memories/{id}"), None, 404),
        ("DELETE", format!("/v1/memories/{id}?user_id=anna"), None, 403),
        ("POST", "/v1/recall".to_owned(), Some(json!({"surface": "web", "query": "zanzibar-kettle"})), 200),
        ("POST", "/v1/recall".to_owned(), Some(json!({"user_id": "anna", "surface": "web", "query": "zanzibar-kettle"})), 403),
        ("POST", "/v1/forget".to_owned(), Some(json!({"user_id": "anna", "all": true})), 403),
        ("POST", "/v1/forget".to_owned(), Some(json!({"query": "zanzibar-kettle"})), 200),
        ("GET", exchange.clone(), None, 404),
    ] {
        let (got, answer) = fixture.call(method, &path, &budi, body).await;
        assert_eq!(got, status, "{method} {path}");
        assert!(!answer.to_string().contains("zanzibar"), "{method} {path} → {answer}");
    }
    assert_eq!(fixture.call("GET", &exchange, &anna, None).await.0, 200);
    assert_eq!(fixture.call("GET", "/v1/memories", &anna, None).await.1["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn anonymous_calls_get_team_facts_only_when_switched_on() {
    use service::audit::Actor;
    use service::settings::change;
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    for who in ["anna", "budi"] {
        fixture.later();
        let fact = json!({"content": "Feature flags are read once at boot.", "kind": "fact", "user_id": who});
        fixture.call("POST", "/v1/facts", &key, Some(fact)).await;
    }
    let set = async |name: &str, value: &str| {
        fixture.keepsake.settings.set(&Actor::CommandLine, name, change::parse(value).unwrap()).await.expect("set");
    };
    let recalled = async |user: Option<&str>| {
        let question = json!({"user_id": user, "surface": "web", "query": "feature flags"});
        fixture.call("POST", "/v1/recall", &key, Some(question)).await.1["global"].as_array().map(Vec::len)
    };
    assert_eq!((recalled(None).await, recalled(Some("carla")).await), (Some(0), Some(1)));
    set("recall.anonymous", "true").await;
    assert_eq!((recalled(None).await, recalled(Some("carla")).await), (Some(1), Some(1)));
    // Calls without a user have a switch of their own: that of the surface is for users.
    set("recall.web", "false").await;
    assert_eq!((recalled(None).await, recalled(Some("carla")).await), (Some(1), Some(0)));
    set("recall.anonymous", "false").await;
    assert_eq!((recalled(None).await, recalled(Some("carla")).await), (Some(0), Some(0)));
}

#[tokio::test]
async fn a_recalled_fact_says_how_sure_it_is() {
    let fixture = Fixture::new().await;
    let key = fixture.key(ALL, None).await;
    for who in ["anna", "budi"] {
        fixture.later();
        let fact = json!({"content": "The tape library is rewound every Monday.", "kind": "fact", "user_id": who});
        fixture.call("POST", "/v1/facts", &key, Some(fact)).await;
    }
    let memory = json!({"user_id": "anna", "surface": "web", "content": "User looks after the tape library"});
    assert_eq!(fixture.call("POST", "/v1/memories", &key, Some(memory)).await.0, 201);
    let question = json!({"user_id": "anna", "surface": "web", "query": "when is the tape library rewound"});
    let (_, answer) = fixture.call("POST", "/v1/recall", &key, Some(question)).await;
    let fact = &answer["global"][0];
    let confidence = fact["confidence"].as_f64().expect("a number");
    // Two people said it just now: 1 − 0.5².
    assert!((confidence - 0.75).abs() < 1e-6, "{fact}");
    let part = fact["parts"]["confidence"].as_f64().expect("a number");
    assert!((part - 0.05 * (1.0 - confidence)).abs() < 1e-9, "{fact}");
    assert!(answer["personal"][0].get("confidence").is_none(), "{answer}");
    let (_, listed) = fixture.call("GET", "/v1/facts", &key, None).await;
    assert!((listed["items"][0]["confidence"].as_f64().expect("a number") - confidence).abs() < 1e-6, "{listed}");
}

#[tokio::test]
async fn a_key_that_asks_too_often_is_told_when_to_come_back() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&[Scope::Read], None).await;
    let site = fixture.site_limited(1);
    let mut last = None;
    for _ in 0..20 {
        let request = Request::get("/v1/facts")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .body(Body::empty())
            .expect("well formed");
        last = Some(site.clone().oneshot(request).await.expect("answers"));
    }
    let last = last.expect("asked");
    assert_eq!(last.status(), 429);
    let seconds: u32 = last.headers()[header::RETRY_AFTER].to_str().expect("ascii").parse().expect("a number");
    assert!(seconds >= 1);
    let (_, problem) = read(last).await;
    assert_eq!(problem["code"], "rate_limited", "{problem}");
}

#[tokio::test]
async fn a_very_long_search_is_refused_and_a_long_one_is_answered() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&[Scope::Read], None).await;
    let (status, problem) = fixture.call("GET", &format!("/v1/facts?q={}", "port+".repeat(1_000)), &key, None).await;
    assert_eq!((status, &problem["field"]), (422, &json!("query")), "{problem}");
    assert_eq!(fixture.call("GET", &format!("/v1/facts?q={}", "a+".repeat(99)), &key, None).await.0, 200);
}

#[tokio::test]
async fn the_open_doors_say_little() {
    let fixture = Fixture::new().await;
    for (path, status) in [("/healthz", 200), ("/readyz", 200), ("/openapi.json", 200), ("/metrics", 401)] {
        let response = fixture.send(Request::get(path).body(Body::empty()).expect("well formed")).await;
        assert_eq!(response.status().as_u16(), status, "{path}");
        assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert!(
            response.headers().contains_key(header::CONTENT_SECURITY_POLICY) && response.headers().contains_key("x-request-id")
        );
    }
    let key = fixture.key(&[Scope::Read], None).await;
    assert_eq!(fixture.call("GET", "/metrics", &key, None).await.0, 200);
}

#[tokio::test]
async fn a_key_does_not_open_the_console_and_a_session_not_the_api() {
    let fixture = Fixture::new().await;
    fixture.operator("priya@example.org", Rights::Edit).await;
    let key = fixture.key(ALL, None).await;
    assert_eq!(fixture.call("GET", "/calls/review/queue", &key, None).await.0, 401);
    let request = Request::post("/calls/sign_in")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, "text/html")
        .body(Body::from(format!("email=priya%40example.org&password={}", crate::fixture::PASSWORD.replace(' ', "+"))))
        .expect("well formed");
    let response = fixture.send(request).await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()[header::LOCATION]),
        (303, &header::HeaderValue::from_static("/"))
    );
    let cookie = session_cookie(response.headers());
    let with_cookie = |path: &str| Request::get(path).header(header::COOKIE, &cookie).body(Body::empty()).expect("well formed");
    assert_eq!(fixture.send(with_cookie("/v1/facts")).await.status().as_u16(), 401);
    assert_eq!(fixture.send(with_cookie("/review")).await.status().as_u16(), 200);
}

#[tokio::test]
async fn the_contract_lists_every_route() {
    let document: serde_json::Value = serde_json::from_str(&keepsake::api::openapi::document()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths").keys().map(String::as_str);
    let paths: Vec<_> = paths.filter(|path| path.starts_with("/v1/")).collect();
    assert_eq!(
        paths,
        [
            "/v1/commands",
            "/v1/erasures/{id}",
            "/v1/exchanges",
            "/v1/exchanges/{id}",
            "/v1/facts",
            "/v1/forget",
            "/v1/history",
            "/v1/history/archive",
            "/v1/history/reset",
            "/v1/links",
            "/v1/memories",
            "/v1/memories/{id}",
            "/v1/memories/{id}/history",
            "/v1/memories/{id}/undo",
            "/v1/memory-tool",
            "/v1/memory_stores",
            "/v1/memory_stores/{id}",
            "/v1/memory_stores/{id}/archive",
            "/v1/memory_stores/{id}/bin",
            "/v1/memory_stores/{id}/memories",
            "/v1/memory_stores/{id}/memories/{memory_id}",
            "/v1/memory_stores/{id}/memories/{memory_id}/diff",
            "/v1/memory_stores/{id}/memories/{memory_id}/edit",
            "/v1/memory_stores/{id}/memories/{memory_id}/restore",
            "/v1/memory_stores/{id}/memory_versions",
            "/v1/memory_stores/{id}/memory_versions/{version_id}",
            "/v1/memory_stores/{id}/memory_versions/{version_id}/redact",
            "/v1/memory_stores/{id}/search",
            "/v1/notes",
            "/v1/notes/report",
            "/v1/notes/{id}",
            "/v1/preferences",
            "/v1/preferences/{id}",
            "/v1/profile",
            "/v1/profile/{key}",
            "/v1/prompt/notes",
            "/v1/recall",
            "/v1/tools",
            "/v1/tools/{name}",
            "/v1/users/{id}/erasures",
            "/v1/users/{id}/erasures/preview",
            "/v1/users/{id}/export",
            "/v1/webhooks/memory_append",
            "/v1/webhooks/memory_delete",
            "/v1/webhooks/memory_dispatch",
            "/v1/webhooks/memory_read",
            "/v1/webhooks/memory_search",
            "/v1/webhooks/memory_write",
        ]
    );
}
