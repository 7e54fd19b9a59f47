//! The material shown to an extractor, and the memories that its claims replace: with a stubbed provider, and with the rules.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use domain::facts::decision::Verb;
use domain::memory::exchange::Exchange;
use keepsake::embed::lexical::Lexical;
use keepsake::extract::llm::{DEFAULT_TIMEOUT, Llm, LlmConfig, Provider};
use keepsake::extract::rules::Rules;
use ports::clock::Clock;
use ports::embedder::{EmbedError, Embedder, EmbedderFamily, EmbedderId, Vector};
use ports::extractor::{ExtractError, Extraction, Extractor, Material};
use ports::meter::Meter;
use ports::store::custody::Custody;
use serde_json::json;
use service::settings::preview::Wanted;
use store::sqlite::SqliteStore;
use wiremock::matchers::{body_string_contains, method};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixture::{Fixture, cli, user};
use crate::learning::pipeline::{Talk, statement, web};

/// A statement that only operators may see, and one that this user's extractor may see; both are near the same question.
const APPROVED: &str = "Backups are taken every 6 hours.";
const WAITING: &str = "Backups are taken to tape drives.";
const REJECTED: &str = "Backups are taken in the basement.";
const OWN: &str = "User looks after the backups";
const FOREIGN: &str = "User is afraid of backups";

fn exchange(talk: &Talk, message: &str, reply: &str) -> Exchange {
    Exchange {
        external_id: None,
        user: Some(user("anna")),
        surface: web(),
        thread: None,
        at: talk.fixture.clock.now(),
        message: message.to_owned(),
        reply: reply.to_owned(),
    }
}

