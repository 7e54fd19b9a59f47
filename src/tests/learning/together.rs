//! Exchanges of one user that a model reads together: when, what each of them teaches, and what happens if the model fails or a
//! user is erased meanwhile. The model is a server in the test, which finds in each exchange what its message says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use access::callers::Caller;
use async_trait::async_trait;
use domain::access::rights::Rights;
use domain::erasure::{ErasureScope, Status};
use domain::facts::provenance::Surface;
use domain::memory::exchange::Exchange;
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use ports::extractor::{ExtractError, Extraction, Extractor, Material};
use ports::meter::Meter;
use serde_json::{Value, json};
use service::erasure::erase::ErasureOrder;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, NOON, cli, user};
use crate::learning::budget::{TEAM, answer, asked, talk_with};
use crate::learning::pipeline::{Talk, statement};

const HOME: &str = "Lives in Ghent";
const WORK: &str = "Works on the importer";
const NUTS: &str = "Is allergic to hazelnuts";
const CELLO: &str = "Plays the cello";
const IDLE_MS: i64 = 20_000;

/// A question to a model: its store, and each exchange, with its number if it has one.
pub struct Asked {
    pub team: bool,
    pub exchanges: Vec<(Option<usize>, String)>,
}

impl Asked {
    pub fn of(request: &Request) -> Self {
        let body: Value = request.body_json().expect("JSON");
        let text = |n: usize| body["messages"][n]["content"].as_str().expect("a text").to_owned();
        let (instructions, material) = (text(0), text(1));
        let message = |text: &str| {
            let (_, rest) = text.split_once("<user_message>").expect("a message");
            rest.split_once("</user_message>").expect("its end").0.to_owned()
        };
        let exchanges = match material.split_once("<exchange n=\"") {
            None => vec![(None, message(&material))],
            Some((_, rest)) => {
                let each = rest.split("<exchange n=\"").map(|one| {
                    let (number, text) = one.split_once('"').expect("a number");
                    (Some(number.parse().expect("a number")), message(text))
                });
                each.collect()
            }
        };
        Self { team: instructions.contains(TEAM), exchanges }
    }

    /// An answer with the items that `item` makes of the exchanges.
    pub fn answered(&self, item: impl Fn(&str) -> Option<Value>) -> ResponseTemplate {
        let items = self.exchanges.iter().filter_map(|(number, message)| {
            let mut item = item(message)?;
            if let Some(number) = number {
                item["exchange"] = json!(number);
            }
            Some(item)
        });
        answer(&json!({"items": items.collect::<Vec<_>>()}).to_string())
    }

    fn says(&self, words: &str) -> bool {
        self.exchanges.iter().any(|(_, message)| message.contains(words))
    }
}

/// The item for a message: a change after an arrow, a fact after "Team:", none for a question.
fn item(message: &str, team: bool) -> Option<Value> {
    let shared = message.strip_prefix("Team: ");
    if message.ends_with('?') || team != shared.is_some() {
        return None;
    }
    if let Some(fact) = shared {
        return Some(json!({"content": fact, "kind": "fact", "importance": 3}));
    }
    let (takes, content) = match message.split_once(" -> ") {
        Some((old, new)) => (json!({"term": old}), new),
        None => (Value::Null, message),
    };
    let kind = if takes.is_null() { "fact" } else { "correction" };
    Some(json!({"content": content, "kind": kind, "importance": 3, "takes": takes, "only_instead": false}))
}

fn truly(asked: &Asked) -> ResponseTemplate {
    asked.answered(|message| item(message, asked.team))
}

/// A model that answers in this way.
async fn model(answers: impl Fn(&Asked) -> ResponseTemplate + Send + Sync + 'static) -> MockServer {
    let server = MockServer::start().await;
    let respond = move |request: &Request| answers(&Asked::of(request));
    Mock::given(method("POST")).respond_with(respond).mount(&server).await;
    server
}

