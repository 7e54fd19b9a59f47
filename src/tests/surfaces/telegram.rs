//! The Telegram bot, against a stub of Telegram's Bot API that records every call.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use access::callers::{Caller, Scope};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing::post};
use domain::facts::provenance::Surface;
use domain::memory::exchange::Exchange;
use domain::moment::{MINUTE_MS, Moment};
use keepsake::telegram::{Bot, Client, Failed, SURFACE, webhook};
use ports::clock::Clock;
use ports::store::chat::links::LinkReads;
use ports::store::memories::{MemoryFilter, MemoryReads, Page};
use ports::store::operate::audit::AuditReads;
use ports::store::{StoreError, atomically};
use serde_json::{Value, json};
use service::people::keys::KeyRequest;
use sqlx::{Connection, SqliteConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, cli, user};

const TOKEN: &str = "4242:stub-token_that-nobody_may-see";
const BOT: &str = "4242";

/// The updates that the stub has to give, and the calls that it received.
#[derive(Default)]
struct Told {
    updates: Vec<Value>,
    calls: Vec<(String, Value)>,
    /// Answers to the next calls of `sendMessage`, before they succeed.
    refusals: Vec<(u16, Value)>,
    /// The token is no longer valid.
    revoked: bool,
}

#[derive(Clone, Default)]
struct Stub(Arc<Mutex<Told>>);

impl Stub {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().expect("not poisoned")
    }

    /// Calls of a method so far.
    fn calls(&self, method: &str) -> Vec<Value> {
        self.told().calls.iter().filter(|(name, _)| name == method).map(|(_, params)| params.clone()).collect()
    }

    /// The texts sent so far, each with its chat.
    fn sent(&self) -> Vec<(i64, String)> {
        let text = |call: Value| (call["chat_id"].as_i64().expect("a chat"), call["text"].as_str().expect("a text").to_owned());
        self.calls("sendMessage").into_iter().map(text).collect()
    }
}

async fn answer(State(stub): State<Stub>, Path((token, method)): Path<(String, String)>, body: String) -> Response {
    let params: Value = serde_json::from_str(&body).unwrap_or_default();
    let (status, answer) = {
        let mut told = stub.told();
        told.calls.push((method.clone(), params.clone()));
        if told.revoked || token != format!("bot{TOKEN}") {
            (401, json!({"ok": false, "error_code": 401, "description": "Unauthorized"}))
        } else if method == "sendMessage" && !told.refusals.is_empty() {
            told.refusals.remove(0)
        } else if method == "getUpdates" {
            let from = params["offset"].as_i64().unwrap_or(0);
            let due: Vec<Value> =
                told.updates.iter().filter(|update| update["update_id"].as_i64() >= Some(from)).cloned().collect();
            (200, json!({"ok": true, "result": due}))
        } else {
            (200, json!({"ok": true, "result": true}))
        }
    };
    if method == "getUpdates" && answer["result"] == json!([]) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (StatusCode::from_u16(status).expect("a status"), Json(answer)).into_response()
}

/// A Keepsake, the stub, and the chats that write to the bot.
struct Rig {
    fixture: Fixture,
    stub: Stub,
    api: String,
    last: i64,
}

