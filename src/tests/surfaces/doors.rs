//! Every route of the console with every kind of visitor, from the real route table and the registered server functions. Which
//! right each needs is read from the program; that it is asked for, and no other, is tried over HTTP.

use access::callers::Scope;
use axum::body::Body;
use axum::http::{Method, Request, header};
use console::screens::{self, Navigation, SCREENS, Screen};
use domain::access::rights::{Right, Rights};
use keepsake::web::{self, OPEN};
use ports::store::operate::audit::AuditReads;

use serde_json::json;

use crate::fixture::Fixture;
use crate::fixture::visit::Visit;
use crate::surfaces::mcp;

struct Door {
    path: String,
    method: Method,
}

/// Every page, posted page, file and server function, and the live channel.
fn doors() -> Vec<Door> {
    let mut doors: Vec<Door> = web::templates().map(|page| Door { path: filled(page), method: Method::GET }).collect();
    doors.push(Door { path: "/events".to_owned(), method: Method::GET });
    doors.push(Door { path: "/manage/users/x1/export".to_owned(), method: Method::POST });
    doors.push(Door { path: "/manage/erasures/x1.json".to_owned(), method: Method::GET });
    doors.extend(screens::posted().map(|screen| Door { path: filled(&screen.pattern()), method: Method::POST }));
    doors.extend(leptos::server_fn::axum::server_fn_paths().map(|(path, method)| Door { path: path.to_owned(), method }));
    assert!(doors.len() > 30, "the table is read: {}", doors.len());
    doors
}

/// A path for a route template.
fn filled(template: &str) -> String {
    let parts = template.split('/').map(|part| if part.starts_with('{') { "x1" } else { part });
    let path = parts.collect::<Vec<_>>().join("/");
    if path.is_empty() { "/".to_owned() } else { path }
}

#[test]
fn every_screen_has_its_route_and_every_route_its_screen() {
    let mut routes: Vec<&str> = web::templates().filter(|route| !route.contains('*')).collect();
    let mut patterns: Vec<String> = SCREENS.iter().map(Screen::pattern).collect();
    routes.sort_unstable();
    patterns.sort_unstable();
    assert_eq!(routes, patterns);
}

#[tokio::test]
async fn the_navigation_has_the_screens_whose_row_says_so() {
    let fixture = Fixture::new().await;
    let editor = Visit::editor(&fixture).await;
    let body = editor.page(screens::FACTS.path).await.body;
    for (navigation, label) in [(Navigation::Sidebar, "Main"), (Navigation::Manage, "Manage")] {
        let (_, links) = body.split_once(&format!("aria-label=\"{label}\"")).expect("a navigation");
        let links = links.split("</nav>").next().expect("links");
        let rows: Vec<&Screen> = SCREENS.iter().filter(|screen| screen.navigation == navigation).collect();
        for screen in &rows {
            let named = screen.title.split(' ').all(|word| links.contains(word));
            assert!(links.contains(&format!("href=\"{}", screen.path)) && named, "{}: {links}", screen.title);
        }
        assert_eq!(links.matches("<a ").count(), rows.len(), "{links}");
    }
}

#[tokio::test]
async fn the_bar_about_a_missing_right_is_on_the_screens_that_need_it() {
    let fixture = Fixture::new().await;
    let _editor = Visit::editor(&fixture).await;
    for (rights, missing) in [(Rights::Review, Right::Manage), (Rights::Manage, Right::Review)] {
        let email = format!("{}@example.org", rights.as_str());
        let visit = Visit::of(&fixture, &email, "Noor Haddad", rights).await;
        for screen in SCREENS.iter().filter(|screen| ![screens::LOGIN, screens::HOME, screens::MANAGE].contains(screen)) {
            let page = visit.page(&filled(&screen.pattern())).await;
            let barred = page.body.contains("data-testid=\"readonly-bar\"");
            assert_eq!(barred, screen.needs == Some(missing), "{rights:?} {}", screen.path);
        }
    }
}

