//! Access to the console, through the whole router: who gets in, from where, and the result of a form post without script.

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use domain::access::rights::Rights;
use domain::facts::fact::{Candidate, FactKind, FactStatus};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance};
use ports::store::facts::FactReads;
use service::facts::propose::ProposalOutcome;
use tower::ServiceExt;

use crate::erasure::rows;
use crate::fixture::{Fixture, PASSWORD, cli, session_cookie};

const FORM: &str = "application/x-www-form-urlencoded";

async fn post(fixture: &Fixture, path: &str, form: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::post(path).header(header::CONTENT_TYPE, FORM);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    fixture.send(request.body(Body::from(form.to_owned())).expect("well formed")).await
}

async fn sign_in(fixture: &Fixture, rights: Rights) -> String {
    fixture.operator("priya@example.org", rights).await;
    fixture.sign_in("priya@example.org").await
}

async fn page(fixture: &Fixture, path: &str, cookie: &str) -> (u16, String) {
    let request = Request::get(path).header(header::COOKIE, cookie).header(header::ACCEPT, "text/html");
    let response = fixture.send(request.body(Body::empty()).expect("well formed")).await;
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
    (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

async fn pending(fixture: &Fixture, content: &str) -> String {
    let candidate = Candidate {
        kind: FactKind::Fact,
        content: Content::new(content).expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    };
    let surface = Surface::new("web").expect("valid");
    match fixture.keepsake.proposals.propose(&cli(), None, &surface, &candidate).await.expect("proposed") {
        ProposalOutcome::Pending(id) => id,
        other => panic!("{other:?}"),
    }
}

/// The form that a row sends.
fn decision(id: &str, action: &str) -> String {
    format!("ids%5B%5D={id}%3A1&action={action}")
}

async fn status(fixture: &Fixture, id: &str) -> FactStatus {
    fixture.store.fact(id).await.expect("read").expect("there").status
}

#[tokio::test]
async fn nobody_is_sent_to_sign_in_from_every_page_and_refused_every_call() {
    let fixture = Fixture::new().await;
    for path in ["/", "/review", "/review/gf_1", "/nothing/here"] {
        let request = Request::get(path).header(header::ACCEPT, "text/html").body(Body::empty()).expect("well formed");
        let response = fixture.send(request).await;
        assert_eq!(response.status().as_u16(), 303, "{path}");
        assert!(response.headers()[header::LOCATION].to_str().expect("ascii").starts_with("/login"), "{path}");
    }
    for path in ["/calls/decide", "/calls/edit", "/calls/undo", "/calls/sign_out"] {
        let response = post(&fixture, path, "id=gf_1&version=1", &[("accept", "application/json")]).await;
        assert_eq!(response.status().as_u16(), 401, "{path}");
    }
    for path in ["/calls/review/queue", "/calls/review/candidate?id=gf_1", "/calls/missing"] {
        let request = Request::get(path).header(header::ACCEPT, "application/json").body(Body::empty()).expect("well formed");
        assert_eq!(fixture.send(request).await.status().as_u16(), 401, "{path}");
    }
}

#[tokio::test]
async fn a_wrong_password_leaves_no_typed_text_in_the_location() {
    let fixture = Fixture::new().await;
    fixture.operator("priya@example.org", Rights::Edit).await;
    let form = "email=priya%40example.org&password=not-the-one";
    let headers = [("accept", "text/html"), ("referer", "http://localhost/login?next=%2Freview"), ("host", "localhost")];
    let response = post(&fixture, "/calls/sign_in", form, &headers).await;
    assert_eq!(response.status().as_u16(), 303);
    assert_eq!(response.headers()[header::LOCATION], "/login?next=%2Freview");
    let told = response.headers()[header::SET_COOKIE].to_str().expect("ascii").split(';').next().expect("a pair").to_owned();
    assert!(told.starts_with("keepsake_flash=") && !told.contains("not-the-one"), "{told}");
    let (_, html) = page(&fixture, "/login?next=%2Freview", &told).await;
    assert!(html.contains("The email or password is not right.") && html.contains("priya@example.org"), "the flash is shown");
    assert!(!html.contains("not-the-one"));
    let request = Request::get("/login").header(header::COOKIE, &told).header(header::ACCEPT, "text/html");
    let response = fixture.send(request.body(Body::empty()).expect("well formed")).await;
    let gone = response.headers()[header::SET_COOKIE].to_str().expect("ascii");
    assert!(gone.starts_with("keepsake_flash=;") && gone.contains("Max-Age=0"), "shown once: {gone}");
}

#[tokio::test]
async fn strangers_leave_nothing_behind() {
    let fixture = Fixture::new().await;
    let long = format!("email={}&password=x", "a".repeat(3000));
    for (accept, expected) in [("text/html", 303), ("application/json", 401)] {
        for form in ["email=a%40example.org&password=wrong-one", long.as_str()] {
            let response = post(&fixture, "/calls/sign_in", form, &[("accept", accept)]).await;
            assert_eq!(response.status().as_u16(), expected, "{accept}");
            let told = response.headers().get(header::SET_COOKIE).map_or(0, header::HeaderValue::len);
            assert!(told < 4096, "{told}");
        }
        let flood = format!("email={}&password=x", "a".repeat(9000));
        assert_eq!(post(&fixture, "/calls/sign_in", &flood, &[("accept", accept)]).await.status().as_u16(), 413, "{accept}");
    }
    assert_eq!(rows(&fixture, "SELECT COUNT(*) || '' FROM sessions").await, ["0"]);
}

#[tokio::test]
async fn the_session_id_changes_at_sign_in_and_dies_at_sign_out() {
    let fixture = Fixture::new().await;
    fixture.operator("priya@example.org", Rights::Edit).await;
    let before = "keepsake=AAAAAAAAAAAAAAAAAAAAAA".to_owned();
    let form = format!("email=priya%40example.org&password={}", PASSWORD.replace(' ', "+"));
    let right = post(&fixture, "/calls/sign_in", &form, &[("accept", "text/html"), ("cookie", &before)]).await;
    let after = session_cookie(right.headers());
    assert_ne!(before, after);
    assert_eq!(page(&fixture, "/review", &before).await.0, 303, "the old id is dead");
    assert_eq!(page(&fixture, "/review", &after).await.0, 200);
    let out = post(&fixture, "/calls/sign_out", "", &[("accept", "text/html"), ("cookie", &after)]).await;
    assert_eq!((out.status().as_u16(), &out.headers()[header::LOCATION]), (303, &header::HeaderValue::from_static("/login")));
    assert_eq!(page(&fixture, "/review", &after).await.0, 303);
}

#[tokio::test]
async fn disabling_an_operator_ends_his_session_at_once() {
    use service::audit::Actor;
    use service::people::operators;
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::Edit).await;
    assert_eq!(page(&fixture, "/review", &session).await.0, 200);
    operators::disable_operator(fixture.store.as_ref(), fixture.clock.as_ref(), &Actor::CommandLine, "priya@example.org")
        .await
        .expect("disabled");
    assert_eq!(page(&fixture, "/review", &session).await.0, 303);
}

#[tokio::test]
async fn a_decision_without_script_is_a_redirect_and_a_notice_shown_once() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::Edit).await;
    let id = pending(&fixture, "Feature flags are read once at boot.").await;
    let (code, html) = page(&fixture, "/review", &session).await;
    assert!(code == 200 && html.contains("Feature flags are read once at boot."));
    let headers = [("accept", "text/html"), ("cookie", session.as_str()), ("referer", "http://localhost/review")];
    let response = post(&fixture, "/calls/decide", &decision(&id, "approve"), &headers).await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()[header::LOCATION]),
        (303, &header::HeaderValue::from_static("/review"))
    );
    assert_eq!(status(&fixture, &id).await, FactStatus::Approved);
    assert!(page(&fixture, "/review", &session).await.1.contains("Approved"));
    let late = post(&fixture, "/calls/decide", &decision(&id, "reject"), &headers).await;
    assert_eq!(late.status().as_u16(), 303);
    assert!(page(&fixture, "/review", &session).await.1.contains("lready approved by Priya Raman"));
    assert_eq!(status(&fixture, &id).await, FactStatus::Approved);
}