impl Rig {
    async fn new() -> Self {
        let (fixture, stub) = (Fixture::new().await, Stub::default());
        let router = Router::new().route("/{token}/{method}", post(answer)).with_state(stub.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let api = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { fixture, stub, api, last: 0 }
    }

    fn surface() -> Surface {
        Surface::new(SURFACE).expect("valid")
    }

    fn bot(&self) -> Bot {
        let client = Client::new(&self.api, TOKEN).expect("a client");
        Bot::new(self.fixture.keepsake.clone(), client, Caller::bot(Self::surface()), Self::surface())
            .with_pause(Duration::from_millis(1))
    }

    fn message(&self, id: i64, chat: i64, kind: &str, text: &str) -> Value {
        let date = self.fixture.clock.now().0 / 1000;
        json!({"update_id": id, "message": {
            "message_id": id, "date": date, "text": text, "chat": {"id": chat, "type": kind},
            "from": {"id": chat.unsigned_abs(), "is_bot": false, "first_name": "Anna", "language_code": "en"},
        }})
    }

    fn give(&mut self, update: impl FnOnce(&Self, i64) -> Value) {
        self.last += 1;
        let update = update(self, self.last);
        self.stub.told().updates.push(update);
    }

    /// Runs a new bot until it has handled everything and has confirmed that to Telegram, by asking for the next updates.
    async fn run(&self) {
        let (bot, stop) = (self.bot(), CancellationToken::new());
        let running = tokio::spawn({
            let stop = stop.clone();
            async move { bot.poll(&stop).await }
        });
        let next = async || self.fixture.store.next_update(BOT).await.expect("read").map_or(0, |read| read.next);
        let asked = || self.stub.calls("getUpdates").pop().is_some_and(|params| params["offset"] == self.last + 1);
        let done = tokio::time::timeout(Duration::from_secs(20), async {
            while next().await != self.last + 1 || !asked() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        });
        done.await.expect("handled in time");
        stop.cancel();
        running.await.expect("no panic").expect("ended well");
    }

    /// Sends a text in a private chat. Returns the bot's replies there.
    async fn says(&mut self, chat: i64, text: &str) -> Vec<String> {
        let before = self.stub.sent().len();
        self.give(|rig, id| rig.message(id, chat, "private", text));
        self.run().await;
        self.stub.sent()[before..].iter().filter(|(to, _)| *to == chat).map(|(_, text)| text.clone()).collect()
    }

    async fn code(&self, who: &str) -> String {
        self.fixture.keepsake.links.make_link_code(&cli(), &user(who)).await.expect("made").code
    }

    async fn link(&mut self, chat: i64, who: &str) {
        let code = self.code(who).await;
        let told = self.says(chat, &format!("/start {code}")).await;
        assert!(told[0].starts_with("This chat is linked."), "{told:?}");
    }

    async fn memories(&self, who: &str) -> Vec<String> {
        self.fixture.learn().await;
        let page = Page { after: None, limit: 100 };
        let memories = self
            .fixture
            .store
            .list_memories(&user(who), &MemoryFilter::at(self.fixture.keepsake.clock.now()), &page)
            .await
            .expect("read");
        memories.into_iter().map(|memory| memory.content).collect()
    }

    async fn user_of(&self, chat: i64) -> Option<String> {
        let user = self.fixture.store.user_of_chat(&Self::surface(), &chat.to_string()).await.expect("read");
        user.map(|user| user.as_str().to_owned())
    }
}

#[tokio::test]
async fn a_chat_has_no_memory_until_a_code_links_it_and_a_code_is_good_once() {
    let mut rig = Rig::new().await;
    let unlinked = "This chat is not linked";
    for command in ["/start", "/memory", "/remember likes tea", "/unlink", "/link"] {
        let told = rig.says(1, command).await;
        assert!(told.len() == 1 && told[0].starts_with(unlinked), "{command}: {told:?}");
    }
    assert_eq!(rig.says(1, "I'm allergic to peanuts.").await, [String::new(); 0]);
    assert_eq!(rig.fixture.keepsake.inbox.backlog().await.expect("counted").queued, 0, "it was taken in");
    let wrong = "This code is wrong";
    assert!(rig.says(1, "/link nosuchcode").await[0].starts_with(wrong));
    let (old, code) = (rig.code("anna").await, rig.code("anna").await);
    assert!(rig.says(1, &format!("/link {old}")).await[0].starts_with(wrong), "a newer code replaced it");
    assert!(rig.says(1, &format!("/link@keepsake_bot {}", code.to_uppercase())).await[0].starts_with("This chat is linked."));
    assert!(rig.says(2, &format!("/link {code}")).await[0].starts_with(wrong), "it was used");
    assert_eq!((rig.user_of(1).await.as_deref(), rig.user_of(2).await), (Some("anna"), None));
    let late = rig.code("anna").await;
    rig.fixture.clock.advance_ms(10 * MINUTE_MS + 1);
    assert!(rig.says(2, &format!("/start {late}")).await[0].starts_with(wrong), "it is too old");
    assert_eq!(rig.says(1, "I'm allergic to peanuts.").await, [String::new(); 0], "learning is quiet");
    assert_eq!(rig.memories("anna").await, ["User is allergic to peanuts"]);
    let audit = rig.fixture.folder.path().join("keepsake.db");
    assert!(!std::fs::read(audit).expect("read").windows(code.len()).any(|part| part == code.as_bytes()), "the code is stored");
}

#[tokio::test]
async fn of_two_chats_that_send_one_code_at_once_one_is_linked() {
    let rig = Rig::new().await;
    for _ in 0..5 {
        let code = rig.code("anna").await;
        let mut tries = JoinSet::new();
        for chat in 0..8 {
            let (keepsake, code) = (rig.fixture.keepsake.clone(), code.clone());
            tries.spawn(
                async move { keepsake.links.link_chat(&Rig::surface(), &chat.to_string(), &code).await.expect("answered") },
            );
        }
        assert_eq!(tries.join_all().await.into_iter().filter(|linked| *linked).count(), 1);
        assert_eq!(rig.fixture.store.count_chats(&user("anna")).await.expect("read"), 1);
        rig.fixture.keepsake.links.unlink_chats(&cli(), &user("anna")).await.expect("unlinked");
    }
}

#[tokio::test]
async fn a_linked_chat_has_commands_and_a_card_with_delete_buttons() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    assert_eq!(rig.says(1, "/remember likes tea *a lot* <b>").await, ["OK, I’ll remember: likes tea *a lot* <b>"]);
    rig.says(1, "I'm allergic to peanuts.").await;
    rig.fixture.learn().await;
    let card = rig.says(1, "what do you remember about me?").await;
    assert!(card[0].contains("\n1. likes tea *a lot* <b>\n2. User is allergic to peanuts"), "{card:?}");
    let sent = rig.stub.calls("sendMessage").pop().expect("sent");
    assert!(sent.get("parse_mode").is_none(), "words would become markup");
    let buttons = sent["reply_markup"]["inline_keyboard"][0].as_array().expect("a row").clone();
    assert_eq!(buttons.len(), 2, "{sent}");
    let press = |data: Value, chat: i64, kind: &str| {
        let (data, kind) = (data, kind.to_owned());
        move |rig: &Rig, id: i64| {
            let message = rig.message(id, chat, &kind, "the card")["message"].clone();
            json!({"update_id": id, "callback_query": {"id": format!("press-{id}"), "chat_instance": "1", "data": data,
                "from": {"id": 1, "is_bot": false, "first_name": "Anna", "language_code": "en"}, "message": message}})
        }
    };
    // Another user's chat cannot delete it.
    rig.link(2, "budi").await;
    rig.give(press(buttons[1]["callback_data"].clone(), 2, "private"));
    rig.run().await;
    assert_eq!(rig.memories("anna").await.len(), 1);
    for told in ["Deleted", "It is gone already"] {
        rig.give(press(buttons[1]["callback_data"].clone(), 1, "private"));
        rig.run().await;
        assert_eq!(rig.stub.calls("answerCallbackQuery").pop().expect("answered")["text"], told);
    }
    assert!(rig.memories("anna").await.is_empty());
    let edited = rig.stub.calls("editMessageText").pop().expect("edited");
    assert!(edited["text"].as_str().is_some_and(|text| text.contains("1. likes tea") && !text.contains("peanuts")), "{edited}");
    assert_eq!(edited["reply_markup"]["inline_keyboard"][0].as_array().map(Vec::len), Some(1));
    assert_eq!(rig.says(1, "/nosuch").await, ["I do not know this command. /help lists them."]);
}