async fn knock(fixture: &Fixture, door: &Door, headers: &[(&str, &str)]) -> u16 {
    let mut request = Request::builder().method(door.method.clone()).uri(&door.path).header(header::HOST, "localhost");
    if door.method == Method::POST {
        request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    fixture.send(request.body(Body::empty()).expect("well formed")).await.status().as_u16()
}

const JSON: (&str, &str) = ("accept", "application/json");

#[tokio::test]
async fn nobody_and_a_callers_key_pass_no_door() {
    let fixture = Fixture::new().await;
    let bearer = format!("Bearer {}", fixture.key(&Scope::ALL, None).await);
    for screen in SCREENS {
        assert_eq!(OPEN.contains(&screen.path), *screen == screens::LOGIN, "{}", screen.path);
    }
    for door in doors().iter().filter(|door| !OPEN.contains(&door.path.as_str())) {
        // A page redirects to sign-in; a call and the stream answer 401.
        let expected = if door.path.starts_with("/calls/") || door.path == "/events" { 401 } else { 303 };
        assert_eq!(knock(&fixture, door, &[JSON]).await, expected, "nobody: {} {}", door.method, door.path);
        let key = [JSON, ("authorization", bearer.as_str())];
        assert_eq!(knock(&fixture, door, &key).await, expected, "a key: {} {}", door.method, door.path);
    }
}

/// The pages of a user's record ask for a reason first, whether there is such a user or not.
fn asks_why(door: &Door) -> bool {
    door.path.starts_with("/manage/users/x1")
}

#[tokio::test]
async fn a_viewer_reads_every_page_and_makes_no_write_but_his_own() {
    let fixture = Fixture::new().await;
    let _editor = Visit::editor(&fixture).await;
    let rows = async || fixture.store.audit_after(0, 10_000).await.expect("read").len();
    for (n, door) in doors().iter().enumerate() {
        // Signing out ends a session, so each route gets its own.
        let viewer = Visit::of(&fixture, &format!("v{n}@example.org"), "Jun Abe", Rights::View).await;
        let before = rows().await;
        let status = knock(&fixture, door, &[JSON, ("cookie", &viewer.cookie)]).await;
        let own = door.method == Method::GET || web::needed(&door.path).is_none();
        if own {
            // A request without its fields is malformed or not found, but not forbidden.
            assert!(status < 500 && status != 401, "{} {}: {status}", door.method, door.path);
            assert!(status != 403 || asks_why(door), "{} {}", door.method, door.path);
        } else {
            assert_eq!(status, 403, "{} {}", door.method, door.path);
        }
        assert_eq!(rows().await, before, "{} {} left something", door.method, door.path);
    }
}

#[tokio::test]
async fn who_reviews_does_not_manage_and_who_manages_does_not_review() {
    let fixture = Fixture::new().await;
    let _editor = Visit::editor(&fixture).await;
    let doors = doors();
    for (path, _) in web::CALLS {
        assert!(doors.iter().any(|door| door.path == path && door.method == Method::POST), "{path} is there");
    }
    for (n, door) in doors.iter().enumerate().filter(|(_, door)| door.method == Method::POST) {
        let Some(needed) = web::needed(&door.path) else { continue };
        let decides = needed == Right::Review;
        for (rights, forbidden) in [(Rights::Review, !decides), (Rights::Manage, decides)] {
            let email = format!("{}{n}@example.org", rights.as_str());
            let visit = Visit::of(&fixture, &email, "Noor Haddad", rights).await;
            let status = knock(&fixture, door, &[JSON, ("cookie", &visit.cookie)]).await;
            if forbidden {
                assert_eq!(status, 403, "{rights:?} {}", door.path);
            } else {
                assert!(status < 500 && status != 401 && (status != 403 || asks_why(door)), "{rights:?} {}: {status}", door.path);
            }
        }
    }
}

#[tokio::test]
async fn an_editor_is_forbidden_nothing() {
    let fixture = Fixture::new().await;
    for (n, door) in doors().iter().enumerate() {
        let editor = Visit::of(&fixture, &format!("e{n}@example.org"), "Priya Raman", Rights::Edit).await;
        let status = knock(&fixture, door, &[JSON, ("cookie", &editor.cookie)]).await;
        assert!(status < 500 && status != 401 && (status != 403 || asks_why(door)), "{} {}: {status}", door.method, door.path);
    }
}

#[tokio::test]
async fn no_write_comes_from_another_site_or_by_get() {
    let fixture = Fixture::new().await;
    let editor = Visit::editor(&fixture).await;
    let own = ("cookie", editor.cookie.as_str());
    for door in doors().iter().filter(|door| door.method != Method::GET) {
        for foreign in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
            assert_eq!(knock(&fixture, door, &[JSON, own, foreign]).await, 403, "{foreign:?} {}", door.path);
        }
        if door.path.starts_with("/calls/") {
            let got = Door { path: door.path.clone(), method: Method::GET };
            let status = knock(&fixture, &got, &[JSON, own]).await;
            assert!((400..500).contains(&status), "GET {}: {status}", door.path);
        }
    }
    assert_eq!(editor.page("/review").await.status, 200, "the session is as it was");
}

#[tokio::test]
async fn no_search_takes_the_character_nul() {
    let fixture = Fixture::new().await;
    let (editor, key) = (Visit::editor(&fixture).await, fixture.key(&Scope::ALL, Some("anna")).await);
    let queries = ["%00", "deploy%00s", "gf_%00"];
    for query in queries {
        let path = format!("/v1/facts?q={query}");
        let (status, refused) = fixture.call("GET", &path, &key, None).await;
        assert_eq!((status, &refused["field"]), (422, &json!("query")), "{path}: {refused}");
        for page in ["/review?q=", "/manage/facts?q=", "/audit?q="] {
            assert_eq!(editor.page(&format!("{page}{query}")).await.status, 422, "{page}{query}");
        }
        assert_eq!(editor.ask(&format!("/calls/find?q=a{query}")).await.status, 422, "{query}");
    }
    for (path, mut body) in [
        ("/v1/recall", json!({"surface": "web"})),
        ("/v1/forget", json!({})),
        ("/v1/memory_stores/default/search?surface=web", json!({})),
    ] {
        body["query"] = json!("tea\u{0}cup");
        let (status, refused) = fixture.call("POST", path, &key, Some(body)).await;
        assert_eq!((status, &refused["field"]), (422, &json!("query")), "{path}: {refused}");
        let detail = refused["detail"].as_str().expect("words");
        assert_eq!(detail, "query must not contain the character NUL (U+0000).", "{path}");
    }
    for tool in ["recall_memory", "forget_memory", "list_global_memories"] {
        let result = mcp::call(&fixture, &key, tool, json!({"query": "tea\u{0}"})).await;
        assert_eq!(result["_meta"]["keepsake/problem"]["code"], "invalid", "{tool}: {result}");
    }
    // A saved view with such a search does not stand in the way of the others.
    assert_eq!(editor.call("/calls/views/save", "name=odd&query=q%3D%2500&shared=on").await.status, 200);
    assert_eq!(editor.page("/review").await.status, 200);
}