#[tokio::test]
async fn a_foreign_origin_a_get_and_a_viewer_change_nothing() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::View).await;
    let id = pending(&fixture, "Feature flags are read once at boot.").await;
    let form = decision(&id, "approve");
    let json = ("accept", "application/json");
    let own = ("cookie", session.as_str());
    for foreign in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
        let response = post(&fixture, "/calls/decide", &form, &[json, own, foreign, ("host", "localhost")]).await;
        assert_eq!(response.status().as_u16(), 403, "{foreign:?}");
    }
    let viewer = post(&fixture, "/calls/decide", &form, &[json, own]).await;
    assert_eq!(viewer.status().as_u16(), 403);
    let get =
        Request::get(format!("/calls/decide?{form}")).header(header::COOKIE, &session).header(header::ACCEPT, "application/json");
    let got = fixture.send(get.body(Body::empty()).expect("well formed")).await.status().as_u16();
    assert!((400..500).contains(&got), "{got}");
    assert_eq!(status(&fixture, &id).await, FactStatus::Pending);
}

#[tokio::test]
async fn every_page_carries_a_policy_with_its_own_nonce_and_is_not_stored() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::Edit).await;
    let mut policies = Vec::new();
    for path in ["/login", "/review", "/nothing"] {
        let request = Request::get(path).header(header::COOKIE, &session).body(Body::empty()).expect("well formed");
        let response = fixture.send(request).await;
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store", "{path}");
        assert_eq!(response.headers()[header::REFERRER_POLICY], "same-origin");
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("ascii").to_owned();
        assert!(
            policy.contains("'nonce-") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"),
            "{path}: {} {:?} {policy}",
            response.status(),
            response.headers().get(header::LOCATION)
        );
        policies.push(policy);
    }
    policies.sort();
    policies.dedup();
    assert_eq!(policies.len(), 3, "a nonce is used once");
}