#[tokio::test]
async fn a_restart_handles_no_update_twice_and_loses_none() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    rig.says(1, "/remember likes tea").await;
    let sent = rig.stub.sent().len();
    // While no bot runs.
    rig.give(|rig, id| rig.message(id, 1, "private", "I'm allergic to peanuts."));
    rig.give(|rig, id| rig.message(id, 1, "private", "/memory"));
    rig.run().await;
    let told: Vec<String> = rig.stub.sent()[sent..].iter().map(|(_, text)| text.clone()).collect();
    assert!(told.len() == 1 && told[0].contains("likes tea"), "{told:?}");
    assert_eq!(rig.memories("anna").await, ["User is allergic to peanuts"]);
    assert_eq!(rig.stub.calls("getUpdates").pop().expect("asked")["offset"], rig.last + 1);
    // The process stopped after it had handled the updates and before it could note that.
    atomically::<_, StoreError, _>(rig.fixture.store.as_ref(), |tx| Box::pin(async move { tx.forget_updates(BOT).await }))
        .await
        .expect("forgotten");
    rig.run().await;
    assert_eq!(rig.memories("anna").await, ["User is allergic to peanuts"]);
    assert_eq!(rig.user_of(1).await.as_deref(), Some("anna"));
    assert_eq!(rig.fixture.keepsake.chat.notes(&cli(), &user("anna")).await.expect("read").len(), 1);
}

