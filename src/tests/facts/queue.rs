//! The queue through the whole router: filters in the URL, saved views, and bulk decisions with and without script.

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use console::notice::Notice;
use console::review::shapes::Queue;
use domain::access::rights::Rights;
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance};
use domain::moment::DAY_MS;
use ports::store::facts::FactReads;
use serde_json::Value;

use crate::fixture::{Fixture, cli, user};

struct Room {
    fixture: Fixture,
    cookie: String,
}

impl Room {
    async fn new() -> Self {
        let fixture = Fixture::new().await;
        fixture.operator("priya@example.org", Rights::Edit).await;
        let cookie = fixture.sign_in("priya@example.org").await;
        Self { fixture, cookie }
    }

    async fn propose(&self, content: &str, kind: FactKind, origin: Origin, by: Option<&str>) {
        let importance = Importance::DEFAULT;
        let candidate = Candidate { kind, content: Content::new(content).expect("fits"), importance, origin };
        let surface = Surface::new("web").expect("valid");
        self.fixture.clock.advance_ms(1_000);
        let by = by.map(user);
        self.fixture.keepsake.proposals.propose(&cli(), by.as_ref(), &surface, &candidate).await.expect("proposed");
    }

    async fn many(&self, n: usize) {
        for n in 0..n {
            let text = format!("The importer reads shard {n} from port {}.", 7000 + n);
            self.propose(&text, FactKind::Fact, Origin::Assistant, None).await;
        }
    }

    async fn queue(&self, query: &str) -> Queue {
        let encoded: String = serde_urlencoded::to_string([("query", query)]).expect("encoded");
        let request = Request::get(format!("/calls/review/queue?{encoded}")).header(header::COOKIE, &self.cookie);
        let response = self.fixture.send(request.body(Body::empty()).expect("well formed")).await;
        assert_eq!(response.status().as_u16(), 200);
        let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
        serde_json::from_slice(&body).expect("a queue")
    }

    async fn texts(&self, query: &str) -> Vec<String> {
        self.queue(query).await.candidates.into_iter().map(|candidate| candidate.content).collect()
    }

    async fn post(&self, path: &str, fields: &[(&str, String)], accept: &str) -> (u16, Value) {
        let form = serde_urlencoded::to_string(fields).expect("encoded");
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::COOKIE, &self.cookie)
            .header(header::REFERER, "http://localhost/review")
            .header(header::ACCEPT, accept);
        crate::fixture::read(self.fixture.send(request.body(Body::from(form)).expect("well formed")).await).await
    }

    async fn page(&self, path: &str) -> String {
        let request = Request::get(path).header(header::COOKIE, &self.cookie).header(header::ACCEPT, "text/html");
        let response = self.fixture.send(request.body(Body::empty()).expect("well formed")).await;
        let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
        String::from_utf8(body.to_vec()).expect("UTF-8")
    }

    async fn pending(&self) -> i64 {
        self.fixture.store.count_facts().await.expect("read").pending
    }
}

#[tokio::test]
async fn the_url_says_what_is_shown_and_in_which_order() {
    let room = Room::new().await;
    let low = "Preview environments use ports 7300 to 7399.";
    let high = "Preview environments use ports 7400 to 7499.";
    let word = "A cold shelf is a collection that nobody has read for 90 days.";
    room.propose(low, FactKind::Fact, Origin::Assistant, Some("anna")).await;
    room.propose(word, FactKind::Glossary, Origin::User, Some("ben")).await;
    room.propose(high, FactKind::Fact, Origin::Agent, None).await;
    for (query, expected) in [
        ("", vec![low, word, high]),
        ("sort=newest", vec![high, word, low]),
        ("sort=contributors", vec![low, word, high]),
        ("kind=glossary", vec![word]),
        ("kind=glossary&kind=fact", vec![low, word, high]),
        ("origin=claude-code", vec![high]),
        ("origin=user&kind=fact", vec![]),
        ("q=COLD+shelf", vec![word]),
        ("flag=contradiction", vec![low, high]),
        ("sources=one-short", vec![low, word]),
        ("sources=multi", vec![]),
        ("nonsense=1&sort=sideways&kind=poem", vec![low, word, high]),
    ] {
        assert_eq!(room.texts(query).await, expected, "{query}");
    }
    let queue = room.queue("kind=glossary").await;
    let counts: Vec<i64> = queue.tabs.iter().map(|tab| tab.count).collect();
    assert_eq!((counts, queue.matching, queue.pending), (vec![3, 3, 2, 2, 1], 1, 3));
    assert_eq!(queue.filters.words.as_deref(), Some("kind Glossary"));
}