#[tokio::test]
async fn the_sign_in_page_loads_no_program() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::Edit).await;
    let (_, html) = page(&fixture, "/login", "").await;
    assert!(html.contains("Sign in") && !html.contains("keepsake.js") && !html.contains("keepsake.wasm"), "{html}");
    assert!(!html.contains("__RESOLVED_RESOURCES[0]"), "nothing is hydrated: {html}");
    let (_, html) = page(&fixture, "/review", &session).await;
    assert!(html.contains("/pkg/keepsake.js") && html.contains("/pkg/keepsake.wasm"), "{html}");
}

#[tokio::test]
async fn a_page_that_is_not_there_says_so_with_its_status() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::Edit).await;
    for path in ["/nothing", "/review/gf_unknown"] {
        let (code, html) = page(&fixture, path, &session).await;
        assert_eq!(code, 404, "{path}");
        assert!(html.contains("There is no"), "{path}");
    }
}

/// No response of the console names a contributor.
#[tokio::test]
async fn contributors_are_a_number_in_every_response() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::Edit).await;
    let candidate = Candidate {
        kind: FactKind::Fact,
        content: Content::new("Feature flags are read once at boot.").expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    };
    let surface = Surface::new("canary-surface").expect("valid");
    let who = crate::fixture::user("canary-user-7f3a");
    let ProposalOutcome::Pending(id) =
        fixture.keepsake.proposals.propose(&cli(), Some(&who), &surface, &candidate).await.expect("proposed")
    else {
        panic!("not pending")
    };
    for path in [
        "/review".to_owned(),
        format!("/review/{id}"),
        "/calls/review/queue".to_owned(),
        format!("/calls/review/candidate?id={id}"),
    ] {
        let (code, body) = page(&fixture, &path, &session).await;
        assert_eq!(code, 200, "{path}");
        assert!(body.contains("Feature flags") && !body.contains("canary"), "{path}");
    }
}

#[tokio::test]
async fn a_session_ends_by_itself() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, Rights::Edit).await;
    assert_eq!(page(&fixture, "/review", &session).await.0, 200);
    // The cookie layer uses the machine's clock, and the test's clock is a little behind it.
    fixture.clock.advance_ms(30 * 24 * 60 * 60 * 1000 * 12);
    assert_eq!(page(&fixture, "/review", &session).await.0, 303);
}

#[tokio::test]
async fn behind_https_cookies_are_secure_and_only_the_sites_own_pages_write() {
    let fixture = Fixture::new().await;
    fixture.operator("priya@example.org", Rights::Edit).await;
    let site = fixture.site_at("https://keepsake.example");
    let form = format!("email=priya%40example.org&password={}", PASSWORD.replace(' ', "+"));
    let sign_in = async |origin: &str| {
        let request = Request::post("/calls/sign_in")
            .header(header::HOST, "127.0.0.1:3000")
            .header(header::ORIGIN, origin)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json");
        site.clone().oneshot(request.body(Body::from(form.clone())).expect("well formed")).await.expect("answers")
    };
    assert_eq!(sign_in("https://evil.example").await.status(), 403);
    let response = sign_in("https://keepsake.example").await;
    assert_eq!(response.status(), 200);
    let cookies: Vec<String> = response
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|cookie| cookie.to_str().ok().map(str::to_owned))
        .collect();
    assert!(cookies.iter().all(|cookie| cookie.contains("Secure") && cookie.contains("HttpOnly")), "{cookies:?}");
    let cookie = cookies.iter().find(|cookie| cookie.starts_with("__Host-")).expect("the session").clone();
    for part in ["__Host-keepsake=", "HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }
    assert_eq!(response.headers()[header::STRICT_TRANSPORT_SECURITY], "max-age=31536000");
    let leave = Request::post("/calls/sign_out")
        .header(header::HOST, "127.0.0.1:3000")
        .header(header::ORIGIN, "https://keepsake.example")
        .header(header::COOKIE, cookie.split(';').next().expect("a pair"))
        .header(header::ACCEPT, "text/html")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let left = site.clone().oneshot(leave.body(Body::empty()).expect("well formed")).await.expect("answers");
    assert_eq!(
        (left.status().as_u16(), &left.headers()["clear-site-data"]),
        (303, &"\"cache\", \"storage\"".parse().expect("ascii"))
    );
    let plain = fixture.send(Request::get("/login").body(Body::empty()).expect("well formed")).await;
    assert!(!plain.headers().contains_key(header::STRICT_TRANSPORT_SECURITY));
}