#[tokio::test]
async fn after_a_week_without_updates_their_ids_may_begin_anywhere() {
    let mut rig = Rig::new().await;
    rig.last = 1_000;
    rig.link(1, "anna").await;
    rig.fixture.clock.advance_ms(7 * 24 * 60 * MINUTE_MS);
    rig.stub.told().updates.clear();
    rig.last = 5;
    rig.says(1, "/remember likes tea").await;
    assert_eq!(rig.fixture.keepsake.chat.notes(&cli(), &user("anna")).await.expect("read").len(), 1);
}

#[tokio::test]
async fn a_reply_waits_as_long_as_telegram_asks_and_a_blocked_bot_goes_on() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    let later = json!({"ok": false, "error_code": 429, "description": "Too Many Requests", "parameters": {"retry_after": 1}});
    rig.stub.told().refusals = vec![(429, later)];
    let began = std::time::Instant::now();
    let tries = rig.stub.sent().len();
    rig.says(1, "/remember likes tea").await;
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(rig.stub.sent().len() - tries, 2, "it was sent again");
    rig.stub.told().refusals = vec![(403, json!({"ok": false, "error_code": 403, "description": "bot was blocked by the user"}))];
    rig.says(1, "/remember likes coffee").await;
    assert_eq!(rig.fixture.keepsake.chat.notes(&cli(), &user("anna")).await.expect("read").len(), 2);
    assert!(!rig.says(1, "/memory").await.is_empty());
}

#[tokio::test]
async fn two_chats_of_one_user_share_a_memory_and_are_unlinked_alone() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    rig.link(2, "anna").await;
    rig.says(1, "/remember likes tea").await;
    assert!(rig.says(2, "/memory").await[0].contains("likes tea"));
    assert!(rig.says(1, "/unlink").await[0].starts_with("This chat is no longer linked."));
    assert!(rig.says(1, "/memory").await[0].starts_with("This chat is not linked"));
    assert!(rig.says(2, "/memory").await[0].contains("likes tea"));
    let key = rig.fixture.key(&[Scope::Write], None).await;
    let (status, answer) = rig.fixture.call("DELETE", "/v1/links?user_id=anna", &key, None).await;
    assert_eq!((status, answer), (200, json!({"unlinked": 1})));
    assert_eq!(rig.user_of(2).await, None);
}

#[tokio::test]
async fn groups_bots_and_what_is_no_text_are_left_alone() {
    let mut rig = Rig::new().await;
    rig.link(-7, "anna").await;
    let sent = rig.stub.sent().len();
    rig.give(|rig, id| rig.message(id, -7, "group", "/memory"));
    rig.give(|rig, id| rig.message(id, -7, "supergroup", "I'm allergic to peanuts."));
    rig.give(|rig, id| {
        let mut update = rig.message(id, -7, "private", "/memory");
        update["message"]["from"]["is_bot"] = json!(true);
        update
    });
    rig.give(|rig, id| {
        let mut update = rig.message(id, -7, "private", "");
        update["message"].as_object_mut().expect("an object").remove("text");
        update
    });
    for mark in ["forward_origin", "forward_from", "forward_from_chat", "forward_sender_name", "forward_date", "via_bot"] {
        rig.give(|rig, id| {
            let mut update = rig.message(id, -7, "private", "I'm allergic to bee stings.");
            update["message"][mark] = json!({"type": "user", "id": 12, "is_bot": true, "first_name": "Somebody"});
            update
        });
    }
    rig.give(|_, id| json!({"update_id": id, "something_new": {"a": 1}}));
    rig.run().await;
    assert_eq!(rig.stub.sent().len(), sent);
    assert!(rig.memories("anna").await.is_empty());
}