/// Every row has its text twice, once for its script, and four controls.
#[tokio::test]
async fn a_page_of_fifty_candidates_has_at_most_100_kb() {
    let room = Room::new().await;
    room.many(60).await;
    let page = room.page("/review").await;
    assert_eq!(page.matches("data-testid=\"review-item\"").count(), 50);
    assert!(page.len() <= 100_000, "{} bytes", page.len());
}

#[tokio::test]
async fn pages_say_where_they_are_and_go_both_ways() {
    let room = Room::new().await;
    room.many(60).await;
    let first = room.queue("").await;
    assert_eq!((first.candidates.len(), first.span.words().as_str()), (50, "1–50 of 60"));
    assert_eq!((first.span.previous.as_deref(), first.span.next.as_deref()), (None, Some("/review?page=2")));
    let last = first.candidates.last().expect("some");
    let fields = [("ids[]", format!("{}:{}", last.id, last.version)), ("action", "reject".to_owned())];
    assert_eq!(room.post("/calls/decide", &fields, "application/json").await.0, 200);
    let rest = room.queue("page=2").await;
    assert_eq!((rest.candidates.len(), rest.span.words().as_str()), (9, "51–59 of 59"), "what is left moves up");
    assert_eq!((rest.span.previous.as_deref(), rest.span.next.as_deref()), (Some("/review"), None));
    let html = room.page("/review?page=2&per=25&sort=newest").await;
    for words in ["26–50 of 59", "href=\"/review?sort=newest&amp;per=25\"", "href=\"/review?sort=newest&amp;per=25&amp;page=3\""]
    {
        assert!(html.contains(words), "{words}");
    }
    let beyond = room.queue("page=9").await;
    assert_eq!((beyond.candidates.len(), beyond.span.words().as_str()), (0, "59 in all"));
}

#[tokio::test]
async fn the_queue_says_how_old_it_is_and_how_much_arrives() {
    let mut room = Room::new().await;
    room.many(3).await;
    room.fixture.clock.advance_ms(DAY_MS);
    room.cookie = room.fixture.sign_in("priya@example.org").await;
    room.many(5).await;
    let queue = room.queue("").await;
    assert_eq!(queue.pending, 5, "the same words again are no new candidate");
    assert_eq!(queue.oldest.as_deref(), Some("1 day"));
    assert_eq!(queue.pace.as_deref(), Some("2 new today · 3 a day in the last 2 days"));
    assert!(room.page("/review").await.contains("5 pending · oldest 1 day · 2 new today · 3 a day in the last 2 days"));
}

#[tokio::test]
async fn a_large_bulk_is_asked_once_with_and_without_script() {
    let room = Room::new().await;
    room.many(30).await;
    let queue = room.queue("").await;
    let mut fields = vec![
        ("action", "reject".to_owned()),
        ("all", format!("?{}", queue.filters.query)),
        ("count", queue.matching.to_string()),
        ("token", queue.token),
    ];
    let (status, problem) = room.post("/calls/decide", &fields, "application/json").await;
    assert_eq!((status, problem["code"].as_str(), problem["count"].as_u64()), (409, Some("confirm_bulk"), Some(30)));
    assert_eq!(room.post("/calls/decide", &fields, "text/html").await.0, 303);
    let asked = room.page("/review").await;
    assert!(asked.contains("Reject 30 facts? They are kept for audit and not recalled."));
    assert!(asked.contains("name=\"confirmed\""), "the question is a form");
    assert_eq!(room.pending().await, 30);
    fields.push(("confirmed", "1".to_owned()));
    assert_eq!(room.post("/calls/decide", &fields, "text/html").await.0, 303);
    assert!(room.page("/review").await.contains("30 rejected."));
    assert_eq!(room.pending().await, 0);
    let newest = room.queue("").await.undoable.expect("it can be undone");
    assert_eq!(newest.words(), "rejected 30 facts");
    let (status, notice) = room.post("/calls/undo", &[("seq", newest.seq.to_string())], "application/json").await;
    assert_eq!(status, 200);
    assert!(matches!(serde_json::from_value(notice), Ok(Notice::Undone { restored: 30, changed_since: 0, .. })));
    assert_eq!(room.pending().await, 30, "a bulk is one step back");
}