/// Memories of two people, and a fact in each status.
async fn quarantine(talk: &Talk) {
    for (who, text) in [("anna", OWN), ("budi", FOREIGN)] {
        talk.fixture.keepsake.memories.remember(&cli(), &user(who), &web(), &statement(text)).await.expect("saved");
    }
    for key in ["merge.global", "merge.related"] {
        talk.set(key, "0.99").await;
    }
    for text in [APPROVED, WAITING, REJECTED] {
        talk.fixture.call("POST", "/v1/facts", &talk.key, Some(json!({"content": text, "kind": "fact"}))).await;
    }
    for fact in talk.facts().await {
        match fact.content.as_str() {
            APPROVED => talk.decide(&fact, Verb::Approve).await,
            REJECTED => talk.decide(&fact, Verb::Reject).await,
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_provider_sees_own_memories_and_approved_facts_and_nothing_else() {
    let (server, talk) = answering("[]").await;
    quarantine(&talk).await;
    talk.say(Some("anna"), "How are the backups taken?").await;
    let requests = server.received_requests().await.expect("recorded");
    assert_eq!(requests.len(), 2, "one for each store");
    for request in requests {
        let sent = String::from_utf8_lossy(&request.body).into_owned();
        assert!(sent.contains(APPROVED) && sent.contains(OWN), "{sent}");
        assert!(![WAITING, REJECTED, FOREIGN].iter().any(|text| sent.contains(text)), "{sent}");
    }
}

/// A model that answers the personal question with these items.
async fn answering(items: &str) -> (MockServer, Talk) {
    let server = MockServer::start().await;
    let answer = |items: &str| {
        let message = json!({"role": "assistant", "content": format!("{{\"items\":{items}}}")});
        let body = json!({"id": "1", "object": "chat.completion", "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}]});
        ResponseTemplate::new(200).set_body_json(body)
    };
    let asked = |words: &str| Mock::given(method("POST")).and(body_string_contains(words));
    asked("shared knowledge of a team").respond_with(answer("[]")).mount(&server).await;
    asked("memory that an assistant has of one person").respond_with(answer(items)).mount(&server).await;
    let config = LlmConfig {
        provider: Provider::OpenAi,
        base_url: Some(server.uri()),
        model: "m".to_owned(),
        api_key: None,
        timeout: DEFAULT_TIMEOUT,
    };
    let llm = Llm::new(config).expect("builds");
    let talk = Talk::on_fixture(Fixture::with(Arc::new(llm), Arc::new(Lexical::default())).await).await;
    talk.set("learn.batch_exchanges", "1").await;
    (server, talk)
}

#[tokio::test]
async fn a_model_says_which_memory_it_means_and_no_other_changes() {
    let held = ["User drinks three espressos a day", "User lives in Ghent", "User plays chess"];
    let decaf = |takes: &str, only: bool| {
        format!(r#"[{{"content":"Has decaf only","kind":"preference","importance":3,"takes":{takes},"only_instead":{only}}}]"#)
    };
    for (items, left) in [
        (decaf("null", false), vec![held[0], held[1], held[2], "Has decaf only"]),
        (decaf(r#"{"term":"espressos"}"#, false), vec!["Has decaf only", held[1], held[2]]),
        // No memory is similar in words, and none contains them.
        (decaf(r#""nearest""#, false), vec![held[0], held[1], held[2], "Has decaf only"]),
        (decaf(r#"{"term":"matcha"}"#, true), held.to_vec()),
        // An id that was not shown.
        (decaf(r#"{"id":"k9"}"#, false), vec![held[0], held[1], held[2], "Has decaf only"]),
        (r#"[{"forget":{"term":"espressos"}}]"#.to_owned(), vec![held[1], held[2]]),
        (r#"[{"forget":{"id":"k9"}}]"#.to_owned(), held.to_vec()),
    ] {
        let (_server, talk) = answering(&items).await;
        for text in held {
            talk.fixture.keepsake.memories.remember(&cli(), &user("anna"), &web(), &statement(text)).await.expect("saved");
        }
        talk.say(Some("anna"), "The doctor took me off it. Forget my espressos. Forget that I live in Ghent.").await;
        assert_eq!(talk.memories("anna").await, left, "{items}");
    }
    // If there is one memory, its id is known.
    for (items, left) in
        [(decaf(r#"{"id":"k1"}"#, true), vec!["Has decaf only"]), (r#"[{"forget":{"id":"k1"}}]"#.to_owned(), vec![])]
    {
        let (_server, talk) = answering(&items).await;
        talk.fixture.keepsake.memories.remember(&cli(), &user("anna"), &web(), &statement(held[1])).await.expect("saved");
        talk.say(Some("anna"), "The doctor took me off it. Forget my espressos. Forget that I live in Ghent.").await;
        assert_eq!(talk.memories("anna").await, left, "{items}");
    }
}

/// Writes to the database whenever it is asked for a vector or shown an exchange. If a transaction were open meanwhile, this
/// would wait for ever.
#[derive(Default)]
struct Busy {
    store: OnceLock<Arc<SqliteStore>>,
    lexical: Lexical,
}

impl Busy {
    async fn write(&self) -> Result<(), String> {
        let Some(store) = self.store.get() else { return Ok(()) };
        let mut tx = store.begin_custody().await.map_err(|error| error.to_string())?;
        tx.raise_epoch("somebody").await.map_err(|error| error.to_string())?;
        tx.commit().await.map_err(|error| error.to_string())
    }
}

#[async_trait]
impl Extractor for Busy {
    fn read(&self, material: &Material<'_>) -> Extraction {
        Rules.read(material)
    }

    async fn extract(&self, _: &Material<'_>, read: Extraction, _: &dyn Meter) -> Result<Extraction, ExtractError> {
        self.write().await.map_err(ExtractError::Unreachable)?;
        Ok(read)
    }
}

#[async_trait]
impl Embedder for Busy {
    fn id(&self) -> &EmbedderId {
        self.lexical.id()
    }

    fn family(&self) -> EmbedderFamily {
        self.lexical.family()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        self.write().await.map_err(EmbedError::Model)?;
        self.lexical.embed(texts).await
    }
}

#[tokio::test]
async fn others_write_while_an_exchange_is_read_and_a_dry_run_leaves_nothing() {
    let busy = Arc::new(Busy::default());
    let talk = Talk::on_fixture(Fixture::with(busy.clone(), busy.clone()).await).await;
    assert!(busy.store.set(talk.fixture.store.clone()).is_ok());
    talk.say(Some("anna"), "Remember that I live in Ghent.").await;
    let before = talk.memories("anna").await;
    assert_eq!(before.len(), 1);
    let facts = "Remember this for the team: backups are taken every 6 hours.";
    let said = exchange(&talk, &format!("I moved from Ghent to Oslo. {facts}"), "Noted.");
    let known = [statement("User plays chess"), statement("User lives in Ghent")];
    let after = talk.fixture.keepsake.learning.learn_dry(&said, &known).await.expect("rehearsed");
    assert_eq!((after.personal_after.len(), after.global_new.len()), (2, 1), "{:?}", after.personal_after);
    assert!(after.personal_after[0].contains("Oslo") && after.personal_after[1] == "User plays chess", "newest first");
    assert_eq!(talk.memories("anna").await, before);
    for table in [
        "memory_merges",
        "facts",
        "contributions",
        "near_misses WHERE measure <> 'merge.personal'",
        "exchanges WHERE status = 'queued'",
    ] {
        assert_eq!(talk.ask(&format!("SELECT 'a row' FROM {table}")).await, [String::new(); 0], "{table}");
    }
    assert_eq!(talk.ask("SELECT CAST(COUNT(*) AS TEXT) FROM memories").await, ["1"]);
}

#[tokio::test]
async fn the_threshold_of_changes_is_judged_by_the_changes_of_the_past() {
    let talk = Talk::new().await;
    let viewer = talk.operator().await;
    let told = async |key: &str, value: &str| {
        let wanted = [Wanted { key: key.to_owned(), text: value.to_owned(), seen: None }];
        let review = talk.fixture.keepsake.settings.review_settings(&viewer, &wanted).await.expect("reviewed");
        review.proposals[0].effect.as_ref().expect("an effect").to_string()
    };
    assert_eq!(told("merge.change", "0.99").await, "Nothing changed in 90 days: there is nothing to judge this by.");
    talk.set("merge.change", "0.20").await;
    talk.say(Some("anna"), "Remember that I work mostly on the iOS app.").await;
    talk.say(Some("anna"), "Actually I moved off the iOS app, I'm on the dashboard now.").await;
    assert_eq!(
        told("merge.change", "0.99").await,
        "At 0.99 instead of 0.20, 1 of the last 1 changes would have been kept beside the old memory."
    );
    assert!(told("merge.correction", "0.99").await.starts_with("Nothing was corrected"), "nobody asked for it");
    talk.set("merge.change", "0.99").await;
    talk.say(Some("budi"), "Remember that I drink three espressos a day.").await;
    talk.say(Some("budi"), "I've switched to decaf.").await;
    assert_eq!(talk.memories("budi").await.len(), 2);
    assert_eq!(
        told("merge.change", "0.20").await,
        "At 0.20 instead of 0.99, none of the last 1 changes that replaced nothing would have replaced one."
    );
}