#[tokio::test]
async fn what_is_written_below_a_picture_is_a_text() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    let captioned = |text: &str, forwarded: bool| {
        let text = text.to_owned();
        move |rig: &Rig, id: i64| {
            let mut update = rig.message(id, 1, "private", "");
            let message = update["message"].as_object_mut().expect("an object");
            message.remove("text");
            message.insert("photo".to_owned(), json!([{"file_id": "p", "file_unique_id": "u", "width": 9, "height": 9}]));
            message.insert("caption".to_owned(), json!(text));
            if forwarded {
                message.insert("forward_date".to_owned(), json!(1));
            }
            update
        }
    };
    rig.give(captioned("I'm allergic to walnuts.", false));
    rig.give(captioned("I'm allergic to bee stings.", true));
    rig.give(captioned("/remember the red door is mine", false));
    rig.run().await;
    assert_eq!(rig.memories("anna").await, ["User is allergic to walnuts"]);
    assert!(rig.says(1, "/memory").await[0].contains("the red door is mine"));
}

#[tokio::test]
async fn an_edited_message_is_learned_in_place_of_what_it_said() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    let edit = |first: i64, text: &str| {
        let text = text.to_owned();
        move |rig: &Rig, id: i64| {
            let mut message = rig.message(first, 1, "private", &text)["message"].clone();
            message["edit_date"] = json!(message["date"].as_i64().expect("a date") + 60);
            json!({"update_id": id, "edited_message": message})
        }
    };
    rig.says(1, "I'm allergic to walnuts.").await;
    let walnuts = rig.last;
    rig.says(1, "Remember that I work at the harbour.").await;
    assert_eq!(rig.memories("anna").await.len(), 2);
    rig.give(edit(walnuts, "I'm allergic to hazelnuts."));
    rig.run().await;
    let held = rig.memories("anna").await;
    assert!(held.len() == 2 && held.iter().any(|text| text.contains("hazelnuts")), "{held:?}");
    assert!(!held.iter().any(|text| text.contains("walnuts") && !text.contains("hazelnuts")), "{held:?}");
    // Before the first text was learned.
    rig.says(1, "Remember that I have a parrot.").await;
    let parrot = rig.last;
    rig.give(edit(parrot, "Remember that I have a tortoise."));
    rig.run().await;
    let held = rig.memories("anna").await;
    assert!(held.iter().any(|text| text.contains("tortoise")) && !held.iter().any(|text| text.contains("parrot")), "{held:?}");
    // Later changes stay, and an edited command is not carried out again.
    let sent = rig.stub.sent().len();
    rig.give(edit(parrot, "/forget tortoise"));
    rig.run().await;
    assert_eq!(
        rig.stub.sent()[sent..],
        [(1, "I do not carry out a command that was edited. Send it as a new message.".to_owned())]
    );
    assert_eq!(rig.memories("anna").await.len(), 3);
    // A chat that is not linked is ignored.
    rig.give(|rig, id| json!({"update_id": id, "edited_message": rig.message(id, 5, "private", "I live in Ghent.")["message"]}));
    rig.run().await;
    assert_eq!(rig.stub.sent().len(), sent + 1);
    assert_eq!(
        rig.stub.calls("getUpdates").pop().expect("asked")["allowed_updates"],
        json!(["message", "edited_message", "callback_query"])
    );
}