#[tokio::test]
async fn everything_that_matches_is_refused_when_it_changed() {
    let room = Room::new().await;
    room.many(3).await;
    let queue = room.queue("").await;
    room.propose("Log lines are kept for thirty days.", FactKind::Fact, Origin::Assistant, None).await;
    let fields = [("action", "approve".to_owned()), ("all", "?".to_owned()), ("count", "3".to_owned()), ("token", queue.token)];
    let (status, problem) = room.post("/calls/decide", &fields, "application/json").await;
    assert_eq!((status, problem["code"].as_str()), (409, Some("count_differs")));
    assert_eq!((problem["now"].as_u64(), problem["chosen"].as_u64()), (Some(4), Some(3)));
    assert_eq!(room.pending().await, 4);
}

#[tokio::test]
async fn a_view_is_saved_shared_and_deleted_by_its_owner_alone() {
    let room = Room::new().await;
    let fields =
        |name: &str| [("name", name.to_owned()), ("query", "kind=howto&nonsense=1".to_owned()), ("shared", "on".to_owned())];
    let (status, problem) = room.post("/calls/views/save", &fields(" "), "application/json").await;
    assert_eq!((status, problem["code"].as_str()), (422, Some("invalid")));
    assert_eq!(room.post("/calls/views/save", &fields("How-tos"), "text/html").await.0, 303);
    let mut tab = room.queue("").await.tabs.pop().expect("a tab");
    assert_eq!((tab.name.as_str(), tab.query.as_str(), tab.shared, tab.own), ("How-tos", "kind=howto", true, true));
    let id = tab.id.take().expect("an id");
    let viewer = Room { cookie: other(&room.fixture).await, fixture: room.fixture };
    let theirs = viewer.queue("").await.tabs.pop().expect("a tab");
    assert_eq!((theirs.name.as_str(), theirs.own), ("How-tos", false), "shared with everyone");
    assert_eq!(viewer.post("/calls/views/delete", &[("id", id.clone())], "application/json").await.0, 404);
    let owner = Room { cookie: viewer.fixture.sign_in("priya@example.org").await, fixture: viewer.fixture };
    assert_eq!(owner.post("/calls/views/delete", &[("id", id)], "text/html").await.0, 303);
    assert_eq!(owner.queue("").await.tabs.len(), 5);
}

async fn other(fixture: &Fixture) -> String {
    fixture.operator("jun@example.org", Rights::View).await;
    fixture.sign_in("jun@example.org").await
}

#[tokio::test]
async fn bad_orders_are_answered_and_change_nothing() {
    let room = Room::new().await;
    room.many(1).await;
    let id = room.queue("").await.candidates[0].id.clone();
    for (fields, expected) in [
        (vec![("action", "approve".to_owned())], 422),
        (vec![("action", "bless".to_owned()), ("ids[]", format!("{id}:1"))], 422),
        (vec![("action", "importance".to_owned()), ("ids[]", format!("{id}:1")), ("importance", "9".to_owned())], 422),
        (vec![("action", "approve".to_owned()), ("ids[]", id.clone())], 422),
        (vec![("action", "approve".to_owned()), ("ids[]", format!("{id}:7"))], 409),
        (vec![("action", "approve".to_owned()), ("ids[]", "gf_gone:1".to_owned())], 404),
    ] {
        assert_eq!(room.post("/calls/decide", &fields, "application/json").await.0, expected, "{fields:?}");
    }
    assert_eq!(room.pending().await, 1);
}

/// The data of a row is sent for every row, so it is kept small. Each of these has a flag.
#[tokio::test]
async fn a_row_is_small() {
    const ROW_MAX_BYTES: usize = 3_000;
    let room = Room::new().await;
    room.many(50).await;
    let (few, many) = (room.page("/review?per=10").await, room.page("/review").await);
    assert_eq!(many.matches("data-testid=\"review-item\"").count(), 50);
    let row = (many.len() - few.len()) / 40;
    assert!(row < ROW_MAX_BYTES, "{row} bytes");
}