/// A Keepsake with this model and the defaults.
async fn together(server: &MockServer) -> Talk {
    let talk = talk_with(server).await;
    talk.set("learn.batch_exchanges", "4").await;
    talk
}

async fn learn(talk: &Talk) -> usize {
    talk.fixture.keepsake.learning.learn_due(&CancellationToken::new()).await.expect("tried")
}

/// How many exchanges each question about a person was about.
async fn questions(server: &MockServer) -> Vec<usize> {
    let requests = server.received_requests().await.expect("recorded");
    requests.iter().map(Asked::of).filter(|asked| !asked.team).map(|asked| asked.exchanges.len()).collect()
}

async fn send(talk: &Talk, who: &str, surface: &str, thread: &str, said: &str) -> String {
    let exchange = json!({"user_id": who, "surface": surface, "thread": thread, "user": said, "assistant": "Noted."});
    let (status, accepted) = talk.fixture.call("POST", "/v1/exchanges", &talk.key, Some(exchange)).await;
    assert_eq!(status, 202, "{accepted}");
    accepted["id"].as_str().expect("an id").to_owned()
}

async fn status(talk: &Talk, id: &str) -> String {
    talk.state(id).await["status"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn four_exchanges_are_one_question_and_each_memory_is_from_its_own() {
    let server = model(truly).await;
    let talk = together(&server).await;
    for (n, said) in [HOME, "How are you?", WORK].into_iter().enumerate() {
        send(&talk, "anna", "web", &format!("t{n}"), said).await;
        assert_eq!(learn(&talk).await, 0, "it waits for more");
        talk.fixture.clock.advance_ms(1000);
    }
    send(&talk, "anna", "slack", "t3", "Team: Invoices go out on Fridays").await;
    assert_eq!(learn(&talk).await, 4);
    assert_eq!((questions(&server).await, asked(&server).await), (vec![4], 2), "one about the person and one for the team");
    assert_eq!(talk.memories("anna").await, [HOME, WORK]);
    let from = talk
        .ask("SELECT content || '|' || surface || '|' || source_thread || '|' || (created_at) FROM memories ORDER BY created_at")
        .await;
    let at = |ms: i64| NOON.plus_ms(ms).0;
    assert_eq!(from, [format!("{HOME}|web|t0|{}", at(0)), format!("{WORK}|web|t2|{}", at(2000))]);
    let held = talk.facts().await;
    assert_eq!((held.len(), held[0].content.as_str()), (1, "Invoices go out on Fridays"));
    assert_eq!(talk.ask("SELECT surface || '|' || source FROM contributions").await.len(), 1);
    let used = talk.ask("SELECT purpose || ' ' || calls || ' ' || input_tokens FROM model_use ORDER BY purpose").await;
    assert_eq!(used, ["personal 1 100", "team 1 100"], "counted once a question");
}

#[tokio::test]
async fn fewer_are_read_once_the_user_is_idle_and_a_request_waits_no_longer_than_that() {
    let server = model(truly).await;
    let talk = together(&server).await;
    talk.send(Some("anna"), HOME, "Noted.").await;
    talk.fixture.clock.advance_ms(IDLE_MS - 1);
    assert_eq!(learn(&talk).await, 0);
    talk.send(Some("anna"), WORK, "Noted.").await;
    talk.fixture.clock.advance_ms(IDLE_MS - 1);
    assert_eq!(learn(&talk).await, 0, "another one came");
    talk.fixture.clock.advance_ms(1);
    assert_eq!(learn(&talk).await, 2);
    assert_eq!(questions(&server).await, [2]);

    talk.send(Some("budi"), "Please remember that I play the cello.", "Noted.").await;
    talk.fixture.clock.advance_ms(IDLE_MS - 1);
    talk.send(Some("budi"), NUTS, "Noted.").await;
    assert_eq!(learn(&talk).await, 0);
    talk.fixture.clock.advance_ms(1);
    assert_eq!(learn(&talk).await, 2, "a request is never older");
    // Exchanges without a user do not wait.
    talk.send(None, HOME, "Noted.").await;
    assert_eq!(learn(&talk).await, 1);
}

#[tokio::test]
async fn nothing_waits_if_each_is_read_alone_or_rules_read_or_it_is_imported() {
    let server = model(truly).await;
    let talk = talk_with(&server).await;
    talk.send(Some("anna"), HOME, "Noted.").await;
    talk.send(Some("anna"), WORK, "Noted.").await;
    assert_eq!((learn(&talk).await, questions(&server).await), (2, vec![1, 1]));

    let rules = Talk::new().await;
    rules.send(Some("anna"), "I live in Ghent.", "Noted.").await;
    assert_eq!(learn(&rules).await, 1);

    let server = model(truly).await;
    let talk = together(&server).await;
    for said in [HOME, WORK, NUTS, CELLO, "How are you?", "And now?"] {
        let exchange = Exchange {
            external_id: None,
            user: Some(user("anna")),
            surface: Surface::new("web").expect("valid"),
            thread: None,
            at: NOON,
            message: said.to_owned(),
            reply: String::new(),
        };
        talk.fixture.keepsake.inbox.accept_imported(&Caller::command_line(), exchange).await.expect("accepted");
    }
    talk.fixture.learn().await;
    assert_eq!(questions(&server).await, [4, 2], "at once");
    assert_eq!(talk.memories("anna").await, [HOME, WORK, NUTS, CELLO]);
}

#[tokio::test]
async fn what_a_later_exchange_changes_or_takes_back_is_applied_in_order() {
    let server = model(|asked| {
        asked.answered(|message| match message {
            "Forget that I play the cello." if !asked.team => Some(json!({"forget": {"term": "plays the cello"}})),
            "Forget that I play the cello." => None,
            _ => item(message, asked.team),
        })
    })
    .await;
    let talk = together(&server).await;
    let mut ids = Vec::new();
    for said in [HOME, CELLO, "Ghent -> Lives in Oslo", "Forget that I play the cello."] {
        ids.push(talk.send(Some("anna"), said, "Noted.").await);
    }
    assert_eq!((learn(&talk).await, questions(&server).await), (4, vec![4]));
    assert_eq!(talk.memories("anna").await, ["Lives in Oslo"]);
    for id in &ids {
        assert_eq!(talk.state(id).await, json!({"id": id, "status": "learned"}));
    }
    // The exchange that an answer names does not ask for it.
    let server = model(|asked| {
        let forget = json!({"items": [{"exchange": 1, "forget": {"term": "plays the cello"}}]});
        if asked.exchanges.len() == 4 && !asked.team { answer(&forget.to_string()) } else { truly(asked) }
    })
    .await;
    let talk = together(&server).await;
    for said in [CELLO, "What now?", "And then?", "Why?"] {
        talk.send(Some("anna"), said, "Noted.").await;
    }
    learn(&talk).await;
    for said in ["Who?", "Forget that I play the cello.", "Where?", "When?"] {
        talk.send(Some("anna"), said, "Noted.").await;
    }
    let web = Surface::new("web").expect("valid");
    talk.fixture.keepsake.memories.remember(&cli(), &user("anna"), &web, &statement(CELLO)).await.expect("saved");
    assert_eq!(learn(&talk).await, 4);
    assert_eq!(talk.memories("anna").await, [CELLO]);
}

/// Answers badly about several exchanges, and about each that contains `poison`.
async fn failing(poison: &'static str, bad: fn() -> ResponseTemplate) -> MockServer {
    model(move |asked| if asked.exchanges.len() > 1 || asked.says(poison) { bad() } else { truly(asked) }).await
}

#[tokio::test]
async fn exchanges_that_could_not_be_read_together_are_read_alone_and_one_bad_one_holds_back_no_other() {
    let declined: fn() -> ResponseTemplate = || {
        ResponseTemplate::new(200).set_body_json(json!({
            "choices": [{"finish_reason": "content_filter", "message": {"role": "assistant", "content": ""}}],
        }))
    };
    let malformed: fn() -> ResponseTemplate = || answer("Let me think.");
    // It names an exchange that was not shown.
    let astray: fn() -> ResponseTemplate = || {
        let home = json!({"exchange": 9, "content": HOME, "kind": "fact", "importance": 3, "takes": null, "only_instead": false});
        answer(&json!({"items": [home]}).to_string())
    };
    let too_long: fn() -> ResponseTemplate = || ResponseTemplate::new(413);
    for (bad, reason) in [
        (malformed, "provider_bad_answer"),
        (astray, "provider_bad_answer"),
        (declined, "provider_declined"),
        (too_long, "provider_refused"),
    ] {
        let server = failing(NUTS, bad).await;
        let talk = together(&server).await;
        let mut ids = Vec::new();
        for said in [HOME, NUTS, WORK, CELLO] {
            ids.push(talk.send(Some("anna"), said, "Noted.").await);
        }
        assert_eq!(learn(&talk).await, 0, "{reason}");
        assert_eq!(talk.ask("SELECT tries || '' FROM exchanges").await, ["1"; 4], "{reason}");
        assert_eq!(talk.memories("anna").await, [String::new(); 0], "{reason}");
        talk.fixture.clock.advance_ms(2_000);
        assert_eq!(learn(&talk).await, 3, "{reason}: each alone");
        assert_eq!(talk.memories("anna").await, [HOME, WORK, CELLO], "{reason}");
        talk.fixture.clock.advance_ms(8_000);
        assert_eq!(learn(&talk).await, 1);
        assert_eq!(talk.state(&ids[1]).await, json!({"id": ids[1], "status": "parked", "reason": reason}));
        assert!(
            questions(&server).await.into_iter().filter(|several| *several > 1).count() <= 2,
            "together at the first try only"
        );
    }
}

#[tokio::test]
async fn over_the_budget_nothing_is_asked_about_several_and_no_try_counts() {
    let server = model(truly).await;
    let talk = together(&server).await;
    talk.set("learn.daily_tokens", "150").await;
    for said in [HOME, WORK, NUTS, CELLO] {
        talk.send(Some("anna"), said, "Noted.").await;
    }
    assert_eq!((learn(&talk).await, asked(&server).await), (4, 2), "the last question goes over it");
    let id = talk.send(Some("anna"), "Team: Invoices go out on Fridays", "Noted.").await;
    talk.fixture.clock.advance_ms(IDLE_MS);
    assert_eq!((learn(&talk).await, asked(&server).await), (0, 2));
    assert_eq!(talk.state(&id).await["reason"], "budget_used_up");
    talk.set("learn.over_budget", "rules").await;
    for said in ["I keep axolotls.", "I live in Lyon."] {
        talk.send(Some("budi"), said, "Noted.").await;
    }
    talk.fixture.clock.advance_ms(IDLE_MS);
    talk.fixture.learn().await;
    assert_eq!(asked(&server).await, 2);
    assert_eq!(talk.memories("budi").await, ["User keeps axolotls", "User lives in Lyon"], "the rules read them");
}

/// Finds what the rules find, in several exchanges at once, once it is released.
#[derive(Default)]
struct Slow {
    reading: Notify,
    go_on: Notify,
    asked: AtomicUsize,
}

#[async_trait]
impl Extractor for Slow {
    fn read(&self, material: &Material<'_>) -> Extraction {
        Rules.read(material)
    }

    fn gathers(&self) -> bool {
        true
    }

    async fn extract(&self, _: &Material<'_>, read: Extraction, _: &dyn Meter) -> Result<Extraction, ExtractError> {
        Ok(read)
    }

    async fn extract_together(
        &self,
        _: &[Material<'_>],
        read: Vec<Extraction>,
        _: &dyn Meter,
    ) -> Result<Vec<Extraction>, ExtractError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.reading.notify_one();
        self.go_on.notified().await;
        Ok(read)
    }
}

async fn slow() -> (Arc<Slow>, Talk) {
    let extractor = Arc::new(Slow::default());
    (extractor.clone(), Talk::on_fixture(Fixture::with(extractor, Arc::new(Lexical::default())).await).await)
}

/// Two statements about the user and two for the team.
const FOUR: [&str; 4] = [
    "I live in Ghent.",
    "For the team: the gateway listens on port 7443.",
    "Remember that I play the cello.",
    "For the team: invoices go out on the third.",
];

#[tokio::test]
async fn an_erasure_while_several_are_read_leaves_nothing_of_them() {
    for scope in [ErasureScope::Everything, ErasureScope::Contributions] {
        let (extractor, talk) = slow().await;
        for said in FOUR {
            talk.send(Some("anna"), said, "Noted.").await;
        }
        let keepsake = talk.fixture.keepsake.clone();
        let learning = tokio::spawn(async move { keepsake.learning.learn_due(&CancellationToken::new()).await });
        extractor.reading.notified().await;
        let anna = user("anna");
        let order = ErasureOrder { user: &anna, scope, reason: "SUP-4471", preview: None };
        let id = talk.fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
        extractor.go_on.notify_one();
        let settled = learning.await.expect("ends").expect("went on");
        assert_eq!(talk.fixture.keepsake.erasure.finish_erasure(&id, Some(&anna)).await.expect("tried"), Status::Verified);
        talk.fixture.clock.advance_ms(60_000);
        extractor.go_on.notify_one();
        talk.fixture.learn().await;
        assert_eq!(talk.facts().await.len(), 0, "the team learns nothing of it: {settled}");
        if scope == ErasureScope::Everything {
            for table in ["users", "memories", "exchanges", "facts"] {
                assert_eq!(talk.ask(&format!("SELECT 'a row' FROM {table}")).await, [String::new(); 0], "{table}");
            }
            assert_eq!(talk.files_with("cello"), [String::new(); 0]);
        } else {
            assert_eq!(talk.memories("anna").await, ["User lives in Ghent", "User plays the cello"]);
        }
        assert_eq!(talk.ask("SELECT 'a row' FROM exchanges WHERE status <> 'learned'").await, [String::new(); 0]);
    }
}

/// Reads several at once without waiting.
struct Eager;

#[async_trait]
impl Extractor for Eager {
    fn read(&self, material: &Material<'_>) -> Extraction {
        Rules.read(material)
    }

    fn gathers(&self) -> bool {
        true
    }
}

/// Reading and erasing run at the same time, with every possible timing.
#[tokio::test(flavor = "multi_thread")]
async fn after_many_meetings_of_reading_together_and_erasing_no_row_is_left() {
    let talk = Talk::on_fixture(Fixture::with(Arc::new(Eager), Arc::new(Lexical::default())).await).await;
    for n in 0..150_u64 {
        let who = format!("usr_meeting_{n}");
        for said in FOUR {
            talk.send(Some(&who), said, "Noted.").await;
        }
        let keepsake = talk.fixture.keepsake.clone();
        let learning = tokio::spawn(async move { keepsake.learning.learn_due(&CancellationToken::new()).await });
        tokio::time::sleep(Duration::from_micros(n * 150)).await;
        let who = user(&who);
        let order = ErasureOrder { user: &who, scope: ErasureScope::Everything, reason: "SUP-4471", preview: None };
        talk.fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
        learning.await.expect("ends").expect("learned");
    }
    talk.fixture.clock.advance_ms(60_000);
    talk.fixture.learn().await;
    for table in ["users", "memories", "memory_merges", "exchanges", "exchange_ids", "contributions", "facts"] {
        assert_eq!(talk.ask(&format!("SELECT COUNT(*) || '' FROM {table}")).await, ["0"], "{table}");
    }
}

#[tokio::test]
async fn several_that_were_cut_off_while_they_were_read_are_read_alone_and_learned_once() {
    let (extractor, talk) = slow().await;
    for said in FOUR {
        talk.send(Some("anna"), said, "Noted.").await;
    }
    let never = CancellationToken::new();
    // Cut off, as if the process ended.
    let cut = tokio::time::timeout(Duration::from_millis(300), talk.fixture.keepsake.learning.learn_due(&never)).await;
    assert!(cut.is_err() && talk.memories("anna").await.is_empty());
    assert_eq!(talk.ask("SELECT tries || '' FROM exchanges").await, ["1"; 4]);
    talk.fixture.learn().await;
    assert_eq!(extractor.asked.load(Ordering::Relaxed), 1, "then alone");
    assert_eq!((talk.memories("anna").await.len(), talk.facts().await.len()), (2, 2));
    assert_eq!(
        talk.ask("SELECT 'merged' FROM memory_merges UNION ALL SELECT 'merged' FROM fact_merges").await,
        [String::new(); 0]
    );
}

#[tokio::test]
async fn a_provider_that_asks_to_wait_is_not_called_before_and_nothing_is_parked() {
    let busy = |header: &'static str| move |_: &Asked| ResponseTemplate::new(429).insert_header("retry-after", header);
    for header in ["600", "Fri, 20 Nov 2026 12:10:00 GMT"] {
        let server = model(busy(header)).await;
        let talk = together(&server).await;
        let mut ids = Vec::new();
        for n in 0..12 {
            for said in [HOME, WORK, NUTS, CELLO] {
                ids.push(talk.send(Some(&format!("user-{n}")), said, "Noted.").await);
            }
        }
        assert_eq!(learn(&talk).await, 0);
        let asked_at_first = asked(&server).await;
        assert!((2..=8).contains(&asked_at_first), "no more than were on their way: {asked_at_first}");
        for _ in 0..10 {
            talk.fixture.clock.advance_ms(59_000);
            assert_eq!(learn(&talk).await, 0);
        }
        assert_eq!(asked(&server).await, asked_at_first, "it is left alone");
        assert_eq!(talk.ask("SELECT DISTINCT tries || '' FROM exchanges").await, ["0"], "nobody is blamed");
        let viewer = Visit::of(&talk.fixture, "views@example.org", "Ada Byron", Rights::View).await;
        let told = viewer.page("/stats").await.body;
        assert!(told.contains("has not answered since") && told.contains("It asked not to be called again before"), "{header}");
        server.reset().await;
        let respond = |request: &Request| truly(&Asked::of(request));
        Mock::given(method("POST")).respond_with(respond).mount(&server).await;
        // The first question after the wait is a trial of one exchange.
        talk.fixture.clock.advance_ms(10_000);
        assert_eq!(learn(&talk).await, 1);
        assert!(!viewer.page("/stats").await.body.contains("has not answered since"));
        talk.fixture.clock.advance_ms(60_000);
        talk.fixture.learn().await;
        for id in &ids {
            assert_eq!(status(&talk, id).await, "learned");
        }
        assert!(questions(&server).await.contains(&4), "together again");
    }
    // The provider is asked again within an hour, whatever it says.
    let server = model(busy("999999")).await;
    let talk = together(&server).await;
    talk.send(Some("anna"), HOME, "Noted.").await;
    talk.fixture.clock.advance_ms(IDLE_MS);
    learn(&talk).await;
    let before = asked(&server).await;
    talk.fixture.clock.advance_ms(3_600_000 + 60_000);
    learn(&talk).await;
    assert_eq!(asked(&server).await, 2 * before);
}