#[tokio::test]
async fn what_an_edited_message_no_longer_says_for_the_team_is_not_proposed() {
    let fixture = Fixture::new().await;
    let keepsake = fixture.batched(Duration::from_mins(5)).await;
    let (anna, at) = (user("anna"), fixture.clock.now());
    let said = |text: &str, n: i64| Exchange {
        external_id: Some(format!("{n}-{text}")),
        user: Some(anna.clone()),
        surface: Rig::surface(),
        thread: Some("7".to_owned()),
        at: at.plus_ms(n - 10),
        message: text.to_owned(),
        reply: String::new(),
    };
    let waiting = async || fixture.ask("SELECT content FROM arrivals ORDER BY no").await;
    let learn = async || while keepsake.learning.learn_due(&CancellationToken::new()).await.expect("learned") > 0 {};
    let first = "Remember this for the team: the invoice service listens on port 7431.";
    keepsake.inbox.accept(&cli(), said(first, 0), None).await.expect("taken in");
    let other = "Remember this for the team: the label printer stands in room 12.";
    keepsake.inbox.accept(&cli(), said(other, 1), None).await.expect("taken in");
    learn().await;
    let held = waiting().await.join("|");
    assert!(held.contains("7431") && held.contains("room 12"), "{held}");
    let corrected = "Remember this for the team: the invoice service listens on port 7432.";
    keepsake.inbox.accept_corrected(&cli(), said(corrected, 0)).await.expect("taken in");
    learn().await;
    let held = waiting().await.join("|");
    assert!(held.contains("7432") && held.contains("room 12") && !held.contains("7431"), "{held}");
    keepsake.inbox.accept_corrected(&cli(), said("Never mind.", 0)).await.expect("taken in");
    learn().await;
    let held = waiting().await.join("|");
    assert!(held.contains("room 12") && !held.contains("743"), "only what is still said waits: {held}");
}

#[tokio::test]
async fn the_port_for_updates_reads_no_body_without_the_secret_and_stops_in_time() {
    let rig = Rig::new().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let (address, stop) = (listener.local_addr().expect("an address"), CancellationToken::new());
    let router = webhook::router(Arc::new(rig.bot()), "a-secret");
    let serving = tokio::spawn({
        let stop = stop.clone();
        async move { keepsake::web::listen(listener, router, &stop, Duration::from_millis(100)).await }
    });
    let head = |secret: &str| {
        format!(
            "POST /telegram HTTP/1.1\r\nhost: x\r\ncontent-length: 500000\r\nx-telegram-bot-api-secret-token: {secret}\r\n\r\n{{"
        )
    };
    let mut stranger = TcpStream::connect(address).await.expect("connects");
    stranger.write_all(head("guess").as_bytes()).await.expect("sent");
    let mut answer = [0; 12];
    let read = stranger.read_exact(&mut answer);
    tokio::time::timeout(Duration::from_secs(5), read).await.expect("it does not wait for the body").expect("read");
    assert_eq!(&answer, b"HTTP/1.1 401");
    // One that never sends the rest of its body, and one that never sends the rest of its head.
    let (mut slow, mut slower) =
        (TcpStream::connect(address).await.expect("connects"), TcpStream::connect(address).await.expect("connects"));
    slow.write_all(head("a-secret").as_bytes()).await.expect("sent");
    slower.write_all(b"POST /tele").await.expect("sent");
    tokio::time::sleep(Duration::from_millis(50)).await;
    stop.cancel();
    tokio::time::timeout(Duration::from_secs(5), serving).await.expect("it stops").expect("no panic");
}

#[tokio::test]
async fn forgetting_everything_is_asked_back_and_an_erasure_takes_the_link() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    rig.says(1, "I'm allergic to peanuts.").await;
    assert_eq!(rig.memories("anna").await.len(), 1);
    let asked = rig.says(1, "Please forget everything about me.").await;
    assert!(asked[0].contains("yes delete all"), "{asked:?}");
    assert_eq!(rig.memories("anna").await.len(), 1, "nothing goes before it is confirmed");
    rig.says(1, "yes delete all").await;
    assert!(rig.memories("anna").await.is_empty());
    let rows = rig.fixture.store.audit_after(0, 100).await.expect("read");
    let by: Vec<_> = rows
        .iter()
        .filter(|row| row.action.starts_with("user.erasure_asked"))
        .map(|row| (row.actor_kind.as_str(), row.actor_id.as_str()))
        .collect();
    assert_eq!(by, [("caller", SURFACE)]);
    let visit = Visit::editor(&rig.fixture).await;
    for page in ["/audit", "/manage/erasures"] {
        let page = visit.page(page).await.body;
        assert!(page.contains("Telegram bot") && !page.contains("A key that is gone"), "{page}");
    }
    assert_eq!(rig.user_of(1).await, None);
    assert!(rig.says(1, "/memory").await[0].starts_with("This chat is not linked"));
}

#[tokio::test]
async fn everything_about_something_is_asked_back_whatever_is_said_around_it() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    for said in ["I own a sailing boat.", "I keep my boat in Faro.", "I'm allergic to peanuts."] {
        rig.says(1, &format!("Remember that {said}")).await;
    }
    assert_eq!(rig.memories("anna").await.len(), 3);
    for said in ["Forget everything I told you about my boat.", "Thanks a lot! Please forget everything about my boat."] {
        let asked = rig.says(1, said).await;
        assert!(asked[0].contains("2 memories") && asked[0].contains("yes delete them"), "{asked:?}");
        assert_eq!(rig.memories("anna").await.len(), 3, "nothing goes before it is confirmed");
    }
    assert_eq!(rig.says(1, "yes delete them").await, ["Removed 2 note(s)."]);
    assert_eq!(rig.memories("anna").await.len(), 1);
}

#[tokio::test]
async fn a_refused_token_ends_the_bot_and_is_told_to_nobody() {
    let rig = Rig::new().await;
    rig.stub.told().revoked = true;
    let failed = rig.bot().poll(&CancellationToken::new()).await.expect_err("refused");
    assert!(matches!(failed, Failed::Token));
    let gone = Client::new("http://127.0.0.1:1", TOKEN).expect("a client");
    let unreachable = gone.updates(None).await.expect_err("nobody is there");
    assert!(!format!("{failed} {failed:?} {unreachable} {unreachable:?}").contains("stub-token"));
    for bad in ["", "nocolon", ":x", "12:", "abc:def"] {
        assert!(Client::new(&rig.api, bad).is_err(), "{bad}");
    }
}

#[tokio::test]
async fn a_webhook_takes_what_has_its_secret_and_takes_it_once() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    let router = webhook::router(Arc::new(rig.bot()), "a-secret");
    let send = async |secret: Option<&str>, update: &Value| {
        let mut request = Request::post(webhook::PATH);
        if let Some(secret) = secret {
            request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
        }
        let request = request.body(Body::from(update.to_string())).expect("well formed");
        router.clone().oneshot(request).await.expect("answered").status().as_u16()
    };
    let update = rig.message(rig.last + 1, 1, "private", "/remember likes tea");
    let sent = rig.stub.sent().len();
    assert_eq!((send(None, &update).await, send(Some("another"), &update).await), (401, 401));
    assert_eq!(rig.stub.sent().len(), sent);
    assert_eq!((send(Some("a-secret"), &update).await, send(Some("a-secret"), &update).await), (200, 200));
    assert_eq!(rig.stub.sent().len(), sent + 1, "it came twice");
    assert_eq!(send(Some("a-secret"), &json!({"no": "id"})).await, 400);
    rig.bot().have_sent("https://bot.example/telegram", "a-secret").await.expect("set");
    let set = rig.stub.calls("setWebhook").pop().expect("set");
    assert_eq!((&set["secret_token"], &set["max_connections"]), (&json!("a-secret"), &json!(1)));
}

#[tokio::test]
async fn a_webhook_leaves_out_an_update_that_failed_five_times() {
    let mut rig = Rig::new().await;
    rig.link(1, "anna").await;
    let router = webhook::router(Arc::new(rig.bot()), "a-secret");
    let send = async |update: &Value| {
        let request = Request::post(webhook::PATH).header("X-Telegram-Bot-Api-Secret-Token", "a-secret");
        let request = request.body(Body::from(update.to_string())).expect("well formed");
        router.clone().oneshot(request).await.expect("answered").status().as_u16()
    };
    let alter = async |statement: &'static str| {
        let url = format!("sqlite://{}", rig.fixture.folder.path().join("keepsake.db").display());
        let mut connection = SqliteConnection::connect(&url).await.expect("opened");
        sqlx::query(statement).execute(&mut connection).await.expect("altered");
    };
    let (bad, next) = (
        rig.message(rig.last + 1, 1, "private", "/remember likes tea"),
        rig.message(rig.last + 2, 1, "private", "/remember likes coffee"),
    );
    alter("ALTER TABLE chat_links RENAME TO broken").await;
    for status in [503, 503, 503, 503, 200] {
        assert_eq!(send(&bad).await, status);
    }
    assert_eq!(send(&next).await, 503, "each has its own tries");
    alter("ALTER TABLE broken RENAME TO chat_links").await;
    assert_eq!((send(&bad).await, send(&next).await), (200, 200));
    let notes = rig.fixture.keepsake.chat.notes(&cli(), &user("anna")).await.expect("read");
    assert_eq!(notes.iter().map(|note| note.content.as_str()).collect::<Vec<_>>(), ["likes coffee"]);
}

#[tokio::test]
async fn a_chat_that_is_linked_to_somebody_else_is_unlinked_on_record() {
    let mut rig = Rig::new().await;
    for who in ["anna", "anna", "budi"] {
        rig.link(1, who).await;
    }
    assert_eq!(rig.user_of(1).await.as_deref(), Some("budi"));
    let rows = rig.fixture.store.audit_after(0, 100).await.expect("read");
    let rows: Vec<_> = rows.iter().map(|row| (row.action.as_str(), row.user_digest.clone())).collect();
    let of = |who: &str| Some(rig.fixture.keepsake.digester.user(&user(who)));
    assert_eq!(
        rows,
        [
            ("user.chat_linked", of("anna")),
            ("user.chat_linked", of("anna")),
            ("user.chat_unlinked", of("anna")),
            ("user.chat_linked", of("budi")),
        ]
    );
}

#[tokio::test]
async fn a_host_makes_codes_for_its_users() {
    let rig = Rig::new().await;
    let may = [Scope::Read, Scope::Write, Scope::Erase];
    let key = rig.fixture.key(&may, None).await;
    let (status, made) = rig.fixture.call("POST", "/v1/links", &key, Some(json!({"user_id": "anna"}))).await;
    assert_eq!(status, 201, "{made}");
    let code = made["code"].as_str().expect("a code");
    assert_eq!((code.len(), &made["send"]), (10, &json!(format!("/link {code}"))));
    let until = Moment::parse(made["expires_at"].as_str().expect("a time")).expect("a time");
    assert_eq!(until.0 - rig.fixture.clock.now().0, 10 * MINUTE_MS);
    assert_eq!(rig.fixture.call("POST", "/v1/links", &key, Some(json!({}))).await.0, 422);
    let annas = rig.fixture.key(&may, Some("anna")).await;
    assert_eq!(rig.fixture.call("POST", "/v1/links", &annas, Some(json!({}))).await.0, 201);
    assert_eq!(rig.fixture.call("DELETE", "/v1/links?user_id=budi", &annas, None).await.0, 403);
}

#[tokio::test]
async fn a_key_gets_no_more_through_a_chat_than_it_has() {
    let rig = Rig::new().await;
    let annas = || Some(json!({"user_id": "anna"}));
    for (scopes, missing) in
        [(&[Scope::Write][..], "read"), (&[Scope::Write, Scope::Read], "erase"), (&[Scope::Read, Scope::Erase], "write")]
    {
        let key = rig.fixture.key(scopes, None).await;
        let (status, answer) = rig.fixture.call("POST", "/v1/links", &key, annas()).await;
        assert_eq!((status, answer["scope"].as_str()), (403, Some(missing)), "{answer}");
    }
    for (surface, status) in [("web", 403), (SURFACE, 201)] {
        let scopes = Scope::ALL.to_vec();
        let wanted = KeyRequest { scopes, surface: Some(Surface::new(surface).expect("valid")), ..KeyRequest::default() };
        let key = rig.fixture.key_as(wanted).await.secret;
        assert_eq!(rig.fixture.call("POST", "/v1/links", &key, annas()).await.0, status, "{surface}");
    }
    // Deleting links needs only the scope `write`.
    let writes = rig.fixture.key(&[Scope::Write], None).await;
    assert_eq!(rig.fixture.call("DELETE", "/v1/links?user_id=anna", &writes, None).await.0, 200);
}
